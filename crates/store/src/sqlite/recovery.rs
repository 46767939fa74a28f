//! Bringing up to date, little by little, what the last run left in the journal.
//!
//! A reader looks through the journal for some tables and makes rows of them; once
//! the writer has written those, the next are looked for. Meanwhile whoever loads
//! such a table has it read from row and journal.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::Ordering;

use rusqlite::Connection;

use super::Shared;
use super::loading::{self, TABLES_MAX};
use super::queue::AskedFold;
use crate::{Error, Row, Stored, TableId, ToRow};

/// Begins, or tries again what could not be read; unless it is under way.
pub(super) fn go_on(shared: &Arc<Shared>) {
    let Some(to_row) = shared.upkeep.to_row.clone() else {
        return;
    };
    let left = shared.tails.unread();
    if !left.is_empty() && !shared.is_recovering.swap(true, Ordering::SeqCst) {
        Recovery { left, to_row }.read_some(shared);
    }
}

struct Recovery {
    /// The tables that are left, the last first.
    left: Vec<TableId>,
    to_row: ToRow,
}

impl Recovery {
    /// Has some of the tables read; if none is left, it is over.
    fn read_some(mut self, shared: &Arc<Shared>) {
        let rest = self.left.len().saturating_sub(TABLES_MAX);
        let tables = self.left.split_off(rest);
        if tables.is_empty() {
            return shared.is_recovering.store(false, Ordering::SeqCst);
        }
        let held = Arc::clone(shared);
        shared.reads.push(Box::new(move |db| {
            let read = db.and_then(|db| self.rows(db, &tables, &held));
            match read {
                Ok(()) => self.fold(&held),
                Err(error) => {
                    tracing::error!(%error, "the journal cannot be read");
                    held.is_recovering.store(false, Ordering::SeqCst);
                }
            }
        }));
    }

    fn rows(&self, db: &Connection, tables: &[TableId], shared: &Shared) -> Result<(), Error> {
        let found = loading::read_unfolded(db, tables.iter().copied());
        for (table, stored) in found.map_err(|fault| fault.into_error())? {
            let row = match stored {
                Ok(Some(stored)) => self.row(table, stored),
                Ok(None) => Err("it has no row".to_owned()),
                Err(error) => Err(error.to_string()),
            };
            match row {
                Ok(row) => {
                    let mut behind = shared.tails.of(table);
                    behind.read(table, row.version, Arc::new(row));
                }
                // It stays in the journal, and whoever loads it hears the same.
                Err(why) => tracing::error!(%table, why, "a table cannot be read from the journal"),
            }
        }
        Ok(())
    }

    /// One table whose rules panic must not keep back all others.
    fn row(&self, table: TableId, stored: Stored) -> Result<Row, String> {
        catch_unwind(AssertUnwindSafe(|| (self.to_row)(table, stored)))
            .unwrap_or_else(|_| Err("making its row panicked".to_owned()))
    }

    /// Has these rows written before the next are read: all at once they take as
    /// much memory as the games.
    fn fold(self, shared: &Arc<Shared>) {
        let held = Arc::clone(shared);
        shared.queue.fold(AskedFold {
            trims: self.left.is_empty(),
            done: Box::new(move |result| match result {
                Ok(()) | Err(Error::Corrupt(_)) => self.read_some(&held),
                Err(_) => held.is_recovering.store(false, Ordering::SeqCst),
            }),
        });
    }
}
