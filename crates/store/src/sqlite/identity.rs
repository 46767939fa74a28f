//! Whether the files are still those that were opened.
//!
//! A file that is deleted or replaced stays open, and SQLite goes on writing to
//! it as if nothing had happened. So the writer looks after every transaction,
//! before it tells anybody, and every second.

use std::fs::{self, File, Metadata};
use std::io;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use rusqlite::Connection;

use super::fault::{told, unavailable};
use super::file::{LOG_KEPT_BYTES, beside};
use super::lock::Lock;
use super::{Shared, checkpoint};
use crate::{Error, Loss};

/// How every database file begins.
const MAGIC: &[u8] = b"SQLite format 3\0";
/// As much of the file's head as has the magic and the change counter.
const HEAD_BYTES: usize = 28;
/// The head of the log, and that of each page in it.
const LOG_HEAD_BYTES: u64 = 32;
const FRAME_HEAD_BYTES: u64 = 24;

/// The files as they were opened, and as they were seen last.
pub(super) struct Files {
    database: Known,
    log: Known,
    index: Known,
    page_bytes: u64,
    /// Has the database file open, for as long as the store is.
    lock: Weak<Lock>,
    is_lost: AtomicBool,
    seen: Mutex<Seen>,
}

/// A name, and the file it stood for.
struct Known {
    path: PathBuf,
    id: (u64, u64),
}

#[derive(Default)]
struct Seen {
    loss: Option<Loss>,
    bytes: u64,
    /// SQLite counts here when it writes the first page; never backwards.
    counter: Option<u32>,
    /// All of a log that is gone is in the database.
    is_rescued: bool,
}

impl Files {
    /// Remembers the files of a database that is open.
    pub(super) fn of(db: &Connection, lock: &Arc<Lock>) -> Result<Files, Error> {
        let path = lock.path();
        let page_bytes: u32 = db
            .pragma_query_value(None, "page_size", |r| r.get(0))
            .map_err(|e| told(&e))?;
        Ok(Files {
            database: Known::at(path.to_owned())?,
            log: Known::at(beside(path, "-wal"))?,
            index: Known::at(beside(path, "-shm"))?,
            page_bytes: page_bytes.into(),
            lock: Arc::downgrade(lock),
            is_lost: AtomicBool::new(false),
            seen: Mutex::default(),
        })
    }

    /// Whether the files were there when they were last looked at.
    ///
    /// # Errors
    /// [`Error::Unavailable`] with what became of them.
    pub(super) fn known(&self) -> Result<(), Error> {
        if !self.is_lost() {
            return Ok(());
        }
        self.loss().map_or(Ok(()), |loss| Err(lost(loss)))
    }

    pub(super) fn is_lost(&self) -> bool {
        self.is_lost.load(Relaxed)
    }

    pub(super) fn loss(&self) -> Option<Loss> {
        self.seen().loss
    }

    /// Whether the log may be copied into the database. Pages written to a file
    /// that was cut short would hide what is missing.
    pub(super) fn may_copy(&self) -> bool {
        let mut seen = self.seen();
        if seen.loss.is_none() {
            let found = self.look_at_database(&mut seen);
            self.note(&mut seen, found);
        }
        seen.loss.is_none()
    }

    /// Looks at all files; the log has so many pages. Only the writer knows
    /// that for certain, since only the writer makes the log shorter.
    fn look(&self, log_pages: u32) -> Result<(), Error> {
        let mut seen = self.seen();
        if seen.loss.is_none_or(Loss::can_heal) {
            let found = self
                .look_at_database(&mut seen)
                .and_then(|()| self.look_at_log(log_pages));
            self.note(&mut seen, found);
        }
        seen.loss.map_or(Ok(()), |loss| Err(lost(loss)))
    }

    fn look_at_database(&self, seen: &mut Seen) -> Result<(), Loss> {
        let about = self.database.look().ok_or(Loss::DatabaseGone)?;
        let lock = self.lock.upgrade();
        // Without a lock the store is closing, and nobody needs to know.
        let Some(file) = lock.as_ref().and_then(|lock| lock.database()) else {
            return Ok(());
        };
        let counter = match read_head(file) {
            Ok(head) if head.starts_with(MAGIC) => counter(&head),
            Err(e) if e.kind() != io::ErrorKind::UnexpectedEof => return Err(Loss::DatabaseGone),
            _ => return Err(Loss::DatabaseDamaged),
        };
        let went_back = seen
            .counter
            .is_some_and(|before| counter.wrapping_sub(before) > u32::MAX / 2);
        if went_back || about.len() < seen.bytes {
            return Err(Loss::DatabaseDamaged);
        }
        seen.counter = Some(counter);
        seen.bytes = about.len();
        Ok(())
    }

