//! Reading requests, with errors in our own shape.

use axum::body::{Bytes, HttpBody};
use axum::extract::{FromRequest, FromRequestParts, Request};
use axum::http::request::Parts;
use http_body_util::{BodyExt, LengthLimitError, Limited};
use serde::de::{DeserializeOwned, IgnoredAny};

use crate::play::App;
use crate::problem::Problem;

/// A JSON body. No body at all reads as `{}`, because commands need none.
pub struct Body<V>(pub V);

/// A body of any JSON, for doors that look into it themselves.
pub struct AnyJson(pub serde_json::Value);

/// A part of the path.
pub struct Path<V>(pub V);

/// The query string.
pub struct Query<V>(pub V);

impl<V: DeserializeOwned> FromRequest<App> for Body<V> {
    type Rejection = Problem;

    async fn from_request(request: Request, app: &App) -> Result<Body<V>, Problem> {
        let bytes = receive(request, app).await?;
        let text: &[u8] = match bytes.trim_ascii() {
            b"" | b"null" => b"{}",
            text => text,
        };
        // A list would be taken for the fields in the order of their declaration.
        if !text.starts_with(b"{") && serde_json::from_slice::<IgnoredAny>(text).is_ok() {
            return Err(Problem::bad_request("the body must be a JSON object"));
        }
        if let Ok(value) = serde_json::from_slice(text) {
            return Ok(Body(value));
        }
        // Only whoever made a mistake pays for being told where it is.
        let reader = &mut serde_json::Deserializer::from_slice(text);
        match serde_path_to_error::deserialize(&mut *reader) {
            Ok(value) => match reader.end() {
                Ok(()) => Ok(Body(value)),
                Err(error) => Err(Problem::bad_request(error.to_string())),
            },
            Err(error) => Err(unreadable(&error)),
        }
    }
}

impl FromRequest<App> for AnyJson {
    type Rejection = Problem;

    async fn from_request(request: Request, app: &App) -> Result<AnyJson, Problem> {
        let bytes = receive(request, app).await?;
        let value = serde_json::from_slice(&bytes);
        value
            .map(AnyJson)
            .map_err(|error| Problem::bad_request(error.to_string()))
    }
}

pub(crate) async fn receive(request: Request, app: &App) -> Result<Bytes, Problem> {
    receive_up_to(app.settings.body_bytes, request, app).await
}

/// The same where more may be sent than usual.
pub(crate) async fn receive_up_to(
    bytes_max: usize,
    request: Request,
    app: &App,
) -> Result<Bytes, Problem> {
    let body = whole(request.into_body(), bytes_max).await;
    // A stop did not wait for this body, so nothing may be begun with it.
    if app.games.live().is_closing() {
        return Err(Problem::unavailable());
    }
    body
}

/// All of a body. Nearly always it comes in one piece, which is taken as it is.
async fn whole(mut body: axum::body::Body, bytes_max: usize) -> Result<Bytes, Problem> {
    let unread = || Problem::bad_request("the request body could not be read");
    let first = match body.frame().await {
        Some(frame) => frame.map_err(|_| unread())?.into_data(),
        None => return Ok(Bytes::new()),
    };
    let first = first.unwrap_or_default();
    let left = bytes_max.checked_sub(first.len());
    let left = left.ok_or_else(|| Problem::too_large(bytes_max))?;
    if body.is_end_stream() {
        return Ok(first);
    }
    let rest = Limited::new(body, left).collect().await;
    let rest = rest.map_err(|error| match error.is::<LengthLimitError>() {
        true => Problem::too_large(bytes_max),
        false => unread(),
    })?;
    Ok([first, rest.to_bytes()].concat().into())
}

/// 400 for JSON that is not what it should be; names the field.
pub(crate) fn unreadable(error: &serde_path_to_error::Error<serde_json::Error>) -> Problem {
    let why = without_types(&error.inner().to_string());
    match error.path().to_string().as_str() {
        "." => Problem::bad_request(why),
        field => Problem::bad_request(format!("{field}: {why}")).with("field", field),
    }
}

/// Says what was expected in words of JSON: how we call our types, and how
/// many bits a number has, is no client's business.
pub(crate) fn without_types(message: &str) -> String {
    let Some((before, expected)) = message.split_once("expected ") else {
        return message.to_owned();
    };
    let mut words = expected.splitn(3, ' ');
    let (first, second) = (words.next().unwrap_or_default(), words.next());
    let rest = |skipped: &[Option<&str>]| {
        let length: usize = skipped.iter().flatten().map(|word| word.len() + 1).sum();
        let rest = expected.get(length..).unwrap_or_default();
        // As in `struct Stage with 3 elements`, which is about lists.
        match rest.split_once(" element") {
            Some((_, rest)) => rest.trim_start_matches('s').trim().to_owned(),
            None => rest.to_owned(),
        }
    };
    let (plain, rest) = match first {
        "struct" => ("an object", rest(&[Some(first), second])),
        "enum" => ("a name", rest(&[Some(first), second])),
        "u8" | "u16" | "u32" | "u64" | "usize" | "i32" | "i64" => {
            ("a whole number in range", rest(&[Some(first)]))
        }
        "f64" => ("a number", rest(&[Some(first)])),
        _ => return message.to_owned(),
    };
    format!("{before}expected {plain} {rest}")
        .trim_end()
        .to_owned()
}

impl<V: DeserializeOwned + Send, S: Send + Sync> FromRequestParts<S> for Path<V> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Path<V>, Problem> {
        axum::extract::Path::from_request_parts(parts, state)
            .await
            .map(|axum::extract::Path(value)| Path(value))
            .map_err(|e| Problem::not_found(e.body_text()))
    }
}

impl<V: DeserializeOwned, S: Send + Sync> FromRequestParts<S> for Query<V> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Query<V>, Problem> {
        axum::extract::Query::from_request_parts(parts, state)
            .await
            .map(|axum::extract::Query(value)| Query(value))
            .map_err(|e| unreadable_query(&e.body_text()))
    }
}

/// The text is `...: field: why`, or has no field in it.
fn unreadable_query(text: &str) -> Problem {
    let text = text
        .split_once("query string: ")
        .map_or(text, |(_, why)| why);
    match text.split_once(": ") {
        Some((field, why)) if !field.contains(' ') => {
            let detail = format!("{field}: {}", without_types(why));
            Problem::bad_request(detail).with("field", field)
        }
        _ => Problem::bad_request(text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_expected_is_said_without_our_types() {
        for (theirs, ours) in [
            (
                "invalid type: integer `5`, expected struct IllegalMoves at line 1 column 2",
                "invalid type: integer `5`, expected an object at line 1 column 2",
            ),
            (
                "invalid length 0, expected struct Whom with 2 elements at line 1 column 2",
                "invalid length 0, expected an object at line 1 column 2",
            ),
            (
                "invalid value: integer `-5`, expected u32",
                "invalid value: integer `-5`, expected a whole number in range",
            ),
            ("missing field `name`", "missing field `name`"),
            (
                "unknown variant `green`, expected `white` or `black`",
                "unknown variant `green`, expected `white` or `black`",
            ),
        ] {
            assert_eq!(without_types(theirs), ours);
        }
    }
}
