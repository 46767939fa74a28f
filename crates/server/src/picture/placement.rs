//! Where the pieces stand, read from a position's FEN.

use chess::rules::{Board, Role, Square};
use chess::{ByColor, Color};

/// A piece and whose it is.
pub(super) type Piece = (Color, Role);

/// The roles a pocket may hold, strongest first.
pub(super) const POCKET: [Role; 5] = [
    Role::Queen,
    Role::Rook,
    Role::Bishop,
    Role::Knight,
    Role::Pawn,
];

/// What there is to draw of a position.
pub(super) struct Placement {
    squares: [Option<Piece>; 64],
    /// How many of each of [`POCKET`], in variants with drops.
    pub(super) pockets: Option<ByColor<[u8; 5]>>,
    /// How many checks each side has given, where they are counted.
    pub(super) checks: Option<ByColor<u8>>,
}

impl Placement {
    pub(super) fn of(board: &Board) -> Placement {
        let fen = board.fen();
        let mut fields = fen.split(' ');
        let placed = fields.next().unwrap_or_default();
        let (ranks, pocket) = match placed.split_once('[') {
            Some((ranks, pocket)) => (ranks, Some(pocket)),
            None => (placed, None),
        };
        Placement {
            squares: read_ranks(ranks),
            pockets: pocket.map(read_pockets),
            checks: fields.find_map(read_checks),
        }
    }

    pub(super) fn at(&self, square: Square) -> Option<Piece> {
        self.squares[usize::from(square)]
    }

    /// Every piece with its square, from a8 to h1 as in a FEN.
    pub(super) fn pieces(&self) -> impl Iterator<Item = (Square, Piece)> {
        (0..64u32)
            .map(|i| Square::new(i ^ 56))
            .filter_map(|square| Some((square, self.at(square)?)))
    }

    /// Every kind of piece there is to draw, on the board or in a pocket.
    pub(super) fn kinds(&self) -> impl Iterator<Item = Piece> {
        let all = Color::ALL
            .into_iter()
            .flat_map(|color| Role::ALL.map(|role| (color, role)));
        all.filter(|kind| {
            self.squares.contains(&Some(*kind))
                || self.pockets.as_ref().is_some_and(|p| holds(p, *kind))
        })
    }

    pub(super) fn king(&self, color: Color) -> Option<Square> {
        self.pieces()
            .find(|(_, piece)| *piece == (color, Role::King))
            .map(|(square, _)| square)
    }
}

fn holds(pockets: &ByColor<[u8; 5]>, (color, role): Piece) -> bool {
    let kind = POCKET.iter().position(|r| *r == role);
    kind.is_some_and(|kind| pockets.get(color)[kind] > 0)
}

fn read_ranks(ranks: &str) -> [Option<Piece>; 64] {
    let mut squares = [None; 64];
    for (rank, row) in ranks.split('/').enumerate().take(8) {
        let mut file = 0;
        // A promoted piece of crazyhouse is followed by `~`, which no picture shows.
        for sign in row.chars().filter(|c| *c != '~') {
            match sign.to_digit(10) {
                Some(empty) => file += empty as usize,
                None => {
                    if let Some(square) = squares.get_mut((7 - rank) * 8 + file) {
                        *square = read_piece(sign);
                    }
                    file += 1;
                }
            }
        }
    }
    squares
}

fn read_piece(sign: char) -> Option<Piece> {
    let color = Color::from_white(sign.is_ascii_uppercase());
    Some((color, Role::from_char(sign)?))
}

fn read_pockets(pocket: &str) -> ByColor<[u8; 5]> {
    let mut counts = ByColor::<[u8; 5]>::default();
    for (color, role) in pocket.chars().filter_map(read_piece) {
        if let Some(kind) = POCKET.iter().position(|r| *r == role) {
            counts.get_mut(color)[kind] += 1;
        }
    }
    counts
}

/// The field `3+2`: White needs three more checks, Black two.
fn read_checks(field: &str) -> Option<ByColor<u8>> {
    let (white, black) = field.split_once('+')?;
    let given = |left: &str| left.parse().ok().map(|left: u8| 3u8.saturating_sub(left));
    Some(ByColor {
        white: given(white)?,
        black: given(black)?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use chess::rules::{Start, Variant};

    fn placement(variant: Variant, fen: &str) -> Placement {
        Placement::of(&Board::start(variant, &Start::Fen(fen.into())).unwrap())
    }

    #[test]
    fn every_piece_is_found_on_its_square() {
        let placement = Placement::of(&Board::start(Variant::Standard, &Start::Usual).unwrap());
        let on = |name: &str| placement.at(name.parse().unwrap());
        assert_eq!(on("a1"), Some((Color::White, Role::Rook)));
        assert_eq!(on("d8"), Some((Color::Black, Role::Queen)));
        assert_eq!(on("e2"), Some((Color::White, Role::Pawn)));
        assert_eq!(on("e4"), None);
        assert_eq!(placement.pieces().count(), 32);
        assert!(placement.pockets.is_none() && placement.checks.is_none());
    }

    #[test]
    fn pockets_and_promoted_pieces_of_crazyhouse_are_read() {
        let fen = "4k2Q~/8/8/8/8/8/8/4K3[QPPn] b - - 0 20";
        let placement = placement(Variant::Crazyhouse, fen);
        let pockets = placement.pockets.as_ref().unwrap();
        assert_eq!(pockets.white, [1, 0, 0, 0, 2]);
        assert_eq!(pockets.black, [0, 0, 0, 1, 0]);
        assert_eq!(placement.at(Square::H8), Some((Color::White, Role::Queen)));
    }

    #[test]
    fn checks_given_are_counted() {
        let fen = "4k3/8/8/8/8/8/8/R3K3 w - - 3+1 0 20";
        let checks = placement(Variant::ThreeCheck, fen).checks.unwrap();
        assert_eq!((checks.white, checks.black), (0, 2));
    }
}
