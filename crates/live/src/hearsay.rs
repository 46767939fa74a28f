//! What other nodes say of their changes: a hint, since the store is the truth.

use chess::table::Table;
use store::TableId;

use crate::live::Live;
use crate::request::Request;

impl<T: Table> Live<T> {
    /// Another node says that it made the change to that version, and what it
    /// added to the history. What is known already is passed over; if something is
    /// missing in between, the table is read again, as it is without a payload: then
    /// the store has that version, and those here may have missed it. Whether those around it are
    /// told by that; if not, they must look for themselves.
    pub fn hear(&self, id: TableId, version: u32, payload: &[u8]) -> bool {
        let mut is_told = false;
        self.step(id, |shard, step| {
            is_told = shard.hear(version, payload, step);
        });
        is_told
    }

    /// Has a table look at its clock, whether or not this node watches it.
    pub fn look_at_clock(&self, id: TableId) {
        let now = self.now();
        self.request(id, Request::Tick { now, host: None });
    }
}
