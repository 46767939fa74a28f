//! How much of their share everyone has used up.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use governor::nanos::Nanos;
use governor::state::StateStore;
use store::IdMap;

/// A question to a limiter.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(super) struct Ask {
    /// A keyed hash of whose it is: small, and nobody can make two meet.
    pub(super) key: u64,
    /// Whether it counts, or only looks.
    pub(super) counts: bool,
}

const SHARDS: usize = 16;

/// How full each key's bucket is: `governor`'s own stores neither look
/// without counting nor have a bound.
pub(super) struct Levels {
    shards: [Mutex<Shard>; SHARDS],
    /// What one more adds to a level.
    one: Nanos,
    shard_max: usize,
}

#[derive(Default)]
struct Shard {
    /// The keys are hashes already.
    levels: IdMap<u64, Nanos>,
    /// Keys that the last sweep kept, and those that have come since.
    kept: usize,
    came: usize,
}

impl Levels {
    pub(super) fn new(interval: Duration, max: usize) -> Levels {
        Levels {
            shards: Default::default(),
            one: interval.into(),
            shard_max: max / SHARDS,
        }
    }

    fn shard(&self, key: u64) -> MutexGuard<'_, Shard> {
        let shard = &self.shards[key as usize % SHARDS];
        shard.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Empty buckets are swept out when as many keys have come as there were,
/// and at least so many.
const SWEEP_MIN: usize = 64;

impl Shard {
    /// Makes room for one more. `now` is the level of an empty bucket.
    fn make_room(&mut self, now: Nanos, max: usize) {
        self.came += 1;
        if self.came > self.kept.max(SWEEP_MIN) {
            self.levels.retain(|_, level| *level > now);
            (self.kept, self.came) = (self.levels.len(), 1);
        }
        if self.levels.len() >= max {
            // There are far too many at once: forget the least active of a
            // few, who loses nothing but a little debt.
            let few = self.levels.iter().take(8);
            if let Some(least) = few.min_by_key(|(_, level)| **level).map(|(key, _)| *key) {
                self.levels.remove(&least);
            }
        }
    }
}

impl StateStore for Levels {
    type Key = Ask;

    fn measure_and_replace<T, F, E>(&self, ask: &Ask, measure: F) -> Result<T, E>
    where
        F: Fn(Option<Nanos>) -> Result<(T, Nanos), E>,
    {
        let mut shard = self.shard(ask.key);
        let level = shard.levels.get(&ask.key).copied();
        let (answer, next) = measure(level)?;
        if ask.counts {
            if level.is_none() {
                shard.make_room(next.saturating_sub(self.one), self.shard_max);
            }
            shard.levels.insert(ask.key, next);
        }
        Ok(answer)
    }
}

#[cfg(test)]
impl Levels {
    pub(super) fn len(&self) -> usize {
        self.shards
            .iter()
            .map(|s| s.lock().unwrap().levels.len())
            .sum()
    }
}
