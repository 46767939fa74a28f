//! Draws by what happened on the board: repetition, quiet moves, dead positions.

use crate::script::check;

/// Both knights out and home again: four half-moves that change nothing.
const TOUR: &str = "Nf3 Nf6 Ng1 Ng8";

/// Where [`quiet_moves`] begin.
pub(crate) const ROOKS: &str = "r3k3/8/8/8/8/8/8/4K2R w - - 0 1";

/// Half-moves without pawn move, capture or check: each rook goes round on its
/// file, in 7 and in 6 moves, so that a position comes back after 42.
pub(crate) fn quiet_moves(plies: std::ops::Range<usize>) -> String {
    let moves: Vec<String> = plies
        .map(|ply| match (ply % 2, ply / 2) {
            (0, n) => format!("h{}h{}", 1 + n % 7, 1 + (n + 1) % 7),
            (_, n) => format!("a{}a{}", 8 - n % 6, 8 - (n + 1) % 6),
        })
        .collect();
    moves.join(" ")
}

/// FIDE 9.2.2, ended by the server where the players agreed to that.
#[test]
fn the_third_occurrence_draws_by_itself_under_the_automatic_rule() {
    check(&format!(
        "5+0 | 0s {TOUR} Nf3 Nf6 Ng1 -> ACTIVE | Ng8 -> draw by threefold repetition"
    ));
}

/// FIDE 9.2: the third occurrence draws when the player having the move claims it.
#[test]
fn the_third_occurrence_is_claimed_under_the_claim_rule() {
    check(&format!(
        "5+0, claim | 0s {TOUR} {TOUR} -> ACTIVE | w claims draw -> draw by threefold repetition"
    ));
}

#[test]
fn the_second_occurrence_is_nothing_to_claim() {
    check(&format!(
        "5+0, claim | 0s {TOUR} | w claims draw -> refused nothing_to_claim"
    ));
}

/// FIDE 9.2.2: only "the player claiming" who "has the move".
#[test]
fn who_does_not_have_the_move_has_nothing_to_claim() {
    check(&format!(
        "5+0, claim | 0s {TOUR} {TOUR} | b claims draw -> refused nothing_to_claim"
    ));
}

/// FIDE 9.4: the right to claim goes with the move.
#[test]
fn a_claim_not_made_is_lost_with_the_next_move() {
    check(&format!(
        "5+0, claim | 0s {TOUR} {TOUR} e4 | b claims draw -> refused nothing_to_claim"
    ));
}

/// FIDE 9.6.1.
#[test]
fn the_fifth_occurrence_draws_by_itself_under_the_claim_rule() {
    check(&format!(
        "5+0, claim | 0s {TOUR} {TOUR} {TOUR} Nf3 Nf6 Ng1 -> ACTIVE
         | Ng8 -> draw by fivefold repetition"
    ));
}

/// FIDE 9.2.3: positions differ when the castling rights do.
#[test]
fn a_position_with_other_castling_rights_is_another_position() {
    let tour = "Rg1 Rg8 Rh1 Rh8";
    let rooks = "5+0, from r3k2r/8/8/8/8/8/8/R3K2R w";
    check(&format!(
        "{rooks} - - 0 1 | 0s {tour} Rg1 Rg8 Rh1 -> ACTIVE | Rh8 -> draw by threefold repetition"
    ));
    // The first tour costs both sides a right: what counts begins with Rg8.
    check(&format!(
        "{rooks} KQkq - 0 1 | 0s {tour} {tour} Rg1 -> ACTIVE | Rg8 -> draw by threefold repetition"
    ));
}

/// FIDE 9.2.3.1: nor is a position the same while a pawn can be taken en passant.
#[test]
fn a_position_with_an_en_passant_capture_is_another_position() {
    let tour = "Kd8 Kd1 Ke8 Ke1";
    check(&format!(
        "5+0, from 4k3/8/8/8/5p2/8/4P3/4K3 w - - 0 1
         | 0s e4 {tour} {tour} -> ACTIVE | Kd8 -> draw by threefold repetition"
    ));
    // Here no pawn could take: the double step itself makes no difference.
    check(&format!(
        "5+0, from 4k3/p7/8/8/8/8/4P3/4K3 w - - 0 1
         | 0s e4 {tour} Kd8 Kd1 Ke8 -> ACTIVE | Ke1 -> draw by threefold repetition"
    ));
}

/// FIDE 9.3, ended by the server where the players agreed to that.
#[test]
fn fifty_quiet_moves_draw_by_themselves_under_the_automatic_rule() {
    check(&format!(
        "5+0, from {ROOKS} | 0s {} -> ACTIVE | {} -> draw by fifty moves",
        quiet_moves(0..99),
        quiet_moves(99..100),
    ));
}

/// FIDE 9.3.
#[test]
fn fifty_quiet_moves_are_claimed_under_the_claim_rule() {
    let moves = quiet_moves(0..99);
    check(&format!(
        "5+0, claim, from {ROOKS} | 0s {moves} | b claims draw -> refused nothing_to_claim
         | {} | w claims draw -> draw by fifty moves",
        quiet_moves(99..100),
    ));
}

#[test]
fn a_pawn_move_or_a_capture_begins_the_count_of_quiet_moves_anew() {
    check("5+0, from 4k3/8/8/8/8/8/4P3/4K2R w - - 99 80 | 0s e3 Ke7 -> ACTIVE");
    check("5+0, from 4k3/8/8/8/8/8/4p3/4K2R w - - 99 80 | 0s Kxe2 Ke7 -> ACTIVE");
    check("5+0, from 4k3/8/8/8/8/8/4P3/4K2R w - - 99 80 | 0s Rh2 -> draw by fifty moves");
}

/// FIDE 9.6.2.
#[test]
fn seventy_five_quiet_moves_draw_by_themselves_under_the_claim_rule() {
    check(&format!(
        "5+0, claim, from {ROOKS} | 0s {} -> ACTIVE | {} -> draw by seventy-five moves",
        quiet_moves(0..149),
        quiet_moves(149..150),
    ));
}

/// FIDE 9.6.2: "If the last move resulted in checkmate, that shall take precedence."
#[test]
fn mate_on_the_last_quiet_move_is_mate() {
    check("5+0, from k7/8/1K6/8/8/8/8/7R w - - 99 80 | 0s Rh8 -> white wins by checkmate");
}

/// FIDE 5.2.2: the game is drawn as soon as nobody can mate.
#[test]
fn the_capture_of_the_last_piece_that_could_mate_draws_at_once() {
    for left in ["", "B", "N"] {
        let rest = left.len();
        let rank = format!("{left}{}", 4 - rest);
        check(&format!(
            "5+0, from k7/8/8/8/8/8/{rank}p3/4K3 w - - 0 1
             | 0s Kxe2 -> draw by insufficient material"
        ));
    }
}

#[test]
fn bishops_that_never_meet_can_mate_only_on_squares_of_both_colours() {
    check("5+0, from kb6/8/8/8/8/8/4p3/B3K3 w - - 0 1 | 0s Kxe2 -> draw by insufficient material");
    check("5+0, from k1b5/8/8/8/8/8/4p3/B3K3 w - - 0 1 | 0s Kxe2 -> ACTIVE");
}

#[test]
fn two_knights_can_mate_with_help_and_play_on() {
    check("5+0, from k7/8/8/8/8/8/4p3/1N2K1N1 w - - 0 1 | 0s Nxe2 -> ACTIVE");
}
