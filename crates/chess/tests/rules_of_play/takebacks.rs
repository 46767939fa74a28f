//! Taking moves back: board, clocks, counts and offers as they were.

use crate::script::check;

#[test]
fn one_half_move_is_taken_back_while_the_opponent_thinks() {
    check(
        "5+0 | 0s e4 e5 Qh5 | w offers takeback -> takeback offered by w
         | b accepts takeback -> ply 2, w to move
         , fen rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2",
    );
}

#[test]
fn two_half_moves_are_taken_back_once_the_opponent_has_replied() {
    check(
        "5+0 | 0s e4 e5 Qh5 Nc6 | w offers takeback | b accepts takeback -> ply 2, w to move
         , fen rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2",
    );
}

#[test]
fn the_first_move_of_all_may_be_taken_back() {
    check("5+0 | 0s e4 | w offers takeback | b accepts takeback -> ply 0, w to move");
    check("5+0 | 0s e4 e5 | w offers takeback | b accepts takeback -> ply 0, w to move");
    check("5+0 | 0s e4 e5 | b offers takeback | w accepts takeback -> ply 1, b to move");
}

#[test]
fn the_clocks_are_as_they_were_when_the_turn_began() {
    check(
        "5+3 | 10s e4 -> w 4:53 | 15s e5 -> b 4:58 | 35s Qh5 -> w 4:36 | 50s w offers takeback
         | 55s b accepts takeback -> w 4:53, b 4:58, due at 348s | 60s -> w 4:48",
    );
    check(
        "5+3 | 10s e4 | 15s e5 | 35s Qh5 | 50s Nc6 | 55s w offers takeback
         | 56s b accepts takeback -> w 4:53, b 4:58",
    );
}

#[test]
fn correspondence_days_and_stages_are_as_they_were_too() {
    check(
        "3 days | 1d e4 | 2d w offers takeback | b accepts takeback -> w 3d, b 3d, due at 5d
         | 3d e4 -> due at 6d",
    );
    check(
        "1/1+0 then 5+0 | 10s e4 -> w 5:50 | w offers takeback | b accepts takeback -> w 1:00
         | 20s d4 -> w 5:50",
    );
}

/// What was given during the turn was there before the move, and stays.
#[test]
fn a_gift_made_before_the_move_survives_its_takeback() {
    check(
        "5+0 | 0s b gives 15s | 10s e4 -> w 5:05 | w offers takeback
         | b accepts takeback -> w 5:15",
    );
}

/// The move is taken back, and not what somebody gave of their own accord.
#[test]
fn a_gift_made_after_the_move_survives_its_takeback() {
    check(
        "5+0 | 10s e4 | 20s w gives 15s -> b 5:05 | w offers takeback
         | b accepts takeback -> w 5:00, b 5:15 | 30s e4 -> w 4:50, b 5:15",
    );
    check(
        "5+0 | 10s e4 | 20s b gives 30s | w gives 5s | 30s e5 | w gives 60s
         | 40s w offers takeback | b accepts takeback -> w 5:30, b 6:05",
    );
}

#[test]
fn a_gift_survives_one_takeback_after_another_and_counts_once() {
    check(
        "5+0 | 0s e4 e5 Nf3 Nc6 | b gives 15s -> w 5:15 | b offers takeback
         | w accepts takeback -> ply 3, w 5:15 | w offers takeback
         | b accepts takeback -> ply 2, w 5:15, b 5:00 | Nf3 | w gives 5s -> b 5:05
         | w offers takeback | b accepts takeback -> w 5:15, b 5:05",
    );
}

/// The turn begins anew with all of its time: there is nothing to give back
/// a second time.
#[test]
fn a_takeback_returns_to_a_turn_that_downtime_cost_nothing() {
    check(
        "5+0 | 0s e4 | down 20s..30s -> b 4:40 | 30s e5 -> b 4:40 | down 40s..60s -> w 4:50
         | w offers takeback | b accepts takeback -> ply 0, w 5:00, b 5:00",
    );
}

