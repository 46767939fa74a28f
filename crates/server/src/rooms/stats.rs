//! What there is to count.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

/// What there is to count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    /// Streams that are open.
    pub subscribers: usize,
    /// News that did not fit into the queue.
    pub lost: u64,
    /// News whose telling failed.
    pub failed: u64,
    /// Subscribers brought forward to the newest state.
    pub resyncs: u64,
    /// Subscribers that were given up.
    pub stuck: u64,
    /// News that were told.
    pub told: u64,
    /// How long the last of them had waited to be told, in microseconds.
    pub lag_us: u64,
    /// All these times together.
    pub lag_us_sum: u64,
}

#[derive(Default)]
pub(super) struct Counters {
    pub(super) lost: AtomicU64,
    pub(super) failed: AtomicU64,
    pub(super) resyncs: AtomicU64,
    pub(super) stuck: AtomicU64,
    told: AtomicU64,
    lag_us: AtomicU64,
    lag_us_sum: AtomicU64,
}

/// One more.
pub(super) fn count(counter: &AtomicU64) {
    counter.fetch_add(1, Ordering::Relaxed);
}

impl Counters {
    /// How long news had waited.
    pub(super) fn note_lag(&self, at: Instant) {
        let lag = u64::try_from(at.elapsed().as_micros()).unwrap_or(u64::MAX);
        self.lag_us.store(lag, Ordering::Relaxed);
        self.lag_us_sum.fetch_add(lag, Ordering::Relaxed);
        count(&self.told);
    }

    pub(super) fn stats(&self, subscribers: usize) -> Stats {
        let load = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
        Stats {
            subscribers,
            lost: load(&self.lost),
            failed: load(&self.failed),
            resyncs: load(&self.resyncs),
            stuck: load(&self.stuck),
            told: load(&self.told),
            lag_us: load(&self.lag_us),
            lag_us_sum: load(&self.lag_us_sum),
        }
    }
}
