//! The doors: each speaks its clients' own protocol, and all lead to the same arbiter.

pub mod collector;
pub mod lichess;
pub mod live_game;
pub mod mcp;
pub mod native;
pub mod overlay;
pub mod xmpp;
