//! Tables that other nodes change too, and what can be shown of one while the store
//! fails.

use std::collections::VecDeque;
use std::sync::Arc;

use chess::Timestamp;
use chess::table::Table;
use store::TableId;

use super::{Effect, Shard, Slot, Step, fail_all};
use crate::request::{Failure, Request, View};

impl<T: Table> Shard<T> {
    /// A version that somebody was told of a table that is not in memory; `None` if it
    /// is, or must not be shown.
    pub(crate) fn known_of(&self, id: TableId) -> Option<u32> {
        match self.slots.get(&id) {
            None | Some(Slot::Coming(_)) => Some(self.absent.acknowledged(id)),
            Some(Slot::Here(_) | Slot::Aside(_)) => None,
        }
    }

    /// Nothing can be done for those who wait, but that whoever looks may see the
    /// table as it was last known.
    pub(super) fn fail_or_show(
        &mut self,
        waiting: VecDeque<Request<T>>,
        failure: &Failure,
        step: &mut Step<'_, T>,
    ) {
        let last_seen = self.last_seen.get(&step.id);
        let last_seen = last_seen.filter(|_| matches!(failure, Failure::Unavailable(_)));
        for request in waiting {
            step.effects.push(match (request, last_seen) {
                (Request::Read { reply, .. }, Some(table)) => {
                    let table = Arc::clone(table);
                    let is_stale = true;
                    Effect::View(reply, View { table, is_stale })
                }
                (request, _) => Effect::Fail(request, failure.clone()),
            });
        }
    }

    /// There was no such table when it was asked for; another node may have made it
    /// before those came who came later.
    pub(super) fn not_found(
        &mut self,
        waiting: VecDeque<Request<T>>,
        asked: Timestamp,
        step: &mut Step<'_, T>,
    ) {
        let is_late = |request: &Request<T>| step.sharing.is_some() && request.came() > asked;
        let (late, rest): (VecDeque<_>, VecDeque<_>) = waiting.into_iter().partition(is_late);
        fail_all(rest, &Failure::NotFound, step);
        if !late.is_empty() {
            self.fetch(late, 0, step);
        }
    }

    /// The store said which version a table has that somebody waits to be sure of.
    pub(crate) fn confirmed(
        &mut self,
        found: Result<u32, store::Error>,
        asked: Timestamp,
        step: &mut Step<'_, T>,
    ) {
        let Some(Slot::Here(table)) = self.slots.get_mut(&step.id) else {
            return;
        };
        let version = table.version();
        match found {
            Ok(found) if found == version => table.confirmed(asked, step),
            Err(error) => table.unconfirmed(&Failure::from(error), step),
            Ok(found) => {
                let waiting = self.take_out(step.id);
                if found > version {
                    // Somebody else changed it: decided again on what there is now.
                    return self.fetch(waiting, 0, step);
                }
                let why = format!(
                    "the store has version {found}, but version {version} was acknowledged"
                );
                self.set_aside(step.id, &why);
                fail_all(waiting, &Failure::Corrupt(why), step);
            }
        }
    }

    /// Takes a table out of memory. What waits for it.
    pub(crate) fn take_out(&mut self, id: TableId) -> VecDeque<Request<T>> {
        match self.slots.remove(&id) {
            Some(Slot::Here(table)) => {
                self.absent.went(id, table.version());
                self.presence.insert(id, table.presence());
                table.into_waiting().0
            }
            Some(other) => {
                self.slots.insert(id, other);
                VecDeque::new()
            }
            None => VecDeque::new(),
        }
    }

    /// Another node made a change, and this is what it added to the history.
    /// Whether those around the table are told of it.
    pub(crate) fn hear(&mut self, version: u32, payload: &[u8], step: &mut Step<'_, T>) -> bool {
        let Some(Slot::Here(table)) = self.slots.get_mut(&step.id) else {
            step.around.heard_of(step.id, version);
            return false;
        };
        if version <= table.version() {
            // Somebody looked in the store because those here seem not to know.
            if payload.is_empty() {
                step.around.heard_of(step.id, version);
            }
            return true;
        }
        // A change of ours is on its way, or a question: what comes of it tells.
        if table.is_busy() {
            return false;
        }
        if version == table.version() + 1 && table.follow(payload, step) {
            return true;
        }
        let waiting = self.take_out(step.id);
        self.fetch(waiting, 0, step);
        false
    }
}
