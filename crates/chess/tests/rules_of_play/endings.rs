//! How games end: by mate, by the players, by the clock, by the arbiter.

use chess::game::{AbortReason, DrawReason, Ending, WinReason};

use crate::script::check;

/// An ending as the scripts call it.
pub(crate) fn sentence(ending: Ending) -> String {
    match ending {
        Ending::Won { winner, by } => {
            let by = match by {
                WinReason::Checkmate => "by checkmate",
                WinReason::Resignation => "by resignation",
                WinReason::Timeout => "on time",
                WinReason::Abandoned => "by abandonment",
                WinReason::VariantEnd => "by the rules of the variant",
                WinReason::IllegalMoves => "by illegal moves",
                WinReason::Adjudicated => "by adjudication",
            };
            format!("{winner} wins {by}")
        }
        Ending::Drawn { by } => {
            let by = match by {
                DrawReason::Stalemate => "stalemate",
                DrawReason::Agreed => "agreement",
                DrawReason::Threefold => "threefold repetition",
                DrawReason::Fivefold => "fivefold repetition",
                DrawReason::FiftyMoves => "fifty moves",
                DrawReason::SeventyFiveMoves => "seventy-five moves",
                DrawReason::InsufficientMaterial => "insufficient material",
                DrawReason::TimeoutVsInsufficientMaterial => {
                    "timeout against insufficient material"
                }
                DrawReason::Abandoned => "abandonment",
                DrawReason::VariantEnd => "the rules of the variant",
                DrawReason::Adjudicated => "adjudication",
            };
            format!("draw by {by}")
        }
        Ending::Aborted { by } => {
            let by = match by {
                AbortReason::Player => "a player",
                AbortReason::Cancelled => "its creator",
                AbortReason::Declined(None) => "the invited player",
                AbortReason::Declined(Some(why)) => {
                    return format!("declined because {}", why.name());
                }
                AbortReason::Expired => "expiry",
                AbortReason::NoFirstMove => "no first move",
                AbortReason::Adjourned => "adjournment",
                AbortReason::Operator => "an operator",
            };
            format!("aborted by {by}")
        }
    }
}

/// FIDE 5.1.1.
#[test]
fn checkmate_wins_at_once() {
    check("5+0 | 0s f3 e5 g4 Qh4 -> black wins by checkmate, san Qh4#, COMPLETED");
}

/// FIDE 5.2.1.
#[test]
fn stalemate_draws_at_once() {
    check("5+0, from 7k/8/8/6Q1/5K2/8/8/8 w - - 0 1 | 0s Qg6 -> draw by stalemate");
}

/// FIDE 5.1.2.
#[test]
fn resignation_loses_whoever_has_the_move() {
    check("5+0 | 0s e4 | 1s w resigns -> black wins by resignation");
    check("5+0 | 0s e4 | 1s b resigns -> white wins by resignation");
}

/// FIDE 5.2.3.
#[test]
fn an_agreed_draw_is_a_draw() {
    check("5+0 | 0s e4 e5 | w offers draw | b accepts draw -> draw by agreement");
}

/// FIDE 6.9.
#[test]
fn the_flag_loses() {
    check("1+0 | 0s e4 | 3s e5 | 63s -> black wins on time");
    check("1+0 | 0s e4 | 60s -> white wins on time");
}

/// FIDE 6.9: drawn "if the position is such that the opponent cannot checkmate
/// the player's king by any possible series of legal moves".
#[test]
fn a_flag_against_a_bare_king_draws() {
    check(
        "1+0, from 4k3/4q3/8/8/8/8/8/K7 w - - 0 1 | 0s Kb1
         | 60s -> draw by timeout against insufficient material",
    );
    check("1+0, from 4k3/4q3/8/8/8/8/8/K7 w - - 0 1 | 60s -> black wins on time");
}

/// The same article: the opponent's own pieces may help in that series.
#[test]
fn a_flag_against_a_knight_loses_if_the_loser_has_a_pawn_to_be_mated_with() {
    check("1+0, from 8/p7/8/8/8/4k3/8/N3K3 b - - 0 1 | 60s -> white wins on time");
    check(
        "1+0, from 8/q7/8/8/8/4k3/8/N3K3 b - - 0 1
         | 60s -> draw by timeout against insufficient material",
    );
}

#[test]
fn either_player_may_abort_until_both_have_moved() {
    check("5+0 | 0s w aborts -> aborted by a player");
    check("5+0 | 0s b aborts -> aborted by a player");
    check("5+0 | 0s e4 | b aborts -> aborted by a player");
    check("5+0 | 0s e4 e5 | w aborts -> refused too_late_to_abort, ACTIVE");
}

#[test]
fn the_win_of_an_opponent_who_left_is_claimed_after_the_grace_of_the_speed() {
    // Bullet 10 s, blitz 30, rapid 60, classical 120.
    for (control, before, after) in [
        ("1+0", "19.999s", "20s"),
        ("3+2", "39.999s", "40s"),
        ("10+0", "69.999s", "70s"),
        ("90+30", "129.999s", "130s"),
    ] {
        check(&format!(
            "{control} | 0s e4 e5 | {before} b claims win gone since 10s -> refused not_yet, retry after 1
             | {after} b claims win gone since 10s -> black wins by abandonment"
        ));
    }
}

