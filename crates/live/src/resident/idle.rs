//! Whether a table may leave memory.

use chess::table::Table;
use chess::{Millis, Timestamp};

use super::Resident;

impl<T: Table> Resident<T> {
    /// Whether it was read because it is due, and nobody has asked for it.
    pub(crate) fn note_unasked(&mut self, is_unasked: bool) {
        self.is_unasked = is_unasked;
    }

    /// Since when nobody has needed the table in memory; `None` if it must stay. One that
    /// was only looked at because it was due, and is not again soon, was never needed.
    pub(crate) fn idle_since(&self, horizon: Millis) -> Option<Timestamp> {
        let is_near = || {
            let deadline = self.table.next_deadline(self.used);
            deadline.is_some_and(|deadline| deadline <= self.used + horizon)
        };
        let since = match self.is_unasked && !is_near() {
            true => Timestamp(0),
            false => self.used,
        };
        self.is_idle().then_some(since)
    }

    /// Whether nobody waits for it.
    pub(crate) fn is_idle(&self) -> bool {
        !self.busy && self.waiting.is_empty()
    }
}
