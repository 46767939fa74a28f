//! The shared store: PostgreSQL, which several nodes may use.
//!
//! A change is one conditional update: if the row has the expected version it is
//! made, else somebody else was first. That is the only referee; nothing is
//! locked between requests. Changes that touch one row go many at a time in one
//! statement, all others in a transaction each (`lanes`). A thread of its own
//! drives the connections, so callers need no particular runtime.

pub(crate) mod accounts;
pub(crate) mod aliases;
pub(crate) mod analyses;
pub(crate) mod archive;
pub(crate) mod attempts;
pub(crate) mod bars;
mod batch;
mod changes;
pub(crate) mod chat;
mod confirm;
mod connect;
pub(crate) mod correspondence;
pub(crate) mod fair;
pub(crate) mod fault;
pub(crate) mod inspect;
pub(crate) mod keys;
mod lanes;
pub(crate) mod links;
pub(crate) mod lists;
pub(crate) mod loading;
pub(crate) mod mail;
pub(crate) mod nodes;
pub(crate) mod notifications;
pub(crate) mod outbox;
pub(crate) mod purge;
pub(crate) mod ratings;
pub(crate) mod replica;
pub(crate) mod revocations;
pub(crate) mod rows;
mod schema;
pub(crate) mod setup;
pub(crate) mod social;
mod steps;
#[cfg(test)]
mod tests;
pub(crate) mod tickets;
pub(crate) mod time;
mod tls;
pub(crate) mod tokens;
pub(crate) mod upkeep;
mod url;
mod values;
pub(crate) mod webhooks;

use std::future::Future;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError, mpsc};
use std::thread;
use std::time::Duration;

use chess::Timestamp;
use deadpool_postgres::Pool;
use tokio::runtime::{Builder, Handle, Runtime};
use tokio::time::timeout;

use self::chat::Spoken;
use self::confirm::Confirm;
use self::fault::Fault;
use self::lanes::{Lanes, Work};
use self::replica::Replica;
use crate::callback::{callback, gone};
use crate::stats::{Meter, Stats};
use crate::{
    Beat, Change, ChatNumbering, Done, Due, Error, NewChatLine, NodeId, Pulse, Stored, TableId,
    Upcoming,
};

/// A connection, from the pool, for as long as it is held.
pub(crate) type Db = deadpool_postgres::Object;

/// Connections for whoever only reads, or writes what nobody waits in line for.
const READERS: usize = 8;
/// How long anybody is kept waiting for an answer.
const PATIENCE: Duration = Duration::from_secs(5);
/// The same for what a start asks once, of all tables.
const LONG_PATIENCE: Duration = Duration::from_secs(120);
/// The same for a heartbeat: by then its node has stopped to decide anything.
const BEAT_PATIENCE: Duration = Duration::from_millis(1_500);
/// The name of the thread that drives the connections and calls back.
const THREAD: &str = "store-postgres";

/// A handle on the open database.
#[derive(Clone)]
pub(crate) struct Postgres {
    inner: Arc<Inner>,
}

struct Inner {
    runtime: Mutex<Option<Runtime>>,
    handle: Handle,
    pool: Pool,
    lanes: Arc<Lanes>,
    confirm: Arc<Confirm>,
    /// For heartbeats alone: nobody must be waited for by them.
    beats: Pool,
    meter: Arc<Meter>,
    is_closed: AtomicBool,
}

impl Postgres {
    /// Opens the database that a URL names, and brings its schema up to date.
    pub(crate) fn open(url: &str) -> Result<Postgres, Error> {
        let config = connect::config(url)?;
        let runtime = Builder::new_multi_thread()
            .worker_threads(1)
            .thread_name(THREAD)
            .enable_all()
            .build()
            .map_err(|e| Error::Unavailable(format!("no thread for the database: {e}")))?;
        let handle = runtime.handle().clone();
        let start = config.clone();
        wait_on(&handle, async move { schema::migrate(&start).await })?;
        let meter = Arc::new(Meter::default());
        let writers = connect::pool(&config, lanes::CONNECTIONS, lanes::statements());
        let lanes = Lanes::new(handle.clone(), writers, Arc::clone(&meter));
        let asked = connect::pool(&config, confirm::CONNECTIONS, vec![nodes::VERSIONS]);
        Ok(Postgres {
            inner: Arc::new(Inner {
                pool: connect::pool(&config, READERS, vec![loading::LOAD_LIVE]),
                lanes,
                confirm: Confirm::new(handle.clone(), asked),
                beats: connect::pool(&config, 1, Vec::new()),
                meter,
                is_closed: AtomicBool::new(false),
                handle,
                runtime: Mutex::new(Some(runtime)),
            }),
        })
    }

    /// Begins to look at a replica, on the same thread.
    pub(crate) fn follow(&self, url: &str) -> Result<Replica, Error> {
        Replica::follow(url, &self.inner.handle)
    }

    /// Makes one change durable; those of one table are told in the order of asking.
    pub(crate) fn commit(&self, change: Change, done: Done<()>) {
        self.inner.lanes.push(Work::Change(change), done);
    }

    /// Makes a line durable; those of one room are told in the order of asking.
    pub(crate) fn append_chat(&self, line: NewChatLine, numbering: ChatNumbering, done: Done<u64>) {
        let spoken = Arc::new(Spoken::new(line, numbering));
        let written = Arc::clone(&spoken);
        let done = Box::new(move |result: Result<(), Error>| {
            done(result.map(|()| written.id()));
        });
        self.inner.lanes.push(Work::Line(spoken), done);
    }

    /// Reads a table.
    pub(crate) fn load(&self, id: TableId, done: Done<Option<Stored>>) {
        self.ask_then(move |db| async move { loading::load(&db, id).await }, done);
    }

