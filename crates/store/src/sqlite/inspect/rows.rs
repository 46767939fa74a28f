//! Tables' rows, as many of them as can be read.

use std::collections::BTreeSet;

use rusqlite::{Connection, OptionalExtension, Row as SqlRow};

use super::super::lists::{STORED_COLUMNS, stored_row};
use super::super::rows::invited_to;
use super::super::values::int;
use crate::{Flaw, RowPage, StoredRow, TableId};

/// Rows after the given one, in the order of their ids.
pub(crate) fn page(db: &Connection, after: Option<TableId>, limit: u32) -> RowPage {
    let mut looked = Looked {
        page: RowPage::default(),
        start: after.map_or(-1, |id| int(id.number())),
        left: limit,
        seen: BTreeSet::new(),
        last: None,
    };
    let way = looked.in_order(db);
    if looked.left > 0 {
        looked.by_index(db, way.err());
    }
    looked.page.looked_at = looked.seen.len() as u64;
    looked.page.next = looked.last.filter(|_| looked.left == 0);
    looked.page
}

/// One table's row.
pub(crate) fn one(db: &Connection, table: TableId) -> Result<Option<StoredRow>, rusqlite::Error> {
    db.prepare_cached(&format!(
        "SELECT {STORED_COLUMNS} FROM tables WHERE id = ?1"
    ))?
    .query_row((table,), |r| whole(db, r))
    .optional()
}

fn whole(db: &Connection, r: &SqlRow<'_>) -> Result<StoredRow, rusqlite::Error> {
    let mut row = stored_row(r)?;
    row.summary.invited = invited_to(db, row.table)?;
    Ok(row)
}

/// A page that is being filled.
struct Looked {
    page: RowPage,
    /// The number after which it begins.
    start: i64,
    left: u32,
    seen: BTreeSet<TableId>,
    last: Option<TableId>,
}

impl Looked {
    fn in_order(&mut self, db: &Connection) -> Result<(), rusqlite::Error> {
        let mut select = db.prepare_cached(&format!(
            "SELECT {STORED_COLUMNS} FROM tables WHERE id > ?1 AND id <= ?2 ORDER BY id LIMIT ?3"
        ))?;
        let mut rows = select.query((self.start, TableId::MAX, self.left))?;
        while let Some(r) = rows.next()? {
            let table = r.get(0)?;
            self.note(table, whole(db, r).map(Some));
        }
        Ok(())
    }

    /// Looks at what walking over the rows did not reach. It ends at a damaged
    /// page of the file, and also, without a word, at an id that was overwritten
    /// with a larger one. An index knows all ids; rows on other pages are found.
    fn by_index(&mut self, db: &Connection, stopped: Option<rusqlite::Error>) {
        let ids = match self.indexed(db) {
            Ok(ids) => ids,
            Err(error) => {
                if let Some(why) = stopped {
                    let last = self
                        .last
                        .map_or("the first".to_owned(), |last| last.to_string());
                    self.tell(
                        "tables",
                        format!("rows from {last} on cannot be read: {why}"),
                    );
                }
                return self.tell(
                    "tables",
                    format!("the index of their ids cannot be read: {error}"),
                );
            }
        };
        for table in ids {
            if self.left == 0 {
                return;
            }
            if !self.seen.contains(&table) {
                self.note(table, one(db, table));
            }
        }
    }

    fn indexed(&self, db: &Connection) -> Result<Vec<TableId>, rusqlite::Error> {
        let mut ids: Vec<TableId> = db
            .prepare_cached(
                "SELECT id FROM tables INDEXED BY tables_by_state WHERE id > ?1 AND id <= ?2",
            )?
            .query_map((self.start, TableId::MAX), |r| r.get(0))?
            .collect::<Result<_, _>>()?;
        ids.sort_unstable();
        Ok(ids)
    }

    fn note(&mut self, table: TableId, row: Result<Option<StoredRow>, rusqlite::Error>) {
        self.left -= 1;
        self.seen.insert(table);
        self.last = Some(table);
        match row {
            Ok(Some(row)) => self.page.rows.push(row),
            Ok(None) => self.tell(table, "an index names it, but it has no row".to_owned()),
            Err(error) => self.tell(table, format!("its row cannot be read: {error}")),
        }
    }

    fn tell(&mut self, about: impl ToString, what: String) {
        self.page.flaws.push(Flaw::new(about.to_string(), what));
    }
}
