//! Looking at everything that is stored, without changing any of it.

use chess::Timestamp;
use chess::table::MoveRow;
use rusqlite::Connection;

use crate::memory::Memory;
use crate::postgres::{self, Postgres};
use crate::sqlite::inspect::{self, Alone};
use crate::sqlite::{Sqlite, fault::Fault, lists};
use crate::{Error, FileReport, FlawPage, JournalRecords, RowPage, StoredRow, TableId};

/// Looks for damage. What it cannot read it reports, and goes on with the rest:
/// its errors are those of a store that is closing, never those of bad data.
#[derive(Clone)]
pub struct Inspector {
    source: Source,
}

#[derive(Clone)]
enum Source {
    /// A store in use: its readers look, a page at a time.
    Store(Sqlite),
    /// A file that nobody uses, which may be too damaged to be used.
    Alone(Alone),
    /// A database that has its own ways to find damaged pages.
    Postgres(Postgres),
    /// Nothing can be wrong with what no disk has seen.
    Memory(Memory),
}

impl Inspector {
    /// Opens a database that no server uses, for reading only. One of an older
    /// release is brought up to date first.
    ///
    /// # Errors
    /// [`Error::Unavailable`] if it is not there, in use, or no database at all.
    pub fn open(url: &str) -> Result<Inspector, Error> {
        if crate::store::is_postgres(url) {
            return Ok(Inspector::of_postgres(Postgres::open(url)?));
        }
        let path = crate::store::sqlite_path(url)?;
        Ok(Inspector {
            source: Source::Alone(Alone::open(&path)?),
        })
    }

    pub(crate) fn of_sqlite(sqlite: Sqlite) -> Inspector {
        Inspector {
            source: Source::Store(sqlite),
        }
    }

    pub(crate) fn of_postgres(postgres: Postgres) -> Inspector {
        Inspector {
            source: Source::Postgres(postgres),
        }
    }

    pub(crate) fn of_memory(memory: Memory) -> Inspector {
        Inspector {
            source: Source::Memory(memory),
        }
    }

    /// What the database engine finds wrong with the file, and with the schema
    /// in it. Reads the whole file, on a connection of its own, and blocks.
    ///
    /// # Errors
    /// If the file cannot be opened.
    pub fn file(&self) -> Result<FileReport, Error> {
        match &self.source {
            Source::Store(sqlite) => sqlite.inspect_file(),
            Source::Alone(alone) => Ok(alone.inspect_file()),
            Source::Postgres(_) | Source::Memory(_) => Ok(FileReport::default()),
        }
    }

    /// Rows as they are stored, after the given one. A row that cannot be read
    /// is named, and keeps no other from being looked at.
    ///
    /// # Errors
    /// If the store is closing.
    pub async fn rows(&self, after: Option<TableId>, limit: u32) -> Result<RowPage, Error> {
        if let Source::Memory(memory) = &self.source {
            let rows = memory.with(|state| state.each_table(after, limit))?;
            let is_full = rows.len() >= limit as usize;
            return Ok(RowPage {
                looked_at: rows.len() as u64,
                next: rows.last().map(|row| row.table).filter(|_| is_full),
                rows,
                flaws: Vec::new(),
            });
        }
        if let Source::Postgres(pg) = &self.source {
            let rows = move |db| async move { postgres::inspect::rows(&db, after, limit).await };
            return pg.ask(rows).await;
        }
        self.look(move |db| Ok(inspect::rows::page(db, after, limit)))
            .await
    }

    /// One table's row; `None` if there is none.
    ///
    /// # Errors
    /// Why it cannot be read.
    pub async fn row(&self, table: TableId) -> Result<Option<StoredRow>, Error> {
        if let Source::Memory(memory) = &self.source {
            let before = table.number().checked_sub(1).and_then(TableId::from_number);
            let rows = memory.with(|state| state.each_table(before, 1))?;
            return Ok(rows.into_iter().find(|row| row.table == table));
        }
        if let Source::Postgres(pg) = &self.source {
            let row = move |db| async move { postgres::inspect::row(&db, table).await };
            return pg.ask(row).await;
        }
        self.look(move |db| Ok(inspect::rows::one(db, table)?))
            .await
    }

    /// The moves one by one, as stored when the table's game was over.
    ///
    /// # Errors
    /// Why they cannot be read.
    pub async fn moves_of(&self, table: TableId) -> Result<Vec<MoveRow>, Error> {
        if let Source::Memory(memory) = &self.source {
            return memory.with(|state| state.moves_of(table));
        }
        if let Source::Postgres(pg) = &self.source {
            let moves = move |db| async move { postgres::lists::moves_of(&db, table).await };
            return pg.ask(moves).await;
        }
        self.look(move |db| lists::moves_of(db, table)).await
    }

    /// Looks at some rows of everything that refers to something else: that what
    /// they refer to is there, and says the same. Begins at the beginning, or
    /// where an earlier page ended. `now` tells which times cannot have come yet.
    ///
    /// `None` if `after` is no such place.
    ///
    /// # Errors
    /// If the store is closing.
    pub async fn references(
        &self,
        after: Option<String>,
        limit: u32,
        now: Timestamp,
    ) -> Result<Option<FlawPage>, Error> {
        if let Source::Memory(_) = &self.source {
            return Ok(Some(FlawPage::default()));
        }
        if let Source::Postgres(pg) = &self.source {
            let look = move |mut db| async move {
                postgres::inspect::references(&mut db, after.as_deref(), limit).await
            };
            return pg.ask_patiently(look).await;
        }
        self.look(move |db| Ok(inspect::walk::page(db, after.as_deref(), limit, now)))
            .await
    }

    /// The whole journal, of one moment.
    ///
    /// # Errors
    /// If the store is closing.
    pub async fn journal(&self, now: Timestamp) -> Result<JournalRecords, Error> {
        if let Source::Memory(memory) = &self.source {
            return Ok(JournalRecords {
                records: memory.with(|state| state.journal())?,
                flaws: Vec::new(),
            });
        }
        if let Source::Postgres(_) = &self.source {
            return Ok(JournalRecords::default());
        }
        self.look(move |db| Ok(inspect::journal::records(db, now)))
            .await
    }

    async fn look<T: Send + 'static>(
        &self,
        run: impl FnOnce(&Connection) -> Result<T, Fault> + Send + 'static,
    ) -> Result<T, Error> {
        match &self.source {
            Source::Store(sqlite) => sqlite.read(run).await,
            Source::Alone(alone) => alone.with(run).map_err(Fault::into_error),
            Source::Postgres(_) | Source::Memory(_) => {
                Err(Error::Unavailable("this store has no file".into()))
            }
        }
    }
}
