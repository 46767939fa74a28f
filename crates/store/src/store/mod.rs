//! The one `Store`, whatever is behind it.
//!
//! The choice is made once, at start, by URL; callers cannot tell. A backend is
//! one variant here and one arm in each method; the contract tests say what
//! every arm must do.

mod aliases;
mod analyses;
mod archive;
mod attempts;
mod bars;
mod chat;
mod console;
mod correspondence;
mod fair;
mod finished;
mod links;
mod mail;
mod nodes;
mod notifications;
mod outbox;
mod people;
mod played;
mod purge;
mod ratings;
mod replica;
mod revocations;
mod social;
mod tables;
mod tickets;
mod time;
mod webhooks;

use std::path::{Path, PathBuf};

use crate::copy::End;
use crate::memory::{Control, Memory};
use crate::postgres::replica::Replica;
use crate::postgres::{Postgres, upkeep};
use crate::sqlite::{self, Sqlite};
use crate::{Error, Inspector, Stats, Upkeep};

pub use self::archive::Archived;

/// The durable store: cheap to clone, safe to share.
///
/// Operations of the hot path take a callback and return at once; the
/// callback is called exactly once, on a thread of the store. The others are
/// futures of no particular runtime. The last handle that goes closes the
/// store, as [`Store::close`] does.
#[derive(Clone)]
pub struct Store {
    backend: Backend,
    /// What may answer in its place, where that makes no difference.
    replica: Option<Replica>,
}

#[derive(Clone)]
enum Backend {
    Sqlite(Sqlite),
    Postgres(Postgres),
    Memory(Memory),
}

impl Store {
    /// Opens the store that a URL names: `sqlite:PATH`, made and brought up to
    /// date as needed, `postgres://...`, or `memory:`, empty and gone at the end. For
    /// tools: rows that the last run left behind stay so.
    ///
    /// # Errors
    /// [`Error::Unavailable`] says what to change: the URL is of no known form,
    /// the file cannot be used, another server uses it, or a newer release
    /// wrote it.
    pub fn open(url: &str) -> Result<Store, Error> {
        Store::open_for(url, Upkeep::default())
    }

    /// The same, for a server.
    ///
    /// # Errors
    /// As [`Store::open`].
    pub fn open_for(url: &str, upkeep: Upkeep) -> Result<Store, Error> {
        if url == "memory:" {
            // Nobody has to bring rows up to date that are never behind.
            let upkeep = Upkeep {
                fold_after: 1,
                ..upkeep
            };
            return Ok(Store::over(Memory::new(upkeep)));
        }
        let backend = match is_postgres(url) {
            true => Backend::Postgres(Postgres::open(url)?),
            false => Backend::Sqlite(Sqlite::open(&sqlite_path(url)?, upkeep)?),
        };
        Ok(Store {
            backend,
            replica: None,
        })
    }

    /// A store in memory that keeps tables as the embedded one does, and the hand
    /// that decides when its operations end.
    pub fn in_memory(upkeep: Upkeep) -> (Store, Control) {
        Control::new(upkeep)
    }

    /// A store in memory that several servers of one process share.
    pub fn in_memory_shared() -> Store {
        // Rows are never behind, as in a database that several use.
        let upkeep = Upkeep {
            fold_after: 1,
            ..Upkeep::default()
        };
        Store::over(Memory::new(upkeep).shared())
    }

    /// Whether other servers may use the store at the same time.
    pub fn is_shared(&self) -> bool {
        match &self.backend {
            Backend::Sqlite(_) => false,
            Backend::Postgres(_) => true,
            Backend::Memory(memory) => memory.is_shared(),
        }
    }

    pub(crate) fn over(memory: Memory) -> Store {
        Store {
            backend: Backend::Memory(memory),
            replica: None,
        }
    }

    /// Makes the database that a URL names out of a backup, after checking the
    /// backup. Blocks. `progress` is told the pages done and in all.
    ///
    /// # Errors
    /// [`Error::Corrupt`] if the backup is damaged, [`Error::Unavailable`] if
    /// there is a database already or it cannot be written.
    pub fn restore(
        backup: &Path,
        url: &str,
        mut progress: impl FnMut(u64, u64),
    ) -> Result<(), Error> {
        let mut go_on = |done, total| {
            progress(done, total);
            true
        };
        sqlite::restore(backup, &sqlite_path(url)?, &mut go_on)
    }

