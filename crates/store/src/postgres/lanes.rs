//! How changes and lines reach the database: what belongs to one table one after
//! the other, what does not side by side.
//!
//! A change that touches nothing but its row waits until a batch leaves, and many
//! leave as one statement (`batch`). Everything else is a transaction of its own
//! (`changes`).

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use deadpool_postgres::Pool;
use tokio::runtime::Handle;
use tokio::time::timeout;

use super::chat::{self, Spoken};
use super::fault::Fault;
use super::{PATIENCE, batch, changes, outbox, ratings, rows, tickets};
use crate::callback::tell;
use crate::stats::Meter;
use crate::{Change, Done, Error, EventKind, TableId};

/// Batches on their way at once: while one is written the next is gathered.
const BATCHES: usize = 2;
/// Transactions on their way at once.
const SINGLES: usize = 8;
/// Changes in a batch.
const BATCH_MAX: usize = 512;
/// How often something is tried that others were in the way of.
const TRIES: u32 = 20;
/// What may wait.
const WAITING_MAX: usize = 200_000;

/// Connections that are needed for all of it.
pub(super) const CONNECTIONS: usize = BATCHES + SINGLES;

/// What is written with, to be prepared on each of them.
pub(super) fn statements() -> Vec<&'static str> {
    let all = [
        &changes::STATEMENTS[..],
        &rows::STATEMENTS,
        &chat::STATEMENTS,
        &tickets::STATEMENTS,
        &ratings::STATEMENTS,
    ];
    let mut statements = all.concat();
    statements.extend([batch::UPDATE, batch::UPDATE_AND_TELL, outbox::TELL]);
    statements
}

/// What is to be written.
pub(super) enum Work {
    Change(Change),
    Line(Arc<Spoken>),
}

/// Whose turn it is: a table's changes, or what is said there.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Turn {
    Change(TableId),
    Line(TableId),
}

impl Work {
    fn turn(&self) -> Turn {
        match self {
            Work::Change(change) => Turn::Change(change.table),
            Work::Line(spoken) => Turn::Line(spoken.line.table),
        }
    }

    /// Whether it touches one row and nothing else, but that a move is told.
    fn is_plain(&self) -> bool {
        match self {
            Work::Change(change) => {
                !change.is_listed
                    && change.remember.is_none()
                    && change.rates.is_none()
                    && change.tells.without(EventKind::MovePlayed).is_empty()
                    && change.expected > 0
            }
            Work::Line(_) => false,
        }
    }
}

struct Item {
    work: Work,
    done: Done<()>,
    asked: Instant,
}

/// The lanes.
pub(super) struct Lanes {
    handle: Handle,
    pool: Pool,
    meter: Arc<Meter>,
    state: Mutex<State>,
    empty: Condvar,
}

#[derive(Default)]
struct State {
    /// Those with something on its way or ready, and what comes after it.
    busy: HashMap<Turn, VecDeque<Item>>,
    plain: VecDeque<Item>,
    single: VecDeque<Item>,
    /// Which writers are free: each has a row of its own for its sign of life.
    free_batches: Vec<usize>,
    free_singles: Vec<usize>,
    waiting: usize,
    is_closed: bool,
}

impl State {
    fn ready(&mut self, item: Item) {
        match item.work.is_plain() {
            true => self.plain.push_back(item),
            false => self.single.push_back(item),
        }
    }

    /// Something of that table is done: what comes after it is ready.
    fn settle(&mut self, turn: Turn) {
        self.waiting -= 1;
        let next = self.busy.get_mut(&turn).and_then(VecDeque::pop_front);
        match next {
            Some(item) => self.ready(item),
            None => drop(self.busy.remove(&turn)),
        }
    }
}

impl Lanes {
    pub(super) fn new(handle: Handle, pool: Pool, meter: Arc<Meter>) -> Arc<Lanes> {
        let state = State {
            free_batches: (0..BATCHES).collect(),
            free_singles: (BATCHES..CONNECTIONS).collect(),
            ..State::default()
        };
        Arc::new(Lanes {
            handle,
            pool,
            meter,
            state: Mutex::new(state),
            empty: Condvar::new(),
        })
    }

    /// Takes something in, or tells its submitter why not.
    pub(super) fn push(self: &Arc<Lanes>, work: Work, done: Done<()>) {
        let mut state = self.state();
        let refused = match (state.is_closed, state.waiting >= WAITING_MAX) {
            (true, _) => Some(closing()),
            (_, true) => Some(Error::Unavailable(
                "too much is waiting to be written".into(),
            )),
            _ => None,
        };
        if let Some(why) = refused {
            drop(state);
            return done(Err(why));
        }
        state.waiting += 1;
        let asked = Instant::now();
        let turn = work.turn();
        let item = Item { work, done, asked };
        match state.busy.get_mut(&turn) {
            Some(after) => after.push_back(item),
            None => {
                state.busy.insert(turn, VecDeque::new());
                state.ready(item);
            }
        }
        self.send(&mut state);
    }

