//! What is kept of a player in one category.

use super::Rating;
use crate::Timestamp;

/// A player's rating between games. Whoever has none is at [`Standing::NEW`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Standing {
    /// As the last rated game left it.
    pub rating: Rating,
    /// The rated games behind it.
    pub games: u32,
    /// When the last of them ended.
    pub rated_at: Option<Timestamp>,
}

/// By then the surest and steadiest rating is provisional: 139 years.
const LONGEST_MS: u64 = 1 << 42;

impl Standing {
    /// Of somebody without a rated game.
    pub const NEW: Standing = Standing {
        rating: Rating::INITIAL,
        games: 0,
        rated_at: None,
    };

    /// The rating as it is to be read at `now`: less sure the longer ago the last
    /// game is. This is what is shown, paired by, and rated from.
    pub fn at(&self, now: Timestamp) -> Rating {
        self.rated_at
            .map_or(self.rating, |since| self.rating.idle(since, now))
    }

    /// From when on it is too unsure to be compared with others', if its owner
    /// goes on not playing; zero if it is so already.
    pub fn provisional_from(&self) -> Timestamp {
        let Some(since) = self.rated_at.filter(|_| !self.rating.is_provisional()) else {
            return Timestamp(0);
        };
        let is_provisional = |ms: u64| {
            self.at(Timestamp(since.0.saturating_add(ms)))
                .is_provisional()
        };
        // Halving the time until it is found agrees with what is read to the
        // millisecond, which solving for it would not: what is read is rounded.
        let (mut not_yet, mut then) = (0, LONGEST_MS);
        while then - not_yet > 1 {
            let middle = not_yet.midpoint(then);
            match is_provisional(middle) {
                true => then = middle,
                false => not_yet = middle,
            }
        }
        Timestamp(since.0.saturating_add(then))
    }

    /// After one more rated game, which ended at `at`. If games are rated in
    /// another order than they ended in, both count and time does not go back.
    #[must_use]
    pub fn after(&self, at: Timestamp, rating: Rating) -> Standing {
        Standing {
            rating,
            games: self.games.saturating_add(1),
            rated_at: self.rated_at.max(Some(at)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DAY: u64 = 86_400_000;

    #[test]
    fn reading_a_standing_often_is_like_reading_it_once() {
        let rating = Rating::new(1700.0, 70.0, 0.06);
        let standing = Standing::NEW.after(Timestamp(0), rating);
        for day in 0..100 {
            standing.at(Timestamp(day * DAY));
        }
        let later = Timestamp(100 * DAY);
        assert_eq!(standing.at(later), rating.idle(Timestamp(0), later));
        assert!(standing.at(later).deviation() > 80);
    }

    #[test]
    fn when_a_rating_becomes_provisional_is_known_to_the_millisecond() {
        for (deviation, volatility) in [(45.0, 0.01), (60.0, 0.06), (109.999, 0.1)] {
            let standing =
                Standing::NEW.after(Timestamp(77), Rating::new(1500.0, deviation, volatility));
            let from = standing.provisional_from();
            assert!(standing.at(from).is_provisional(), "{deviation}");
            assert!(
                !standing.at(Timestamp(from.0 - 1)).is_provisional(),
                "{deviation}"
            );
        }
        assert_eq!(Standing::NEW.provisional_from(), Timestamp(0));
        let unsure = Standing::NEW.after(Timestamp(77), Rating::new(1500.0, 110.0, 0.06));
        assert_eq!(unsure.provisional_from(), Timestamp(0));
    }

    #[test]
    fn a_newcomer_is_as_unsure_as_can_be_at_any_time() {
        assert_eq!(Standing::NEW.at(Timestamp(u64::MAX)), Rating::INITIAL);
    }

    #[test]
    fn games_that_are_rated_out_of_order_all_count() {
        let rating = Rating::INITIAL;
        let late = Standing::NEW.after(Timestamp(9), rating);
        let both = late.after(Timestamp(5), rating);
        assert_eq!((both.games, both.rated_at), (2, Some(Timestamp(9))));
    }
}
