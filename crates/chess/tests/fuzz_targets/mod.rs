//! What the fuzzers check: each function takes any bytes and must not panic.
//!
//! `fuzz/` runs them under libFuzzer (`make fuzz`), `fuzz_short.rs` for a
//! few seconds in every test run.

pub(crate) mod decode;
pub(crate) mod fen;
pub(crate) mod game;
mod invariants;
pub(crate) mod moves;
pub(crate) mod pgn;
mod random_play;
pub(crate) mod skill;
mod source;
