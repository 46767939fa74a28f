//! Being away for days: only in games with days per move, and only on one's own move.

use crate::script::check;

#[test]
fn the_deadline_moves_by_the_part_of_a_vacation_in_which_one_was_to_move() {
    check(
        "3 days | 0s e4 e5 -> move by 3d | 1d server notes w away until 5d -> move by 7d
         | 6d Nf3 -> move by 9d | 8d Nc6 -> move by 11d",
    );
}

#[test]
fn the_opponent_s_clock_runs_all_the_while() {
    check(
        "3 days | 0s e4 | 1d server notes w away until 9d -> b to move, move by 3d
         | 2d e5 -> w to move, move by 12d | 3d Nf3 -> move by 6d | 4d Nc6 -> move by 12d",
    );
    check("3 days | 0s e4 | 1d server notes w away until 9d | 3d -> white wins on time");
}

/// Nobody needs to note it: the record says when it is over.
#[test]
fn a_vacation_ends_by_itself() {
    check(
        "1 days | 0s server notes w away until 10d -> move by 11d | 10d -> ACTIVE
         | 10d23h -> ACTIVE | 11d -> black wins on time",
    );
    check("1 days | 0s server notes w away until 10d | 10d12h e4 -> move by 11d12h");
}

#[test]
fn whoever_comes_back_earlier_goes_on_with_what_was_left() {
    check(
        "3 days | 2d server notes w away until 20d -> move by 21d
         | 5d server notes w back -> move by 6d | 6d -> black wins on time",
    );
    check(
        "3 days | server notes w away until 9d | 1d server notes w away until 4d -> move by 7d
         | 2d server notes w away until 4d -> unchanged
         | 4d server notes w back -> unchanged | 4d e4 -> move by 7d",
    );
}

#[test]
fn what_is_past_is_no_vacation() {
    check("3 days | 2d server notes w away until 1d -> unchanged, move by 3d");
    check(
        "3 days | 3d server notes w away until 9d -> refused game_not_active yet recorded, black wins on time",
    );
}

#[test]
fn both_can_be_away() {
    check(
        "2 days | 0s server notes w away until 10d | server notes b away until 12d -> move by 12d
         | 1d e4 -> move by 14d | 3d e5 -> move by 12d",
    );
}

#[test]
fn a_pause_and_a_takeback_go_with_it() {
    check(
        "3 days | 0s e4 e5 | 1d w offers pause | b accepts pause | server notes w away until 9d
         | 2d w resumes | b resumes -> ACTIVE, move by 11d",
    );
    check(
        "3 days | 0s e4 | server notes w away until 9d | 1d w offers takeback
         | 2d b accepts takeback -> w to move, move by 12d",
    );
}

/// What falls into a vacation costs nothing, so there is nothing to give back.
#[test]
fn downtime_is_given_back_only_where_the_clock_ran() {
    check(
        "3 days | 0s server notes w away until 5d -> move by 8d
         | down 2d..4d -> unchanged, move by 8d | 4d12h -> move by 8d",
    );
    check("3 days | 0s server notes w away until 5d | down 4d..7d -> ACTIVE, move by 10d");
    check("3 days | 0s server notes w away until 5d | down 9d..12d -> black wins on time");
}

#[test]
fn nobody_is_away_where_seconds_count_or_nothing_is_played() {
    check("5+0 | 0s server notes w away until 5d -> refused not_allowed");
    check("3 days | 0s w notes w away until 5d -> refused not_allowed");
    check("3 days | 0s server notes x away until 5d -> refused not_a_player");
    check("3 days, waiting | 0s server notes w away until 5d -> refused game_not_active");
    check("3 days | 0s b resigns | server notes w away until 5d -> refused game_not_active");
}
