//! Ports that stay free.

use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher, Hasher};
use std::net::{Ipv4Addr, TcpListener};

/// Below the ports that a system gives out by itself: whoever leaves one of these
/// for a while finds it free when it comes back.
const PORTS: std::ops::Range<u16> = 20_000..32_000;
/// So many are tried.
const TRIES: u16 = 200;

/// Listens on a port of the loopback that nobody is given by chance.
///
/// # Panics
/// If there is none.
pub fn listen() -> TcpListener {
    let chance = RandomState::new().build_hasher().finish();
    let count = u64::from(PORTS.end - PORTS.start);
    let first = u16::try_from(chance % count).expect("less than there are ports");
    let ports = (0..TRIES).map(|n| PORTS.start + (first + n) % (PORTS.end - PORTS.start));
    let mut listeners = ports.map(|port| TcpListener::bind((Ipv4Addr::LOCALHOST, port)));
    let free = listeners.find_map(Result::ok);
    free.expect("a free port")
}
