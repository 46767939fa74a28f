//! Seeded simulator of one node with faults; for development only.
//!
//! The real live core runs in one thread, on virtual time, over a store in
//! memory that can be slow, fail without saying whether it wrote, lose what was
//! not synced, and crash. Players, spectators and operators act at random. One
//! seed decides everything, so a failure is a number that anyone can replay:
//! `cargo run -p sim -- --seed N --steps M --trace`.
//!
//! - `many`: many seeds.
//! - `run`, `weather`: what happens, step by step.
//! - `clients`, `terms`: what people ask for.
//! - `turns`: what the store's threads do in the middle of a call.
//! - `node`, `mail`: the node, and what its callbacks said.
//! - `book`: what the outside world knows; `answers`, `grants`,
//!   `invariants`, `clocks`, `finale`: what must hold of it, named in [`Rule`].
//! - `stage`, `audience`: the rooms of the node, and those who watch.
//! - `rival`: somebody else who writes to the store.
//! - `cluster`: several nodes over one store; `sharing`, `presence`: what must hold of
//!   them besides.
//! - `pool`: those who wait for an opponent, and ratings, over several nodes.
//! - `sabotage`: deliberate faults, to see that the invariants notice.
//!
//! It must never know sockets, real time or chance of its own.

mod answers;
mod audience;
mod book;
mod clients;
mod clocks;
mod cluster;
mod finale;
mod grants;
mod invariants;
mod mail;
mod many;
mod node;
mod pool;
mod presence;
mod rival;
mod rng;
mod rules;
mod run;
mod sabotage;
mod sharing;
mod stage;
mod terms;
mod turns;
mod weather;

pub use book::Counts;
pub use many::{run_many, run_pools};
pub use pool::{PoolBroken, PoolCounts, PoolOptions, PoolReport, run_pool};
pub use rules::{Rule, Violation};
pub use run::{Broken, Options, Report, run};
pub use sabotage::Sabotage;
