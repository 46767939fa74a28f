//! Players who live in this server: its own bots.
//!
//! They are always at their games, and are told which of them changed. It is a
//! hint: what is lost is found by asking the store.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, OnceLock};

use chess::game::Game;
use chess::table::{PlayerId, Table};
use store::TableId;
use tokio::sync::mpsc::{Receiver, Sender, channel};

use crate::lock::lock;

/// Changes that may wait to be looked at.
const QUEUE: usize = 50_000;

/// A game of theirs changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Nudge {
    /// Which.
    pub table: TableId,
    /// Whether it was this change that made two players of it.
    pub began: bool,
    /// Whether it was this change that ended it.
    pub ended: bool,
    /// Whether another node made it.
    pub is_foreign: bool,
}

/// Who they are, and what happened in their games.
pub struct Residents {
    /// In order.
    numbers: OnceLock<Box<[PlayerId]>>,
    queue: Sender<Nudge>,
    /// The other end, until somebody looks after them.
    waiting: Mutex<Option<Receiver<Nudge>>>,
    /// Whether something got lost since that was last asked.
    is_lost: AtomicBool,
}

impl Default for Residents {
    fn default() -> Residents {
        let (queue, waiting) = channel(QUEUE);
        Residents {
            numbers: OnceLock::new(),
            queue,
            waiting: Mutex::new(Some(waiting)),
            is_lost: AtomicBool::new(false),
        }
    }
}

impl Residents {
    /// These live here from now on.
    pub fn settle(&self, mut numbers: Vec<PlayerId>) {
        numbers.sort_unstable();
        // Whoever settled first stays.
        drop(self.numbers.set(numbers.into()));
    }

    /// Whether somebody lives here.
    pub fn has(&self, player: PlayerId) -> bool {
        let numbers = self.numbers.get();
        numbers.is_some_and(|numbers| numbers.binary_search(&player).is_ok())
    }

    /// All of them.
    pub fn all(&self) -> &[PlayerId] {
        self.numbers.get().map_or(&[], |numbers| &**numbers)
    }

    /// The news of their games: for the one who looks after them.
    pub fn take_news(&self) -> Option<Receiver<Nudge>> {
        lock(&self.waiting).take()
    }

    /// Whether news got lost since that was last asked.
    pub fn has_lost(&self) -> bool {
        self.is_lost.swap(false, Ordering::Relaxed)
    }

    /// A game changed; called under its lock.
    pub(super) fn changed(&self, id: TableId, before: Option<&Game>, after: &Game, foreign: bool) {
        let mut players = after.players().into_iter().flatten();
        if !players.any(|player| self.has(player)) {
            return;
        }
        let had_begun = before.is_some_and(|game| game.started_at().is_some());
        let was_over = before.is_some_and(|game| game.ending().is_some());
        let nudge = Nudge {
            table: id,
            began: !foreign && !had_begun && after.started_at().is_some(),
            ended: !foreign && !was_over && after.ending().is_some(),
            is_foreign: foreign,
        };
        if self.queue.try_send(nudge).is_err() {
            self.is_lost.store(true, Ordering::Relaxed);
        }
    }
}

#[cfg(test)]
mod tests {
    use chess::clock::TimeControl;
    use chess::game::{Creation, Ending, Event, Terms, WinReason};
    use chess::{ByColor, Color, Timestamp};

    use super::*;

    fn id(number: u32) -> PlayerId {
        PlayerId::new(number).expect("not zero")
    }

    /// 1 against 7: waiting, begun, over.
    fn games() -> [Game; 3] {
        let creation = Creation {
            opponent: Some(id(7)),
            ..Creation::open(id(1), Terms::casual(TimeControl::Unlimited))
        };
        let waiting = Game::create(Timestamp(0), creation).expect("a game");
        let mut begun = waiting.clone();
        let joined = Event::Joined {
            player: id(7),
            color: Color::Black,
            ratings: ByColor::default(),
        };
        begun.evolve(Timestamp(0), &joined);
        let mut over = begun.clone();
        let ending = Ending::Won {
            winner: Color::White,
            by: WinReason::Resignation,
        };
        let by = Some(Color::Black);
        over.evolve(Timestamp(1), &Event::Ended { ending, by });
        [waiting, begun, over]
    }

    #[test]
    fn residents_hear_of_their_games_and_of_no_others() {
        let residents = Residents::default();
        let [waiting, begun, over] = games();
        let table = TableId::from_random(1);
        residents.changed(table, None, &waiting, false);
        residents.settle(vec![id(9), id(8)]);
        residents.changed(table, None, &waiting, false);
        let mut news = residents.take_news().expect("the first takes them");
        assert!(news.try_recv().is_err(), "nobody of them plays there");
        assert!(residents.has(id(8)) && !residents.has(id(7)));

        let residents = Residents::default();
        residents.settle(vec![id(7)]);
        residents.changed(table, None, &waiting, false);
        residents.changed(table, Some(&waiting), &begun, false);
        residents.changed(table, Some(&begun), &over, false);
        residents.changed(table, Some(&begun), &over, true);
        let mut news = residents.take_news().expect("the first takes them");
        let mut heard = Vec::new();
        while let Ok(nudge) = news.try_recv() {
            heard.push((nudge.began, nudge.ended, nudge.is_foreign));
        }
        let expected = [
            (false, false, false),
            (true, false, false),
            (false, true, false),
            (false, false, true),
        ];
        assert_eq!(heard, expected);
        assert!(residents.take_news().is_none() && !residents.has_lost());
    }

    #[test]
    fn what_does_not_fit_is_noted_as_lost() {
        let residents = Residents::default();
        residents.settle(vec![id(7)]);
        let [waiting, ..] = games();
        for _ in 0..=QUEUE {
            residents.changed(TableId::from_random(1), None, &waiting, false);
        }
        assert!(residents.has_lost() && !residents.has_lost());
    }
}
