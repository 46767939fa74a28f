//! What somebody chooses to be told, and their own stream.

use serde_json::{Value, json};

use super::{choose, settings};
use crate::client::Server;
use crate::streams::listener::Listener;

impl Listener {
    /// The next notification of that kind about that game.
    pub(super) async fn is_notified(&mut self, kind: &str, game: &str) -> Value {
        loop {
            let told = self.hears("NOTIFICATION").await;
            if told["kind"] == kind && told["game_id"] == game {
                return told;
            }
        }
    }
}

#[tokio::test]
async fn what_was_chosen_is_shown_exported_and_gone_with_the_account() {
    let server = Server::start().await;
    let ann = server.registered("ann").await;
    let usual = settings(&ann).await;
    let on = json!({ "email": true, "push": true, "stream": true });
    for kind in ["your_turn", "challenge", "deadline_near", "game_over"] {
        assert_eq!(usual[kind], on, "{kind}");
    }
    assert_eq!(
        (&usual["quiet_hours"], &usual["digest"]),
        (&Value::Null, &json!(true))
    );
    let quiet = json!({ "from": "22:00", "to": "07:30", "utc_offset_minutes": 60 });
    let chosen = json!({
        "your_turn": { "email": false }, "quiet_hours": quiet, "digest": false, "unknown": 1,
    });
    let shown = choose(&ann, chosen).await.expect(200);
    assert_eq!(shown["your_turn"]["email"], false);
    assert_eq!(shown["quiet_hours"], quiet);
    assert_eq!(settings(&ann).await, shown);
    let export = ann.get("/v1/me/export").await.expect(200);
    assert_eq!(export["notifications"], shown);
    let back = choose(&ann, json!({})).await.expect(200);
    assert_eq!(back, usual);
    for (quiet, field) in [
        (
            json!({ "from": "25:00", "to": "07:30" }),
            "quiet_hours.from",
        ),
        (json!({ "from": "22:00", "to": "seven" }), "quiet_hours.to"),
        (
            json!({ "from": "22:00", "to": "07:30", "utc_offset_minutes": 9_999 }),
            "quiet_hours.utc_offset_minutes",
        ),
    ] {
        let refused = choose(&ann, json!({ "quiet_hours": quiet })).await;
        let refused = refused.refused(400, "bad_request");
        assert_eq!(refused["field"], field);
    }
    let wrong = choose(&ann, json!({ "your_turn": { "email": "yes" } })).await;
    wrong.refused(400, "bad_request");
    ann.delete("/v1/me").await.expect(204);
}

#[tokio::test]
async fn the_own_stream_tells_what_was_chosen() {
    let server = Server::start().await;
    let (ann, bob) = (server.guest().await, server.guest().await);
    let mut stream = ann.listens("/v1/stream").await;
    let terms = json!({ "time_control": { "days_per_move": 3 }, "opponent_id": ann.id });
    let game = bob.post("/v1/games", terms).await.expect(201);
    let id = game["id"].as_str().expect("an id");
    let told = stream.is_notified("challenge", id).await;
    assert!(told["id"].as_u64().is_some() && told["at"].as_str().is_some());
    ann.asks(id, "join").await.expect(200);
    bob.plays(id, "e4").await.expect(200);
    stream.is_notified("your_turn", id).await;
    choose(&ann, json!({ "your_turn": { "stream": false } }))
        .await
        .expect(200);
    ann.plays(id, "e5").await.expect(200);
    bob.plays(id, "Nf3").await.expect(200);
    bob.asks(id, "resign").await.expect(200);
    loop {
        let told = stream.hears("NOTIFICATION").await;
        assert_ne!(told["kind"], "your_turn", "{told}");
        if told["kind"] == "game_over" {
            break;
        }
    }
}

#[tokio::test]
async fn what_was_not_told_before_a_restart_is_told_after_it_and_once() {
    let mut server = Server::start().await;
    let (ann, bob) = (server.guest().await, server.guest().await);
    let terms = json!({ "time_control": { "days_per_move": 3 }, "opponent_id": ann.id });
    let game = bob.post("/v1/games", terms).await.expect(201);
    let id = game["id"].as_str().expect("an id");
    ann.asks(id, "join").await.expect(200);
    bob.plays(id, "e4").await.expect(200);
    server.restart().await;
    let store = &server.running().app().store;
    let number = server.running().app().auth.person_by_name(&ann.id).await;
    let number = number.expect("the store answers").expect("Ann").number;
    loop {
        let told = store.streamed_notifications(number, 0, 100).await;
        let told = told.expect("the store answers");
        let kinds: Vec<&str> = told.iter().map(|told| &*told.what.kind).collect();
        let turns = kinds.iter().filter(|kind| **kind == "your_turn").count();
        assert!(turns <= 1, "{kinds:?}");
        if turns == 1 {
            break;
        }
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
}
