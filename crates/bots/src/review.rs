//! What evaluations say about how a game was played.
//!
//! All of it is made of one number: how many points a player may expect in a position, from 0 to 1. A hundredth of
//! a pawn counts like a point of Elo, so an advantage of one pawn is worth 0.64 and a decided position changes
//! little, whatever an engine calls it. What a move loses of it is how bad the move was.

use chess::Color;
use chess::rules::{Board, BoardEnd};

use crate::Score;

/// How a position stands, seen from White.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// In hundredths of a pawn.
    Centipawns(i32),
    /// White mates in so many moves; negative: Black does.
    Mate(i32),
    /// The rules have ended the game, and that side has won.
    Over(Option<Color>),
}

/// How bad a move was.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Judgement {
    /// It lost a tenth of a point.
    Inaccuracy,
    /// It lost a fifth.
    Mistake,
    /// It lost three tenths.
    Blunder,
}

impl Judgement {
    /// The name on the wire.
    pub const fn name(self) -> &'static str {
        match self {
            Judgement::Inaccuracy => "inaccuracy",
            Judgement::Mistake => "mistake",
            Judgement::Blunder => "blunder",
        }
    }
}

impl Standing {
    /// What a search says, for the side that is to move.
    pub fn found(score: Score, turn: Color) -> Standing {
        let sign = turn.fold_wb(1, -1);
        match score {
            Score::Centipawns(value) => Standing::Centipawns(value * sign),
            // Whoever is to move has been mated.
            Score::Mate(0) => Standing::Over(Some(!turn)),
            Score::Mate(moves) => Standing::Mate(moves * sign),
        }
    }

    /// What the rules say, if they have ended the game.
    pub fn of_ended(board: &Board) -> Option<Standing> {
        Some(Standing::Over(match board.end()? {
            BoardEnd::Checkmate => Some(!board.turn()),
            BoardEnd::Stalemate | BoardEnd::InsufficientMaterial => None,
            BoardEnd::VariantEnd(winner) => winner,
        }))
    }

    /// The points that a side may expect.
    pub fn expected(self, side: Color) -> f64 {
        let white = match self {
            Standing::Centipawns(value) => 1.0 / (1.0 + 10f64.powf(-f64::from(value) / 400.0)),
            Standing::Mate(moves) if moves > 0 => 1.0,
            Standing::Mate(_) => 0.0,
            Standing::Over(None) => 0.5,
            Standing::Over(Some(winner)) => winner.fold_wb(1.0, 0.0),
        };
        side.fold_wb(white, 1.0 - white)
    }
}

/// What a side lost by its move, of the points it could expect. Engines look further after the move than before it:
/// whoever seems to gain by that lost nothing.
pub fn loss(before: Standing, after: Standing, mover: Color) -> f64 {
    (before.expected(mover) - after.expected(mover)).max(0.0)
}

/// Whether losing that much was a mistake, and how bad a one.
pub fn judge(loss: f64) -> Option<Judgement> {
    // A hair less counts as well: a tenth is no exact number.
    match loss + 1e-9 {
        loss if loss >= 0.3 => Some(Judgement::Blunder),
        loss if loss >= 0.2 => Some(Judgement::Mistake),
        loss if loss >= 0.1 => Some(Judgement::Inaccuracy),
        _ => None,
    }
}

