//! The king, who also castles.

use shakmaty::Color;

use super::walk::{EVERY_WAY, leap};
use super::{Behaviour, Partners, own_row};
use crate::skill::{Board, Move, Piece, Square, Squares};

pub(super) struct King;

impl Behaviour for King {
    fn id(&self) -> &'static str {
        "standardKing"
    }

    fn name(&self) -> &'static str {
        "king"
    }

    fn letter(&self) -> char {
        'K'
    }

    fn attacks(&self, _board: &Board, from: Square, _color: Color) -> Squares {
        leap(from, &EVERY_WAY)
    }

    fn moves(&self, board: &Board, from: Square, piece: &Piece, found: &mut Vec<Move>) {
        let steps = self.attacks(board, from, piece.color);
        found.extend(steps.iter().filter_map(|to| board.onto(from, to)));
        for partner in self.castling_partners(board, from, piece) {
            found.extend(partner.and_then(|partner| castling(board, from, piece, partner)));
        }
    }

    fn is_royal(&self) -> bool {
        true
    }

    /// FIDE 3.8.2.1: neither of the two has moved.
    fn castling_partners(&self, board: &Board, from: Square, piece: &Piece) -> Partners {
        [-1, 1].map(|way| {
            let unmoved = |square: &Square| {
                board.at(*square).is_some_and(|other| {
                    other.behaviour.is_castling_partner()
                        && other.color == piece.color
                        && other.move_count == 0
                })
            };
            let along = std::iter::successors(from.step((0, way)), |square| square.step((0, way)));
            along.filter(|_| piece.move_count == 0).find(unmoved)
        })
    }

    fn starts_on(&self, square: Square, color: Color) -> bool {
        square.row() == own_row(0, color) && square.column() == 4
    }
}

/// FIDE 3.8.2.2: nothing stands between the two, and the king neither stands
/// on, passes nor reaches an attacked square. Where it lands is checked for
/// every move.
fn castling(board: &Board, from: Square, piece: &Piece, partner: Square) -> Option<Move> {
    let way = if partner < from { -1 } else { 1 };
    let passed = from.step((0, way))?;
    let to = passed.step((0, way))?;
    let is_free = |square| board.at(square).is_none();
    let is_clear = from.between(partner)?.iter().all(is_free) && is_free(to);
    let is_safe = |square| !board.is_attacked(square, !piece.color);
    (is_clear && is_safe(from) && is_safe(passed)).then(|| Move {
        escort: Some((partner, passed)),
        ..Move::plain(from, to)
    })
}
