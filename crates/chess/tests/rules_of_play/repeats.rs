//! Repeating what is already in effect changes nothing and is no mistake; and
//! nothing leaves COMPLETED.

use crate::script::check;

/// The step that does something, which is then done again.
#[test]
fn a_command_repeated_is_answered_as_done() {
    for (before, step) in [
        ("5+0, waiting", "b joins"),
        ("5+0, waiting, for b", "b declines"),
        ("5+0, waiting", "w cancels"),
        ("5+0", "w resigns"),
        ("5+0", "b aborts"),
        ("5+0 | e4 e5", "w offers draw"),
        ("5+0 | e4 e5 | w offers draw", "b accepts draw"),
        ("5+0 | e4 e5 | w offers draw", "b declines draw"),
        ("5+0 | e4 e5", "w offers takeback"),
        ("5+0 | e4 e5 | w offers takeback", "b accepts takeback"),
        ("5+0 | e4 e5 | w offers takeback", "b declines takeback"),
        ("5+0 | e4 e5", "w offers pause"),
        ("5+0 | e4 e5 | w offers pause", "b accepts pause"),
        ("5+0 | e4 e5 | w offers pause", "b declines pause"),
        ("5+0 | w offers pause | b accepts pause", "w resumes"),
        (
            "5+0 | w offers pause | b accepts pause | w resumes",
            "b resumes",
        ),
        ("3+2 | 90s e4", "w claims win gone since 0s"),
        ("3+2 | 90s e4", "w claims draw gone since 0s"),
        (
            "5+0, claim | Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8",
            "w claims draw",
        ),
        ("5+0", "op pauses"),
        ("5+0 | op pauses", "op resumes"),
        ("5+0", "op adjudicates draw"),
        ("5+0, waiting", "w invites x"),
        ("5+0 | e4", "b plays e5 ply 2"),
    ] {
        check(&format!("{before} | {step} | {step} -> unchanged"));
    }
    check("1+0 | 60s tick -> black wins on time | tick -> unchanged");
}

/// The opponent's own resignation comes too late.
#[test]
fn only_ones_own_resignation_is_in_effect() {
    check("5+0 | w resigns | b resigns -> refused game_not_active, black wins by resignation");
}

/// Both wanted it, whoever said it first.
#[test]
fn what_both_wanted_is_in_effect_for_both() {
    check("5+0 | w aborts | b aborts -> unchanged");
    check("5+0 | e4 e5 | w offers draw | b accepts draw | w offers draw -> unchanged");
    check("5+0 | w offers pause | b accepts pause | w offers pause -> unchanged");
}

#[test]
fn a_move_repeated_is_answered_as_the_first_time_in_any_spelling() {
    check(
        "5+0 | 1s e4 | 2s e5 | 3s w plays e2e4 ply 1 -> unchanged since version 3
         | w plays e2-e4 ply 1 -> unchanged since version 3 | Nf3 | b resigns
         | 9s b plays e7e5 ply 2 -> unchanged since version 4",
    );
}

#[test]
fn a_time_gift_is_no_state_to_be_in_and_is_given_again() {
    check("5+0 | b gives 15s -> w 5:15 | b gives 15s -> w 5:30");
}

#[test]
fn nothing_leaves_completed() {
    for command in [
        "b joins by code",
        "w plays e4",
        "w resigns",
        "w aborts",
        "w offers draw",
        "b accepts draw",
        "w declines draw",
        "w offers takeback",
        "b accepts takeback",
        "w offers pause",
        "b accepts pause",
        "w resumes",
        "w claims draw gone since 0s",
        "b claims win gone since 0s",
        "w gives 15s",
        "w cancels",
        "w invites x",
        "op pauses",
        "op resumes",
        "op sets 1:00 1:00",
        "op adjudicates white wins",
    ] {
        let refused = match command {
            "b joins by code" => "unchanged",
            "w cancels" => "refused game_not_waiting",
            _ => "refused game_not_active",
        };
        check(&format!(
            "5+0 | 0s f3 e5 g4 Qh4 -> COMPLETED, version 6, nothing due
             | 1h {command} -> {refused}, black wins by checkmate, version 6"
        ));
    }
}

#[test]
fn the_clocks_of_a_finished_game_stand() {
    check("5+0 | 10s e4 | 15s b resigns -> w 4:50, b 4:55 | 1h -> w 4:50, b 4:55");
}
