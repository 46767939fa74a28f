//! The store in memory: for tests, and for the simulator.
//!
//! By itself it completes every operation at once, on the thread that asks. In
//! *manual* mode commits, loads, folds and heartbeats wait until its
//! [`Control`] lets them happen, fail, or be lost in a crash; everything else
//! (accounts, lists) still happens at once. It is deterministic: nothing
//! depends on time, chance, hash order or other threads.

mod bars;
mod chat;
mod control;
mod people;
mod state;
mod turns;

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use chess::Timestamp;
use chess::table::Outage;

use self::state::State;
use self::turns::{Asked, Inside, Thread};
use crate::{Change, Committed, Done, Error, Folded, Row, Stored, TableId};

pub use self::control::{Control, Fate};
pub use self::turns::{Turn, Turns, Waiting};

/// A handle on the store in memory.
#[derive(Clone, Default)]
pub(crate) struct Memory {
    inner: Arc<Mutex<Inner>>,
}

#[derive(Default)]
struct Inner {
    state: State,
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
    Commit(Box<Change>),
    Fold(Vec<Row>, Option<u64>),
    Heartbeat(Timestamp),
    Outage(Outage),
}

enum WriteDone {
    Commit(Done<Committed>),
    Fold(Done<Folded>),
    Other(Done<()>),
}

struct Read {
    table: TableId,
    unfolded: bool,
    done: Done<Option<Stored>>,
}

impl Memory {
    pub(crate) fn commit(&self, change: Change, done: Done<Committed>) {
        self.write(Effect::Commit(Box::new(change)), WriteDone::Commit(done));
    }

    pub(crate) fn fold(&self, rows: Vec<Row>, trim: Option<u64>, done: Done<Folded>) {
        self.write(Effect::Fold(rows, trim), WriteDone::Fold(done));
    }

    pub(crate) fn note_outage_then(&self, outage: Outage, done: Done<()>) {
        self.write(Effect::Outage(outage), WriteDone::Other(done));
    }

    pub(crate) fn heartbeat(&self, at: Timestamp, done: Done<()>) {
        self.write(Effect::Heartbeat(at), WriteDone::Other(done));
    }

    pub(crate) fn load(&self, table: TableId, unfolded: bool, done: Done<Option<Stored>>) {
        let mut inner = self.lock();
        match inner.life {
            Life::Open => inner.reads.push_back(Read {
                table,
                unfolded,
                done,
            }),
            Life::Closed => {
                let refused = Box::new(|| done(Err(closed())));
                inner.due.push_back((Thread::Reader, refused));
            }
            Life::Crashed => return,
        }
        self.go_on(inner);
        self.turn(Some(Asked::Load));
    }

    fn write(&self, effect: Effect, done: WriteDone) {
        let mut inner = self.lock();
        match inner.life {
            Life::Open => inner.writes.push_back(Write { effect, done }),
            Life::Closed => {
                let refused = Box::new(|| done.fail(closed()));
                inner.due.push_back((Thread::Writer, refused));
            }
            Life::Crashed => return,
        }
        self.go_on(inner);
        self.turn(Some(Asked::Write));
    }

    /// Anything else happens at once.
    pub(crate) fn with<T>(&self, run: impl FnOnce(&mut State) -> T) -> Result<T, Error> {
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
    /// that a callback may use the store.
    fn call<'a>(&'a self, mut inner: MutexGuard<'a, Inner>) {
        if inner.is_calling {
            return;
        }
        inner.is_calling = true;
        while let Some((thread, callback)) = inner.due.pop_front() {
            inner.inside.enter(thread);
            drop(inner);
            callback();
            inner = self.lock();
            inner.inside.leave(thread);
        }
        inner.is_calling = false;
    }

    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Inner {
    fn complete_all(&mut self) {
        self.complete_writes(usize::MAX);
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
        for write in self.writes.drain(..many) {
            match (write.effect, write.done) {
                (Effect::Commit(change), WriteDone::Commit(done)) => {
                    let result = self.state.commit(&change);
                    self.due
                        .push_back((Thread::Writer, Box::new(move || done(result))));
                }
                (effect, WriteDone::Other(done)) => {
                    effect.apply(&mut self.state);
                    self.due
                        .push_back((Thread::Writer, Box::new(move || done(Ok(())))));
                }
                (Effect::Fold(rows, trim), WriteDone::Fold(done)) => {
                    let folded = self.state.fold(&rows, trim);
                    self.due
                        .push_back((Thread::Writer, Box::new(move || done(Ok(folded)))));
                }
                (_, WriteDone::Commit(_) | WriteDone::Fold(_)) => {
                    unreachable!("a commit and a fold are told what came of them")
                }
            }
        }
        many
    }

    fn complete_read(&mut self, index: usize) -> bool {
        let Some(Read {
            table,
            unfolded,
            done,
        }) = self.reads.remove(index)
        else {
            return false;
        };
        let stored = self.state.load(table, unfolded);
        self.due
            .push_back((Thread::Reader, Box::new(move || done(Ok(stored)))));
        true
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
                Fate::Applied => effect.apply(&mut self.state),
                Fate::AppliedByCrash => self.ghost.push(effect),
            }
            self.due
                .push_back((Thread::Writer, Box::new(move || done.fail(failed()))));
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
    /// Whatever it comes to: whoever asked has been told something else.
    fn apply(&self, state: &mut State) {
        match self {
            // A change that is refused has no effect.
            Effect::Commit(change) => drop(state.commit(change)),
            Effect::Fold(rows, trim) => drop(state.fold(rows, *trim)),
            Effect::Heartbeat(at) => state.heartbeat(*at),
            Effect::Outage(outage) => state.note_outage(*outage),
        }
    }
}

impl WriteDone {
    fn fail(self, why: Error) {
        match self {
            WriteDone::Commit(done) => done(Err(why)),
            WriteDone::Fold(done) => done(Err(why)),
            WriteDone::Other(done) => done(Err(why)),
        }
    }
}

fn failed() -> Error {
    Error::Unavailable("the disk failed, says the simulator".into())
}

fn closed() -> Error {
    Error::Unavailable("the store is closing".into())
}
