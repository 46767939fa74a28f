//! What a pool promises to those who wait in it.

use std::fmt;

use crate::rating::Rating;
use crate::{Millis, Timestamp};

/// How long one waits, and for whom.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Policy {
    /// How far away in points an opponent may be at first.
    pub initial_window: u32,
    /// By how much that grows with every second of waiting.
    pub widening_per_second: u32,
    /// How far away an opponent may ever be.
    pub max_gap: u32,
    /// After how long the others' windows and last opponents no longer stand in
    /// the way; after twice as long, sides do not either.
    pub patience: Millis,
    /// After how long a ticket is given up.
    pub timeout: Millis,
    /// Whether two who have just played each other should rather not again.
    pub avoids_last_opponent: bool,
}

/// Why a policy makes no sense: the field, and a sentence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BadPolicy {
    /// Which of its fields.
    pub field: &'static str,
    /// What is wrong with it.
    pub why: &'static str,
}

impl fmt::Display for BadPolicy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.field, self.why)
    }
}

impl std::error::Error for BadPolicy {}

impl Default for Policy {
    /// Somebody of about one's strength at once, somebody who is not hopeless
    /// within the minute, and an honest no after ten.
    fn default() -> Policy {
        Policy {
            initial_window: 100,
            widening_per_second: 10,
            max_gap: 500,
            patience: Millis::from_secs(30),
            timeout: Millis::from_secs(600),
            avoids_last_opponent: false,
        }
    }
}

impl Policy {
    /// Checks that its numbers fit each other.
    ///
    /// # Errors
    /// [`BadPolicy`] says which does not.
    pub fn check(&self) -> Result<(), BadPolicy> {
        let bad = |field, why| Err(BadPolicy { field, why });
        if self.max_gap > GAP_MAX {
            return bad("max_gap", "must be at most 4000");
        }
        if self.initial_window > self.max_gap {
            return bad("initial_window", "must be at most max_gap");
        }
        if self.timeout == Millis::ZERO {
            return bad("timeout", "must be more than nothing");
        }
        if self.patience > self.timeout {
            return bad("patience", "must be at most timeout");
        }
        Ok(())
    }

    /// How far away an opponent may be of somebody with this rating, who waits
    /// since then. A provisional rating says little about where its owner belongs,
    /// so its window is at least as wide as it is unsure.
    pub fn window(&self, rating: Rating, since: Timestamp, now: Timestamp) -> u32 {
        let waited = u64::from(now.since(since).0);
        let widened = u64::from(self.widening_per_second) * waited / 1000;
        let unsure = if rating.is_provisional() {
            rating.deviation()
        } else {
            0
        };
        let window = u64::from(self.initial_window.max(unsure)) + widened;
        window.min(u64::from(self.max_gap)) as u32
    }
}

/// No two ratings are further apart.
const GAP_MAX: u32 = 4000;

#[cfg(test)]
mod tests {
    use super::*;

    fn window(deviation: f64, waited_secs: u32) -> u32 {
        let since = Timestamp(1_000_000);
        let now = since + Millis::from_secs(waited_secs);
        Policy::default().window(Rating::new(1500.0, deviation, 0.06), since, now)
    }

    #[test]
    fn a_window_widens_with_waiting_up_to_the_greatest_gap() {
        assert_eq!(window(60.0, 0), 100);
        assert_eq!(window(60.0, 15), 250);
        assert_eq!(window(60.0, 40), 500);
        assert_eq!(window(60.0, 4_000_000), 500);
    }

    #[test]
    fn a_newcomers_window_is_as_wide_as_the_rating_is_unsure() {
        assert_eq!(window(350.0, 0), 350);
        assert_eq!(window(350.0, 10), 450);
        assert_eq!(window(109.0, 0), 100);
    }

    #[test]
    fn whoever_comes_from_the_future_has_not_waited() {
        let policy = Policy::default();
        let rating = Rating::new(1500.0, 60.0, 0.06);
        assert_eq!(policy.window(rating, Timestamp(9), Timestamp(1)), 100);
    }

    #[test]
    fn a_policy_that_contradicts_itself_is_refused_with_the_field() {
        let fine = Policy::default();
        assert_eq!(fine.check(), Ok(()));
        let ten = Millis::from_secs(10);
        #[rustfmt::skip]
        let bad = [
            (Policy { max_gap: 4001, ..fine }, "max_gap"),
            (Policy { initial_window: 501, ..fine }, "initial_window"),
            (Policy { timeout: Millis::ZERO, ..fine }, "timeout"),
            (Policy { timeout: ten, ..fine }, "patience"),
        ];
        for (policy, field) in bad {
            assert_eq!(policy.check().map_err(|bad| bad.field), Err(field));
        }
        let patient = Policy {
            patience: ten,
            timeout: ten,
            ..fine
        };
        assert_eq!(patient.check(), Ok(()));
    }
}