/// How well a side played, from 0 to 100 with one decimal: the mean of its moves, each of which is worth
/// `100 * exp(-4 * loss)`. None if it made no move.
pub fn accuracy(losses: &[f64]) -> Option<f64> {
    if losses.is_empty() {
        return None;
    }
    let worth: f64 = losses.iter().map(|loss| (-4.0 * loss).exp()).sum();
    Some((worth / losses.len() as f64 * 1000.0).round() / 10.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use chess::rules::{Spelled, Variant};

    const LEVEL: Standing = Standing::Centipawns(0);

    #[test]
    fn expectations_of_both_sides_are_one_point() {
        assert_eq!(LEVEL.expected(Color::White), 0.5);
        let pawn = Standing::Centipawns(100);
        assert!((pawn.expected(Color::White) - 0.640).abs() < 1e-3);
        for standing in [
            pawn,
            Standing::Centipawns(-731),
            Standing::Mate(3),
            Standing::Mate(-1),
            Standing::Over(None),
            Standing::Over(Some(Color::Black)),
        ] {
            let both = standing.expected(Color::White) + standing.expected(Color::Black);
            assert!((both - 1.0).abs() < 1e-12, "{standing:?}");
        }
        assert_eq!(Standing::Mate(-7).expected(Color::Black), 1.0);
        assert_eq!(
            Standing::Over(Some(Color::White)).expected(Color::White),
            1.0
        );
    }

    #[test]
    fn scores_are_turned_to_white() {
        let found = Standing::found;
        assert_eq!(
            found(Score::Centipawns(30), Color::Black),
            Standing::Centipawns(-30)
        );
        assert_eq!(found(Score::Mate(2), Color::White), Standing::Mate(2));
        assert_eq!(found(Score::Mate(-2), Color::Black), Standing::Mate(2));
        let mated = found(Score::Mate(0), Color::Black);
        assert_eq!(mated, Standing::Over(Some(Color::White)));
    }

    #[test]
    fn the_rules_know_who_won() {
        // A position in which the game is over is none to begin with: it is played to.
        let standing = |variant, fen: &str, moves: &str| {
            let mut board = Board::from_fen(variant, fen).expect("a position");
            for text in moves.split_whitespace() {
                let m = board.resolve(Spelled::read(text).expect("a move"));
                board.play(m.expect("a legal move"));
            }
            Standing::of_ended(&board)
        };
        let usual = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        assert_eq!(
            standing(Variant::Standard, usual, "f3 e5 g4 Qh4"),
            Some(Standing::Over(Some(Color::Black)))
        );
        assert_eq!(standing(Variant::Standard, usual, "f3 e5 g4"), None);
        assert_eq!(
            standing(Variant::Standard, "7k/8/6K1/5Q2/8/8/8/8 w - - 0 1", "Qf7"),
            Some(Standing::Over(None))
        );
        // Who has nothing left to move has won there.
        assert_eq!(
            standing(Variant::Antichess, "8/8/8/8/p7/8/P7/8 w - - 0 1", "a3"),
            Some(Standing::Over(Some(Color::Black)))
        );
    }

    #[test]
    fn a_move_is_judged_by_what_it_lost() {
        let lost = |before, after| loss(before, after, Color::White);
        let worse = |value| judge(lost(LEVEL, Standing::Centipawns(value)));
        assert_eq!(worse(20), None, "it gained");
        assert_eq!(worse(-50), None);
        assert_eq!(worse(-80), Some(Judgement::Inaccuracy));
        assert_eq!(worse(-150), Some(Judgement::Mistake));
        assert_eq!(worse(-300), Some(Judgement::Blunder));
        // The same hundredths are nothing in a position that is won anyway.
        let won = [Standing::Centipawns(1200), Standing::Centipawns(900)];
        assert_eq!(judge(lost(won[0], won[1])), None);
        // Nor is a longer mate.
        assert_eq!(judge(lost(Standing::Mate(2), Standing::Mate(5))), None);
        let missed = judge(lost(Standing::Mate(2), LEVEL));
        assert_eq!(missed, Some(Judgement::Blunder));
        let black = loss(LEVEL, Standing::Centipawns(300), Color::Black);
        assert_eq!(judge(black), Some(Judgement::Blunder));
        assert_eq!(judge(0.1), Some(Judgement::Inaccuracy));
        assert_eq!(judge(0.0999), None);
    }

    #[test]
    fn accuracy_is_between_nothing_and_everything() {
        assert_eq!(accuracy(&[]), None);
        assert_eq!(accuracy(&[0.0, 0.0]), Some(100.0));
        assert_eq!(accuracy(&[0.1]), Some(67.0));
        assert_eq!(accuracy(&[0.0, 0.1]), Some(83.5));
        let worst = accuracy(&[1.0]).expect("a move");
        assert!(worst > 0.0 && worst < 2.0, "{worst}");
    }
}
