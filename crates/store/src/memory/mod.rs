//! The store in memory: for tests, and for the simulator.
//!
//! By itself it completes every operation at once, on the thread that asks. In
//! *manual* mode commits, loads, folds and heartbeats wait until its
//! [`Control`] lets them happen, fail, or be lost in a crash; everything else
//! (accounts, lists) still happens at once. It is deterministic: nothing
//! depends on time, chance, hash order or other threads.
//!
//! It keeps tables as the embedded store does, with a journal and rows that are
//! behind, so that the simulator finds what is wrong with that.

mod aliases;
mod analyses;
mod attempts;
mod bars;
mod chat;
mod contents;
mod control;
mod correspondence;
mod due;
mod fair;
mod folding;
mod line;
mod nodes;
mod outbox;
mod people;
mod played;
mod ratings;
mod revocations;
mod setup;
mod social;
mod tickets;
pub(crate) mod told;
mod turns;
mod webhooks;

use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use chess::Timestamp;
use chess::table::Outage;

use self::contents::Contents;
use self::folding::Run;
use self::line::Ask;
use self::turns::{Asked, Inside, Thread};
use crate::behind::{self, Behind, Newest, last_first};
use crate::{
    Beat, Change, Cursor, Done, Due, Error, Finished, FinishedPlace, FinishedQuery, ListQuery,
    Listed, NodeId, Pulse, Row, Standing, Stored, TableId, Upkeep,
};

pub use self::control::{Control, Fate};
pub use self::line::Line;
pub use self::turns::{Turn, Turns, Waiting};

/// Rows that a fold writes at a time, unless its controller says otherwise.
const FOLD_ROWS: usize = 128;

/// A handle on the store in memory.
#[derive(Clone, Default)]
pub(crate) struct Memory {
    inner: Arc<Mutex<Inner>>,
    /// The way there, if it is one of several servers'.
    line: Option<line::Shared>,
}

#[derive(Default)]
struct Inner {
    /// What is durable.
    state: Contents,
    /// What the process knows of it.
    behind: Behind,
    upkeep: Upkeep,
    /// Rows that a fold writes at a time.
    fold_rows: usize,
    is_folding: bool,
    /// Those who asked for a fold while one was under way.
    folds: VecDeque<Done<()>>,
    /// A mistake on purpose: what is in the journal alone is not found.
    is_journal_lost: bool,
    writes: VecDeque<Write>,
    reads: VecDeque<Read>,
    /// Callbacks that are due, in order, each with its thread.
    due: VecDeque<(Thread, Box<dyn FnOnce() + Send>)>,
    inside: Inside,
    /// Who decides what other threads do in the middle of a call.
    turns: Option<Turns>,
    /// Somebody is calling them; whoever comes meanwhile leaves it to them.
    is_calling: bool,
    is_manual: bool,
    /// Whether several servers use it.
    is_shared: bool,
    life: Life,
    /// What a failed batch left in the log: it comes back if the next thing
    /// that happens is a crash.
    ghost: Vec<Effect>,
}

#[derive(Clone, Copy, Default, PartialEq)]
enum Life {
    #[default]
    Open,
    Closed,
    /// The process is gone: nothing is done and nobody is told.
    Crashed,
}

struct Write {
    effect: Effect,
    done: WriteDone,
}

/// What a write does to the state.
enum Effect {
    /// A change, as a row or as a record of the journal.
    Commit(Box<Change>, Option<Box<Row>>),
    /// The next tables of a fold.
    Fold(Vec<TableId>),
    /// The rows that came of it.
    Rows(Vec<Row>),
    Trim(u64),
    Heartbeat(Timestamp),
    Outage(Outage),
    Beat(Beat),
}

enum WriteDone {
    Told(Done<()>),
    Pulse(Done<Pulse>),
    Fold(Box<Run>),
}

struct Read {
    table: TableId,
    done: Done<Option<Stored>>,
}

impl Memory {
    pub(crate) fn new(upkeep: Upkeep) -> Memory {
        let memory = Memory::default();
        let mut inner = memory.lock();
        inner.upkeep = upkeep;
        inner.fold_rows = FOLD_ROWS;
        drop(inner);
        memory
    }

    /// Says that several servers use it.
    pub(crate) fn shared(self) -> Memory {
        self.lock().is_shared = true;
        self
    }

    pub(crate) fn is_shared(&self) -> bool {
        self.lock().is_shared
    }

    pub(crate) fn commit(&self, change: Change, done: Done<()>) {
        let inner = self.lock();
        let wants_row = inner.behind.wants_row(&change, inner.upkeep.fold_after);
        drop(inner);
        let row = wants_row.then(|| Box::new(change.after.row()));
        self.write(Effect::Commit(Box::new(change), row), WriteDone::Told(done));
    }

    pub(crate) fn note_outage_then(&self, outage: Outage, done: Done<()>) {
        self.write(Effect::Outage(outage), WriteDone::Told(done));
    }

