//! One log line per request, without its secrets.

use std::borrow::Cow;
use std::time::Duration;

use axum::extract::MatchedPath;
use axum::http::{Method, Uri};
use axum::response::Response;

use crate::http::ClientAddress;
use crate::http::error::ErrorNote;

/// What is known of a request once it is answered.
pub struct Access {
    /// Its method.
    pub method: Method,
    /// What it asked for; may hold a token.
    pub uri: Uri,
    /// The route that answered.
    pub route: Found,
    /// Who asked.
    pub client: ClientAddress,
}

/// The route that a request was for.
pub enum Found {
    /// One among all.
    Route(MatchedPath),
    /// That of moves, which was not looked for.
    Moves,
    /// None.
    Nothing,
}

impl Found {
    /// The route, as it is declared.
    pub fn as_str(&self) -> &str {
        match self {
            Found::Route(route) => route.as_str(),
            Found::Moves => MOVES,
            Found::Nothing => "",
        }
    }
}

/// The route that moves come in by.
pub const MOVES: &str = "/v1/games/{id}/moves";

/// Logs a request under its id: failures of ours as warnings, refusals as
/// information, and the rest, of which there are thousands a second, for those
/// who ask for it.
pub fn log(access: &Access, id: &str, response: &Response, elapsed: Duration) {
    let status = response.status();
    if status.as_u16() < 400 && !tracing::enabled!(target: "access", tracing::Level::DEBUG) {
        return;
    }
    let method = access.method.as_str();
    let path = &*redacted(&access.uri);
    let error = response.extensions().get::<ErrorNote>();
    let code = error.map(|error| error.code);
    let cause = error.and_then(|error| error.cause.as_deref());
    let us = u64::try_from(elapsed.as_micros()).unwrap_or(u64::MAX);
    let client = access.client.0;
    let status_number = status.as_u16();
    macro_rules! line {
        ($level:ident) => {
            tracing::$level!(target: "access", id, method, path, status = status_number, code, cause, us, %client)
        };
    }
    if status.is_server_error() {
        line!(warn);
    } else if status.is_client_error() {
        line!(info);
    } else {
        line!(debug);
    }
}

/// Path and query, with the values of whatever may be secret left out.
pub fn redacted(uri: &Uri) -> Cow<'_, str> {
    let Some(query) = uri.query() else {
        return uri.path().into();
    };
    let pairs: Vec<Cow<'_, str>> = query
        .split('&')
        .map(|pair| match pair.split_once('=') {
            Some((name, _)) if is_secret(name) => format!("{name}=(hidden)").into(),
            _ => pair.into(),
        })
        .collect();
    format!("{}?{}", uri.path(), pairs.join("&")).into()
}

/// A name with an escape in it may be any name.
fn is_secret(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    name.contains('%')
        || ["token", "password", "secret", "code", "guest"]
            .iter()
            .any(|s| name.contains(s))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_are_not_logged() {
        let shown = |uri: &str| redacted(&uri.parse().unwrap()).into_owned();
        assert_eq!(shown("/v1/games"), "/v1/games");
        assert_eq!(shown("/v1/games?limit=3"), "/v1/games?limit=3");
        assert_eq!(
            shown("/a?since=1&token=arb_x&b"),
            "/a?since=1&token=(hidden)&b"
        );
        assert_eq!(shown("/a?Token=arb_x"), "/a?Token=(hidden)");
        assert_eq!(
            shown("/a?access_token=x&token="),
            "/a?access_token=(hidden)&token=(hidden)"
        );
        assert_eq!(shown("/a?%74oken=arb_x"), "/a?%74oken=(hidden)");
        assert_eq!(shown("/a?token=x=y"), "/a?token=(hidden)");
        assert_eq!(shown("/a?guestID=1A"), "/a?guestID=(hidden)");
    }
}
