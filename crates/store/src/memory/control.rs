//! The simulator's hand on the store.

use super::{Life, Memory, Read, Write};
use crate::Error;
use crate::store::Store;

/// What really becomes of writes whose submitters are told that they failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// Nothing was written.
    Lost,
    /// All was written; only the news of it got lost.
    Applied,
    /// It is in the log but does not count, unless a crash comes before the
    /// next write: then recovery takes it for durable. This is what SQLite does
    /// when the last fsync of a transaction fails.
    AppliedByCrash,
}

/// Decides when, and how, the operations of a store in memory end.
///
/// Waiting writes end in the order they came, like those of the one writer
/// thread; waiting loads in any order, like those of several readers. The
/// callbacks run on the thread that calls these methods.
pub struct Control {
    memory: Memory,
}

impl Control {
    pub(crate) fn new() -> (Store, Control) {
        let memory = Memory::default();
        (Store::over(memory.clone()), Control { memory })
    }

    /// Whether operations wait for the controller. Switching it off lets
    /// everything that waits happen.
    pub fn set_manual(&self, is_manual: bool) {
        let mut inner = self.memory.lock();
        inner.is_manual = is_manual;
        self.memory.go_on(inner);
    }

    /// Operations that wait.
    pub fn pending(&self) -> usize {
        self.pending_writes() + self.pending_loads()
    }

    /// Commits, folds and heartbeats that wait.
    pub fn pending_writes(&self) -> usize {
        self.memory.lock().writes.len()
    }

    /// Loads that wait.
    pub fn pending_loads(&self) -> usize {
        self.memory.lock().reads.len()
    }

    /// Makes the next writes durable, at most so many, and tells their
    /// submitters. How many there were.
    pub fn complete_next_batch(&self, many: usize) -> usize {
        let mut inner = self.memory.lock();
        let many = inner.complete_writes(many);
        self.memory.call(inner);
        many
    }

    /// Fails the next writes, at most so many: their submitters are told that
    /// the outcome is unknown. How many there were.
    pub fn fail_next_batch(&self, many: usize, fate: Fate) -> usize {
        let mut inner = self.memory.lock();
        let many = many.min(inner.writes.len());
        if many > 0 {
            inner.ghost.clear();
        }
        let batch: Vec<Write> = inner.writes.drain(..many).collect();
        for Write { effect, done } in batch {
            match fate {
                Fate::Lost => {}
                Fate::Applied => effect.apply(&mut inner.state),
                Fate::AppliedByCrash => inner.ghost.push(effect),
            }
            inner.due.push_back(Box::new(move || done.fail(failed())));
        }
        self.memory.call(inner);
        many
    }

    /// Completes one of the loads that wait, counted from 0 in the order they
    /// came, with what is stored now. Whether there was such a one.
    pub fn complete_load(&self, index: usize) -> bool {
        let mut inner = self.memory.lock();
        let was_there = inner.complete_read(index);
        self.memory.call(inner);
        was_there
    }

    /// Fails one of the loads that wait. Whether there was such a one.
    pub fn fail_load(&self, index: usize) -> bool {
        let mut inner = self.memory.lock();
        let read = inner.reads.remove(index);
        let was_there = read.is_some();
        if let Some(Read { done, .. }) = read {
            inner.due.push_back(Box::new(move || done(Err(failed()))));
        }
        self.memory.call(inner);
        was_there
    }

    /// The process dies: what waits is lost and nobody is told. Gives a fresh
    /// store over what is durable, under this control, and as manual as before.
    pub fn crash(&mut self) -> Store {
        let fresh = Memory::default();
        let mut inner = self.memory.lock();
        inner.life = Life::Crashed;
        let mut state = inner.state.clone();
        for effect in std::mem::take(&mut inner.ghost) {
            effect.apply(&mut state);
        }
        let lost = (
            std::mem::take(&mut inner.writes),
            std::mem::take(&mut inner.reads),
            std::mem::take(&mut inner.due),
        );
        {
            let mut next = fresh.lock();
            next.state = state;
            next.is_manual = inner.is_manual;
        }
        drop(inner);
        // Without the lock: a callback that goes may take a store with it.
        drop(lost);
        self.memory = fresh.clone();
        Store::over(fresh)
    }
}

fn failed() -> Error {
    Error::Unavailable("the disk failed, says the simulator".into())
}
