//! The one who makes a request.

use std::sync::Arc;

use axum::extract::{FromRequestParts, OptionalFromRequestParts, Query};
use axum::http::request::Parts;
use axum::http::{Method, StatusCode, header};
use chess::Timestamp;
use chess::table::{Actor, PlayerId};
use serde::Deserialize;

use super::{Person, Scope, Scopes};
use crate::app::App;
use crate::http::ApiError;

/// Someone with a good token.
#[derive(Clone, Debug)]
pub struct Caller {
    /// Who they are.
    pub person: Arc<Person>,
    /// What the token allows.
    pub scopes: Scopes,
    /// The token's hash; `None` for one of an outside identity service.
    pub token: Option<[u8; 32]>,
    /// Whether they signed in for it, here or at an outside identity service;
    /// else they made it, for a program.
    pub is_session: bool,
    /// When the token ends by itself.
    pub expires_at: Option<Timestamp>,
}

impl Caller {
    /// Insists on a scope.
    ///
    /// # Errors
    /// 403 `missing_scope` if the token lacks it.
    pub fn require(&self, scope: Scope) -> Result<(), ApiError> {
        self.require_all(Scopes::of(&[scope]))
    }

    /// Insists on all of these.
    ///
    /// # Errors
    /// 403 `missing_scope` for the first that the token lacks.
    pub fn require_all(&self, scopes: Scopes) -> Result<(), ApiError> {
        match self.scopes.missing(scopes) {
            Some(scope) => Err(ApiError::missing_scope(scope.name())),
            None => Ok(()),
        }
    }

    /// Insists on one of these.
    ///
    /// # Errors
    /// 403 `missing_scope`, naming the first, if the token lacks them all.
    pub fn require_any(&self, scopes: &[Scope]) -> Result<(), ApiError> {
        if scopes.iter().any(|scope| self.scopes.contains(*scope)) {
            return Ok(());
        }
        match scopes.first() {
            Some(first) => self.require(*first),
            None => Ok(()),
        }
    }

    /// Insists on a session.
    ///
    /// # Errors
    /// 403 `session_required` for a personal token.
    pub fn require_session(&self) -> Result<(), ApiError> {
        if self.is_session {
            return Ok(());
        }
        let detail = "this needs a session: sign in; a personal token is not enough";
        let status = StatusCode::FORBIDDEN;
        Err(ApiError::new(status, "session_required", detail))
    }

    /// The one who acts on a game.
    pub fn actor(&self) -> Actor {
        Actor::Player(self.number())
    }

    /// The account's number.
    pub fn number(&self) -> PlayerId {
        self.person.number
    }

    /// A token that only reads is refused whatever is not reading.
    fn may_use(self, method: &Method) -> Result<Caller, ApiError> {
        if self.scopes.is_read_only() && !is_reading(method) {
            let detail = "a token of scope read may only read";
            return Err(ApiError::new(
                StatusCode::FORBIDDEN,
                "missing_scope",
                detail,
            ));
        }
        Ok(self)
    }
}

/// Someone who may be anonymous, on routes that are open to reading.
#[derive(Clone, Debug)]
pub struct MaybeCaller(pub Option<Caller>);

impl FromRequestParts<App> for Caller {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Caller, ApiError> {
        whoever(parts, app).await?.ok_or_else(no_token)
    }
}

/// For routes that need no token whatever the settings: no token is fine, a
/// bad one is not.
impl OptionalFromRequestParts<App> for Caller {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Option<Caller>, ApiError> {
        whoever(parts, app).await
    }
}

impl FromRequestParts<App> for MaybeCaller {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<MaybeCaller, ApiError> {
        let caller = whoever(parts, app).await?;
        if caller.is_none() && !app.settings.anonymous_reads {
            return Err(no_token());
        }
        Ok(MaybeCaller(caller))
    }
}

async fn whoever(parts: &Parts, app: &App) -> Result<Option<Caller>, ApiError> {
    match bearer(parts)? {
        Some(token) => app
            .auth
            .authenticate(&token)
            .await?
            .may_use(&parts.method)
            .map(Some),
        None => Ok(None),
    }
}

fn no_token() -> ApiError {
    ApiError::unauthorized("this needs a token: Authorization: Bearer <token>")
}

fn is_reading(method: &Method) -> bool {
    *method == Method::GET || *method == Method::HEAD
}

