//! Time, as far as this machine lets anybody use it.

use std::sync::{Mutex, OnceLock, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// How often it is looked whether anything runs.
const TICK: Duration = Duration::from_millis(10);

/// The time, but for moments in which nothing of this process could run because the
/// machine stood still or had other things to do. They are no time in which a server
/// kept anybody waiting: limits that it promises are measured by this.
pub fn now() -> Instant {
    static SEEN: OnceLock<Mutex<Seen>> = OnceLock::new();
    let seen = SEEN.get_or_init(|| {
        thread::spawn(|| {
            loop {
                thread::sleep(TICK);
                if let Some(seen) = SEEN.get() {
                    let mut seen = seen.lock().unwrap_or_else(PoisonError::into_inner);
                    seen.look(Instant::now());
                }
            }
        });
        Mutex::new(Seen::new(Instant::now()))
    });
    let seen = seen.lock().unwrap_or_else(PoisonError::into_inner);
    let now = Instant::now();
    now - seen.lost(now)
}

/// When it was last looked, and how much was lost until then.
struct Seen {
    last: Instant,
    lost: Duration,
}

impl Seen {
    fn new(now: Instant) -> Seen {
        let lost = Duration::ZERO;
        Seen { last: now, lost }
    }

    fn look(&mut self, now: Instant) {
        self.lost = self.lost(now);
        self.last = now;
    }

    /// What was lost until now. A look that is late by no more than a tick is in time.
    fn lost(&self, now: Instant) -> Duration {
        let late = now.saturating_duration_since(self.last + 2 * TICK);
        self.lost + late
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_passes_between_two_looks_counts_only_as_far_as_it_should() {
        let begun = Instant::now();
        let mut seen = Seen::new(begun);
        let mut counted = |tick: u32| {
            let now = begun + tick * TICK;
            let counted = now - seen.lost(now) - begun;
            seen.look(now);
            assert_eq!(
                counted,
                now - seen.lost(now) - begun,
                "a look takes no time"
            );
            counted
        };
        assert_eq!(counted(1), TICK);
        assert_eq!(counted(3), 3 * TICK);
        // It stands still for 200 ticks, of which two count.
        assert_eq!(counted(203), 5 * TICK);
        assert_eq!(counted(204), 6 * TICK);
    }

    #[test]
    fn it_does_not_go_back_and_is_never_ahead() {
        let begun = now();
        for _ in 0..1_000 {
            let (earlier, real) = (now(), Instant::now());
            assert!(earlier >= begun && earlier <= real);
        }
    }
}
