//! The pure core: chess rules, clocks, the game as a state machine, notation.
//!
//! Nothing here does I/O, waits, reads a clock or draws a random number: time
//! and chance are arguments. So the same few functions serve live play, crash
//! recovery, takeover by another node, takebacks and the simulator.
//!
//! - [`rules`]: positions, variants, how moves are spelled (on `shakmaty`).
//! - [`clock`]: time controls and the arithmetic of the two clocks.
//! - [`game`]: the state machine: `decide`, `evolve`, `next_deadline`.
//! - [`skill`]: skill chess, the second rule set: pieces with identity and skills.
//! - [`pgn`]: games out to and in from PGN files.
//! - [`rating`]: how strong players are, by the games they finished.
//! - [`pairing`]: who of those who wait plays whom.
//! - [`table`]: the small trait through which games of any rules are hosted.
//! - [`tables`]: all sets of rules as one table.
//! - [`telling`]: what happens that others may want to be told.

mod bytes;
pub mod clock;
pub mod game;
mod history;
pub mod pairing;
pub mod pgn;
pub mod rating;
pub mod rules;
pub mod skill;
pub mod table;
pub mod tables;
pub mod telling;
pub mod time;

pub use shakmaty::{ByColor, Color};
pub use time::{Millis, Timestamp};
