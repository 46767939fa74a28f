//! A table as those see it who only watch.

use chess::game::Game;
use chess::skill::Match;
use chess::table::Table;
use chess::{Millis, Timestamp};

/// A table that can be watched, perhaps with a delay.
pub trait Watched: Table {
    /// How long after it happened spectators are told.
    fn delay(&self) -> Millis {
        Millis::ZERO
    }

    /// When each change after that version happened, in their order.
    fn times_after(&self, version: u32) -> Vec<Timestamp>;

    /// When spectators may know of each change after that version, as far as
    /// they may not know of it yet.
    fn still_to_tell(&self, version: u32, now: Timestamp) -> Vec<Timestamp> {
        let delay = self.delay();
        // Nearly always they know it all, and nobody has to go through the game.
        if now >= self.last_at() + delay {
            return Vec::new();
        }
        let times = self.times_after(version).into_iter();
        times
            .map(|at| at + delay)
            .filter(|due| *due > now)
            .collect()
    }

    /// The version that spectators may know of by now: at least that the table
    /// is there.
    fn version_seen(&self, now: Timestamp) -> u32 {
        let hidden = self.still_to_tell(0, now).len();
        let hidden = u32::try_from(hidden).unwrap_or(u32::MAX);
        self.version().saturating_sub(hidden).max(1)
    }
}

impl Watched for Game {
    fn delay(&self) -> Millis {
        self.spectator_delay()
    }

    fn times_after(&self, version: u32) -> Vec<Timestamp> {
        let entries = self.entries().skip(version as usize);
        entries.map(|entry| entry.at).collect()
    }
}

/// Nobody watches a match but those who play it.
impl Watched for Match {
    fn times_after(&self, _: u32) -> Vec<Timestamp> {
        Vec::new()
    }
}