#[derive(Deserialize)]
struct InQuery {
    token: Option<String>,
}

/// The token of a request: from the header, or, where a browser's stream
/// cannot set one, from the query.
fn bearer(parts: &Parts) -> Result<Option<String>, ApiError> {
    let unreadable = || ApiError::unauthorized("the token could not be read");
    let mut headers = parts.headers.get_all(header::AUTHORIZATION).into_iter();
    if let Some(value) = headers.next() {
        let text = value.to_str().map_err(|_| unreadable())?;
        let (scheme, token) = text.split_once(' ').ok_or_else(unreadable)?;
        let is_bearer = scheme.eq_ignore_ascii_case("bearer");
        let is_only_one = headers.next().is_none();
        return match token.trim() {
            token if is_bearer && is_only_one && !token.is_empty() => Ok(Some(token.to_owned())),
            _ => Err(unreadable()),
        };
    }
    if !is_reading(&parts.method) {
        return Ok(None);
    }
    let Query(query) = Query::<InQuery>::try_from_uri(&parts.uri).map_err(|_| unreadable())?;
    Ok(query.token)
}

#[cfg(test)]
mod tests {
    use axum::http::Request;

    use super::*;

    fn parts(method: &str, uri: &str, headers: &[&str]) -> Parts {
        let request = Request::builder().method(method).uri(uri);
        let add = |r: axum::http::request::Builder, h: &&str| r.header("authorization", *h);
        headers
            .iter()
            .fold(request, add)
            .body(())
            .unwrap()
            .into_parts()
            .0
    }

    fn found(method: &str, uri: &str, headers: &[&str]) -> Option<String> {
        bearer(&parts(method, uri, headers)).unwrap()
    }

    #[test]
    fn a_token_is_found_in_the_header_or_in_the_query_of_a_read() {
        assert_eq!(found("POST", "/", &["Bearer abc"]).as_deref(), Some("abc"));
        assert_eq!(found("GET", "/", &["bearer  abc "]).as_deref(), Some("abc"));
        assert_eq!(
            found("GET", "/?since=1&token=a.b-c_d", &[]).as_deref(),
            Some("a.b-c_d")
        );
        assert_eq!(
            found("GET", "/?token=q", &["Bearer abc"]).as_deref(),
            Some("abc")
        );
        assert_eq!(found("GET", "/?a=1&a=2", &[]), None);
        assert_eq!(found("POST", "/?token=abc", &[]), None);
    }

    #[test]
    fn a_header_that_is_no_token_is_a_bad_token() {
        for bad in ["", "Bearer", "Bearer ", "Basic abc", "abc", "Bearer\tabc"] {
            let error = bearer(&parts("GET", "/", &[bad])).unwrap_err();
            assert_eq!(
                (error.status.as_u16(), error.code),
                (401, "unauthorized"),
                "{bad}"
            );
        }
        assert!(bearer(&parts("GET", "/", &["Bearer a", "Bearer b"])).is_err());
        assert!(bearer(&parts("GET", "/?token=a&token=b", &[])).is_err());
    }

    fn caller(scopes: &[Scope]) -> Caller {
        Caller {
            person: Arc::new(Person::ann(7)),
            scopes: Scopes::of(scopes),
            token: None,
            is_session: true,
            expires_at: None,
        }
    }

    #[test]
    fn a_scope_that_is_missing_is_named() {
        let player = caller(&[Scope::Play]);
        assert!(player.require(Scope::Play).is_ok());
        assert!(player.require(Scope::Read).is_ok());
        let error = player.require(Scope::Admin).unwrap_err();
        assert_eq!((error.status.as_u16(), error.code), (403, "missing_scope"));
        assert_eq!(error.context["scope"], "admin");
    }

    #[test]
    fn a_token_of_scope_read_reads_and_nothing_else() {
        let reader = || caller(&[Scope::Read]);
        assert!(reader().may_use(&Method::GET).is_ok());
        assert!(reader().may_use(&Method::HEAD).is_ok());
        for method in [
            Method::POST,
            Method::PUT,
            Method::PATCH,
            Method::DELETE,
            Method::OPTIONS,
        ] {
            let error = reader().may_use(&method).unwrap_err();
            assert_eq!(
                (error.status.as_u16(), error.code),
                (403, "missing_scope"),
                "{method}"
            );
        }
        assert!(caller(&[Scope::Challenge]).may_use(&Method::POST).is_ok());
    }
}
