//! Which version each table has, folded or not.
//!
//! The journal has no index, so the database alone cannot say it. This knows
//! every table with changes that are in the journal alone, and keeps the others
//! it has seen as long as there is room; of any other, the row knows.

use std::collections::BTreeSet;

use crate::behind::Stranded;
use crate::{IdMap, TableId};

/// Tables kept although their row would know: about 35 bytes each.
const KEPT_MAX: usize = 1 << 20;

/// Room that is kept to take changes back; what a start reads takes far more.
const UNDO_KEPT: usize = 1 << 14;

#[derive(Default)]
pub(super) struct Versions {
    newest: IdMap<TableId, Newest>,
    /// What the running transaction replaced.
    undo: Vec<(TableId, Option<Newest>)>,
}

#[derive(Clone, Copy)]
struct Newest {
    version: u32,
    /// The lower half of the number of its last change. The journal is never so long that half
    /// of that would not tell what comes after what.
    seq: u32,
}

impl Newest {
    /// Whether its last change came after that one.
    fn is_after(self, seq: u64) -> bool {
        self.seq.wrapping_sub(lower(seq)).wrapping_sub(1) < u32::MAX / 2
    }
}

fn lower(seq: u64) -> u32 {
    (seq & u64::from(u32::MAX)) as u32
}

impl Versions {
    /// A table's version; `None` means that its row is up to date.
    pub(super) fn of(&self, table: TableId) -> Option<u32> {
        self.newest.get(&table).map(|newest| newest.version)
    }

    /// Takes note of a change of the running transaction.
    pub(super) fn record(&mut self, table: TableId, version: u32, seq: u64) {
        let seq = lower(seq);
        let before = self.newest.insert(table, Newest { version, seq });
        self.undo.push((table, before));
    }

    /// The running transaction wrote the table's last row.
    pub(super) fn forget(&mut self, table: TableId) {
        let before = self.newest.remove(&table);
        self.undo.push((table, before));
    }

    /// The running transaction is durable.
    pub(super) fn settle(&mut self) {
        self.undo.clear();
        self.undo.shrink_to(UNDO_KEPT);
    }

    /// The running transaction never was.
    pub(super) fn undo(&mut self) {
        for (table, before) in self.undo.drain(..).rev() {
            match before {
                Some(newest) => self.newest.insert(table, newest),
                None => self.newest.remove(&table),
            };
        }
    }

    /// The journal was trimmed up to there: the rows know all older changes,
    /// but for those of the stranded tables.
    pub(super) fn trimmed(&mut self, upto: u64, stranded: &[Stranded]) {
        if upto == 0 || self.newest.len() <= KEPT_MAX {
            return;
        }
        let stranded: BTreeSet<TableId> = stranded.iter().map(|s| s.table).collect();
        self.newest
            .retain(|table, newest| newest.is_after(upto) || stranded.contains(table));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_came_after_what_is_known_over_the_end_of_the_numbers() {
        let newest = |seq| Newest {
            version: 1,
            seq: lower(seq),
        };
        for base in [1, u64::from(u32::MAX) - 3, 7 << 32] {
            for ahead in [1, 5, 1 << 30] {
                assert!(newest(base + ahead).is_after(base));
                assert!(!newest(base).is_after(base + ahead));
            }
            assert!(!newest(base).is_after(base));
        }
    }
}
