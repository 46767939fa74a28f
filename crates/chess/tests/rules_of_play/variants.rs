//! The variants' own ways to win and draw, and what they change in the others.

use crate::script::check;

#[test]
fn a_king_in_the_centre_wins_king_of_the_hill() {
    check(
        "5+0, king_of_the_hill, from 4k3/8/8/8/8/4K3/8/8 w - - 0 1
         | 0s Ke4 -> white wins by the rules of the variant, san Ke4#",
    );
    check(
        "5+0, king_of_the_hill, from 8/8/4k3/8/8/8/8/K7 b - - 0 1
         | 0s Kd5 -> black wins by the rules of the variant",
    );
}

/// A bare king can still walk to the centre, so it can win on time.
#[test]
fn a_bare_king_wins_king_of_the_hill_on_time() {
    check("1+0, king_of_the_hill, from 4k3/4q3/8/8/8/8/8/K7 b - - 0 1 | 60s -> white wins on time");
}

#[test]
fn the_third_check_wins_three_check() {
    check(
        "5+0, three_check | 0s e4 e5 Bc4 Nc6 | Bxf7 -> ACTIVE, san Bxf7+ | Kxf7 Qh5 -> ACTIVE
         | g6 Qxg6 -> white wins by the rules of the variant, san Qxg6#",
    );
}

#[test]
fn an_exploded_king_loses_atomic() {
    check("5+0, atomic | 0s Nf3 a6 Ng5 a5 | Nxf7 -> white wins by the rules of the variant");
}

/// The capturing piece goes too; pawns survive the blast beside them.
#[test]
fn a_capture_in_atomic_takes_everything_around_it_but_pawns() {
    check(
        "5+0, atomic | 0s Nf3 d5 Ne5 f6 e3 fxe5
         -> ACTIVE, fen rnbqkbnr/ppp1p1pp/8/3p4/8/4P3/PPPP1PPP/RNBQKB1R w KQkq - 0 4",
    );
}

#[test]
fn checkmate_wins_atomic_too() {
    check("5+0, atomic, from k7/pp6/8/8/8/8/8/K6R w - - 0 1 | 0s Rh8 -> white wins by checkmate");
}

#[test]
fn who_has_lost_every_piece_wins_antichess() {
    check(
        "5+0, antichess, from 8/8/8/8/8/8/p7/1R6 b - - 0 1
         | 0s axb1=Q -> white wins by the rules of the variant",
    );
}

#[test]
fn who_cannot_move_wins_antichess() {
    check(
        "5+0, antichess, from 8/8/8/p7/8/P7/8/8 w - - 0 1
         | 0s a4 -> black wins by the rules of the variant",
    );
}

#[test]
fn captures_are_forced_in_antichess() {
    check(
        "5+0, antichess | 0s e4 d5 | w plays d4 -> refused illegal_move | exd5 -> ACTIVE
         | b plays Qd7 -> refused illegal_move",
    );
}

#[test]
fn bishops_that_can_never_meet_draw_antichess() {
    check(
        "5+0, antichess, from 8/8/8/8/8/8/p7/1NB5 b - - 0 1
         | 0s axb1=B -> draw by insufficient material",
    );
}

#[test]
fn the_horde_loses_with_its_last_pawn_and_wins_by_mate() {
    check(
        "5+0, horde, from 4k3/8/8/8/8/4r3/4P3/8 b - - 0 1
         | 0s Rxe2 -> black wins by the rules of the variant",
    );
    check("5+0, horde, from k7/8/1QP5/8/8/8/8/8 w - - 0 1 | 0s Qb7 -> white wins by checkmate");
}

#[test]
fn the_first_king_on_the_eighth_rank_wins_racing_kings() {
    check(
        "5+0, racing_kings, from 8/K7/7k/8/8/8/8/8 w - - 0 1
         | 0s Ka8 -> white wins by the rules of the variant",
    );
    check(
        "5+0, racing_kings, from 8/K6k/8/8/8/8/8/8 b - - 0 1
         | 0s Kh8 -> black wins by the rules of the variant",
    );
}

#[test]
fn black_may_draw_level_in_racing_kings() {
    let both_near = "5+0, racing_kings, from 8/K6k/8/8/8/8/8/8 w - - 0 1";
    check(&format!(
        "{both_near} | 0s Ka8 -> ACTIVE | Kh8 -> draw by the rules of the variant"
    ));
    check(&format!(
        "{both_near} | 0s Ka8 -> ACTIVE | Kh6 -> white wins by the rules of the variant"
    ));
}

#[test]
fn checks_are_illegal_in_racing_kings() {
    check(
        "5+0, racing_kings, from 8/8/8/8/8/6R1/k7/6K1 w - - 0 1
         | 0s w plays Rg2 -> refused illegal_move",
    );
}

#[test]
fn a_captured_piece_is_dropped_in_crazyhouse() {
    check(
        "5+0, crazyhouse | 0s e4 d5 exd5 Qxd5 | w plays N@e5 -> refused illegal_move
         | P@d6 -> ACTIVE, san @d6
         , fen rnb1kbnr/ppp1pppp/3P4/3q4/8/8/PPPP1PPP/RNBQKBNR[p] b KQkq - 0 3",
    );
}

#[test]
fn a_drop_may_mate_in_crazyhouse() {
    check(
        "5+0, crazyhouse, from k7/8/1K6/8/8/8/8/8[Q] w - - 0 1
         | 0s Q@b7 -> white wins by checkmate, san Q@b7#",
    );
}

/// What was captured comes back, so hardly any material is too little.
#[test]
fn little_material_is_enough_in_crazyhouse() {
    check("5+0, crazyhouse, from k7/8/8/8/8/8/4p3/4K3[] w - - 0 1 | 0s Kxe2 -> ACTIVE");
}

#[test]
fn chess960_castles_from_wherever_king_and_rook_stand() {
    let fen = "5+0, chess960, from 5k2/8/8/8/8/8/8/1R3K1R w HB - 0 1";
    for (castling, san) in [("f1h1", "O-O+"), ("O-O", "O-O+"), ("f1b1", "O-O-O")] {
        check(&format!("{fen} | 0s {castling} -> san {san}, ACTIVE"));
    }
}

#[test]
fn chess960_ends_as_chess_does() {
    check("5+0, chess960, from k7/8/1K6/8/8/8/8/7R w - - 0 1 | 0s Rh8 -> white wins by checkmate");
}
