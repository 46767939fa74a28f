//! Stopping the clocks by agreement, and going on.

use crate::script::check;

const PAUSED: &str = "5+0 | 0s e4 e5 | 10s w offers pause | 20s b accepts pause";

#[test]
fn a_pause_stops_the_clocks_in_the_middle_of_a_move() {
    check(&format!(
        "{PAUSED} -> PAUSED, w 4:40, no offers | 1h -> w 4:40, b 5:00
         | 1h w resumes -> PAUSED | 2h b resumes -> ACTIVE, w 4:40 | 2h5s -> w 4:35"
    ));
}

#[test]
fn an_offer_against_a_standing_pause_offer_accepts_it() {
    check("5+0 | 0s e4 e5 | w offers pause | b offers pause -> PAUSED");
}

#[test]
fn a_pause_offer_lapses_when_the_opponent_moves_or_declines() {
    check("5+0 | 0s e4 | w offers pause -> pause offered by w | e5 -> no offers");
    check("5+0 | 0s e4 | w offers pause | b declines pause -> no offers, ACTIVE");
}

#[test]
fn a_us_delay_is_not_had_twice_by_pausing() {
    check(
        "1+5 us delay | 4s w offers pause | b accepts pause | 1h w resumes | b resumes
         | 1h4s -> w 0:57 | e4 -> w 0:57",
    );
}

/// One alone does not set the clocks going again.
#[test]
fn both_must_resume() {
    check(&format!(
        "{PAUSED} | w resumes -> PAUSED | w resumes -> unchanged, PAUSED | b resumes -> ACTIVE"
    ));
}

#[test]
fn who_is_ready_to_go_on_is_known_until_both_are() {
    check(&format!(
        "{PAUSED} -> nobody is ready | w resumes -> w is ready | b resumes -> nobody is ready
         | w offers pause | b accepts pause -> nobody is ready | b resumes -> b is ready"
    ));
}

/// What is due then is the end of the adjournment, which no move can meet.
#[test]
fn no_move_is_due_in_a_paused_game_that_counts_days() {
    check(
        "3 days | 0s e4 -> move by 3d | 1d w offers pause | b accepts pause
         -> no move due, adjourned until 31d | 9d w resumes -> no move due, adjourned until 31d
         | b resumes -> ACTIVE, move by 11d",
    );
    check("5+0 | 0s e4 -> no move due | w offers pause | b accepts pause -> adjourned until 30d");
}

#[test]
fn moves_claims_takebacks_and_gifts_wait_until_the_game_goes_on() {
    for command in [
        "w plays Nf3",
        "w claims draw",
        "b claims win gone since 0s",
        "w offers takeback",
        "w gives 15s",
    ] {
        check(&format!(
            "{PAUSED} | 1h {command} -> refused game_not_active, because the game is PAUSED"
        ));
    }
}

#[test]
fn a_paused_game_may_be_resigned() {
    check(&format!(
        "{PAUSED} | b resigns -> white wins by resignation"
    ));
}

#[test]
fn a_paused_game_may_be_drawn() {
    check(&format!(
        "{PAUSED} | w offers draw -> PAUSED, draw offered by w | b declines draw -> no offers
         | b offers draw | w accepts draw -> draw by agreement"
    ));
}

#[test]
fn an_adjourned_game_is_aborted_after_thirty_days() {
    check(&format!(
        "{PAUSED} -> due at 30d20s | 30d19.999s tick -> unchanged
         | 30d20s tick -> aborted by adjournment"
    ));
}

/// As with a flag: what is due has happened, even if nobody has looked yet.
#[test]
fn an_adjourned_game_cannot_be_resumed_resigned_or_drawn_after_thirty_days() {
    for command in ["w resumes", "w resigns", "w offers draw", "op resumes"] {
        check(&format!(
            "{PAUSED} | 31d {command} -> refused game_not_active yet recorded, aborted by adjournment"
        ));
    }
}

#[test]
fn the_thirty_days_begin_with_each_pause() {
    check(&format!(
        "{PAUSED} | 19d w resumes -> due at 30d20s | b resumes | w offers pause
         | b accepts pause -> PAUSED, due at 49d"
    ));
}

#[test]
fn rated_games_are_paused_only_if_they_take_days() {
    check("5+0, rated | 0s e4 | w offers pause -> refused not_allowed");
    check(
        "3 days, rated | 0s e4 | 1d w offers pause | b accepts pause -> PAUSED, b 2d | 9d -> b 2d",
    );
}

#[test]
fn a_pause_before_the_first_move_stops_its_limit_too() {
    check(
        "3+2, second ply | 10s w offers pause | b accepts pause | 1h w resumes | b resumes
         -> due at 1h15s | 1h15s -> aborted by no first move",
    );
}

#[test]
fn what_is_not_paused_is_not_resumed() {
    check("5+0 | 0s w resumes -> refused not_allowed, because the game is not paused");
}
