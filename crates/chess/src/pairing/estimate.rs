//! How long one will wait, from how long others did.

use crate::{Millis, Timestamp};

/// Older pairings say nothing about now.
const RECENT: Millis = Millis::from_secs(30 * 60);
/// How many of those nearest in rating are asked.
const NEAREST: usize = 20;

/// A ticket that was paired.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Paired {
    /// When.
    pub at: Timestamp,
    /// With how many points.
    pub points: u32,
    /// After how long.
    pub waited: Millis,
}

/// How long somebody with these points will wait: the median of those nearest in
/// rating who were paired in the last half hour. `None` if nobody was: then
/// nothing is known, and nothing is made up.
pub fn estimate(pool: &[Paired], points: u32, now: Timestamp) -> Option<Millis> {
    let mut recent: Vec<&Paired> = recent(pool, now).collect();
    recent.sort_unstable_by_key(|p| (p.points.abs_diff(points), now.since(p.at), p.waited));
    median(recent.iter().take(NEAREST).map(|p| p.waited))
}

/// How long one typically waits, whatever one's rating.
pub fn typical(pool: &[Paired], now: Timestamp) -> Option<Millis> {
    median(recent(pool, now).map(|p| p.waited))
}

fn recent(pool: &[Paired], now: Timestamp) -> impl Iterator<Item = &Paired> {
    pool.iter().filter(move |p| now.since(p.at) <= RECENT)
}

/// The one in the middle; of two the longer, since nobody minds to be early.
fn median(waits: impl Iterator<Item = Millis>) -> Option<Millis> {
    let mut waits: Vec<Millis> = waits.collect();
    waits.sort_unstable();
    waits.get(waits.len() / 2).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: Timestamp = Timestamp(1_700_000_000_000);

    fn paired(minutes_ago: u64, points: u32, waited_secs: u32) -> Paired {
        Paired {
            at: Timestamp(NOW.0 - minutes_ago * 60_000),
            points,
            waited: Millis::from_secs(waited_secs),
        }
    }

    fn secs(wait: Option<Millis>) -> Option<u32> {
        wait.map(Millis::as_secs)
    }

    #[test]
    fn an_estimate_is_what_the_nearest_waited_lately() {
        let crowd = (0..30).map(|n| paired(n % 10, 1500 + n as u32, 3));
        let masters = (0..20).map(|n| paired(n, 2400, 40 + n as u32));
        let pool: Vec<Paired> = crowd.chain(masters).collect();
        assert_eq!(secs(estimate(&pool, 1480, NOW)), Some(3));
        assert_eq!(secs(estimate(&pool, 2500, NOW)), Some(50));
        assert_eq!(secs(typical(&pool, NOW)), Some(3));
    }

    #[test]
    fn what_is_long_ago_does_not_count() {
        let pool = [paired(31, 1500, 3), paired(30, 1500, 90)];
        assert_eq!(secs(estimate(&pool, 1500, NOW)), Some(90));
        assert_eq!(secs(typical(&pool[..1], NOW)), None);
    }

    #[test]
    fn nothing_is_made_up_where_nothing_is_known() {
        assert_eq!(estimate(&[], 1500, NOW), None);
        assert_eq!(typical(&[], NOW), None);
    }

    #[test]
    fn the_order_of_what_is_known_makes_no_difference() {
        let mut pool: Vec<Paired> = (0..40).map(|n| paired(n % 7, 1500, n as u32)).collect();
        let before = estimate(&pool, 1500, NOW);
        pool.reverse();
        assert_eq!(estimate(&pool, 1500, NOW), before);
    }
}
