//! The native door, `/v1`.

pub mod accounts;
pub mod admin;
pub(crate) mod chat_view;
pub mod docs;
pub mod games;
pub mod players;
pub mod stream;
pub mod tokens;
