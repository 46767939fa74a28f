//! `Idempotency-Key`: the same key by the same account answers as the first time.

use axum::http::HeaderMap;
use utoipa::IntoParams;
use utoipa::openapi::path::{Parameter, ParameterBuilder, ParameterIn};
use utoipa::openapi::schema::{ObjectBuilder, SchemaType, Type};

use crate::play::keys::Key;
use crate::problem::Problem;

const HEADER: &str = "idempotency-key";
const LENGTH_MAX: usize = 64;

/// The header, as the description of a call that honours it names it.
pub(crate) struct IdempotencyKey;

impl IntoParams for IdempotencyKey {
    fn into_params(_: impl Fn() -> Option<ParameterIn>) -> Vec<Parameter> {
        let schema = ObjectBuilder::new()
            .schema_type(SchemaType::Type(Type::String))
            .min_length(Some(1))
            .max_length(Some(LENGTH_MAX));
        let header = ParameterBuilder::new()
            .name("Idempotency-Key")
            .parameter_in(ParameterIn::Header)
            .description(Some(
                "The same key by the same account within 24 hours gets the first answer again; \
                 with another request 409 `idempotency_mismatch`.",
            ))
            .schema(Some(schema.build()));
        vec![header.build()]
    }
}

/// Whether a request has a key.
pub(crate) fn is_keyed(headers: &HeaderMap) -> bool {
    headers.contains_key(HEADER)
}

/// The request's key, if it has one. `what` is all that makes two requests
/// the same: method, path, body.
pub(crate) fn key(headers: &HeaderMap, what: &[&str]) -> Result<Option<Key>, Problem> {
    let Some(key) = headers.get(HEADER) else {
        return Ok(None);
    };
    let key = key.to_str().unwrap_or_default();
    checked(key, what, "Idempotency-Key").map(Some)
}

/// A key that came in that field.
pub(crate) fn checked(key: &str, what: &[&str], field: &str) -> Result<Key, Problem> {
    if key.is_empty() || key.len() > LENGTH_MAX {
        let detail = format!("{field} has 1 to {LENGTH_MAX} visible characters");
        return Err(Problem::bad_request(detail).with("field", field));
    }
    Ok(Key::new(key, what))
}
