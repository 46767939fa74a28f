//! What spectators of a table with a delay are told later.

use std::collections::VecDeque;

use chess::Timestamp;

use super::News;

/// News in the order in which they may be told.
pub struct Later<N>(VecDeque<(Timestamp, N)>);

impl<N> Default for Later<N> {
    fn default() -> Later<N> {
        Later(VecDeque::new())
    }
}

impl<N: News> Later<N> {
    /// Keeps news until then.
    pub fn keep(&mut self, until: Timestamp, news: N) {
        let place = self.0.partition_point(|(due, _)| *due <= until);
        self.0.insert(place, (until, news));
    }

    /// The next news whose time has come. Whoever is to look for themselves
    /// several times in a row need look only once.
    pub fn next(&mut self, now: Timestamp) -> Option<N> {
        let mut news = self.pop(now)?;
        while news.is_lost() && self.is_lost_next(now) {
            news = self.pop(now)?;
        }
        Some(news)
    }

    /// When the next of them may be told.
    pub fn next_due(&self) -> Option<Timestamp> {
        self.0.front().map(|(due, _)| *due)
    }

    fn pop(&mut self, now: Timestamp) -> Option<N> {
        let is_due = self.0.front().is_some_and(|(due, _)| *due <= now);
        is_due.then(|| self.0.pop_front())?.map(|(_, news)| news)
    }

    fn is_lost_next(&self, now: Timestamp) -> bool {
        let next = self.0.front();
        next.is_some_and(|(due, news)| *due <= now && news.is_lost())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    impl News for &'static str {
        fn lost() -> &'static str {
            "lost"
        }

        fn is_lost(&self) -> bool {
            *self == "lost"
        }
    }

    #[test]
    fn news_come_in_the_order_of_their_times() {
        let mut later = Later::default();
        for (due, text) in [(5, "b"), (9, "d"), (3, "a"), (5, "c")] {
            later.keep(Timestamp(due), text);
        }
        let mut told = |now| later.next(Timestamp(now));
        assert_eq!(told(2), None);
        let first: Vec<&str> = std::iter::from_fn(|| told(5)).collect();
        assert_eq!(first, ["a", "b", "c"]);
        assert_eq!((told(8), told(9)), (None, Some("d")));
    }

    /// Every spectator goes through the game each time: a thousand changes
    /// that nobody heard of must not make them do it a thousand times.
    #[test]
    fn looking_once_is_enough_for_all_that_was_missed() {
        let mut later = Later::default();
        for due in 0..1_000 {
            later.keep(Timestamp(due), "lost");
        }
        later.keep(Timestamp(500), "said");
        let told: Vec<&str> = std::iter::from_fn(|| later.next(Timestamp(900))).collect();
        assert_eq!(told, ["lost", "said", "lost"]);
        let rest = later.next(Timestamp(1_000));
        assert!(rest.is_some(), "the rest in its time");
        assert!(later.next(Timestamp(1_000)).is_none());
    }
}
