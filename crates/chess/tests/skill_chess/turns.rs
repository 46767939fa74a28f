//! The match being played: whose turn, which revision, retries, and its end.

use chess::skill::{Action, Command, Deed, Match, Refusal, Uuid};
use chess::table::{Actor, Table as _, Verdict};

use crate::script::{check, player};

#[test]
fn players_take_turns() {
    check(
        "active | b plays e7e5 -> refused notYourTurn | w plays e2e4 -> revision 5
         | w plays d2d4 -> refused notYourTurn | b plays e7e5 -> revision 6, active",
    );
}

#[test]
fn moves_are_for_an_active_match() {
    check("waiting | w plays e2e4 -> refused invalidPhase");
    check(
        "drafting | w plays e2e4 -> refused invalidPhase | w locks | w plays e2e4 -> refused invalidPhase",
    );
    check("active | w resigns | b plays e7e5 -> refused invalidPhase");
}

#[test]
fn a_refused_move_changes_nothing() {
    check(
        "active | w plays e2e5 -> refused illegalMove, revision 4
         | w plays e7e5 -> refused wrongSeat | w plays e4e5 -> refused pieceNotFound
         | w plays a1a3 -> refused blockedPath | w plays a1a2 -> refused occupiedByAlly
         | w plays e2e4 queen -> refused invalidPromotion
         | w plays e2e4 shadowstep -> refused skillNotEquipped, revision 4",
    );
}

#[test]
fn whoever_has_no_seat_can_do_nothing() {
    for action in [
        "returns",
        "leaves",
        "assigns shadowstep b1",
        "locks",
        "plays e2e4",
        "offers draw",
        "accepts draw",
        "declines draw",
        "resigns",
    ] {
        for phase in ["waiting", "drafting", "active"] {
            for who in ["stranger", "server", "op"] {
                check(&format!(
                    "{phase} | {who} {action} -> refused seatOwnership, {}",
                    if phase == "waiting" {
                        "waitingForPlayers"
                    } else {
                        phase
                    }
                ));
            }
        }
    }
}

#[test]
fn an_action_must_know_the_newest_revision() {
    check(
        "active | w plays e2e4 at 3 -> refused staleRevision
         | w plays e2e4 at 5 -> refused staleRevision | w plays e2e4 at 4
         | b plays e7e5 at 4 -> refused staleRevision | b resigns at 4 -> refused staleRevision
         | b plays e7e5 at 5",
    );
    // The phase is judged only then: the client may not know it yet.
    check("drafting | w plays e2e4 at 1 -> refused staleRevision");
}

#[test]
fn the_same_action_again_is_answered_as_the_first_time() {
    check(
        "active | w plays e2e4 as 1 -> revision 5 | w plays e2e4 at 4 as 1 -> as at 5
         | b plays e7e5 as 2 | w plays g1f3 as 3 -> revision 7
         | w plays e2e4 at 4 as 1 -> as at 5, revision 7 | b plays e7e5 at 5 as 2 -> as at 6",
    );
    check(
        "drafting | w locks as 1 -> revision 3 | b locks as 1 -> revision 4 | w locks at 2 as 1 -> as at 3",
    );
    check("active | w resigns as 1 -> revision 5 | w resigns at 4 as 1 -> as at 5, finished");
    check(
        "drafting | w assigns deadeye b1 as 1 | w takes back deadeye | w assigns deadeye b1 as 1 -> as at 3",
    );
}

#[test]
fn an_id_stands_for_one_action() {
    check(
        "active | w plays g1f3 as 3 | w plays d2d4 as 3 -> refused actionReused
         | w resigns at 4 as 3 -> refused actionReused | w plays g1f3 at 4 as 3 -> as at 5",
    );
    check(
        "drafting | w assigns deadeye b1 as 1 | w assigns deadeye g1 as 1 -> refused actionReused
         | w takes back deadeye as 1 -> refused actionReused",
    );
}

/// Ids are the clients' own: two players may choose the same one.
#[test]
fn an_id_belongs_to_the_player_who_used_it() {
    check(
        "active | w plays e2e4 as 1 | b plays e7e5 as 1 -> revision 6 | b plays e7e5 as 1 -> as at 6",
    );
}

#[test]
fn a_refused_action_may_be_tried_again() {
    check("active | w plays e2e5 as 1 -> refused illegalMove | w plays e2e4 as 1 -> revision 5");
}

#[test]
fn coming_and_going_is_no_change() {
    for phase in ["drafting", "active"] {
        check(&format!(
            "{phase} | w leaves -> unchanged | w returns -> unchanged
             | w leaves at 0 -> unchanged | w returns at 0 -> unchanged"
        ));
    }
    check("active | b resigns | b leaves -> unchanged | b returns -> unchanged, white wins");
}

