//! What the server says of itself at `/metrics`.

use std::collections::HashMap;
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};

/// The numbers by name (with labels, where there are any).
#[derive(Debug, Default)]
pub(crate) struct Metrics(HashMap<String, f64>);

impl Metrics {
    pub(crate) fn read(address: SocketAddr) -> Result<Metrics, String> {
        let (_, body) = get(address, "/metrics")?;
        let lines = body.lines().filter(|line| !line.starts_with('#'));
        let pairs = lines.filter_map(|line| line.rsplit_once(' '));
        let numbers = pairs.filter_map(|(name, n)| Some((name.to_owned(), n.parse().ok()?)));
        Ok(Metrics(numbers.collect()))
    }

    pub(crate) fn get(&self, name: &str) -> Option<f64> {
        self.0.get(name).copied()
    }

    /// The mean, in milliseconds, of what a histogram has seen since `before`.
    pub(crate) fn mean_ms(&self, histogram: &str, before: &Metrics) -> Option<f64> {
        let since = |suffix: &str| {
            let name = format!("{histogram}_{suffix}");
            Some(self.get(&name)? - before.get(&name).unwrap_or(0.0))
        };
        let (sum, count) = (since("sum")?, since("count")?);
        (count > 0.0).then(|| sum / count * 1000.0)
    }
}

/// Asks once, on a connection of its own: status and body.
pub(crate) fn get(address: SocketAddr, path: &str) -> Result<(u16, String), String> {
    let ask = || {
        let mut stream = TcpStream::connect(address)?;
        let request = format!("GET {path} HTTP/1.1\r\nHost: bench\r\nConnection: close\r\n\r\n");
        stream.write_all(request.as_bytes())?;
        let mut bytes = Vec::new();
        stream.read_to_end(&mut bytes)?;
        Ok(bytes)
    };
    let bytes = ask().map_err(|error: std::io::Error| format!("{path}: {error}"))?;
    let parsed = crate::http::parse(&bytes).ok_or_else(|| format!("{path}: half an answer"))?;
    let body = String::from_utf8_lossy(&bytes[parsed.body_at..parsed.length]);
    Ok((parsed.status, body.into_owned()))
}
