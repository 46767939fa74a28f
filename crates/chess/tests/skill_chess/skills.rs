//! What skills do, and what they do not.

use crate::position::{check, square};

const NEIGHBOURS: [&str; 8] = ["c3", "d3", "e3", "c4", "e4", "c5", "d5", "e5"];
const JUMPS: [&str; 8] = ["c2", "e2", "b3", "f3", "b5", "f5", "c6", "e6"];
const LINES: [&str; 8] = ["d1", "a1", "h4", "a4", "d8", "h8", "a7", "g1"];

/// A white pawn on d4 that has a skill, and a black knight somewhere.
fn against_a_knight_on(target: &str, skill: &str, expected: &str) {
    let mut rows = vec![vec!['1'; 8]; 8];
    let mut put = |name: &str, piece| {
        let square = square(name);
        rows[7 - usize::from(square.row())][usize::from(square.column())] = piece;
    };
    let (white_king, black_king) = ("f2", "h7");
    put(white_king, 'K');
    put(black_king, 'k');
    put("d4", 'P');
    put(target, 'n');
    let rows: Vec<String> = rows.into_iter().map(String::from_iter).collect();
    let fen = rows.join("/");
    check(&format!(
        "{fen} w | d4 has {skill} | would d4{target} {skill} -> {expected}"
    ));
}

#[test]
fn shadowstep_captures_on_the_eight_adjacent_squares() {
    for target in NEIGHBOURS {
        against_a_knight_on(target, "shadowstep", "");
    }
    for target in JUMPS.iter().chain(&LINES) {
        against_a_knight_on(target, "shadowstep", "invalidSkillMove");
    }
}

#[test]
fn knightfall_captures_a_knights_jump_away() {
    for target in JUMPS {
        against_a_knight_on(target, "knightfall", "");
    }
    for target in NEIGHBOURS.iter().chain(&LINES) {
        against_a_knight_on(target, "knightfall", "invalidSkillMove");
    }
}

#[test]
fn deadeye_captures_along_rows_columns_and_diagonals() {
    for target in NEIGHBOURS {
        against_a_knight_on(target, "deadeye", "");
    }
    for target in ["d1", "a1", "h4", "a4", "a7"] {
        against_a_knight_on(target, "deadeye", "");
    }
    for target in ["d8", "h8"] {
        against_a_knight_on(target, "deadeye", "promotionRequired");
    }
    for target in JUMPS {
        against_a_knight_on(target, "deadeye", "invalidSkillMove");
    }
}

#[test]
fn deadeye_does_not_shoot_through_anyone() {
    check(
        "4k3/3n4/8/3p4/8/8/8/3NK3 w | d1 has deadeye
         | d1d7 deadeye -> blockedPath | d1d5 deadeye",
    );
}

#[test]
fn knightfall_jumps_over_everyone() {
    check("4k3/8/2n5/2ppp3/2pRp3/2ppp3/8/4K3 w | d4 has knightfall | d4c6 knightfall");
}

#[test]
fn the_piece_moves_to_the_square_of_the_captured_one() {
    let board = check("4k3/8/8/8/8/8/1p6/R3K3 w Q | a1 has shadowstep | a1b2 shadowstep");
    assert!(board.at(square("a1")).is_none());
    let rook = board.at(square("b2")).expect("the rook");
    assert_eq!((rook.behaviour.name(), rook.move_count), ("rook", 1));
    assert_eq!(board.pieces().count(), 3);
}

#[test]
fn a_skill_captures_and_does_nothing_else() {
    check(
        "4k3/8/8/8/8/8/1P6/R3K3 w | a1 has shadowstep
         | a1a2 shadowstep -> invalidSkillMove
         | a1b2 shadowstep -> occupiedByAlly
         | a1a1 shadowstep -> invalidSkillMove",
    );
}

#[test]
fn a_skill_works_once() {
    check(
        "4k3/8/8/8/8/n7/1p6/R3K3 w | a1 has shadowstep
         | a1b2 shadowstep | e8e7 | b2a3 shadowstep -> skillAlreadyUsed | b2b7 -> check",
    );
}

