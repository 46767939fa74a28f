//! The two ways to get somewhere: one step, or as far as nothing stands in the way.

use crate::skill::square::Step;
use crate::skill::{Board, Square, Squares};

pub(super) const STRAIGHT: [Step; 4] = [(1, 0), (0, 1), (-1, 0), (0, -1)];
pub(super) const DIAGONAL: [Step; 4] = [(1, 1), (1, -1), (-1, 1), (-1, -1)];
pub(super) const EVERY_WAY: [Step; 8] = [
    (1, 0),
    (1, 1),
    (0, 1),
    (-1, 1),
    (-1, 0),
    (-1, -1),
    (0, -1),
    (1, -1),
];

/// Where single steps lead.
pub(super) fn leap(from: Square, steps: &[Step]) -> Squares {
    steps.iter().filter_map(|step| from.step(*step)).collect()
}

/// Where one gets by repeating a step, up to and including the first piece.
pub(super) fn slide(board: &Board, from: Square, steps: &[Step]) -> Squares {
    let mut reached = Squares::default();
    for step in steps {
        let mut next = from.step(*step);
        while let Some(square) = next {
            reached.insert(square);
            next = square.step(*step).filter(|_| board.at(square).is_none());
        }
    }
    reached
}
