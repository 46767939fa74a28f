//! The simulator's hand on the store.

use chess::table::Outage;

use super::{Effect, Life, Line, Memory, Turns};
use crate::store::Store;
use crate::{Change, Error, JournalRecord, Stored, TableId, Upkeep};

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
#[derive(Clone)]
pub struct Control {
    memory: Memory,
}

impl Control {
    pub(crate) fn new(upkeep: Upkeep) -> (Store, Control) {
        let memory = Memory::new(upkeep);
        (Store::over(memory.clone()), Control { memory })
    }

    /// Lets several servers use the store, each through a handle of its own.
    pub fn share(&self) {
        self.memory.lock().is_shared = true;
    }

    /// One more server uses the store, by a way of its own. Whatever it asks for
    /// waits for the other end of that way.
    pub fn another(&self) -> (Store, Line) {
        self.share();
        Line::new(&self.memory)
    }

    /// A mistake on purpose: changes are made whatever version the table has.
    pub fn ignore_versions(&self) {
        self.memory.lock().state.ignores_versions = true;
    }

    /// A mistake on purpose: nobody is kept from waiting or from being paired by the game
    /// that they play.
    pub fn forget_who_plays(&self) {
        self.memory.lock().state.forgets_who_plays = true;
    }

    /// A mistake on purpose: the game of two who were paired is made, whatever has become
    /// of their tickets.
    pub fn pair_whoever(&self) {
        self.memory.lock().state.pairs_whoever = true;
    }

    /// A mistake on purpose: an ending that comes too late is rated all the same.
    pub fn rate_what_is_refused(&self) {
        self.memory.lock().state.rates_what_is_refused = true;
    }

    /// Sets the store's clock, in microseconds since 1970.
    pub fn set_clock(&self, now_us: u64) {
        self.memory.lock().state.nodes.now_us = now_us;
    }

    /// Whether operations wait for the controller. Switching it off lets
    /// everything that waits happen.
    pub fn set_manual(&self, is_manual: bool) {
        let mut inner = self.memory.lock();
        inner.is_manual = is_manual;
        self.memory.go_on(inner);
    }

    /// Lets somebody decide what other threads do in the middle of a call, as
    /// long as operations wait for the controller.
    pub fn set_turns(&self, turns: Option<Turns>) {
        self.memory.lock().turns = turns;
    }

    /// A moment at which other threads may have their turn.
    pub fn turn(&self) {
        self.memory.turn(None);
    }

    /// The outages that are durable, oldest first.
    pub fn outages(&self) -> Vec<Outage> {
        self.memory.lock().state.outages()
    }

    /// How many rows a fold writes at a time from now on.
    pub fn set_fold_rows(&self, many: usize) {
        self.memory.lock().fold_rows = many.max(1);
    }

    /// A mistake on purpose: loads no longer find what is in the journal alone.
    pub fn lose_journal(&self) {
        self.memory.lock().is_journal_lost = true;
    }

    /// A table as the last durable change left it.
    pub fn stored(&self, table: TableId) -> Option<Stored> {
        self.memory.lock().newest(table)
    }

    /// Somebody else's change comes before everything that waits.
    ///
    /// # Errors
    /// [`Error::Conflict`], as for anybody.
    pub fn commit_first(&self, change: Change) -> Result<(), Error> {
        let row = Box::new(change.after.row());
        let mut inner = self.memory.lock();
        inner.apply(Effect::Commit(Box::new(change), Some(row)))
    }

    /// The changes that are in no row yet, in the order they were accepted, and
    /// those that are but were not trimmed.
    pub fn journal(&self) -> Vec<JournalRecord> {
        self.memory.lock().state.journal()
    }

    /// Damages the newest record that the journal has of a table. Whether it
    /// has one.
    pub fn damage_journal(&self, table: TableId) -> bool {
        self.memory.lock().state.damage_journal(table)
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
        let many = inner.fail_writes(many, fate);
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
        let was_there = inner.fail_read(index);
        self.memory.call(inner);
        was_there
    }

    /// The process dies: what waits is lost and nobody is told. Gives a fresh
    /// store over what is durable, under this control, and as manual as before.
    pub fn crash(&mut self) -> Store {
        let mut inner = self.memory.lock();
        let fresh = Memory::new(inner.upkeep.clone());
        inner.life = Life::Crashed;
        let mut state = inner.state.clone();
        for effect in std::mem::take(&mut inner.ghost) {
            effect.come_back(&mut state);
        }
        let lost = (
            std::mem::take(&mut inner.writes),
            std::mem::take(&mut inner.reads),
            std::mem::take(&mut inner.due),
            std::mem::take(&mut inner.folds),
        );
        {
            let mut next = fresh.lock();
            next.behind = state.behind();
            next.state = state;
            next.fold_rows = inner.fold_rows;
            next.is_journal_lost = inner.is_journal_lost;
            next.is_manual = inner.is_manual;
            next.is_shared = inner.is_shared;
            next.turns = inner.turns.take();
        }
        drop(inner);
        // Without the lock: a callback that goes may take a store with it.
        drop(lost);
        self.memory = fresh.clone();
        Store::over(fresh)
    }
}
