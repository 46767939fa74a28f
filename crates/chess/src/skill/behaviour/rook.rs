//! The rook.

use shakmaty::Color;

use super::walk::{STRAIGHT, slide};
use super::{Behaviour, own_row};
use crate::skill::{Board, Square, Squares};

pub(super) struct Rook;

impl Behaviour for Rook {
    fn id(&self) -> &'static str {
        "standardRook"
    }

    fn name(&self) -> &'static str {
        "rook"
    }

    fn letter(&self) -> char {
        'R'
    }

    fn attacks(&self, board: &Board, from: Square, _color: Color) -> Squares {
        slide(board, from, &STRAIGHT)
    }

    fn is_castling_partner(&self) -> bool {
        true
    }

    fn starts_on(&self, square: Square, color: Color) -> bool {
        square.row() == own_row(0, color) && matches!(square.column(), 0 | 7)
    }
}