    /// Writes a copy of everything to a new file: one consistent moment, while
    /// others read and write. Blocks. `progress` is told the pages done and in all.
    ///
    /// # Errors
    /// [`Error::Unavailable`] if the file exists or cannot be written, or the
    /// store is not in a file.
    pub fn backup(&self, path: &Path, mut progress: impl FnMut(u64, u64)) -> Result<(), Error> {
        self.backup_while(path, |done, total| {
            progress(done, total);
            true
        })
    }

    /// The same, called off when `progress` says `false`: then nothing is left of it.
    ///
    /// # Errors
    /// As [`Store::backup`], and if it was called off.
    pub fn backup_while(
        &self,
        path: &Path,
        mut progress: impl FnMut(u64, u64) -> bool,
    ) -> Result<(), Error> {
        match &self.backend {
            Backend::Sqlite(sqlite) => sqlite.backup(path, &mut progress),
            Backend::Postgres(_) => Err(not_a_file()),
            Backend::Memory(_) => Err(Error::Unavailable("a store in memory has no file".into())),
        }
    }

    /// Whether reading and writing work: does both.
    ///
    /// # Errors
    /// Why not.
    pub async fn ping(&self) -> Result<(), Error> {
        match &self.backend {
            Backend::Sqlite(sqlite) => sqlite.ping().await,
            Backend::Postgres(postgres) => {
                postgres
                    .ask(|db| async move { upkeep::ping(&db).await })
                    .await
            }
            Backend::Memory(memory) => memory.with(|_| ()),
        }
    }

    /// One who looks for damage, by way of the store's readers. For a file that
    /// no store has open there is [`Inspector::open`].
    pub fn inspector(&self) -> Inspector {
        match &self.backend {
            Backend::Sqlite(sqlite) => Inspector::of_sqlite(sqlite.clone()),
            Backend::Postgres(postgres) => Inspector::of_postgres(postgres.clone()),
            Backend::Memory(memory) => Inspector::of_memory(memory.clone()),
        }
    }

    /// The store as something that can be copied from and to.
    pub(crate) fn end(&self) -> Result<End, Error> {
        match &self.backend {
            Backend::Sqlite(sqlite) => Ok(End::Sqlite(sqlite.clone())),
            Backend::Postgres(postgres) => Ok(End::Postgres(postgres.clone())),
            Backend::Memory(_) => Err(Error::Unavailable(
                "a store in memory is gone with its process: it cannot be copied".into(),
            )),
        }
    }

    /// How the store is doing.
    pub fn stats(&self) -> Stats {
        let stats = match &self.backend {
            Backend::Sqlite(sqlite) => sqlite.stats(),
            Backend::Postgres(postgres) => postgres.stats(),
            Backend::Memory(_) => Stats::default(),
        };
        Stats {
            replica: self.replica.as_ref().map(Replica::stats),
            ..stats
        }
    }

    /// Finishes what was asked for, refuses everything from now on, and
    /// releases the file. Blocks; not to be called from a callback.
    pub fn close(&self) {
        match &self.backend {
            Backend::Sqlite(sqlite) => sqlite.close(),
            Backend::Postgres(postgres) => postgres.close(),
            Backend::Memory(memory) => memory.close(),
        }
    }
}

/// Whether a URL names a database of PostgreSQL.
pub(crate) fn is_postgres(url: &str) -> bool {
    url.starts_with("postgres://") || url.starts_with("postgresql://")
}

fn not_a_file() -> Error {
    Error::Unavailable("PostgreSQL has its own tools for this: pg_dump and pg_restore".into())
}

/// The file that a URL names.
pub(crate) fn sqlite_path(url: &str) -> Result<PathBuf, Error> {
    let wrong = |why: &str| Err(Error::Unavailable(format!("store {url:?}: {why}")));
    if is_postgres(url) {
        return Err(not_a_file());
    }
    let Some(path) = url.strip_prefix("sqlite:") else {
        return wrong("must be sqlite:PATH, postgres://... or memory:");
    };
    match path.strip_prefix("//").unwrap_or(path) {
        "" => wrong("names no file; write sqlite:PATH"),
        ":memory:" => wrong("for a store in memory write memory:"),
        path => Ok(PathBuf::from(path)),
    }
}
