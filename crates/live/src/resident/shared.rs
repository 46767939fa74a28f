//! A table that other nodes change too: nothing is answered from memory alone that
//! one of their changes could make wrong.

use std::sync::Arc;

use chess::Timestamp;
use chess::table::{State, Table};

use super::{LOOK_BEHIND, Resident};
use crate::mutant::Mutant;
use crate::request::{Changed, Failure, Reader, Request, Submission, View};
use crate::shard::{Effect, RETRY_AFTER, Step};

impl<T: Table> Resident<T> {
    /// Whether the store must be asked before the table is shown. One's own game is
    /// never shown as it was before one asked.
    pub(super) fn must_confirm(
        &self,
        reader: Reader,
        asked: Timestamp,
        step: &Step<'_, T>,
    ) -> bool {
        // Whoever looks at one that waits may have joined it at another node.
        let is_waiting = self.table.state() == State::Waiting;
        let plays = |viewer| is_waiting || self.table.players().contains(&Some(viewer));
        let is_strict = match reader {
            Reader::Viewer(viewer) => viewer.is_some_and(plays),
            Reader::Newest => true,
        };
        let since = match is_strict {
            true => asked,
            false => Timestamp(asked.0.saturating_sub(LOOK_BEHIND)),
        };
        step.sharing.is_some() && self.confirmed < since && !Mutant::StaleRefusals.is_chosen()
    }

    /// Lets somebody wait until the store has said that it has nothing newer.
    pub(super) fn confirm(&mut self, request: Request<T>, step: &mut Step<'_, T>) {
        self.busy = true;
        self.waiting.confirm(request);
        step.effects.push(Effect::Confirm(step.id));
    }

    /// The store has nothing newer.
    pub(crate) fn confirmed(&mut self, asked: Timestamp, step: &mut Step<'_, T>) {
        self.confirmed = asked.max(self.confirmed);
        self.busy = false;
        if let Some(request) = self.waiting.take_confirming() {
            self.handle(request, step);
        }
        self.go_on(step);
    }

    /// The store cannot say: what is shown may be old, and nothing is refused.
    pub(crate) fn unconfirmed(&mut self, failure: &Failure, step: &mut Step<'_, T>) {
        self.busy = false;
        match self.waiting.take_confirming() {
            Some(Request::Read { reply, .. }) => {
                let table = Arc::clone(&self.table);
                let view = View {
                    table,
                    is_stale: true,
                };
                step.effects.push(Effect::View(reply, view));
            }
            Some(Request::Tick { .. }) => step.deadline = Some(Some(step.now + RETRY_AFTER)),
            Some(request) => step.effects.push(Effect::Fail(request, failure.clone())),
            None => {}
        }
        self.go_on(step);
    }

    /// Applies what another node added to the history. `false` if it cannot follow here.
    pub(crate) fn follow(&mut self, payload: &[u8], step: &mut Step<'_, T>) -> bool {
        let before = Arc::clone(&self.table);
        let Ok((at, event)) = before.read_next(payload) else {
            return false;
        };
        let mut after = (*before).clone();
        after.evolve(at, &event);
        self.table = Arc::new(after);
        if !self.table.keeps_code() {
            self.join_code = None;
        }
        // Whoever made it watches what it brought about. What was to be looked at here
        // still is: whoever made it may be gone, and its deadline taken over.
        self.is_watched_elsewhere = true;
        if self.table.next_deadline(step.now).is_none() {
            step.deadline = Some(None);
        }
        let change = Changed {
            before: Some(before),
            after: Arc::clone(&self.table),
            event: Some(event),
            report: Arc::default(),
            payload: Vec::new(),
            is_foreign: true,
        };
        step.around.changed(step.id, &change);
        true
    }

    /// Whether another node may have changed the table before that was received.
    pub(super) fn may_be_behind(&self, submission: &Submission<T>, step: &Step<'_, T>) -> bool {
        step.sharing.is_some()
            && self.confirmed < submission.received
            && !Mutant::StaleRefusals.is_chosen()
    }
}
