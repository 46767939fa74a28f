//! One transaction of the writer: changes of tables, and other short writes.

use std::panic::{AssertUnwindSafe, catch_unwind};

use chess::Timestamp;
use chess::table::State;
use rusqlite::{CachedStatement, Connection, ffi};

use super::fault::Fault;
use super::queue::{Commit, Op, Task};
use super::values::{At, int};
use super::versions::Versions;
use super::{keys, meta, outbox, ratings, rows, tickets};
use crate::{Change, Done, Error, Row};

const JOURNAL: &str =
    "INSERT INTO journal (seq, table_id, version, at, payload) VALUES (?1, ?2, ?3, ?4, ?5)";

/// What each submitter is told once the transaction is durable.
pub(super) enum Ending {
    Commit(Done<()>, Result<(), Error>),
    Task(Box<dyn Task>, Result<(), Error>),
}

/// A change that is durable once the transaction is.
pub(super) struct Noted {
    pub(super) change: Change,
    /// Whether it is a row, or a record of the journal.
    pub(super) is_row: bool,
}

/// A transaction that is being filled.
pub(super) struct Batch<'a> {
    db: &'a Connection,
    versions: &'a mut Versions,
    seq: &'a mut u64,
    journal: CachedStatement<'a>,
    /// The latest change among those that leave no trace in the journal.
    row_at: Option<Timestamp>,
    noted: Vec<Noted>,
    /// Whether every row has a savepoint: see [`Writer`](super::writer::Writer).
    is_careful: bool,
}

impl<'a> Batch<'a> {
    pub(super) fn begin(
        db: &'a Connection,
        versions: &'a mut Versions,
        seq: &'a mut u64,
        is_careful: bool,
    ) -> Result<Batch<'a>, rusqlite::Error> {
        db.execute_batch("BEGIN IMMEDIATE")?;
        Ok(Batch {
            db,
            versions,
            seq,
            journal: db.prepare_cached(JOURNAL)?,
            row_at: None,
            noted: Vec::new(),
            is_careful,
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
            Op::Commit(Commit {
                change, row, done, ..
            }) => {
                // It has no savepoint to go back to, so its panic costs the transaction.
                let change_it = || self.change(&change, row.as_deref());
                let (result, lost) = sorted(caught(change_it, || panicked().into()));
                let is_row = row.is_some();
                let result = result.map(|()| self.noted.push(Noted { change, is_row }));
                endings.push(Ending::Commit(done, result));
                lost
            }
            Op::Task(mut task) => {
                let refused = || Error::Unavailable("the write panicked".into()).into();
                let run = || caught(|| task.run(self.db), refused);
                let (result, lost) = sorted(alone(self.db, run));
                endings.push(Ending::Task(task, result));
                lost
            }
        }
    }

    /// Makes everything in it durable; the changes among it.
    pub(super) fn commit(self) -> Result<Vec<Noted>, rusqlite::Error> {
        if let Some(at) = self.row_at {
            meta::raise(self.db, meta::ALIVE_AT, at.0)?;
        }
        drop(self.journal);
        self.db.execute_batch("COMMIT")?;
        Ok(self.noted)
    }

