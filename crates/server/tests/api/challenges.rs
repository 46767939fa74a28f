//! Challenges: made, found, answered, and told to the other side at once.

use chess::Millis;
use chess::game::Command;
use chess::table::Actor;
use serde_json::{Value, json};

use crate::client::{Client, Server, blitz};

async fn challenges(from: &Client, to: &Client) -> String {
    let mut terms = blitz();
    terms["opponent_id"] = json!(to.id);
    let game = from.post("/v1/games", terms).await.expect(201);
    game["id"].as_str().expect("an id").to_owned()
}

fn ids(games: &Value) -> Vec<&str> {
    let games = games.as_array().expect("games").iter();
    games
        .map(|game| game["id"].as_str().expect("an id"))
        .collect()
}

async fn declines(who: &Client, id: &str, body: Value) -> crate::client::Answer {
    who.post(&format!("/v1/games/{id}/decline"), body).await
}

#[tokio::test]
async fn both_directions_are_listed_newest_first() {
    let server = Server::start().await;
    let (ann, bob, cleo) = (
        server.guest().await,
        server.guest().await,
        server.guest().await,
    );
    let first = challenges(&ann, &bob).await;
    let second = challenges(&cleo, &ann).await;
    let third = challenges(&ann, &cleo).await;
    // Neither one for whoever comes, nor one that has begun, nor one of others.
    ann.post("/v1/games", blitz()).await.expect(201);
    let begun = challenges(&bob, &ann).await;
    ann.asks(&begun, "join").await.expect(200);
    challenges(&bob, &cleo).await;
    let own = ann.get("/v1/challenges").await.expect(200);
    assert_eq!(ids(&own["in"]), [&*second]);
    assert_eq!(ids(&own["out"]), [&*third, &*first]);
    assert_eq!(own["next_cursor"], Value::Null);
    assert!(own["out"][0]["join_code"].is_string(), "its creator's");
    assert_eq!(own["in"][0].get("join_code"), None);

    let page = ann.get("/v1/challenges?limit=2").await.expect(200);
    assert_eq!(
        (ids(&page["in"]), ids(&page["out"])),
        (vec![&*second], vec![&*third])
    );
    let next = page["next_cursor"].as_str().expect("there is more");
    let path = format!("/v1/challenges?limit=2&cursor={next}");
    let page = ann.get(&path).await.expect(200);
    assert_eq!(ids(&page["out"]), [&*first]);

    ann.asks(&first, "cancel").await.expect(200);
    ann.asks(&second, "decline").await.expect(200);
    cleo.asks(&third, "join").await.expect(200);
    let own = ann.get("/v1/challenges").await.expect(200);
    assert_eq!((ids(&own["in"]).len(), ids(&own["out"]).len()), (0, 0));
    server
        .nobody()
        .get("/v1/challenges")
        .await
        .refused(401, "unauthorized");
    ann.get("/v1/challenges?limit=0")
        .await
        .refused(400, "bad_request");
}

#[tokio::test]
async fn whoever_declines_may_say_why_and_the_challenger_is_told() {
    let server = Server::start().await;
    let (ann, bob) = (server.guest().await, server.guest().await);
    let mut socket = ann.listens("/v1/stream").await;
    let reasons = [
        "generic",
        "later",
        "tooFast",
        "tooSlow",
        "timeControl",
        "rated",
        "casual",
        "standard",
        "variant",
        "noBot",
        "onlyBot",
    ];
    for reason in reasons {
        let id = challenges(&ann, &bob).await;
        let game = declines(&bob, &id, json!({ "reason": reason }))
            .await
            .expect(200);
        assert_eq!(
            (&game["reason"], &game["decline_reason"]),
            (&json!("aborted"), &json!(reason))
        );
        let gone = socket.hears("CHALLENGE_GONE").await;
        assert_eq!(gone["game_id"], json!(id));
        assert_eq!(
            (&gone["reason"], &gone["decline_reason"]),
            (&json!("declined"), &json!(reason))
        );
        let log = ann.log(&id).await;
        assert_eq!(
            log.last().expect("its end")["decline_reason"],
            json!(reason)
        );
        // The first answer counts.
        let again = declines(&bob, &id, json!({ "reason": "later" }))
            .await
            .expect(200);
        assert_eq!(again["decline_reason"], json!(reason));
    }
    for body in [json!({}), json!({ "reason": null })] {
        let id = challenges(&ann, &bob).await;
        let game = declines(&bob, &id, body).await.expect(200);
        assert_eq!(game.get("decline_reason"), None);
        let gone = socket.hears("CHALLENGE_GONE").await;
        assert_eq!(
            (&gone["reason"], gone.get("decline_reason")),
            (&json!("declined"), None)
        );
    }
    let id = challenges(&ann, &bob).await;
    for reason in [json!("toofast"), json!(""), json!(7)] {
        let refused = declines(&bob, &id, json!({ "reason": reason })).await;
        let refused = refused.refused(400, "bad_request");
        assert_eq!(refused["field"], "reason", "{refused}");
    }
    assert_eq!(ann.game(&id).await["state"], "WAITING");
}

/// The reason is still there when the game is read from the store.
#[tokio::test]
async fn why_a_challenge_was_declined_outlives_a_restart() {
    let mut server = Server::start().await;
    let (ann, bob) = (server.guest().await, server.guest().await);
    let id = challenges(&ann, &bob).await;
    declines(&bob, &id, json!({ "reason": "tooSlow" }))
        .await
        .expect(200);
    server.restart().await;
    let game = server.again(&ann).game(&id).await;
    assert_eq!(game["decline_reason"], "tooSlow");
}

#[tokio::test]
async fn each_answer_reaches_the_other_side_at_once() {
    let server = Server::start().await;
    let (ann, bob) = (server.guest().await, server.guest().await);
    let mut anns = ann.listens("/v1/stream").await;
    let mut bobs = bob.listens("/v1/stream").await;
    let id = challenges(&ann, &bob).await;
    assert_eq!(bobs.next().await["type"], "CHALLENGE");
    ann.asks(&id, "cancel").await.expect(200);
    for socket in [&mut anns, &mut bobs] {
        let gone = socket.next().await;
        assert_eq!(
            (&gone["type"], &gone["game_id"], &gone["reason"]),
            (&json!("CHALLENGE_GONE"), &json!(id), &json!("cancelled"))
        );
    }

    let id = challenges(&ann, &bob).await;
    assert_eq!(bobs.next().await["type"], "CHALLENGE");
    let app = server.running().app();
    let host_seen = app.now();
    let tick = Command::Tick { host_seen };
    let later = host_seen + Millis::from_days(1);
    let table = id.parse().expect("an id");
    let ticked = app
        .games
        .submit(table, Actor::Server, tick, later, live::With::default());
    assert!(ticked.await.is_ok());
    for socket in [&mut anns, &mut bobs] {
        let gone = socket.next().await;
        assert_eq!(
            (&gone["type"], &gone["reason"]),
            (&json!("CHALLENGE_GONE"), &json!("expired"))
        );
    }

    let id = challenges(&ann, &bob).await;
    assert_eq!(bobs.next().await["type"], "CHALLENGE");
    bob.asks(&id, "join").await.expect(200);
    for socket in [&mut anns, &mut bobs] {
        let started = socket.next().await;
        assert_eq!(
            (&started["type"], &started["game_id"]),
            (&json!("GAME_STARTED"), &json!(id))
        );
    }
}
