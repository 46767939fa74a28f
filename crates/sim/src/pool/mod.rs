//! Pairing and ratings over several nodes: players of known strength queue, play and
//! queue again, while nodes die and lines lose what goes over them.
//!
//! The nodes are those of `cluster`; what a server does for those who wait is done
//! here as it does it. Whoever asks may not hear the answer and asks again elsewhere.
//!
//! - `world`: everything there is, and how time passes.
//! - `people`: those who want to play, and their tickets.
//! - `rounds`: what a node does for those who wait.
//! - `play`: games, and how they end.
//! - `weather`: what goes wrong.
//! - `book`: what must hold of games and tickets as they come; `finale`, `ratings`:
//!   what must hold of everything that is stored in the end.

mod book;
mod finale;
mod people;
mod play;
mod ratings;
mod rounds;
mod weather;
mod world;

use std::fmt;
use std::ops::Add;

use self::world::World;
use crate::rules::Violation;

/// What to run.
#[derive(Clone, Copy, Debug)]
pub struct PoolOptions {
    /// Decides everything.
    pub seed: u64,
    /// How many play.
    pub players: u32,
    /// As many games as everybody has in the end.
    pub games_min: u32,
    /// Whether things go wrong all the time; otherwise now and then, and the pool
    /// keeps what its policy promises all the same.
    pub is_hostile: bool,
    /// Whether what happens is printed.
    pub trace: bool,
}

impl PoolOptions {
    /// A few players, for whom nothing goes well.
    pub fn hostile(seed: u64) -> PoolOptions {
        PoolOptions {
            seed,
            players: 20,
            games_min: 6,
            is_hostile: true,
            trace: false,
        }
    }

    /// So many who play forty games each.
    pub fn large(seed: u64, players: u32) -> PoolOptions {
        PoolOptions {
            seed,
            players,
            games_min: 40,
            is_hostile: false,
            trace: false,
        }
    }
}

/// What a run was made of.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PoolCounts {
    /// Games that began because two were paired.
    pub paired: u64,
    /// Games that two agreed on, whether they waited or not.
    pub agreed: u64,
    /// Pairings that the store refused, since one of the two was gone or played.
    pub refused: u64,
    /// Rounds of a node that was not alone with the pool.
    pub disputed: u64,
    /// Games that were rated, that were beyond the day's limit, and that do not count.
    pub rated: u64,
    /// See `rated`.
    pub beyond: u64,
    /// See `rated`.
    pub aborted: u64,
    /// Tickets by what became of them.
    pub matched: u64,
    /// See `matched`.
    pub cancelled: u64,
    /// See `matched`.
    pub timed_out: u64,
    /// Answers that never came.
    pub unsure: u64,
    /// Those who asked for a ticket and had one, or played.
    pub had_one: u64,
    /// Nodes that died; of them in the middle of opening games, and of ending one.
    pub deaths: u64,
    /// See `deaths`.
    pub deaths_opening: u64,
    /// See `deaths`.
    pub deaths_ending: u64,
}

impl Add for PoolCounts {
    type Output = PoolCounts;

    fn add(self, other: PoolCounts) -> PoolCounts {
        PoolCounts {
            paired: self.paired + other.paired,
            agreed: self.agreed + other.agreed,
            refused: self.refused + other.refused,
            disputed: self.disputed + other.disputed,
            rated: self.rated + other.rated,
            beyond: self.beyond + other.beyond,
            aborted: self.aborted + other.aborted,
            matched: self.matched + other.matched,
            cancelled: self.cancelled + other.cancelled,
            timed_out: self.timed_out + other.timed_out,
            unsure: self.unsure + other.unsure,
            had_one: self.had_one + other.had_one,
            deaths: self.deaths + other.deaths,
            deaths_opening: self.deaths_opening + other.deaths_opening,
            deaths_ending: self.deaths_ending + other.deaths_ending,
        }
    }
}

/// What a run came to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PoolReport {
    /// What it was made of.
    pub counts: PoolCounts,
    /// How long those waited who were paired: the median, 99 % of them, the longest.
    pub waits_ms: [u32; 3],
    /// How far apart they were, in points, likewise.
    pub gaps: [u32; 3],
    /// How much more often somebody had one side than the other, at most.
    pub sides_apart: u32,
    /// The rank correlation of strength and rating.
    pub correlation: f64,
    /// How much virtual time passed, in milliseconds.
    pub virtual_ms: u64,
    /// All ratings in the end, in one number: the same seed gives the same.
    pub digest: u64,
}

/// A run that broke an invariant.
#[derive(Clone, Debug)]
pub struct PoolBroken {
    /// What was run.
    pub options: PoolOptions,
    /// When it broke, in virtual milliseconds.
    pub at_ms: u64,
    /// What.
    pub violation: Violation,
}

impl fmt::Display for PoolBroken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let PoolBroken {
            options,
            at_ms,
            violation,
        } = self;
        let (seed, players) = (options.seed, options.players);
        let large = match options.is_hostile {
            true => String::new(),
            false => format!(" --players {players}"),
        };
        write!(
            f,
            "seed {seed}, after {at_ms} ms: {violation}\n\
             replay: cargo run -p sim -- --pool{large} --seed {seed} --trace"
        )
    }
}

/// Runs a seed to its end.
///
/// # Errors
/// [`PoolBroken`] says which invariant broke, and when.
pub fn run_pool(options: PoolOptions) -> Result<PoolReport, Box<PoolBroken>> {
    let mut world = World::new(options);
    let result = world.run();
    world.cut_all();
    result.map_err(|violation| {
        Box::new(PoolBroken {
            options,
            at_ms: world.virtual_ms(),
            violation,
        })
    })
}
