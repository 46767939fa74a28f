//! A rating in whole numbers.

use crate::Timestamp;

/// The glicko-2 scale's unit in points, as the paper has it.
pub(super) const SCALE: f64 = 173.7178;
/// How many rating periods pass in a day without games. With it a typical
/// player's deviation grows from 60 to 110 in a year. Lichess's number.
const PERIODS_PER_DAY: f64 = 0.21436;
const MS_PER_DAY: f64 = 86_400_000.0;

/// How strong a player is, how sure that is, and how steady.
///
/// The start is Glickman's (1500, 350, 0.06): Lichess begins at 500 and 0.09, but
/// no deviation here is above 350, and its pace of forgetting is right for 0.06.
/// The other bounds are Lichess's: 400 to 4000 points, a deviation of no less than
/// 45, so that nobody's rating freezes, a volatility of no more than 0.1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Rating(Stored);

/// A rating as everybody sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Shown {
    /// Whole points.
    pub points: u16,
    /// Whether it is too unsure to be compared with others'.
    pub provisional: bool,
}

impl From<Rating> for Shown {
    fn from(rating: Rating) -> Shown {
        Shown {
            points: u16::try_from(rating.points()).unwrap_or(u16::MAX),
            provisional: rating.is_provisional(),
        }
    }
}

/// A rating as it is stored. Finer than anybody sees, or a win against somebody
/// much weaker would be rounded away, and so would every change of volatility.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Stored {
    /// Thousandths of a point.
    pub points_milli: u32,
    /// Thousandths of a point.
    pub deviation_milli: u32,
    /// Billionths.
    pub volatility_nano: u32,
}

const LEAST: Stored = Stored {
    points_milli: 400_000,
    deviation_milli: 45_000,
    volatility_nano: 10_000_000,
};
const MOST: Stored = Stored {
    points_milli: 4_000_000,
    deviation_milli: 350_000,
    volatility_nano: 100_000_000,
};
/// From this deviation on, in thousandths, a rating says little.
const PROVISIONAL_FROM: u32 = 110_000;

impl Rating {
    /// What everybody begins with.
    pub const INITIAL: Rating = Rating(Stored {
        points_milli: 1_500_000,
        deviation_milli: 350_000,
        volatility_nano: 60_000_000,
    });

    /// The nearest rating to these numbers that there can be.
    pub fn new(points: f64, deviation: f64, volatility: f64) -> Rating {
        // A number below zero, or none at all, becomes zero: the lower bound.
        let fixed = |value: f64, unit: f64| (value * unit).round() as u32;
        Rating(Stored {
            points_milli: fixed(points, 1e3).clamp(LEAST.points_milli, MOST.points_milli),
            deviation_milli: fixed(deviation, 1e3)
                .clamp(LEAST.deviation_milli, MOST.deviation_milli),
            volatility_nano: fixed(volatility, 1e9)
                .clamp(LEAST.volatility_nano, MOST.volatility_nano),
        })
    }

    /// A stored rating; `None` if no rating is like this.
    pub fn from_stored(stored: Stored) -> Option<Rating> {
        let within = (LEAST.points_milli..=MOST.points_milli).contains(&stored.points_milli)
            && (LEAST.deviation_milli..=MOST.deviation_milli).contains(&stored.deviation_milli)
            && (LEAST.volatility_nano..=MOST.volatility_nano).contains(&stored.volatility_nano);
        within.then_some(Rating(stored))
    }

    /// The inverse of [`Rating::from_stored`].
    pub const fn stored(self) -> Stored {
        self.0
    }

    /// The points as everybody sees them: whole ones.
    pub const fn points(self) -> u32 {
        (self.0.points_milli + 500) / 1000
    }

    /// The deviation as everybody sees it: in whole points.
    pub const fn deviation(self) -> u32 {
        (self.0.deviation_milli + 500) / 1000
    }

