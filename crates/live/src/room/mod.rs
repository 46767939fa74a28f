//! The room around a table: who is in it, and what they say to each other.

pub mod chat_id;
pub mod policy;

pub use chat_id::{ChatId, Lane, Lanes};
pub use policy::{Audience, Policies, Role};
