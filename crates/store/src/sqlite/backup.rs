//! Copies of the whole database, taken while it is in use.

use std::fs;
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

impl Sqlite {
    pub(crate) fn backup(
        &self,
        target: &Path,
        progress: &mut dyn FnMut(u64, u64),
    ) -> Result<(), Error> {
        let _lock = self.inner.lock()?;
        // A write of nothing has the writer look at the files: a copy of others
        // would be no backup.
        self.write_now(|_| Ok(()))?;
        let source = file::open_reader(&self.inner.shared.path)?;
        copy(&source, target, progress, &|| self.write_now(|_| Ok(())))
    }
}

/// Makes a database out of a backup, where none is.
pub(crate) fn restore(
    backup: &Path,
    target: &Path,
    progress: &mut dyn FnMut(u64, u64),
) -> Result<(), Error> {
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
/// database.
fn copy(
    source: &Connection,
    target: &Path,
    progress: &mut dyn FnMut(u64, u64),
    verify: &dyn Fn() -> Result<(), Error>,
) -> Result<(), Error> {
    let troubled =
        |e: std::io::Error| unavailable(&format!("{} cannot be written", target.display()), &e);
    // An empty file reserves the name: nobody's file is ever overwritten.
    drop(
        file::owner_only()
            .create_new(true)
            .open(target)
            .map_err(troubled)?,
    );
    let partial = file::beside(target, ".partial");
    let result = copy_to(source, &partial, progress).and_then(|()| {
        verify()?;
        fs::rename(&partial, target).map_err(troubled)?;
        let target = target.canonicalize().map_err(troubled)?;
        file::sync_directory(&target).map_err(troubled)
    });
    if result.is_err() {
        for leftover in [&*partial, target] {
            if let Err(error) = fs::remove_file(leftover)
                && leftover.exists()
            {
                tracing::warn!(%error, file = %leftover.display(), "an unfinished copy could not be removed");
            }
        }
    }
    result
}

fn copy_to(
    source: &Connection,
    partial: &Path,
    progress: &mut dyn FnMut(u64, u64),
) -> Result<(), Error> {
    let troubled =
        |e: std::io::Error| unavailable(&format!("{} cannot be written", partial.display()), &e);
    // What an interrupted copy left behind is worth nothing.
    let file = file::owner_only()
        .create(true)
        .truncate(true)
        .open(partial)
        .map_err(troubled)?;
    copy_pages(source, partial, progress)
        .map_err(|e| unavailable(&format!("{} cannot be written", partial.display()), &e))?;
    file.sync_all().map_err(troubled)
}

fn copy_pages(
    source: &Connection,
    partial: &Path,
    progress: &mut dyn FnMut(u64, u64),
) -> Result<(), rusqlite::Error> {
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
        progress(
            total - u64::try_from(at.remaining).unwrap_or(0).min(total),
            total,
        );
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
    target.close().map_err(|(_, error)| error)
}
