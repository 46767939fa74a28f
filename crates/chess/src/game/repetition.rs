//! Which positions have occurred before.
//!
//! Kept are fingerprints of the positions left behind since the last
//! irreversible move. Every match is checked against the real positions before
//! it counts, which takes a walk through the whole game: with sixteen bits
//! hardly ever in vain.

use super::Game;
use crate::rules::{Board, Move};

/// What a game remembers of `board` when `m` is played there; `None` if it
/// need not remember any position up to this one.
pub(super) fn left_by(board: &Board, m: Move) -> Option<[u8; 2]> {
    (!board.is_irreversible(m)).then(|| board.fingerprint().to_le_bytes())
}

impl Game {
    /// Whether `board` may occur for the `times`th time: never wrongly no.
    /// `between` is how many positions lie between it and those left.
    fn may_repeat(&self, board: &Board, between: usize, times: usize) -> bool {
        let (left, _) = self.log.history().aside().as_chunks::<2>();
        // Nobody is back in less than four half-moves. Most games never stay
        // reversible for long enough to need a fingerprint here.
        if left.len() + between < 4 * (times - 1) {
            return false;
        }
        let fingerprint = board.fingerprint().to_le_bytes();
        let matches = left.iter().filter(|left| **left == fingerprint);
        matches.count() + 1 >= times
    }

    /// Whether `after`, one move from here, would occur for at least the `times`th time.
    pub(super) fn would_repeat(&self, after: &Board, times: usize) -> bool {
        self.may_repeat(after, 1, times) && 1 + self.occurrences(after) >= times
    }

    /// Whether the current position occurs for at least the `times`th time.
    pub(super) fn repeats(&self, times: usize) -> bool {
        self.may_repeat(self.board(), 0, times) && self.occurrences(self.board()) >= times
    }

    /// How often exactly `position` has occurred in the game so far.
    fn occurrences(&self, position: &Board) -> usize {
        let mut board = self.start_board();
        let mut count = usize::from(board.same_position(position));
        for played in self.line() {
            let m = played.in_position(&board);
            board.play(m);
            count += usize::from(board.same_position(position));
        }
        count
    }
}
