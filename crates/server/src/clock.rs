//! The server's one clock, and the machine's beside it.

use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard};
use std::time::{Instant, SystemTime, UNIX_EPOCH};

use chess::{Millis, Timestamp};
use live::{Offset, Timekeeper};

/// Tells the time, as the live core wants it.
pub type Handle = Arc<dyn Fn() -> Timestamp + Send + Sync>;

/// Tells two times. The games' is the machine's as it was at start, carried on
/// by the monotonic clock, so that setting the machine's clock moves no game's
/// clock. The machine's is what others mean by the time: a token expires by it.
///
/// Where several nodes share a store, its clock is the time of all: for the games and
/// for tokens.
#[derive(Clone)]
pub struct Clock {
    start: Instant,
    start_wall: Timestamp,
    wall: Handle,
    store: Option<Arc<RwLock<Offset>>>,
}

impl Clock {
    /// Starts from the machine's clock, but not before `not_before`: the last
    /// moment the previous run is known to have been up.
    pub fn start(not_before: Option<Timestamp>) -> Clock {
        Clock::over(Arc::new(machine_time), not_before)
    }

    /// The same beside any clock: for tests.
    pub fn over(wall: Handle, not_before: Option<Timestamp>) -> Clock {
        Clock {
            start: Instant::now(),
            start_wall: wall().max(not_before.unwrap_or_default()),
            wall,
            store: None,
        }
    }

    /// Follows the clock of a shared store, as soon as it is told what that shows;
    /// until then the machine's.
    pub fn following() -> Clock {
        Clock {
            store: Some(Arc::default()),
            ..Clock::start(None)
        }
    }

    fn offset(&self) -> Option<RwLockReadGuard<'_, Offset>> {
        let offset = self.store.as_ref()?;
        Some(offset.read().unwrap_or_else(PoisonError::into_inner))
    }

    fn elapsed_us(&self) -> u64 {
        u64::try_from(self.start.elapsed().as_micros()).unwrap_or(u64::MAX)
    }

    /// How far the time may be off; zero where it is nobody else's.
    pub fn uncertainty_us(&self) -> u64 {
        let now_us = self.elapsed_us();
        self.offset()
            .map_or(0, |offset| offset.uncertainty_us(now_us))
    }

    /// The time of the games: never runs backwards, not even over a restart.
    pub fn now(&self) -> Timestamp {
        let elapsed_us = self.elapsed_us();
        let shared = self.offset().and_then(|offset| offset.now_us(elapsed_us));
        match shared {
            Some(us) => Timestamp(us / 1_000),
            None => Timestamp(self.start_wall.0.saturating_add(elapsed_us / 1_000)),
        }
    }

    /// What others mean by the time: what the machine's clock shows, or the clock
    /// that all nodes follow.
    pub fn wall(&self) -> Timestamp {
        match self.store {
            Some(_) => self.now(),
            None => (self.wall)(),
        }
    }

    /// How many milliseconds the games' time is ahead of the machine's clock;
    /// less than zero if it is behind.
    pub fn ahead_ms(&self) -> i64 {
        let ms = |at: Timestamp| i64::try_from(at.0).unwrap_or(i64::MAX);
        ms(self.now()).saturating_sub(ms((self.wall)()))
    }

    /// The games' time as the live core wants it.
    pub fn handle(&self) -> Handle {
        let clock = self.clone();
        Arc::new(move || clock.now())
    }
}

impl Timekeeper for Clock {
    fn stopwatch_us(&self) -> u64 {
        self.elapsed_us()
    }

    fn sampled(&self, sent_us: u64, received_us: u64, store_us: u64) {
        if let Some(offset) = &self.store {
            let mut offset = offset.write().unwrap_or_else(PoisonError::into_inner);
            offset.sampled(sent_us, received_us, store_us);
        }
    }

    fn uncertainty(&self) -> Millis {
        let ms = self.uncertainty_us().div_ceil(1_000);
        Millis(u32::try_from(ms).unwrap_or(u32::MAX))
    }
}

#[allow(
    clippy::disallowed_methods,
    reason = "the one place that supplies the time"
)]
fn machine_time() -> Timestamp {
    let since_epoch = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .unwrap_or_default();
    Timestamp(u64::try_from(since_epoch.as_millis()).unwrap_or(u64::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicU64, Ordering};

    const HOUR: u64 = 3_600_000;

    #[test]
    fn setting_the_machines_clock_moves_no_games() {
        let hand = Arc::new(AtomicU64::new(10 * HOUR));
        let machine = Arc::clone(&hand);
        let wall: Handle = Arc::new(move || Timestamp(machine.load(Ordering::SeqCst)));
        let clock = Clock::over(wall.clone(), Some(Timestamp(9 * HOUR)));
        let is_about = |at: Timestamp, ms: u64| (ms..ms + HOUR / 2).contains(&at.0);
        assert!(is_about(clock.now(), 10 * HOUR));
        hand.store(7 * HOUR, Ordering::SeqCst);
        assert!(is_about(clock.now(), 10 * HOUR), "it goes on");
        assert_eq!(clock.wall(), Timestamp(7 * HOUR));
        assert!(clock.ahead_ms() >= 3 * HOUR as i64);
        hand.store(12 * HOUR, Ordering::SeqCst);
        assert!(clock.ahead_ms() < -(HOUR as i64));
        let later = Clock::over(wall, Some(Timestamp(50 * HOUR)));
        assert!(is_about(later.now(), 50 * HOUR), "not before the last run");
    }
}
