//! Moves and commands over a socket: the same as by `POST`.

use std::time::{Duration, Instant};

use reqwest::Method;
use serde_json::{Value, json};

use super::listener::Listener;
use crate::client::{Server, blitz};

/// What was answered to the message with that id.
async fn answer(socket: &mut Listener, id: impl Into<Value>) -> Value {
    let id = id.into();
    let is_it = |message: &Value| {
        ["ACK", "REFUSED"]
            .iter()
            .any(|kind| message["type"] == *kind)
    };
    let answer = socket.hears_of("an answer", is_it).await;
    assert_eq!(answer["id"], id, "{answer}");
    answer
}

/// The answer without what only a socket says.
fn as_by_post(mut answer: Value) -> Value {
    let fields = answer.as_object_mut().expect("an object");
    for field in ["type", "id", "game_id"] {
        assert!(fields.remove(field).is_some(), "{field}");
    }
    answer
}

fn refused(answer: &Value, status: u16, code: &str) {
    let told = (&answer["type"], &answer["status"], &answer["error"]);
    assert_eq!(
        told,
        (&json!("REFUSED"), &json!(status), &json!(code)),
        "{answer}"
    );
    assert!(answer["detail"].is_string(), "{answer}");
}

#[tokio::test]
async fn a_move_over_the_socket_is_answered_as_by_post() {
    let server = Server::start().await;
    let (white, black, id) = server.blitz().await;
    let mut socket = white.watches(&id).await;
    let mut other = black.watches(&id).await;
    socket
        .says(json!({ "type": "MOVE", "id": 7, "move": "e2e4", "ply": 1 }))
        .await;
    let ack = answer(&mut socket, 7).await;
    assert_eq!((&ack["type"], &ack["game_id"]), (&json!("ACK"), &json!(id)));
    assert_eq!(other.change().await["san"], "e4");
    // The retry by the other way in hears the same.
    let again = white.plays_at(&id, "e2e4", 1).await.expect(200);
    assert_eq!(as_by_post(ack), again);
    other
        .says(json!({ "type": "MOVE", "id": "b", "from": "e7", "to": "e5" }))
        .await;
    assert_eq!(answer(&mut other, "b").await["san"], "e5");
    let log: Vec<Value> = white.log(&id).await;
    assert_eq!(log.len(), 4, "made, joined and two moves: {log:?}");
}

#[tokio::test]
async fn a_command_over_the_socket_is_answered_with_the_game() {
    let server = Server::start().await;
    let (white, black, id) = server.blitz().await;
    crate::client::play(&white, &black, &id, "e4 e5").await;
    let mut socket = white.watches(&id).await;
    let mut other = black.watches(&id).await;
    socket
        .says(json!({ "type": "COMMAND", "id": 8, "do": "offer-draw" }))
        .await;
    let ack = answer(&mut socket, 8).await;
    assert_eq!(ack["game"]["id"], json!(id), "{ack}");
    other.hears("OFFER").await;
    other
        .says(json!({ "type": "COMMAND", "id": 9, "do": "accept-draw" }))
        .await;
    let ack = answer(&mut other, 9).await;
    assert_eq!(ack["game"]["result"], "draw", "{ack}");
    assert_eq!(ack["game"]["reason"], black.game(&id).await["reason"]);
}

#[tokio::test]
async fn what_is_refused_says_why_and_never_closes_the_socket() {
    let server = Server::start().await;
    let (white, black, id) = server.blitz().await;
    let mut socket = black.watches(&id).await;
    let cases = [
        (json!({ "move": "e7e5" }), 409, "wrong_turn"),
        (json!({ "move": "e2e4", "ply": 9 }), 409, "wrong_turn"),
        (json!({}), 409, "wrong_turn"),
        (
            json!({ "move": "e7e5", "game_id": "aaaaaaaa" }),
            404,
            "game_not_found",
        ),
        (
            json!({ "move": "e7e5", "game_id": "?" }),
            404,
            "game_not_found",
        ),
        (json!({ "move": 5 }), 400, "bad_request"),
        (json!({ "move": "e7e5", "ply": -1 }), 400, "bad_request"),
        (json!({ "move": "e7e5", "key": "" }), 400, "bad_request"),
    ];
    for (number, (mut message, status, code)) in cases.into_iter().enumerate() {
        message["type"] = "MOVE".into();
        message["id"] = number.into();
        socket.says(message).await;
        refused(&answer(&mut socket, number).await, status, code);
    }
    let commands = [
        (json!({ "do": "accept-draw" }), 409, "no_offer"),
        (json!({ "do": "dance" }), 400, "bad_request"),
        (json!({}), 400, "bad_request"),
        (json!({ "do": "add-time" }), 400, "bad_request"),
        (
            json!({ "do": "add-time", "seconds": 61 }),
            400,
            "bad_request",
        ),
    ];
    for (mut message, status, code) in commands {
        message["type"] = "COMMAND".into();
        socket.says(message).await;
        refused(&answer(&mut socket, Value::Null).await, status, code);
    }
    white.plays(&id, "e4").await.expect(200);
    socket
        .says(json!({ "type": "MOVE", "id": 1, "move": "e2e4" }))
        .await;
    refused(&answer(&mut socket, 1).await, 422, "illegal_move");
    socket
        .says(json!({ "type": "MOVE", "id": 2, "move": "e7e5" }))
        .await;
    assert_eq!(answer(&mut socket, 2).await["type"], "ACK");
}

