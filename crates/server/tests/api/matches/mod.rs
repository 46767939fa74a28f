//! The door of Collector Chess, as its clients use it.

mod draft;
mod draws;
mod golden;
pub(crate) mod guest;
mod mate;
mod moves;
mod presence;
mod retries;
mod rooms;
mod strangers;
