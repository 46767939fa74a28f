//! Whether an answer may be kept by whoever passes it on.

use axum::extract::Request;
use axum::http::{HeaderMap, HeaderValue, Uri, header};

/// The names by which a query says who asks.
const WHO: [&str; 2] = ["token", "guestID"];

/// Where the API is: doors that answer whoever asks as they may know it.
const DOORS: [&str; 4] = ["/v1/", "/live/", "/api/", "/game/"];

/// Whether the answer is for the one who asks: it may tell what nobody else
/// may know, so it must not be there for the next in front of the same cache.
pub(crate) fn is_personal(request: &Request) -> bool {
    let path = request.uri().path();
    let is_api = DOORS.iter().any(|door| path.starts_with(door));
    is_api && (request.headers().contains_key(header::AUTHORIZATION) || says_who(request.uri()))
}

fn says_who(uri: &Uri) -> bool {
    let names = uri.query().unwrap_or_default().split('&');
    let mut names = names.map(|pair| pair.split_once('=').map_or(pair, |(name, _)| name));
    // A name with an escape in it may be any name.
    names.any(|name| WHO.contains(&name) || name.contains('%'))
}

/// Keeps an answer out of every cache.
pub(crate) fn forbid(headers: &mut HeaderMap) {
    let no_store = HeaderValue::from_static("no-store");
    headers.insert(header::CACHE_CONTROL, no_store);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_is_personal_if_the_request_says_who_asks() {
        let asked = |uri: &str, token: Option<&str>| {
            let mut request = Request::new(axum::body::Body::empty());
            *request.uri_mut() = uri.parse().unwrap();
            if let Some(token) = token {
                let token = HeaderValue::from_str(token).unwrap();
                request.headers_mut().insert(header::AUTHORIZATION, token);
            }
            is_personal(&request)
        };
        assert!(asked("/v1/games/abc", Some("Bearer x")));
        assert!(asked("/live/v1/games/abc", Some("Bearer x")));
        for uri in ["?token=x", "?since=1&token=x", "?guestID=x", "?%74oken=x"] {
            assert!(asked(&format!("/v1/matches/abc{uri}"), None), "{uri}");
        }
        assert!(!asked("/v1/games?limit=3&state=token", None));
        assert!(!asked("/assets/app.js", Some("Bearer x")));
    }
}
