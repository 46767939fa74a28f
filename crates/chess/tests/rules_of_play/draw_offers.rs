//! Offering a draw, answering, and not being a nuisance (FIDE 9.1).

use crate::draws::{ROOKS, quiet_moves};
use crate::script::check;

#[test]
fn an_offer_stands_until_it_is_answered() {
    check(
        "5+0 | 0s e4 e5 | w offers draw -> draw offered by w | 10s Nf3 -> draw offered by w
         | 60s b accepts draw -> draw by agreement, no offers",
    );
}

/// FIDE 9.1.2.1: the offer is rejected "by touching a piece" to move it.
#[test]
fn an_offer_lapses_when_the_opponent_moves() {
    check(
        "5+0 | 0s e4 e5 | w offers draw | Nf3 -> draw offered by w | Nc6 -> no offers
         | b accepts draw -> refused no_offer",
    );
}

#[test]
fn an_offer_may_be_declined() {
    check("5+0 | 0s e4 e5 | w offers draw | b declines draw -> no offers, ACTIVE");
}

#[test]
fn an_offer_against_a_standing_offer_accepts_it() {
    check("5+0 | 0s e4 e5 | w offers draw | b offers draw -> draw by agreement");
}

/// FIDE 9.1.2.1: the offer belongs to the move.
#[test]
fn a_draw_may_be_offered_with_a_move() {
    check(
        "5+0 | 0s e4 e5 | w plays Nf3 offering draw -> draw offered by w
         | b accepts draw -> draw by agreement",
    );
}

/// The move rejects the standing offer before the new one is made.
#[test]
fn a_move_with_an_offer_answers_the_opponents_offer_with_a_new_one() {
    check(
        "5+0 | 0s e4 e5 Nf3 | w offers draw | b plays Nc6 offering draw -> draw offered by b, ACTIVE",
    );
}

#[test]
fn the_last_move_of_a_game_offers_nothing() {
    check("5+0 | 0s f3 e5 g4 | b plays Qh4 offering draw -> black wins by checkmate, no offers");
}

#[test]
fn an_offer_may_be_withdrawn_by_whoever_made_it() {
    check(
        "5+0 | 0s e4 e5 | w offers draw | w declines draw -> no offers, ACTIVE
         | w declines draw -> unchanged | b accepts draw -> refused no_offer
         | w offers draw -> refused too_soon",
    );
    check("5+0 | 0s e4 | w offers takeback | w declines takeback -> no offers, ply 1");
    check("5+0 | 0s e4 | w offers pause | w declines pause -> no offers, ACTIVE");
}

#[test]
fn nobody_accepts_or_declines_what_nobody_offered() {
    check(
        "5+0 | 0s e4 e5 | w accepts draw -> refused no_offer | b declines draw -> refused no_offer
         | w offers draw | w accepts draw -> refused no_offer",
    );
}

#[test]
fn a_draw_is_not_offered_before_both_have_moved() {
    check(
        "5+0 | 0s w offers draw -> refused too_soon | e4 | w offers draw -> refused too_soon
         | b plays e5 offering draw -> no offers, ply 2 | w offers draw",
    );
}

#[test]
fn the_next_offer_waits_for_twenty_half_moves() {
    check(&format!(
        "5+0, from {ROOKS} | 0s {} | w offers draw | b declines draw
         | {} | w offers draw -> refused too_soon | b offers draw | w declines draw
         | w plays {} offering draw -> no offers | {} | w offers draw -> draw offered by w",
        quiet_moves(0..2),
        quiet_moves(2..20),
        quiet_moves(20..21),
        quiet_moves(21..22),
    ));
}

#[test]
fn a_fallen_flag_comes_before_an_agreement() {
    check(
        "1+0 | 0s e4 e5 | w offers draw
         | 60s b accepts draw -> refused game_not_active yet recorded, black wins on time",
    );
}

#[test]
fn strangers_offer_and_accept_nothing() {
    check(
        "5+0 | 0s e4 e5 | x offers draw -> refused not_a_player | w offers draw
         | x accepts draw -> refused not_a_player | op accepts draw -> refused not_a_player",
    );
}
