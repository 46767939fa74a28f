//! Games out to and in from PGN files.
//!
//! [`write()`] turns one of our games into PGN: the seven-tag roster and what
//! else is known, the moves with the clock after each, the result.
//!
//! [`read`] goes the other way for files as they are found in the world. It
//! streams: one game is held at a time, and a broken one is reported with its
//! place while the rest of the file is still read. Each game passes through
//! three hands:
//!
//! 1. `split` cuts the stream into the texts of single games;
//! 2. `sieve` drops what we do not keep (variations, remarks) and stops at
//!    the first thing that is no PGN;
//! 3. `replay` plays the moves on a board.

mod date;
mod error;
mod export;
mod import;
mod recorded;
mod replay;
mod setup;
mod sieve;
mod split;
mod tag;
mod times;
mod words;

pub use date::{Date, Utc};
pub use error::{ImportError, MoveNumber, Why};
pub use export::{Eval, Player, Tags, tag as write_tag, write};
pub use import::{Import, ImportedGame, read};
pub use setup::variant_named;
pub use sieve::{PLIES_MAX, TAG_BYTES_MAX, TAGS_MAX};
pub use split::GAME_BYTES_MAX;
pub use times::{read_clock, read_control, write_clock, write_control};

/// The result of a finished game: `1-0`, `0-1` or `1/2-1/2`.
pub use shakmaty::KnownOutcome as Score;
