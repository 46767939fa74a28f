//! What a backend with a journal knows of the tables whose rows are behind.
//!
//! A change is one record of the journal, unless lists must show it or enough has
//! gathered: then it is the table's row. Rows are brought up to date later
//! (folding), out of the snapshots kept here; then the journal is trimmed. What
//! the last run left behind has no snapshot until it is read from row and journal.
//!
//! Everything here only thinks: the embedded store and the one in memory do it.

use std::sync::Arc;

use chess::Timestamp;

use crate::{Change, Due, IdMap, Snapshot, Stored, TableId};

/// Room for so many is kept however few there are.
const ROOM_KEPT: usize = 1 << 10;

#[derive(Default)]
pub(crate) struct Behind {
    tables: IdMap<TableId, Tail>,
}

/// What a table's row may lack.
#[derive(Clone)]
pub(crate) struct Tail {
    /// The newest version in the journal.
    version: u32,
    /// The version of the row.
    row: u32,
    /// The table at `version`; missing if the last run left it.
    after: Option<Arc<dyn Snapshot>>,
}

/// Where the newest state of a table is.
pub(crate) enum Newest {
    Row,
    Snapshot(Arc<dyn Snapshot>),
    RowAndJournal,
}

impl Behind {
    /// Whether a change is to be written as a row. So is one whose time is yet to
    /// come, since what is in the journal says how late it is.
    pub(crate) fn wants_row(&self, change: &Change, fold_after: u32) -> bool {
        change.is_listed
            || change.rates.is_some()
            || change.expected == 0
            || change.at > change.asked
            || change.version.saturating_sub(self.row_of(change)) >= fold_after
    }

    /// The version of the row of a table that is about to change.
    fn row_of(&self, change: &Change) -> u32 {
        self.tables
            .get(&change.table)
            .map_or(change.expected, |tail| tail.row)
    }

    /// A change is durable as a record of the journal.
    pub(crate) fn journaled(&mut self, change: Change) {
        let tail = Tail {
            version: change.version,
            row: self.row_of(&change),
            after: Some(change.after),
        };
        self.tables.insert(change.table, tail);
    }

    /// A change is durable as the table's row, which has all that came before.
    pub(crate) fn wrote_row(&mut self, table: TableId) {
        self.tables.remove(&table);
    }

    /// A start found this in the journal.
    pub(crate) fn found(&mut self, table: TableId, version: u32, row: u32) {
        if row < version {
            let tail = Tail {
                version,
                row,
                after: None,
            };
            self.tables.insert(table, tail);
        }
    }

    pub(crate) fn newest(&self, table: TableId) -> Newest {
        match self.tables.get(&table).map(|tail| &tail.after) {
            None => Newest::Row,
            Some(None) => Newest::RowAndJournal,
            Some(Some(after)) => Newest::Snapshot(Arc::clone(after)),
        }
    }

    /// The tables whose rows are behind, in no order.
    pub(crate) fn all(&self) -> impl Iterator<Item = TableId> {
        self.tables.keys().copied()
    }

    /// Those that are due before that moment, whatever their rows say. Of one that must
    /// be read first nobody knows: it is due at once.
    pub(crate) fn due_before(&self, before: Timestamp) -> impl Iterator<Item = Due> {
        let due = move |(table, tail): (&TableId, &Tail)| {
            let at = match &tail.after {
                None => Some(Timestamp(0)),
                Some(after) => after.deadline(),
            };
            let at = at.filter(|at| *at < before)?;
            Some(Due {
                table: *table,
                at: Some(at),
            })
        };
        self.tables.iter().filter_map(due)
    }

    /// Those whose rows can be brought up to date.
    pub(crate) fn foldable(&self) -> impl Iterator<Item = TableId> {
        let known = self.tables.iter().filter(|(_, tail)| tail.after.is_some());
        known.map(|(id, _)| *id)
    }

    /// Those that must be read from row and journal.
    pub(crate) fn unread(&self) -> impl Iterator<Item = TableId> {
        let unread = self.tables.iter().filter(|(_, tail)| tail.after.is_none());
        unread.map(|(id, _)| *id)
    }

    /// The snapshot out of which a table's row is to be written.
    pub(crate) fn to_fold(&self, table: TableId) -> Option<Arc<dyn Snapshot>> {
        self.tables.get(&table)?.after.clone()
    }

    /// A table was read from row and journal.
    pub(crate) fn read(&mut self, table: TableId, version: u32, after: Arc<dyn Snapshot>) {
        if let Some(tail) = self.tables.get_mut(&table)
            && tail.after.is_none()
            && tail.version == version
        {
            tail.after = Some(after);
        }
    }

    /// A table's row was written with that version.
    pub(crate) fn folded(&mut self, table: TableId, version: u32) {
        match self.tables.get_mut(&table) {
            Some(tail) if tail.version > version => tail.row = tail.row.max(version),
            _ => drop(self.tables.remove(&table)),
        }
        // A start may have left half a million.
        let kept = self.tables.len() * 2 + ROOM_KEPT;
        if self.tables.capacity() > kept * 4 {
            self.tables.shrink_to(kept);
        }
    }

    /// The journal was trimmed, and still has this version of a table, because the
    /// row, read back, is of an older one.
    pub(crate) fn stranded(
        &mut self,
        Stranded {
            table,
            version,
            row,
        }: Stranded,
    ) {
        if !self.tables.contains_key(&table) {
            tracing::error!(%table, version, row, "a row does not have what was written to it");
            self.found(table, version, row);
        }
    }
}

/// A table with a record in the journal that is as old as those that were trimmed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Stranded {
    pub(crate) table: TableId,
    /// The newest version in the journal.
    pub(crate) version: u32,
    /// The version of its row.
    pub(crate) row: u32,
}

/// The last first: so that the first are split off.
pub(crate) fn last_first(tables: impl IntoIterator<Item = TableId>) -> Vec<TableId> {
    let mut tables: Vec<TableId> = tables.into_iter().collect();
    tables.sort_unstable_by(|a, b| b.cmp(a));
    tables
}

impl Newest {
    /// What is listed of a table whose row says this.
    pub(crate) fn over(self, row: Stored) -> Stored {
        match self {
            Newest::Snapshot(after) => after.row().into(),
            Newest::Row | Newest::RowAndJournal => row,
        }
    }
}

/// What a row that is behind says of its deadline counts for nothing. Those are
/// sorted by [`last_first`].
pub(crate) fn unknown(due: &mut [Due], behind: &[TableId]) {
    let is_behind = |table: &TableId| behind.binary_search_by(|b| table.cmp(b)).is_ok();
    for due in due {
        if is_behind(&due.table) {
            due.at = Some(Timestamp(0));
        }
    }
}
