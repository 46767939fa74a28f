//! What must not be forgotten of tables that are not in memory.
//!
//! A table that leaves memory was at some version that somebody was told of. If
//! the store ever gives it back older than that, going on would undo what was
//! acknowledged, so that version is kept until the table is back.

use std::collections::VecDeque;

use store::{IdMap, TableId};

/// Tables that went and whose version a shard still knows: with 256 shards a
/// million, at about 30 bytes each.
const GONE_MAX: usize = 4096;

/// The tables of a shard that are not in memory, as far as something is known of them.
#[derive(Default)]
pub(crate) struct Absent {
    /// A version of each that somebody was told of.
    known: IdMap<TableId, u32>,
    /// The same, the longest gone first.
    gone: VecDeque<(TableId, u32)>,
}

impl Absent {
    /// A version that somebody was told of: the table must not come back older.
    /// Of most tables nothing is known.
    pub(crate) fn acknowledged(&self, id: TableId) -> u32 {
        self.known.get(&id).copied().unwrap_or(0)
    }

    /// A table left memory at this version.
    pub(crate) fn went(&mut self, id: TableId, version: u32) {
        let known = self.known.entry(id).or_default();
        *known = version.max(*known);
        self.gone.push_back((id, version));
        if self.gone.len() > GONE_MAX
            && let Some((oldest, version)) = self.gone.pop_front()
            // Not what is known of it since it came and went again.
            && self.acknowledged(oldest) == version
        {
            self.known.remove(&oldest);
        }
    }

    /// The table is in memory again.
    pub(crate) fn came(&mut self, id: TableId) {
        self.known.remove(&id);
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
        absent.went(table(1), 7);
        absent.went(table(1), 6);
        assert_eq!(absent.acknowledged(table(1)), 7);
        assert_eq!(absent.acknowledged(table(2)), 0);
        absent.came(table(1));
        assert_eq!(absent.acknowledged(table(1)), 0);
    }

    #[test]
    fn only_so_many_that_nobody_needs_are_known() {
        let mut absent = Absent::default();
        absent.went(table(1), 5);
        absent.went(table(2), 6);
        absent.came(table(2));
        absent.went(table(2), 8);
        for n in 0..GONE_MAX as u64 - 1 {
            absent.went(table(100 + n), 1);
        }
        assert_eq!(absent.acknowledged(table(1)), 0);
        assert_eq!(absent.acknowledged(table(2)), 8);
        assert_eq!(absent.gone.len(), GONE_MAX);
    }
}
