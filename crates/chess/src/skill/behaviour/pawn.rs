//! The pawn: it captures otherwise than it walks, passes squares at first, and
//! becomes another piece at the end.

use shakmaty::Color;

use super::walk::leap;
use super::{Behaviour, own_row};
use crate::skill::{Board, Move, Piece, Square, Squares};

const PROMOTIONS: [&str; 4] = [
    "standardQueen",
    "standardRook",
    "standardBishop",
    "standardKnight",
];

pub(super) struct Pawn;

impl Behaviour for Pawn {
    fn id(&self) -> &'static str {
        "standardPawn"
    }

    fn name(&self) -> &'static str {
        "pawn"
    }

    fn letter(&self) -> char {
        'P'
    }

    fn initial(&self) -> Option<char> {
        None
    }

    fn attacks(&self, _board: &Board, from: Square, color: Color) -> Squares {
        let ahead = ahead(color);
        leap(from, &[(ahead, -1), (ahead, 1)])
    }

    fn moves(&self, board: &Board, from: Square, piece: &Piece, found: &mut Vec<Move>) {
        for to in self.attacks(board, from, piece.color).iter() {
            match board.passed() {
                // FIDE 3.7.3.1: en passant.
                Some(passed) if passed.over == to => found.push(Move {
                    captured: Some(passed.stands),
                    ..Move::plain(from, to)
                }),
                _ => found.extend(board.onto(from, to).filter(|m| m.captured.is_some())),
            }
        }
        let free_ahead = |square: Square| {
            let next = square.step((ahead(piece.color), 0))?;
            board.at(next).is_none().then_some(next)
        };
        let Some(one) = free_ahead(from) else { return };
        found.push(Move::plain(from, one));
        if let Some(two) = free_ahead(one).filter(|_| piece.move_count == 0) {
            found.push(Move {
                passes: Some(one),
                ..Move::plain(from, two)
            });
        }
    }

    /// FIDE 3.7.3.3.
    fn promotions(&self, to: Square, color: Color) -> &'static [&'static str] {
        if to.row() == own_row(7, color) {
            &PROMOTIONS
        } else {
            &[]
        }
    }

    fn starts_on(&self, square: Square, color: Color) -> bool {
        square.row() == own_row(1, color)
    }
}

fn ahead(color: Color) -> i8 {
    color.fold_wb(1, -1)
}