#[test]
fn a_piece_may_have_two_skills_and_use_each() {
    check(
        "4k3/8/8/8/2n5/8/1p6/R3K3 w | a1 has shadowstep | a1 has knightfall
         | a1b2 shadowstep | e8e7 | b2c4 knightfall",
    );
    check(
        "4k3/8/8/8/n7/2n5/8/1R2K3 w | b1 has knightfall | b1 has shadowstep
         | b1c3 knightfall | e8e7 | c3a4 shadowstep -> invalidSkillMove
         | c3b3 | e7e8 | b3a4 knightfall -> skillAlreadyUsed | b3a4 shadowstep",
    );
}

#[test]
fn a_skill_works_only_when_it_is_asked_for() {
    check(
        "4k3/8/8/8/8/8/1p6/R3K3 w | a1 has shadowstep
         | a1b2 -> illegalMove | a1a2 | e8e7 | a2b2 | e7e8 | b2b8 -> check",
    );
    // A capture that the piece could make anyway does not use the skill up.
    check(
        "4k3/8/8/8/8/1n6/p7/R3K3 w | a1 has shadowstep
         | a1a2 | e8e7 | a2b3 shadowstep",
    );
}

#[test]
fn a_skill_belongs_to_one_piece() {
    check(
        "4k3/8/8/8/8/8/1p5p/R3K2R w | a1 has shadowstep
         | h1h2 shadowstep -> skillNotEquipped | h1h2 knightfall -> skillNotEquipped",
    );
}

#[test]
fn a_skill_is_never_used_against_a_king() {
    check("8/8/8/8/8/8/8/1Nk1K3 w | b1 has shadowstep | b1c1 shadowstep -> invalidSkillMove");
    check("8/8/8/8/8/2k5/8/1B2K3 w | b1 has knightfall | b1c3 knightfall -> invalidSkillMove");
    check("8/8/8/8/8/1k6/8/1N2K3 w | b1 has deadeye | b1b3 deadeye -> invalidSkillMove");
}

#[test]
fn a_skill_gives_no_check() {
    // The white king walks next to a piece that could capture it with a skill.
    check("4k3/8/8/3p4/8/4K3/8/8 w | d5 has shadowstep | d5 has deadeye | e3d3 | e8e7 | d3d4");
}

#[test]
fn a_skill_may_not_leave_ones_own_king_in_check() {
    check("4r1k1/8/8/8/8/3p4/4N3/4K3 w | e2 has shadowstep | e2d3 shadowstep -> selfCheck");
    check("6k1/8/8/8/8/2b5/3p4/4K3 w | e1 has shadowstep | e1d2 shadowstep -> selfCheck");
    check("6k1/8/8/8/8/2n5/8/R3K2r w | a1 has knightfall | a1c3 knightfall -> invalidSkillMove");
}

#[test]
fn a_king_may_have_a_skill_and_loses_castling_by_using_it() {
    check(
        "4k3/8/8/8/8/5n2/8/R3K2R w KQ | e1 has deadeye | e1f3 -> illegalMove
         | e1f3 deadeye -> invalidSkillMove",
    );
    check(
        "4k3/8/8/8/8/8/4n3/R3K2R w KQ | e1 has shadowstep | e1e2 shadowstep | e8d8
         | e2e1 | d8e8 | e1g1 -> illegalMove",
    );
}

#[test]
fn a_skill_resolves_check() {
    check(
        "6k1/8/8/8/1b6/8/3P1P2/2RQKR2 b | d1 has deadeye | b4d2 -> check
         | c1c2 -> selfCheck | d1d2",
    );
}

#[test]
fn nobody_is_mated_who_could_use_a_skill() {
    let back_rank = "3r2k1/8/8/8/8/8/PPP5/1K3n2 b";
    check(&format!("{back_rank} | d8d1 -> checkmate"));
    check(&format!(
        "{back_rank} | c2 has knightfall | d8d1 -> checkmate"
    ));
    check(&format!(
        "{back_rank} | c2 has shadowstep | d8d1 -> check | c2d1 -> illegalMove | c2d1 shadowstep"
    ));
    check(&format!(
        "{back_rank} | b2 has knightfall | d8d1 -> check | b2d1 knightfall"
    ));
}

#[test]
fn a_skill_may_mate() {
    check("r5k1/5ppp/8/8/8/8/8/4K2R w | h1 has deadeye | h1a8 deadeye -> checkmate");
}

