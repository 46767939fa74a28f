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
    let mut request = Vec::new();
    http::request(&mut request, method, path, "", body);
    let exchange = || {
        let mut stream = TcpStream::connect(address)?;
        stream.write_all(&request)?;
        let mut bytes = Vec::new();
        let mut piece = [0; 16 * 1024];
        loop {
            if let Some(parsed) = http::parse(&bytes) {
                return Ok((parsed, bytes));
            }
            match stream.read(&mut piece)? {
                0 => return Err(std::io::Error::from(std::io::ErrorKind::UnexpectedEof)),
                read => bytes.extend_from_slice(&piece[..read]),
            }
        }
    };
    let (parsed, bytes) = exchange().map_err(|error| format!("{method} {path}: {error}"))?;
    let body = bytes[parsed.body_at..parsed.length].to_vec();
    if !(200..300).contains(&parsed.status) {
        let body = String::from_utf8_lossy(&body);
        return Err(format!("{method} {path}: {} {body}", parsed.status));
    }
    Ok(body)
}
