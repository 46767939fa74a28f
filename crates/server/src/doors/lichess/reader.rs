//! Whoever looks, and from where: what the calls that only read have in common.

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use chess::table::PlayerId;
use store::TableId;

use super::caller::game_id;
use super::error::Error;
use crate::auth::Caller;
use crate::http::caller::{bearer, by_token, no_token};
use crate::play::App;

/// Whoever looks, with a token or without: also by `POST`, by which lists of ids are
/// sent, and which changes nothing.
pub(super) struct Reader(pub(super) Option<Caller>);

impl Reader {
    /// Who they are, if that is known.
    pub(super) fn number(&self) -> Option<PlayerId> {
        self.0.as_ref().map(Caller::number)
    }
}

impl FromRequestParts<App> for Reader {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Reader, Error> {
        match bearer(parts)? {
            Some(token) => Ok(Reader(Some(by_token(app, &token, true).await?))),
            None if app.settings.anonymous_reads => Ok(Reader(None)),
            None => Err(no_token().into()),
        }
    }
}

/// What a request that names many asks the store for at the same time.
pub(super) const AT_ONCE: usize = 16;

/// Ids with commas between them, at most so many, each once; what is no id is left out.
pub(super) fn game_ids(text: &str, max: usize) -> Result<Vec<TableId>, Error> {
    let mut ids: Vec<TableId> = Vec::new();
    for name in names(text, max)? {
        let id = game_id(&name).ok();
        ids.extend(id.filter(|id| !ids.contains(id)));
    }
    Ok(ids)
}

/// Names with commas between them, at most so many; a list in JSON reads the same.
pub(super) fn names(text: &str, max: usize) -> Result<Vec<String>, Error> {
    let around = |c: char| c.is_whitespace() || ['[', ']', '"'].contains(&c);
    let items = text
        .split([',', '\n'])
        .map(|item| item.trim_matches(around));
    let items: Vec<String> = items
        .filter(|item| !item.is_empty())
        .map(str::to_owned)
        .collect();
    match items.len() > max {
        true => Err(Error::refused(&format!("At most {max} at once"))),
        false => Ok(items),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn s1_ids_come_as_bare_text() {
        for text in ["ann,bob", " ann, bob\n", "ann\nbob", "[\"ann\", \"bob\"]"] {
            assert_eq!(names(text, 2).unwrap(), ["ann", "bob"], "{text}");
        }
        assert!(names("ann,bob,cleo", 2).is_err());
        assert_eq!(names("", 2).unwrap(), Vec::<String>::new());
        let ids = game_ids("aaaaaaaa,what,aaaaaaaabbbb,bbbbbbbb", 9).unwrap();
        let ids: Vec<String> = ids.iter().map(ToString::to_string).collect();
        assert_eq!(ids, ["aaaaaaaa", "bbbbbbbb"]);
    }
}
