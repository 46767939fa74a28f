//! The embedded store: one SQLite file, log-first.
//!
//! One thread writes, a few read, one copies the log into the file; they share
//! nothing but queues. See `writer` for how a change becomes durable.

pub(crate) mod accounts;
pub(crate) mod aliases;
pub(crate) mod analyses;
mod backup;
pub(crate) mod bars;
mod changes;
pub(crate) mod chat;
mod checkpoint;
pub(crate) mod correspondence;
pub(crate) mod fair;
pub(crate) mod fault;
mod file;
mod folding;
mod identity;
pub(crate) mod inspect;
pub(crate) mod keys;
pub(crate) mod links;
pub(crate) mod lists;
pub(crate) mod loading;
mod lock;
pub(crate) mod mail;
mod meta;
pub(crate) mod notifications;
pub(crate) mod outbox;
pub(crate) mod purge;
mod queue;
mod rare;
pub(crate) mod ratings;
mod readers;
mod recovery;
pub(crate) mod rows;
pub mod schema;
pub(crate) mod setup;
pub(crate) mod social;
mod tails;
#[cfg(test)]
mod tests;
pub(crate) mod tickets;
pub(crate) mod time;
pub(crate) mod tokens;
pub(crate) mod upkeep;
mod values;
mod versions;
pub(crate) mod webhooks;
mod writer;

use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, mpsc};
use std::thread::{self, JoinHandle};
use std::time::Instant;

use chess::Timestamp;
use rusqlite::Connection;

use self::checkpoint::Checkpoints;
use self::fault::{Fault, unavailable};
use self::identity::Files;
use self::loading::Wanted;
use self::queue::{AskedFold, Commit, Job, Op, Queue};
use self::rare::Rare;
use self::readers::Reads;
use self::tails::Tails;
use self::writer::Writer;
use crate::behind::{self, Newest};
use crate::callback::{callback, gone};
use crate::stats::{Meter, Stats};
use crate::{
    Change, Done, Due, Error, Finished, FinishedQuery, ListQuery, Listed, Stored, TableId,
    Upcoming, Upkeep,
};

pub(crate) use self::backup::restore;
pub use self::file::sync_directory;
pub use self::lock::{Lock, real_path};

/// Threads that read.
const READERS: usize = 3;

/// A handle on the open database.
#[derive(Clone)]
pub(crate) struct Sqlite {
    inner: Arc<Inner>,
}

/// What the handles share; the threads do not, so that the last handle that
/// goes can end them.
struct Inner {
    shared: Arc<Shared>,
    threads: Mutex<Vec<JoinHandle<()>>>,
    /// Held as long as anything of the store has the file open: nobody else may.
    lock: Mutex<Option<Arc<Lock>>>,
}

/// What the threads share.
struct Shared {
    path: PathBuf,
    files: Files,
    queue: Queue,
    reads: Reads,
    checkpoints: Checkpoints,
    meter: Meter,
    tails: Tails,
    upkeep: Upkeep,
    rare: Rare,
    /// Whether what the last run left in the journal is being read.
    is_recovering: AtomicBool,
}

impl Sqlite {
    /// Opens the database at that path, making it if there is none.
    pub(crate) fn open(path: &Path, upkeep: Upkeep) -> Result<Sqlite, Error> {
        file::create(path)?;
        let lock = Arc::new(file::lock(path)?);
        let mut db = file::open_writer(lock.path())?;
        schema::migrate(&mut db)?;
        let (versions, tails, seq) = writer::where_it_ended(&db)?;
        let shared = Arc::new(Shared {
            path: lock.path().to_owned(),
            files: Files::of(&db, &lock)?,
            queue: Queue::new(),
            reads: Reads::default(),
            checkpoints: Checkpoints::default(),
            meter: Meter::default(),
            tails,
            upkeep,
            rare: Rare::read(&db),
            is_recovering: AtomicBool::new(false),
        });
        let noted = Arc::clone(&shared);
        db.wal_hook(Some(move |_: &mut _, pages| {
            noted
                .checkpoints
                .note_pages(u32::try_from(pages).unwrap_or(0));
            Ok(())
        }))
        .map_err(|e| unavailable("the log cannot be watched", &e))?;
        let sqlite = Sqlite {
            inner: Arc::new(Inner {
                shared: Arc::clone(&shared),
                threads: Mutex::default(),
                lock: Mutex::new(Some(lock)),
            }),
        };
        let writer = Writer::new(db, versions, seq, Arc::clone(&shared));
        sqlite.spawn("store-writer", move || writer.run())?;
        for _ in 0..READERS {
            let (db, shared) = (file::open_reader(&shared.path)?, Arc::clone(&shared));
            sqlite.spawn("store-reader", move || readers::run(&db, &shared))?;
        }
        let db = file::open_checkpointer(&shared.path)?;
        recovery::go_on(&shared);
        sqlite.spawn("store-checkpoint", move || checkpoint::run(&db, &shared))?;
        Ok(sqlite)
    }

