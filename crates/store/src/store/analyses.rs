//! Games that are gone through after their end.

use chess::Timestamp;

use super::{Backend, Store};
use crate::postgres;
use crate::sqlite::analyses;
use crate::{Analysis, AnalysisAsked, Error, NewAnalysis, TableId};

impl Store {
    /// Puts a game last in the line of those that are analysed, unless it is there or done,
    /// or too many are.
    ///
    /// # Errors
    /// Why it may not be durable.
    pub async fn ask_analysis(&self, new: NewAnalysis) -> Result<AnalysisAsked, Error> {
        match &self.backend {
            Backend::Sqlite(sqlite) => sqlite.write(move |db| analyses::ask(db, &new)).await,
            Backend::Postgres(pg) => {
                pg.ask(move |mut db| async move { postgres::analyses::ask(&mut db, &new).await })
                    .await
            }
            Backend::Memory(memory) => memory.with(|state| state.analyses.ask(&new)),
        }
    }

    /// The analysis of a game.
    ///
    /// # Errors
    /// Why it cannot be read.
    pub async fn analysis(&self, table: TableId) -> Result<Option<Analysis>, Error> {
        match &self.backend {
            Backend::Sqlite(sqlite) => sqlite.read(move |db| analyses::of(db, table)).await,
            Backend::Postgres(pg) => {
                pg.ask(move |db| async move { postgres::analyses::of(&db, table).await })
                    .await
            }
            Backend::Memory(memory) => memory.with(|state| state.analyses.of(table)),
        }
    }

    /// Those of these games whose analysis is done, in no particular order.
    ///
    /// # Errors
    /// Why it cannot be read.
    pub async fn analysed_among(&self, tables: &[TableId]) -> Result<Vec<TableId>, Error> {
        match &self.backend {
            Backend::Sqlite(sqlite) => {
                let tables = tables.to_vec();
                sqlite
                    .read(move |db| analyses::done_among(db, &tables))
                    .await
            }
            Backend::Postgres(pg) => {
                let tables = tables.to_vec();
                pg.ask(move |db| async move { postgres::analyses::done_among(&db, &tables).await })
                    .await
            }
            Backend::Memory(memory) => memory.with(|state| state.analyses.done_among(tables)),
        }
    }

    /// Takes the first that nobody is at, whichever node asks, until that moment. One that
    /// was begun too often without an end is forgotten instead.
    ///
    /// # Errors
    /// Why it may not be durable.
    pub async fn take_analysis(
        &self,
        now: Timestamp,
        until: Timestamp,
    ) -> Result<Option<Analysis>, Error> {
        match &self.backend {
            Backend::Sqlite(sqlite) => {
                sqlite
                    .write(move |db| analyses::take(db, now, until))
                    .await
            }
            Backend::Postgres(pg) => {
                pg.ask(move |mut db| async move {
                    postgres::analyses::take(&mut db, now, until).await
                })
                .await
            }
            Backend::Memory(memory) => memory.with(|state| state.analyses.take(now, until)),
        }
    }

    /// Says how far an attempt is, and until when it goes on; without such a moment it is
    /// given back. Whether it is still this attempt's.
    ///
    /// # Errors
    /// Why it may not be durable.
    pub async fn keep_analysis(
        &self,
        table: TableId,
        attempt: u32,
        until: Option<Timestamp>,
        done: u32,
    ) -> Result<bool, Error> {
        match &self.backend {
            Backend::Sqlite(sqlite) => {
                sqlite
                    .write(move |db| analyses::keep(db, table, attempt, until, done))
                    .await
            }
            Backend::Postgres(pg) => {
                pg.ask(move |db| async move {
                    postgres::analyses::keep(&db, table, attempt, until, done).await
                })
                .await
            }
            Backend::Memory(memory) => {
                memory.with(|state| state.analyses.keep(table, attempt, until, done))
            }
        }
    }

    /// Writes what came of an attempt, and forgets who wanted it. Whether it was still this
    /// attempt's.
    ///
    /// # Errors
    /// Why it may not be durable.
    pub async fn finish_analysis(
        &self,
        table: TableId,
        attempt: u32,
        result: String,
    ) -> Result<bool, Error> {
        match &self.backend {
            Backend::Sqlite(sqlite) => {
                sqlite
                    .write(move |db| analyses::finish(db, table, attempt, &result))
                    .await
            }
            Backend::Postgres(pg) => {
                pg.ask(move |db| async move {
                    postgres::analyses::finish(&db, table, attempt, &result).await
                })
                .await
            }
            Backend::Memory(memory) => {
                memory.with(|state| state.analyses.finish(table, attempt, result))
            }
        }
    }

    /// Nobody is at any of them: the only server that uses the store has just started.
    ///
    /// # Errors
    /// Why it may not be durable.
    pub async fn free_analyses(&self) -> Result<(), Error> {
        match &self.backend {
            Backend::Sqlite(sqlite) => sqlite.write(analyses::free).await,
            Backend::Postgres(pg) => {
                pg.ask(|db| async move { postgres::analyses::free(&db).await })
                    .await
            }
            Backend::Memory(memory) => memory.with(|state| state.analyses.free()),
        }
    }

    /// How many are not done.
    ///
    /// # Errors
    /// Why it cannot be read.
    pub async fn open_analyses(&self) -> Result<u64, Error> {
        match &self.backend {
            Backend::Sqlite(sqlite) => sqlite.read(analyses::open).await,
            Backend::Postgres(pg) => {
                pg.ask(|db| async move { postgres::analyses::open(&db).await })
                    .await
            }
            Backend::Memory(memory) => memory.with(|state| state.analyses.open()),
        }
    }
}
