//! Tables: committing, loading, folding, finding.

use chess::Timestamp;
use chess::table::{MoveRow, Outage, PlayerId};

use super::{Backend, Store};
use crate::sqlite::{keys, lists, rows};
use crate::{
    Change, Committed, Cursor, Done, Error, Folded, JournalRecord, ListQuery, Recovery, Remembered,
    Row, Stored, StoredRow, TableId,
};

impl Store {
    /// Makes one change durable. Whatever is waiting goes into one transaction;
    /// the callbacks of commits are called in the order of `Committed::seq`,
    /// which is the order of asking.
    ///
    /// Told [`Error::Conflict`] if the table has that version, or the join code
    /// or idempotency key was taken; [`Error::Unavailable`] if it is unknown
    /// whether the change took place.
    pub fn commit(&self, change: Change, done: Done<Committed>) {
        match &self.backend {
            Backend::Sqlite(sqlite) => sqlite.commit(change, done),
            Backend::Memory(memory) => memory.commit(change, done),
        }
    }

    /// Reads a table; never waits for writes. With `unfolded` the journal is
    /// searched for what the row does not have yet, which is slow: for tables
    /// whose last changes may be there alone.
    pub fn load(&self, table: TableId, unfolded: bool, done: Done<Option<Stored>>) {
        match &self.backend {
            Backend::Sqlite(sqlite) => sqlite.load(table, unfolded, done),
            Backend::Memory(memory) => memory.load(table, unfolded, done),
        }
    }

    /// Writes rows in between commits, a few at a time and in the order of
    /// their ids; a row that is not newer than what is there is passed over.
    /// Once all are durable, the journal up to and including `trim` is deleted,
    /// but no record whose table's row, read back, is of an older version.
    pub fn fold(&self, rows: Vec<Row>, trim: Option<u64>, done: Done<Folded>) {
        match &self.backend {
            Backend::Sqlite(sqlite) => sqlite.fold(rows, trim, done),
            Backend::Memory(memory) => memory.fold(rows, trim, done),
        }
    }

    /// Notes that the server was up at that moment.
    pub fn heartbeat(&self, at: Timestamp, done: Done<()>) {
        match &self.backend {
            Backend::Sqlite(sqlite) => sqlite.heartbeat(at, done),
            Backend::Memory(memory) => memory.heartbeat(at, done),
        }
    }

    /// Everything a start must know. Blocks.
    ///
    /// # Errors
    /// Why it cannot be read.
    pub fn recover(&self) -> Result<Recovery, Error> {
        match &self.backend {
            Backend::Sqlite(sqlite) => sqlite.recover(),
            Backend::Memory(memory) => memory.with(|state| state.recover()),
        }
    }

    /// The changes that are in no row yet, in the order they were accepted.
    /// Some may be: those a fold had written before it could trim. Blocks; for
    /// tools and tests, since there may be millions.
    ///
    /// # Errors
    /// Why it cannot be read.
    pub fn journal(&self) -> Result<Vec<JournalRecord>, Error> {
        match &self.backend {
            Backend::Sqlite(sqlite) => sqlite.journal(),
            Backend::Memory(memory) => memory.with(|state| state.journal()),
        }
    }

    /// Notes a time in which the server was down or its store refused changes.
    /// It takes in those that began within it; those of more than 400 days ago
    /// are forgotten. Blocks until it is durable.
    ///
    /// # Errors
    /// Why it may not be durable.
    pub fn note_outage(&self, outage: Outage) -> Result<(), Error> {
        match &self.backend {
            Backend::Sqlite(sqlite) => sqlite.note_outage(outage),
            Backend::Memory(memory) => memory.with(|state| state.note_outage(outage)),
        }
    }

    /// [`Store::note_outage`] for those who cannot wait.
    pub fn note_outage_then(&self, outage: Outage, done: Done<()>) {
        match &self.backend {
            Backend::Sqlite(sqlite) => sqlite.note_outage_then(outage, done),
            Backend::Memory(memory) => memory.note_outage_then(outage, done),
        }
    }

