//! Values that settings can have, and how those are read that clap cannot read.

use std::fmt;
use std::ops::{Deref, RangeInclusive};
use std::str::FromStr;

use axum::http::Uri;
use clap::ValueEnum;
use clap::builder::{BoolishValueParser, RangedU64ValueParser};
use tracing_subscriber::EnvFilter;

/// Who may register.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Registration {
    /// Anyone.
    Open,
    /// Whoever knows the invite code.
    Invite,
    /// Nobody: accounts are made by the operator.
    Closed,
}

/// The form of log lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum LogFormat {
    /// For people on a terminal, JSON otherwise.
    Auto,
    /// For people.
    Human,
    /// One JSON object per line.
    Json,
}

/// One of those for whom rooms for members are open.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Member {
    /// Everybody with an account of their own.
    Registered,
    /// Whoever has a title.
    Titled,
    /// The account of that name.
    Named(String),
}

impl FromStr for Member {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Member, &'static str> {
        match text {
            "@registered" => Ok(Member::Registered),
            "@titled" => Ok(Member::Titled),
            name if name.starts_with('@') || name.is_empty() => Err("no such role"),
            name => Ok(Member::Named(name.to_ascii_lowercase())),
        }
    }
}

/// A text that is never shown.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(String);

impl From<&str> for Secret {
    fn from(text: &str) -> Secret {
        Secret(text.to_owned())
    }
}

impl Deref for Secret {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("(hidden)")
    }
}

/// What is accepted stands in the table, so a refusal need not say why.
type Read<T> = Result<T, &'static str>;

fn accepted(is_accepted: bool, text: &str) -> Read<String> {
    is_accepted.then(|| text.to_owned()).ok_or("not accepted")
}

/// Yes or no, in the words people use.
pub(super) fn switch() -> BoolishValueParser {
    BoolishValueParser::new()
}

/// A whole number within bounds.
pub(super) fn whole<N: TryFrom<u64>>(bounds: RangeInclusive<u64>) -> RangedU64ValueParser<N> {
    RangedU64ValueParser::new().range(bounds)
}

pub(super) fn days() -> RangedU64ValueParser<u32> {
    whole(0..=36_500)
}

pub(super) fn rate() -> RangedU64ValueParser<u32> {
    whole(1..=1_000_000)
}

pub(super) fn some() -> RangedU64ValueParser<usize> {
    whole(1..=1_000_000_000)
}

/// A name of XMPP's that is nothing but a domain.
pub(super) fn domain(text: &str) -> Result<String, &'static str> {
    match jid::BareJid::new(text) {
        Ok(jid) if jid.node().is_none() => Ok(jid.into_inner()),
        _ => Err("not a domain"),
    }
}

/// `https://host[:port][/path]`, without the slash at the end.
pub(super) fn url(text: &str) -> Read<String> {
    let is_web = text.parse::<Uri>().is_ok_and(|uri| {
        matches!(uri.scheme_str(), Some("http" | "https"))
            && uri.host().is_some_and(|host| !host.is_empty())
            && uri.query().is_none()
    });
    accepted(is_web, text.trim_end_matches('/'))
}

/// `*`, or scheme, host and port of a web page: no path.
pub(super) fn origin(text: &str) -> Read<String> {
    let is_bare = text.parse::<Uri>().is_ok_and(|uri| uri.path() == "/") && !text.ends_with('/');
    accepted(text == "*" || (is_bare && url(text).is_ok()), text)
}

/// `local`, or addresses of NATS.
pub(super) fn bus(text: &str) -> Read<String> {
    let is_nats = |url: &str| url.starts_with("nats://") || url.starts_with("tls://");
    accepted(text == "local" || text.split(',').all(is_nats), text)
}

/// Letters, digits, `-` and `_`.
pub(super) fn word(text: &str) -> Read<String> {
    let fits = |byte: u8| byte.is_ascii_alphanumeric() || b"-_".contains(&byte);
    accepted(!text.is_empty() && text.bytes().all(fits), text)
}

/// `sqlite:PATH`, `postgres://...` or `memory:`.
pub(super) fn store(text: &str) -> Read<String> {
    let path = text.strip_prefix("sqlite:");
    let path = path.map(|path| path.trim_start_matches("//"));
    let is_file = path.is_some_and(|path| !path.is_empty() && path != ":memory:");
    accepted(text == "memory:" || is_file || is_postgres(text), text)
}

/// `postgres://...`.
pub(super) fn postgres(text: &str) -> Read<String> {
    accepted(is_postgres(text), text)
}

fn is_postgres(text: &str) -> bool {
    text.starts_with("postgres://") || text.starts_with("postgresql://")
}

/// Somebody's address, with or without their name.
pub(super) fn mailbox(text: &str) -> Read<String> {
    accepted(text.parse::<lettre::message::Mailbox>().is_ok(), text)
}

/// A filter of log lines.
pub(super) fn filter(text: &str) -> Read<String> {
    accepted(!text.is_empty() && EnvFilter::try_new(text).is_ok(), text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_public_url_has_no_slash_at_its_end() {
        assert_eq!(
            url("https://chess.example/").unwrap(),
            "https://chess.example"
        );
        assert_eq!(url("http://a:81/b/").unwrap(), "http://a:81/b");
        for bad in ["chess.example", "ftp://a", "https://", "https://a?b", ""] {
            assert!(url(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn an_origin_has_no_path() {
        for good in ["https://chess.example", "http://localhost:5173", "*"] {
            assert!(origin(good).is_ok(), "{good}");
        }
        for bad in [
            "https://chess.example/",
            "https://a/b",
            "chess.example",
            "null",
        ] {
            assert!(origin(bad).is_err(), "{bad}");
        }
    }
}