#[tokio::test]
async fn whoever_may_not_play_by_post_may_not_by_socket() {
    let server = Server::start().await;
    let (white, _, id) = server.blitz().await;
    let asks = json!({ "type": "MOVE", "id": 1, "move": "e2e4" });
    let mut nobody = server.nobody().watches(&id).await;
    nobody.says(asks.clone()).await;
    refused(&answer(&mut nobody, 1).await, 401, "unauthorized");
    let mut stranger = server.guest().await.watches(&id).await;
    stranger.says(asks.clone()).await;
    refused(&answer(&mut stranger, 1).await, 403, "not_a_player");
    let ann = server.registered("ann").await;
    let body = json!({ "name": "reader", "scopes": ["read"] });
    let token = ann.post("/v1/tokens", body).await.expect(201);
    let reader = server.holder(token["token"].as_str().expect("a token"));
    let mut reader = reader.watches(&id).await;
    reader.says(asks).await;
    refused(&answer(&mut reader, 1).await, 403, "missing_scope");
    assert_eq!(white.game(&id).await["ply"], 0);
}

#[tokio::test]
async fn a_key_stands_for_one_command_by_either_way_in() {
    let server = Server::start().await;
    let (white, black, id) = server.blitz().await;
    crate::client::play(&white, &black, &id, "e4 e5").await;
    let mut socket = white.watches(&id).await;
    let offer = json!({ "type": "COMMAND", "id": 1, "do": "offer-draw", "key": "k1" });
    socket.says(offer.clone()).await;
    let first = answer(&mut socket, 1).await;
    socket.says(offer).await;
    assert_eq!(answer(&mut socket, 1).await, first);
    let path = format!("/v1/games/{id}/offer-draw");
    let by_post = white.send(
        Method::POST,
        &path,
        Some("{}".to_owned()),
        &[("idempotency-key", "k1")],
    );
    assert_eq!(by_post.await.expect(200), first["game"]);
    socket
        .says(json!({ "type": "COMMAND", "id": 2, "do": "resign", "key": "k1" }))
        .await;
    refused(&answer(&mut socket, 2).await, 409, "idempotency_mismatch");
    let made = json!({ "type": "MOVE", "id": 3, "move": "Nf3", "key": "k2" });
    socket.says(made.clone()).await;
    let first = answer(&mut socket, 3).await;
    socket.says(made).await;
    assert_eq!(answer(&mut socket, 3).await, first);
}

/// Of each game the move must come before it is called off: after that there is none.
#[tokio::test]
async fn many_games_are_played_over_ones_own_stream_each_in_order() {
    let server = Server::start().await;
    let (white, black) = (server.guest().await, server.guest().await);
    let mut games = Vec::new();
    for _ in 0..20 {
        let mut terms = blitz();
        terms["creator_side"] = "white".into();
        let made = white.post("/v1/games", terms).await.expect(201);
        let id = made["id"].as_str().expect("an id").to_owned();
        black.asks(&id, "join").await.expect(200);
        games.push(id);
    }
    let mut socket = white.listens("/v1/stream").await;
    socket
        .says(json!({ "type": "MOVE", "id": "where", "move": "e2e4" }))
        .await;
    refused(&answer(&mut socket, "where").await, 400, "bad_request");
    for id in &games {
        let order = json!({ "type": "MOVE", "id": id, "game_id": id, "move": "e2e4" });
        socket.says(order).await;
        let order = json!({ "type": "COMMAND", "id": id, "game_id": id, "do": "abort" });
        socket.says(order).await;
    }
    let mut acks = 0;
    while acks < 2 * games.len() {
        let told = socket
            .hears_of("an answer", |told| told["type"] != "PRESENCE")
            .await;
        assert_ne!(told["type"], "REFUSED", "{told}");
        acks += usize::from(told["type"] == "ACK");
    }
    for id in &games {
        let game = white.game(id).await;
        assert_eq!(
            (&game["ply"], &game["result"]),
            (&json!(1), &json!("aborted"))
        );
    }
}

