//! Offering a draw, answering, and not being a nuisance, as in a game of chess.

use chess::skill::{Action, Command, Deed, Match, Refusal, Uuid};
use chess::table::{Actor, Table as _, Verdict};

use crate::position::order;
use crate::script::{check, player};

/// Half-moves that lead back to where they began, four at a time.
const ROUND: &str = "w plays g1f3 | b plays g8f6 | w plays f3g1 | b plays f6g8";

#[test]
fn an_offer_stands_until_it_is_answered() {
    check(
        "active | w plays e2e4 | b plays e7e5 -> no offer
         | w offers draw -> draw offered by w, active, revision 7
         | w plays g1f3 -> draw offered by w
         | b accepts draw -> finished, agreement, nobody wins, no offer, revision 9",
    );
}

#[test]
fn an_offer_against_a_standing_offer_accepts_it() {
    check(
        "active | w plays e2e4 | b plays e7e5 | b offers draw -> draw offered by b
         | w offers draw -> finished, agreement, nobody wins",
    );
}

/// FIDE 9.1.2.1: the offer is rejected "by touching a piece" to move it.
#[test]
fn an_offer_lapses_when_the_opponent_moves() {
    check(
        "active | w plays e2e4 | b plays e7e5 | w offers draw | w plays g1f3
         | b plays b8c6 -> no offer, active | b accepts draw -> refused noDrawOffer",
    );
    check(
        "active | w plays e2e4 | b plays e7e5 | b offers draw | w plays g1f3 -> no offer
         | w accepts draw -> refused noDrawOffer",
    );
}

#[test]
fn a_skill_answers_an_offer_like_any_move() {
    check(
        "drafting | w assigns deadeye a2 | w locks | b locks | w plays e2e4 | b plays e7e5
         | b offers draw | w plays a2a7 deadeye -> no offer, active",
    );
}

#[test]
fn coming_and_going_answers_no_offer() {
    check(
        "active | w plays e2e4 | b plays e7e5 | w offers draw
         | b leaves -> unchanged, draw offered by w | b returns -> unchanged, draw offered by w
         | b accepts draw -> agreement",
    );
}

#[test]
fn a_refused_move_answers_no_offer() {
    check(
        "active | w plays e2e4 | b plays e7e5 | b offers draw
         | w plays d2d5 -> refused illegalMove, draw offered by b",
    );
}

#[test]
fn an_offer_may_be_declined() {
    check(
        "active | w plays e2e4 | b plays e7e5 | w offers draw
         | b declines draw -> no offer, active, revision 8 | b declines draw -> refused noDrawOffer
         | b accepts draw -> refused noDrawOffer | w plays g1f3 -> active",
    );
}

#[test]
fn an_offer_may_be_withdrawn_by_whoever_made_it() {
    check(
        "active | w plays e2e4 | b plays e7e5 | w offers draw | w declines draw -> no offer, active
         | b accepts draw -> refused noDrawOffer | w offers draw -> refused drawOfferTooSoon",
    );
}

#[test]
fn nobody_accepts_or_declines_what_nobody_offered() {
    check(
        "active | w plays e2e4 | b plays e7e5 | w accepts draw -> refused noDrawOffer
         | b declines draw -> refused noDrawOffer
         | w offers draw | w accepts draw -> refused noDrawOffer, draw offered by w",
    );
}

#[test]
fn a_draw_is_not_offered_before_both_have_moved() {
    check(
        "active | w offers draw -> refused drawOfferTooSoon | w plays e2e4
         | w offers draw -> refused drawOfferTooSoon | b offers draw -> refused drawOfferTooSoon
         | b plays e7e5 | w offers draw -> draw offered by w",
    );
}

#[test]
fn the_next_offer_waits_for_twenty_half_moves() {
    let rounds = [ROUND; 4].join(" | ");
    check(&format!(
        "active | w plays g1f3 | b plays g8f6 | w offers draw
         | w offers draw -> refused drawOfferTooSoon | b declines draw
         | w plays f3g1 | b plays f6g8 | {rounds} | w plays g1f3
         | w offers draw -> refused drawOfferTooSoon | b offers draw | w declines draw
         | b plays g8f6 | w offers draw -> draw offered by w
         | b offers draw -> agreement"
    ));
}

#[test]
fn draws_are_for_an_active_match() {
    for phase in ["waiting", "drafting", "active | b resigns"] {
        for deed in ["offers", "accepts", "declines"] {
            check(&format!("{phase} | w {deed} draw -> refused invalidPhase"));
        }
    }
}

#[test]
fn nothing_is_offered_in_a_match_that_is_over() {
    let offered = "active | w plays f2f3 | b plays e7e5 | w offers draw";
    for (end, kind) in [
        ("b resigns", "resignation"),
        ("w resigns", "resignation"),
        ("op aborts", "aborted"),
        ("w plays g2g4 | b plays d8h4", "checkmate"),
    ] {
        check(&format!(
            "{offered} | {end} -> {kind}, no offer | b accepts draw -> refused invalidPhase"
        ));
    }
}

