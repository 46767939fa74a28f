//! Why something cannot be done, in words that are no door's: what kind of
//! problem it is, a stable code, a sentence. Each door says it in its own way.

use chess::game::Refusal;
use live::Failure;
use serde_json::{Map, Value};

/// Why there is no answer.
#[derive(Clone, Debug)]
pub struct Problem {
    /// What kind of problem it is.
    pub kind: Kind,
    /// The stable code.
    pub code: &'static str,
    /// A sentence for a person.
    pub detail: String,
    /// What a client needs to recover.
    pub context: Map<String, Value>,
    /// After how many seconds to try again.
    pub retry_after: Option<u32>,
    /// What is behind it: for the log, never for the client.
    pub cause: Option<String>,
}

/// Kinds of problems, as far as they differ in what a client does next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// It cannot be understood.
    Malformed,
    /// Nobody knows who is asking.
    Unidentified,
    /// Whoever asks may not do this.
    Forbidden,
    /// There is no such thing, or none that whoever asks may see.
    Missing,
    /// This is no way to ask for it.
    WrongMethod,
    /// It does not go with how things are now.
    Conflict,
    /// It was meant for how things were.
    Stale,
    /// It is no longer there.
    Gone,
    /// It is more than anybody may send.
    TooLarge,
    /// It is understood, and not possible.
    Impossible,
    /// It must be asked for in another protocol.
    WrongProtocol,
    /// Too much at once.
    TooMuch,
    /// A mistake of the server's.
    Broken,
    /// Not now.
    Unavailable,
}

impl Problem {
    /// A problem without further context.
    pub fn new(kind: Kind, code: &'static str, detail: impl Into<String>) -> Problem {
        Problem {
            kind,
            code,
            detail: detail.into(),
            context: Map::new(),
            retry_after: None,
            cause: None,
        }
    }

    /// The same with one more field.
    #[must_use]
    pub fn with(mut self, field: &str, value: impl Into<Value>) -> Problem {
        self.context.insert(field.to_owned(), value.into());
        self
    }

    /// The same with a time after which to try again.
    #[must_use]
    pub fn after(mut self, seconds: u32) -> Problem {
        self.retry_after = Some(seconds);
        self.with("retry_after_seconds", seconds)
    }

    /// The request cannot be understood; names the field.
    pub fn bad_request(detail: impl Into<String>) -> Problem {
        Problem::new(Kind::Malformed, "bad_request", detail)
    }

    /// Nobody knows who is calling.
    pub fn unauthorized(detail: impl Into<String>) -> Problem {
        Problem::new(Kind::Unidentified, "unauthorized", detail)
    }

    /// The token may not do this.
    pub fn missing_scope(scope: &str) -> Problem {
        let detail = format!("this needs a token of scope {scope}");
        Problem::new(Kind::Forbidden, "missing_scope", detail).with("scope", scope)
    }

    /// There is no such thing, or none the caller may see.
    pub fn not_found(detail: impl Into<String>) -> Problem {
        Problem::new(Kind::Missing, "not_found", detail)
    }

    /// There is no such game.
    pub fn game_not_found() -> Problem {
        Problem::new(Kind::Missing, "game_not_found", "there is no such game")
    }

    /// More than anybody may send.
    pub fn too_large(bytes_max: usize) -> Problem {
        let detail = format!("a request body has at most {bytes_max} bytes");
        Problem::new(Kind::TooLarge, "too_large", detail)
    }

    /// Too much at once.
    pub fn rate_limited(seconds: u32) -> Problem {
        let detail = format!("too many requests: try again in {seconds} s");
        Problem::new(Kind::TooMuch, "rate_limited", detail).after(seconds)
    }

    /// Too many streams are open.
    pub fn too_many_streams(whose: &str, max: usize) -> Problem {
        let detail = format!("this {whose} has {max} streams open, which is the limit: close one");
        Problem::new(Kind::TooMuch, "too_many_streams", detail).after(5)
    }

    /// The server panicked. The client learns nothing of what went wrong.
    pub fn panicked() -> Problem {
        let detail = "something went wrong in the server; its log says more";
        Problem::new(Kind::Broken, "internal", detail)
    }

    /// Not now.
    pub fn unavailable() -> Problem {
        let detail = "the server cannot do this right now";
        Problem::new(Kind::Unavailable, "unavailable", detail).after(1)
    }
}

impl From<Failure> for Problem {
    fn from(failure: Failure) -> Problem {
        match failure {
            Failure::NotFound => Problem::game_not_found(),
            Failure::Busy | Failure::Taken | Failure::Unavailable(_) | Failure::Corrupt(_) => {
                Problem::unavailable()
            }
        }
    }
}

impl From<store::Error> for Problem {
    fn from(error: store::Error) -> Problem {
        tracing::error!(%error, "the store failed");
        Problem {
            cause: Some(error.to_string()),
            ..Problem::unavailable()
        }
    }
}

impl From<Refusal> for Problem {
    fn from(refusal: Refusal) -> Problem {
        let kind = match &refusal {
            Refusal::NotAPlayer | Refusal::NotInvited => Kind::Forbidden,
            Refusal::BadMove(_) => Kind::Malformed,
            Refusal::IllegalMove(_) | Refusal::UnclearMove(_) => Kind::Impossible,
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
            | Refusal::NotAllowed(_) => Kind::Conflict,
        };
        let error = Problem::new(kind, refusal.code(), refusal.detail());
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
                error.with("game_state", state.name())
            }
            Refusal::NotYet {
                retry_after_seconds,
            } => error.after(retry_after_seconds),
            _ => error,
        }
    }
}
