//! The right to use a database: one process has it at a time.

use std::ffi::OsStr;
use std::fs::{self, File, Metadata, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

use super::fault::unavailable;
use super::file::{beside, owner_only};
use crate::Error;

/// The right to use a database, for as long as this lives. The locks are the
/// operating system's: they end with the process, however that ends.
#[derive(Debug)]
pub struct Lock {
    path: PathBuf,
    /// Closed last of all that this process has of the database: whoever
    /// closes any descriptor of a file drops SQLite's own locks on it.
    database: Option<File>,
    _beside: File,
}

impl Lock {
    /// Takes the lock of the database at that path, whether there is one yet or
    /// not; `None` if somebody else has it.
    ///
    /// A file beside the database is locked, and the database file itself,
    /// since that may be known by another name. Not to be called in a process
    /// that has the database open already.
    ///
    /// # Errors
    /// [`Error::Unavailable`] if the files cannot be used, or if the database
    /// file has several names.
    pub fn take(path: &Path) -> Result<Option<Lock>, Error> {
        let troubled = |path: &Path, e: io::Error| {
            unavailable(&format!("{} cannot be opened", path.display()), &e)
        };
        let path = real_path(path).map_err(|e| troubled(path, e))?;
        let place = beside(&path, ".lock");
        let file = owner_only().create(true).open(&place);
        let Some(beside) = locked(file.map_err(|e| troubled(&place, e))?, &place)? else {
            return Ok(None);
        };
        let database = match fs::metadata(&path) {
            Err(e) if e.kind() == io::ErrorKind::NotFound => None,
            Err(e) => return Err(troubled(&path, e)),
            Ok(about) => {
                refuse_many_names(&path, &about)?;
                let file = owner_only().open(&path).map_err(|e| troubled(&path, e))?;
                match locked_itself(file, &path)? {
                    Some(file) => Some(file),
                    None => return Ok(None),
                }
            }
        };
        Ok(Some(Lock {
            path,
            database,
            _beside: beside,
        }))
    }

    /// Whether somebody else uses the database.
    pub fn is_taken(path: &Path) -> bool {
        path.exists() && matches!(Lock::take(path), Ok(None))
    }

    /// Where the database really is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The database file, if there was one when the lock was taken.
    pub(super) fn database(&self) -> Option<&File> {
        self.database.as_ref()
    }
}

/// Where a database really is, or will be once it is made: symbolic links lead
/// to one file, whose lock and log lie beside it.
///
/// # Errors
/// If its directory cannot be found.
pub fn real_path(path: &Path) -> io::Result<PathBuf> {
    match path.canonicalize() {
        Err(e) if e.kind() == io::ErrorKind::NotFound => {
            let directory = path.parent().filter(|d| *d != Path::new(""));
            let directory = directory.unwrap_or(Path::new(".")).canonicalize()?;
            Ok(directory.join(path.file_name().unwrap_or(OsStr::new(""))))
        }
        found => found,
    }
}

fn locked(file: File, path: &Path) -> Result<Option<File>, Error> {
    match file.try_lock() {
        Ok(()) => Ok(Some(file)),
        Err(TryLockError::WouldBlock) => Ok(None),
        Err(TryLockError::Error(e)) => {
            let what = format!("{} cannot be locked", path.display());
            Err(unavailable(&what, &e))
        }
    }
}

/// Locks the database file itself. Only Linux keeps this lock apart from those
/// that SQLite takes on parts of the file; elsewhere SQLite would wait for us.
fn locked_itself(file: File, path: &Path) -> Result<Option<File>, Error> {
    if cfg!(target_os = "linux") {
        locked(file, path)
    } else {
        Ok(Some(file))
    }
}

/// SQLite finds a database's log by the database's name. Under a second name
/// it would not find the log, and take half a database for a whole one.
#[cfg(unix)]
fn refuse_many_names(path: &Path, about: &Metadata) -> Result<(), Error> {
    let names = std::os::unix::fs::MetadataExt::nlink(about);
    if names <= 1 {
        return Ok(());
    }
    let path = path.display();
    Err(Error::Unavailable(format!(
        "{path} has {names} names (hard links): whoever opens it by another one does not find its log, \
         and ruins it. Remove the other names (`find DIRECTORY -samefile {path}` shows them), \
         or use a copy of the file"
    )))
}

#[cfg(not(unix))]
fn refuse_many_names(_: &Path, _: &Metadata) -> Result<(), Error> {
    Ok(())
}