    pub(crate) fn heartbeat(&self, at: Timestamp, done: Done<()>) {
        self.write(Effect::Heartbeat(at), WriteDone::Told(done));
    }

    pub(crate) fn load(&self, table: TableId, done: Done<Option<Stored>>) {
        if let Some(line) = &self.line {
            return line.ask(Ask::Load(table, done));
        }
        let mut inner = self.lock();
        match inner.life {
            Life::Open => inner.reads.push_back(Read { table, done }),
            Life::Closed => {
                let refused = Box::new(|| done(Err(closed())));
                inner.due.push_back((Thread::Reader, refused));
            }
            Life::Crashed => return,
        }
        self.go_on(inner);
        self.turn(Some(Asked::Load));
    }

    pub(crate) fn beat(&self, beat: Beat, done: Done<Pulse>) {
        self.write(Effect::Beat(beat), WriteDone::Pulse(done));
    }

    pub(crate) fn orphans(&self, live: &[NodeId], done: Done<Vec<Due>>) {
        if let Some(line) = &self.line {
            return line.ask(Ask::Orphans(live.to_vec(), done));
        }
        done(self.with(|state| state.orphans(live)));
    }

    /// How far these tables and their rooms have come.
    pub(crate) fn standings(&self, tables: &[TableId]) -> Result<Vec<Standing>, Error> {
        self.with(|state| {
            let standing = |table: &TableId| {
                Some(Standing {
                    table: *table,
                    version: state.version(*table)?,
                    chat: state.chat.last(*table),
                })
            };
            tables.iter().filter_map(standing).collect()
        })
    }

    /// A page of a list, with the newest state of its tables as far as it is known.
    pub(crate) fn page(&self, query: &ListQuery) -> Result<Vec<Listed>, Error> {
        let places = self.with(|state| state.list(query))?;
        let inner = self.lock();
        let listed = |place: Cursor| {
            let row = inner.state.load(place.table, false)?;
            let stored = Ok(inner.behind.newest(place.table).over(row));
            Some(Listed { place, stored })
        };
        Ok(places.into_iter().filter_map(listed).collect())
    }

    /// A page of finished tables, with the newest state of each.
    pub(crate) fn finished(&self, query: &FinishedQuery) -> Result<Vec<Finished>, Error> {
        let places = self.with(|state| state.finished(query))?;
        let inner = self.lock();
        let found = |place: FinishedPlace| {
            let row = inner.state.load(place.table, false)?;
            let stored = Ok(inner.behind.newest(place.table).over(row));
            Some(Finished { place, stored })
        };
        Ok(places.into_iter().filter_map(found).collect())
    }

    /// Every table that is not over.
    pub(crate) fn due(&self) -> Result<Vec<Due>, Error> {
        let mut due = self.with(|state| state.due())?;
        behind::unknown(&mut due, &last_first(self.lock().behind.all()));
        Ok(due)
    }

    fn write(&self, effect: Effect, done: WriteDone) {
        if let Some(line) = &self.line {
            return line.ask(Ask::Write(effect, done));
        }
        let mut inner = self.lock();
        match inner.life {
            Life::Open => inner.writes.push_back(Write { effect, done }),
            Life::Closed => inner.fail(Thread::Writer, done, closed()),
            Life::Crashed => return,
        }
        self.go_on(inner);
        self.turn(Some(Asked::Write));
    }

    /// Anything else happens at once.
    pub(crate) fn with<T>(&self, run: impl FnOnce(&mut Contents) -> T) -> Result<T, Error> {
        if let Some(line) = &self.line {
            line.check()?;
        }
        let mut inner = self.lock();
        match inner.life {
            Life::Open => Ok(run(&mut inner.state)),
            Life::Closed | Life::Crashed => Err(closed()),
        }
    }

    /// Does what is waiting, then refuses everything.
    pub(crate) fn close(&self) {
        let mut inner = self.lock();
        if inner.life == Life::Open {
            inner.complete_all();
            inner.life = Life::Closed;
        }
        self.call(inner);
    }

