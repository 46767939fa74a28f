//! What a bus has done, counted.

use std::sync::atomic::{AtomicU64, Ordering};

/// What a bus has done since it was opened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stats {
    /// Messages handed over to be sent, questions and answers among them.
    pub published: u64,
    /// Messages that could not be: nobody was connected, or too many waited.
    pub dropped: u64,
    /// Messages heard, once for each who listened, and answers.
    pub received: u64,
    /// Messages that came and were not heard because too many waited. In a flood
    /// there may have been more.
    pub missed: u64,
    /// How often a server was connected to.
    pub connects: u64,
    /// Whether others can be reached.
    pub is_connected: bool,
}

#[derive(Default)]
pub(super) struct Meter {
    published: AtomicU64,
    dropped: AtomicU64,
    received: AtomicU64,
    missed: AtomicU64,
}

impl Meter {
    /// Notes that a message was handed over, or that it could not be.
    pub(super) fn sent(&self, is_sent: bool) {
        add(match is_sent {
            true => &self.published,
            false => &self.dropped,
        });
    }

    pub(super) fn received(&self) {
        add(&self.received);
    }

    pub(super) fn missed(&self) {
        add(&self.missed);
    }

    pub(super) fn stats(&self, connects: u64, is_connected: bool) -> Stats {
        Stats {
            published: self.published.load(Ordering::Relaxed),
            dropped: self.dropped.load(Ordering::Relaxed),
            received: self.received.load(Ordering::Relaxed),
            missed: self.missed.load(Ordering::Relaxed),
            connects,
            is_connected,
        }
    }
}

fn add(count: &AtomicU64) {
    count.fetch_add(1, Ordering::Relaxed);
}
