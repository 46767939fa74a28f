//! Castling, en passant, promotion, check and resignation over the wire.

use serde_json::{Value, json};

use super::guest::{Pair, order, piece};
use crate::client::Server;

#[tokio::test]
async fn pawns_pass_and_promote_and_kings_castle() {
    let server = Server::start().await;
    let pair = Pair::begin(&server).await;
    let Pair {
        white, black, id, ..
    } = &pair;
    pair.play("e2e4 a7a6 e4e5 d7d5").await;
    let passed = white.plays(id, "e5d6").await;
    let record = &passed["snapshot"]["board"]["moveHistory"][4];
    assert_eq!(record["capturedPieceName"], "pawn");
    let pieces = passed["snapshot"]["board"]["pieces"].as_array();
    assert_eq!(pieces.map(Vec::len), Some(31));
    black.plays(id, "a6a5").await;
    pair.play("d6c7 a5a4").await;
    let pawn = piece(&white.sees(id).await, "c7").clone();
    for (text, why) in [
        ("c7b8", "promotionRequired"),
        ("c7b8=king", "invalidPromotion"),
        ("c7b8=dragon", "invalidPromotion"),
    ] {
        white.fails(id, "makeMove", order(text, None), why).await;
    }
    let promoted = white.plays(id, "c7b8=knight").await;
    let knight = piece(&promoted["snapshot"], "b8");
    assert_eq!(knight["id"], pawn["id"]);
    assert_eq!(
        (&knight["pieceName"], &knight["behaviourID"]),
        (&json!("knight"), &json!("standardKnight"))
    );
    let record = &promoted["snapshot"]["board"]["moveHistory"][8];
    assert_eq!(record["promotionPieceName"], "knight");
    black.plays(id, "a4a3").await;
    pair.play("g1f3 a3b2 f1e2 h7h6").await;
    let castled = white.plays(id, "e1g1").await;
    assert_eq!(piece(&castled["snapshot"], "f1")["pieceName"], "rook");
    assert_eq!(piece(&castled["snapshot"], "f1")["moveCount"], 1);
    let king = piece(&castled["snapshot"], "g1");
    assert_eq!(
        (&king["pieceName"], &king["moveCount"]),
        (&json!("king"), &json!(1))
    );
}

#[tokio::test]
async fn a_check_must_be_met_and_a_match_can_be_resigned() {
    let server = Server::start().await;
    let pair = Pair::begin(&server).await;
    let Pair {
        white, black, id, ..
    } = &pair;
    pair.play("e2e4 f7f6 d1h5").await;
    assert_eq!(black.sees(id).await["status"]["inCheck"], true);
    black
        .fails(id, "makeMove", order("a7a6", None), "selfCheck")
        .await;
    black.plays(id, "g7g6").await;
    let event = black.does(id, "resign", json!({})).await;
    assert_eq!(event["type"], "finished");
    let over = white.sees(id).await;
    let winner = json!("white");
    assert_eq!(
        (
            &over["outcome"]["kind"],
            &over["outcome"]["winner"],
            &over["status"]["winner"]
        ),
        (&json!("resignation"), &winner, &winner)
    );
    assert_eq!(over["status"]["kind"], "active");
    white
        .fails(id, "makeMove", order("h5g6", None), "invalidPhase")
        .await;
}

/// What is wrong with the envelope itself.
#[tokio::test]
async fn an_action_says_what_it_is_about() {
    let server = Server::start().await;
    let pair = Pair::begin(&server).await;
    let Pair { white, id, .. } = &pair;
    let good = white.action(id, "makeMove", order("e2e4", None)).await;
    let with = |field: &str, value: Value| {
        let mut action = good.clone();
        action[field] = value;
        action
    };
    let elsewhere = super::guest::new_uuid();
    for (action, why) in [
        (with("baseRevision", json!(3)), "staleRevision"),
        (with("baseRevision", json!(99)), "staleRevision"),
        (with("matchID", json!(elsewhere)), "matchMismatch"),
        (with("matchID", json!(7)), "invalidPayload"),
        (with("id", json!("e4")), "invalidPayload"),
        (with("baseRevision", json!(-1)), "invalidPayload"),
        (with("baseRevision", Value::Null), "invalidPayload"),
        (with("type", json!("flipTheBoard")), "invalidPayload"),
        (with("payload", Value::Null), "invalidPayload"),
        (with("payload", json!({ "move": "e4" })), "invalidPayload"),
        (
            with("payload", order("e2e4", Some("deadeye"))),
            "invalidPayload",
        ),
    ] {
        let event = white.sends(id, &action).await.expect(200);
        assert_eq!(event["rejectionReason"], why, "{action}");
        assert_eq!(event["snapshot"]["revision"], good["baseRevision"]);
    }
    for (action, status, code) in [
        (with("actorID", Value::Null), 400, "missingGuestId"),
        (with("actorID", json!("Ann")), 400, "missingGuestId"),
        (with("actorID", json!(elsewhere)), 403, "seatOwnership"),
        (json!([]), 400, "missingGuestId"),
    ] {
        let refused = white.sends(id, &action).await.expect(status);
        assert_eq!(refused["code"], code, "{action}");
    }
    // Nothing is left out that a client has no need to send.
    let bare = json!({
        "id": good["id"], "matchID": id, "actorID": white.id.to_uppercase(),
        "baseRevision": good["baseRevision"], "type": "makeMove",
        "payload": { "move": { "from": super::guest::at("e2"), "to": super::guest::at("e4") } },
    });
    let event = white.sends(id, &bare).await.expect(200);
    assert_eq!(event["type"], "actionAccepted", "{event}");
}

#[tokio::test]
async fn an_action_id_stands_for_one_action() {
    let server = Server::start().await;
    let pair = Pair::begin(&server).await;
    let (white, id) = (&pair.white, pair.id.as_str());
    let action = white.action(id, "makeMove", order("e2e4", None)).await;
    let first = white.sends(id, &action).await.expect(200);
    assert_eq!(first["type"], "actionAccepted");
    let again = white.sends(id, &action).await.expect(200);
    assert_eq!(again["revision"], first["revision"]);
    for (field, value) in [
        ("payload", order("d2d4", None)),
        ("type", json!("resign")),
        ("type", json!("joinMatch")),
    ] {
        let mut other = action.clone();
        other[field] = value;
        let event = white.sends(id, &other).await.expect(200);
        let told = (&event["type"], &event["rejectionReason"]);
        assert_eq!(
            told,
            (&json!("actionRejected"), &json!("actionReused")),
            "{event}"
        );
    }
    assert_eq!(white.sees(id).await["revision"], first["revision"]);
}
