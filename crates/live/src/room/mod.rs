//! The room around a table: who is in it, who is told, and what they say to
//! each other.

pub mod chat_id;
pub mod hub;
pub mod policy;

pub use chat_id::{ChatId, Lane, Lanes};
pub use hub::Hub;
pub use policy::{Audience, Policies, Role};
