//! What spectators of a game with a delay are told later.

use std::collections::VecDeque;
use std::sync::Arc;

use chess::Timestamp;
use chess::game::Game;

use super::told::{News, Told};

/// News in the order in which they may be told.
#[derive(Default)]
pub(super) struct Later(VecDeque<(Timestamp, News)>);

impl Later {
    /// Keeps news until then.
    pub(super) fn keep(&mut self, until: Timestamp, news: News) {
        let place = self.0.partition_point(|(due, _)| *due <= until);
        self.0.insert(place, (until, news));
    }

    /// The next news whose time has come. Whoever is to look for themselves
    /// several times in a row need look only once.
    pub(super) fn next(&mut self, now: Timestamp) -> Option<News> {
        let mut news = self.pop(now)?;
        while matches!(*news, Told::Lost) && self.is_lost_next(now) {
            news = self.pop(now)?;
        }
        Some(news)
    }

    /// When the next of them may be told.
    pub(super) fn next_due(&self) -> Option<Timestamp> {
        self.0.front().map(|(due, _)| *due)
    }

    fn pop(&mut self, now: Timestamp) -> Option<News> {
        let is_due = self.0.front().is_some_and(|(due, _)| *due <= now);
        is_due.then(|| self.0.pop_front())?.map(|(_, news)| news)
    }

    fn is_lost_next(&self, now: Timestamp) -> bool {
        let next = self.0.front();
        next.is_some_and(|(due, news)| *due <= now && matches!(**news, Told::Lost))
    }

    /// Nobody heard of these changes of the game: when the time of each comes,
    /// spectators look for themselves.
    pub(super) fn keep_unheard(&mut self, game: &Game, told: u32, now: Timestamp) {
        let delay = game.spectator_delay();
        if now >= game.last_at() + delay {
            return;
        }
        for entry in game.entries().skip(told as usize) {
            let due = entry.at + delay;
            if due > now {
                self.keep(due, Arc::new(Told::Lost));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn news_come_in_the_order_of_their_times() {
        let mut later = Later::default();
        for (due, text) in [(5, "b"), (9, "d"), (3, "a"), (5, "c")] {
            later.keep(Timestamp(due), Arc::new(Told::Notice(text.into())));
        }
        let mut told = |now| match &*later.next(Timestamp(now))? {
            Told::Notice(text) => Some(text.as_str().to_owned()),
            _ => None,
        };
        assert_eq!(told(2), None);
        let first: Vec<String> = std::iter::from_fn(|| told(5)).collect();
        assert_eq!(first, ["a", "b", "c"]);
        assert_eq!((told(8), told(9).as_deref()), (None, Some("d")));
    }

    /// Every spectator goes through the game each time: a thousand changes
    /// that nobody heard of must not make them do it a thousand times.
    #[test]
    fn looking_once_is_enough_for_all_that_was_missed() {
        let mut later = Later::default();
        for due in 0..1_000 {
            later.keep(Timestamp(due), Arc::new(Told::Lost));
        }
        later.keep(Timestamp(500), Arc::new(Told::Notice("said".into())));
        let told: Vec<News> = std::iter::from_fn(|| later.next(Timestamp(900))).collect();
        let kinds: Vec<bool> = told.iter().map(|n| matches!(**n, Told::Lost)).collect();
        assert_eq!(kinds, [true, false, true]);
        assert!(
            later.next(Timestamp(1_000)).is_some(),
            "the rest in its time"
        );
        assert!(later.next(Timestamp(1_000)).is_none());
    }
}
