//! A retry gets its first answer again, byte for byte, for ever.

use reqwest::Method;
use serde_json::json;

use crate::client::{Server, blitz, play};

#[tokio::test]
async fn a_retried_move_answers_byte_for_byte_whatever_happened_since() {
    let mut server = Server::start().await;
    let (white, black, id) = server.blitz().await;
    let first = white.plays_at(&id, "e2e4", 1).await;
    first.expect(200);
    for spelling in ["e2e4", "e4", "e2-e4"] {
        assert_eq!(white.plays_at(&id, spelling, 1).await, first, "{spelling}");
    }
    let reply = black.plays_at(&id, "e7e5", 2).await;
    play_on(&white, &black, &id).await;
    assert_eq!(white.plays_at(&id, "e4", 1).await, first);
    assert_eq!(black.plays_at(&id, "e5", 2).await, reply);

    white.asks(&id, "resign").await.expect(200);
    assert_eq!(white.plays_at(&id, "e2e4", 1).await, first);

    server.restart().await;
    let (white, black) = (server.again(&white), server.again(&black));
    assert_eq!(white.plays_at(&id, "e2e4", 1).await, first);
    assert_eq!(black.plays_at(&id, "e7e5", 2).await, reply);
    // Somebody else's move is nobody's retry.
    black
        .plays_at(&id, "e2e4", 1)
        .await
        .refused(409, "stale_ply");
}

async fn play_on(white: &crate::client::Client, black: &crate::client::Client, id: &str) {
    for (ply, text) in (3..).zip(["Nf3", "Nc6", "Bb5", "a6"]) {
        let player = if ply % 2 == 1 { white } else { black };
        player.plays_at(id, text, ply).await.expect(200);
    }
}

#[tokio::test]
async fn a_retry_after_eviction_is_read_from_the_store() {
    let server = Server::start_with(|settings| settings.idle_seconds = 0).await;
    let (white, black, id) = server.blitz().await;
    let first = white.plays_at(&id, "d4", 1).await;
    play(&white, &black, &id, "d4 d5 c4").await;
    let live = server.running().app().games.live().clone();
    server::operate::background::tidy(server.running().app())
        .await
        .expect("the store works");
    assert!(live.evict() >= 1);
    assert_eq!(live.stats().resident, 0);
    assert_eq!(white.plays_at(&id, "d2d4", 1).await, first);
}

#[tokio::test]
async fn an_idempotency_key_makes_one_game_however_often_it_is_sent() {
    let server = Server::start().await;
    let player = server.guest().await;
    let create = |key: &'static str, body: String| {
        let player = player.clone();
        async move {
            let headers = [("idempotency-key", key)];
            player
                .send(Method::POST, "/v1/games", Some(body), &headers)
                .await
        }
    };
    let first = create("one", blitz().to_string()).await;
    let id = first.expect(201)["id"].clone();
    assert_eq!(
        create("one", blitz().to_string()).await.expect(201)["id"],
        id
    );
    let other = json!({ "time_control": null }).to_string();
    create("one", other)
        .await
        .refused(409, "idempotency_mismatch");
    assert_ne!(
        create("two", blitz().to_string()).await.expect(201)["id"],
        id
    );
    create(
        Box::leak("x".repeat(65).into_boxed_str()),
        blitz().to_string(),
    )
    .await
    .refused(400, "bad_request");

    let racing = (0..20).map(|_| tokio::spawn(create("race", blitz().to_string())));
    let mut ids = std::collections::BTreeSet::new();
    for answer in racing.collect::<Vec<_>>() {
        ids.insert(answer.await.expect("an answer").expect(201)["id"].to_string());
    }
    assert_eq!(ids.len(), 1);
}

#[tokio::test]
async fn an_idempotency_key_makes_a_gift_once() {
    let server = Server::start().await;
    let (white, _, id) = server.blitz().await;
    let path = format!("/v1/games/{id}/add-time");
    let give = || async {
        let body = json!({ "seconds": 15 }).to_string();
        white
            .send(
                Method::POST,
                &path,
                Some(body),
                &[("idempotency-key", "gift")],
            )
            .await
    };
    let first = give().await.expect(200)["version"].clone();
    assert_eq!(give().await.expect(200)["version"], first);
    assert_eq!(white.game(&id).await["version"], first);
}

#[tokio::test]
async fn a_game_made_under_a_key_is_answered_byte_for_byte_whatever_happened_since() {
    let mut server = Server::start().await;
    let (maker, friend) = (server.guest().await, server.guest().await);
    let key = [("idempotency-key", "one")];
    let body = json!({
        "time_control": { "initial_seconds": 300, "increment_seconds": 0 },
        "visibility": "private", "color": "white",
    });
    let body = body.to_string();
    let make = |maker: crate::client::Client| {
        let body = body.clone();
        async move {
            maker
                .send(Method::POST, "/v1/games", Some(body), &key)
                .await
        }
    };
    let first = make(maker.clone()).await;
    let game = first.expect(201);
    let id = game["id"].as_str().expect("an id");
    assert_eq!(make(maker.clone()).await, first);

    // The code in the answer is the one that works, and works once.
    let code = json!({ "join_code": game["join_code"] }).to_string();
    let join = || friend.send(Method::POST, "/v1/games/join", Some(code.clone()), &key);
    let joined = join().await;
    assert_eq!(joined.expect(200)["state"], "ACTIVE");
    assert_eq!(make(maker.clone()).await, first);
    maker.plays(id, "e4").await.expect(200);
    assert_eq!(make(maker.clone()).await, first);
    assert_eq!(join().await.expect(200)["version"], 2);
    maker.asks(id, "resign").await.expect(200);
    server.restart().await;
    assert_eq!(make(server.again(&maker)).await, first);
}

#[tokio::test]
async fn a_key_makes_one_move_where_no_ply_is_sent() {
    let mut server = Server::start().await;
    let (white, black, id) = server.blitz().await;
    let path = format!("/v1/games/{id}/moves");
    let plays = |client: crate::client::Client, key: &'static str, text: &'static str| {
        let (path, body) = (path.clone(), json!({ "move": text }).to_string());
        async move {
            let key = [("idempotency-key", key)];
            client.send(Method::POST, &path, Some(body), &key).await
        }
    };
    let first = plays(white.clone(), "a", "Nf3").await;
    assert_eq!(first.expect(200)["ply"], 1);
    assert_eq!(plays(white.clone(), "a", "Nf3").await, first);
    black.plays(&id, "Nf6").await.expect(200);
    white.plays(&id, "Ng1").await.expect(200);
    black.plays(&id, "Ng8").await.expect(200);
    // The same move could be made again, but this is a retry.
    assert_eq!(plays(white.clone(), "a", "Nf3").await, first);
    let other = plays(white.clone(), "a", "e4").await;
    other.refused(409, "idempotency_mismatch");
    server.restart().await;
    let white = server.again(&white);
    assert_eq!(plays(white.clone(), "a", "Nf3").await, first);
    assert_eq!(plays(white.clone(), "b", "Nf3").await.expect(200)["ply"], 5);
    // What was refused is not remembered.
    plays(white.clone(), "c", "e4")
        .await
        .refused(409, "wrong_turn");
    server.again(&black).plays(&id, "Nf6").await.expect(200);
    plays(white, "c", "e4").await.expect(200);
}
