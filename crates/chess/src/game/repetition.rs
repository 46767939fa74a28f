//! Which positions have occurred before.

use super::Game;
use crate::rules::{Board, Move};

/// Fingerprints of the positions left behind since the last irreversible
/// move. Eight bits suffice because every match is checked against the real
/// positions before it counts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Repetition {
    /// No longer than it must be, like the log: see there.
    left: Box<[u8]>,
}

impl Repetition {
    /// Notes that `m` is about to be played in `board`.
    pub(super) fn leave(&mut self, board: &Board, m: Move) {
        let mut left = std::mem::take(&mut self.left).into_vec();
        if board.is_irreversible(m) {
            return;
        }
        left.reserve_exact(1);
        left.push(board.fingerprint());
        self.left = left.into_boxed_slice();
    }

    /// Whether `board` may occur for the `times`th time: never wrongly no.
    /// `between` is how many positions lie between it and those left.
    fn may_repeat(&self, board: &Board, between: usize, times: usize) -> bool {
        // Nobody is back in less than four half-moves. Most games never stay
        // reversible for long enough to need a fingerprint here.
        if self.left.len() + between < 4 * (times - 1) {
            return false;
        }
        let fingerprint = board.fingerprint();
        let matches = self.left.iter().filter(|left| **left == fingerprint);
        matches.count() + 1 >= times
    }

    pub(super) fn heap_bytes(&self) -> usize {
        self.left.len()
    }
}

impl Game {
    /// Whether `after`, one move from here, would occur for at least the `times`th time.
    pub(super) fn would_repeat(&self, after: &Board, times: usize) -> bool {
        self.repetition.may_repeat(after, 1, times) && 1 + self.occurrences(after) >= times
    }

    /// Whether the current position occurs for at least the `times`th time.
    pub(super) fn repeats(&self, times: usize) -> bool {
        self.repetition.may_repeat(self.board(), 0, times)
            && self.occurrences(self.board()) >= times
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
