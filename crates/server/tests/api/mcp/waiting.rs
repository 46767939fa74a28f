//! Waiting for an opponent.

use std::time::{Duration, Instant};

use serde_json::json;

use super::{call, done, game, refused};
use crate::client::Server;

#[tokio::test]
async fn whoever_waits_is_told_of_the_move() {
    let server = Server::start().await;
    let (white, black, id) = game(&server).await;
    let waiting = {
        let (black, id) = (black.clone(), id.clone());
        tokio::spawn(
            async move { done(&black, "wait_for_opponent", json!({ "game_id": id })).await },
        )
    };
    let played = done(&white, "make_move", json!({ "game_id": id, "move": "e4" })).await;
    let told = waiting.await.expect("an answer");
    assert_eq!(
        (&told["your_turn"], &told["ply"]),
        (&json!(true), &json!(1))
    );
    // Unless it had come so late that the move was made already.
    assert!(told["happened"] == json!(["White played e4."]) || told["happened"] == json!([]));

    let since = json!({ "game_id": id, "after_version": 2 });
    let told = done(&black, "wait_for_opponent", since).await;
    assert_eq!(told["happened"], json!(["White played e4."]));
    assert_eq!(told["version"], played["version"]);
    let watched = json!({ "game_id": id, "after_version": 1 });
    let told = done(&server.nobody(), "wait_for_opponent", watched).await;
    let begun = "An opponent has joined: the game has begun.";
    assert_eq!(told["happened"], json!([begun, "White played e4."]));
}

#[tokio::test]
async fn words_and_the_end_are_told_too() {
    let server = Server::start().await;
    let (white, black, id) = game(&server).await;
    let wait = |seconds: u32| {
        let (black, id) = (black.clone(), id.clone());
        let wait = json!({ "game_id": id, "seconds": seconds });
        tokio::spawn(async move { done(&black, "wait_for_opponent", wait).await })
    };
    // A line that was said before is no news: it may come while they wait, or before.
    let waiting = wait(25);
    while !waiting.is_finished() {
        done(&white, "say", json!({ "game_id": id, "text": "Hello" })).await;
    }
    let told = waiting.await.expect("an answer");
    assert_eq!(told["chat"][0]["text"], "Hello");
    assert_eq!(told["your_turn"], false);
    let read = done(&black, "read_chat", json!({ "game_id": id })).await;
    let first = &read["chat"][0];
    assert_eq!(first["from"], white.id);
    let rest = json!({ "game_id": id, "after": first["id"] });
    let rest = done(&black, "read_chat", rest).await;
    let lines = |page: &serde_json::Value| page["chat"].as_array().map_or(0, Vec::len);
    assert_eq!(lines(&rest) + 1, lines(&read));

    let waiting = wait(25);
    done(&white, "resign", json!({ "game_id": id })).await;
    let told = waiting.await.expect("an answer");
    assert_eq!(
        (&told["state"], &told["winner"]),
        (&json!("COMPLETED"), &json!("black"))
    );
}

#[tokio::test]
async fn nobody_waits_for_longer_than_they_said_or_for_nothing() {
    let server = Server::start().await;
    let (white, black, id) = game(&server).await;
    let begun = Instant::now();
    let told = done(&white, "wait_for_opponent", json!({ "game_id": id })).await;
    assert_eq!(told["your_turn"], true);
    let told = done(
        &black,
        "wait_for_opponent",
        json!({ "game_id": id, "seconds": 1 }),
    )
    .await;
    assert_eq!(
        (&told["happened"], &told["your_turn"]),
        (&json!([]), &json!(false))
    );
    assert!(
        begun.elapsed() < Duration::from_secs(20),
        "{:?}",
        begun.elapsed()
    );
    for seconds in [0, 26] {
        let wait = json!({ "game_id": id, "seconds": seconds });
        assert_eq!(
            refused(&black, "wait_for_opponent", wait).await,
            "bad_request"
        );
    }
}

/// The token is taken back while its owner waits: what happens next is not told.
#[tokio::test]
async fn a_token_that_is_taken_back_ends_the_waiting() {
    let server = Server::start().await;
    let (white, black, id) = game(&server).await;
    let waiting = {
        let (black, id) = (black.clone(), id.clone());
        tokio::spawn(
            async move { call(&black, "wait_for_opponent", json!({ "game_id": id })).await },
        )
    };
    // Once they are there they are seen.
    let is_here = async || {
        let seen = white.game(&id).await;
        seen["players"]["black"]["connected"] == true
    };
    while !is_here().await {}
    assert_eq!(black.delete("/v1/sessions/current").await.status, 204);
    done(&white, "make_move", json!({ "game_id": id, "move": "e4" })).await;
    let told = waiting.await.expect("an answer");
    let (error, is_error) = (&told["structuredContent"]["error"], &told["isError"]);
    assert_eq!(
        (error, is_error),
        (&json!("unauthorized"), &json!(true)),
        "{told}"
    );
}

#[tokio::test]
async fn a_server_that_stops_keeps_nobody_waiting() {
    let mut server = Server::start().await;
    let (_, black, id) = game(&server).await;
    let begun = Instant::now();
    let waiting = {
        let (black, id) = (black.clone(), id.clone());
        tokio::spawn(async move {
            let url = format!("{}/mcp", black.url);
            let message = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call",
                "params": { "name": "wait_for_opponent", "arguments": { "game_id": id } } });
            let request = black.http.post(url).header("accept", super::ACCEPT.1);
            let request = request.bearer_auth(black.token.unwrap_or_default());
            request
                .json(&message)
                .send()
                .await
                .map(|answer| answer.status())
        })
    };
    tokio::task::yield_now().await;
    server.stop().await;
    // Told that nothing happened, refused or cut off, but not kept.
    drop(waiting.await.expect("an end"));
    assert!(
        begun.elapsed() < Duration::from_secs(20),
        "{:?}",
        begun.elapsed()
    );
}
