//! Two nodes on one database and one bus: what is decided at one holds at the other.
//! Where PostgreSQL or NATS is not installed there is nothing to test.

use std::time::Duration;

use serde_json::{Value, json};

use super::{blocks, follows, id};
use crate::chat::moderator;
use crate::client::{Client, Server, blitz};

/// Longer than news take that are told at all.
const PAUSE: Duration = Duration::from_secs(5);

/// Two servers that share everything.
async fn two() -> Option<[Server; 2]> {
    let (store, bus) = (servers::postgres()?, servers::shared_nats()?);
    let start = async || {
        Server::start_with(|settings| {
            (settings.store, settings.bus) = (store.clone(), bus.clone());
        })
        .await
    };
    Some([start().await, start().await])
}

async fn begin(one: &Client, other: &Client) -> String {
    let game = one.post("/v1/games", blitz()).await.expect(201);
    other.asks(id(&game), "join").await.expect(200);
    id(&game).to_owned()
}

async fn followed(client: &Client) -> Value {
    let page = client.get("/v1/me/follows").await.expect(200);
    page["follows"][0].clone()
}

#[tokio::test]
async fn followers_hear_of_games_that_begin_elsewhere() {
    let Some([here, there]) = two().await else {
        return;
    };
    let (ann, bob, cleo) = (here.guest().await, here.guest().await, here.guest().await);
    let mut stream = there.again(&ann).listens("/v1/stream").await;
    follows(&ann, &bob).await;
    // The stream at the other node hears within a second whom she follows: of a game that
    // begins before that it says nothing, and they begin another.
    let (game, told) = loop {
        let game = begin(&bob, &cleo).await;
        if let Ok(told) = tokio::time::timeout(PAUSE, stream.next()).await {
            break (game, told);
        }
        bob.asks(&game, "resign").await.expect(200);
    };
    assert_eq!(
        (&told["type"], &told["game_id"], &told["player"]),
        (&json!("FOLLOWED_STARTED"), &json!(game), &json!(bob.id))
    );
    let shown = followed(&ann).await;
    assert_eq!(
        (&shown["online"], &shown["game_id"]),
        (&json!(false), &json!(game))
    );
    let _own = there.again(&bob).listens("/v1/stream").await;
    let shown = followed(&ann).await;
    assert_eq!(shown["online"], true, "at the other node");
}

#[tokio::test]
async fn what_the_blocked_say_at_one_node_is_not_told_at_the_other() {
    let Some([here, there]) = two().await else {
        return;
    };
    let (ann, bob) = (here.guest().await, here.guest().await);
    let game = begin(&ann, &bob).await;
    let mut hers = there.again(&ann).watches(&game).await;
    let mut others = there.guest().await.watches(&game).await;
    for stream in [&mut hers, &mut others] {
        stream.hears("STATE").await;
    }
    blocks(&ann, &bob).await;
    let path = format!("/v1/games/{game}/chat");
    for (client, text) in [
        (&bob, "one"),
        (&ann, "two"),
        (&bob, "three"),
        (&ann, "four"),
    ] {
        client
            .post(&path, json!({ "text": text }))
            .await
            .expect(201);
    }
    for text in ["one", "two", "three", "four"] {
        assert_eq!(others.hears("CHAT").await["text"], text);
    }
    for text in ["two", "four"] {
        assert_eq!(hers.hears("CHAT").await["text"], text);
    }
    there
        .again(&bob)
        .post(
            "/v1/games",
            json!({ "opponent_id": ann.id, "time_control": null }),
        )
        .await
        .refused(403, "not_accepting");
}

#[tokio::test]
async fn what_an_operator_decides_at_one_node_holds_at_the_other() {
    let Some([here, there]) = two().await else {
        return;
    };
    let boss = moderator(&here).await;
    let (ann, bob) = (here.guest().await, here.guest().await);
    let game = begin(&ann, &bob).await;
    let mut stream = there.again(&bob).listens("/v1/stream").await;
    let body = json!({ "player": bob.id, "reason": "abuse" });
    let report = ann.post("/v1/reports", body).await.expect(201);
    let path = format!("/v1/admin/reports/{}/decide", report["id"]);
    let mute = json!({ "decision": "mute", "note": "insults" });
    boss.post(&path, mute).await.expect(200);
    let path = format!("/v1/games/{game}/chat");
    let line = json!({ "text": "hello" });
    there
        .again(&bob)
        .post(&path, line)
        .await
        .refused(403, "muted");
    let told = stream.hears("NOTICE").await;
    assert_eq!(told["kind"], "mute");
}
