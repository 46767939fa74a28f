//! Positions as FEN. Ids and skills have no letters there; what a piece has
//! moved is told by castling rights and by where it stands.

use std::fmt;
use std::fmt::Write as _;

use shakmaty::Color;

use super::id::Thing;
use super::{BEHAVIOURS, Board, Passed, Piece, Square, Uuid};

/// A text that is no position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BadFen(pub &'static str);

impl fmt::Display for BadFen {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

impl std::error::Error for BadFen {}

impl Board {
    /// Sets up a position. Pieces are numbered row by row from White's back
    /// rank, and their ids follow from the number and the seed.
    ///
    /// # Errors
    /// [`BadFen`] says what is wrong with the text.
    pub fn from_fen(seed: Uuid, fen: &str) -> Result<Board, BadFen> {
        let mut fields = fen.split_whitespace();
        let mut field = || fields.next().unwrap_or("-");
        let (placement, turn, rights, passed) = (field(), field(), field(), field());
        let turn = Color::from_white(match turn {
            "w" => true,
            "b" => false,
            _ => return Err(BadFen("either w or b is to move")),
        });
        let mut board = Board::empty(turn);
        board.place(placement)?;
        board.number(seed);
        board.keep_rights(rights);
        board.set_passed(match passed {
            "-" => None,
            square => Some(
                board
                    .passed_over(square)
                    .ok_or(BadFen("nobody passed there"))?,
            ),
        });
        for color in Color::ALL {
            let royal =
                |(_, piece): &(Square, &Piece)| piece.color == color && piece.behaviour.is_royal();
            if board.pieces().filter(royal).count() != 1 {
                return Err(BadFen("each side has one king"));
            }
        }
        if board.is_check(!turn) {
            return Err(BadFen("the king could be captured"));
        }
        Ok(board)
    }

    fn place(&mut self, placement: &str) -> Result<(), BadFen> {
        let rows: Vec<&str> = placement.split('/').collect();
        if rows.len() != 8 {
            return Err(BadFen("a board has eight rows"));
        }
        for (row, text) in (0..).zip(rows.into_iter().rev()) {
            let mut column = 0;
            for c in text.chars() {
                if let Some(empty @ 1..=8) = c.to_digit(10) {
                    column += empty as u8;
                    continue;
                }
                let square = Square::new(row, column).ok_or(BadFen("a row has eight squares"))?;
                let behaviour = BEHAVIOURS
                    .into_iter()
                    .find(|known| known.letter() == c.to_ascii_uppercase())
                    .ok_or(BadFen("no piece has that letter"))?;
                let color = Color::from_white(c.is_ascii_uppercase());
                if !behaviour.promotions(square, color).is_empty() {
                    return Err(BadFen("it would have been promoted there"));
                }
                let is_home = behaviour.starts_on(square, color);
                let piece = Piece {
                    id: Uuid([0; 16]),
                    color,
                    behaviour,
                    move_count: u16::from(!is_home),
                };
                self.set(square, Some(piece));
                column += 1;
            }
            if column != 8 {
                return Err(BadFen("a row has eight squares"));
            }
        }
        Ok(())
    }

    fn number(&mut self, seed: Uuid) {
        let numbered: Vec<(Square, Piece)> = (0..)
            .zip(self.pieces())
            .map(|(n, (square, piece))| {
                let id = seed.derived(Thing::Piece, n);
                (square, Piece { id, ..*piece })
            })
            .collect();
        for (square, piece) in numbered {
            self.set(square, Some(piece));
        }
    }

    /// Who may castle with whom: each king's partners towards a and h.
    fn partners(&self) -> Vec<(char, Square)> {
        let letters = |piece: &Piece| piece.color.fold_wb(['Q', 'K'], ['q', 'k']);
        self.pieces()
            .flat_map(|(from, piece)| {
                let partners = piece.behaviour.castling_partners(self, from, piece);
                letters(piece).into_iter().zip(partners)
            })
            .filter_map(|(letter, partner)| Some((letter, partner?)))
            .collect()
    }

    /// Whoever has lost the right to castle has moved.
    fn keep_rights(&mut self, rights: &str) {
        for (_, square) in self
            .partners()
            .into_iter()
            .filter(|(letter, _)| !rights.contains(*letter))
        {
            let moved = self.at(square).map(|piece| Piece {
                move_count: 1,
                ..*piece
            });
            self.set(square, moved);
        }
    }

    fn passed_over(&self, name: &str) -> Option<Passed> {
        let over = Square::all().find(|square| square.to_string() == name)?;
        let ahead = self.turn().fold_wb(-1, 1);
        let stands = over.step((ahead, 0))?;
        let from = over.step((-ahead, 0))?;
        let fits = self.at(stands).is_some_and(|p| p.color != self.turn())
            && self.at(over).is_none()
            && self.at(from).is_none();
        fits.then_some(Passed { over, stands })
    }

    /// The position as FEN. No rule counts quiet moves here, so their number
    /// is always 0; `ply` gives the number of the move.
    pub fn fen(&self, ply: u32) -> String {
        let mut fen = String::new();
        for row in (0..8).rev() {
            let mut empty = 0;
            for square in (0..8).filter_map(|column| Square::new(row, column)) {
                let Some(piece) = self.at(square) else {
                    empty += 1;
                    continue;
                };
                push_number(&mut fen, std::mem::take(&mut empty));
                let letter = piece.behaviour.letter();
                fen.push(piece.color.fold_wb(letter, letter.to_ascii_lowercase()));
            }
            push_number(&mut fen, empty);
            if row > 0 {
                fen.push('/');
            }
        }
        let mut rights: Vec<char> = self
            .partners()
            .into_iter()
            .map(|(right, _)| right)
            .collect();
        rights.sort_unstable();
        let rights = match rights.is_empty() {
            true => "-".to_owned(),
            false => rights.into_iter().collect(),
        };
        let passed = self
            .passed()
            .map_or_else(|| "-".to_owned(), |passed| passed.over.to_string());
        let turn = self.turn().char();
        let move_number = ply / 2 + 1;
        write!(fen, " {turn} {rights} {passed} 0 {move_number}").expect("a text takes all text");
        fen
    }
}

fn push_number(fen: &mut String, number: u32) {
    if number > 0 {
        fen.push_str(&number.to_string());
    }
}
