//! Before the game: joining, declining, cancelling, expiring.

use crate::script::check;

#[test]
fn creation_is_version_one_the_join_two_and_the_first_move_three() {
    check("5+0, waiting -> WAITING, version 1 | 9s b joins -> ACTIVE, version 2 | e4 -> version 3");
}

#[test]
fn anyone_may_join_an_open_game() {
    check("5+0, waiting | 1s x joins -> ACTIVE, w sits white, x sits black, b sits nowhere");
}

#[test]
fn the_creator_chooses_a_side_or_leaves_it_to_chance() {
    check("5+0, by black -> ACTIVE, b sits black, w sits white");
    check("5+0, waiting, any colour -> w sits nowhere | b joins tossed black -> w sits white");
    check("5+0, waiting, any colour | b joins tossed white -> w sits black, b sits white");
    check("5+0, waiting | b joins tossed white -> w sits white, b sits black");
}

#[test]
fn nobody_joins_their_own_game_or_one_that_has_begun() {
    check("5+0, waiting | w joins -> refused own_game");
    check("5+0 | x joins -> refused game_not_waiting | w joins -> refused game_not_waiting");
}

#[test]
fn a_game_meant_for_someone_is_joined_by_nobody_else() {
    check(
        "5+0, waiting, for b | x joins -> refused not_invited
         | x joins by code -> refused not_invited | b joins -> ACTIVE",
    );
}

#[test]
fn a_private_game_is_joined_by_invitation_or_code() {
    check("5+0, waiting, private | x joins -> refused not_invited | x joins by code -> ACTIVE");
    check("5+0, waiting, private | w invites x | x joins -> ACTIVE");
}

#[test]
fn only_the_creator_or_an_operator_invites_and_nobody_twice() {
    check(
        "5+0, waiting, private | b invites x -> refused not_allowed | w invites x -> version 2
         | w invites x -> unchanged | op invites x b -> version 3",
    );
    check("5+0 | w resigns | w invites x -> refused game_not_active");
}

#[test]
fn the_invited_player_may_decline() {
    check("5+0, waiting, for b | b declines -> aborted by the invited player");
    check("5+0, waiting, for b | b declines because tooFast -> declined because tooFast");
    check(
        "5+0, waiting, for b | b declines because later | b declines because noBot -> unchanged,
         declined because later",
    );
    check("5+0, waiting, for b | x declines -> refused not_invited");
    check("5+0, waiting | b declines -> refused not_invited");
    check("5+0, for b | b declines -> refused game_not_waiting");
}

#[test]
fn the_creator_may_cancel_a_waiting_game() {
    check(
        "5+0, waiting | w cancels -> aborted by its creator | b joins -> refused game_not_waiting",
    );
    check("5+0, waiting | b cancels -> refused not_a_player");
    check("5+0 | w cancels -> refused game_not_waiting");
}

#[test]
fn an_open_real_time_game_expires_a_minute_after_its_creator_was_last_seen() {
    check(
        "5+0, waiting | 10m tick host seen 9m0.001s -> unchanged
         | 10m tick host seen 9m -> aborted by expiry",
    );
}

#[test]
fn a_game_meant_for_someone_expires_after_a_day() {
    check(
        "5+0, waiting, for b -> due at 24h | 23h59m59.999s tick host seen 0s -> unchanged
         | 24h tick -> aborted by expiry",
    );
}

#[test]
fn a_slow_game_expires_after_two_weeks() {
    for control in ["3 days", "no clock", "3 days, for b"] {
        check(&format!(
            "{control}, waiting -> due at 14d | 14d tick -> aborted by expiry"
        ));
    }
}

/// As with a flag: what is due has happened, even if nobody has looked yet.
#[test]
fn an_expired_game_cannot_be_joined() {
    check("5+0, waiting, for b | 23h59m59.999s b joins -> ACTIVE");
    check(
        "5+0, waiting, for b | 24h b joins -> refused game_not_waiting yet recorded
         , aborted by expiry",
    );
}

#[test]
fn a_waiting_game_is_not_played() {
    for command in [
        "w plays e4",
        "w resigns",
        "w aborts",
        "w offers draw",
        "w claims win gone since 0s",
        "w gives 15s",
        "w resumes",
        "op pauses",
    ] {
        for terms in ["5+0, waiting", "5+0, waiting, any colour"] {
            check(&format!(
                "{terms} | 1s {command} -> refused game_not_active, because the game is WAITING"
            ));
        }
    }
}
