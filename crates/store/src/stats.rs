//! How the store is doing.

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::time::Instant;

use crate::Loss;

/// The upper bounds of the latency histogram, in microseconds. What took
/// longer than the last is in `Stats::latency_us_max` and the total alone.
pub const LATENCY_BOUNDS_US: [u64; 12] = [
    250, 500, 1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 64_000, 128_000, 256_000, 1_000_000,
];

/// How the store is doing since it was opened.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    /// Changes told to be durable, or refused one by one.
    pub commits: u64,
    /// The transactions they were in.
    pub batches: u64,
    /// Changes in the largest of them.
    pub batch_max: usize,
    /// Transactions that failed.
    pub failures: u64,
    /// Changes from being handed over to being durable, by
    /// [`LATENCY_BOUNDS_US`]; each counts once, in the first that holds it.
    pub latency_counts: [u64; LATENCY_BOUNDS_US.len()],
    /// All these times together, in microseconds.
    pub latency_us_sum: u64,
    /// The longest of them.
    pub latency_us_max: u64,
    /// Changes and other writes that are waiting.
    pub waiting: usize,
    /// The size of the write-ahead log's file.
    pub wal_bytes: u64,
    /// The size of the database file.
    pub file_bytes: u64,
    /// What became of the files while they were in use, if anything did.
    pub loss: Option<Loss>,
    /// Whether the thread that empties the log has failed and is not back yet.
    pub is_checkpointer_down: bool,
    /// How the replica is doing, if there is one.
    pub replica: Option<ReplicaStats>,
}

/// How a replica is doing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ReplicaStats {
    /// How far it is behind, as of the last look; `None` if it does not answer.
    pub lag_ms: Option<u64>,
    /// Questions that it answered.
    pub reads: u64,
    /// Questions that it could have answered and did not.
    pub misses: u64,
}

/// Counts as things happen.
#[derive(Default)]
pub(crate) struct Meter {
    commits: AtomicU64,
    batches: AtomicU64,
    batch_max: AtomicUsize,
    failures: AtomicU64,
    latency_counts: [AtomicU64; LATENCY_BOUNDS_US.len()],
    latency_us_sum: AtomicU64,
    latency_us_max: AtomicU64,
}

impl Meter {
    /// A batch of changes that were handed over at these times is durable now.
    pub(crate) fn batch(&self, asked: &[Instant]) {
        if asked.is_empty() {
            return;
        }
        let now = Instant::now();
        self.commits.fetch_add(asked.len() as u64, Relaxed);
        self.batches.fetch_add(1, Relaxed);
        self.batch_max.fetch_max(asked.len(), Relaxed);
        for asked in asked {
            let us = u64::try_from(now.duration_since(*asked).as_micros()).unwrap_or(u64::MAX);
            self.latency_us_sum.fetch_add(us, Relaxed);
            self.latency_us_max.fetch_max(us, Relaxed);
            if let Some(bucket) = LATENCY_BOUNDS_US.iter().position(|bound| us <= *bound) {
                self.latency_counts[bucket].fetch_add(1, Relaxed);
            }
        }
    }

    /// A transaction failed.
    pub(crate) fn failure(&self) {
        self.failures.fetch_add(1, Relaxed);
    }

    /// What was counted; the sizes are for the backend to fill in.
    pub(crate) fn stats(&self) -> Stats {
        Stats {
            commits: self.commits.load(Relaxed),
            batches: self.batches.load(Relaxed),
            batch_max: self.batch_max.load(Relaxed),
            failures: self.failures.load(Relaxed),
            latency_counts: std::array::from_fn(|i| self.latency_counts[i].load(Relaxed)),
            latency_us_sum: self.latency_us_sum.load(Relaxed),
            latency_us_max: self.latency_us_max.load(Relaxed),
            ..Stats::default()
        }
    }
}
