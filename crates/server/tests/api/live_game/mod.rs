//! The door of live-game-api, as its contract says.

mod internal;
pub(crate) mod player;
mod refusals;
mod scenarios;
mod shown;
mod views;
