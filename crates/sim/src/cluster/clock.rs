//! A node's own stopwatch, which runs a little too fast or too slow, and the time it
//! makes of that and of what the store's clock showed.
//!
//! A node has no other clock: that its machine's is set changes nothing, because
//! nothing that runs here can look at it.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use chess::{Millis, Timestamp};
use live::{Offset, Timekeeper};

/// The true time, which is the store's, in microseconds.
pub(crate) type Truth = Arc<AtomicU64>;

pub(crate) struct Clock {
    truth: Truth,
    begun_us: u64,
    /// How much faster than true it runs, in millionths.
    drift_ppm: i64,
    offset: Mutex<Offset>,
}

impl Clock {
    pub(crate) fn new(truth: &Truth, drift_ppm: i64) -> Clock {
        Clock {
            begun_us: truth.load(Ordering::SeqCst),
            truth: Arc::clone(truth),
            drift_ppm,
            offset: Mutex::default(),
        }
    }

    /// The time as this node sees it.
    pub(crate) fn now(&self) -> Timestamp {
        let stopwatch = self.stopwatch_us();
        let now = self.with(|offset| offset.now_us(stopwatch));
        Timestamp(now.unwrap_or_default() / 1_000)
    }

    fn with<R>(&self, look: impl FnOnce(&mut Offset) -> R) -> R {
        look(&mut self.offset.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Timekeeper for Clock {
    fn stopwatch_us(&self) -> u64 {
        let true_us = self.truth.load(Ordering::SeqCst) - self.begun_us;
        let drift = i128::from(true_us) * i128::from(self.drift_ppm) / 1_000_000;
        u64::try_from(i128::from(true_us) + drift).unwrap_or_default()
    }

    fn sampled(&self, sent_us: u64, received_us: u64, store_us: u64) {
        self.with(|offset| offset.sampled(sent_us, received_us, store_us));
    }

    fn uncertainty(&self) -> Millis {
        let stopwatch = self.stopwatch_us();
        let us = self.with(|offset| offset.uncertainty_us(stopwatch));
        Millis(u32::try_from(us / 1_000).unwrap_or(u32::MAX))
    }
}
