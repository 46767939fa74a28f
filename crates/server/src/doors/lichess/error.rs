//! Errors as this door's clients expect them: `{"error": "<sentence>"}`, for forms
//! `{"error": {"<field>": ["<sentence>"]}}`. Always JSON, whatever happened.

use axum::Json;
use axum::response::{IntoResponse, Response};
use live::Failure;
use serde_json::{Value, json};

use crate::problem::{Kind, Problem};

/// An error on its way out.
#[derive(Debug)]
pub(super) struct Error {
    problem: Problem,
    /// What is wrong with a form.
    field: Option<Box<str>>,
}

impl Error {
    /// A field of a form is wrong.
    pub(super) fn form(field: &str, why: &str) -> Error {
        Error {
            problem: Problem::bad_request(why),
            field: Some(field.into()),
        }
    }

    /// It cannot be done: 400, as this door says of whatever its state forbids.
    pub(super) fn refused(why: &str) -> Error {
        Problem::bad_request(why).into()
    }

    /// There is no such thing.
    pub(super) fn not_found(what: &str) -> Error {
        Problem::not_found(what).into()
    }

    /// The token's owner may not.
    pub(super) fn forbidden(why: &str) -> Error {
        Problem::new(Kind::Forbidden, "not_allowed", why).into()
    }
}

impl From<Problem> for Error {
    fn from(problem: Problem) -> Error {
        Error {
            problem,
            field: None,
        }
    }
}

impl From<store::Error> for Error {
    fn from(error: store::Error) -> Error {
        Problem::from(error).into()
    }
}

impl From<Failure> for Error {
    fn from(failure: Failure) -> Error {
        Problem::from(failure).into()
    }
}

/// The sentence by which clients know some errors; ours otherwise.
fn sentence(problem: &Problem) -> String {
    match problem.code {
        "game_not_found" => "No such game".into(),
        "not_a_player" => "Not your game".into(),
        "unauthorized" => "No such token".into(),
        "missing_scope" => match problem.context.get("scope").and_then(Value::as_str) {
            Some(scope) => format!("Missing scope: {scope}"),
            None => "Missing scope".into(),
        },
        "wrong_turn" => "Not your turn, or game already over".into(),
        _ => problem.detail.clone(),
    }
}

/// What the state of a game forbids is 400 here; somebody else's game is not found.
fn kind(problem: &Problem) -> Kind {
    match problem.kind {
        Kind::Conflict | Kind::Impossible => Kind::Malformed,
        Kind::Forbidden if problem.code == "not_a_player" => Kind::Missing,
        kind => kind,
    }
}

impl IntoResponse for Error {
    fn into_response(self) -> Response {
        let Error { mut problem, field } = self;
        let text = sentence(&problem);
        problem.kind = kind(&problem);
        let body = match field {
            Some(field) => json!({ "error": { field: [text] } }),
            None => match (problem.kind, problem.retry_after) {
                (Kind::TooMuch, Some(seconds)) => json!({
                    "error": text,
                    "ratelimit": { "key": problem.code, "seconds": seconds },
                }),
                _ => json!({ "error": text }),
            },
        };
        problem.answer(Json(body))
    }
}
