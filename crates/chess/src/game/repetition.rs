//! Which positions have occurred before.

use super::Game;
use crate::rules::{Board, Move};

/// Fingerprints of the positions since the last irreversible move, the
/// current one last. Sixteen bits suffice because every match is checked
/// against the real positions before it counts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Repetition {
    seen: Vec<u16>,
}

impl Repetition {
    /// Begins with the starting position.
    pub(super) fn new(start: &Board) -> Repetition {
        Repetition {
            seen: vec![start.fingerprint()],
        }
    }

    /// Notes the position `after` the move `m`, played in `before`.
    pub(super) fn note(&mut self, irreversible: bool, after: &Board) {
        if irreversible {
            self.seen.clear();
        }
        if self.seen.len() == self.seen.capacity() {
            self.seen.reserve_exact(8);
        }
        self.seen.push(after.fingerprint());
    }

    /// How often `board` may have occurred since the last irreversible move: never too few.
    fn at_most(&self, board: &Board) -> usize {
        let fingerprint = board.fingerprint();
        self.seen
            .iter()
            .filter(|seen| **seen == fingerprint)
            .count()
    }

    pub(super) fn heap_bytes(&self) -> usize {
        self.seen.capacity() * size_of::<u16>()
    }
}

impl Game {
    /// Whether the position after `m` occurs for at least the `times`th time.
    pub(super) fn would_repeat(&self, m: Move, after: &Board, times: usize) -> bool {
        if self.board().is_irreversible(m) || self.repetition.at_most(after) + 1 < times {
            return false;
        }
        1 + self.occurrences(after) >= times
    }

    /// Whether the current position occurs for at least the `times`th time.
    pub(super) fn repeats(&self, times: usize) -> bool {
        self.repetition.at_most(self.board()) >= times && self.occurrences(self.board()) >= times
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
