//! Who is served next: games take turns, and what is urgent goes first.

use std::collections::{BTreeMap, VecDeque};

/// How soon an answer is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Urgency {
    /// A clock runs.
    Live,
    /// Nobody waits at a board.
    Background,
}

/// Questions in the order in which they are answered. Within an urgency each game has one turn after the other,
/// however much it asks.
#[derive(Debug)]
pub(super) struct Queue<T> {
    lanes: [Lane<T>; 2],
    len: usize,
    most: usize,
}

#[derive(Debug)]
struct Lane<T> {
    /// The games that wait, each once.
    turns: VecDeque<u64>,
    waiting: BTreeMap<u64, VecDeque<T>>,
}

impl<T> Queue<T> {
    pub(super) fn new(most: usize) -> Queue<T> {
        let lane = || Lane {
            turns: VecDeque::new(),
            waiting: BTreeMap::new(),
        };
        Queue {
            lanes: [lane(), lane()],
            len: 0,
            most,
        }
    }

    /// Gives it back when there is no room. For what is urgent, something that is not makes room.
    pub(super) fn push(&mut self, game: u64, urgency: Urgency, item: T) -> Result<Option<T>, T> {
        let mut displaced = None;
        if self.len >= self.most {
            if urgency == Urgency::Live {
                displaced = self.lanes[1].pop();
            }
            if displaced.is_none() {
                return Err(item);
            }
            self.len -= 1;
        }
        self.lanes[urgency as usize].push(game, item);
        self.len += 1;
        Ok(displaced)
    }

    pub(super) fn pop(&mut self) -> Option<T> {
        let item = self.lanes.iter_mut().find_map(Lane::pop)?;
        self.len -= 1;
        Some(item)
    }

    pub(super) fn len(&self) -> usize {
        self.len
    }
}

impl<T> Lane<T> {
    fn push(&mut self, game: u64, item: T) {
        let items = self.waiting.entry(game).or_default();
        if items.is_empty() {
            self.turns.push_back(game);
        }
        items.push_back(item);
    }

    fn pop(&mut self) -> Option<T> {
        let game = self.turns.pop_front()?;
        let items = self.waiting.get_mut(&game)?;
        let item = items.pop_front();
        if items.is_empty() {
            self.waiting.remove(&game);
        } else {
            self.turns.push_back(game);
        }
        item
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Urgency::{Background, Live};

    fn order(pushed: &[(u64, Urgency)]) -> Vec<usize> {
        let mut queue = Queue::new(100);
        for (n, (game, urgency)) in pushed.iter().enumerate() {
            assert!(queue.push(*game, *urgency, n).is_ok());
        }
        assert_eq!(queue.len(), pushed.len());
        std::iter::from_fn(|| queue.pop()).collect()
    }

    #[test]
    fn games_take_turns() {
        let greedy = [(1, Live), (1, Live), (1, Live), (2, Live), (3, Live)];
        assert_eq!(order(&greedy), [0, 3, 4, 1, 2]);
    }

    #[test]
    fn what_is_urgent_goes_first() {
        assert_eq!(
            order(&[(1, Background), (2, Background), (3, Live)]),
            [2, 0, 1]
        );
    }

    #[test]
    fn a_full_queue_gives_back_and_background_makes_room() {
        let mut queue = Queue::new(2);
        assert_eq!(queue.push(1, Background, 'a'), Ok(None));
        assert_eq!(queue.push(2, Live, 'b'), Ok(None));
        assert_eq!(queue.push(3, Background, 'c'), Err('c'));
        assert_eq!(queue.push(4, Live, 'd'), Ok(Some('a')));
        assert_eq!(queue.push(5, Live, 'e'), Err('e'));
        assert_eq!(queue.len(), 2);
    }
}
