//! The moves of long games, written out once for all who ask.
//!
//! Writing hundreds of moves takes the better part of a millisecond, and a
//! crowd comes to one game all at once.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use chess::game::Game;
use store::TableId;

use crate::lock::lock;

/// A shorter game is written out each time.
const LONG: u32 = if cfg!(test) { 4 } else { 40 };
/// So many games are remembered, some megabytes' worth.
const GAMES_MAX: usize = 256;

/// What was written out lately.
#[derive(Default)]
pub struct Scores {
    /// By game and version: spectators may be behind.
    known: Mutex<HashMap<(TableId, u32), Arc<Score>>>,
}

/// The moves that stand, in UCI and in SAN.
pub(crate) type Score = (Vec<String>, Vec<String>);

impl Scores {
    /// The moves of a game.
    pub(crate) fn of(&self, id: TableId, game: &Game) -> Score {
        if game.ply() < LONG {
            return written(game);
        }
        let key = (id, game.version());
        if let Some(score) = lock(&self.known).get(&key) {
            return Score::clone(score);
        }
        let score = Arc::new(written(game));
        let mut known = lock(&self.known);
        if known.len() >= GAMES_MAX {
            known.clear();
        }
        known.insert(key, Arc::clone(&score));
        Arc::unwrap_or_clone(score)
    }
}

fn written(game: &Game) -> Score {
    let mut board = game.start_board();
    game.line()
        .into_iter()
        .map(|played| {
            let m = played.in_position(&board);
            let before = board.clone();
            board.play(m);
            (before.uci(m).to_string(), before.san(m, &board))
        })
        .unzip()
}

#[cfg(test)]
mod tests {
    use chess::clock::TimeControl;
    use chess::game::{Command, Creation, MoveCommand, Terms};
    use chess::table::{Actor, PlayerId, Verdict};
    use chess::{Color, Timestamp};

    use super::*;

    #[test]
    fn every_version_has_its_own_moves() {
        let [white, black] = [1, 2].map(|n| PlayerId::new(n).unwrap());
        let creation = Creation::open(white, Terms::casual(TimeControl::Unlimited));
        let mut game = Game::create(Timestamp(0), creation).unwrap();
        let (toss, by_code) = (Color::White, false);
        let join = Command::Join { toss, by_code };
        let shuffle = ["Nf3", "Nf6", "Ng1", "Ng8"].iter().cycle().take(60);
        let moves = shuffle.map(|san| Command::Move(MoveCommand::new(san)));
        let (scores, id) = (Scores::default(), TableId::from_random(7));
        let players = [black, white].into_iter().cycle();
        for (command, who) in std::iter::once(join).chain(moves).zip(players) {
            let Verdict::Change(event) = game.decide(Timestamp(1), Actor::Player(who), &command)
            else {
                break; // drawn by repetition
            };
            game.evolve(Timestamp(1), &event);
            for _ in 0..2 {
                assert_eq!(scores.of(id, &game), written(&game));
            }
        }
        assert!(game.ply() > LONG);
    }
}