#[test]
fn resignation_gives_the_win_to_the_other() {
    check("active | w resigns -> finished, resignation, black wins");
    check(
        "active | b resigns -> finished, resignation, white wins | w resigns -> refused invalidPhase",
    );
    check("drafting | b resigns -> finished, resignation, white wins");
    check("waiting | w resigns -> refused invalidPhase");
}

#[test]
fn checkmate_wins() {
    check(
        "active | w plays f2f3 | b plays e7e5 | w plays g2g4
         | b plays d8h4 -> finished, checkmate, black wins | w plays a2a3 -> refused invalidPhase",
    );
    check(
        "active | w plays e2e4 | b plays e7e5 | w plays f1c4 | b plays b8c6 | w plays d1h5
         | b plays g8f6 | w plays h5f7 -> finished, checkmate, white wins",
    );
}

#[test]
fn only_a_skill_that_helps_averts_mate() {
    let fools_mate =
        "w locks | b locks | w plays f2f3 | b plays e7e5 | w plays g2g4 | b plays d8h4";
    check(&format!(
        "drafting | w assigns shadowstep g2 | {fools_mate} -> active, check
         | w plays a2a3 -> refused selfCheck | w plays g4h4 -> refused illegalMove
         | w plays g4h4 shadowstep -> active, nobody wins"
    ));
    check(&format!(
        "drafting | w assigns knightfall g2 | {fools_mate} -> checkmate, black wins"
    ));
    check(&format!(
        "drafting | b assigns shadowstep d8 | {fools_mate} -> checkmate, black wins"
    ));
}

#[test]
fn each_skill_is_used_once_in_a_match() {
    check(
        "drafting | w assigns shadowstep b1 | w assigns knightfall g1
         | b assigns deadeye d8 | b assigns shadowstep e7 | w locks | b locks
         | w plays e2e4 | b plays d7d5 | w plays b1c3 | b plays d5d4
         | w plays c3d4 -> refused illegalMove
         | w plays c3d4 knightfall -> refused skillNotEquipped
         | w plays c3d4 shadowstep | b plays d8d4 deadeye -> active
         | w plays g1f3 | b plays d4f2 deadeye -> refused skillAlreadyUsed
         | b plays d4f2 -> check | w plays e1f2 | b plays e7e5
         | w plays f3e5 knightfall -> revision 19
         | b plays a7a6 | w plays e5f7 knightfall -> refused skillAlreadyUsed",
    );
}

#[test]
fn the_fastest_stalemate() {
    check(
        "active | w plays e2e3 | b plays a7a5 | w plays d1h5 | b plays a8a6 | w plays h5a5
         | b plays h7h5 | w plays h2h4 | b plays a6h6 | w plays a5c7 | b plays f7f6
         | w plays c7d7 -> check | b plays e8f7 | w plays d7b7 | b plays d8d3 | w plays b7b8
         | b plays d3h7 | w plays b8c8 | b plays f7g6
         | w plays c8e6 -> finished, stalemate, nobody wins",
    );
}

/// A skill that could be used is a move: the same game goes on.
#[test]
fn the_same_without_stalemate() {
    check(
        "drafting | b assigns shadowstep h7 | w locks | b locks
         | w plays e2e3 | b plays a7a5 | w plays d1h5 | b plays a8a6 | w plays h5a5
         | b plays h7h5 | w plays h2h4 | b plays a6h6 | w plays a5c7 | b plays f7f6
         | w plays c7d7 -> check | b plays e8f7 | w plays d7b7 | b plays d8d3 | w plays b7b8
         | b plays d3h7 | w plays b8c8 | b plays f7g6
         | w plays c8e6 -> active | b plays h5h4 shadowstep -> active",
    );
}

#[test]
fn no_repetition_and_no_number_of_quiet_moves_is_a_draw() {
    let round = "| w plays g1f3 | b plays g8f6 | w plays f3g1 | b plays f6g8 ";
    check(&format!(
        "active {} -> active, revision 244",
        round.repeat(60)
    ));
}

/// The bytes of one entry again and again make a record of any length.
#[test]
fn a_full_record_takes_only_what_ends_the_match() {
    let short = check("drafting | w takes back deadeye");
    let before = short.as_of(2).expect("the version before");
    let entry = short.encoded_since(&before);
    let full = [before.encode(), entry.repeat(998)].concat();
    let full = Match::decode(&full).expect("a long draft");
    assert_eq!(full.version(), 1_000);
    let ask = |of: &Match, deed| {
        let action = Action {
            id: Uuid([1; 16]),
            base_revision: of.version().into(),
            deed,
        };
        let host = Actor::Player(player("w"));
        of.decide(of.last_at(), host, &Command::Act(action))
    };
    assert_eq!(
        ask(&full, Deed::LockDraft),
        Verdict::Refused(Refusal::InvalidPhase)
    );
    assert!(matches!(ask(&full, Deed::Resign), Verdict::Change(_)));
    let younger = full.as_of(999).expect("the version before");
    assert!(matches!(ask(&younger, Deed::LockDraft), Verdict::Change(_)));
}