    fn go_on<'a>(&'a self, mut inner: MutexGuard<'a, Inner>) {
        if !inner.is_manual {
            inner.complete_all();
        }
        self.call(inner);
    }

    /// Calls what is due: in order, one at a time, and without the lock, so
    /// that a callback may use the store. One that panics keeps nobody else from
    /// being called; then the panic goes on, since it is what the simulator looks for.
    fn call<'a>(&'a self, mut inner: MutexGuard<'a, Inner>) {
        if inner.is_calling {
            return;
        }
        inner.is_calling = true;
        let mut panic = None;
        while let Some((thread, callback)) = inner.due.pop_front() {
            inner.inside.enter(thread);
            drop(inner);
            let called = catch_unwind(AssertUnwindSafe(callback));
            panic = panic.or(called.err());
            inner = self.lock();
            inner.inside.leave(thread);
        }
        inner.is_calling = false;
        drop(inner);
        if let Some(panic) = panic {
            resume_unwind(panic);
        }
    }

    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Inner {
    fn complete_all(&mut self) {
        while self.complete_writes(usize::MAX) > 0 {}
        while !self.reads.is_empty() {
            self.complete_read(0);
        }
    }

    /// Carries out the next writes; they are durable, and their submitters told.
    fn complete_writes(&mut self, many: usize) -> usize {
        let many = many.min(self.writes.len());
        if many > 0 {
            self.ghost.clear();
        }
        let batch: Vec<Write> = self.writes.drain(..many).collect();
        for Write { effect, done } in batch {
            match (effect, done) {
                (Effect::Beat(beat), WriteDone::Pulse(done)) => {
                    let pulse = self.state.beat(beat);
                    self.tell(move || done(pulse));
                }
                (effect, WriteDone::Told(done)) => {
                    let result = self.apply(effect);
                    self.tell(move || done(result));
                }
                (effect, WriteDone::Fold(run)) => {
                    drop(self.apply(effect));
                    self.fold_next(*run);
                }
                (_, WriteDone::Pulse(_)) => unreachable!("only a heartbeat has a pulse"),
            }
        }
        many
    }

    /// Has a submitter told, on the writer's thread.
    fn tell(&mut self, call: impl FnOnce() + Send + 'static) {
        self.due.push_back((Thread::Writer, Box::new(call)));
    }

    /// Makes an effect durable, and notes it.
    fn apply(&mut self, effect: Effect) -> Result<(), Error> {
        match effect {
            Effect::Commit(change, row) => {
                self.state.commit(&change, row.as_deref())?;
                match row {
                    Some(_) => self.behind.wrote_row(change.table),
                    None => self.behind.journaled(*change),
                }
            }
            Effect::Fold(tables) => {
                let rows = self.rows(&tables);
                for row in &rows {
                    self.behind.folded(row.table, row.version);
                }
                self.state.write_all(&rows);
            }
            Effect::Trim(upto) => {
                for stranded in self.state.trim(upto) {
                    self.behind.stranded(stranded);
                }
            }
            Effect::Rows(_) | Effect::Heartbeat(_) | Effect::Outage(_) | Effect::Beat(_) => {
                effect.come_back(&mut self.state);
            }
        }
        Ok(())
    }

    fn complete_read(&mut self, index: usize) -> bool {
        let Some(Read { table, done }) = self.reads.remove(index) else {
            return false;
        };
        let stored = self.newest(table);
        self.due
            .push_back((Thread::Reader, Box::new(move || done(Ok(stored)))));
        true
    }

    /// A table as the last durable change left it.
    fn newest(&self, table: TableId) -> Option<Stored> {
        match self.behind.newest(table) {
            _ if self.is_journal_lost => self.state.load(table, false),
            Newest::Row => self.state.load(table, false),
            Newest::Snapshot(after) => Some(after.row().into()),
            Newest::RowAndJournal => self.state.load(table, true),
        }
    }

    /// Fails the next writes: their submitters are told that the outcome is unknown.
    fn fail_writes(&mut self, many: usize, fate: Fate) -> usize {
        let many = many.min(self.writes.len());
        if many > 0 {
            self.ghost.clear();
        }
        let batch: Vec<Write> = self.writes.drain(..many).collect();
        for Write { effect, done } in batch {
            match fate {
                Fate::Lost => {}
                // A change that is refused has no effect.
                Fate::Applied => drop(self.apply(effect)),
                Fate::AppliedByCrash => {
                    let effect = self.as_ghost(effect);
                    self.ghost.push(effect);
                }
            }
            self.fail(Thread::Writer, done, failed());
        }
        many
    }

    fn fail_read(&mut self, index: usize) -> bool {
        let read = self.reads.remove(index);
        let was_there = read.is_some();
        if let Some(Read { done, .. }) = read {
            self.due
                .push_back((Thread::Reader, Box::new(move || done(Err(failed())))));
        }
        was_there
    }
}

impl Effect {
    /// After a crash the log turns out to have it.
    fn come_back(self, state: &mut Contents) {
        match self {
            Effect::Commit(change, row) => drop(state.commit(&change, row.as_deref())),
            Effect::Rows(rows) => state.write_all(&rows),
            Effect::Trim(upto) => drop(state.trim(upto)),
            Effect::Heartbeat(at) => state.heartbeat(at),
            Effect::Outage(outage) => state.note_outage(outage),
            Effect::Beat(beat) => drop(state.beat(beat)),
            Effect::Fold(_) => unreachable!("a ghost is made of rows"),
        }
    }
}

fn failed() -> Error {
    Error::Unavailable("the disk failed, says the simulator".into())
}

fn closed() -> Error {
    Error::Unavailable("the store is closing".into())
}
