//! Errors as this door's clients expect them: `{"error", "message"}`.

use axum::Json;
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use utoipa::ToSchema;

use crate::problem::{Kind, Problem};

/// An error on its way out.
#[derive(Debug)]
pub(super) struct Error(Problem);

/// An error.
#[derive(Serialize, ToSchema)]
#[schema(as = LiveError)]
pub(super) struct ErrorView {
    /// A stable code for programs.
    #[schema(example = "illegal_move")]
    error: &'static str,
    /// A sentence for people.
    #[schema(example = "Move e2e5 is not legal from current position.")]
    message: String,
}

impl Error {
    /// What became of a move that was written like this. One that is not legal is a bad
    /// request here.
    pub(super) fn of_move(problem: Problem, text: &str) -> Error {
        if problem.code != "illegal_move" {
            return Error(problem);
        }
        let detail = format!("Move {text} is not legal from current position.");
        Error(Problem {
            kind: Kind::Malformed,
            detail,
            ..problem
        })
    }
}

impl<P: Into<Problem>> From<P> for Error {
    fn from(problem: P) -> Error {
        Error(problem.into())
    }
}

impl IntoResponse for Error {
    fn into_response(self) -> Response {
        let Error(problem) = self;
        let view = ErrorView {
            error: problem.code,
            message: problem.detail.clone(),
        };
        problem.answer(Json(view))
    }
}