    fn look_at_log(&self, pages: u32) -> Result<(), Loss> {
        let about = self.log.look().ok_or(Loss::LogGone)?;
        self.index.look().ok_or(Loss::LogGone)?;
        let needed = match u64::from(pages) {
            0 => 0,
            pages => LOG_HEAD_BYTES + pages * (FRAME_HEAD_BYTES + self.page_bytes),
        };
        // A longer one may have begun again, in a transaction that then failed.
        if about.len() < needed.min(LOG_KEPT_BYTES.into()) {
            return Err(Loss::LogDamaged);
        }
        Ok(())
    }

    /// Says once what has become of the files.
    fn note(&self, seen: &mut Seen, found: Result<(), Loss>) {
        let loss = found.err();
        if seen.loss == loss {
            return;
        }
        seen.loss = loss;
        seen.is_rescued = false;
        self.is_lost.store(loss.is_some(), Relaxed);
        let file = self.database.path.display();
        match loss {
            Some(loss) => tracing::error!(
                %file,
                what_to_do = loss.advice(),
                "{loss}: nothing is read or written any more"
            ),
            None => tracing::info!(%file, "the files of the database are back"),
        }
    }

    fn seen(&self) -> MutexGuard<'_, Seen> {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The writer looks whether what it wrote is where it will be looked for.
///
/// # Errors
/// [`Error::Unavailable`] with what became of the files.
pub(super) fn look(db: &Connection, shared: &Shared) -> Result<(), Error> {
    let found = shared.files.look(shared.checkpoints.pages());
    if found.is_err() {
        rescue(db, &shared.files);
    }
    found
}

/// A log that is gone is still open here, and nowhere else: while the database
/// itself is sound, everything in the log is brought into it.
fn rescue(db: &Connection, files: &Files) {
    let mut seen = files.seen();
    if seen.loss == Some(Loss::LogGone) && !seen.is_rescued && checkpoint::copy_all(db) {
        seen.is_rescued = true;
        tracing::warn!("everything that the log held is in the database file");
    }
}

fn lost(loss: Loss) -> Error {
    Error::Unavailable(loss.to_string())
}

impl Known {
    fn at(path: PathBuf) -> Result<Known, Error> {
        match fs::metadata(&path) {
            Ok(about) => Ok(Known {
                id: id(&about),
                path,
            }),
            Err(e) => Err(unavailable(
                &format!("{} cannot be watched", path.display()),
                &e,
            )),
        }
    }

    /// What is there, if it is the same file.
    fn look(&self) -> Option<Metadata> {
        fs::metadata(&self.path)
            .ok()
            .filter(|about| id(about) == self.id)
    }
}

/// What a file is called inside of the file system, which no other file is
/// while this one is open.
#[cfg(unix)]
fn id(about: &Metadata) -> (u64, u64) {
    use std::os::unix::fs::MetadataExt;
    (about.dev(), about.ino())
}

/// A file that is open cannot be replaced.
#[cfg(not(unix))]
fn id(_: &Metadata) -> (u64, u64) {
    (0, 0)
}

#[cfg(unix)]
fn read_head(file: &File) -> io::Result<[u8; HEAD_BYTES]> {
    let mut head = [0; HEAD_BYTES];
    std::os::unix::fs::FileExt::read_exact_at(file, &mut head, 0)?;
    Ok(head)
}

#[cfg(not(unix))]
fn read_head(_: &File) -> io::Result<[u8; HEAD_BYTES]> {
    let mut head = [0; HEAD_BYTES];
    head[..MAGIC.len()].copy_from_slice(MAGIC);
    Ok(head)
}

/// The change counter is the last thing in it.
fn counter(head: &[u8; HEAD_BYTES]) -> u32 {
    let [.., a, b, c, d] = *head;
    u32::from_be_bytes([a, b, c, d])
}
