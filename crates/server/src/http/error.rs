//! Problems as HTTP tells them: the one place where they get a status.

use axum::Json;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde_json::{Value, json};

use crate::problem::{Kind, Problem};

/// The stable code of an answer that is an error, for whoever measures and
/// logs answers: one of the response's extensions.
#[derive(Clone, Debug)]
pub struct ErrorNote {
    /// The code.
    pub code: &'static str,
    /// What is behind it, if the log must say more.
    pub cause: Option<String>,
}

impl Problem {
    /// Its status.
    pub fn status(&self) -> StatusCode {
        match self.kind {
            Kind::Malformed => StatusCode::BAD_REQUEST,
            Kind::Unidentified => StatusCode::UNAUTHORIZED,
            Kind::Forbidden => StatusCode::FORBIDDEN,
            Kind::Missing => StatusCode::NOT_FOUND,
            Kind::WrongMethod => StatusCode::METHOD_NOT_ALLOWED,
            Kind::Conflict => StatusCode::CONFLICT,
            Kind::Gone => StatusCode::GONE,
            Kind::Stale => StatusCode::PRECONDITION_FAILED,
            Kind::TooLarge => StatusCode::PAYLOAD_TOO_LARGE,
            Kind::Impossible => StatusCode::UNPROCESSABLE_ENTITY,
            Kind::WrongProtocol => StatusCode::UPGRADE_REQUIRED,
            Kind::TooMuch => StatusCode::TOO_MANY_REQUESTS,
            Kind::Broken => StatusCode::INTERNAL_SERVER_ERROR,
            Kind::Unavailable => StatusCode::SERVICE_UNAVAILABLE,
        }
    }

    /// The answer of a door that writes its errors like this.
    pub(crate) fn answer(self, body: impl IntoResponse) -> Response {
        let mut response = (self.status(), body).into_response();
        if let Some(seconds) = self.retry_after {
            let seconds = HeaderValue::from(seconds);
            response.headers_mut().insert(header::RETRY_AFTER, seconds);
        }
        if self.kind == Kind::Unidentified {
            let scheme = HeaderValue::from_static("Bearer");
            let headers = response.headers_mut();
            headers.insert(header::WWW_AUTHENTICATE, scheme);
        }
        response.extensions_mut().insert(ErrorNote {
            code: self.code,
            cause: self.cause,
        });
        response
    }
}

/// `{"error": "<stable code>", "detail": "<sentence>", ...}`.
impl IntoResponse for Problem {
    fn into_response(mut self) -> Response {
        let mut body = json!({ "error": self.code, "detail": self.detail });
        if let Value::Object(fields) = &mut body {
            fields.extend(std::mem::take(&mut self.context));
        }
        self.answer(Json(body))
    }
}
