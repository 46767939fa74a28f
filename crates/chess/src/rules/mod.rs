//! Positions, variants and the spelling of moves, on `shakmaty`.

mod board;
mod fen;
mod setup;
mod spelling;
mod variant;

pub use board::{Board, BoardEnd};
pub use setup::{BadFen, Start, chess960_fen};
pub use spelling::{NotPlayable, Spelled, UnreadableMove};
pub use variant::Variant;

pub use shakmaty::packed::PackedUciMove;
pub use shakmaty::uci::UciMove;
pub use shakmaty::{Move, Role, Square};