    /// Whether it is too unsure to be compared with others': its deviation is
    /// not below 110.
    pub const fn is_provisional(self) -> bool {
        self.0.deviation_milli >= PROVISIONAL_FROM
    }

    /// What it is worth at `now` if it was last changed at `since`: the longer ago
    /// that is, the less sure. Always computed from what is stored, so that
    /// reading it often makes no difference.
    pub fn idle(self, since: Timestamp, now: Timestamp) -> Rating {
        let days = now.0.saturating_sub(since.0) as f64 / MS_PER_DAY;
        let (points, deviation, volatility) = self.exact();
        let per_period = SCALE * volatility;
        let grown = deviation.powi(2) + per_period.powi(2) * days * PERIODS_PER_DAY;
        Rating::new(points, grown.sqrt(), volatility)
    }

    /// Moved by so many thousandths of a point.
    pub(super) fn moved(self, by_milli: i64) -> Rating {
        let points = i64::from(self.0.points_milli) + by_milli;
        let bounds = (i64::from(LEAST.points_milli), i64::from(MOST.points_milli));
        let points_milli = points.clamp(bounds.0, bounds.1) as u32;
        Rating(Stored {
            points_milli,
            ..self.0
        })
    }

    /// Points, deviation, volatility.
    pub(super) fn exact(self) -> (f64, f64, f64) {
        (
            f64::from(self.0.points_milli) / 1e3,
            f64::from(self.0.deviation_milli) / 1e3,
            f64::from(self.0.volatility_nano) / 1e9,
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DAY: u64 = 86_400_000;

    fn idle_days(deviation: f64, days: u64) -> Rating {
        Rating::new(1500.0, deviation, 0.06).idle(Timestamp(7), Timestamp(7 + days * DAY))
    }

    #[test]
    fn a_rating_is_provisional_until_its_deviation_is_below_110() {
        assert!(Rating::INITIAL.is_provisional());
        assert!(Rating::new(1500.0, 110.0, 0.06).is_provisional());
        assert!(!Rating::new(1500.0, 109.999, 0.06).is_provisional());
    }

    #[test]
    fn a_typical_rating_is_provisional_again_after_a_year() {
        assert_eq!(idle_days(60.0, 0).deviation(), 60);
        assert_eq!(idle_days(60.0, 100).deviation(), 77);
        assert!(!idle_days(60.0, 360).is_provisional());
        assert!(idle_days(60.0, 366).is_provisional());
        assert_eq!(idle_days(60.0, 365).deviation(), 110);
    }

    #[test]
    fn only_the_deviation_grows_and_never_above_that_of_a_newcomer() {
        let idle = idle_days(60.0, 36_500).stored();
        let before = Rating::new(1500.0, 350.0, 0.06).stored();
        assert_eq!(idle, before);
        let since = Timestamp(u64::MAX);
        let rating = Rating::new(1812.3, 71.0, 0.05);
        assert_eq!(rating.idle(since, Timestamp(0)), rating, "a clock behind");
    }

    #[test]
    fn whole_points_are_the_nearest() {
        let points = |p| Rating::new(p, 60.0, 0.06).points();
        assert_eq!(points(1499.499), 1499);
        assert_eq!(points(1499.5), 1500);
    }

    #[test]
    fn a_rating_stays_within_its_bounds_whatever_it_is_made_of() {
        let least = Rating::new(-1.0, f64::NAN, 0.0).stored();
        assert_eq!(least, LEAST);
        let most = Rating::new(f64::INFINITY, 1e30, 2.0).stored();
        assert_eq!(most, MOST);
        for stored in [least, most] {
            let rating = Rating::from_stored(stored).expect("a bound is within");
            assert_eq!(rating.stored(), stored);
        }
        let beyond = Stored {
            deviation_milli: MOST.deviation_milli + 1,
            ..most
        };
        assert_eq!(Rating::from_stored(beyond), None);
        assert_eq!(Rating::new(400.0, 60.0, 0.06).moved(-1).points(), 400);
    }
}
