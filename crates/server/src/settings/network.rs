//! Ranges of addresses.

use std::net::IpAddr;
use std::str::FromStr;

use ipnet::{AddrParseError, IpNet};

/// A range of addresses: `10.0.0.0/8`, or a single address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Network(IpNet);

impl Network {
    /// Whether an address is in the range. An IPv4 address is the same
    /// however it is written.
    pub fn contains(&self, address: IpAddr) -> bool {
        self.0.contains(&address.to_canonical())
    }
}

impl FromStr for Network {
    type Err = AddrParseError;

    fn from_str(text: &str) -> Result<Network, AddrParseError> {
        let single = || text.parse::<IpAddr>().map(IpNet::from).ok();
        text.parse().or_else(|why| single().ok_or(why)).map(Network)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_network_holds_the_addresses_of_its_prefix() {
        let holds = |network: &str, address: &str| {
            network
                .parse::<Network>()
                .unwrap()
                .contains(address.parse().unwrap())
        };
        assert!(holds("10.0.0.0/8", "10.255.1.2"));
        assert!(holds("10.1.2.3/8", "10.255.1.2"));
        assert!(!holds("10.0.0.0/8", "11.0.0.0"));
        assert!(holds("10.0.0.0/8", "::ffff:10.1.2.3"));
        assert!(holds("0.0.0.0/0", "8.8.8.8"));
        assert!(!holds("0.0.0.0/0", "::1"));
        assert!(holds("127.0.0.1", "127.0.0.1"));
        assert!(!holds("127.0.0.1", "127.0.0.2"));
        assert!(holds("fd00::/8", "fd12::1"));
        for bad in ["", "10.0.0.0/33", "::/129", "10.0.0/8", "x", "10.0.0.0/-1"] {
            assert!(bad.parse::<Network>().is_err(), "{bad}");
        }
    }
}
