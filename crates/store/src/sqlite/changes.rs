//! One transaction of the writer: changes of tables, and other short writes.

use chess::Timestamp;
use rusqlite::{CachedStatement, Connection};

use super::fault::Fault;
use super::queue::{Commit, Op, Task};
use super::values::{At, int};
use super::versions::Versions;
use super::{keys, meta, rows};
use crate::{Change, Committed, Done, Error, Written};

const JOURNAL: &str =
    "INSERT INTO journal (seq, table_id, version, at, payload) VALUES (?1, ?2, ?3, ?4, ?5)";

/// What each submitter is told once the transaction is durable.
pub(super) enum Ending {
    Commit(Done<Committed>, Result<Committed, Error>),
    Task(Box<dyn Task>, Result<(), Error>),
}

/// A transaction that is being filled.
pub(super) struct Batch<'a> {
    db: &'a Connection,
    versions: &'a mut Versions,
    seq: &'a mut u64,
    journal: CachedStatement<'a>,
    /// The latest change among those that leave no trace in the journal.
    row_at: Option<Timestamp>,
}

impl<'a> Batch<'a> {
    pub(super) fn begin(
        db: &'a Connection,
        versions: &'a mut Versions,
        seq: &'a mut u64,
    ) -> Result<Batch<'a>, rusqlite::Error> {
        db.execute_batch("BEGIN IMMEDIATE")?;
        Ok(Batch {
            db,
            versions,
            seq,
            journal: db.prepare_cached(JOURNAL)?,
            row_at: None,
        })
    }

    /// Carries out one operation and notes how it ended.
    ///
    /// # Errors
    /// The transaction is lost, with everything in it.
    pub(super) fn carry_out(
        &mut self,
        op: Op,
        endings: &mut Vec<Ending>,
    ) -> Result<(), rusqlite::Error> {
        match op {
            Op::Commit(Commit { change, done, .. }) => {
                let (result, lost) = sorted(self.change(&change));
                endings.push(Ending::Commit(done, result));
                lost
            }
            Op::Task(mut task) => {
                let (result, lost) = sorted(alone(self.db, || task.run(self.db)));
                endings.push(Ending::Task(task, result));
                lost
            }
        }
    }

    /// Makes everything in it durable.
    pub(super) fn commit(self) -> Result<(), rusqlite::Error> {
        if let Some(at) = self.row_at {
            meta::raise(self.db, meta::ALIVE_AT, at.0)?;
        }
        drop(self.journal);
        self.db.execute_batch("COMMIT")
    }

    fn change(&mut self, change: &Change) -> Result<Committed, Fault> {
        if !self.is_next(change)? {
            return Err(Error::Conflict.into());
        }
        if let Some(remembered) = &change.remember
            && keys::is_used(self.db, remembered)?
        {
            return Err(Error::Conflict.into());
        }
        *self.seq += 1;
        let seq = *self.seq;
        match &change.written {
            Written::Journal => {
                self.journal.execute((
                    int(seq),
                    change.table,
                    change.version,
                    At(change.at),
                    &change.payload,
                ))?;
            }
            Written::Row(row) => {
                debug_assert_eq!((row.table, row.version), (change.table, change.version));
                if !rows::write(self.db, row)? {
                    return Err(Error::Conflict.into());
                }
                self.row_at = self.row_at.max(Some(change.at));
            }
        }
        if let Some(remembered) = &change.remember {
            keys::remember(self.db, remembered)?;
        }
        match &change.written {
            Written::Row(row) if row.summary.state == "COMPLETED" => {
                self.versions.forget(change.table)
            }
            _ => self.versions.record(change.table, change.version, seq),
        }
        Ok(Committed { seq })
    }

    /// Whether it is the table's next change. A journal with a gap could not be
    /// replayed; a whole row may skip.
    fn is_next(&self, change: &Change) -> Result<bool, rusqlite::Error> {
        let known = self.versions.of(change.table);
        Ok(match (&change.written, known) {
            (Written::Row(_), Some(version)) => change.version > version,
            // Writing the row will tell.
            (Written::Row(_), None) => true,
            (Written::Journal, Some(version)) => Some(change.version) == version.checked_add(1),
            (Written::Journal, None) => rows::version(self.db, change.table)?
                .is_some_and(|version| Some(change.version) == version.checked_add(1)),
        })
    }
}

/// What to tell the one who asked, and whether everybody else is lost too.
fn sorted<T>(result: Result<T, Fault>) -> (Result<T, Error>, Result<(), rusqlite::Error>) {
    match result.map_err(Fault::judge) {
        Ok(value) => (Ok(value), Ok(())),
        Err(Ok(refused)) => (Err(refused), Ok(())),
        Err(Err(lost)) => (Err(super::fault::told(&lost)), Err(lost)),
    }
}

/// Runs something so that its failure takes back what it wrote, and only that.
pub(super) fn alone<T>(
    db: &Connection,
    run: impl FnOnce() -> Result<T, Fault>,
) -> Result<T, Fault> {
    db.prepare_cached("SAVEPOINT alone")?.execute(())?;
    let result = run();
    if result.is_err() {
        if db.is_autocommit() {
            // A full disk ends the whole transaction; there is nothing to go back to.
            return result;
        }
        db.prepare_cached("ROLLBACK TO alone")?.execute(())?;
    }
    db.prepare_cached("RELEASE alone")?.execute(())?;
    result
}
