//! What must not be forgotten of tables that are not in memory.
//!
//! A table that leaves memory was at some version that somebody was told of. If
//! the store ever gives it back older than that, going on would undo what was
//! acknowledged, so that version is kept until the table is back.

use std::collections::VecDeque;

use store::{IdMap, TableId};

/// Tables that went because nobody needed them, whose version a shard still
/// knows: with 256 shards a million, at about 30 bytes each.
const EVICTED_MAX: usize = 4096;

/// Room for so many is kept however few there are.
const ROOM_KEPT: usize = 64;

/// What is known of one table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Known {
    /// A version that somebody was told of: it must not come back older.
    pub(crate) acknowledged: u32,
    /// Whether its last changes may be in the journal alone.
    pub(crate) is_unread: bool,
}

/// The tables of a shard that are not in memory, as far as something is known of them.
#[derive(Default)]
pub(crate) struct Absent {
    known: IdMap<TableId, Known>,
    /// Those that nobody needed, with their version, the longest gone first.
    evicted: VecDeque<(TableId, u32)>,
}

impl Absent {
    /// Nothing is known of most tables.
    pub(crate) fn of(&self, id: TableId) -> Known {
        self.known.get(&id).copied().unwrap_or_default()
    }

    /// A table whose row has it all left memory at this version.
    pub(crate) fn evicted(&mut self, id: TableId, version: u32) {
        self.note(id, version);
        self.evicted.push_back((id, version));
        if self.evicted.len() > EVICTED_MAX
            && let Some((oldest, acknowledged)) = self.evicted.pop_front()
        {
            // Not what is known of it since it came and went again.
            let as_it_went = Known {
                acknowledged,
                is_unread: false,
            };
            if self.of(oldest) == as_it_went {
                self.known.remove(&oldest);
            }
        }
    }

    /// A table left memory, or is in the journal, at this version; what its row
    /// lacks may be in the journal alone.
    pub(crate) fn unread(&mut self, id: TableId, version: u32) {
        self.note(id, version).is_unread = true;
    }

    /// The table is in memory again.
    pub(crate) fn came(&mut self, id: TableId) {
        self.known.remove(&id);
        // After a start nearly all come back, and few go at a time.
        let kept = self.known.len() * 2 + ROOM_KEPT;
        if self.known.capacity() > kept * 2 {
            self.known.shrink_to(kept);
        }
    }

    #[cfg(feature = "mutants")]
    pub(crate) fn forget_unread(&mut self, id: TableId) {
        if let Some(known) = self.known.get_mut(&id) {
            known.is_unread = false;
        }
    }

    /// The tables whose last changes may be in the journal alone.
    pub(crate) fn all_unread(&self) -> impl Iterator<Item = TableId> {
        let unread = self.known.iter().filter(|(_, known)| known.is_unread);
        unread.map(|(id, _)| *id)
    }

    fn note(&mut self, id: TableId, version: u32) -> &mut Known {
        let known = self.known.entry(id).or_default();
        known.acknowledged = known.acknowledged.max(version);
        known
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(n: u64) -> TableId {
        TableId::from_number(n).unwrap()
    }

    #[test]
    fn a_version_is_known_until_the_table_is_back() {
        let mut absent = Absent::default();
        absent.evicted(table(1), 7);
        absent.unread(table(2), 3);
        absent.unread(table(2), 2);
        let unread = |is_unread, acknowledged| Known {
            acknowledged,
            is_unread,
        };
        assert_eq!(absent.of(table(1)), unread(false, 7));
        assert_eq!(absent.of(table(2)), unread(true, 3));
        assert_eq!(absent.all_unread().collect::<Vec<_>>(), [table(2)]);
        absent.came(table(2));
        assert_eq!(absent.of(table(2)), Known::default());
    }

    #[test]
    fn what_a_start_needed_is_given_back() {
        let mut absent = Absent::default();
        for n in 0..10_000 {
            absent.unread(table(n), 1);
        }
        for n in 0..10_000 {
            absent.came(table(n));
        }
        assert!(absent.known.capacity() <= ROOM_KEPT * 4);
    }

    #[test]
    fn only_so_many_that_nobody_needs_are_known() {
        let mut absent = Absent::default();
        absent.unread(table(1), 5);
        absent.evicted(table(1), 5);
        absent.evicted(table(2), 6);
        for n in 0..EVICTED_MAX as u64 {
            absent.evicted(table(100 + n), 1);
        }
        assert_eq!(absent.of(table(2)), Known::default());
        assert!(absent.of(table(1)).is_unread, "the journal needs it");
        assert_eq!(absent.evicted.len(), EVICTED_MAX);
    }
}
