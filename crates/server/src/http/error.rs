//! Errors as clients see them: one shape, stable codes.

use axum::Json;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use chess::game::Refusal;
use live::Failure;
use serde_json::{Map, Value, json};

/// `{"error": "<stable code>", "detail": "<sentence>", ...}` with its status.
#[derive(Clone, Debug)]
pub struct ApiError {
    /// The HTTP status.
    pub status: StatusCode,
    /// The stable code.
    pub code: &'static str,
    /// A sentence for a person.
    pub detail: String,
    /// What a client needs to recover.
    pub context: Map<String, Value>,
    /// When to try again.
    pub retry_after: Option<u32>,
    /// What is behind it: for the log, never for the client.
    pub cause: Option<String>,
}

/// The stable code of an answer that is an error, for whoever measures and
/// logs answers: one of the response's extensions.
#[derive(Clone, Debug)]
pub struct ErrorNote {
    /// The code.
    pub code: &'static str,
    /// What is behind it, if the log must say more.
    pub cause: Option<String>,
}

impl ApiError {
    /// An error without further context.
    pub fn new(status: StatusCode, code: &'static str, detail: impl Into<String>) -> ApiError {
        ApiError {
            status,
            code,
            detail: detail.into(),
            context: Map::new(),
            retry_after: None,
            cause: None,
        }
    }

    /// The same with one more field.
    #[must_use]
    pub fn with(mut self, field: &str, value: impl Into<Value>) -> ApiError {
        self.context.insert(field.to_owned(), value.into());
        self
    }

    /// The same with a time after which to try again.
    #[must_use]
    pub fn after(mut self, seconds: u32) -> ApiError {
        self.retry_after = Some(seconds);
        self.with("retry_after_seconds", seconds)
    }

    /// 400: the request cannot be understood; names the field.
    pub fn bad_request(detail: impl Into<String>) -> ApiError {
        ApiError::new(StatusCode::BAD_REQUEST, "bad_request", detail)
    }

    /// 401: nobody knows who is calling.
    pub fn unauthorized(detail: impl Into<String>) -> ApiError {
        ApiError::new(StatusCode::UNAUTHORIZED, "unauthorized", detail)
    }

    /// 403: the token may not do this.
    pub fn missing_scope(scope: &str) -> ApiError {
        let detail = format!("this needs a token of scope {scope}");
        ApiError::new(StatusCode::FORBIDDEN, "missing_scope", detail).with("scope", scope)
    }

    /// 404: there is no such thing, or none the caller may see.
    pub fn not_found(detail: impl Into<String>) -> ApiError {
        ApiError::new(StatusCode::NOT_FOUND, "not_found", detail)
    }

    /// 404 for games.
    pub fn game_not_found() -> ApiError {
        ApiError::new(
            StatusCode::NOT_FOUND,
            "game_not_found",
            "there is no such game",
        )
    }

    /// 413: more than anybody may send.
    pub fn too_large(bytes_max: usize) -> ApiError {
        let detail = format!("a request body has at most {bytes_max} bytes");
        ApiError::new(StatusCode::PAYLOAD_TOO_LARGE, "too_large", detail)
    }

    /// 429: too much at once.
    pub fn rate_limited(seconds: u32) -> ApiError {
        let detail = format!("too many requests: try again in {seconds} s");
        ApiError::new(StatusCode::TOO_MANY_REQUESTS, "rate_limited", detail).after(seconds)
    }

    /// 429: too many streams are open.
    pub fn too_many_streams(whose: &str, max: usize) -> ApiError {
        let detail = format!("this {whose} has {max} streams open, which is the limit: close one");
        ApiError::new(StatusCode::TOO_MANY_REQUESTS, "too_many_streams", detail).after(5)
    }

    /// 503: not now.
    pub fn unavailable() -> ApiError {
        let detail = "the server cannot do this right now";
        ApiError::new(StatusCode::SERVICE_UNAVAILABLE, "unavailable", detail).after(1)
    }
}

impl From<Failure> for ApiError {
    fn from(failure: Failure) -> ApiError {
        match failure {
            Failure::NotFound => ApiError::game_not_found(),
            Failure::Busy | Failure::Taken | Failure::Unavailable(_) | Failure::Corrupt(_) => {
                ApiError::unavailable()
            }
        }
    }
}

impl From<store::Error> for ApiError {
    fn from(error: store::Error) -> ApiError {
        tracing::error!(%error, "the store failed");
        ApiError {
            cause: Some(error.to_string()),
            ..ApiError::unavailable()
        }
    }
}

impl From<Refusal> for ApiError {
    fn from(refusal: Refusal) -> ApiError {
        let status = match &refusal {
            Refusal::NotAPlayer | Refusal::NotInvited => StatusCode::FORBIDDEN,
            Refusal::BadMove(_) => StatusCode::BAD_REQUEST,
            Refusal::IllegalMove(_) | Refusal::UnclearMove(_) => StatusCode::UNPROCESSABLE_ENTITY,
            Refusal::StalePly { .. }
            | Refusal::GameNotActive { .. }
            | Refusal::WrongTurn { .. }
            | Refusal::PlyAhead { .. }
            | Refusal::ClockExpired
            | Refusal::GameNotWaiting { .. }
            | Refusal::OwnGame
            | Refusal::TooLateToAbort
            | Refusal::NothingToClaim(_)
            | Refusal::NotYet { .. }
            | Refusal::NoOffer
            | Refusal::OfferPending
            | Refusal::TooSoon(_)
            | Refusal::NotAllowed(_) => StatusCode::CONFLICT,
        };
        let error = ApiError::new(status, refusal.code(), refusal.detail());
        match refusal {
            Refusal::StalePly {
                current_ply,
                to_move,
            }
            | Refusal::WrongTurn {
                current_ply,
                to_move,
            } => error
                .with("current_ply", current_ply)
                .with("to_move", to_move.fold_wb("white", "black")),
            Refusal::PlyAhead { current_ply } => error.with("current_ply", current_ply),
            Refusal::GameNotActive { state } | Refusal::GameNotWaiting { state } => {
                error.with("game_state", state)
            }
            Refusal::NotYet {
                retry_after_seconds,
            } => error.after(retry_after_seconds),
            _ => error,
        }
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        let mut body = json!({ "error": self.code, "detail": self.detail });
        if let Value::Object(fields) = &mut body {
            fields.extend(self.context);
        }
        let mut response = (self.status, Json(body)).into_response();
        response.extensions_mut().insert(ErrorNote {
            code: self.code,
            cause: self.cause,
        });
        if let Some(seconds) = self.retry_after {
            response
                .headers_mut()
                .insert(header::RETRY_AFTER, HeaderValue::from(seconds));
        }
        if self.status == StatusCode::UNAUTHORIZED {
            let scheme = HeaderValue::from_static("Bearer");
            response
                .headers_mut()
                .insert(header::WWW_AUTHENTICATE, scheme);
        }
        response
    }
}