#[test]
fn under_second_ply_the_free_moves_are_free_again() {
    check(
        "3+2, second ply | 5s e4 | 10s e5 | 20s b offers takeback
         | 22s w accepts takeback -> ply 1, w 3:00, b 3:00, due at 47s | 40s c5 -> b 3:00",
    );
}

/// The line without the moves taken back is what counts, also for repetition.
#[test]
fn positions_taken_back_do_not_count_as_occurrences() {
    check(
        "5+0 | 0s Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 | w offers takeback | b accepts takeback
         | Ng1 -> ACTIVE | w offers takeback | b accepts takeback
         | Ng1 -> ACTIVE | Ng8 -> draw by threefold repetition",
    );
}

#[test]
fn castling_rights_come_back_with_the_king() {
    check(
        "5+0, from 4k3/8/8/8/8/8/8/4K2R w K - 3 9 | 0s O-O | w offers takeback
         | b accepts takeback -> fen 4k3/8/8/8/8/8/8/4K2R w K - 3 9 | O-O -> san O-O",
    );
}

#[test]
fn all_offers_lapse_with_a_takeback() {
    check(
        "5+0 | 0s e4 e5 Qh5 | b offers draw | w offers takeback | b accepts takeback -> no offers",
    );
}

/// It was about another position.
#[test]
fn a_takeback_offer_lapses_with_any_move() {
    check("5+0 | 0s e4 e5 Qh5 | w offers takeback | Nc6 -> no offers");
    check("5+0 | 0s e4 e5 | w offers takeback | Nf3 -> no offers");
}

#[test]
fn a_takeback_is_declined_and_not_asked_for_again_in_the_same_position() {
    check(
        "5+0 | 0s e4 e5 Qh5 | w offers takeback | b declines takeback -> no offers, ply 3
         | w offers takeback -> refused too_soon | Nc6 | w offers takeback",
    );
}

/// Each means another position.
#[test]
fn two_takebacks_are_not_offered_at_once() {
    check("5+0 | 0s e4 e5 | w offers takeback | b offers takeback -> refused offer_pending");
}

#[test]
fn there_are_no_takebacks_in_rated_games() {
    check("5+0, rated | 0s e4 | w offers takeback -> refused not_allowed");
}

#[test]
fn there_are_no_takebacks_where_the_players_agreed_on_none() {
    check("5+0, no takebacks | 0s e4 | w offers takeback -> refused not_allowed");
}

#[test]
fn who_has_not_moved_has_nothing_to_take_back() {
    check(
        "5+0 | 0s w offers takeback -> refused not_allowed | e4 | b offers takeback -> refused not_allowed",
    );
}

#[test]
fn a_finished_game_is_not_taken_back() {
    check("5+0 | 0s f3 e5 g4 Qh4 | w offers takeback -> refused game_not_active");
}

/// A client that says which version it saw is never played against its will.
#[test]
fn a_late_retry_of_a_retracted_move_is_stale() {
    check(
        "5+0 | 0s e4 e5 | w plays Qh5 ply 3 version 4 | w offers takeback
         | b accepts takeback -> version 7
         | w plays Qh5 ply 3 version 4 -> refused stale_ply, ply 2
         | w plays Qh5 ply 3 version 6 -> refused stale_ply, ply 2
         | w plays Nf3 ply 3 version 7 -> ply 3",
    );
}

/// A retry of a move that stands is still recognised, if it says no older version.
#[test]
fn a_retry_of_a_move_that_was_not_taken_back_is_answered_again() {
    check(
        "5+0 | 0s e4 e5 Qh5 | w offers takeback | b accepts takeback
         | w plays e4 ply 1 -> unchanged since version 3
         | w plays e4 ply 1 version 7 -> unchanged since version 3
         | w plays Qh5 ply 3 | w plays Qh5 ply 3 -> unchanged, version 8",
    );
}

#[test]
fn a_game_taken_back_to_its_first_moves_may_be_aborted_again() {
    check(
        "5+0 | 0s e4 e5 | w aborts -> refused too_late_to_abort | b offers takeback
         | w accepts takeback | w aborts -> aborted by a player",
    );
}
