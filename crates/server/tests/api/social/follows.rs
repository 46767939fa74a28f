//! Whose games somebody wants to hear of.

use serde_json::{Value, json};

use super::{delete, follows, id, put};
use crate::client::{Client, Server, blitz};

async fn followed(client: &Client) -> Vec<Value> {
    let page = client.get("/v1/me/follows").await.expect(200);
    page["follows"].as_array().expect("a list").clone()
}

/// Two begin a game on these terms.
async fn begin(one: &Client, other: &Client, terms: Value) -> String {
    let game = one.post("/v1/games", terms).await.expect(201);
    other.asks(id(&game), "join").await.expect(200);
    id(&game).to_owned()
}

#[tokio::test]
async fn who_is_followed_is_shown_with_what_they_play() {
    let server = Server::start().await;
    let (ann, bob, cleo) = (
        server.guest().await,
        server.guest().await,
        server.guest().await,
    );
    follows(&ann, &bob).await;
    follows(&ann, &bob).await;
    let list = followed(&ann).await;
    assert_eq!(list.len(), 1);
    let shown = &list[0];
    assert_eq!(
        (&shown["id"], &shown["online"], &shown["game_id"]),
        (&json!(bob.id), &json!(false), &json!(null))
    );
    let mut hidden = blitz();
    hidden["visibility"] = json!("private");
    hidden["opponent_id"] = json!(cleo.id);
    let mut late = blitz();
    late["spectator_delay_seconds"] = json!(60);
    let mut members = blitz();
    (members["visibility"], members["opponent_id"]) = (json!("members"), json!(cleo.id));
    for terms in [hidden, late, members] {
        begin(&bob, &cleo, terms).await;
        assert_eq!(followed(&ann).await[0]["game_id"], json!(null));
    }
    let game = begin(&bob, &cleo, blitz()).await;
    let stream = bob.watches(&game).await;
    let shown = &followed(&ann).await[0];
    assert_eq!(
        (&shown["online"], &shown["game_id"]),
        (&json!(true), &json!(game))
    );
    drop(stream);
    bob.asks(&game, "resign").await.expect(200);
    assert_eq!(followed(&ann).await[0]["game_id"], json!(null));
    delete(&ann, &format!("/v1/me/follows/{}", bob.id))
        .await
        .expect(204);
    assert_eq!(followed(&ann).await, Vec::<Value>::new());
    put(&ann, &format!("/v1/me/follows/{}", ann.id))
        .await
        .refused(409, "not_allowed");
    put(&ann, "/v1/me/follows/nobody-there")
        .await
        .refused(404, "not_found");
}

#[tokio::test]
async fn a_follower_is_told_when_a_public_game_begins() {
    let server = Server::start().await;
    let (ann, bob, cleo) = (
        server.guest().await,
        server.guest().await,
        server.guest().await,
    );
    follows(&ann, &bob).await;
    let mut stream = ann.listens("/v1/stream").await;
    let mut hidden = blitz();
    hidden["visibility"] = json!("private");
    hidden["opponent_id"] = json!(cleo.id);
    let mut late = blitz();
    late["spectator_delay_seconds"] = json!(60);
    for terms in [hidden, late] {
        begin(&bob, &cleo, terms).await;
    }
    let game = begin(&cleo, &bob, blitz()).await;
    let told = stream.next().await;
    assert_eq!(told["type"], "FOLLOWED_STARTED");
    assert_eq!(
        (&told["game_id"], &told["player"], &told["opponent"]),
        (&json!(game), &json!(bob.id), &json!(cleo.id))
    );
    assert_eq!(
        (
            &told["color"],
            &told["speed"],
            &told["variant"],
            &told["rated"]
        ),
        (
            &json!("black"),
            &json!("blitz"),
            &json!("standard"),
            &json!(false)
        )
    );
    // Whoever is followed from now on is heard of by the stream that is open.
    follows(&ann, &cleo).await;
    delete(&ann, &format!("/v1/me/follows/{}", bob.id))
        .await
        .expect(204);
    let dan = server.guest().await;
    let mut told = false;
    for _ in 0..20 {
        let _unheard = begin(&bob, &dan, blitz()).await;
        let game = begin(&cleo, &dan, blitz()).await;
        let next = stream.next().await;
        told = (&next["game_id"], &next["player"]) == (&json!(game), &json!(cleo.id));
        if told {
            break;
        }
    }
    assert!(told, "the stream never heard of it");
}

#[tokio::test]
async fn who_plays_oneself_hears_of_it_as_a_player() {
    let server = Server::start().await;
    let (ann, bob) = (server.guest().await, server.guest().await);
    follows(&ann, &bob).await;
    let mut stream = ann.listens("/v1/stream").await;
    begin(&ann, &bob, blitz()).await;
    assert_eq!(stream.next().await["type"], "GAME_STARTED");
    assert_eq!(stream.next().await["type"], "YOUR_TURN");
}
