//! What a table does when its clock may have run out.

use chess::Timestamp;
use chess::table::{Actor, State, Table};

use super::Resident;
use crate::flight::FlightReply;
use crate::mutant::Mutant;
use crate::request::{Request, Submission, With};
use crate::shard::{Effect, RETRY_AFTER, Step};

impl<T: Table> Resident<T> {
    /// The deadline has come, as far as is known here. Whether the one who waits for
    /// an opponent is gone only all nodes together know: they are asked first.
    pub(super) fn tick(
        &mut self,
        now: Timestamp,
        host: Option<Option<Timestamp>>,
        step: &mut Step<'_, T>,
    ) {
        self.is_watched_elsewhere = false;
        let host_seen = self.host_seen(step).max(host.flatten().unwrap_or_default());
        let due = self.table.next_deadline(host_seen);
        let is_due = due.is_some_and(|due| due <= now);
        let is_waiting = self.table.state() == State::Waiting;
        if (!is_due || is_waiting) && step.sharing.is_some() && self.confirmed < now {
            // Somebody thought it was: perhaps by a change that is not known here. And
            // while nobody answers, one that has begun must not be taken for waiting.
            return self.confirm(Request::Tick { now, host }, step);
        }
        let waits = step.sharing.is_some() && is_waiting && is_due;
        let is_sure = matches!(host, Some(Some(_))) || Mutant::ExpiryOnAHint.is_chosen();
        if waits && !is_sure {
            step.deadline = Some(Some(step.now + RETRY_AFTER));
            if let (None, Some(creator)) = (host, self.table.players()[0]) {
                step.effects.push(Effect::AskAround(step.id, creator));
            }
            return;
        }
        let submission = Submission {
            who: Actor::Server,
            command: T::tick(host_seen),
            // Among several nodes it is recorded as of the deadline: what came in
            // time elsewhere had until now to be heard.
            received: due
                .filter(|_| is_due && step.sharing.is_some())
                .unwrap_or(now),
            with: With::default(),
        };
        self.decide(submission, FlightReply::Nobody, step);
        if !self.busy {
            // Not due after all: somebody was seen meanwhile.
            step.deadline = Some(self.table.next_deadline(host_seen));
        }
    }
}
