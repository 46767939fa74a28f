//! Which table goes on when.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::time::Instant;

use crate::client::Next;

/// Tables by the time at which each goes on.
#[derive(Default)]
pub(crate) struct Agenda(BinaryHeap<Reverse<(Instant, usize)>>);

impl Agenda {
    pub(crate) fn add(&mut self, at: Instant, table: usize) {
        self.0.push(Reverse((at, table)));
    }

    /// The table that is due, and since when; or what there is to do instead.
    pub(crate) fn due(&mut self, now: Instant) -> Result<(Instant, usize), Next> {
        match self.0.peek() {
            Some(Reverse((at, _))) if *at > now => Err(Next::At(*at)),
            Some(_) => self.0.pop().map(|Reverse(due)| due).ok_or(Next::Idle),
            None => Err(Next::Idle),
        }
    }
}
