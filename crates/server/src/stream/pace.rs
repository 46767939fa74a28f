//! How much a client may say over its socket.

use std::time::{Duration, Instant};

use tokio::time::sleep_until;

use super::End;

/// Frames a client may send in a second, and at once.
const FRAMES_PER_SECOND: u32 = 20;
const FRAMES_BURST: u32 = 100;

/// What a client may still send. Moves and commands are counted where those by `POST`
/// are, and never cost the socket; those that are refused before they come so far are
/// counted here, and beyond the pace the next frame is read later.
pub(crate) struct Pace {
    said: Allowance,
    /// By itself: whoever sends moves too fast may still be asked whether they are there.
    refused: Allowance,
    /// When the next frame is read, if not at once.
    next: Option<Instant>,
}

impl Pace {
    pub(super) fn new() -> Pace {
        let now = Instant::now();
        Pace {
            said: Allowance::new(now),
            refused: Allowance::new(now),
            next: None,
        }
    }

    /// Counts a frame: whoever floods the server is not served.
    pub(crate) fn count(&mut self) -> Result<(), End> {
        match self.said.take(Instant::now()) {
            true => Ok(()),
            false => Err(End(1008, "too many messages")),
        }
    }

    /// Counts a frame that was refused before anything was done for it.
    pub(crate) fn count_refused(&mut self) {
        if !self.refused.take(Instant::now()) {
            self.next = Some(self.refused.more_at());
        }
    }

    /// Waits until the next frame may be read. May be interrupted at any time.
    pub(super) async fn turn(&mut self) {
        if let Some(next) = self.next {
            sleep_until(next.into()).await;
            self.next = None;
        }
    }
}

struct Allowance {
    left: u32,
    counted: Instant,
}

impl Allowance {
    fn new(now: Instant) -> Allowance {
        Allowance {
            left: FRAMES_BURST,
            counted: now,
        }
    }

    /// One more, if it is allowed.
    fn take(&mut self, now: Instant) -> bool {
        let seconds = (now - self.counted).as_secs();
        if seconds > 0 {
            let seconds = u32::try_from(seconds).unwrap_or(u32::MAX);
            let earned = seconds.saturating_mul(FRAMES_PER_SECOND);
            self.left = self.left.saturating_add(earned).min(FRAMES_BURST);
            self.counted = now;
        }
        let left = self.left.checked_sub(1);
        self.left = left.unwrap_or(0);
        left.is_some()
    }

    /// When there are more.
    fn more_at(&self) -> Instant {
        self.counted + Duration::from_secs(1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_so_many_at_once_and_then_so_many_a_second() {
        let begun = Instant::now();
        let mut allowance = Allowance::new(begun);
        let mut taken = |now| (0..1_000).filter(|_| allowance.take(now)).count();
        assert_eq!(taken(begun), 100);
        assert_eq!(taken(begun + Duration::from_millis(999)), 0);
        assert_eq!(taken(begun + Duration::from_secs(1)), 20);
        assert_eq!(taken(begun + Duration::from_secs(3)), 40);
        assert_eq!(taken(begun + Duration::from_secs(3_000)), 100);
    }

    #[tokio::test]
    async fn what_is_refused_beyond_the_pace_is_waited_for_and_closes_nothing() {
        let mut pace = Pace::new();
        (0..100).for_each(|_| pace.count_refused());
        assert!(pace.next.is_none(), "so many at once");
        pace.count_refused();
        let next = pace.next.expect("a pause");
        pace.turn().await;
        assert!(Instant::now() >= next && pace.next.is_none());
        assert!(pace.count().is_ok());
    }
}
