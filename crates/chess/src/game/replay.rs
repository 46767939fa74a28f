//! Going through a history in one pass.
//!
//! A takeback needs the moves that stand. Finding them by walking through the
//! whole history each time makes a replay as slow as the square of its
//! takebacks; whoever goes through it in order has them at hand.

use super::line::{Played, Turn};
use super::{Entry, Event, Game};
use crate::Timestamp;

/// A game on its way through a history, with the moves that stand.
pub struct Replay {
    game: Game,
    /// From the first takeback on: most games have none.
    line: Option<Vec<Played>>,
}

impl Replay {
    /// Begins with a game that was just created.
    pub(super) fn new(game: Game) -> Replay {
        Replay { game, line: None }
    }

    /// The game as far as it has come.
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// Applies the next change.
    pub fn step(&mut self, entry: &Entry) {
        let Replay { game, line } = self;
        let at = entry.at.max(game.ledger.last_at);
        match &entry.event {
            Event::TakenBack { plies, .. } => {
                let line = line.get_or_insert_with(|| game.line());
                let kept = line.len() - usize::from(*plies);
                let rewound = line[kept].before;
                line.truncate(kept);
                game.take_back(at, &entry.event, line, rewound);
            }
            Event::Moved { uci, lag, .. } if line.is_some() => {
                let turn = Turn::of(&game.ledger, at, *lag);
                game.evolve(at, &entry.event);
                line.get_or_insert_default()
                    .push(turn.played(*uci, &game.ledger));
            }
            event => game.evolve(at, event),
        }
    }

    /// Goes on with what has happened in `later`, the same game further on, up
    /// to that moment. Whoever shows the past of a running game again and
    /// again pays for what is new, not for the whole history each time.
    pub fn follow(&mut self, later: &Game, until: Timestamp) {
        let since = later.entries_since(&self.game);
        for entry in since.take_while(|entry| entry.at <= until) {
            self.step(&entry);
        }
    }

    /// The game, for good.
    pub fn into_game(self) -> Game {
        self.game
    }
}

impl Game {
    /// The game as it was when it was created, to be taken through
    /// [`Game::entries`] again: the first of them is its creation.
    pub fn replay(&self) -> Replay {
        let creation = self.creation();
        Replay::new(Game::opened(
            self.created_at(),
            creation,
            self.start_board(),
        ))
    }

    /// The game as it was at an earlier version.
    pub fn as_of(&self, version: u32) -> Option<Game> {
        if !(1..=self.version()).contains(&version) {
            return None;
        }
        let mut replay = self.replay();
        for entry in self.entries().take(version as usize).skip(1) {
            replay.step(&entry);
        }
        Some(replay.into_game())
    }
}
