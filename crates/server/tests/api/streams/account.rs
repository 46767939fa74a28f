//! An account's own stream, and several boards on one socket.

use serde_json::json;

use crate::client::{Server, blitz, play};

#[tokio::test]
async fn challenges_turns_beginnings_and_ends_are_told() {
    let server = Server::start().await;
    let (ann, bob) = (server.guest().await, server.guest().await);
    let mut ann_socket = ann.listens("/v1/stream").await;
    let mut bob_socket = bob.listens("/v1/stream").await;
    let mut terms = blitz();
    terms["opponent_id"] = json!(bob.id);
    let game = ann.post("/v1/games", terms.clone()).await.expect(201);
    let id = game["id"].as_str().expect("an id");
    let challenge = bob_socket.next().await;
    assert_eq!(challenge["type"], "CHALLENGE");
    assert_eq!(
        (&challenge["game_id"], &challenge["from"]),
        (&json!(id), &json!(ann.id))
    );
    assert_eq!(challenge["game"]["state"], "WAITING");
    assert_eq!(challenge["game"].get("join_code"), None);
    bob.asks(id, "decline").await.expect(200);
    for socket in [&mut ann_socket, &mut bob_socket] {
        let gone = socket.next().await;
        assert_eq!(
            (&gone["type"], &gone["game_id"]),
            (&json!("CHALLENGE_GONE"), &json!(id))
        );
    }

    let game = ann.post("/v1/games", terms).await.expect(201);
    let id = game["id"].as_str().expect("an id");
    assert_eq!(bob_socket.next().await["type"], "CHALLENGE");
    bob.asks(id, "join").await.expect(200);
    let started = ann_socket.next().await;
    assert_eq!(
        (&started["type"], &started["color"]),
        (&json!("GAME_STARTED"), &json!("white"))
    );
    assert_eq!(ann_socket.next().await["type"], "YOUR_TURN");
    assert_eq!(bob_socket.next().await["opponent"], json!(ann.id));
    play(&ann, &bob, id, "f3 e5 g4 Qh4#").await;
    for ply in [1, 3] {
        let turn = bob_socket.next().await;
        assert_eq!(
            (&turn["type"], &turn["ply"]),
            (&json!("YOUR_TURN"), &json!(ply))
        );
    }
    assert_eq!(ann_socket.next().await["type"], "YOUR_TURN");
    for socket in [&mut ann_socket, &mut bob_socket] {
        let over = socket.next().await;
        assert_eq!(
            (&over["type"], &over["winner"]),
            (&json!("GAME_OVER"), &json!("black"))
        );
    }
}

#[tokio::test]
async fn what_waits_for_an_account_comes_first() {
    let server = Server::start().await;
    let (white, black, id) = server.blitz().await;
    let mut terms = blitz();
    terms["opponent_id"] = json!(white.id);
    let challenge = black.post("/v1/games", terms).await.expect(201);
    let mut socket = white.listens("/v1/stream").await;
    let told = [socket.next().await, socket.next().await];
    assert_eq!(
        (&told[0]["type"], &told[0]["game_id"]),
        (&json!("CHALLENGE"), &challenge["id"])
    );
    assert_eq!(
        (&told[1]["type"], &told[1]["game_id"]),
        (&json!("YOUR_TURN"), &json!(id))
    );
}

#[tokio::test]
async fn several_boards_share_one_socket() {
    let server = Server::start().await;
    let (white, _, first) = server.blitz().await;
    let (other, _, second) = server.blitz().await;
    let path = format!("/v1/stream?games={first},{second},{first}");
    let mut socket = server.nobody().listens(&path).await;
    let mut states: Vec<String> = Vec::new();
    while states.len() < 2 {
        let state = socket.hears("STATE").await;
        states.push(state["game_id"].as_str().expect("an id").to_owned());
    }
    states.sort();
    let mut both = [first.clone(), second.clone()];
    both.sort();
    assert_eq!(states, both);
    other.plays(&second, "d4").await.expect(200);
    assert_eq!(socket.change().await["game_id"], json!(second));
    white.plays(&first, "e4").await.expect(200);
    assert_eq!(socket.change().await["game_id"], json!(first));
}

#[tokio::test]
async fn without_a_token_there_are_only_boards() {
    let server = Server::start().await;
    assert_eq!(
        server.nobody().tries_to_listen("/v1/stream").await.err(),
        Some(401)
    );
    let unknown = server
        .nobody()
        .tries_to_listen("/v1/stream?games=AAAAAAAA")
        .await;
    assert_eq!(unknown.err(), Some(404));
}

#[tokio::test]
async fn when_a_token_dies_its_sockets_are_closed() {
    let server = Server::start().await;
    let (white, black, id) = server.blitz().await;
    let mut sockets = [white.watches(&id).await, white.listens("/v1/stream").await];
    let mut opponent = black.watches(&id).await;
    opponent.hears("STATE").await;
    let path = "/v1/sessions/current";
    let answer = white.send(reqwest::Method::DELETE, path, None, &[]).await;
    answer.expect(204);
    for socket in &mut sockets {
        assert_eq!(socket.close_code().await, Some(1008));
    }
    black.asks(&id, "resign").await.expect(200);
    assert_eq!(opponent.change().await["type"], "GAME_OVER");
}

#[tokio::test]
async fn a_server_that_stops_says_so() {
    let mut server = Server::start().await;
    let (white, _, id) = server.blitz().await;
    let mut sockets = [white.watches(&id).await, white.listens("/v1/stream").await];
    sockets[0].hears("STATE").await;
    sockets[1].hears("YOUR_TURN").await;
    server.restart().await;
    for socket in &mut sockets {
        assert_eq!(socket.close_code().await, Some(1012));
    }
}
