//! Every kind of clock, to the millisecond.

use crate::draws::{ROOKS, quiet_moves};
use crate::script::check;

/// FIDE 6.6: "White's clock is started"; 6.2.1: a move stops it.
#[test]
fn white_s_clock_runs_from_the_join_and_each_move_starts_the_other_clock() {
    check(
        "5+0 | 7.882s -> w 4:52.118, b 5:00 | e4 -> w 4:52.118, b 5:00
         | 10s -> w 4:52.118, b 4:57.882 | e5 | 11s -> w 4:51.118, b 4:57.882",
    );
}

#[test]
fn a_waiting_game_runs_no_clock() {
    check("5+0, waiting | 50s b joins | 60s -> w 4:50, b 5:00, due at 350s");
}

#[test]
fn black_s_clock_runs_first_where_black_has_the_first_move() {
    check("5+0, from 4k3/8/8/8/8/8/8/R3K3 b - - 0 1 | 3s -> w 5:00, b 4:57");
}

/// FIDE 6.8 and 6.9: the flag has fallen when no time is left, not before.
#[test]
fn a_move_in_the_last_millisecond_counts_and_one_at_zero_does_not() {
    check("1+0 | 59.999s e4 -> ACTIVE, w 0:00.001");
    check("1+0 | 60s w plays e4 -> refused clock_expired yet recorded, black wins on time, w 0:00");
}

#[test]
fn the_flag_falls_when_nobody_asks() {
    check("1+0 | 0s e4 -> due at 60s | 59.999s tick -> unchanged | 60s tick -> white wins on time");
}

/// However late the server looks, the clock shows no less than nothing.
#[test]
fn a_flag_seen_late_has_fallen_all_the_same() {
    check("1+0 | 0s e4 | 10h tick -> white wins on time, b 0:00, w 1:00");
}

#[test]
fn sudden_death_gives_nothing_back() {
    check("1+0 | 0s e4 | 10s e5 | 15s Nf3 | 40s Nc6 -> w 0:55, b 0:25, due at 95s");
}

#[test]
fn fischer_s_clock_gives_the_increment_after_each_move() {
    check("3+2 | 1s e4 -> w 3:01, b 3:00 | 11s e5 -> b 2:52 | 31s Nf3 -> w 2:43, due at 203s");
}

/// The increment comes with the completed move, too late for a fallen flag.
#[test]
fn the_increment_does_not_save_a_fallen_flag() {
    check("1+30 | 60s w plays e4 -> refused clock_expired yet recorded, black wins on time");
}

/// As on Lichess: a game without initial time begins with its increment, but at least 3 s.
#[test]
fn a_clock_that_starts_at_zero_lives_on_its_increment() {
    check("0+1 -> w 0:03, due at 3s | 2.5s e4 -> w 0:01.500, b 0:03");
    check("0+10 -> w 0:10 | 4s e4 -> w 0:16");
}

/// FIDE 6.3.2: the main time "only commences after the fixed extra time has expired".
#[test]
fn the_us_delay_runs_before_the_clock_does() {
    check(
        "1+5 us delay | 5s -> w 1:00, due at 65s | 8s -> w 0:57 | e4 -> w 0:57
         | 12s e5 -> b 1:00 | 74s -> w 0:00, black wins on time",
    );
    check("1+5 us delay | 64.999s e4 -> w 0:00.001 | 70s e5 | 75.001s -> black wins on time");
}

#[test]
fn bronstein_s_clock_gives_back_what_was_used_up_to_the_delay() {
    check(
        "1+5 bronstein | 3s -> w 0:57, due at 60s | e4 -> w 1:00
         | 11s e5 -> b 0:57 | 20s Nf3 -> w 0:56 | 76.999s -> ACTIVE | 77s -> white wins on time",
    );
}

/// The two delays leave the same time after the same moves; only while a move
/// is thought over do they differ, by the delay.
#[test]
fn the_two_delays_differ_only_in_when_the_flag_falls() {
    for (kind, due) in [("us delay", "73s"), ("bronstein", "68s")] {
        check(&format!(
            "1+5 {kind} | 4s e4 | 8s e5 -> w 1:00, b 1:00, due at {due} | 20s Nf3 -> w 0:53"
        ));
    }
}

