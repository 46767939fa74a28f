//! Several nodes that share a database and a bus play as one: players and watchers
//! are spread over them, nodes, bus and database die in the middle, and in the end
//! every client's record is compared with the log.
//!
//! `ARBITER_CLUSTER_NODES` is another number of nodes, at least two, `ARBITER_CLUSTER_SEED` repeats
//! a run. With `ARBITER_CLUSTER_BUS=local` nodes do not hear of each other, which must
//! be found.
#![cfg(unix)]

mod away;
mod check;
mod claims;
mod cluster;
mod duel;
mod far;
mod flags;
mod node;
mod own;
mod pair;
mod play;
#[path = "../support/process.rs"]
mod process;
#[path = "../support/record.rs"]
mod record;
mod socket;
mod stage;
#[path = "../support/table.rs"]
mod table;
mod tokens;
mod watch;
mod way;
mod world;

/// How many nodes share the work.
const NODES: usize = 3;

fn nodes() -> usize {
    number("ARBITER_CLUSTER_NODES").map_or(NODES, |nodes| nodes as usize)
}

/// Whether the nodes are given a bus.
fn has_bus() -> bool {
    let is_local = std::env::var("ARBITER_CLUSTER_BUS").is_ok_and(|bus| bus == "local");
    !is_local
}

/// A seed, which is printed.
fn seed() -> u64 {
    let seed = number("ARBITER_CLUSTER_SEED").unwrap_or_else(rand::random);
    println!("ARBITER_CLUSTER_SEED={seed}");
    seed
}

fn number(name: &str) -> Option<u64> {
    let text = std::env::var(name).ok()?;
    Some(text.parse().expect("a number"))
}
