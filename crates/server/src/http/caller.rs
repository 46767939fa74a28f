//! Who makes a request, by the token it carries.

use axum::extract::{FromRequestParts, OptionalFromRequestParts, Query};
use axum::http::request::Parts;
use axum::http::{Method, header};
use serde::Deserialize;

use crate::admin::Operator;
use crate::auth::Caller;
use crate::play::App;
use crate::problem::Problem;

/// Someone who may be anonymous, on routes that are open to reading.
#[derive(Clone, Debug)]
pub struct MaybeCaller(pub Option<Caller>);

impl FromRequestParts<App> for Caller {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Caller, Problem> {
        whoever(parts, app).await?.ok_or_else(no_token)
    }
}

/// For routes that need no token whatever the settings: no token is fine, a
/// bad one is not.
impl OptionalFromRequestParts<App> for Caller {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Option<Caller>, Problem> {
        whoever(parts, app).await
    }
}

impl FromRequestParts<App> for MaybeCaller {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<MaybeCaller, Problem> {
        let caller = whoever(parts, app).await?;
        if caller.is_none() && !app.settings.anonymous_reads {
            return Err(no_token());
        }
        Ok(MaybeCaller(caller))
    }
}

impl FromRequestParts<App> for Operator {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Operator, Problem> {
        let caller = whoever(parts, app).await?;
        Operator::new(app, caller.ok_or_else(no_token)?)
    }
}

async fn whoever(parts: &Parts, app: &App) -> Result<Option<Caller>, Problem> {
    match bearer(parts)? {
        Some(token) => {
            let caller = by_token(app, &token, is_reading(&parts.method)).await?;
            Ok(Some(caller))
        }
        None => Ok(None),
    }
}

/// Whoever has this token, to read or to change something.
///
/// # Errors
/// `unauthorized`, `barred`; `missing_scope` if it may only read.
pub(crate) async fn by_token(app: &App, token: &str, is_reading: bool) -> Result<Caller, Problem> {
    let caller = app.auth.authenticate(token).await?;
    if is_reading {
        return Ok(caller);
    }
    let caller = caller.may_change()?;
    app.auth.confirm(&caller).await?;
    Ok(caller)
}

/// What is said to whoever needs a token and brought none.
pub(crate) fn no_token() -> Problem {
    Problem::unauthorized("this needs a token: Authorization: Bearer <token>")
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
pub(crate) fn bearer(parts: &Parts) -> Result<Option<String>, Problem> {
    let unreadable = || Problem::unauthorized("the token could not be read");
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
                (error.status().as_u16(), error.code),
                (401, "unauthorized"),
                "{bad}"
            );
        }
        assert!(bearer(&parts("GET", "/", &["Bearer a", "Bearer b"])).is_err());
        assert!(bearer(&parts("GET", "/?token=a&token=b", &[])).is_err());
    }
}
