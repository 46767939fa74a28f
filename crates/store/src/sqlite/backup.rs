//! Copies of the whole database, taken while it is in use.

use std::fs::{self, File};
use std::io;
use std::path::Path;
use std::thread;
use std::time::Duration;

use rusqlite::Connection;
use rusqlite::backup::{Backup, StepResult};

use super::fault::unavailable;
use super::{Sqlite, file, schema};
use crate::Error;

/// Pages copied between two reports of progress.
const PAGES: i32 = 1000;

/// Told the pages done and in all; `false` calls the copy off.
type Progress<'a> = &'a mut dyn FnMut(u64, u64) -> bool;

impl Sqlite {
    pub(crate) fn backup(&self, target: &Path, progress: Progress<'_>) -> Result<(), Error> {
        let _lock = self.inner.lock()?;
        // A write of nothing has the writer look at the files: a copy of others
        // would be no backup.
        self.write_now(|_| Ok(()))?;
        let source = file::open_reader(&self.inner.shared.path)?;
        copy(&source, target, progress, &|| self.write_now(|_| Ok(())))
    }
}

/// Makes a database out of a backup, where none is.
pub(crate) fn restore(backup: &Path, target: &Path, progress: Progress<'_>) -> Result<(), Error> {
    let source = file::open_reader(backup)?;
    if schema::version(&source)? == 0 {
        let why = format!("{} is empty: not a backup", backup.display());
        return Err(Error::Unavailable(why));
    }
    let verdict: String = source
        .query_row("PRAGMA integrity_check(1)", (), |r| r.get(0))
        .map_err(|e| super::fault::told(&e))?;
    if verdict != "ok" {
        return Err(Error::Corrupt(format!("{}: {verdict}", backup.display())));
    }
    let _lock = file::lock(target)?;
    copy(&source, target, progress, &|| Ok(()))
}

/// Copies to a name beside the target and then, if the source proves to have
/// been the right one, renames: under the target's name there is never half a
/// database, nor anything else before the whole one. The name beside it must be
/// free too: another copy may be under way, or what has it lead elsewhere.
fn copy(
    source: &Connection,
    target: &Path,
    progress: Progress<'_>,
    verify: &dyn Fn() -> Result<(), Error>,
) -> Result<(), Error> {
    if fs::symlink_metadata(target).is_ok() {
        return Err(unwritable(target, &io::ErrorKind::AlreadyExists.into()));
    }
    let partial = file::beside(target, ".partial");
    let file = file::owner_only().create_new(true).open(&partial);
    let file = file.map_err(|e| unwritable(&partial, &e))?;
    let result = copy_to(source, &partial, &file, progress).and_then(|()| {
        verify()?;
        put_in_place(&partial, target).map_err(|e| unwritable(target, &e))
    });
    if result.is_err() {
        remove(&partial);
    }
    result
}

/// Gives a finished copy its name, unless somebody has taken that meanwhile.
fn put_in_place(partial: &Path, target: &Path) -> io::Result<()> {
    drop(file::owner_only().create_new(true).open(target)?);
    if let Err(error) = fs::rename(partial, target) {
        remove(target);
        return Err(error);
    }
    file::sync_directory(&target.canonicalize()?)
}

fn remove(leftover: &Path) {
    if let Err(error) = fs::remove_file(leftover)
        && leftover.exists()
    {
        tracing::warn!(%error, file = %leftover.display(), "an unfinished copy could not be removed");
    }
}

fn unwritable(path: &Path, why: &io::Error) -> Error {
    unavailable(&format!("{} cannot be written", path.display()), why)
}

fn copy_to(
    source: &Connection,
    partial: &Path,
    file: &File,
    progress: Progress<'_>,
) -> Result<(), Error> {
    let is_whole = copy_pages(source, partial, progress)
        .map_err(|e| unavailable(&format!("{} cannot be written", partial.display()), &e))?;
    if !is_whole {
        return Err(Error::Unavailable("the copy was called off".into()));
    }
    file.sync_all().map_err(|e| unwritable(partial, &e))
}

/// Whether all of it was copied; if not, it was called off.
fn copy_pages(
    source: &Connection,
    partial: &Path,
    progress: Progress<'_>,
) -> Result<bool, rusqlite::Error> {
    let mut target = Connection::open(partial)?;
    target.execute_batch("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF")?;
    // One read transaction around it all: the copy shows one moment, and does
    // not begin again whenever somebody writes.
    let moment = source.unchecked_transaction()?;
    moment.query_row("SELECT count(*) FROM sqlite_schema", (), |_| Ok(()))?;
    let backup = Backup::new(source, &mut target)?;
    loop {
        let step = backup.step(PAGES)?;
        let at = backup.progress();
        let total = u64::try_from(at.pagecount).unwrap_or(0);
        let left = u64::try_from(at.remaining).unwrap_or(0).min(total);
        if !progress(total - left, total) {
            return Ok(false);
        }
        match step {
            StepResult::Done => break,
            StepResult::More => {}
            // Somebody holds a lock for a moment.
            _ => thread::sleep(Duration::from_millis(10)),
        }
    }
    drop(backup);
    // A file that can be read from a read-only place, without a log beside it.
    target.execute_batch("PRAGMA journal_mode = DELETE")?;
    target.close().map_err(|(_, error)| error)?;
    Ok(true)
}
