//! One request on a connection of its own, where speed does not matter.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};

use crate::http;

/// Asks, and insists on an answer that says yes.
pub(crate) fn ask(
    address: SocketAddr,
    method: &str,
    path: &str,
    body: &[u8],
) -> Result<Vec<u8>, String> {
    ask_as(address, None, method, path, body)
}

/// The same as somebody with a token.
pub(crate) fn ask_as(
    address: SocketAddr,
    token: Option<&str>,
    method: &str,
    path: &str,
    body: &[u8],
) -> Result<Vec<u8>, String> {
    // An answer to HTTP/1.0 ends with the connection and is never in chunks.
    let length = body.len();
    let bearer = token.map_or(String::new(), |token| {
        format!("Authorization: Bearer {token}\r\n")
    });
    let mut request = format!(
        "{method} {path} HTTP/1.0\r\n{bearer}Content-Type: application/json\r\nContent-Length: {length}\r\n\r\n"
    )
    .into_bytes();
    request.extend_from_slice(body);
    let exchange = || {
        let mut stream = TcpStream::connect(address)?;
        stream.write_all(&request)?;
        let mut bytes = Vec::new();
        stream.read_to_end(&mut bytes)?;
        Ok(bytes)
    };
    let bytes = exchange().map_err(|error: std::io::Error| format!("{method} {path}: {error}"))?;
    let parsed = http::parse(&bytes).ok_or_else(|| format!("{method} {path}: half an answer"))?;
    let body = bytes[parsed.body_at..].to_vec();
    if !(200..300).contains(&parsed.status) {
        let body = String::from_utf8_lossy(&body);
        return Err(format!("{method} {path}: {} {body}", parsed.status));
    }
    Ok(body)
}
