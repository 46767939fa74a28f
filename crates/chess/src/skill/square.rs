//! Squares by row and column, and sets of them.

use std::fmt;

/// A square of the board. Row 0 is White's back rank, column 0 the a-file.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Square(u8);

/// A position as a client wrote it: perhaps not on the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    /// 0 is White's back rank.
    pub row: i64,
    /// 0 is the a-file.
    pub column: i64,
}

/// A step: rows up the board, columns to the right.
pub(super) type Step = (i8, i8);

impl Position {
    /// The square, if it is on the board.
    pub fn square(self) -> Option<Square> {
        let row = u8::try_from(self.row).ok()?;
        Square::new(row, u8::try_from(self.column).ok()?)
    }
}

impl From<Square> for Position {
    fn from(square: Square) -> Position {
        Position {
            row: i64::from(square.row()),
            column: i64::from(square.column()),
        }
    }
}

impl Square {
    /// The square in that row and column, if both are on the board.
    pub fn new(row: u8, column: u8) -> Option<Square> {
        (row < 8 && column < 8).then_some(Square(row * 8 + column))
    }

    /// All squares, row by row from White's back rank.
    pub fn all() -> impl Iterator<Item = Square> {
        (0..64).map(Square)
    }

    /// 0 is White's back rank.
    pub fn row(self) -> u8 {
        self.0 / 8
    }

    /// 0 is the a-file.
    pub fn column(self) -> u8 {
        self.0 % 8
    }

    /// Its place in [`Square::all`].
    pub fn index(self) -> usize {
        usize::from(self.0)
    }

    /// The square with that place.
    pub(super) fn from_index(index: u8) -> Option<Square> {
        (index < 64).then_some(Square(index))
    }

    /// The square one step away, unless that is over the edge.
    pub(super) fn step(self, (rows, columns): Step) -> Option<Square> {
        let row = self.row().checked_add_signed(rows)?;
        Square::new(row, self.column().checked_add_signed(columns)?)
    }

    /// How many rows and columns `to` is away.
    pub(super) fn distance(self, to: Square) -> (u8, u8) {
        (
            self.row().abs_diff(to.row()),
            self.column().abs_diff(to.column()),
        )
    }

    /// The squares strictly between this and one on the same row, column or
    /// diagonal; `None` if it is on none of them.
    pub(super) fn between(self, to: Square) -> Option<Squares> {
        let (rows, columns) = self.distance(to);
        if self == to || (rows != columns && rows != 0 && columns != 0) {
            return None;
        }
        let toward = |from: u8, to: u8| (to as i8 - from as i8).signum();
        let step = (
            toward(self.row(), to.row()),
            toward(self.column(), to.column()),
        );
        let mut squares = Squares::default();
        let mut next = self.step(step);
        while let Some(square) = next.filter(|square| *square != to) {
            squares.insert(square);
            next = square.step(step);
        }
        Some(squares)
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let file = char::from(b'a' + self.column());
        write!(f, "{file}{}", self.row() + 1)
    }
}

impl fmt::Debug for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// A set of squares.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Squares(u64);

impl Squares {
    /// Adds a square.
    pub fn insert(&mut self, square: Square) {
        self.0 |= 1 << square.0;
    }

    /// Whether a square is in it.
    pub fn contains(self, square: Square) -> bool {
        self.0 >> square.0 & 1 == 1
    }

    /// Its squares, in the order of [`Square::all`].
    pub fn iter(self) -> impl Iterator<Item = Square> {
        let mut rest = self.0;
        std::iter::from_fn(move || {
            let square = Square::from_index(rest.trailing_zeros() as u8)?;
            rest &= rest - 1;
            Some(square)
        })
    }
}

impl FromIterator<Square> for Squares {
    fn from_iter<I: IntoIterator<Item = Square>>(squares: I) -> Squares {
        let mut set = Squares::default();
        for square in squares {
            set.insert(square);
        }
        set
    }
}
