//! Streams over real sockets.

mod account;
mod frames;
mod listener;
mod presence;
mod resuming;
mod watching;
