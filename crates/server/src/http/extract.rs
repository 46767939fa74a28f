//! Reading requests, with errors in our own shape.

use axum::extract::{FromRequest, FromRequestParts, Request};
use axum::http::request::Parts;
use http_body_util::{BodyExt, LengthLimitError, Limited};
use serde::de::DeserializeOwned;

use super::ApiError;
use crate::app::App;

/// A JSON body. No body at all reads as `{}`, because commands need none.
pub struct Body<V>(pub V);

/// A part of the path.
pub struct Path<V>(pub V);

/// The query string.
pub struct Query<V>(pub V);

impl<V: DeserializeOwned> FromRequest<App> for Body<V> {
    type Rejection = ApiError;

    async fn from_request(request: Request, app: &App) -> Result<Body<V>, ApiError> {
        let bytes_max = app.settings.body_bytes;
        let body = Limited::new(request.into_body(), bytes_max).collect().await;
        // A stop did not wait for this body, so nothing may be begun with it.
        if app.games.live().is_closing() {
            return Err(ApiError::unavailable());
        }
        let bytes = body.map_err(|error| match error.is::<LengthLimitError>() {
            true => ApiError::too_large(bytes_max),
            false => ApiError::bad_request("the request body could not be read"),
        })?;
        let bytes = bytes.to_bytes();
        let text: &[u8] = if bytes.trim_ascii().is_empty() {
            b"{}"
        } else {
            &bytes
        };
        if let Ok(value) = serde_json::from_slice(text) {
            return Ok(Body(value));
        }
        // Only whoever made a mistake pays for being told where it is.
        let reader = &mut serde_json::Deserializer::from_slice(text);
        match serde_path_to_error::deserialize(&mut *reader) {
            Ok(value) => match reader.end() {
                Ok(()) => Ok(Body(value)),
                Err(error) => Err(ApiError::bad_request(error.to_string())),
            },
            Err(error) => {
                let field = error.path().to_string();
                let error = error.into_inner();
                let place = if field == "." {
                    String::new()
                } else {
                    format!("{field}: ")
                };
                let failed = ApiError::bad_request(format!("{place}{error}"));
                Err(if field == "." {
                    failed
                } else {
                    failed.with("field", field)
                })
            }
        }
    }
}

impl<V: DeserializeOwned + Send, S: Send + Sync> FromRequestParts<S> for Path<V> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Path<V>, ApiError> {
        axum::extract::Path::from_request_parts(parts, state)
            .await
            .map(|axum::extract::Path(value)| Path(value))
            .map_err(|e| ApiError::not_found(e.body_text()))
    }
}

impl<V: DeserializeOwned, S: Send + Sync> FromRequestParts<S> for Query<V> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Query<V>, ApiError> {
        axum::extract::Query::from_request_parts(parts, state)
            .await
            .map(|axum::extract::Query(value)| Query(value))
            .map_err(|e| ApiError::bad_request(e.body_text()))
    }
}