#[test]
fn a_used_skill_saves_nobody() {
    check("3r2k1/8/8/8/8/8/PPP1R3/1K6 b | e2 has shadowstep | d8d1 -> check | e2d1 shadowstep");
    check(
        "3r2k1/8/8/8/8/8/PPP1n3/1K3R2 w | f1 has shadowstep | f1e2 shadowstep
         | d8d1 -> checkmate",
    );
}

#[test]
fn a_skill_that_would_leave_the_king_in_check_saves_nobody() {
    // The pawn could capture the rook, but then the bishop takes the king.
    check("3r2k1/8/8/8/4b3/8/PPP5/1K6 b | c2 has shadowstep | d8d1 -> checkmate");
}

#[test]
fn nobody_is_stalemated_who_could_use_a_skill() {
    check("8/8/8/8/8/3qk3/8/K7 b | d3c2 -> stalemate");
    let cornered = "7k/8/8/8/8/p2q4/P7/K7 b";
    check(&format!("{cornered} | d3c2 -> stalemate"));
    check(&format!(
        "{cornered} | a2 has knightfall | d3c2 -> stalemate"
    ));
    check(&format!(
        "{cornered} | a2 has shadowstep | d3c2 | a2a3 shadowstep"
    ));
}

#[test]
fn a_pawns_skill_capture_onto_the_last_rank_is_a_promotion() {
    let board = check(
        "r3k3/1P6/8/8/8/8/8/4K3 w | b7 has shadowstep
         | b7a8 shadowstep -> promotionRequired
         | b7a8 shadowstep king -> invalidPromotion
         | b7a8 shadowstep pawn -> invalidPromotion
         | b7a8 shadowstep queen -> check",
    );
    let queen = board.at(square("a8")).expect("the new queen");
    assert_eq!(queen.behaviour.id(), "standardQueen");
    check("3rk3/8/2P5/8/8/8/8/4K3 w | c6 has knightfall | c6d8 knightfall -> promotionRequired");
    check("2r1k3/8/2P5/8/8/8/8/4K3 w | c6 has deadeye | c6c8 deadeye knight");
    check("4k3/8/8/8/8/8/1p6/R3K3 b | b2 has shadowstep | b2a1 shadowstep rook -> check");
}

#[test]
fn other_skill_captures_are_no_promotions() {
    check(
        "r3k3/1N6/8/8/8/8/8/4K3 w | b7 has shadowstep | b7a8 shadowstep queen -> invalidPromotion",
    );
    check("4k3/8/8/8/8/8/1P6/r3K3 w | b2 has shadowstep | b2a1 shadowstep");
}

#[test]
fn a_pawn_that_went_back_by_a_skill_takes_single_steps() {
    check(
        "4k3/8/8/8/8/1P6/2n5/3K4 w | b3 has shadowstep | b3c2 shadowstep | e8e7
         | c2c4 -> illegalMove | c2c3",
    );
    check(
        "4k3/8/8/8/8/8/1P6/2n1K3 w | b2 has shadowstep | b2c1 shadowstep | e8e7
         | c1c3 -> illegalMove | c1c2 | e7e8 | c2c4 -> illegalMove | c2c3",
    );
}

#[test]
fn a_skill_is_not_for_capturing_in_passing() {
    check(
        "4k3/8/8/3pP3/8/8/8/4K3 w - d6 | e5 has shadowstep | e5d6 shadowstep -> invalidSkillMove | e5d6",
    );
    check("4k3/8/8/3pP3/8/8/8/4K3 w - d6 | e5 has shadowstep | e5d5 shadowstep");
}

#[test]
fn an_unused_skill_survives_promotion() {
    let board = check("4k3/P7/8/8/8/8/8/4K3 w | a7 has knightfall | a7a8 queen -> check");
    let queen = board.at(square("a8")).expect("the new queen");
    let skills: Vec<_> = board.skills_of(queen.id).collect();
    assert_eq!(skills.len(), 1);
    assert!(!skills[0].used);
    check(
        "4k3/P7/1n6/8/8/8/8/4K3 w | a7 has knightfall | a7a8 bishop | e8e7
         | a8b6 knightfall",
    );
}
