//! The bishop.

use shakmaty::Color;

use super::walk::{DIAGONAL, slide};
use super::{Behaviour, own_row};
use crate::skill::{Board, Square, Squares};

pub(super) struct Bishop;

impl Behaviour for Bishop {
    fn id(&self) -> &'static str {
        "standardBishop"
    }

    fn name(&self) -> &'static str {
        "bishop"
    }

    fn letter(&self) -> char {
        'B'
    }

    fn attacks(&self, board: &Board, from: Square, _color: Color) -> Squares {
        slide(board, from, &DIAGONAL)
    }

    fn starts_on(&self, square: Square, color: Color) -> bool {
        square.row() == own_row(0, color) && matches!(square.column(), 2 | 5)
    }
}
