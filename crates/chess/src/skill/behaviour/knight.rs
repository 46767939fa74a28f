//! The knight.

use shakmaty::Color;

use super::walk::leap;
use super::{Behaviour, own_row};
use crate::skill::square::Step;
use crate::skill::{Board, Square, Squares};

const JUMPS: [Step; 8] = [
    (2, 1),
    (1, 2),
    (-1, 2),
    (-2, 1),
    (-2, -1),
    (-1, -2),
    (1, -2),
    (2, -1),
];

pub(super) struct Knight;

impl Behaviour for Knight {
    fn id(&self) -> &'static str {
        "standardKnight"
    }

    fn name(&self) -> &'static str {
        "knight"
    }

    fn letter(&self) -> char {
        'N'
    }

    fn attacks(&self, _board: &Board, from: Square, _color: Color) -> Squares {
        leap(from, &JUMPS)
    }

    fn starts_on(&self, square: Square, color: Color) -> bool {
        square.row() == own_row(0, color) && matches!(square.column(), 1 | 6)
    }
}
