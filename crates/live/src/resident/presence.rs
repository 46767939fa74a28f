//! Who of a table's players was last there, and when.

use chess::Timestamp;
use chess::table::Table;

use super::{Resident, Step};
use crate::presence::Presence;

impl<T: Table> Resident<T> {
    /// When its players were last there.
    pub(crate) fn presence(&self) -> Presence {
        Presence {
            players: self.table.players(),
            seen: self.seen,
            left: self.left,
        }
    }

    /// Takes in what was known before the table was read again.
    pub(crate) fn recall(&mut self, earlier: &Presence) {
        let mut presence = self.presence();
        presence.recall(earlier);
        (self.seen, self.left) = (presence.seen, presence.left);
    }

    /// When the creator was last there.
    pub(super) fn host_seen(&self, step: &Step<'_, T>) -> Timestamp {
        match self.table.players()[0] {
            Some(host) if step.around.is_here(step.id, host) => step.now,
            _ => self.seen[0].max(self.left[0]),
        }
    }
}
