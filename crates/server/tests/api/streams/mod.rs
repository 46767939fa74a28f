//! Streams over real sockets.

mod account;
mod chat;
mod crowd;
mod delay;
mod frames;
pub(crate) mod listener;
mod observers;
mod overlay;
mod presence;
mod resuming;
mod tokens;
mod watching;
