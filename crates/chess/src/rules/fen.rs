//! Positions as FEN, which every answer to a move has.

use shakmaty::fen::Fen;
use shakmaty::{Bitboard, Color, EnPassantMode, Position, Role, Setup, Square};

/// More than any takes.
const BYTES: usize = 96;

/// Rights to castle with rooks in their corners, in the order in which they are written.
const CORNERS: [(Square, u8); 4] = [
    (Square::H1, b'K'),
    (Square::A1, b'Q'),
    (Square::H8, b'k'),
    (Square::A8, b'q'),
];

/// The position as FEN; an en passant square only if a capture is legal. What only some
/// variants have is left to the library, which takes three times as long.
pub(super) fn fen<P: Position>(p: &P) -> String {
    let setup = p.to_setup(EnPassantMode::Legal);
    if !is_plain(&setup) {
        let mut fen = String::with_capacity(BYTES);
        Fen::from_position(p, EnPassantMode::Legal).append_to_string(&mut fen);
        return fen;
    }
    let mut out = Vec::with_capacity(BYTES);
    placement(&setup, &mut out);
    out.extend(match setup.turn {
        Color::White => b" w ",
        Color::Black => b" b ",
    });
    let rights = CORNERS
        .iter()
        .filter(|(corner, _)| setup.castling_rights.contains(*corner));
    out.extend(rights.map(|(_, name)| *name));
    if setup.castling_rights.is_empty() {
        out.push(b'-');
    }
    out.push(b' ');
    match setup.ep_square {
        Some(square) => out.extend([
            b'a' + u8::from(square.file()),
            b'1' + u8::from(square.rank()),
        ]),
        None => out.push(b'-'),
    }
    for number in [setup.halfmoves, setup.fullmoves.get()] {
        out.push(b' ');
        write(number, &mut out);
    }
    String::from_utf8(out).expect("FEN is ASCII")
}

/// Whether it says no more than standard chess does, and castles as there.
fn is_plain(setup: &Setup) -> bool {
    let corners = Bitboard::from_iter(CORNERS.map(|(corner, _)| corner));
    setup.pockets.is_none()
        && setup.remaining_checks.is_none()
        && setup.promoted.is_empty()
        && setup.castling_rights.is_subset(corners)
}

/// Where the pieces are.
fn placement(setup: &Setup, out: &mut Vec<u8>) {
    let mut names = [0; 64];
    for color in Color::ALL {
        for role in Role::ALL {
            let piece = role.of(color);
            for square in setup.board.by_piece(piece) {
                names[usize::from(square)] = piece.char() as u8;
            }
        }
    }
    for (rank, names) in names.chunks_exact(8).rev().enumerate() {
        if rank > 0 {
            out.push(b'/');
        }
        let mut empty = 0;
        for name in names {
            if *name == 0 {
                empty += 1;
                continue;
            }
            if empty > 0 {
                out.push(b'0' + std::mem::take(&mut empty));
            }
            out.push(*name);
        }
        if empty > 0 {
            out.push(b'0' + empty);
        }
    }
}

fn write(number: u32, out: &mut Vec<u8>) {
    if number >= 10 {
        write(number / 10, out);
    }
    out.push(b'0' + (number % 10) as u8);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::board::tests::wander;
    use crate::rules::{Board, Variant};

    fn by_library(board: &Board) -> String {
        let mode = EnPassantMode::Legal;
        match board {
            Board::Standard(p) => Fen::from_position(p, mode).to_string(),
            Board::Variant(p) => Fen::from_position(&**p, mode).to_string(),
        }
    }

    #[test]
    fn every_position_is_written_as_the_library_writes_it() {
        for variant in Variant::ALL {
            for seed in 0..30 {
                let look = |board: &Board| assert_eq!(board.fen(), by_library(board));
                wander(variant, seed, look);
            }
        }
        for fen in [
            "4k3/8/8/8/8/8/8/5KR1 w G - 0 1",
            "r3k2r/1P6/8/2pP4/8/8/8/R3K2R w KQkq c6 0 30",
            "r3k2r/8/8/8/8/8/8/R3K2R w Qk - 999 9999",
            "rr2k3/8/8/8/8/8/8/RR2K3 w B - 99 100",
        ] {
            let board = Board::from_fen(Variant::Chess960, fen).expect("a good test position");
            assert_eq!(board.fen(), by_library(&board));
        }
    }
}
