//! The room around a table: who is in it, what they are told and when, and
//! what they say to each other.
//!
//! One [`Room`] per table that somebody is at. It does no I/O: whatever it
//! tells goes into lanes and to its crowd, and time comes in as an argument, so
//! the simulator runs it with watchers who come too early, too late or never
//! again.

pub mod alarms;
pub mod chat;
pub mod feeds;
pub mod follower;
pub mod inbox;
pub mod later;
pub mod members;
mod order;
pub mod policy;
#[expect(clippy::module_inception, reason = "it is the room itself")]
pub mod room;
pub mod rooms;
pub mod spoken;
pub mod watched;

pub use tokio::sync::broadcast::Receiver;
pub use tokio::sync::broadcast::error::TryRecvError;

pub use alarms::Alarms;
pub use chat::{ChatId, ChatOrder, Strand};
pub use feeds::Feeds;
pub use follower::{Follower, Heard};
pub use inbox::{Inbox, Unheard};
pub use policy::{Audience, Policies, Role};
pub use room::{Chat, Crowd, Furnished, News, Room};
pub use rooms::{Loss, Rooms};
pub use spoken::Spoken;
pub use watched::Watched;
