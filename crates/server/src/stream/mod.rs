//! What carries a stream, whichever door it comes from: WebSocket and
//! server-sent events, with one rule for how long somebody is welcome and one
//! for whether anybody is still there. A door brings a [`Source`].

pub(crate) mod events;
mod heartbeat;
pub(crate) mod lines;
mod pace;
pub(crate) mod seldom;
pub(crate) mod socket;
mod source;
mod tasks;
mod welcome;

pub(crate) use pace::Pace;
pub(crate) use source::{End, Out, Position, Reply, Source, UNWELCOME};
