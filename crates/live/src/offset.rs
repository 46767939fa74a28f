//! A node's time, by the store's clock.
//!
//! Each heartbeat is a sample: the store's clock, read somewhere between two
//! moments of a stopwatch. Of the samples of the last minutes the one with the
//! shortest round trip counts, because it can be off by half of that at most.
//! What the time is moved by, it is moved by little by little.

use std::collections::VecDeque;

/// How long a sample counts.
const WINDOW_US: u64 = 300_000_000;
/// Stopwatches differ by so much, in millionths.
const DRIFT_PPM: u64 = 50;
/// How fast the time is moved, in millionths: two hundredths of a second in a second.
const SLEW_PPM: u64 = 20_000;
/// Samples in a row that contradict all before them mean that the store's clock was set.
const CONTRADICTIONS: usize = 5;
/// Samples that are kept at most.
const SAMPLES_MAX: usize = 1_200;

/// The difference between the store's clock and a stopwatch, as it is known and
/// as it is shown.
#[derive(Clone, Debug, Default)]
pub struct Offset {
    samples: VecDeque<Sample>,
    /// The one of them that tells best: found once with each, as the time is looked
    /// at much more often.
    best: Option<Sample>,
    contradictions: usize,
    /// What is shown: an offset, as of that moment of the stopwatch.
    shown: Option<(i64, u64)>,
}

#[derive(Clone, Copy, Debug)]
struct Sample {
    at_us: u64,
    offset_us: i64,
    half_us: u64,
}

impl Sample {
    /// How far off it can be by now.
    fn error_us(&self, now_us: u64) -> u64 {
        self.half_us + now_us.saturating_sub(self.at_us) * DRIFT_PPM / 1_000_000
    }
}

impl Offset {
    /// The store's clock showed `store_us` between those two moments of the stopwatch.
    pub fn sampled(&mut self, sent_us: u64, received_us: u64, store_us: u64) {
        let trip_us = received_us.saturating_sub(sent_us);
        let middle = signed(sent_us + trip_us / 2);
        let sample = Sample {
            at_us: received_us,
            offset_us: signed(store_us) - middle,
            half_us: trip_us / 2 + 1,
        };
        self.contradictions = match &self.best {
            Some(best) if contradict(best, &sample, received_us) => self.contradictions + 1,
            _ => 0,
        };
        // Where it was is kept before what it aims at changes.
        let shown = self.now_us(received_us);
        if self.contradictions >= CONTRADICTIONS {
            self.contradictions = 0;
            self.samples.clear();
        }
        self.samples.push_back(sample);
        if self.samples.len() > SAMPLES_MAX {
            self.samples.pop_front();
        }
        let is_old = |old: &Sample| old.at_us + WINDOW_US < received_us;
        while self.samples.front().is_some_and(is_old) {
            self.samples.pop_front();
        }
        let samples = self.samples.iter().copied();
        self.best = samples.min_by_key(|sample| sample.error_us(received_us));
        let aim = self.aim();
        // Until the first sample nothing is shown that could be moved.
        let shown = shown.map_or(aim, |shown| signed(shown) - signed(received_us));
        self.shown = Some((shown, received_us));
    }

    fn aim(&self) -> i64 {
        self.best.map_or(0, |best| best.offset_us)
    }

    /// The store's time at that moment of the stopwatch, as it is shown. It never
    /// runs backwards: it is moved more slowly than it runs. `None` before the first sample.
    pub fn now_us(&self, now_us: u64) -> Option<u64> {
        let (shown, since_us) = self.shown?;
        let aim = self.aim();
        let most = signed(now_us.saturating_sub(since_us) * SLEW_PPM / 1_000_000);
        let offset = shown + (aim - shown).clamp(-most, most);
        u64::try_from(signed(now_us) + offset).ok()
    }

    /// How far that may be off, in microseconds.
    pub fn uncertainty_us(&self, now_us: u64) -> u64 {
        let (Some(best), Some(shown)) = (self.best, self.now_us(now_us)) else {
            return u64::MAX;
        };
        let aim = signed(now_us) + best.offset_us;
        best.error_us(now_us) + aim.abs_diff(signed(shown))
    }
}

/// Whether the two cannot both be right.
fn contradict(one: &Sample, other: &Sample, now_us: u64) -> bool {
    one.offset_us.abs_diff(other.offset_us) > one.error_us(now_us) + other.error_us(now_us)
}

fn signed(us: u64) -> i64 {
    i64::try_from(us).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: u64 = 1_000_000;

    /// The store is ahead of the stopwatch by so much, and answers after half the trip.
    fn sample(offset: &mut Offset, at: u64, trip: u64, ahead: u64) {
        offset.sampled(at, at + trip, at + trip / 2 + ahead);
    }

    #[test]
    fn the_shortest_round_trip_of_the_last_minutes_counts() {
        let mut offset = Offset::default();
        assert_eq!(offset.now_us(5), None);
        sample(&mut offset, SECOND, 400, 7 * SECOND);
        // Answered late on the way back only: it says too little by a tenth of a second.
        offset.sampled(2 * SECOND, 2 * SECOND + 200_000, 9 * SECOND);
        let now = 3 * SECOND;
        assert_eq!(offset.now_us(now), Some(now + 7 * SECOND));
        assert!(offset.uncertainty_us(now) < 1_000);
        // When the good one is too old, the other is all there is.
        let later = 302 * SECOND;
        sample(&mut offset, later, 50_000, 7 * SECOND);
        assert!(offset.uncertainty_us(later + SECOND) > 20_000);
    }

    #[test]
    fn what_it_is_moved_by_it_is_moved_by_slowly_and_never_backwards() {
        let mut offset = Offset::default();
        // A long trip, so that a better sample may say something else.
        offset.sampled(0, 100_000, 10 * SECOND + 90_000);
        sample(&mut offset, SECOND, 200, 10 * SECOND);
        let at = |us| offset.now_us(us).unwrap();
        let mut last = at(SECOND + 200);
        let mut now = SECOND + 200;
        while now < 4 * SECOND {
            now += 1_000;
            let time = at(now);
            assert!((last + 980..=last + 1_020).contains(&time), "{now}");
            last = time;
        }
        assert_eq!(last, now + 10 * SECOND);
    }

    #[test]
    fn a_store_whose_clock_was_set_is_followed_after_a_while() {
        let mut offset = Offset::default();
        for n in 0..10 {
            sample(&mut offset, n * SECOND, 400, 100 * SECOND);
        }
        for n in 10..20 {
            sample(&mut offset, n * SECOND, 400, 101 * SECOND);
        }
        assert!(offset.uncertainty_us(20 * SECOND) > SECOND / 2);
        for n in 20..100 {
            sample(&mut offset, n * SECOND, 400, 101 * SECOND);
        }
        assert!(offset.uncertainty_us(100 * SECOND) < 2_000);
        assert_eq!(offset.now_us(100 * SECOND), Some(201 * SECOND));
    }
}
