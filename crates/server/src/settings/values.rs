//! Values that settings can have, and how each is read.

use std::fmt;
use std::net::IpAddr;
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::str::FromStr;

use axum::http::Uri;
use tracing_subscriber::EnvFilter;

/// Who may register.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Registration {
    /// Anyone.
    Open,
    /// Whoever knows the invite code.
    Invite,
    /// Nobody: accounts are made by the operator.
    Closed,
}

/// The form of log lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LogFormat {
    /// For people on a terminal, JSON otherwise.
    Auto,
    /// For people.
    Human,
    /// One JSON object per line.
    Json,
}

/// A range of addresses: `10.0.0.0/8`, or a single address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Network {
    address: IpAddr,
    prefix: u8,
}

impl Network {
    /// Whether an address is in the range. An IPv4 address is the same
    /// however it is written.
    pub fn contains(&self, address: IpAddr) -> bool {
        match (self.address, address.to_canonical()) {
            (IpAddr::V4(network), IpAddr::V4(address)) => {
                let bits = network.to_bits() ^ address.to_bits();
                bits.leading_zeros() >= u32::from(self.prefix)
            }
            (IpAddr::V6(network), IpAddr::V6(address)) => {
                let bits = network.to_bits() ^ address.to_bits();
                bits.leading_zeros() >= u32::from(self.prefix)
            }
            _ => false,
        }
    }
}

impl FromStr for Network {
    type Err = ();

    fn from_str(text: &str) -> Result<Network, ()> {
        let (address, prefix) = match text.split_once('/') {
            Some((address, prefix)) => (address, Some(prefix)),
            None => (text, None),
        };
        let address: IpAddr = address.parse().map_err(|_| ())?;
        let longest = if address.is_ipv4() { 32 } else { 128 };
        let prefix = match prefix {
            Some(prefix) => prefix.parse().map_err(|_| ())?,
            None => longest,
        };
        if prefix > longest {
            return Err(());
        }
        Ok(Network { address, prefix })
    }
}

impl fmt::Display for Network {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.address, self.prefix)
    }
}

impl fmt::Display for Registration {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Registration::Open => "open",
            Registration::Invite => "invite",
            Registration::Closed => "closed",
        })
    }
}

impl fmt::Display for LogFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            LogFormat::Auto => "auto",
            LogFormat::Human => "human",
            LogFormat::Json => "json",
        })
    }
}

/// One of a few words.
pub(super) fn word<V: Copy + fmt::Display>(text: &str, known: &[V]) -> Option<V> {
    known
        .iter()
        .copied()
        .find(|value| value.to_string() == text)
}

/// Yes or no, in the words people use.
pub(super) fn switch(text: &str) -> Option<bool> {
    match text {
        "on" | "true" | "yes" | "1" => Some(true),
        "off" | "false" | "no" | "0" => Some(false),
        _ => None,
    }
}

/// How a switch is shown.
pub(super) fn on_off(value: bool) -> String {
    if value { "on" } else { "off" }.into()
}

/// A whole number within bounds.
pub(super) fn number<N>(text: &str, bounds: RangeInclusive<N>) -> Option<N>
where
    N: FromStr + PartialOrd,
{
    text.parse().ok().filter(|number| bounds.contains(number))
}

/// Things divided by commas; an empty text is an empty list.
pub(super) fn list<V>(text: &str, read: impl Fn(&str) -> Option<V>) -> Option<Vec<V>> {
    let parts = text.split(',').map(str::trim);
    parts.filter(|part| !part.is_empty()).map(read).collect()
}

/// How a list is shown.
pub(super) fn joined<V: ToString>(values: &[V]) -> String {
    values
        .iter()
        .map(ToString::to_string)
        .collect::<Vec<_>>()
        .join(",")
}

/// A text that may be missing: empty is missing.
pub(super) fn optional(text: &str) -> Option<String> {
    (!text.is_empty()).then(|| text.to_owned())
}

/// A path that may be missing: empty is missing.
pub(super) fn optional_path(text: &str) -> Option<PathBuf> {
    optional(text).map(PathBuf::from)
}

/// `https://host[:port][/path]`, without the slash at the end.
pub(super) fn url(text: &str) -> Option<String> {
    let uri: Uri = text.parse().ok()?;
    let is_web = matches!(uri.scheme_str(), Some("http" | "https"));
    (is_web && uri.host().is_some_and(|h| !h.is_empty()) && uri.query().is_none())
        .then(|| text.trim_end_matches('/').to_owned())
}

/// `*`, or scheme, host and port of a web page: no path.
pub(super) fn origin(text: &str) -> Option<String> {
    let bare = text.parse::<Uri>().is_ok_and(|uri| uri.path() == "/") && !text.ends_with('/');
    if text == "*" || (bare && url(text).is_some()) {
        Some(text.to_owned())
    } else {
        None
    }
}

/// `sqlite:PATH` or `memory:`.
pub(super) fn store(text: &str) -> Option<String> {
    let path = text
        .strip_prefix("sqlite:")
        .map(|path| path.trim_start_matches("//"));
    (text == "memory:" || path.is_some_and(|path| !path.is_empty() && path != ":memory:"))
        .then(|| text.to_owned())
}

/// A filter of log lines.
pub(super) fn filter(text: &str) -> Option<String> {
    (!text.is_empty() && EnvFilter::try_new(text).is_ok()).then(|| text.to_owned())
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

    #[test]
    fn a_public_url_has_no_slash_at_its_end() {
        assert_eq!(
            url("https://chess.example/"),
            Some("https://chess.example".into())
        );
        assert_eq!(url("http://a:81/b/"), Some("http://a:81/b".into()));
        for bad in ["chess.example", "ftp://a", "https://", "https://a?b", ""] {
            assert_eq!(url(bad), None, "{bad}");
        }
    }

    #[test]
    fn an_origin_has_no_path() {
        assert!(origin("https://chess.example").is_some());
        assert!(origin("http://localhost:5173").is_some());
        assert!(origin("*").is_some());
        for bad in [
            "https://chess.example/",
            "https://a/b",
            "chess.example",
            "null",
        ] {
            assert_eq!(origin(bad), None, "{bad}");
        }
    }
}
