//! Tables: committing, loading, finding.

use chess::Timestamp;
use chess::table::{MoveRow, Outage, PlayerId};

use super::{Backend, Store};
use crate::postgres;
use crate::sqlite::{keys, lists, loading, rows, upkeep};
use crate::{
    Change, Cursor, Done, Due, Error, ListQuery, Listed, Past, Remembered, Row, Stored, StoredRow,
    TableId, Upcoming,
};

impl Store {
    /// Makes one change durable, with all that is written with it. Whatever is
    /// waiting goes together; the callbacks of one table's commits are called in
    /// the order of asking.
    ///
    /// Told [`Error::Conflict`] if the table is of another version than expected,
    /// or the join code or idempotency key was taken; [`Error::Unavailable`] if it
    /// is unknown whether the change took place.
    pub fn commit(&self, change: Change, done: Done<()>) {
        match &self.backend {
            Backend::Sqlite(sqlite) => sqlite.commit(change, done),
            Backend::Postgres(postgres) => postgres.commit(change, done),
            Backend::Memory(memory) => memory.commit(change, done),
        }
    }

    /// Reads a table as the last durable change left it; never waits for writes.
    pub fn load(&self, table: TableId, done: Done<Option<Stored>>) {
        match &self.backend {
            Backend::Sqlite(sqlite) => sqlite.load(table, done),
            Backend::Postgres(postgres) => postgres.load(table, done),
            Backend::Memory(memory) => memory.load(table, done),
        }
    }

    /// Does now what the store would do in its own time, so that the next start
    /// has less to do. Told when it is done.
    pub fn tidy(&self, done: Done<()>) {
        match &self.backend {
            Backend::Sqlite(sqlite) => sqlite.tidy(done),
            Backend::Postgres(postgres) => postgres.tidy(done),
            Backend::Memory(memory) => memory.tidy(done),
        }
    }

    /// Notes that the server was up at that moment.
    pub fn heartbeat(&self, at: Timestamp, done: Done<()>) {
        match &self.backend {
            Backend::Sqlite(sqlite) => sqlite.heartbeat(at, done),
            Backend::Postgres(pg) => {
                pg.ask_then(
                    move |db| async move { postgres::upkeep::heartbeat(&db, at).await },
                    done,
                );
            }
            Backend::Memory(memory) => memory.heartbeat(at, done),
        }
    }

    /// What happened before this start.
    ///
    /// # Errors
    /// Why it cannot be read.
    pub async fn past(&self) -> Result<Past, Error> {
        match &self.backend {
            Backend::Sqlite(sqlite) => sqlite.read(loading::past).await,
            Backend::Postgres(pg) => {
                pg.ask(|db| async move { postgres::loading::past(&db).await })
                    .await
            }
            Backend::Memory(memory) => memory.with(|state| state.past()),
        }
    }

    /// Every table that is not over, in the order of their ids.
    ///
    /// # Errors
    /// Why it cannot be read.
    pub async fn due(&self) -> Result<Vec<Due>, Error> {
        match &self.backend {
            Backend::Sqlite(sqlite) => sqlite.due().await,
            Backend::Postgres(pg) => pg.due().await,
            Backend::Memory(memory) => memory.due(),
        }
    }

    /// Tables that are not over and must be looked at before that moment: a page, the
    /// earliest first, of at most `limit` rows after the given one, and with the first
    /// page whatever only the journal knows of.
    pub fn due_before(
        &self,
        before: Timestamp,
        after: Option<(Timestamp, TableId)>,
        limit: u32,
        done: Done<Upcoming>,
    ) {
        match &self.backend {
            Backend::Sqlite(sqlite) => sqlite.due_before(before, after, limit, done),
            Backend::Postgres(pg) => pg.due_before(before, after, limit, done),
            Backend::Memory(memory) => memory.due_before(before, after, limit, done),
        }
    }

    /// Notes a time in which the server was down or its store refused changes.
    /// It takes in those that began within it; those of more than 400 days ago
    /// are forgotten.
    ///
    /// # Errors
    /// Why it may not be durable.
    pub async fn note_outage(&self, outage: Outage) -> Result<(), Error> {
        match &self.backend {
            Backend::Sqlite(sqlite) => {
                sqlite
                    .write(move |db| upkeep::note_outage(db, outage))
                    .await
            }
            Backend::Postgres(pg) => {
                pg.ask(move |mut db| async move {
                    postgres::upkeep::note_outage(&mut db, outage).await
                })
                .await
            }
            Backend::Memory(memory) => memory.with(|state| state.note_outage(outage)),
        }
    }

    /// [`Store::note_outage`] for those who cannot wait.
    pub fn note_outage_then(&self, outage: Outage, done: Done<()>) {
        match &self.backend {
            Backend::Sqlite(sqlite) => {
                sqlite.write_then(move |db| upkeep::note_outage(db, outage), done);
            }
            Backend::Postgres(pg) => pg.ask_then(
                move |mut db| async move { postgres::upkeep::note_outage(&mut db, outage).await },
                done,
            ),
            Backend::Memory(memory) => memory.note_outage_then(outage, done),
        }
    }

    /// Tables that are not over and whose rows had a deadline before `before`,
    /// the longest overdue first, at most `limit`. A row may be behind.
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
            Backend::Postgres(pg) => {
                pg.ask(move |db| async move { postgres::lists::overdue(&db, before, limit).await })
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
        if let Some(list) = self.replica_list(&query).await {
            return Ok(list);
        }
        match &self.backend {
            Backend::Sqlite(sqlite) => sqlite.read(move |db| lists::list(db, &query)).await,
            Backend::Postgres(pg) => {
                pg.ask(move |db| async move { postgres::lists::list(&db, &query).await })
                    .await
            }
            Backend::Memory(memory) => memory.with(|state| state.list(&query)),
        }
    }

    /// A page of a list together with its tables, in one look. What lists must show
    /// is there at once; right after a start a table may be an earlier version else.
    ///
    /// # Errors
    /// Why it cannot be read.
    pub async fn page(&self, query: ListQuery) -> Result<Vec<Listed>, Error> {
        if let Some(page) = self.replica_page(&query).await {
            return Ok(page);
        }
        match &self.backend {
            Backend::Sqlite(sqlite) => sqlite.page(query).await,
            Backend::Postgres(pg) => {
                pg.ask(move |db| async move { postgres::lists::page(&db, &query).await })
                    .await
            }
            Backend::Memory(memory) => memory.page(&query),
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
            Backend::Postgres(pg) => {
                let code = code.to_owned();
                pg.ask(move |db| async move { postgres::lists::by_join_code(&db, &code).await })
                    .await
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
            Backend::Postgres(pg) => {
                pg.ask(
                    move |db| async move { postgres::lists::count_unfinished(&db, player).await },
                )
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
            Backend::Postgres(pg) => {
                let key = key.to_owned();
                pg.ask(move |db| async move {
                    postgres::keys::remembered(&db, account, &key, now).await
                })
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
            Backend::Postgres(pg) => {
                pg.ask(
                    move |db| async move { postgres::lists::each_table(&db, after, limit).await },
                )
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
            Backend::Postgres(pg) => {
                pg.ask(move |db| async move { postgres::lists::moves_of(&db, table).await })
                    .await
            }
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
            Backend::Postgres(pg) => {
                pg.ask(move |mut db| async move { postgres::rows::replace(&mut db, &row).await })
                    .await
            }
            Backend::Memory(memory) => memory.with(|state| state.replace(row)),
        }
    }
}
