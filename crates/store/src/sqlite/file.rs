//! The files: made for their owner alone, and used by one server at a time.

use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags};

use super::fault::unavailable;
use super::lock::{Lock, real_path};
use crate::Error;

/// What the writer keeps of the file, as a negative number of KiB. More
/// would be slower: whenever a page is split SQLite looks through all of it at
/// the end of the transaction. The system keeps the rest.
const CACHE_KIB: i64 = -8_192;

/// A log that begins again from the front is cut to this size.
pub(super) const LOG_KEPT_BYTES: u32 = 64 << 20;

/// How long a connection waits for another's lock. Only a closing or a
/// recovering one ever holds one for long.
const PATIENCE: Duration = Duration::from_secs(10);

/// Makes an empty file if there is none. One that is there is not touched:
/// this process might have it open, and would lose its locks on it.
pub(super) fn create(path: &Path) -> Result<(), Error> {
    let troubled =
        |e: std::io::Error| unavailable(&format!("{} cannot be opened", path.display()), &e);
    match fs::metadata(path) {
        Ok(about) if about.is_file() => Ok(()),
        Ok(_) => Err(unavailable(
            &format!("{} cannot be opened", path.display()),
            &"it is not a file",
        )),
        Err(_) => {
            refuse_orphan(&real_path(path).map_err(troubled)?)?;
            owner_only().create(true).open(path).map_err(troubled)?;
            let path = path.canonicalize().map_err(troubled)?;
            sync_directory(&path).map_err(troubled)
        }
    }
}

/// A log without its database may have what was acknowledged last. SQLite
/// would delete it beside a new database, so there is none to be made here.
fn refuse_orphan(path: &Path) -> Result<(), Error> {
    let log = beside(path, "-wal");
    if size(&log) == 0 {
        return Ok(());
    }
    Err(Error::Unavailable(format!(
        "{} is missing, but its log {} is there: put the database back, or move the log away to begin anew",
        path.display(),
        log.display()
    )))
}

/// Makes sure that this is the only server with that file.
pub(super) fn lock(path: &Path) -> Result<Lock, Error> {
    Lock::take(path)?.ok_or_else(|| {
        Error::Unavailable(format!(
            "another server is using {} (it holds {} or the file itself)",
            path.display(),
            beside(path, ".lock").display()
        ))
    })
}

/// The connection that writes. It never copies the log by itself.
pub(super) fn open_writer(path: &Path) -> Result<Connection, Error> {
    let db = open(path, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
    let setting = |db: &Connection| -> Result<(), rusqlite::Error> {
        db.pragma_update(None, "synchronous", "FULL")?;
        db.pragma_update(None, "wal_autocheckpoint", 0)?;
        db.pragma_update(None, "journal_size_limit", LOG_KEPT_BYTES)?;
        db.pragma_update(None, "foreign_keys", true)?;
        db.pragma_update(None, "cache_size", CACHE_KIB)?;
        // What is deleted is overwritten where that costs nothing extra: an
        // address that was to be forgotten should not stay in the file.
        db.pragma_update(None, "secure_delete", "FAST")
    };
    let mode: String = db
        .pragma_update_and_check(None, "journal_mode", "WAL", |r| r.get(0))
        .map_err(|e| opening(path, &e))?;
    if mode != "wal" {
        // Network file systems, mostly: without shared memory there is no log.
        let why = format!(
            "{}: this file system cannot keep a write-ahead log",
            path.display()
        );
        return Err(Error::Unavailable(why));
    }
    setting(&db).map_err(|e| opening(path, &e))?;
    Ok(db)
}

/// A connection that only reads.
pub(super) fn open_reader(path: &Path) -> Result<Connection, Error> {
    let db = open(path, OpenFlags::SQLITE_OPEN_READ_ONLY)?;
    leave_log(&db).map_err(|e| opening(path, &e))?;
    Ok(db)
}

/// The connection that copies the log into the file.
pub(super) fn open_checkpointer(path: &Path) -> Result<Connection, Error> {
    let db = open(path, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
    db.pragma_update(None, "synchronous", "FULL")
        .and_then(|()| db.pragma_update(None, "wal_autocheckpoint", 0))
        .and_then(|()| leave_log(&db))
        .map_err(|e| opening(path, &e))?;
    Ok(db)
}

/// The log stays as it is when this connection is closed, even if it is the
/// last. Otherwise SQLite copies the log and deletes whatever has its name.
pub(super) fn leave_log(db: &Connection) -> Result<(), rusqlite::Error> {
    db.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true)
        .map(drop)
}

fn open(path: &Path, mode: OpenFlags) -> Result<Connection, Error> {
    let db = Connection::open_with_flags(path, mode | OpenFlags::SQLITE_OPEN_NO_MUTEX)
        .map_err(|e| opening(path, &e))?;
    db.busy_timeout(PATIENCE).map_err(|e| opening(path, &e))?;
    db.set_prepared_statement_cache_capacity(128);
    // A plan for what is asked, whoever asks: else a long list is planned
    // anew whenever a parameter changes.
    db.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true)
        .map_err(|e| opening(path, &e))?;
    Ok(db)
}

fn opening(path: &Path, why: &rusqlite::Error) -> Error {
    unavailable(&format!("{} cannot be opened", path.display()), why)
}

/// The path with something added to the file's name.
pub(super) fn beside(path: &Path, suffix: &str) -> PathBuf {
    let mut name = OsString::from(path);
    name.push(suffix);
    name.into()
}

/// A file's size; nothing if it is not there.
pub(super) fn size(path: &Path) -> u64 {
    fs::metadata(path).map_or(0, |m| m.len())
}

/// Options to write a file that only its owner may read.
pub(super) fn owner_only() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.read(true).write(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options
}

/// Makes a new name durable, which it is once its directory is.
///
/// # Errors
/// If the directory cannot be synced.
pub fn sync_directory(path: &Path) -> std::io::Result<()> {
    match path.parent() {
        Some(directory) => File::open(directory)?.sync_all(),
        None => Ok(()),
    }
}
