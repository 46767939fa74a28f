//! Runs many tables at once, knowing nothing of the rules they are played by.
//!
//! A table has one change in flight; further requests wait in the order of
//! their arrival. A change is decided on the state in memory, made durable,
//! and only then applied and told. State is shared as `Arc`s that never
//! change: readers take one and go.
//!
//! Nothing here waits, sleeps or spawns: every operation ends in a callback,
//! and time comes in through a handle. So the simulator can run the very same
//! code on virtual time in one thread. The exception is [`bus`], which speaks to
//! the other nodes over the network; the simulator has one of its own.

mod absent;
pub mod bus;
mod every_move;
mod eviction;
mod flight;
mod gate;
mod glance;
mod hearsay;
mod listing;
mod live;
mod member;
mod mutant;
mod offset;
mod presence;
mod request;
mod resident;
pub mod room;
mod shard;
mod snapshot;
mod start;
mod sweep;
mod timers;

pub use every_move::EveryMove;
pub use listing::Listed;
pub use live::{Handles, Limits, Live, Nobody, Stats, Surroundings};
pub use member::{Member, Timekeeper};
pub use mutant::Mutant;
pub use offset::Offset;
pub use presence::Seen;
pub use request::{Changed, Failure, Outcome, Reply, Submission, View, With};
pub use snapshot::to_row;
