//! How many connections there are, and from where.
//!
//! Each costs a file of the process. Without a bound anybody can open as many
//! as there may be, and then nobody else gets in, nor does the store.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use crate::limits::rates::whole;
use crate::lock::lock;
use crate::settings::{Network, Settings};

/// Files that are kept for everything but connections: the store and its
/// readers, backups, logs, the runtime.
const FILES_RESERVED: usize = 64;

/// All open connections; cheap to clone.
#[derive(Clone)]
pub struct Connections(Arc<Inner>);

struct Inner {
    max: usize,
    /// `None`: as many as there may be at all.
    address_max: Option<usize>,
    trusted: Vec<Network>,
    open: Mutex<Open>,
    refused: AtomicU64,
}

#[derive(Default)]
struct Open {
    all: usize,
    /// Those that count against their address.
    by_address: HashMap<IpAddr, usize>,
}

/// Why one more is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refused {
    /// There are as many as there may be.
    All(usize),
    /// There are as many from its address as there may be from one.
    Address(usize),
}

/// An open connection: counts for as long as it lives.
pub struct Place {
    connections: Connections,
    address: Option<IpAddr>,
}

impl Connections {
    /// None yet. A process that may have `files` files open keeps some for
    /// itself, and no address gets more than half of the rest.
    pub fn new(settings: &Settings, files: u64) -> Connections {
        let files = usize::try_from(files).unwrap_or(usize::MAX);
        let affordable = files.saturating_sub(FILES_RESERVED).max(files / 2).max(2);
        let max = settings.connections_max.min(affordable);
        let address_max = settings.connections_per_address.min(max / 2).max(1);
        Connections(Arc::new(Inner {
            max,
            address_max: settings.rate_limits.then_some(address_max),
            trusted: settings.trusted_proxies.clone(),
            open: Mutex::default(),
            refused: AtomicU64::new(0),
        }))
    }

    /// Counts one more, if there may be one more.
    ///
    /// # Errors
    /// Which bound it is beyond.
    pub fn admit(&self, from: IpAddr) -> Result<Place, Refused> {
        let inner = &*self.0;
        // A proxy's connections are those of everybody behind it.
        let is_trusted = inner.trusted.iter().any(|network| network.contains(from));
        let limit = inner.address_max.filter(|_| !is_trusted);
        let address = limit.map(|max| (whole(from), max));
        let mut open = lock(&inner.open);
        let refuse = |why| {
            inner.refused.fetch_add(1, Ordering::Relaxed);
            Err(why)
        };
        if open.all >= inner.max {
            return refuse(Refused::All(inner.max));
        }
        if let Some((address, max)) = address {
            let count = open.by_address.entry(address).or_default();
            if *count >= max {
                return refuse(Refused::Address(max));
            }
            *count += 1;
        }
        open.all += 1;
        Ok(Place {
            connections: self.clone(),
            address: address.map(|(address, _)| address),
        })
    }

    /// How many are open.
    pub fn open(&self) -> usize {
        lock(&self.0.open).all
    }

    /// How many were refused.
    pub fn refused(&self) -> u64 {
        self.0.refused.load(Ordering::Relaxed)
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut open = lock(&self.connections.0.open);
        open.all -= 1;
        let Some(address) = self.address else { return };
        if let Some(count) = open.by_address.get_mut(&address) {
            *count -= 1;
            if *count == 0 {
                open.by_address.remove(&address);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn connections(change: impl FnOnce(&mut Settings), files: u64) -> Connections {
        let mut settings = Settings {
            connections_max: 10,
            connections_per_address: 3,
            ..Settings::default()
        };
        change(&mut settings);
        Connections::new(&settings, files)
    }

    fn admitted(connections: &Connections, from: &str) -> Vec<Place> {
        let from = from.parse().unwrap();
        std::iter::from_fn(|| connections.admit(from).ok()).collect()
    }

    #[test]
    fn an_address_has_its_share_and_gets_it_back() {
        let connections = connections(|_| {}, 1_000);
        let held = admitted(&connections, "192.0.2.1");
        assert_eq!(held.len(), 3);
        let again = connections.admit("::ffff:192.0.2.1".parse().unwrap());
        assert_eq!(again.err(), Some(Refused::Address(3)));
        assert_eq!(admitted(&connections, "192.0.2.2").len(), 3);
        drop(held);
        assert_eq!(admitted(&connections, "192.0.2.1").len(), 3);
        assert_eq!(connections.open(), 0);
        assert!(lock(&connections.0.open).by_address.is_empty());
    }

    #[test]
    fn a_trusted_proxy_and_a_closed_network_are_bounded_by_the_whole_only() {
        let proxied = |s: &mut Settings| s.trusted_proxies = vec!["192.0.2.1".parse().unwrap()];
        assert_eq!(
            admitted(&connections(proxied, 1_000), "192.0.2.1").len(),
            10
        );
        let closed = connections(|s| s.rate_limits = false, 1_000);
        let held = admitted(&closed, "192.0.2.1");
        assert_eq!(held.len(), 10);
        let other = closed.admit("192.0.2.2".parse().unwrap());
        assert_eq!(other.err(), Some(Refused::All(10)));
        assert_eq!(closed.refused(), 2);
    }

    #[test]
    fn files_are_left_for_the_store_and_connections_for_others() {
        let many = |s: &mut Settings| (s.connections_max, s.connections_per_address) = (9999, 9999);
        let connections = connections(many, 600);
        let held = admitted(&connections, "192.0.2.1");
        assert_eq!(held.len(), (600 - FILES_RESERVED) / 2);
        assert_eq!(admitted(&connections, "192.0.2.2").len(), held.len());
    }
}
