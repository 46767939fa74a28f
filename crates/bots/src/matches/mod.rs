//! Matches between two players: openings played with both colours, many games at once, resumed where they stopped.
//!
//! - [`statistics`]: what a result says about strength.
//! - [`openings`]: where games begin.
//! - [`player`]: who plays. [`program`]: a UCI program that does.
//! - [`record`]: a finished game as a line of JSON. [`pgn`]: the same as PGN.
//! - [`runner`]: the match.

pub mod openings;
pub mod pgn;
pub mod player;
pub mod program;
pub mod record;
pub mod runner;
pub mod statistics;

pub use player::{Choice, Player, Pooled, Seat, Turn};
pub use program::Program;
pub use record::Record;
pub use runner::{NO_MOVE, Plan, run};
pub use statistics::{Sprt, Tally, Verdict};
