//! Every field of a snapshot and of each kind of event, as the clients'
//! contract lists them.

use serde_json::{Value, json};

use super::guest::{Guest, Pair, at, order, piece};
use crate::client::Server;
use crate::streams::listener::Events;

#[track_caller]
fn has_fields(value: &Value, fields: &[&str]) {
    let object = value
        .as_object()
        .unwrap_or_else(|| panic!("no object: {value}"));
    let mut found: Vec<&str> = object.keys().map(String::as_str).collect();
    let mut wanted = fields.to_vec();
    found.sort_unstable();
    wanted.sort_unstable();
    assert_eq!(found, wanted, "{value}");
}

#[track_caller]
fn is_uuid(value: &Value) {
    let text = value.as_str().unwrap_or_default();
    assert!(
        text.len() == 36 && uuid::Uuid::try_parse(text).is_ok(),
        "{value}"
    );
}

/// `2026-03-21T20:00:00Z`, to the second.
#[track_caller]
fn is_time(value: &Value) {
    let text = value.as_str().unwrap_or_default();
    let shape: String = text
        .chars()
        .map(|c| if c.is_ascii_digit() { '0' } else { c })
        .collect();
    assert_eq!(shape, "0000-00-00T00:00:00Z", "{value}");
}

/// The board of a snapshot, field by field.
fn check_board(board: &Value) {
    has_fields(board, &["pieces", "moveHistory"]);
    for piece in board["pieces"].as_array().expect("pieces") {
        has_fields(
            piece,
            &[
                "id",
                "pieceName",
                "pieceColor",
                "behaviourID",
                "position",
                "moveCount",
                "equippedSkills",
            ],
        );
        is_uuid(&piece["id"]);
        has_fields(&piece["position"], &["row", "column"]);
        for skill in piece["equippedSkills"].as_array().expect("skills") {
            has_fields(skill, &["id", "skillID", "hasBeenUsed"]);
            is_uuid(&skill["id"]);
        }
    }
    for record in board["moveHistory"].as_array().expect("moves") {
        is_uuid(&record["id"]);
        is_time(&record["createdAt"]);
    }
}

/// Everything but the board, which is checked by itself, and what chance
/// and the clock choose.
fn frame(snapshot: &Value) -> Value {
    for field in ["createdAt", "updatedAt"] {
        is_time(&snapshot[field]);
    }
    check_board(&snapshot["board"]);
    let mut frame = snapshot.clone();
    let fields = frame.as_object_mut().expect("an object");
    for field in ["board", "createdAt", "updatedAt"] {
        assert!(fields.remove(field).is_some(), "no {field}");
    }
    for seat in frame["seats"].as_array_mut().expect("seats") {
        let player = seat["player"].as_object_mut().expect("a player");
        is_time(&player.remove("createdAt").unwrap_or_default());
    }
    frame
}

#[tokio::test]
async fn a_snapshot_has_every_field_of_the_contract() {
    let server = Server::start().await;
    let pair = Pair::meet(&server).await;
    let Pair {
        white,
        black,
        id,
        code,
    } = &pair;
    white.selects(id, "deadeye", Some("a2")).await;
    black.selects(id, "shadowstep", Some("b8")).await;
    pair.lock().await;
    let _streams = [white.follows(id).await, black.follows(id).await];
    let deadeye = white.skill(id, "a2", "deadeye").await;
    let before = white.sees(id).await;
    let (hunter, prey) = (piece(&before, "a2"), piece(&before, "a7"));
    white
        .does(id, "makeMove", order("a2a7", Some(&deadeye)))
        .await;
    let snapshot = white.sees(id).await;
    let other = &snapshot["seats"][1]["player"]["id"];
    is_uuid(other);
    assert_eq!(
        frame(&snapshot),
        json!({
            "id": id, "roomCode": code, "revision": 7, "phase": "active",
            "seats": [
                {
                    "color": "white", "isHost": true, "isLocalDevice": true, "isReady": true,
                    "player": { "id": white.id, "displayName": "Ann" },
                    "connectionStatus": "connected",
                },
                {
                    "color": "black", "isHost": false, "isLocalDevice": false, "isReady": true,
                    "player": { "id": other, "displayName": "Ben" },
                    "connectionStatus": "connected",
                },
            ],
            "draft": { "maxSkillsPerPlayer": 2, "selections": [
                { "color": "white", "skillID": "deadeye", "position": at("a2"), "isLockedIn": true },
                { "color": "black", "skillID": "shadowstep", "position": at("b8"), "isLockedIn": true },
            ] },
            "currentTurn": "black",
            "status": { "kind": "active", "turn": "black", "inCheck": false, "winner": null },
            "drawOfferedBy": null, "outcome": null,
        })
    );
    assert_eq!(
        *piece(&snapshot, "a7"),
        json!({
            "id": hunter["id"], "pieceName": "pawn", "pieceColor": "white",
            "behaviourID": "standardPawn", "position": { "row": 6, "column": 0 }, "moveCount": 1,
            "equippedSkills": [{ "id": deadeye, "skillID": "deadeye", "hasBeenUsed": true }],
        })
    );
    let behaviours = [
        ("a1", "rook", "standardRook"),
        ("b1", "knight", "standardKnight"),
        ("c1", "bishop", "standardBishop"),
        ("d1", "queen", "standardQueen"),
        ("e1", "king", "standardKing"),
        ("e7", "pawn", "standardPawn"),
    ];
    for (square, name, behaviour) in behaviours {
        let piece = piece(&snapshot, square);
        let told = (&piece["pieceName"], &piece["behaviourID"]);
        assert_eq!(told, (&json!(name), &json!(behaviour)));
    }
    let record = &snapshot["board"]["moveHistory"][0];
    assert_eq!(
        *record,
        json!({
            "id": record["id"], "pieceID": hunter["id"], "pieceName": "pawn", "pieceColor": "white",
            "from": at("a2"), "to": at("a7"), "capturedPieceID": prey["id"],
            "capturedPieceName": "pawn", "promotionPieceName": null, "equippedSkillID": deadeye,
            "skillID": "deadeye", "createdAt": record["createdAt"],
        })
    );
    black.does(id, "resign", json!({})).await;
    let over = white.sees(id).await;
    is_time(&over["outcome"]["finishedAt"]);
    assert_eq!(
        over["outcome"],
        json!({ "kind": "resignation", "winner": "white", "finishedAt": over["outcome"]["finishedAt"] })
    );
}

