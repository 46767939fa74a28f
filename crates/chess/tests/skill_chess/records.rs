//! What a match tells of itself.

use std::collections::BTreeSet;

use chess::skill::{MoveRecord, Refusal, Status, Uuid};
use chess::table::State;
use chess::{Color, Millis};

use crate::position::square;
use crate::script::{check, moment};

#[test]
fn a_match_begins_with_thirty_two_pieces_of_their_own() {
    let played = check("active");
    let board = played.board();
    let ids: BTreeSet<Uuid> = board.pieces().map(|(_, piece)| piece.id).collect();
    assert_eq!(ids.len(), 32);
    let king = board.at(square("e1")).expect("the king");
    assert_eq!((square("e1").row(), square("e1").column()), (0, 4));
    assert_eq!(king.color, Color::White);
    assert_eq!(king.behaviour.name(), "king");
    assert_eq!(king.behaviour.id(), "standardKing");
    assert!(board.pieces().all(|(_, piece)| piece.move_count == 0));
    // The version and variant that the standard has for ids of one's own making.
    let text = king.id.to_string();
    assert_eq!(text.len(), 36);
    assert_eq!(&text[14..15], "8");
    assert!("89ab".contains(&text[19..20]));
}

#[test]
fn ids_follow_from_the_seed() {
    assert_eq!(check("active").board(), check("active").board());
}

#[test]
fn a_move_is_recorded_with_all_it_did() {
    let played = check(
        "drafting | w assigns shadowstep b2 | w locks | b locks
         | w plays b2b4 | b plays a7a5 | w plays b4a5 | b plays b7b6 | w plays a5b6 | b plays b8c6
         | 8s w plays b6c6 shadowstep | b plays a8b8 | w plays a2a4 | b plays b8b7
         | 9s w plays c6b7 | b plays g8f6 | w plays b7c8 queen",
    );
    let records = played.moves();
    assert_eq!(records.len(), 13);
    let ids: BTreeSet<Uuid> = records.iter().map(|record| record.id).collect();
    assert_eq!(ids.len(), 13);
    let pawn = records[0].piece_id;
    let start = check("active");
    let id_on = |on: &str| start.board().at(square(on)).map(|piece| piece.id);
    assert_eq!(Some(pawn), id_on("b2"));
    assert_eq!(
        records[6],
        MoveRecord {
            id: records[6].id,
            piece_id: pawn,
            piece_name: "pawn",
            piece_color: Color::White,
            from: square("b6"),
            to: square("c6"),
            captured_piece_id: id_on("b8"),
            captured_piece_name: Some("knight"),
            promotion_piece_name: None,
            equipped_skill_id: records[6].equipped_skill_id,
            skill_id: Some("shadowstep"),
            created_at: moment(Millis::from_secs(8)),
            version: 12,
        }
    );
    let queen = played.board().at(square("c8")).expect("the queen");
    let equipped: Vec<_> = played.board().skills_of(queen.id).collect();
    assert_eq!(Some(equipped[0].id), records[6].equipped_skill_id);
    assert!(equipped[0].used);
    let last = &records[12];
    assert_eq!(last.piece_id, pawn);
    assert_eq!(
        (last.piece_name, last.promotion_piece_name),
        ("pawn", Some("queen"))
    );
    assert_eq!(last.captured_piece_name, Some("bishop"));
    assert_eq!((last.equipped_skill_id, last.skill_id), (None, None));
    assert_eq!((queen.id, queen.move_count), (pawn, 6));
    let sheet: Vec<_> = played
        .score_sheet()
        .into_iter()
        .map(|row| row.san)
        .collect();
    assert_eq!(
        sheet.join(" "),
        "b2-b4 a7-a5 b4xa5 b7-b6 a5xb6 Nb8-c6 b6xc6* Ra8-b8 a2-a4 Rb8-b7 c6xb7 Ng8-f6 b7xc8=Q"
    );
    assert_eq!(played.score_sheet()[12].uci, "b7c8q");
}

#[test]
fn castling_and_en_passant_are_recorded() {
    let played = check(
        "active | w plays e2e4 | b plays a7a6 | w plays e4e5 | b plays d7d5 | w plays e5d6
         | b plays h7h6 | w plays g1f3 | b plays h6h5 | w plays f1e2 | b plays h5h4 | w plays e1g1",
    );
    let records = played.moves();
    assert_eq!(records[4].captured_piece_name, Some("pawn"));
    assert_eq!(records[10].piece_name, "king");
    assert_eq!(records[10].to, square("g1"));
    let sheet = played.score_sheet();
    assert_eq!(sheet[10].san, "O-O");
    assert_eq!(
        sheet[10].fen_after,
        "rnbqkbnr/1pp1ppp1/p2P4/8/7p/5N2/PPPPBPPP/RNBQ1RK1 b kq - 0 6"
    );
    assert_eq!(played.summary().fen, sheet[10].fen_after);
}

#[test]
fn the_status_tells_what_is_on_the_board() {
    let status = |script: &str| check(script).status();
    let active = Status {
        kind: "active",
        turn: Some(Color::White),
        in_check: Some(false),
        winner: None,
    };
    assert_eq!(status("waiting"), active);
    assert_eq!(status("active"), active);
    let resigned = Status {
        winner: Some(Color::Black),
        ..active
    };
    assert_eq!(status("active | w resigns"), resigned);
    let mated = Status {
        kind: "checkmate",
        turn: None,
        in_check: None,
        winner: Some(Color::Black),
    };
    let fools_mate = "w plays f2f3 | b plays e7e5 | w plays g2g4 | b plays d8h4";
    assert_eq!(status(&format!("active | {fools_mate}")), mated);
}

#[test]
fn lists_show_how_it_ended() {
    for (ending, result, reason) in [
        ("w resigns", "black_wins", "resignation"),
        ("op aborts", "aborted", "aborted"),
        ("b accepts draw", "draw", "agreement"),
    ] {
        let offered = "active | w plays e2e4 | b plays e7e5 | w offers draw";
        let played = check(&format!("{offered} | 5s {ending}"));
        let summary = played.summary();
        assert_eq!(summary.state, State::Completed);
        assert_eq!(summary.variant, "skill");
        assert_eq!(
            (summary.result, summary.reason),
            (Some(result), Some(reason))
        );
        assert_eq!(summary.ended_at, Some(moment(Millis::from_secs(5))));
        assert_eq!(played.finished_at(), summary.ended_at);
    }
}

#[test]
fn an_earlier_version_is_as_it_was() {
    let played = check("active | w plays e2e4 | b plays e7e5 | w resigns");
    assert_eq!(played.as_of(0), None);
    assert_eq!(played.as_of(8), None);
    assert_eq!(played.as_of(4), Some(check("active")));
    assert_eq!(played.as_of(7).as_ref(), Some(&played));
    assert_eq!(played.as_of(6).map(|then| then.moves().len()), Some(2));
}

#[test]
fn reasons_are_spelled_as_clients_know_them() {
    assert_eq!(Refusal::StaleRevision.name(), "staleRevision");
    assert_eq!(Refusal::SkillAlreadyUsed.name(), "skillAlreadyUsed");
    assert_eq!(Refusal::DrawOfferTooSoon.name(), "drawOfferTooSoon");
}