#[tokio::test]
async fn a_flood_is_answered_frame_by_frame_and_costs_nobody_the_socket() {
    let server = Server::start().await;
    let (white, _, id) = server.blitz().await;
    let mut socket = white.watches(&id).await;
    for number in 0..500 {
        let order = json!({ "type": "MOVE", "id": number, "move": "e2e5" });
        socket.says(order).await;
    }
    let mut missing: std::collections::BTreeSet<u64> = (0..500).collect();
    while !missing.is_empty() {
        let told = socket.hears("REFUSED").await;
        let codes = [
            "illegal_move",
            "too_many_in_flight",
            "rate_limited",
            "game_not_active",
        ];
        assert!(codes.iter().any(|code| told["error"] == *code), "{told}");
        assert!(
            missing.remove(&told["id"].as_u64().expect("its number")),
            "{told}"
        );
    }
    socket.says(json!({ "type": "PING", "id": 1 })).await;
    assert_eq!(socket.hears("PONG").await["id"], 1);
}

#[tokio::test]
async fn moves_over_the_socket_are_measured_as_those_by_post() {
    let server = Server::start().await;
    let (white, black, id) = server.blitz().await;
    let mut socket = white.watches(&id).await;
    let mut nobody = server.nobody().watches(&id).await;
    for (order, kind) in [
        (json!({ "move": "e2e4", "ply": 1 }), "ACK"),
        (json!({ "move": "d2d4" }), "REFUSED"),
        (json!({ "move": 5 }), "REFUSED"),
    ] {
        let mut order = order;
        order["type"] = "MOVE".into();
        socket.says(order).await;
        assert_eq!(answer(&mut socket, Value::Null).await["type"], kind);
    }
    nobody.says(json!({ "type": "MOVE", "id": 1 })).await;
    refused(&answer(&mut nobody, 1).await, 401, "unauthorized");
    // A command is no move.
    let offer = json!({ "type": "COMMAND", "id": 2, "do": "offer-draw" });
    socket.says(offer).await;
    answer(&mut socket, 2).await;
    black.plays(&id, "e5").await.expect(200);
    let metrics = white.http.get(format!("{}/metrics", white.url)).send();
    let metrics = metrics.await.expect("it answers").text().await;
    let metrics = metrics.expect("a whole answer");
    for line in [
        "arbiter_moves_total{outcome=\"accepted\"} 2",
        "arbiter_moves_total{outcome=\"wrong_turn\"} 1",
        "arbiter_moves_total{outcome=\"bad_request\"} 1",
        "arbiter_moves_total{outcome=\"unauthorized\"} 1",
        "arbiter_move_seconds_count 5",
    ] {
        assert!(metrics.lines().any(|it| it == line), "{line}: {metrics}");
    }
}

/// A hundred at once and twenty a second: beyond that the next is read later.
#[tokio::test]
async fn what_is_refused_at_once_is_held_to_a_pace_and_costs_nobody_the_socket() {
    let server = Server::start().await;
    let (white, _, id) = server.blitz().await;
    for (client, order) in [
        (server.nobody(), json!({ "type": "MOVE" })),
        (white, json!({ "type": "COMMAND", "do": 5 })),
    ] {
        let mut socket = client.watches(&id).await;
        let begun = Instant::now();
        for _ in 0..160 {
            socket.says(order.clone()).await;
        }
        for _ in 0..160 {
            answer(&mut socket, Value::Null).await;
        }
        assert!(begun.elapsed() > Duration::from_secs(2));
        socket.says(json!({ "type": "PING", "id": 1 })).await;
        assert_eq!(socket.hears("PONG").await["id"], 1);
    }
}
