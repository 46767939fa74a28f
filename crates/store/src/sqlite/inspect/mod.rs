//! Looking for damage. Everything here takes whatever it finds: a value that
//! cannot be, a page that cannot be read, a table that is not there.

mod correspondence;
mod cursor;
mod file;
pub(crate) mod journal;
mod people;
mod ratings;
mod rooms;
pub(crate) mod rows;
mod seating;
mod social;
mod told;
pub(crate) mod walk;

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use chess::Millis;
use rusqlite::Connection;

use super::fault::{Fault, unavailable};
use super::lock::Lock;
use super::{Sqlite, schema};
use crate::{Error, FileReport};

/// How far a clock may have been ahead before a time is called impossible.
const AHEAD_MAX: Millis = Millis::from_days(1);

/// A database that no server uses, opened for reading only. Opening it as a
/// store would fail where its journal cannot be read, and a check must not.
#[derive(Clone)]
pub(crate) struct Alone {
    path: PathBuf,
    db: Arc<Mutex<Connection>>,
    /// As long as it is held no server starts on the file.
    _lock: Arc<Lock>,
}

impl Alone {
    pub(crate) fn open(path: &Path) -> Result<Alone, Error> {
        let path = path
            .canonicalize()
            .map_err(|e| unavailable(&format!("{} cannot be opened", path.display()), &e))?;
        let lock = super::file::lock(&path)?;
        let db = open_tolerantly(&path)?;
        match schema::version(&db) {
            Ok(version) if version < schema::VERSION => {
                schema::migrate(&mut super::file::open_writer(&path)?)?;
            }
            Ok(_) => {}
            // The declarations of the tables are damaged; the rest may be read.
            Err(_) if is_ours(&db) => {}
            Err(error) => return Err(error),
        }
        Ok(Alone {
            path,
            db: Arc::new(Mutex::new(db)),
            _lock: Arc::new(lock),
        })
    }

    pub(crate) fn with<T>(
        &self,
        run: impl FnOnce(&Connection) -> Result<T, Fault>,
    ) -> Result<T, Fault> {
        run(&self.db.lock().unwrap_or_else(PoisonError::into_inner))
    }

    pub(crate) fn inspect_file(&self) -> FileReport {
        let db = self.db.lock().unwrap_or_else(PoisonError::into_inner);
        file::inspect(&db, &self.path)
    }
}

impl Sqlite {
    /// On a connection of its own: it takes as long as the file is large.
    pub(crate) fn inspect_file(&self) -> Result<FileReport, Error> {
        let path = &self.inner.shared.path;
        Ok(file::inspect(&open_tolerantly(path)?, path))
    }
}

/// SQLite refuses to read anything of a file that is shorter than it should be,
/// unless whoever asks may repair it. This connection writes nothing.
fn open_tolerantly(path: &Path) -> Result<Connection, Error> {
    let db = super::file::open_reader(path)?;
    db.pragma_update(None, "writable_schema", true)
        .map_err(|e| unavailable("the database cannot be read", &e))?;
    Ok(db)
}

/// Whether the head of the file, at least, says that it is of this release.
fn is_ours(db: &Connection) -> bool {
    let number = |pragma| {
        db.pragma_query_value(None, pragma, |r| r.get::<_, i64>(0))
            .ok()
    };
    number("application_id") == Some(i64::from(schema::APPLICATION_ID))
        && number("user_version") == Some(i64::from(schema::VERSION))
}
