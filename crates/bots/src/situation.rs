//! What an engine is asked about: a position, and how the game came to it.

use chess::rules::{Board, Move, Variant};
use shakmaty::zobrist::Zobrist64;
use shakmaty::{EnPassantMode, Position};

/// A position with its past: repetitions depend on it, and UCI engines are told of it.
#[derive(Clone, Debug)]
pub struct Situation {
    variant: Variant,
    start: Board,
    board: Board,
    moves: Vec<Move>,
    /// The positions since the last move that cannot be undone, the present one last.
    keys: Vec<u64>,
}

impl Situation {
    /// A game that begins here.
    pub fn new(variant: Variant, start: Board) -> Situation {
        let keys = vec![key(&start)];
        let board = start.clone();
        Situation {
            variant,
            start,
            board,
            moves: Vec::new(),
            keys,
        }
    }

    /// The usual start of a variant.
    pub fn usual(variant: Variant) -> Situation {
        let start = Board::start(variant, &chess::rules::Start::Usual);
        Situation::new(variant, start.expect("every variant has a usual start"))
    }

    /// Goes on by a legal move.
    pub fn play(&mut self, m: Move) {
        if self.board.is_irreversible(m) {
            self.keys.clear();
        }
        self.board.play(m);
        self.moves.push(m);
        self.keys.push(key(&self.board));
    }

    /// The rules.
    pub fn variant(&self) -> Variant {
        self.variant
    }

    /// Where the game began.
    pub fn start(&self) -> &Board {
        &self.start
    }

    /// The position.
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// The moves since the start.
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// How often the present position has been on the board, this time included.
    pub fn repetitions(&self) -> usize {
        let now = self.keys.last();
        self.keys.iter().filter(|key| Some(*key) == now).count()
    }

    /// Whether a player may claim a draw, or it is one: threefold or fifty moves.
    pub fn is_drawn_by_rule(&self) -> bool {
        self.repetitions() >= 3 || self.board.quiet_plies() >= 100
    }

    /// The positions before the present one that could come again.
    pub(crate) fn past(&self) -> &[u64] {
        &self.keys[..self.keys.len() - 1]
    }
}

/// A fingerprint of a position: the same for the same position, whatever led to it.
pub fn key(board: &Board) -> u64 {
    match board {
        Board::Standard(p) => key_of(p),
        Board::Variant(p) => key_of(&**p),
    }
}

pub(crate) fn key_of<P: Position>(position: &P) -> u64 {
    position.zobrist_hash::<Zobrist64>(EnPassantMode::Legal).0
}

#[cfg(test)]
mod tests {
    use super::*;
    use chess::rules::Spelled;

    fn after(moves: &str) -> Situation {
        let mut situation = Situation::usual(Variant::Standard);
        for text in moves.split_whitespace() {
            let spelled = Spelled::read(text).expect("a readable move");
            let m = situation.board().resolve(spelled).expect("a legal move");
            situation.play(m);
        }
        situation
    }

    #[test]
    fn repetitions_are_counted_as_the_rules_do() {
        assert_eq!(after("").repetitions(), 1);
        assert_eq!(after("Nf3 Nf6 Ng1 Ng8").repetitions(), 2);
        let thrice = after("Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8");
        assert_eq!(thrice.repetitions(), 3);
        assert!(thrice.is_drawn_by_rule());
        assert_eq!(after("Nf3 Nf6 Ng1 Ng8 e4").repetitions(), 1);
    }

    #[test]
    fn transpositions_have_one_key() {
        let [one, other] = [after("d4 d5 Nf3"), after("Nf3 d5 d4")];
        assert_eq!(key(one.board()), key(other.board()));
        assert_ne!(key(one.board()), key(after("d4 d5").board()));
    }
}
