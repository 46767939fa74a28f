//! When a delivery is tried again.

use chess::{Millis, Timestamp};

/// How often a delivery is tried.
pub(super) const TRIES: u32 = 8;

/// After how much of all its time each try comes, in parts of 8,640: of a day, after ten
/// seconds, a minute later, ten minutes, one hour, three, seven, and at the end of it.
const TRIED_AT: [u64; TRIES as usize] = [0, 1, 7, 67, 427, 1_507, 4_027, 8_640];

/// How long after the n-th try failed the next one comes; nothing after the last. All of
/// them take `patience`, unless targets take their time.
pub(super) fn again_in(tries: u32, patience: Millis) -> Option<Millis> {
    let place = usize::try_from(tries).ok()?;
    let (before, next) = (place.checked_sub(1)?, place);
    let parts = TRIED_AT.get(next)? - TRIED_AT.get(before)?;
    let ms = u64::from(patience.0) * parts / 8_640;
    Some(Millis(u32::try_from(ms).unwrap_or(u32::MAX)))
}

/// When the next try comes after the n-th failed at this time.
pub(super) fn again_at(tries: u32, patience: Millis, now: Timestamp) -> Option<Timestamp> {
    again_in(tries, patience).map(|wait| now + wait)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn eight_tries_take_a_day_and_come_less_and_less_often() {
        let day = Millis::from_days(1);
        let waits: Vec<u32> = (1..=TRIES)
            .map_while(|tries| again_in(tries, day))
            .map(|wait| wait.as_secs())
            .collect();
        assert_eq!(waits, [10, 60, 600, 3_600, 10_800, 25_200, 46_130]);
        assert_eq!(waits.iter().sum::<u32>(), 86_400);
        assert_eq!(again_in(TRIES, day), None);
        assert_eq!(again_in(TRIES + 1, day), None);
    }

    #[test]
    fn an_operator_may_have_less_patience() {
        let waits = (1..TRIES).filter_map(|tries| again_in(tries, Millis::from_secs(8)));
        let total: u32 = waits.map(|wait| wait.0).sum();
        assert!((7_990..=8_000).contains(&total), "{total}");
        let at = again_at(1, Millis::from_days(1), Timestamp(5));
        assert_eq!(at, Some(Timestamp(10_005)));
    }
}
