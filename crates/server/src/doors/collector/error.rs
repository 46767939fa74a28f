//! Errors as this door's clients expect them: `{"code", "message"}`.

use axum::Json;
use axum::response::{IntoResponse, Response};
use chess::skill::Refusal;
use live::Failure;
use serde::Serialize;
use utoipa::ToSchema;

use crate::problem::{Kind, Problem};

/// Why there is no answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wrong {
    /// Nobody says who is asking, or not with a UUID.
    MissingGuest,
    /// A name has 1 to 24 characters.
    DisplayName,
    /// No code of a room looks like that.
    RoomCode,
    /// The body is not what it should be.
    Payload,
    /// The one who asks has no seat here.
    SeatOwnership,
    /// No room has that code.
    RoomNotFound,
    /// There is no such match.
    MatchNotFound,
    /// Both seats are taken.
    RoomFull,
}

impl Wrong {
    fn parts(self) -> (Kind, &'static str, &'static str) {
        let bad = Kind::Malformed;
        match self {
            Wrong::MissingGuest => (bad, "missingGuestId", "guestID must be a UUID"),
            Wrong::DisplayName => (
                bad,
                "invalidDisplayName",
                "displayName must have 1 to 24 characters",
            ),
            Wrong::RoomCode => (
                bad,
                "invalidRoomCode",
                "roomCode must have six letters or digits",
            ),
            Wrong::Payload => (bad, "invalidPayload", "the body must be a JSON object"),
            Wrong::SeatOwnership => (
                Kind::Forbidden,
                "seatOwnership",
                "this guest has no seat in this match",
            ),
            Wrong::RoomNotFound => (Kind::Missing, "roomNotFound", "no room has this code"),
            Wrong::MatchNotFound => (Kind::Missing, "matchNotFound", "there is no such match"),
            Wrong::RoomFull => (
                Kind::Conflict,
                "roomFull",
                "both seats of this room are taken",
            ),
        }
    }
}

/// An error on its way out.
#[derive(Debug)]
pub(super) struct Error(Problem);

/// An error.
#[derive(Serialize, ToSchema)]
pub(super) struct ErrorView {
    /// `roomNotFound`, `seatOwnership`, ...
    code: String,
    /// A sentence for a person.
    message: String,
}

impl From<Wrong> for Error {
    fn from(wrong: Wrong) -> Error {
        let (kind, code, message) = wrong.parts();
        Error(Problem::new(kind, code, message))
    }
}

impl From<Problem> for Error {
    fn from(error: Problem) -> Error {
        Error(error)
    }
}

impl From<store::Error> for Error {
    fn from(error: store::Error) -> Error {
        Error(error.into())
    }
}

impl From<Failure> for Error {
    fn from(failure: Failure) -> Error {
        match failure {
            Failure::NotFound => Wrong::MatchNotFound.into(),
            failure => Error(failure.into()),
        }
    }
}

impl From<Refusal> for Error {
    /// What joining can be refused with.
    fn from(why: Refusal) -> Error {
        match why {
            Refusal::RoomFull => Wrong::RoomFull.into(),
            Refusal::RoomNotFound => Wrong::RoomNotFound.into(),
            _ => Wrong::SeatOwnership.into(),
        }
    }
}

impl IntoResponse for Error {
    fn into_response(self) -> Response {
        let Error(error) = self;
        let view = ErrorView {
            code: camel(error.code),
            message: error.detail.clone(),
        };
        error.answer(Json(view))
    }
}

/// `rate_limited` is `rateLimited` here.
fn camel(code: &str) -> String {
    let mut text = String::with_capacity(code.len());
    for (index, word) in code.split('_').enumerate() {
        let (first, rest) = word.split_at(word.len().min(1));
        if index == 0 {
            text.push_str(first);
        } else {
            text.push_str(&first.to_ascii_uppercase());
        }
        text.push_str(rest);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_written_as_this_door_writes_them() {
        assert_eq!(camel("rate_limited"), "rateLimited");
        assert_eq!(camel("too_many_streams"), "tooManyStreams");
        assert_eq!(camel("roomNotFound"), "roomNotFound");
        assert_eq!(camel("unavailable"), "unavailable");
    }
}
