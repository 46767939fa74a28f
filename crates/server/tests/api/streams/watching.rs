//! Two players and those who watch them, through whole games.

use serde_json::{Value, json};

use super::listener::is_change;
use crate::client::{Server, blitz, play};

fn of(id: &str, mut entry: Value) -> Value {
    entry["game_id"] = json!(id);
    entry
}

#[tokio::test]
async fn the_first_message_is_the_state_with_role_presence_and_chat() {
    let server = Server::start().await;
    let (white, _, id) = server.blitz().await;
    let mut player = white.watches(&id).await;
    let state = player.next().await;
    let game = white.game(&id).await;
    assert_eq!(state["type"], "STATE");
    assert_eq!(state["role"], "player");
    assert_eq!(state["chat"], json!([]));
    assert_eq!(state.get("resync"), None);
    for (field, value) in game.as_object().expect("an object") {
        if !["clock", "clock_ms", "clock_at"].contains(&field.as_str()) {
            assert_eq!(&state[field], value, "{field}");
        }
    }
    let mut watcher = server.nobody().watches(&id).await;
    let state = watcher.next().await;
    assert_eq!(state["role"], "observer");
    assert_eq!(state["presence"]["white"]["online"], true);
}

#[tokio::test]
async fn players_and_observers_see_a_whole_game_with_every_kind_of_message() {
    let server = Server::start().await;
    let (white, black) = (server.guest().await, server.guest().await);
    let game = white.post("/v1/games", blitz()).await.expect(201);
    let id = game["id"].as_str().expect("an id").to_owned();
    let mut sockets = [
        white.watches(&id).await,
        black.watches(&id).await,
        server.guest().await.watches(&id).await,
        server.nobody().watches(&id).await,
    ];
    let mut events = server.nobody().events(&id, "").await;
    for socket in &mut sockets {
        assert_eq!(socket.next().await["type"], "STATE");
    }
    black.asks(&id, "join").await.expect(200);
    play(&white, &black, &id, "e4 e5 Bc4").await;
    black.asks(&id, "offer-draw").await.expect(200);
    white.asks(&id, "decline-draw").await.expect(200);
    black.plays(&id, "Nc6").await.expect(200);
    white.plays(&id, "Qf3").await.expect(200);
    white.asks(&id, "offer-takeback").await.expect(200);
    black.asks(&id, "accept-takeback").await.expect(200);
    let time = json!({ "seconds": 15 });
    let path = format!("/v1/games/{id}/add-time");
    white.post(&path, time).await.expect(200);
    white.asks(&id, "offer-pause").await.expect(200);
    black.asks(&id, "accept-pause").await.expect(200);
    white.asks(&id, "resume").await.expect(200);
    black.asks(&id, "resume").await.expect(200);
    white.plays(&id, "Qh5").await.expect(200);
    black.plays(&id, "Nf6").await.expect(200);
    white.plays(&id, "Qxf7#").await.expect(200);

    let log = white.log(&id).await;
    let kinds: Vec<&str> = log.iter().map(|e| e["type"].as_str().unwrap()).collect();
    assert_eq!(
        kinds,
        [
            "CREATED",
            "STARTED",
            "MOVE",
            "MOVE",
            "MOVE",
            "OFFER",
            "OFFER_DECLINED",
            "MOVE",
            "MOVE",
            "OFFER",
            "TAKEBACK",
            "TIME_ADDED",
            "OFFER",
            "PAUSED",
            "RESUME_ASKED",
            "RESUMED",
            "MOVE",
            "MOVE",
            "MOVE",
            "GAME_OVER"
        ]
    );
    for entry in &log[1..] {
        let expected = of(&id, entry.clone());
        for socket in &mut sockets {
            assert_eq!(socket.change().await, expected);
        }
        assert_eq!(events.change().await, expected);
    }
    assert_eq!(
        events.last_id,
        format!("{}~", log.last().unwrap()["version"])
    );
    let last_move = &log[log.len() - 2];
    assert_eq!(last_move["player"], json!(white.id));
    assert_eq!(
        (&last_move["ply"], &last_move["move_number"]),
        (&json!(7), &json!(4))
    );
    assert_eq!(last_move["game_state"], "COMPLETED");

    let rematch = white.asks(&id, "offer-rematch").await.expect(200);
    for socket in &mut sockets {
        let told = socket.hears("REMATCH").await;
        assert_eq!(
            (&told["game_id"], &told["of"]),
            (&rematch["id"], &json!(id))
        );
    }
}