    /// Which version a table has.
    pub(crate) fn confirm(&self, id: TableId, done: Done<u32>) {
        self.inner.confirm.ask(id, done);
    }

    /// A heartbeat. Whoever waits for it longer than that counts as cut off.
    pub(crate) fn beat(&self, beat: Beat, done: Done<Pulse>) {
        let pool = self.inner.beats.clone();
        let heard = move |db: Db| async move { nodes::beat(&db, beat).await };
        self.ask_of(pool, BEAT_PATIENCE, heard, done);
    }

    /// The tables whose last change was none of these nodes'.
    pub(crate) fn orphans(&self, live: Vec<NodeId>, done: Done<Vec<Due>>) {
        let orphans = move |mut db: Db| async move { nodes::orphans(&mut db, &live).await };
        self.ask_within(LONG_PATIENCE, orphans, done);
    }

    /// Tables whose deadlines are before that moment.
    pub(crate) fn due_before(
        &self,
        before: Timestamp,
        after: Option<(Timestamp, TableId)>,
        limit: u32,
        done: Done<Upcoming>,
    ) {
        let page = move |mut db: Db| async move {
            let rows = loading::due_before(&mut db, before, after, limit).await?;
            let rows = Upcoming::by_deadline(rows);
            Ok(Upcoming::page(rows, Vec::new(), limit, |_| false))
        };
        self.ask_within(LONG_PATIENCE, page, done);
    }

    /// There is nothing to do in its own time.
    pub(crate) fn tidy(&self, done: Done<()>) {
        done(match self.inner.is_closed.load(Ordering::Acquire) {
            true => Err(lanes::closing()),
            false => Ok(()),
        });
    }

    /// Every table that is not over, in the order of their ids.
    pub(crate) async fn due(&self) -> Result<Vec<Due>, Error> {
        let (done, told) = callback();
        let due = |mut db: Db| async move { loading::due(&mut db).await };
        self.ask_within(LONG_PATIENCE, due, done);
        told.await.unwrap_or_else(|_| Err(gone()))
    }

    /// Has something done on a connection: to be awaited anywhere.
    pub(crate) async fn ask<T, F>(
        &self,
        run: impl FnOnce(Db) -> F + Send + 'static,
    ) -> Result<T, Error>
    where
        T: Send + 'static,
        F: Future<Output = Result<T, Fault>> + Send,
    {
        let (done, told) = callback();
        self.ask_then(run, done);
        told.await.unwrap_or_else(|_| Err(gone()))
    }

    /// The same, for what has to look at everything.
    pub(crate) async fn ask_patiently<T, F>(
        &self,
        run: impl FnOnce(Db) -> F + Send + 'static,
    ) -> Result<T, Error>
    where
        T: Send + 'static,
        F: Future<Output = Result<T, Fault>> + Send,
    {
        let (done, told) = callback();
        self.ask_within(LONG_PATIENCE, run, done);
        told.await.unwrap_or_else(|_| Err(gone()))
    }

    /// [`Postgres::ask`] for those who cannot wait.
    pub(crate) fn ask_then<T, F>(&self, run: impl FnOnce(Db) -> F + Send + 'static, done: Done<T>)
    where
        T: Send + 'static,
        F: Future<Output = Result<T, Fault>> + Send,
    {
        self.ask_within(PATIENCE, run, done);
    }

    fn ask_within<T, F>(
        &self,
        patience: Duration,
        run: impl FnOnce(Db) -> F + Send + 'static,
        done: Done<T>,
    ) where
        T: Send + 'static,
        F: Future<Output = Result<T, Fault>> + Send,
    {
        self.ask_of(self.inner.pool.clone(), patience, run, done);
    }

    fn ask_of<T, F>(
        &self,
        pool: Pool,
        patience: Duration,
        run: impl FnOnce(Db) -> F + Send + 'static,
        done: Done<T>,
    ) where
        T: Send + 'static,
        F: Future<Output = Result<T, Fault>> + Send,
    {
        if self.inner.is_closed.load(Ordering::Acquire) {
            return done(Err(lanes::closing()));
        }
        self.inner.handle.spawn(async move {
            let asked = timeout(patience, async { run(pool.get().await?).await });
            let result = asked.await.unwrap_or(Err(Fault::Slow));
            done(result.map_err(Fault::into_error));
        });
    }

    pub(crate) fn stats(&self) -> Stats {
        Stats {
            waiting: self.inner.lanes.waiting(),
            ..self.inner.meter.stats()
        }
    }

    /// Finishes what was asked for, and lets go of the database.
    pub(crate) fn close(&self) {
        self.inner.close();
    }
}

impl Inner {
    fn close(&self) {
        if self.is_closed.swap(true, Ordering::AcqRel) {
            return;
        }
        // The last handle may go inside of a callback: nothing can be waited for there.
        let is_own = thread::current().name() == Some(THREAD);
        self.lanes.close(!is_own);
        self.pool.close();
        let runtime = self.runtime.lock();
        if let Some(runtime) = runtime.unwrap_or_else(PoisonError::into_inner).take() {
            runtime.shutdown_background();
        }
    }
}

impl Drop for Inner {
    fn drop(&mut self) {
        self.close();
    }
}

/// Waits for something that runs on the store's own thread, whoever asks.
fn wait_on<T: Send + 'static>(
    handle: &Handle,
    run: impl Future<Output = Result<T, Error>> + Send + 'static,
) -> Result<T, Error> {
    let (tell, told) = mpsc::channel();
    handle.spawn(async move { drop(tell.send(run.await)) });
    told.recv().unwrap_or_else(|_| Err(gone()))
}
