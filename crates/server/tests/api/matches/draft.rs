//! The draft: choosing skills before the first move.

use serde_json::{Value, json};

use super::guest::{Pair, at, piece, selection};
use crate::client::Server;

fn selections(snapshot: &Value) -> Vec<(String, String, Value)> {
    let found = snapshot["draft"]["selections"].as_array().expect("a list");
    let text = |value: &Value| value.as_str().expect("text").to_owned();
    let entry = |s: &Value| {
        (
            text(&s["color"]),
            text(&s["skillID"]),
            s["position"].clone(),
        )
    };
    found.iter().map(entry).collect()
}

#[tokio::test]
async fn skills_are_given_taken_back_and_swapped_until_both_have_locked() {
    let server = Server::start().await;
    let pair = Pair::meet(&server).await;
    let Pair {
        white, black, id, ..
    } = &pair;
    white.selects(id, "shadowstep", Some("b1")).await;
    white.selects(id, "deadeye", Some("a2")).await;
    let draft = "updateDraftSelection";
    let too_many = selection("knightfall", Some("c1"));
    white.fails(id, draft, too_many.clone(), "skillLimit").await;
    let twice = selection("deadeye", Some("h2"));
    white.fails(id, draft, twice, "duplicateSkill").await;
    // Swapped: one is taken back, another given.
    white.selects(id, "shadowstep", None).await;
    let event = white.selects(id, "knightfall", Some("c1")).await;
    assert_eq!(
        selections(&event["snapshot"]),
        [
            ("white".into(), "deadeye".into(), at("a2")),
            ("white".into(), "knightfall".into(), at("c1")),
        ]
    );
    white
        .fails(id, draft, selection("shadowstep", Some("b1")), "skillLimit")
        .await;
    // The other side has its own two.
    let event = black.selects(id, "deadeye", Some("h7")).await;
    assert_eq!(selections(&event["snapshot"]).len(), 3);
    for (payload, why) in [
        (selection("knightfall", Some("a2")), "invalidDraftPiece"),
        (selection("knightfall", Some("e5")), "invalidDraftPiece"),
        (selection("telekinesis", Some("a7")), "unknownSkill"),
        (
            json!({ "skillID": "knightfall", "position": { "row": 8, "column": 0 } }),
            "invalidPosition",
        ),
        (
            json!({ "skillID": "knightfall", "position": { "row": 6, "column": -1 } }),
            "invalidPosition",
        ),
        (json!({ "position": at("a7") }), "invalidPayload"),
        (
            json!({ "skillID": 3, "position": at("a7") }),
            "invalidPayload",
        ),
    ] {
        black.fails(id, draft, payload, why).await;
    }
    white
        .fails(
            id,
            "makeMove",
            super::guest::order("e2e4", None),
            "invalidPhase",
        )
        .await;
    let locked = white.does(id, "lockDraft", json!({})).await;
    assert_eq!(locked["snapshot"]["phase"], "drafting");
    assert_eq!(locked["snapshot"]["seats"][0]["isReady"], true);
    assert_eq!(locked["snapshot"]["seats"][1]["isReady"], false);
    white
        .fails(id, draft, selection("deadeye", None), "draftLocked")
        .await;
    white.fails(id, "lockDraft", json!({}), "draftLocked").await;
    let active = black.does(id, "lockDraft", json!({})).await;
    assert_eq!(active["snapshot"]["phase"], "active");
    white
        .fails(id, draft, selection("deadeye", None), "invalidPhase")
        .await;
    let snapshot = &active["snapshot"];
    assert_eq!(
        piece(snapshot, "a2")["equippedSkills"][0]["skillID"],
        "deadeye"
    );
    assert_eq!(
        piece(snapshot, "c1")["equippedSkills"][0]["skillID"],
        "knightfall"
    );
    assert_eq!(piece(snapshot, "b1")["equippedSkills"], json!([]));
    assert_eq!(
        piece(snapshot, "h7")["equippedSkills"][0]["hasBeenUsed"],
        false
    );
    let is_locked = |s: &Value| s["isLockedIn"] == true;
    let all = snapshot["draft"]["selections"].as_array().expect("a list");
    assert!(all.iter().all(is_locked), "{all:?}");
}
