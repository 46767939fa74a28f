//! UCI: engines that are processes, and the built-in engine for those who want a process.
//!
//! - [`config`]: which program, with which options; what the system has.
//! - `process`: one running engine. Whatever it does that it should not, the caller gets a [`Fault`] and ends it.
//! - `lines`: reading from a program that may say anything.
//! - `words`: what engines say, and what they are told.
//! - [`serve`]: the built-in engine as a UCI program (`bots-uci`).

pub mod config;
mod lines;
mod process;
pub mod serve;
mod words;

use std::time::Duration;

use crate::pace::Clock;

pub use config::EngineConfig;
pub(crate) use process::{Ability, Process};

/// How long an engine may take for a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Time {
    /// So long at most.
    Move(Duration),
    /// As it likes, with this much on the clocks.
    Clocks {
        /// Its own, then the opponent's.
        clocks: [Clock; 2],
        /// Whether it has White.
        white: bool,
    },
}

impl Time {
    /// No answer comes later.
    fn most(self) -> Duration {
        match self {
            Time::Move(time) => time,
            Time::Clocks { clocks, .. } => clocks[0].left,
        }
    }
}

/// What an engine did wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// It could not be started.
    NotStarted(String),
    /// It said nothing in time.
    Hung,
    /// It ended.
    Died,
    /// It said something that makes no sense.
    Rubbish(String),
    /// It does not play this variant.
    NotAble,
}

impl std::fmt::Display for Fault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Fault::NotStarted(why) => write!(f, "it could not be started: {why}"),
            Fault::Hung => f.write_str("it did not answer in time"),
            Fault::Died => f.write_str("it ended by itself"),
            Fault::Rubbish(what) => write!(f, "it answered {what:?}"),
            Fault::NotAble => f.write_str("it does not play this variant"),
        }
    }
}

impl std::error::Error for Fault {}
