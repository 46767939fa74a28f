//! Before and beside the match: joining, closing, aborting.

use chess::table::State;
use chess::table::Table as _;

use crate::script::{check, player};

#[test]
fn the_host_is_white_and_the_joiner_black() {
    let waiting = check("waiting");
    assert_eq!(waiting.version(), 1);
    assert_eq!(waiting.players(), [Some(player("w")), None]);
    assert_eq!(waiting.summary().state, State::Waiting);
    let joined = check("waiting | b joins -> drafting, revision 2");
    assert_eq!(joined.players(), [Some(player("w")), Some(player("b"))]);
    assert_eq!(joined.summary().state, State::Active);
}

#[test]
fn joining_again_is_coming_back() {
    check("waiting | w joins -> unchanged, waitingForPlayers");
    check("drafting | b joins -> unchanged | w joins -> unchanged");
    check("active | w resigns | b joins -> unchanged");
}

#[test]
fn there_are_two_seats() {
    check("drafting | stranger joins -> refused roomFull");
    check(
        "active | stranger joins -> refused roomFull | w resigns | stranger joins -> refused roomNotFound",
    );
    check("waiting | op aborts | b joins -> refused roomNotFound");
    check("waiting | server joins -> refused seatOwnership");
}

#[test]
fn an_unjoined_room_closes_fifteen_minutes_after_its_host_left() {
    check(
        "waiting -> due at 15m | 14m59.999s server looks host seen 0s -> unchanged
         | 15m server looks host seen 0s -> finished, aborted, nobody wins, never due",
    );
    check(
        "waiting | 20m -> due at 35m | 20m server looks host seen 10m -> unchanged
         | 25m server looks host seen 10m -> aborted | 26m b joins -> refused roomNotFound",
    );
}

#[test]
fn a_host_closes_a_room_that_nobody_has_joined() {
    let closed = check(
        "waiting | w leaves as 7 -> finished, aborted, nobody wins, revision 2, never due
         | w leaves as 7 -> as at 2 | w leaves -> unchanged | b joins -> refused roomNotFound",
    );
    assert_eq!(closed.summary().state, State::Completed);
    check("waiting | w leaves at 9 -> refused staleRevision, waitingForPlayers");
    check("waiting | w returns -> unchanged | w resigns -> refused invalidPhase");
    // Once there is an opponent, leaving is only being away.
    for phase in ["drafting", "active"] {
        check(&format!(
            "{phase} | w leaves at 1 -> unchanged, {phase} | b leaves -> unchanged, {phase}"
        ));
    }
}

#[test]
fn an_unjoined_room_closes_after_a_day() {
    check(
        "waiting | 23h50m -> due at 24h | 23h59m59.999s server looks -> unchanged
         | 24h server looks -> aborted",
    );
    check("waiting | 23h59m59.999s b joins -> drafting");
    check("waiting | 24h b joins -> refused roomNotFound, aborted, finished");
}

#[test]
fn a_joined_match_never_closes_by_itself() {
    for phase in ["drafting", "active"] {
        check(&format!(
            "{phase} -> never due | 900h server looks host seen 0s -> unchanged, {phase}"
        ));
    }
}

#[test]
fn only_an_operator_aborts() {
    for phase in ["waiting", "drafting", "active"] {
        for who in ["w", "b", "stranger", "server"] {
            check(&format!("{phase} | {who} aborts -> refused seatOwnership"));
        }
        check(&format!(
            "{phase} | op aborts -> finished, aborted, nobody wins | op aborts -> unchanged"
        ));
    }
    check("active | w resigns | op aborts -> refused invalidPhase, black wins");
}
