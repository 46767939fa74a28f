//! How pieces move, one file each. A new behaviour is one more file here and
//! one more line in [`BEHAVIOURS`].

mod bishop;
mod king;
mod knight;
mod pawn;
mod queen;
mod rook;
mod walk;

use std::fmt;

use shakmaty::Color;

use super::{Board, Move, Piece, Square, Squares};

/// All behaviours. The place in this list is what stored matches say, so a
/// new one goes to the end and none is ever taken out.
pub static BEHAVIOURS: [&dyn Behaviour; 6] = [
    &king::King,
    &queen::Queen,
    &rook::Rook,
    &bishop::Bishop,
    &knight::Knight,
    &pawn::Pawn,
];

/// The behaviour with that id.
pub fn behaviour(id: &str) -> Option<&'static dyn Behaviour> {
    BEHAVIOURS.into_iter().find(|known| known.id() == id)
}

/// How a kind of piece moves, and whatever else is special about it. All that
/// the rules want to know about a piece, they ask here.
pub trait Behaviour: Sync {
    /// The `behaviourID` on the wire.
    fn id(&self) -> &'static str;

    /// The piece's name on the wire.
    fn name(&self) -> &'static str;

    /// Its letter on a diagram, a capital.
    fn letter(&self) -> char;

    /// How its moves begin in notation; mostly with its letter.
    fn initial(&self) -> Option<char> {
        Some(self.letter())
    }

    /// The squares on which it threatens an enemy piece, and which an enemy
    /// king may therefore not enter.
    fn attacks(&self, board: &Board, from: Square, color: Color) -> Squares;

    /// Adds where it may go and what happens then, apart from the safety of
    /// its own king, from skills and from the choice of a promotion.
    fn moves(&self, board: &Board, from: Square, piece: &Piece, found: &mut Vec<Move>) {
        let squares = self.attacks(board, from, piece.color);
        found.extend(squares.iter().filter_map(|to| board.onto(from, to)));
    }

    /// Whether the match is about it: it may not be captured, and its player
    /// may not leave it where it could be.
    fn is_royal(&self) -> bool {
        false
    }

    /// What it must become when it arrives on `to`; mostly nothing.
    fn promotions(&self, _to: Square, _color: Color) -> &'static [&'static str] {
        &[]
    }

    /// The pieces that it may still castle with some day: towards the a-file
    /// and towards the h-file.
    fn castling_partners(&self, _board: &Board, _from: Square, _piece: &Piece) -> Partners {
        [None, None]
    }

    /// Whether it can be such a partner.
    fn is_castling_partner(&self) -> bool {
        false
    }

    /// Whether it begins on this square, so that one that is set up there has
    /// not moved.
    fn starts_on(&self, square: Square, color: Color) -> bool;
}

/// Where the partners for castling stand.
pub type Partners = [Option<Square>; 2];

/// The row that is the `n`th from a player's own side, from 0.
fn own_row(n: u8, color: Color) -> u8 {
    color.fold_wb(n, 7 - n)
}

impl PartialEq for dyn Behaviour + '_ {
    fn eq(&self, other: &Self) -> bool {
        self.id() == other.id()
    }
}

impl Eq for dyn Behaviour + '_ {}

impl fmt::Debug for dyn Behaviour + '_ {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.id())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_behaviour_is_found_by_its_id() {
        for known in BEHAVIOURS {
            assert_eq!(behaviour(known.id()), Some(known));
        }
        assert_eq!(behaviour("standardDragon"), None);
    }

    #[test]
    fn what_a_piece_may_become_exists() {
        for known in BEHAVIOURS {
            for color in Color::ALL {
                for id in Square::all().flat_map(|to| known.promotions(to, color)) {
                    assert!(behaviour(id).is_some(), "{id}");
                }
            }
        }
    }
}
