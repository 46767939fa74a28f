//! How a game is to be written.

use axum::http::{HeaderMap, header};

use crate::doors::lichess::body::Fields;

/// As what games are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::doors::lichess) enum Form {
    /// PGN.
    Pgn,
    /// JSON.
    Json,
}

impl Form {
    /// What a client accepts: JSON only if it says so first, PGN for whatever else it
    /// says.
    pub(in crate::doors::lichess) fn of(headers: &HeaderMap) -> Form {
        let accept = headers.get(header::ACCEPT);
        let accept = accept.and_then(|accept| accept.to_str().ok());
        let accept = accept.unwrap_or_default().trim();
        match accept.starts_with("application/json") || accept == "application/x-ndjson" {
            true => Form::Json,
            false => Form::Pgn,
        }
    }
}

/// What of a game is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::doors::lichess) struct Flags {
    pub(super) moves: bool,
    pub(super) tags: bool,
    pub(super) clocks: bool,
    pub(super) evals: bool,
    pub(super) opening: bool,
    pub(super) pgn_in_json: bool,
    pub(super) last_fen: bool,
}

impl Flags {
    /// Of one game everything there is, unless it is asked for otherwise.
    pub(in crate::doors::lichess) fn of_one(asked: &Fields) -> Flags {
        Flags::new(asked, true)
    }

    /// Of many as little as will do.
    pub(in crate::doors::lichess) fn of_many(asked: &Fields) -> Flags {
        Flags::new(asked, false)
    }

    fn new(asked: &Fields, usual: bool) -> Flags {
        Flags {
            moves: asked.flag_or("moves", true),
            tags: asked.flag_or("tags", true),
            clocks: asked.flag_or("clocks", usual),
            evals: asked.flag_or("evals", usual),
            opening: asked.flag_or("opening", usual),
            pgn_in_json: asked.flag("pgnInJson"),
            last_fen: asked.flag("lastFen"),
        }
    }
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderValue;

    use super::*;

    #[test]
    fn s11_only_who_asks_for_json_gets_it() {
        let form = |accept: &'static str| {
            let mut headers = HeaderMap::new();
            headers.insert(header::ACCEPT, HeaderValue::from_static(accept));
            Form::of(&headers)
        };
        for json in [
            "application/json",
            "application/json, text/plain",
            "application/x-ndjson",
        ] {
            assert_eq!(form(json), Form::Json, "{json}");
        }
        for pgn in [
            "*/*",
            "",
            "application/x-chess-pgn",
            "text/plain",
            "application/x-ndjson, */*",
            "text/html, application/json",
        ] {
            assert_eq!(form(pgn), Form::Pgn, "{pgn}");
        }
        assert_eq!(Form::of(&HeaderMap::new()), Form::Pgn);
    }
}
