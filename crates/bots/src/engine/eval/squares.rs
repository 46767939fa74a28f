//! What a piece is worth by where it stands, and masks over the board.
//!
//! A square's worth is what its rank, its file and its nearness to the centre are worth: a few numbers per kind of
//! piece, written down by hand, instead of sixty-four.

use shakmaty::{Color, Role, Square};

use super::Pair;

struct Shape {
    rank: [i32; 8],
    /// From the edge to the middle; both wings are alike.
    file: [i32; 4],
    /// Per step away from the edges.
    centre: i32,
}

const fn shape(rank: [i32; 8], file: [i32; 4], centre: i32) -> Shape {
    Shape { rank, file, centre }
}

/// By role, as White sees it: in the middle game and in the endgame.
const SHAPES: [[Shape; 2]; 6] = [
    [
        shape([0, -4, -3, 4, 12, 28, 60, 0], [-7, -3, 1, 9], 1),
        shape([0, -2, -2, 4, 18, 48, 95, 0], [4, 2, 0, -2], 0),
    ],
    [
        shape([-22, -9, 0, 6, 12, 14, 2, -24], [-17, -5, 3, 7], 3),
        shape([-16, -7, 0, 6, 8, 4, -4, -16], [-16, -5, 3, 7], 3),
    ],
    [
        shape([-9, 5, 5, 4, 4, 3, -5, -12], [-5, 1, 0, 2], 3),
        shape([-7, -3, 1, 3, 4, 2, -1, -6], [-5, -1, 1, 3], 2),
    ],
    [
        shape([-3, -8, -6, -4, 0, 5, 16, 9], [-5, -1, 3, 6], 0),
        shape([-3, -4, -2, 2, 5, 7, 9, 8], [0, 0, 0, 0], 0),
    ],
    [
        shape([-5, 1, 3, 2, 2, 3, -4, -2], [-4, -1, 1, 2], 1),
        shape([-24, -14, -3, 6, 12, 12, 9, 3], [-8, -2, 4, 8], 3),
    ],
    [
        shape([22, 4, -26, -44, -54, -60, -64, -70], [14, 20, -4, -16], 0),
        shape([-34, -14, -3, 6, 14, 17, 9, -16], [-16, -4, 4, 8], 3),
    ],
];

const fn worth(shape: &Shape, rank: usize, file: usize) -> i32 {
    let near = if file < 4 { file } else { 7 - file };
    let deep = if rank < 4 { rank } else { 7 - rank };
    shape.rank[rank] + shape.file[near] + shape.centre * (near + deep) as i32
}

const fn build() -> [[Pair; 64]; 6] {
    let mut table = [[Pair { mg: 0, eg: 0 }; 64]; 6];
    let mut role = 0;
    while role < 6 {
        let mut square = 0;
        while square < 64 {
            table[role][square] = Pair {
                mg: worth(&SHAPES[role][0], square / 8, square % 8),
                eg: worth(&SHAPES[role][1], square / 8, square % 8),
            };
            square += 1;
        }
        role += 1;
    }
    table
}

static TABLE: [[Pair; 64]; 6] = build();

/// What standing on `square` is worth to a piece.
pub(super) fn on(color: Color, role: Role, square: Square) -> Pair {
    let seen = color.fold_wb(square as usize, square as usize ^ 56);
    TABLE[role as usize - 1][seen]
}

const FILE_A: u64 = 0x0101_0101_0101_0101;

const fn files_beside() -> [u64; 8] {
    let mut masks = [0; 8];
    let mut file = 0;
    while file < 8 {
        if file > 0 {
            masks[file] |= FILE_A << (file - 1);
        }
        if file < 7 {
            masks[file] |= FILE_A << (file + 1);
        }
        file += 1;
    }
    masks
}

const fn ahead() -> [[u64; 64]; 2] {
    let mut masks = [[0; 64]; 2];
    let mut square = 0;
    while square < 64 {
        let (rank, file) = (square / 8, square % 8);
        let column = FILE_A << file;
        masks[0][square] = if rank < 7 {
            column & (u64::MAX << (8 * (rank + 1)))
        } else {
            0
        };
        masks[1][square] = column & ((1u64 << (8 * rank)) - 1);
        square += 1;
    }
    masks
}

/// The files to the left and right of a file.
pub(super) static BESIDE: [u64; 8] = files_beside();

/// The squares of the same file that a pawn of White, or of Black, has before it.
pub(super) static AHEAD: [[u64; 64]; 2] = ahead();

/// The squares on which the other side's pawns could stop a pawn: before it and beside that.
pub(super) fn front(color: Color, square: Square) -> u64 {
    let side = color.fold_wb(0, 1);
    let before = AHEAD[side][square as usize];
    before | (before << 1 & !FILE_A) | (before >> 1 & !(FILE_A << 7))
}

/// The squares of a file.
pub(super) const fn file(number: usize) -> u64 {
    FILE_A << number
}

/// How many steps a king needs.
pub(super) fn distance(a: Square, b: Square) -> i32 {
    a.distance(b) as i32
}

/// How far from the four squares in the middle, in king's steps.
pub(super) fn from_middle(square: Square) -> i32 {
    let (rank, file) = (square as i32 / 8, square as i32 % 8);
    let away = |n: i32| if n < 4 { 3 - n } else { n - 4 };
    away(rank).max(away(file))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn black_sees_the_board_from_the_other_side() {
        assert_eq!(
            on(Color::White, Role::Pawn, Square::E7),
            on(Color::Black, Role::Pawn, Square::E2)
        );
        assert_ne!(
            on(Color::White, Role::Pawn, Square::E7),
            on(Color::White, Role::Pawn, Square::E2)
        );
    }

    #[test]
    fn the_front_of_a_pawn_ends_at_the_edges() {
        assert_eq!(front(Color::White, Square::A7), 0x0300_0000_0000_0000);
        assert_eq!(front(Color::Black, Square::H2), 0xc0);
        assert_eq!(front(Color::White, Square::E8), 0);
        assert_eq!(from_middle(Square::D4), 0);
        assert_eq!(from_middle(Square::A8), 3);
    }
}
