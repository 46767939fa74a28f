//! One game of chess as a pure state machine.
//!
//! `WAITING -> ACTIVE -> (PAUSED <-> ACTIVE) -> COMPLETED`. A [`Command`] is
//! judged by [`Game::decide`]; the [`Event`] it may lead to is applied by
//! [`Game::evolve`], the same function that replays a stored game. Every
//! accepted change is one event and the next version.

mod command;
mod conditional;
mod decide;
mod ending;
mod event;
mod ledger;
mod line;
mod log;
mod pause;
mod refusal;
mod repetition;
mod replay;
mod report;
mod state;
mod summary;
mod telling;
mod terms;

pub use command::{Command, MoveCommand, StartRatings};
pub use conditional::{BadLine, Conditional, ConditionalMoves, HALF_MOVES_MAX};
pub use ending::{AbortReason, DeclineReason, DrawReason, Ending, WinReason};
pub use event::{Entry, Event, Offer};
pub use ledger::{PausedBy, Phase};
pub use line::Played;
pub use refusal::Refusal;
pub use replay::Replay;
pub use report::MoveReport;
pub use state::Game;
pub use terms::{BadTerms, ChatRule, ColorChoice, Creation, DrawRule, RoomTerms, Terms};
