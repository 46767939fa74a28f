//! The tables whose rows are behind, in shards: whoever looks at all of them, which
//! may be half a million, holds up few at a time.

use std::sync::{Mutex, MutexGuard, PoisonError};

use chess::Timestamp;

use crate::behind::{Behind, last_first};
use crate::{Due, TableId, shard_of};

const SHARDS: usize = 64;

pub(super) struct Tails {
    shards: Box<[Mutex<Behind>]>,
}

impl Default for Tails {
    fn default() -> Tails {
        Tails {
            shards: (0..SHARDS).map(|_| Mutex::default()).collect(),
        }
    }
}

impl Tails {
    /// What is known of a table, and of some others.
    pub(super) fn of(&self, table: TableId) -> MutexGuard<'_, Behind> {
        lock(&self.shards[shard_of(table, SHARDS)])
    }

    /// All of them, the last first.
    pub(super) fn all(&self) -> Vec<TableId> {
        last_first(self.each(|behind| behind.all().collect()))
    }

    /// Those whose rows can be brought up to date, the last first.
    pub(super) fn foldable(&self) -> Vec<TableId> {
        last_first(self.each(|behind| behind.foldable().collect()))
    }

    /// Those that must be read from row and journal, the last first.
    pub(super) fn unread(&self) -> Vec<TableId> {
        last_first(self.each(|behind| behind.unread().collect()))
    }

    /// Those that are due before that moment, whatever their rows say.
    pub(super) fn due_before(&self, before: Timestamp) -> Vec<Due> {
        let shards = self.shards.iter();
        shards
            .flat_map(|shard| lock(shard).due_before(before).collect::<Vec<_>>())
            .collect()
    }

    fn each(&self, tables: impl Fn(&Behind) -> Vec<TableId>) -> impl Iterator<Item = TableId> {
        self.shards
            .iter()
            .flat_map(move |shard| tables(&lock(shard)))
    }
}

fn lock(shard: &Mutex<Behind>) -> MutexGuard<'_, Behind> {
    shard.lock().unwrap_or_else(PoisonError::into_inner)
}
