//! A position to look at: as a picture (SVG, PNG) and as plain text.
//!
//! The same view always gives the same bytes, so that an answer can be cached
//! under the game's version. The pieces are our own drawings, and coordinates
//! are drawn too: no font is needed, and none is looked for.

pub mod gallery;
mod glyphs;
mod pieces;
mod placement;
mod png;
mod side;
mod svg;
#[cfg(test)]
mod tests;
mod text;
mod theme;

use std::ops::RangeInclusive;

use chess::Color;
use chess::game::Game;
use chess::rules::{Board, Move, Square};

use placement::Placement;

pub use png::png;
pub use svg::svg;
pub use text::{TextView, text};
pub use theme::Theme;

/// The least and the greatest edge of a board, in pixels.
pub const SIZES: RangeInclusive<u32> = 160..=1080;

/// The edge of a board nobody gave a size for, in pixels.
pub const SIZE_DEFAULT: u32 = 480;

/// A position and how it is to be looked at.
#[derive(Clone, Debug)]
pub struct BoardView<'a> {
    /// The position.
    pub board: &'a Board,
    /// The squares of the last move: where from, and where to.
    pub last_move: Option<(Square, Square)>,
    /// The square of a king in check.
    pub check: Option<Square>,
    /// The side at the bottom.
    pub orientation: Color,
    /// The edge of the board in pixels; what is outside [`SIZES`] is brought
    /// to the nearer end. Pockets and counters of checks make a picture wider.
    pub size: u32,
    /// Whether files and ranks are named.
    pub coordinates: bool,
    /// The colours of the squares.
    pub theme: Theme,
}

impl<'a> BoardView<'a> {
    /// The position as White sees it, its check marked.
    pub fn new(board: &'a Board) -> BoardView<'a> {
        BoardView {
            board,
            last_move: None,
            check: checked_king(board),
            orientation: Color::White,
            size: SIZE_DEFAULT,
            coordinates: true,
            theme: Theme::default(),
        }
    }

    /// The position of a game as White sees it, its last move marked.
    pub fn of_game(game: &'a Game) -> BoardView<'a> {
        BoardView {
            last_move: last_played(game).map(|(_, m)| squares_of(m)),
            ..BoardView::new(game.board())
        }
    }

    fn size(&self) -> u32 {
        self.size.clamp(*SIZES.start(), *SIZES.end())
    }
}

/// The squares a move is marked on. Castling is marked where the king lands,
/// and a drop on its one square.
pub fn squares_of(m: Move) -> (Square, Square) {
    match m {
        Move::Castle { king, rook } => {
            let file_c_or_g = if rook > king { 6 } else { 2 };
            let landing = Square::new(u32::from(king.rank()) * 8 + file_c_or_g);
            (king, landing)
        }
        Move::Put { to, .. } => (to, to),
        _ => (m.from().unwrap_or(m.to()), m.to()),
    }
}

fn checked_king(board: &Board) -> Option<Square> {
    if !board.is_check() {
        return None;
    }
    Placement::of(board).king(board.turn())
}

/// The last move that stands, with the position in which it was played.
fn last_played(game: &Game) -> Option<(Board, Move)> {
    let line = game.line();
    let (last, earlier) = line.split_last()?;
    let mut board = game.start_board();
    for played in earlier {
        let m = played.in_position(&board);
        board.play(m);
    }
    let m = last.in_position(&board);
    Some((board, m))
}
