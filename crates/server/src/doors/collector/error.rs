//! Errors as this door's clients expect them: `{"code", "message"}`.

use axum::Json;
use axum::response::{IntoResponse, Response};
use live::Failure;
use serde::Serialize;
use utoipa::ToSchema;

use crate::play::matches;
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
    /// There is no such match.
    MatchNotFound,
}

impl From<Wrong> for Problem {
    fn from(wrong: Wrong) -> Problem {
        let (code, message) = match wrong {
            Wrong::MissingGuest => ("missing_guest_id", "guestID must be a UUID"),
            Wrong::DisplayName => {
                let message = "displayName must have 1 to 24 characters";
                ("invalid_display_name", message)
            }
            Wrong::RoomCode => {
                let message = "roomCode must have six letters or digits";
                ("invalid_room_code", message)
            }
            Wrong::Payload => ("invalid_payload", "the body must be a JSON object"),
            Wrong::SeatOwnership => return matches::seat_ownership(),
            Wrong::MatchNotFound => return matches::match_not_found(),
        };
        Problem::new(Kind::Malformed, code, message)
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
        Error(wrong.into())
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
        Error(matches::unreachable(failure))
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
        assert_eq!(camel("missing_guest_id"), "missingGuestId");
        assert_eq!(camel("unavailable"), "unavailable");
    }
}