#[test]
fn an_offer_is_a_change_like_any_other() {
    check(
        "active | w plays e2e4 | b plays e7e5 | w offers draw at 5 -> refused staleRevision
         | w offers draw as 1 | w offers draw at 6 as 1 -> as at 7
         | w plays g1f3 at 6 -> refused staleRevision | b accepts draw at 6 -> refused staleRevision
         | b declines draw as 1 | b declines draw at 7 as 1 -> as at 8
         | w offers draw at 6 as 1 -> as at 7 | w declines draw at 6 as 1 -> refused actionReused",
    );
}

#[test]
fn an_agreement_is_recognised_again() {
    check(
        "active | w plays e2e4 | b plays e7e5 | w offers draw as 1 | b accepts draw as 2 -> agreement
         | b accepts draw at 7 as 2 -> as at 8 | w offers draw at 6 as 1 -> as at 7
         | b declines draw at 7 as 2 -> refused actionReused",
    );
}

#[test]
fn the_board_is_shown_as_it_was_agreed_upon() {
    let agreed =
        check("active | w plays e2e4 | b plays e7e5 | w offers draw | b accepts draw -> agreement");
    let status = agreed.status();
    assert_eq!((status.kind, status.in_check), ("active", Some(false)));
    assert_eq!(agreed.moves().len(), 2);
    assert_eq!(agreed.score_sheet().len(), 2);
}

/// Tags and codes are only ever added: what the store has is read as it was written.
#[test]
fn a_history_from_before_there_were_offers_is_read_as_ever() {
    let action = |tag: u8, id: u128| [&[tag][..], &id.to_be_bytes(), &[0]].concat();
    let joined = [check("waiting").encode(), vec![1, 2, 0]].concat();
    let active = [joined, action(3, 101), action(0x83, 102)].concat();
    assert_eq!(Match::decode(&active), Ok(check("active")));
    let resigned = [active.clone(), action(0x85, 103)].concat();
    assert_eq!(
        Match::decode(&resigned),
        Ok(check("active | b resigns -> white wins"))
    );
    let aborted = [active, vec![6, 5, 0]].concat();
    assert_eq!(
        Match::decode(&aborted),
        Ok(check("active | op aborts -> aborted"))
    );
}

#[test]
fn a_damaged_record_of_offers_is_not_replayed() {
    let played = check("active | w plays e2e4 | b plays e7e5 | w offers draw");
    let before = played.as_of(6).expect("the version before");
    let offer = played.encoded_since(&before);
    let with_tag = |of: &Match, tag: u8| {
        let mut entry = offer.clone();
        entry[0] = tag;
        Match::decode(&[of.encode(), entry].concat()).map(|after| after.version())
    };
    let (offered, agreed, declined, by_black) = (8, 9, 10, 0x80);
    assert_eq!(with_tag(&before, offered | by_black), Ok(7));
    assert_eq!(with_tag(&played, agreed | by_black), Ok(8));
    assert_eq!(with_tag(&played, declined), Ok(8));
    for (of, tag) in [
        (&before, agreed),
        (&before, declined),
        (&played, offered),
        (&played, offered | by_black),
        (&played, agreed),
        (&check("drafting"), offered),
    ] {
        assert!(with_tag(of, tag).is_err(), "{tag} at {}", of.version());
    }
}

/// One who cannot move any more can still agree.
#[test]
fn a_full_record_takes_offers_and_their_answers() {
    let short = check("drafting | w takes back deadeye");
    let before = short.as_of(2).expect("the version before");
    let entry = short.encoded_since(&before);
    let long = [before.encode(), entry.repeat(994)].concat();
    let mut played = Match::decode(&long).expect("a long draft");
    let act = |played: &mut Match, name: &str, deed| {
        let version = played.version();
        let action = Action {
            id: Uuid(u128::from(version).to_be_bytes()),
            base_revision: version.into(),
            deed,
        };
        let who = Actor::Player(player(name));
        let verdict = played.decide(played.last_at(), who, &Command::Act(action));
        if let Verdict::Change(event) = &verdict {
            played.evolve(played.last_at(), event);
        }
        verdict
    };
    act(&mut played, "w", Deed::LockDraft);
    act(&mut played, "b", Deed::LockDraft);
    let moves = ["e2e4", "e7e5", "g1f3"].map(|text| Deed::MakeMove(order(played.board(), text)));
    let [first, second, third] = moves;
    act(&mut played, "w", first);
    act(&mut played, "b", second);
    assert_eq!(played.version(), 1_000);
    assert_eq!(
        act(&mut played, "w", third),
        Verdict::Refused(Refusal::InvalidPhase)
    );
    for (name, deed) in [
        ("w", Deed::OfferDraw),
        ("b", Deed::DeclineDraw),
        ("b", Deed::OfferDraw),
        ("w", Deed::AcceptDraw),
    ] {
        let verdict = act(&mut played, name, deed);
        assert!(matches!(verdict, Verdict::Change(_)), "{verdict:?}");
    }
    assert_eq!(
        played.ending().map(|ending| ending.kind()),
        Some("agreement")
    );
    assert_eq!(Match::decode(&played.encode()), Ok(played));
}
