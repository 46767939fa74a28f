//! The queen.

use shakmaty::Color;

use super::walk::{EVERY_WAY, slide};
use super::{Behaviour, own_row};
use crate::skill::{Board, Square, Squares};

pub(super) struct Queen;

impl Behaviour for Queen {
    fn id(&self) -> &'static str {
        "standardQueen"
    }

    fn name(&self) -> &'static str {
        "queen"
    }

    fn letter(&self) -> char {
        'Q'
    }

    fn attacks(&self, board: &Board, from: Square, _color: Color) -> Squares {
        slide(board, from, &EVERY_WAY)
    }

    fn starts_on(&self, square: Square, color: Color) -> bool {
        square.row() == own_row(0, color) && square.column() == 3
    }
}
