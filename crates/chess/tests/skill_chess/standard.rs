//! The rules of chess that everyone knows, with the reasons for refusals.

use crate::position::{check, square};

#[test]
fn a_refused_move_has_its_reason() {
    check(
        "4k3/8/8/8/8/p7/P3P3/RN2K2R w KQ
         | c4c5 -> pieceNotFound
         | e8e7 -> wrongSeat
         | b1d2 | e8e7
         | a1a2 -> occupiedByAlly
         | a1a3 -> blockedPath
         | a1a1 -> illegalMove
         | d2d3 -> illegalMove
         | a2a3 -> illegalMove
         | a2a4 -> blockedPath
         | e2d3 -> illegalMove
         | e2e4 | e7e8 | e4e6 -> illegalMove",
    );
    check("4k3/8/8/8/8/8/4r3/R3K3 w | a1a2 -> selfCheck | e1d2 -> selfCheck | e1e2");
    check("4k2r/8/8/8/8/8/4N3/4K3 w | e1f1 | e8e7 | e2g1 | h8h1 | f1g2");
    check("k3r3/8/8/8/8/8/4N3/4K3 w | e2g3 -> selfCheck");
}

#[test]
fn castling_moves_king_and_rook() {
    let board = check("r3k2r/8/8/8/8/8/8/R3K2R w KQkq | e1g1 | e8c8 | f1f7");
    for (on, name, moves) in [
        ("g1", "king", 1),
        ("f7", "rook", 2),
        ("c8", "king", 1),
        ("d8", "rook", 1),
    ] {
        let piece = board.at(square(on)).expect(on);
        assert_eq!((piece.behaviour.name(), piece.move_count), (name, moves));
    }
}

#[test]
fn castling_needs_unmoved_pieces_and_a_free_safe_way() {
    check("4k3/8/8/8/8/8/8/R3K2R w Q | e1g1 -> illegalMove | e1c1");
    check("4k3/8/8/8/8/8/8/R3K2R w KQ | h1h2 | e8e7 | h2h1 | e7e8 | e1g1 -> illegalMove | e1c1");
    check("4k3/8/8/8/8/8/8/RN2K1NR w KQ | e1c1 -> illegalMove | e1g1 -> occupiedByAlly");
    check("4k3/8/8/8/8/8/8/R2bKB1R w KQ | e1g1 -> blockedPath | e1c1 -> blockedPath");
    // Out of, through and into check.
    check("1k2r3/8/8/8/8/8/8/R3K2R w KQ | e1g1 -> illegalMove | e1c1 -> illegalMove");
    check("1k3r2/8/8/8/8/8/8/R3K2R w KQ | e1g1 -> illegalMove | e1c1");
    check("1k4r1/8/8/8/8/8/8/R3K2R w KQ | e1g1 -> selfCheck | e1c1");
    // The rook may be attacked, and pass an attacked square.
    check("1r4k1/8/8/8/8/8/8/R3K2R w KQ | e1c1");
}

#[test]
fn a_rook_that_was_a_pawn_does_not_castle() {
    check("8/P6k/8/8/8/8/8/4K3 w | a7a8 rook | h7g7 | a8a1 | g7h7 | e1c1 -> illegalMove");
}

#[test]
fn en_passant_is_for_the_next_move_only() {
    let board = check("4k3/3p4/8/4P3/8/8/8/4K3 b | d7d5 | e5d6");
    assert!(board.at(square("d5")).is_none());
    assert_eq!(board.pieces().count(), 3);
    check("4k3/3p4/8/4P3/8/8/8/4K3 b | d7d5 | e1e2 | e8e7 | e5d6 -> illegalMove");
    check("4k3/3p4/8/4P3/8/8/8/4K3 b | d7d6 | e1e2 | d6d5 | e5d6 -> illegalMove");
    // Both pawns leave the row, and the king is in check.
    check("4k3/3p4/8/K3P2r/8/8/8/8 b | d7d5 | e5d6 -> selfCheck");
}

#[test]
fn promotion_needs_one_of_four_pieces() {
    let before = check("7k/P7/8/8/8/8/8/4K3 w");
    let pawn = *before.at(square("a7")).expect("the pawn");
    for (name, id, expected) in [
        ("queen", "standardQueen", "check"),
        ("rook", "standardRook", "check"),
        ("bishop", "standardBishop", ""),
        ("knight", "standardKnight", ""),
    ] {
        let board = check(&format!(
            "7k/P7/8/8/8/8/8/4K3 w | a7a8 -> promotionRequired
             | a7a8 king -> invalidPromotion | a7a8 dragon -> invalidPromotion
             | a7a8 {name} -> {expected}"
        ));
        let piece = board.at(square("a8")).expect("the promoted piece");
        assert_eq!(piece.id, pawn.id);
        assert_eq!(piece.move_count, pawn.move_count + 1);
        assert_eq!((piece.behaviour.name(), piece.behaviour.id()), (name, id));
    }
    check(
        "4k3/8/P7/8/8/8/8/4K3 w | a6a7 queen -> invalidPromotion | e1e2 queen -> invalidPromotion",
    );
    // A pinned pawn promotes to nothing, whatever is asked for.
    check("4k3/8/8/8/8/8/r1p1K3/8 w | e2d3 | c2c1 knight -> check");
    check("k7/8/8/8/8/8/r1p1K2R/8 b | c2c1 -> promotionRequired");
    check("3r4/2P5/1K6/8/8/b7/8/4k3 w | c7d8 queen");
    check("2b4k/2rP4/2K5/8/8/8/8/8 w | d7d8 -> selfCheck | c6c7");
}

#[test]
fn mate_and_stalemate_end_it() {
    check(
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq
         | f2f3 | e7e5 | g2g4 | d8h4 -> checkmate",
    );
    check("7k/8/6K1/8/8/8/8/5Q2 w | f1f7 -> stalemate");
}
