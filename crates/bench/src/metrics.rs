//! What the server says of itself at `/metrics`.

use std::collections::HashMap;
use std::net::SocketAddr;

use crate::ask::ask;

/// The numbers by name (with labels, where there are any).
#[derive(Debug, Default)]
pub(crate) struct Metrics(HashMap<String, f64>);

impl Metrics {
    pub(crate) fn read(address: SocketAddr) -> Result<Metrics, String> {
        let body = ask(address, "GET", "/metrics", b"")?;
        let body = String::from_utf8_lossy(&body);
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
