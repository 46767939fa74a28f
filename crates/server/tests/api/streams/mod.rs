//! Streams over real sockets.

mod account;
mod asking;
mod busy;
mod chat;
mod crowd;
mod delay;
mod described;
mod frames;
pub(crate) mod listener;
mod lost;
mod observers;
mod overlay;
mod presence;
mod resuming;
mod tokens;
mod watching;