/// FIDE 6.3: so many moves in the first period, the rest in the next. 40 moves
/// in 90 minutes, then 30 minutes, with 30 seconds for each move from the first.
#[test]
fn forty_moves_in_ninety_minutes_then_thirty_with_thirty_seconds_a_move() {
    check(&format!(
        "40/90+30 then 30+30, from {ROOKS} | 0s {} -> w 1:49:30, b 1:49:30
         | 60s {} -> w 2:19:00, b 1:49:30 | {} -> w 2:19:00, b 2:20:00
         | {} -> w 2:19:30, b 2:20:30",
        quiet_moves(0..78),
        quiet_moves(78..79),
        quiet_moves(79..80),
        quiet_moves(80..82),
    ));
}

/// FIDE 6.3.2: time saved in one period is added to the next.
#[test]
fn the_next_stage_is_added_to_what_was_saved() {
    check("2/1+0 then 1+0 | 10s e4 e5 | 30s Nf3 -> w 1:30, b 1:00 | 89.999s Nc6 -> b 1:00.001");
}

#[test]
fn a_stage_not_completed_in_time_is_lost() {
    check("2/1+0 then 5+0 | 10s e4 e5 -> due at 60s | 60s -> black wins on time");
}

#[test]
fn each_stage_has_its_own_increment() {
    check("1/1+2 then 1+5 | 0s e4 -> w 2:02 | 0s e5 Nf3 -> w 2:07, b 2:02");
}

#[test]
fn a_correspondence_move_has_its_days_and_the_next_has_them_again() {
    check("3 days | 2d23h e4 -> w 3d, due at 5d23h | 3d e5 -> b 3d | 6d -> black wins on time");
}

#[test]
fn without_a_clock_nothing_ever_falls_due() {
    check("no clock | 0s e4 -> nothing due | 40d tick -> unchanged, ACTIVE | e5");
}

/// `clock_start: second_ply`, as on Lichess: a first move costs no time and
/// gives no increment; the clock runs from Black's first move on.
#[test]
fn the_first_moves_are_free_where_the_clock_starts_with_the_second_half_move() {
    check(
        "3+2, second ply | 10s -> w 3:00, b 3:00 | e4 -> w 3:00, b 3:00
         | 30s e5 -> w 3:00, b 3:00, due at 210s | 31s Nf3 -> w 3:01, b 3:00",
    );
}

#[test]
fn a_first_move_not_made_in_time_aborts_the_game() {
    for (control, limit, before) in [
        ("0.25+0", "15s", "14.999s"),
        ("1+0", "20s", "19.999s"),
        ("3+2", "25s", "24.999s"),
        ("10+0", "30s", "29.999s"),
        ("90+30", "35s", "34.999s"),
    ] {
        check(&format!(
            "{control}, second ply -> due at {limit} | {before} tick -> unchanged
             | {limit} tick -> aborted by no first move"
        ));
    }
}

#[test]
fn black_s_first_move_has_the_same_limit_from_white_s_move_on() {
    check("3+2, second ply | 20s e4 -> due at 45s | 45s -> aborted by no first move");
    check("3+2, second ply | 20s e4 | 44.999s e5 -> ACTIVE, b 3:00");
}

#[test]
fn a_first_move_that_comes_too_late_finds_the_game_aborted() {
    check(
        "3+2, second ply | 25s w plays e4 -> refused game_not_active yet recorded
         , aborted by no first move",
    );
}

/// Nobody is hurried where seconds do not count.
#[test]
fn correspondence_has_no_first_move_limit() {
    check("3 days, second ply -> due at 3d | 2d e4 -> ACTIVE, w 3d");
}

/// Whatever the machine's clock does, no sequence of arrivals adds time.
#[test]
fn a_move_received_before_the_last_change_counts_as_of_that_change() {
    check("1+0 | 10s e4 | 4s e5 -> w 0:50, b 1:00 | 12s Nf3 -> w 0:48, b 1:00");
}

#[test]
fn a_clock_set_back_neither_gives_nor_takes_time() {
    check(
        "1+2 | 20s e4 -> w 0:42 | 30s b offers draw -> refused too_soon | 25s e5 -> b 0:57
         | 0s -> w 0:42, b 0:57 | 5s Nf3 -> w 0:44, due at 82s",
    );
}

#[test]
fn a_late_arrival_after_the_flag_fell_does_not_lift_it() {
    check("1+0 | 60s tick -> black wins on time | 30s w plays e4 -> refused game_not_active");
}
