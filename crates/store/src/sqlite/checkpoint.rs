//! Bringing the write-ahead log into the database without stalling the writer.
//!
//! A thread of its own copies what the log has, while the writer goes on. It
//! can never copy all of it, because the writer is always ahead; so when the
//! log has grown long the writer copies the small rest itself, between two
//! batches, and begins the log again from the front.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, Thread};
use std::time::Duration;

use rusqlite::Connection;

use super::Shared;

/// Pages the log grows by before they are copied.
const PAGES: u32 = 1000;
/// A log so long that the writer is asked to finish.
const PAGES_LONG: u32 = 4000;
/// A rest so small that the writer hardly notices; before that the thread copies again.
const PAGES_REST: u32 = 100;
/// How often it copies again in pursuit of the writer.
const ROUNDS: u32 = 4;

/// How long checkpoints that failed are left alone.
const PAUSE: Duration = Duration::from_secs(1);

/// How long the log is.
#[derive(Default)]
pub(super) struct Checkpoints {
    pages: AtomicU32,
    copied: AtomicU32,
    is_closing: AtomicBool,
    is_down: AtomicBool,
    thread: Mutex<Option<Thread>>,
}

impl Checkpoints {
    /// The log has so many pages after a commit: fewer than before, if it
    /// began again.
    pub(super) fn note_pages(&self, pages: u32) {
        let before = self.pages.swap(pages, Relaxed);
        if pages < before {
            self.copied.store(0, Relaxed);
        }
    }

    /// Whether its thread has failed and is not going on yet.
    pub(super) fn is_down(&self) -> bool {
        self.is_down.load(Relaxed)
    }

    /// Has the work done until the store closes. Without it the log grows
    /// without end: whenever it fails it is begun again, a moment later.
    fn keep(&self, mut work: impl FnMut()) {
        let thread = thread::current();
        *self.thread.lock().unwrap_or_else(PoisonError::into_inner) = Some(thread);
        while catch_unwind(AssertUnwindSafe(&mut work)).is_err() {
            tracing::error!("the log's checkpoints failed; they are begun again");
            self.is_down.store(true, Relaxed);
            thread::park_timeout(PAUSE);
            self.is_down.store(false, Relaxed);
        }
    }

    /// The pages of the log after the last commit.
    pub(super) fn pages(&self) -> u32 {
        self.pages.load(Relaxed)
    }

    pub(super) fn wake_if_due(&self) {
        if self.is_due() {
            self.wake();
        }
    }

    fn is_due(&self) -> bool {
        let (pages, copied) = (self.pages.load(Relaxed), self.copied.load(Relaxed));
        // A number from before the log began again counts for nothing.
        let copied = if copied > pages { 0 } else { copied };
        pages - copied >= PAGES
    }

    pub(super) fn close(&self) {
        self.is_closing.store(true, Relaxed);
        self.wake();
    }

    fn wake(&self) {
        let thread = self.thread.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(thread) = &*thread {
            thread.unpark();
        }
    }
}

/// The body of the checkpointing thread.
pub(super) fn run(db: &Connection, shared: &Arc<Shared>) {
    let checkpoints = &shared.checkpoints;
    checkpoints.keep(|| {
        while !checkpoints.is_closing.load(Relaxed) {
            if checkpoints.is_due() {
                pursue(db, shared);
            } else {
                thread::park();
            }
        }
    });
}

fn pursue(db: &Connection, shared: &Shared) {
    for _ in 0..ROUNDS {
        let progress = if shared.files.may_copy() {
            copy(db, "PASSIVE")
        } else {
            None
        };
        let Some(progress) = progress else {
            // A trouble of the disk: the writer meets it too, and says so.
            shared
                .checkpoints
                .copied
                .store(shared.checkpoints.pages.load(Relaxed), Relaxed);
            return;
        };
        // Nothing to gain while somebody still reads an old state: wait for
        // the next thousand pages.
        shared
            .checkpoints
            .copied
            .store(progress.log.max(progress.copied), Relaxed);
        let rest = shared
            .checkpoints
            .pages
            .load(Relaxed)
            .saturating_sub(progress.copied);
        if rest <= PAGES_REST {
            break;
        }
    }
    if shared.checkpoints.pages.load(Relaxed) >= PAGES_LONG {
        shared.queue.ask_for_checkpoint();
    }
}

/// The writer's part: the small rest, so that the next commit begins the log
/// from the front.
pub(super) fn finish(db: &Connection, shared: &Shared) {
    if shared.files.may_copy()
        && let Some(progress) = copy(db, "PASSIVE")
    {
        shared.checkpoints.copied.store(progress.log, Relaxed);
    }
}

/// Tries to copy all of the log; whether that was done.
pub(super) fn copy_all(db: &Connection) -> bool {
    copy(db, "PASSIVE").is_some_and(|done| !done.is_blocked && done.copied == done.log)
}

/// All of it, and the log emptied: when the store closes.
pub(super) fn truncate(db: &Connection) {
    copy(db, "TRUNCATE");
}

struct Progress {
    /// Another checkpoint is running.
    is_blocked: bool,
    log: u32,
    copied: u32,
}

fn copy(db: &Connection, mode: &str) -> Option<Progress> {
    let sql = format!("PRAGMA wal_checkpoint({mode})");
    let row = db.query_row(&sql, (), |r| {
        Ok((r.get(0)?, r.get::<_, i64>(1)?, r.get::<_, i64>(2)?))
    });
    match row {
        // Both numbers are -1 if another checkpoint is running.
        Ok((is_blocked, log, copied)) => Some(Progress {
            is_blocked,
            log: u32::try_from(log).unwrap_or(0),
            copied: u32::try_from(copied).unwrap_or(0),
        }),
        Err(error) => {
            tracing::warn!(%error, mode, "a checkpoint failed");
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn checkpoints_that_fail_are_begun_again() {
        let checkpoints = Checkpoints::default();
        let mut begun = 0;
        checkpoints.keep(|| {
            assert!(!checkpoints.is_down());
            begun += 1;
            if begun < 3 {
                // The pause is over at once: somebody wakes the thread.
                thread::current().unpark();
                // Unlike a panic it is not printed.
                std::panic::resume_unwind(Box::new("no"));
            }
        });
        assert_eq!(begun, 3);
    }
}
