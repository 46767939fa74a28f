//! When what was not sent is tried again, and when time is running out.

use chess::Timestamp;

/// After so many seconds it is tried again; after the last it is given up.
const AGAIN_SECONDS: [u64; 8] = [2, 30, 300, 1_800, 7_200, 21_600, 28_800, 43_200];
/// Letters about games that wait come no more often than that.
pub(super) const DIGEST_MS: u64 = 3_600_000;
const DAY_MS: u64 = 86_400_000;

/// When to try again what was tried so often; `None`: no more.
pub(super) fn again(tries: u32, now: Timestamp) -> Option<Timestamp> {
    let place = usize::try_from(tries.max(1) - 1).unwrap_or(usize::MAX);
    let seconds = AGAIN_SECONDS.get(place)?;
    Some(Timestamp(now.0.saturating_add(seconds * 1_000)))
}

/// When a quarter of the time for a move is left: of the days there are for it, whatever
/// a vacation adds.
pub(super) fn near(turn_began: Timestamp, deadline: Timestamp, days: u64) -> Timestamp {
    let whole = deadline.0.saturating_sub(turn_began.0);
    let quarter = whole.min(days * DAY_MS) / 4;
    Timestamp(deadline.0.saturating_sub(quarter))
}

/// When the next letter about games that wait may go out.
pub(super) fn next_digest(last: Option<Timestamp>, now: Timestamp) -> Timestamp {
    let next = last.map_or(0, |last| last.0.saturating_add(DIGEST_MS));
    // A clock that was ahead must not keep anybody waiting for longer.
    Timestamp(next.clamp(now.0, now.0.saturating_add(DIGEST_MS)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_tried_again_less_and_less_often_and_then_no_more() {
        let now = Timestamp(1_000_000);
        let waits = (1..).map_while(|tries| again(tries, now));
        let waits: Vec<u64> = waits.map(|at| (at.0 - now.0) / 1_000).collect();
        assert_eq!(waits, AGAIN_SECONDS);
        assert!(waits.is_sorted());
        let day = 86_400;
        assert!((day..2 * day).contains(&waits.iter().sum::<u64>()));
        assert_eq!(again(0, now), again(1, now));
        assert_eq!(again(u32::MAX, now), None);
    }

    #[test]
    fn a_deadline_is_near_when_a_quarter_is_left() {
        let at = |hours: u64| Timestamp(hours * 3_600_000);
        assert_eq!(near(at(0), at(24), 1), at(18));
        assert_eq!(near(at(10), at(10 + 72), 3), at(10 + 54));
        assert_eq!(near(at(5), at(4), 1), at(4));
        // After twenty days of vacation it is no sooner.
        assert_eq!(near(at(0), at(21 * 24), 1), at(21 * 24 - 6));
    }

    #[test]
    fn letters_about_waiting_games_are_an_hour_apart() {
        let at = |minutes: u64| Timestamp(minutes * 60_000);
        assert_eq!(next_digest(None, at(5)), at(5));
        assert_eq!(next_digest(Some(at(5)), at(10)), at(65));
        assert_eq!(next_digest(Some(at(5)), at(70)), at(70));
        assert_eq!(next_digest(Some(at(500)), at(10)), at(70));
    }
}