#[tokio::test]
async fn whoever_joins_while_watching_becomes_a_player_and_misses_nothing() {
    let server = Server::start().await;
    let (white, black) = (server.guest().await, server.guest().await);
    let game = white.post("/v1/games", blitz()).await.expect(201);
    let id = game["id"].as_str().expect("an id").to_owned();
    let mut socket = black.watches(&id).await;
    assert_eq!(socket.next().await["role"], "observer");
    black.asks(&id, "join").await.expect(200);
    play(&white, &black, &id, "e4 e5 Nf3").await;
    for entry in &white.log(&id).await[1..] {
        assert_eq!(socket.change().await, of(&id, entry.clone()));
    }
    let state = server.nobody().watches(&id).await.next().await;
    assert_eq!(state["presence"]["black"]["online"], true);
    assert_eq!(state["presence"]["spectators"], 1);
}

#[tokio::test]
async fn the_clocks_are_told_every_second_while_they_run() {
    let server = Server::start().await;
    let (white, black, id) = server.blitz().await;
    let mut socket = server.nobody().watches(&id).await;
    let clock = socket.hears("CLOCK").await;
    assert!(clock["clock_ms"]["white"].as_u64().unwrap() < 300_000);
    assert_eq!(clock["clock"]["black"], 300);
    white.asks(&id, "resign").await.expect(200);
    socket.hears("GAME_OVER").await;
    // After the end nothing more is said of the clocks: what follows is what happens next.
    black.asks(&id, "offer-rematch").await.expect(200);
    let told = loop {
        let message = socket.next().await;
        assert_ne!(message["type"], "CLOCK");
        if message["type"] != "PRESENCE" {
            break message;
        }
    };
    assert_eq!(told["type"], "REMATCH");
}

#[tokio::test]
async fn in_correspondence_the_clocks_are_not_told() {
    let server = Server::start().await;
    let terms = json!({ "time_control": { "days_per_move": 2 } });
    let (white, _, id) = server.game(terms).await;
    let mut socket = server.nobody().watches(&id).await;
    assert_eq!(socket.next().await["type"], "STATE");
    // The crowd is counted once a second, by the same round that tells the clocks.
    let mut others = Vec::new();
    for crowd in 2..4 {
        others.push(server.nobody().watches(&id).await);
        loop {
            let told = socket.next().await;
            assert_eq!(told["type"], "PRESENCE");
            if told["spectators"] == crowd {
                break;
            }
        }
    }
    white.plays(&id, "e4").await.expect(200);
    assert!(is_change(&socket.next().await));
}

#[tokio::test]
async fn a_private_game_is_not_there_for_outsiders() {
    let server = Server::start().await;
    let (white, black) = (server.guest().await, server.guest().await);
    let friend = server.guest().await;
    let mut terms = blitz();
    terms["visibility"] = json!("private");
    terms["opponent_id"] = json!(black.id);
    terms["invited"] = json!([friend.id]);
    let game = white.post("/v1/games", terms).await.expect(201);
    let id = game["id"].as_str().expect("an id").to_owned();
    black.asks(&id, "join").await.expect(200);
    let path = format!("/v1/games/{id}/stream");
    assert_eq!(friend.watches(&id).await.next().await["role"], "observer");
    let outsider = server.guest().await;
    assert_eq!(outsider.tries_to_listen(&path).await.err(), Some(404));
    assert_eq!(
        server.nobody().tries_to_listen(&path).await.err(),
        Some(404)
    );
    let events = server.nobody().get(&format!("/v1/games/{id}/events")).await;
    events.refused(404, "game_not_found");
}

#[tokio::test]
async fn a_stream_is_a_websocket_and_says_so() {
    let server = Server::start().await;
    let (_, _, id) = server.blitz().await;
    let answer = server.nobody().get(&format!("/v1/games/{id}/stream")).await;
    answer.refused(426, "upgrade_required");
}

#[tokio::test]
async fn one_account_has_so_many_streams_and_gets_them_back() {
    let server = Server::start_with(|settings| {
        settings.rate_limits = true;
        settings.sockets_per_account = 2;
    })
    .await;
    let (white, black, id) = server.blitz().await;
    let path = format!("/v1/games/{id}/stream");
    let first = white.watches(&id).await;
    let _second = white.watches(&id).await;
    assert_eq!(white.tries_to_listen(&path).await.err(), Some(429));
    let mut other = black.watches(&id).await;
    other.hears("STATE").await;
    drop(first);
    loop {
        // Given back as soon as the server sees that it is closed.
        if white.tries_to_listen(&path).await.is_ok() {
            break;
        }
        tokio::task::yield_now().await;
    }
}
