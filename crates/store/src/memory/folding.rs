//! Bringing rows up to date, in steps that can each fail.

use std::sync::Arc;

use super::turns::{Asked, Thread};
use super::{Effect, Inner, Life, Memory, Write, WriteDone, closed};
use crate::behind::last_first;
use crate::{Done, Error, Row, TableId};

/// A fold that is under way.
pub(super) struct Run {
    /// The tables that are left, the last first.
    tables: Vec<TableId>,
    /// How far the journal is trimmed after that, unless it was.
    trim: Option<u64>,
    done: Done<()>,
}

impl Memory {
    /// Brings every row up to date.
    pub(crate) fn tidy(&self, done: Done<()>) {
        let mut inner = self.lock();
        match inner.life {
            Life::Open => inner.fold(done),
            Life::Closed => inner.fail(Thread::Writer, WriteDone::Told(done), closed()),
            Life::Crashed => return,
        }
        self.go_on(inner);
        self.turn(Some(Asked::Fold));
    }
}

impl Inner {
    fn fold(&mut self, done: Done<()>) {
        if self.is_folding {
            return self.folds.push_back(done);
        }
        self.is_folding = true;
        self.read_journal();
        let run = Run {
            tables: last_first(self.behind.foldable()),
            trim: Some(self.state.seq()),
            done,
        };
        self.fold_next(run);
    }

    /// Reads what the last run left in the journal, as far as it can be read.
    fn read_journal(&mut self) {
        let Some(to_row) = self.upkeep.to_row.clone() else {
            return;
        };
        for table in last_first(self.behind.unread()) {
            let stored = self.state.load(table, true);
            if let Some(Ok(row)) = stored.map(|stored| to_row(table, stored)) {
                self.behind.read(table, row.version, Arc::new(row));
            }
        }
    }

    /// Hands the next step of a fold to the disk, or ends it.
    pub(super) fn fold_next(&mut self, mut run: Run) {
        let left = run.tables.len().saturating_sub(self.fold_rows);
        let mut next = run.tables.split_off(left);
        next.reverse();
        let effect = match run.trim {
            _ if !next.is_empty() => Effect::Fold(next),
            Some(_) => Effect::Trim(run.trim.take().unwrap_or(0)),
            None => return self.folded(run, Ok(())),
        };
        let done = WriteDone::Fold(Box::new(run));
        self.writes.push_back(Write { effect, done });
    }

    fn folded(&mut self, run: Run, result: Result<(), Error>) {
        self.due
            .push_back((Thread::Writer, Box::new(move || (run.done)(result))));
        self.is_folding = false;
        if let Some(done) = self.folds.pop_front() {
            self.fold(done);
        }
    }

    /// A write failed: whoever waits for it is told.
    pub(super) fn fail(&mut self, thread: Thread, done: WriteDone, why: Error) {
        match done {
            WriteDone::Told(done) => self
                .due
                .push_back((thread, Box::new(move || done(Err(why))))),
            WriteDone::Pulse(done) => self
                .due
                .push_back((thread, Box::new(move || done(Err(why))))),
            WriteDone::Fold(run) => self.folded(*run, Err(why)),
        }
    }

    /// The rows of these tables, as far as they are behind.
    pub(super) fn rows(&self, tables: &[TableId]) -> Vec<Row> {
        let behind = tables.iter().filter_map(|id| self.behind.to_fold(*id));
        behind.map(|after| after.row()).collect()
    }

    /// The effect as the log has it.
    pub(super) fn as_ghost(&self, effect: Effect) -> Effect {
        match effect {
            Effect::Fold(tables) => Effect::Rows(self.rows(&tables)),
            other => other,
        }
    }
}
