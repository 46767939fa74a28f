//! Skill chess: the second rule set. Pieces have an identity, behaviours of
//! their own, and skills that their players chose before the first move.
//!
//! `waitingForPlayers -> drafting -> active -> finished`. A [`Command`] is
//! judged by [`Match::decide`]; the [`Event`] it may lead to is applied by
//! [`Match::evolve`], the same function that replays a stored match.
//!
//! How a piece moves is its [`Behaviour`], what it may do once its [`Skill`].
//! Both are looked up by id, and nothing else asks what kind of piece it has
//! before it: a new one is a file in `behaviour/` or `skills/` and a line in
//! the list there.

mod behaviour;
mod board;
mod command;
mod decide;
mod draft;
mod draw;
mod ending;
mod event;
mod fen;
mod id;
mod judge;
mod legal;
mod log;
mod piece;
mod record;
mod refusal;
mod replay;
mod skills;
mod square;
mod state;
mod summary;
mod table;

pub use behaviour::{BEHAVIOURS, Behaviour, Partners, behaviour};
pub use board::{Board, Move, Passed};
pub use command::{Action, Command, Deed, MoveOrder};
pub use draft::{Draft, SKILLS_PER_PLAYER, Selection};
pub use ending::{Ending, Phase, Status};
pub use event::{Act, Creation, Entry, Event};
pub use fen::BadFen;
pub use id::Uuid;
pub use piece::{Equipped, Piece};
pub use record::MoveRecord;
pub use refusal::Refusal;
pub use skills::{SKILLS, Skill, skill};
pub use square::{Position, Square, Squares};
pub use state::Match;
