//! The native door, `/v1`.

pub mod accounts;
pub mod admin;
pub mod challenges;
pub(crate) mod chat_view;
pub mod docs;
pub mod events;
pub mod export;
pub mod games;
pub mod lobby;
pub mod mail;
pub mod matchmaking;
pub mod notifications;
pub mod players;
pub mod setup;
pub mod social;
pub mod stream;
pub mod tokens;
