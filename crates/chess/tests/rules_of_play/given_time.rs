//! Time that a player, the server or an operator gives.

use crate::script::check;

#[test]
fn a_player_may_give_the_opponent_from_five_to_sixty_seconds() {
    check("5+0 | 0s e4 e5 | 10s b gives 15s -> w 5:05, b 5:00, due at 315s");
    check("5+0 | 0s e4 e5 | 10s w gives 60s -> w 4:50, b 6:00");
    for refused in ["4.999s", "60.001s", "0s"] {
        check(&format!(
            "5+0 | 0s w gives {refused} -> refused not_allowed"
        ));
    }
}

#[test]
fn time_is_given_in_casual_games_with_a_clock_that_counts_seconds() {
    check("5+0, rated | 0s w gives 15s -> refused not_allowed");
    check("3 days | 0s w gives 15s -> refused not_allowed");
    check("no clock | 0s w gives 15s -> refused not_allowed");
}

#[test]
fn a_gift_does_not_lift_a_fallen_flag() {
    check("1+0 | 60s b gives 15s -> refused game_not_active yet recorded, black wins on time");
}

#[test]
fn a_clock_is_given_a_day_at_the_most() {
    check(
        "5+0 | op sets 23:59:45 5:00 | b gives 15s -> w 24h | b gives 5s -> refused not_allowed
         | w gives 5s -> b 5:05",
    );
}

#[test]
fn strangers_give_nothing() {
    check("5+0 | 0s x gives 15s -> refused not_a_player");
}

/// What the server's own downtime cost the side to move is given back.
#[test]
fn downtime_costs_nobody_anything() {
    check("5+0 | 0s e4 | 10s e5 | down 20s..35s -> w 4:50, b 4:50, due at 325s | 36s -> w 4:49");
}

#[test]
fn a_flag_that_would_have_fallen_during_the_downtime_has_not() {
    check("1+0 | 0s e4 | down 50s..1h -> ACTIVE, b 0:10 | 1h9.999s e5 -> b 0:00.001");
}

#[test]
fn a_flag_that_had_fallen_before_the_downtime_has_fallen() {
    check("1+0 | 0s e4 | down 60s..90s -> white wins on time");
    check("1+0 | 0s e4 | down 59.999s..90s -> ACTIVE, b 0:00.001");
}

/// A game nobody looked at through several downtimes gets them all at once.
#[test]
fn several_downtimes_are_credited_together() {
    check("5+0 | 0s e4 | down 20s..30s 40s..60s -> b 4:30");
    check("1+0 | 0s e4 | down 30s..40s 70s..80s -> white wins on time");
    check("1+0 | 0s e4 | down 30s..40s 69.999s..80s -> ACTIVE, b 0:00.001");
}

/// The server may not know exactly when it went down; but it was up when it
/// recorded the last change.
#[test]
fn a_credit_never_exceeds_what_was_spent_since_the_last_change() {
    check("5+0 | 10s e4 | down 5s..15s -> w 4:50, b 5:00");
    check("5+0 | 0s e4 e5 | 10s w offers pause | down 5s..20s -> w 4:50");
}

#[test]
fn the_same_downtime_is_credited_once() {
    check(
        "5+0 | 0s e4 | down 20s..30s -> b 4:40 | down 20s..30s -> unchanged, b 4:40
         | down 20s..31s -> b 4:40 | 32s -> b 4:39",
    );
}

/// What a failing store cost and the downtime that followed may overlap.
#[test]
fn no_moment_is_credited_twice() {
    check("5+0 | 0s e4 | down 20s..40s 25s..30s -> b 4:40");
    check("5+0 | 0s e4 | down 20s..30s 25s..40s -> b 4:40");
}

/// A takeback returns to the clock of a turn, not to that clock and the credit.
#[test]
fn a_credit_and_a_takeback_do_not_add_up() {
    check(
        "5+0 | 0s e4 | down 20s..30s -> b 4:40 | 30s e5 -> b 4:40 | b offers takeback
         | w accepts takeback -> b 5:00 | 40s e5 -> b 4:50",
    );
}

#[test]
fn a_credit_gives_a_us_delay_once() {
    check("1+5 us delay | down 3s..60s -> w 1:00 | 64s -> w 0:58 | e4 -> w 0:58");
    check("1+5 bronstein | down 3s..60s -> w 0:57 | 64s -> w 0:53 | e4 -> w 0:58");
}

#[test]
fn a_first_move_has_its_limit_without_the_downtime() {
    check(
        "3+2, second ply | down 20s..100s -> ACTIVE, due at 105s | 105s -> aborted by no first move",
    );
    check("3+2, second ply | down 25s..100s -> aborted by no first move");
}

#[test]
fn where_no_clock_runs_nothing_is_credited() {
    check("no clock | down 0s..1h -> unchanged");
    check("5+0, waiting | down 0s..1h -> unchanged");
    check("5+0 | w resigns | down 0s..1h -> unchanged");
    check("5+0 | w offers pause | b accepts pause | down 0s..1h -> unchanged");
}

#[test]
fn only_the_server_credits_its_downtime() {
    check(
        "5+0 | 0s w down 0s..20s -> refused not_allowed | op down 0s..20s -> refused not_allowed",
    );
}

#[test]
fn an_operator_sets_both_clocks() {
    check("5+0 | 10s op sets 2:00 3:00 -> w 2:00, b 3:00, due at 130s");
    check("5+0 | w offers pause | b accepts pause | op sets 2:00 3:00 -> PAUSED, w 2:00");
    for refused in ["0s 3:00", "3:00 24h0.001s"] {
        check(&format!(
            "5+0 | 0s op sets {refused} -> refused not_allowed"
        ));
    }
    check("3 days | 0s op sets 2:00 3:00 -> refused not_allowed");
}

#[test]
fn an_operator_stops_the_clocks_and_starts_them_again() {
    check(
        "5+0, rated | 10s op pauses -> PAUSED, w 4:50 | 1h w resumes -> refused not_allowed
         | op resumes -> ACTIVE, w 4:50 | op resumes -> unchanged",
    );
}

#[test]
fn an_operator_may_end_a_pause_of_the_players() {
    check("5+0 | w offers pause | b accepts pause | w resumes | op resumes -> ACTIVE");
}

#[test]
fn only_an_operator_has_an_operators_rights() {
    for command in [
        "sets 2:00 3:00",
        "pauses",
        "adjudicates white wins",
        "adjudicates abort",
    ] {
        for who in ["w", "x", "server"] {
            check(&format!("5+0 | 0s {who} {command} -> refused not_allowed"));
        }
    }
}

#[test]
fn an_operator_changes_the_result_of_a_game_that_is_over() {
    check("5+0 | 0s e4 e5 | w resigns | op rules white wins -> white wins by adjudication");
    check("5+0 | 0s e4 e5 | w resigns | op rules draw -> draw by adjudication");
    check("5+0 | 0s e4 e5 | w resigns | op rules draw | op rules draw -> unchanged");
    check("5+0 | 0s e4 e5 | w resigns | op rules black wins -> unchanged");
    check("5+0 | 0s e4 e5 | w resigns | w rules white wins -> refused not_allowed");
    check("5+0 | 0s e4 e5 | op rules white wins -> refused not_allowed");
    check("5+0, waiting | w cancels | op rules white wins -> refused not_allowed");
}

#[test]
fn an_operator_decides_no_game_that_has_not_begun_or_is_over() {
    check("5+0, waiting | op adjudicates white wins -> refused game_not_active");
    check("5+0 | w resigns | op adjudicates white wins -> refused game_not_active");
}
