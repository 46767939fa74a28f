//! Skills are given out before the first move.

use chess::Color;
use chess::skill::Square;

use crate::position::square;
use crate::script::check;

#[test]
fn each_player_gives_up_to_two_skills_to_own_pieces() {
    let played = check(
        "drafting | w assigns shadowstep b1 | b assigns shadowstep g8 | w assigns deadeye e2
         | w locks -> drafting | b locks -> active, revision 7",
    );
    let selected = |color| -> Vec<(&str, Square)> {
        let selections = played.draft(color).selections().iter();
        selections.map(|s| (s.skill.id(), s.square)).collect()
    };
    assert_eq!(
        selected(Color::White),
        [("shadowstep", square("b1")), ("deadeye", square("e2"))]
    );
    assert_eq!(selected(Color::Black), [("shadowstep", square("g8"))]);
    let equipped = |on: &str| -> Vec<&str> {
        let piece = played.board().at(square(on)).expect(on);
        let skills = played.board().skills_of(piece.id);
        skills.map(|equipped| equipped.skill.id()).collect()
    };
    assert_eq!(equipped("b1"), ["shadowstep"]);
    assert_eq!(equipped("e2"), ["deadeye"]);
    assert_eq!(equipped("g8"), ["shadowstep"]);
    assert_eq!(equipped("g1"), [""; 0]);
}

#[test]
fn pieces_have_their_skills_when_the_match_begins() {
    let drafting = check("drafting | w assigns shadowstep b1 | w locks");
    let knight = drafting.board().at(square("b1")).expect("a knight");
    assert_eq!(drafting.board().skills_of(knight.id).count(), 0);
}

#[test]
fn no_skill_need_be_taken() {
    check("drafting | w locks -> drafting | b locks -> active");
    check("drafting | b locks -> drafting | w locks -> active");
}

#[test]
fn one_piece_may_have_both() {
    check(
        "drafting | w assigns shadowstep b1 | w assigns deadeye b1 | w locks | b locks -> active",
    );
}

#[test]
fn a_third_skill_is_too_many() {
    check(
        "drafting | w assigns shadowstep b1 | w assigns deadeye e2
         | w assigns knightfall g1 -> refused skillLimit, revision 4
         | w takes back deadeye | w assigns knightfall g1 -> revision 6",
    );
}

#[test]
fn the_same_skill_twice_is_refused_until_it_is_taken_back() {
    check(
        "drafting | w assigns shadowstep b1
         | w assigns shadowstep g1 -> refused duplicateSkill
         | w assigns shadowstep b1 -> refused duplicateSkill
         | w takes back shadowstep | w assigns shadowstep g1",
    );
    // Each colour for itself.
    check("drafting | w assigns shadowstep b1 | b assigns shadowstep b8");
}

#[test]
fn two_pieces_swap_their_skills() {
    let swapped = check(
        "drafting | w assigns shadowstep b1 | w assigns deadeye g1
         | w takes back shadowstep | w takes back deadeye
         | w assigns shadowstep g1 | w assigns deadeye b1",
    );
    let selections = swapped.draft(Color::White).selections();
    assert_eq!(selections.len(), 2);
    assert_eq!(selections[0].square, square("g1"));
}

#[test]
fn what_nobody_has_can_be_taken_back() {
    check("drafting | w takes back deadeye -> revision 3");
}

#[test]
fn a_refused_selection_has_its_reason() {
    check(
        "drafting | w assigns fireball b1 -> refused unknownSkill
         | w takes back fireball -> refused unknownSkill
         | w assigns shadowstep off-board -> refused invalidPosition
         | w assigns shadowstep b8 -> refused invalidDraftPiece
         | w assigns shadowstep e4 -> refused invalidDraftPiece
         | b assigns shadowstep b1 -> refused invalidDraftPiece, revision 2",
    );
}

#[test]
fn a_locked_draft_stays_as_it_is() {
    check(
        "drafting | w assigns shadowstep b1 | w locks
         | w takes back shadowstep -> refused draftLocked
         | w assigns deadeye g1 -> refused draftLocked
         | w locks -> refused draftLocked
         | b assigns deadeye g8 | b locks -> active",
    );
}

#[test]
fn there_is_no_draft_before_and_after() {
    for phase in ["waiting", "active"] {
        for action in ["assigns shadowstep b1", "takes back shadowstep", "locks"] {
            check(&format!("{phase} | w {action} -> refused invalidPhase"));
        }
    }
}
