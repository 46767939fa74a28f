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
const LONG: u32 = 40;
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
    use chess::game::{Command, Creation, MoveCommand, StartRatings, Terms};
    use chess::table::{Actor, PlayerId, Verdict};
    use chess::{Color, Timestamp};

    use super::*;

    /// Every pawn goes as far as it can, then pieces come out and go home.
    const LINE: &str = "a3 a6 b3 b6 c3 c6 d3 d6 e3 e6 f3 f6 g3 g6 h3 h6 \
        a4 a5 b4 b5 c4 c5 d4 d5 e4 e5 f4 f5 g4 g5 h4 h5 \
        Nc3 Nc6 Nf3 Nf6 Rb1 Rb8 Rg1 Rg8 Ra1 Ra8 Rh1 Rh8";

    #[test]
    fn every_version_has_its_own_moves() {
        let [white, black] = [1, 2].map(|n| PlayerId::new(n).unwrap());
        let creation = Creation::open(white, Terms::casual(TimeControl::Unlimited));
        let mut game = Game::create(Timestamp(0), creation).unwrap();
        let (toss, by_code) = (Color::White, false);
        let join = Command::Join {
            toss,
            by_code,
            ratings: StartRatings::default(),
        };
        let moves = LINE
            .split_whitespace()
            .map(|san| Command::Move(MoveCommand::new(san)));
        let (scores, id) = (Scores::default(), TableId::from_random(7));
        let players = [black, white].into_iter().cycle();
        for (command, who) in std::iter::once(join).chain(moves).zip(players) {
            let Verdict::Change(event) = game.decide(Timestamp(1), Actor::Player(who), &command)
            else {
                panic!("{command:?} is refused");
            };
            game.evolve(Timestamp(1), &event);
            for _ in 0..2 {
                assert_eq!(scores.of(id, &game), written(&game));
            }
        }
        assert_eq!(game.ply(), LONG + 4);
    }
}
