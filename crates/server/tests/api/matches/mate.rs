//! A whole match, to mate, with each skill used once and misused before and
//! after; both guests hear all of it.

use serde_json::{Value, json};

use super::guest::{Guest, Pair, order, piece};
use crate::client::Server;

async fn misuses(guest: &Guest, id: &str, wrong: &[(&str, Option<&str>, &str)]) {
    for (text, skill, why) in wrong {
        guest.fails(id, "makeMove", order(text, *skill), why).await;
    }
}

#[tokio::test]
async fn a_match_is_played_to_mate_with_every_skill() {
    let server = Server::start().await;
    let pair = Pair::meet(&server).await;
    let Pair {
        white, black, id, ..
    } = &pair;
    white.selects(id, "deadeye", Some("a2")).await;
    white.selects(id, "knightfall", Some("e2")).await;
    black.selects(id, "shadowstep", Some("b8")).await;
    pair.lock().await;
    let mut streams = [white.follows(id).await, black.follows(id).await];
    for stream in &mut streams {
        assert_eq!(stream.next().await["type"], "snapshot");
    }
    let deadeye = white.skill(id, "a2", "deadeye").await;
    let knightfall = white.skill(id, "e2", "knightfall").await;
    let shadowstep = black.skill(id, "b8", "shadowstep").await;

    black
        .fails(id, "makeMove", order("e7e5", None), "notYourTurn")
        .await;
    let wrong = [
        ("e7e5", None, "wrongSeat"),
        ("e4e5", None, "pieceNotFound"),
        ("e2e5", None, "illegalMove"),
        ("a1a2", None, "occupiedByAlly"),
        ("f1c4", None, "blockedPath"),
        ("e2e9", None, "invalidPosition"),
        ("e2e4=queen", None, "invalidPromotion"),
        ("e2e4", Some(&*deadeye), "skillNotEquipped"),
        ("a2a7", None, "illegalMove"),
        ("a2b4", Some(&*deadeye), "invalidSkillMove"),
        ("a2a4", Some(&*deadeye), "invalidSkillMove"),
        ("e2f4", Some(&*knightfall), "invalidSkillMove"),
    ];
    misuses(white, id, &wrong).await;
    let revision = white.sees(id).await["revision"].as_u64().expect("a number");
    let event = white
        .does(id, "makeMove", order("a2a7", Some(&deadeye)))
        .await;
    assert_eq!(event["revision"], revision + 1);
    let record = &event["snapshot"]["board"]["moveHistory"][0];
    assert_eq!(record["skillID"], "deadeye");
    assert_eq!(record["equippedSkillID"], *deadeye);
    assert_eq!(record["capturedPieceName"], "pawn");
    let used = &piece(&event["snapshot"], "a7")["equippedSkills"][0]["hasBeenUsed"];
    assert_eq!(used, true);

    black.plays(id, "a8a7").await;
    white.plays(id, "a1a7").await;
    misuses(black, id, &[("b8a7", None, "illegalMove")]).await;
    black
        .does(id, "makeMove", order("b8a7", Some(&shadowstep)))
        .await;
    pair.play("e2e4").await;
    let again = [("a7b8", Some(&*shadowstep), "skillAlreadyUsed")];
    misuses(black, id, &again).await;
    black.plays(id, "g7g5").await;
    white
        .does(id, "makeMove", order("e4g5", Some(&knightfall)))
        .await;
    black.plays(id, "b7b6").await;
    pair.play("f1c4 h7h6 d1h5 a7c6").await;
    let event = white.plays(id, "h5f7").await;
    assert_eq!(event["type"], "finished");
    let over = &event["snapshot"];
    assert_eq!(over["phase"], "finished");
    assert_eq!(
        over["status"],
        json!({ "kind": "checkmate", "turn": null, "inCheck": null, "winner": "white" })
    );
    assert_eq!(over["outcome"]["kind"], "checkmate");
    assert_eq!(over["outcome"]["winner"], "white");
    black.fails(id, "resign", json!({}), "invalidPhase").await;

    // Refusals were told to nobody else: the streams have the thirteen moves only.
    let first = revision + 1;
    for stream in &mut streams {
        for (index, revision) in (first..first + 13).enumerate() {
            let event: Value = stream.next().await;
            let kind = if index == 12 {
                "finished"
            } else {
                "actionAccepted"
            };
            assert_eq!(
                (&event["type"], &event["revision"]),
                (&json!(kind), &json!(revision))
            );
            assert_eq!(event["snapshot"]["revision"], revision);
        }
    }
    // It stays readable, and its room's code is free.
    assert_eq!(black.sees(id).await["outcome"]["kind"], "checkmate");
    let refused = Guest::new(&server, "Cid").joins(&pair.code).await;
    assert_eq!(refused.expect(404)["code"], "roomNotFound");
}