    /// Sends off whatever can go.
    fn send(self: &Arc<Lanes>, state: &mut State) {
        while !state.plain.is_empty()
            && let Some(writer) = state.free_batches.pop()
        {
            let some = state.plain.len().min(BATCH_MAX);
            let items = state.plain.drain(..some).collect();
            self.handle.spawn(Arc::clone(self).run_batch(writer, items));
        }
        while !state.single.is_empty()
            && let Some(writer) = state.free_singles.pop()
            && let Some(item) = state.single.pop_front()
        {
            self.handle.spawn(Arc::clone(self).run_single(writer, item));
        }
    }

    async fn run_batch(self: Arc<Lanes>, writer: usize, items: Vec<Item>) {
        let mut dones = Vec::with_capacity(items.len());
        let mut changes = Vec::with_capacity(items.len());
        let mut asked = Vec::with_capacity(items.len());
        for item in items {
            if let Work::Change(change) = item.work {
                changes.push(change);
                dones.push(item.done);
                asked.push(item.asked);
            }
        }
        let results = self.write_all(writer, &changes).await;
        match results.iter().any(is_unavailable) {
            true => self.meter.failure(),
            false => self.meter.batch(&asked),
        }
        let turns: Vec<_> = changes.iter().map(|c| Turn::Change(c.table)).collect();
        for (done, result) in dones.into_iter().zip(results) {
            tell(|| done(result));
        }
        self.settle(&turns, |state| state.free_batches.push(writer));
    }

    /// Writes a batch. If it was in somebody's way, one by one: what belongs to
    /// others costs nobody here their change.
    async fn write_all(&self, writer: usize, changes: &[Change]) -> Vec<Result<(), Error>> {
        match self.write(writer, changes).await {
            Ok(results) => results,
            Err(fault) if fault.is_passing() => {
                let mut results = Vec::with_capacity(changes.len());
                for change in changes {
                    results.push(self.write_one(writer, change).await);
                }
                results
            }
            Err(fault) => vec![Err(fault.into_error()); changes.len()],
        }
    }

    async fn write_one(&self, writer: usize, change: &Change) -> Result<(), Error> {
        for _ in 0..TRIES {
            match self.write(writer, std::slice::from_ref(change)).await {
                Ok(mut results) => return results.pop().unwrap_or_else(|| Err(closing())),
                Err(fault) if fault.is_passing() => {}
                Err(fault) => return Err(fault.into_error()),
            }
        }
        Err(crowded())
    }

    async fn write(
        &self,
        writer: usize,
        changes: &[Change],
    ) -> Result<Vec<Result<(), Error>>, Fault> {
        let written = async { batch::write(&self.pool.get().await?, writer, changes).await };
        timeout(PATIENCE, written).await.unwrap_or(Err(Fault::Slow))
    }

    async fn run_single(self: Arc<Lanes>, writer: usize, item: Item) {
        let Item { work, done, asked } = item;
        let result = self.write_single(writer, &work).await;
        match is_unavailable(&result) {
            true => self.meter.failure(),
            false => self.meter.batch(&[asked]),
        }
        tell(|| done(result));
        self.settle(&[work.turn()], |state| state.free_singles.push(writer));
    }

    async fn write_single(&self, writer: usize, work: &Work) -> Result<(), Error> {
        for _ in 0..TRIES {
            let written = async {
                let db = self.pool.get().await?;
                match work {
                    Work::Change(change) => changes::write(db, writer, change).await,
                    Work::Line(spoken) => chat::append(db, spoken).await,
                }
            };
            match timeout(PATIENCE, written).await.unwrap_or(Err(Fault::Slow)) {
                Ok(()) => return Ok(()),
                Err(fault) if fault.is_passing() => {}
                Err(fault) => return Err(fault.into_error()),
            }
        }
        Err(crowded())
    }

    /// After their submitters were told, so that what belongs to one table is told
    /// in order.
    fn settle(self: &Arc<Lanes>, turns: &[Turn], free: impl FnOnce(&mut State)) {
        let mut state = self.state();
        free(&mut state);
        for turn in turns {
            state.settle(*turn);
        }
        self.send(&mut state);
        if state.waiting == 0 {
            self.empty.notify_all();
        }
    }

    /// How much waits or is on its way.
    pub(super) fn waiting(&self) -> usize {
        self.state().waiting
    }

    /// Lets nothing more in, and waits for what is on its way if it may.
    pub(super) fn close(&self, waits: bool) {
        let mut state = self.state();
        state.is_closed = true;
        while waits && state.waiting > 0 {
            state = self
                .empty
                .wait(state)
                .unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn is_unavailable(result: &Result<(), Error>) -> bool {
    matches!(result, Err(Error::Unavailable(_)))
}

fn crowded() -> Error {
    Error::Unavailable("others were in the way too often".into())
}

/// What is asked of a store that is closing.
pub(super) fn closing() -> Error {
    Error::Unavailable("the store is closing".into())
}