#[test]
fn the_draw_of_an_opponent_who_left_is_claimed_in_the_same_way() {
    check(
        "3+2 | 0s e4 e5 | 35s b claims draw gone since 10s -> refused not_yet, retry after 5
         | 40s b claims draw gone since 10s -> draw by abandonment",
    );
}

#[test]
fn an_opponent_who_is_here_cannot_be_claimed_to_have_left() {
    check(
        "3+2 | 0s e4 e5 | 100s b claims win -> refused not_yet, retry after 30
         | b claims draw -> refused nothing_to_claim",
    );
}

#[test]
fn nobody_is_ever_gone_from_a_game_that_does_not_count_seconds() {
    check("3 days | 0s e4 | 2d w claims win gone since 0s -> refused not_allowed");
    check("no clock | 0s e4 | 40d w claims win gone since 0s -> refused not_allowed");
}

#[test]
fn a_bare_king_that_stayed_has_only_a_draw_to_claim() {
    check(
        "3+2, from 4k3/4q3/8/8/8/8/8/K7 w - - 0 1 | 0s Kb1
         | 40s w claims win gone since 0s -> draw by abandonment",
    );
}

/// A disconnect alone changes nothing: nobody gains by leaving, and nobody is
/// thrown out by the server.
#[test]
fn who_leaves_loses_nothing_until_the_opponent_claims_it() {
    check("3+2 | 0s e4 | 2m59s e5 -> ACTIVE, b 0:03");
}

/// FIDE 7.5.5, where the game asks for it.
#[test]
fn too_many_illegal_moves_lose_where_the_game_counts_them() {
    check(
        "5+0, forfeit after 2 | 0s w plays e5 -> refused illegal_move yet recorded, ACTIVE
         | e4 | b plays e4 -> refused illegal_move yet recorded, ACTIVE
         | e5 | w plays Ke3 -> refused illegal_move yet recorded, black wins by illegal moves",
    );
}

/// FIDE 7.5.5, last sentence.
#[test]
fn too_many_illegal_moves_against_a_bare_king_draw() {
    check(
        "5+0, forfeit after 1, from 4k3/4q3/8/8/8/8/8/K7 w - - 0 1 | 0s Kb1
         | b plays Kf2 -> refused illegal_move yet recorded, draw by adjudication",
    );
}

/// A client that sends its request again has tried nothing new.
#[test]
fn the_same_attempt_in_the_same_turn_counts_once() {
    check(
        "5+0, forfeit after 2 | 0s w plays e2e5 -> refused illegal_move yet recorded, version 3
         | w plays e2-e5 -> refused illegal_move, version 3
         | w plays Nf4 -> refused illegal_move yet recorded, black wins by illegal moves",
    );
    check(
        "5+0, forfeit after 2 | 0s w plays Nxe5 -> refused illegal_move yet recorded
         | w plays Ne5+ -> refused illegal_move, ACTIVE | e4 e5
         | w plays Ne5 -> refused illegal_move yet recorded, black wins by illegal moves",
    );
}

#[test]
fn what_could_be_several_moves_is_no_illegal_attempt() {
    check(
        "5+0, forfeit after 1, from 7k/4P3/8/8/8/8/8/1N2KN2 w - - 0 1
         | 0s w plays Nd2 -> refused illegal_move, version 2
         | w plays e7e8 -> refused illegal_move, version 2",
    );
}

#[test]
fn illegal_moves_cost_nothing_where_nobody_counts_them_and_nonsense_never_does() {
    check("5+0 | 0s w plays e5 -> refused illegal_move, version 2");
    check("5+0, forfeit after 1 | 0s w plays castle -> refused bad_move, version 2");
}

#[test]
fn the_arbiter_may_decide_a_game_in_any_way() {
    check("5+0 | 0s e4 | op adjudicates black wins -> black wins by adjudication");
    check("5+0 | 0s e4 | op adjudicates white wins -> white wins by adjudication");
    check("5+0 | 0s e4 | op adjudicates draw -> draw by adjudication");
    check("5+0 | 0s e4 e5 | op adjudicates abort -> aborted by an operator");
    check("5+0, waiting | op adjudicates abort -> aborted by an operator");
}

#[test]
fn every_ending_has_a_result_and_a_reason_of_the_contract() {
    const RESULTS: [&str; 4] = ["white_wins", "black_wins", "draw", "aborted"];
    const REASONS: [&str; 15] = [
        "checkmate",
        "stalemate",
        "resignation",
        "timeout",
        "draw_agreed",
        "threefold_repetition",
        "fivefold_repetition",
        "fifty_moves",
        "seventy_five_moves",
        "insufficient_material",
        "timeout_vs_insufficient_material",
        "abandoned",
        "aborted",
        "variant_end",
        "adjudicated",
    ];
    for ending in Ending::all() {
        assert!(RESULTS.contains(&ending.result()), "{ending:?}");
        assert!(REASONS.contains(&ending.reason()), "{ending:?}");
        let winner = ending.winner().map(|c| format!("{c}_wins"));
        assert_eq!(winner.is_some(), ending.result().ends_with("wins"));
        assert!(winner.is_none_or(|wins| wins == ending.result()));
    }
    for reason in REASONS {
        assert!(Ending::all().any(|e| e.reason() == reason), "{reason}");
    }
}
