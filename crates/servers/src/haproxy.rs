//! A load balancer.

use std::net::SocketAddr;

use crate::script::Script;

/// A load balancer in front of some servers. It is gone with this value, or with
/// this process.
pub struct Haproxy {
    /// Held, so that it goes on.
    _script: Script,
    url: String,
}

impl Haproxy {
    /// Starts one; `None` if it is not installed and may not be, which only
    /// `CI=true` forbids.
    ///
    /// # Panics
    /// If it does not start.
    pub fn start(servers: &[SocketAddr]) -> Option<Haproxy> {
        let servers: Vec<String> = servers.iter().map(SocketAddr::to_string).collect();
        let servers: Vec<&str> = servers.iter().map(String::as_str).collect();
        let (_script, url) = Script::start("haproxy", &servers)?;
        Some(Haproxy { _script, url })
    }

    /// Where it listens.
    pub fn url(&self) -> &str {
        &self.url
    }
}
