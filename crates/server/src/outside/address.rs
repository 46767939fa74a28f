//! Which addresses may be reached.

use std::net::IpAddr;

use crate::settings::Network;

/// Everything that is not an ordinary address of the internet: the machine itself,
/// its neighbours, what providers use among themselves, what stands for another
/// address (an IPv4 address in an IPv6 one, by whichever translation), what is for
/// documentation or tests, what is for many at once, and what is nobody's yet.
const NOT_OUTSIDE: [&str; 34] = [
    "0.0.0.0/8",
    "10.0.0.0/8",
    "100.64.0.0/10",
    "127.0.0.0/8",
    "169.254.0.0/16",
    "172.16.0.0/12",
    "192.0.0.0/24",
    "192.0.2.0/24",
    "192.31.196.0/24",
    "192.52.193.0/24",
    "192.88.99.0/24",
    "192.168.0.0/16",
    "192.175.48.0/24",
    "198.18.0.0/15",
    "198.51.100.0/24",
    "203.0.113.0/24",
    "224.0.0.0/4",
    "240.0.0.0/4",
    "::/96",
    "::ffff:0:0/96",
    "::ffff:0:0:0/96",
    "64:ff9b::/96",
    "64:ff9b:1::/48",
    "100::/64",
    "2001::/23",
    "2001:db8::/32",
    "2002::/16",
    "2620:4f:8000::/48",
    "3fff::/20",
    "5f00::/16",
    "fc00::/7",
    "fe80::/10",
    "fec0::/10",
    "ff00::/8",
];

/// What may be reached.
pub(super) struct Reachable {
    refused: Vec<Network>,
    allowed: Vec<Network>,
}

impl Reachable {
    /// The internet, and what the operator allows besides.
    pub(super) fn with(allowed: Vec<Network>) -> Reachable {
        let refused = NOT_OUTSIDE.map(|network| network.parse().expect("a network"));
        Reachable {
            refused: refused.into(),
            allowed,
        }
    }

    /// Whether an address may be reached.
    pub(super) fn allows(&self, address: IpAddr) -> bool {
        let is_in = |networks: &[Network]| networks.iter().any(|it| it.contains(address));
        // An address within another one is refused as it is written, too.
        let is_disguised = address.to_canonical() != address;
        is_in(&self.allowed) || !(is_disguised || is_in(&self.refused))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn allows(reachable: &Reachable, address: &str) -> bool {
        reachable.allows(address.parse().expect("an address"))
    }

    #[test]
    fn only_what_is_outside_is_reached() {
        let reachable = Reachable::with(Vec::new());
        for outside in ["8.8.8.8", "100.63.255.255", "172.32.0.1", "2606:4700::1111"] {
            assert!(allows(&reachable, outside), "{outside}");
        }
        for inside in [
            "0.0.0.0",
            "10.1.2.3",
            "100.64.0.1",
            "127.0.0.1",
            "127.255.0.1",
            "169.254.169.254",
            "172.31.255.255",
            "192.168.0.1",
            "198.19.0.1",
            "224.0.0.1",
            "255.255.255.255",
            "::",
            "::1",
            "::7f00:1",
            "::ffff:127.0.0.1",
            "::ffff:8.8.8.8",
            "64:ff9b::808:808",
            "64:ff9b:1::1",
            "2002:7f00:1::",
            "2001:0:1::",
            "fd00::1",
            "fe80::1",
            "ff02::1",
        ] {
            assert!(!allows(&reachable, inside), "{inside}");
        }
    }

    #[test]
    fn the_operator_may_allow_more() {
        let reachable = Reachable::with(vec!["10.0.0.0/8".parse().expect("a network")]);
        assert!(allows(&reachable, "10.1.2.3"));
        assert!(!allows(&reachable, "127.0.0.1"));
        assert!(allows(&reachable, "8.8.8.8"));
    }
}