    fn spawn(&self, name: &str, body: impl FnOnce() + Send + 'static) -> Result<(), Error> {
        let lock = self.inner.lock()?;
        let thread = thread::Builder::new()
            .name(name.to_owned())
            .spawn(move || {
                body();
                // Its connection is closed by now.
                drop(lock);
            })
            .map_err(|e| unavailable("a thread of the store could not be started", &e))?;
        self.inner.threads().push(thread);
        Ok(())
    }

    /// Who may have what hardly anybody has.
    pub(crate) fn rare(&self) -> &Rare {
        &self.inner.shared.rare
    }

    /// Has something written by the writer, together with whatever else is
    /// waiting; told when it is durable.
    pub(crate) fn write_then<T: Send + 'static>(
        &self,
        run: impl FnOnce(&Connection) -> Result<T, Fault> + Send + 'static,
        done: Done<T>,
    ) {
        self.inner.shared.queue.push(Op::Task(Box::new(Job {
            run: Some(run),
            value: None,
            done,
        })));
    }

    /// Has something read by one of the readers.
    fn read_then<T: 'static>(
        &self,
        run: impl FnOnce(&Connection) -> Result<T, Fault> + Send + 'static,
        done: Done<T>,
    ) {
        self.inner.shared.reads.push(Box::new(move |db| {
            done(db.and_then(|db| run(db).map_err(Fault::into_error)));
        }));
    }

    /// [`Sqlite::write_then`] for those who can wait.
    pub(crate) async fn write<T: Send + 'static>(
        &self,
        run: impl FnOnce(&Connection) -> Result<T, Fault> + Send + 'static,
    ) -> Result<T, Error> {
        let (done, told) = callback();
        self.write_then(run, done);
        told.await.unwrap_or_else(|_| Err(gone()))
    }

    /// [`Sqlite::read_then`] for those who can wait.
    pub(crate) async fn read<T: Send + 'static>(
        &self,
        run: impl FnOnce(&Connection) -> Result<T, Fault> + Send + 'static,
    ) -> Result<T, Error> {
        let (done, told) = callback();
        self.read_then(run, done);
        told.await.unwrap_or_else(|_| Err(gone()))
    }

    pub(crate) fn commit(&self, change: Change, done: Done<()>) {
        let fold_after = self.inner.shared.upkeep.fold_after;
        let behind = self.inner.shared.tails.of(change.table);
        let wants_row = behind.wants_row(&change, fold_after);
        drop(behind);
        self.inner.shared.queue.push(Op::Commit(Commit {
            row: wants_row.then(|| Box::new(change.after.row())),
            change,
            done,
            asked: Instant::now(),
        }));
    }

    /// Where the newest state of a table is.
    fn newest(&self, table: TableId) -> Newest {
        self.inner.shared.tails.of(table).newest(table)
    }

    pub(crate) fn load(&self, table: TableId, done: Done<Option<Stored>>) {
        match self.newest(table) {
            Newest::Row => self.read_then(move |db| loading::load(db, table), done),
            Newest::Snapshot(after) => {
                self.read_then(move |_| Ok(Some(after.row().into())), done);
            }
            Newest::RowAndJournal => {
                let wanted = Wanted { table, done };
                self.inner.shared.reads.push_unfolded(wanted);
            }
        }
    }

    /// A page of a list, with the newest state of its tables as far as it is known.
    pub(crate) async fn page(&self, query: ListQuery) -> Result<Vec<Listed>, Error> {
        let page = self.read(move |db| lists::page(db, &query)).await?;
        let newest = |Listed { place, stored }| Listed {
            place,
            stored: stored.map(|row| self.newest(place.table).over(row)),
        };
        Ok(page.into_iter().map(newest).collect())
    }

    /// A page of finished tables, with the newest state of each: its result may have been
    /// changed since.
    pub(crate) async fn finished(&self, query: FinishedQuery) -> Result<Vec<Finished>, Error> {
        let page = self.read(move |db| lists::finished(db, &query)).await?;
        let newest = |Finished { place, stored }| Finished {
            place,
            stored: stored.map(|row| self.newest(place.table).over(row)),
        };
        Ok(page.into_iter().map(newest).collect())
    }

    /// Brings every row up to date.
    pub(crate) fn tidy(&self, done: Done<()>) {
        let asked = AskedFold { trims: true, done };
        self.inner.shared.queue.fold(asked);
    }

    pub(crate) fn heartbeat(&self, at: Timestamp, done: Done<()>) {
        self.write_then(move |db| Ok(meta::raise(db, meta::ALIVE_AT, at.0)?), done);
    }

    /// Every table that is not over; of one whose row is behind, nobody knows
    /// before it is read.
    pub(crate) async fn due(&self) -> Result<Vec<Due>, Error> {
        // Before the rows are read: meanwhile some may be brought up to date.
        let behind = self.inner.shared.tails.all();
        let mut due = self.read(loading::due).await?;
        behind::unknown(&mut due, &behind);
        Ok(due)
    }

    /// Tables whose deadlines are before that moment. Those whose rows are behind come
    /// with the first page: their rows may say something else.
    pub(crate) fn due_before(
        &self,
        before: Timestamp,
        after: Option<(Timestamp, TableId)>,
        limit: u32,
        done: Done<Upcoming>,
    ) {
        // Before the rows are read: meanwhile some may be brought up to date.
        let behind = match after {
            None => self.inner.shared.tails.due_before(before),
            Some(_) => Vec::new(),
        };
        let store = self.clone();
        let page = move |db: &Connection| {
            let rows = lists::due_before(db, before, after, limit)?;
            let is_behind = |table| !matches!(store.newest(table), Newest::Row);
            Ok(Upcoming::page(rows, behind, limit, is_behind))
        };
        self.read_then(page, done);
    }

    /// [`Sqlite::write_then`] for threads that can wait.
    fn write_now<T: Send + 'static>(
        &self,
        run: impl FnOnce(&Connection) -> Result<T, Fault> + Send + 'static,
    ) -> Result<T, Error> {
        let (tell, told) = mpsc::channel();
        self.write_then(run, Box::new(move |result| drop(tell.send(result))));
        told.recv().unwrap_or_else(|_| Err(gone()))
    }

    /// Whether reading and writing work.
    pub(crate) async fn ping(&self) -> Result<(), Error> {
        self.read(|db| Ok(meta::get(db, meta::PINGS)?)).await?;
        self.write(|db| Ok(meta::count(db, meta::PINGS)?)).await
    }

    /// Finishes what is in hand and leaves one tidy file.
    pub(crate) fn close(&self) {
        self.inner.close();
    }

    pub(crate) fn stats(&self) -> Stats {
        let shared = &self.inner.shared;
        Stats {
            waiting: shared.queue.waiting(),
            wal_bytes: file::size(&file::beside(&shared.path, "-wal")),
            file_bytes: file::size(&shared.path),
            loss: shared.files.loss(),
            is_checkpointer_down: shared.checkpoints.is_down(),
            ..shared.meter.stats()
        }
    }
}

impl Inner {
    fn close(&self) {
        // The writer's last act is to empty the log, which SQLite refuses
        // without waiting while another checkpoint runs: that thread first.
        self.shared.checkpoints.close();
        self.join_last();
        self.shared.queue.close();
        self.shared.reads.close();
        while self.join_last() {}
        self.held().take();
    }

    /// The lock, for whoever opens the file.
    fn lock(&self) -> Result<Arc<Lock>, Error> {
        self.held().clone().ok_or_else(queue::closing)
    }

    fn held(&self) -> MutexGuard<'_, Option<Arc<Lock>>> {
        self.lock.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits for the thread started last, the checkpointing one before all
    /// others; false if none is left.
    fn join_last(&self) -> bool {
        let Some(thread) = self.threads().pop() else {
            return false;
        };
        // The last handle may go on one of these threads, inside a callback;
        // that one ends by itself.
        if thread.thread().id() != thread::current().id() && thread.join().is_err() {
            tracing::error!("a thread of the store had panicked");
        }
        true
    }

    fn threads(&self) -> MutexGuard<'_, Vec<JoinHandle<()>>> {
        self.threads.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Inner {
    fn drop(&mut self) {
        self.close();
    }
}