    /// Tables that are not over and whose rows had a deadline before `before`,
    /// the longest overdue first, at most `limit`. A change that is in the
    /// journal alone may have moved it.
    ///
    /// # Errors
    /// Why it cannot be read.
    pub async fn overdue(&self, before: Timestamp, limit: u32) -> Result<Vec<TableId>, Error> {
        match &self.backend {
            Backend::Sqlite(sqlite) => {
                sqlite
                    .read(move |db| lists::overdue(db, before, limit))
                    .await
            }
            Backend::Memory(memory) => memory.with(|state| state.overdue(before, limit)),
        }
    }

    /// A page of a list: places, newest first. The last of them is where the
    /// next page begins; tables made meanwhile do not shift it.
    ///
    /// # Errors
    /// Why it cannot be read.
    pub async fn list(&self, query: ListQuery) -> Result<Vec<Cursor>, Error> {
        match &self.backend {
            Backend::Sqlite(sqlite) => sqlite.read(move |db| lists::list(db, &query)).await,
            Backend::Memory(memory) => memory.with(|state| state.list(&query)),
        }
    }

    /// The table that a friend with that code is led to.
    ///
    /// # Errors
    /// Why it cannot be read.
    pub async fn by_join_code(&self, code: &str) -> Result<Option<TableId>, Error> {
        match &self.backend {
            Backend::Sqlite(sqlite) => {
                let code = code.to_owned();
                sqlite.read(move |db| lists::by_join_code(db, &code)).await
            }
            Backend::Memory(memory) => memory.with(|state| state.by_join_code(code)),
        }
    }

    /// How many tables that are not over somebody made or sits at. One they
    /// were only asked to join does not count.
    ///
    /// # Errors
    /// Why it cannot be read.
    pub async fn count_unfinished(&self, player: PlayerId) -> Result<u32, Error> {
        match &self.backend {
            Backend::Sqlite(sqlite) => {
                sqlite
                    .read(move |db| lists::count_unfinished(db, player))
                    .await
            }
            Backend::Memory(memory) => memory.with(|state| state.count_unfinished(player)),
        }
    }

    /// The answer kept under an idempotency key, for a day.
    ///
    /// # Errors
    /// Why it cannot be read.
    pub async fn remembered(
        &self,
        account: PlayerId,
        key: &str,
        now: Timestamp,
    ) -> Result<Option<Remembered>, Error> {
        match &self.backend {
            Backend::Sqlite(sqlite) => {
                let key = key.to_owned();
                sqlite
                    .read(move |db| keys::remembered(db, account, &key, now))
                    .await
            }
            Backend::Memory(memory) => memory.with(|state| state.remembered(account, key, now)),
        }
    }

    /// Rows as they are stored, in the order of their ids, after the given one.
    ///
    /// # Errors
    /// Why they cannot be read.
    pub async fn each_table(
        &self,
        after: Option<TableId>,
        limit: u32,
    ) -> Result<Vec<StoredRow>, Error> {
        match &self.backend {
            Backend::Sqlite(sqlite) => {
                sqlite
                    .read(move |db| lists::each_table(db, after, limit))
                    .await
            }
            Backend::Memory(memory) => memory.with(|state| state.each_table(after, limit)),
        }
    }

    /// The moves one by one, as stored when the table's game was over.
    ///
    /// # Errors
    /// Why they cannot be read.
    pub async fn moves_of(&self, table: TableId) -> Result<Vec<MoveRow>, Error> {
        match &self.backend {
            Backend::Sqlite(sqlite) => sqlite.read(move |db| lists::moves_of(db, table)).await,
            Backend::Memory(memory) => memory.with(|state| state.moves_of(table)),
        }
    }

    /// Writes a row and its moves whatever is there: for repair.
    ///
    /// # Errors
    /// Why it may not be durable.
    pub async fn replace_row(&self, row: Row) -> Result<(), Error> {
        match &self.backend {
            Backend::Sqlite(sqlite) => sqlite.write(move |db| rows::replace(db, &row)).await,
            Backend::Memory(memory) => memory.with(|state| state.replace(row)),
        }
    }
}
