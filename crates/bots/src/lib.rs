//! Picks moves: for a position and a budget, a move.
//!
//! Knows no games, no accounts and no sockets of the server; whoever hosts games asks here what to play.
//!
//! - [`situation`]: what is asked about: a position with its past.
//! - [`engine`]: the built-in engine, for every variant. Pure.
//! - [`level`]: six levels of play on it, with mistakes that people make.
//! - [`book`], [`openings`]: opening moves, and what openings are called.
//! - [`pace`]: how long to calculate and how long to seem to think.
//! - [`pool`]: a few workers for many games: UCI engines where there are any, else the built-in one.
//! - [`uci`]: UCI engines as processes, and the built-in engine as one.
//! - [`matches`]: matches between players, and what their results say.
//! - [`review`]: what evaluations say about how a game was played. Pure.
//! - [`chance`]: numbers that follow from a seed.

pub mod book;
pub mod chance;
pub mod engine;
pub mod level;
pub mod matches;
pub mod openings;
pub mod pace;
pub mod pool;
pub mod review;
pub mod situation;
pub mod uci;

use chess::rules::Move;

pub use engine::{Engine, Found, Limits, Score};
pub use level::Level;
pub use situation::Situation;

/// A move to play, and what is known about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The move. It is legal.
    pub m: Move,
    /// How the position stands for who plays it.
    pub score: Score,
    /// What is expected to follow, the move first.
    pub line: Vec<Move>,
    /// How deep it was looked at; 0 for the book.
    pub depth: i32,
    /// How many positions were looked at.
    pub nodes: u64,
    /// Who found it.
    pub by: By,
}

/// Who found a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum By {
    /// It is theory.
    Book,
    /// The built-in engine.
    BuiltIn,
    /// A UCI engine.
    Uci,
}

impl Answer {
    pub(crate) fn from_found(found: Found, by: By) -> Answer {
        Answer {
            m: found.best,
            score: found.score,
            line: found.line,
            depth: found.depth,
            nodes: found.nodes,
            by,
        }
    }
}