/// An event without its snapshot, which is checked to be one.
fn envelope(event: &Value) -> Value {
    is_uuid(&event["id"]);
    frame(&event["snapshot"]);
    assert_eq!(event["snapshot"]["revision"], event["revision"]);
    let mut envelope = event.clone();
    let fields = envelope.as_object_mut().expect("an object");
    assert!(fields.remove("snapshot").is_some() && fields.remove("id").is_some());
    envelope
}

fn event(id: &str, revision: u32, kind: &str, action: &Value, why: Option<&str>) -> Value {
    json!({
        "matchID": id, "revision": revision, "type": kind, "actionID": action,
        "rejectionReason": why,
    })
}

async fn events(guest: &Guest, id: &str) -> Events {
    let path = format!("/v1/matches/{id}/events?guestID={}", guest.id);
    guest.client.event_stream(&path, "").await
}

/// Each kind once, by WebSocket and as server-sent events.
#[tokio::test]
async fn every_kind_of_event_has_every_field_of_the_contract() {
    let server = Server::start().await;
    let ann = Guest::new(&server, "Ann");
    let made = ann.hosts().await;
    let text = |field: &str| made["snapshot"][field].as_str().expect("text").to_owned();
    let (id, code) = (text("id"), text("roomCode"));
    let mut socket = ann.follows(&id).await;
    let mut plain = events(&ann, &id).await;
    let mut told = async |wanted: Value| {
        for event in [socket.next().await, plain.next().await] {
            assert_eq!(envelope(&event), wanted);
        }
    };
    let none = Value::Null;
    told(event(&id, 1, "snapshot", &none, None)).await;
    let ben = Guest::new(&server, "Ben");
    ben.joins(&code).await.expect(200);
    told(event(&id, 2, "snapshot", &none, None)).await;
    let other = ben.follows(&id).await;
    drop(other);
    told(event(&id, 2, "presenceChanged", &none, None)).await;
    let _other = ben.follows(&id).await;
    told(event(&id, 2, "presenceChanged", &none, None)).await;
    let action = ann.action(&id, "lockDraft", json!({})).await;
    let accepted = ann.sends(&id, &action).await.expect(200);
    let wanted = event(&id, 3, "actionAccepted", &action["id"], None);
    assert_eq!(envelope(&accepted), wanted);
    told(wanted).await;
    let again = ann.action(&id, "lockDraft", json!({})).await;
    let rejected = ann.sends(&id, &again).await.expect(200);
    let wanted = event(&id, 3, "actionRejected", &again["id"], Some("draftLocked"));
    assert_eq!(envelope(&rejected), wanted);
    let resigns = ben.action(&id, "resign", json!({})).await;
    let finished = ben.sends(&id, &resigns).await.expect(200);
    let wanted = event(&id, 4, "finished", &resigns["id"], None);
    assert_eq!(envelope(&finished), wanted);
    told(wanted).await;
}