    /// Writes a change as the row, or as a record of the journal.
    fn change(&mut self, change: &Change, row: Option<&Row>) -> Result<(), Fault> {
        if self.version(change)? != change.expected {
            return Err(Error::Conflict.into());
        }
        if let Some(remembered) = &change.remember
            && keys::is_used(self.db, remembered)?
        {
            return Err(Error::Conflict.into());
        }
        if let Some(begins) = &change.begins
            && !tickets::may_begin(self.db, change.table, begins)?
        {
            return Err(Error::Conflict.into());
        }
        *self.seq += 1;
        let seq = *self.seq;
        match row {
            None => {
                self.journal.execute((
                    int(seq),
                    change.table,
                    change.version,
                    At(change.at),
                    &change.payload,
                ))?;
                outbox::tell_all(self.db, change)?;
            }
            Some(row) => {
                debug_assert_eq!((row.table, row.version), (change.table, change.version));
                let write = || written(self.db, change, row);
                // Ratings have much that may be refused.
                let is_written = match self.is_careful || change.rates.is_some() {
                    true => alone(self.db, write)?,
                    false => write()?,
                };
                if !is_written {
                    return Err(Error::Conflict.into());
                }
                self.row_at = self.row_at.max(Some(change.at.min(change.asked)));
            }
        }
        if let Some(remembered) = &change.remember {
            keys::remember(self.db, remembered)?;
        }
        if let Some(begins) = &change.begins {
            tickets::began(self.db, change.table, begins, change.asked)?;
        }
        match row {
            Some(row) if row.summary.state == State::Completed => {
                self.versions.forget(change.table)
            }
            _ => self.versions.record(change.table, change.version, seq),
        }
        Ok(())
    }

    /// The version the table has; 0 if there is none.
    fn version(&self, change: &Change) -> Result<u32, rusqlite::Error> {
        match self.versions.of(change.table) {
            Some(version) => Ok(version),
            None => Ok(rows::version(self.db, change.table)?.unwrap_or(0)),
        }
    }
}

/// Writes a row, what is told of it, and the ratings if it means anything for them.
/// Whether the row is newer than what is there.
fn written(db: &Connection, change: &Change, row: &Row) -> Result<bool, Fault> {
    if change.expected == 0 && change.rates.is_none() {
        // There is no row, or it would have another version.
        rows::write_first(db, row)?;
    } else if !rows::write(db, row)? {
        return Ok(false);
    }
    outbox::tell_all(db, change).map_err(Fault::Midway)?;
    if let Some(rates) = &change.rates {
        ratings::apply(db, change, rates)?;
    }
    Ok(true)
}

/// What to tell the one who asked, and whether everybody else is lost too.
fn sorted<T>(result: Result<T, Fault>) -> (Result<T, Error>, Result<(), rusqlite::Error>) {
    match result.map_err(Fault::judge) {
        Ok(value) => (Ok(value), Ok(())),
        Err(Ok(refused)) => (Err(refused), Ok(())),
        Err(Err(lost)) => (Err(super::fault::told(&lost)), Err(lost)),
    }
}

/// Runs something whose panic is a failure like others: it must not end the writing
/// of everybody else.
pub(super) fn caught<T, E>(
    run: impl FnOnce() -> Result<T, E>,
    failure: impl FnOnce() -> E,
) -> Result<T, E> {
    catch_unwind(AssertUnwindSafe(run)).unwrap_or_else(|_| {
        tracing::error!("a write of the store panicked");
        Err(failure())
    })
}

/// A panic as what SQLite says when it is broken: the transaction is lost.
pub(super) fn panicked() -> rusqlite::Error {
    let why = "a write of the store panicked".to_owned();
    rusqlite::Error::SqliteFailure(ffi::Error::new(ffi::SQLITE_INTERNAL), Some(why))
}

/// Runs something so that its failure takes back what it wrote, and only that.
pub(super) fn alone<T>(
    db: &Connection,
    run: impl FnOnce() -> Result<T, Fault>,
) -> Result<T, Fault> {
    db.prepare_cached("SAVEPOINT alone")?.execute(())?;
    let result = run();
    if result.is_err() {
        if db.is_autocommit() && matches!(result, Err(Fault::Sql(_) | Fault::Midway(_))) {
            // A full disk ends the whole transaction; there is nothing to go back to.
            return result;
        }
        // Without a transaction this fails, and so does everybody in it.
        db.prepare_cached("ROLLBACK TO alone")?.execute(())?;
    }
    db.prepare_cached("RELEASE alone")?.execute(())?;
    result.map_err(Fault::taken_back)
}
