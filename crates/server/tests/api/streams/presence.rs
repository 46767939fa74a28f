//! Who is here, and from when a win may be claimed.

use std::time::Duration;

use serde_json::json;
use tokio::time::timeout;

use crate::client::Server;

#[tokio::test]
async fn the_opponent_learns_that_a_player_left_and_came_back() {
    let server = Server::start().await;
    let (white, black, id) = server.blitz().await;
    let mut white_socket = white.watches(&id).await;
    let black_socket = black.watches(&id).await;
    drop(black_socket);
    let told = loop {
        let told = white_socket.hears("PRESENCE").await;
        if told["color"] == "black" && told.get("claim_at").is_some() {
            break told;
        }
    };
    assert_eq!(told["role"], "player");
    let early = white.asks(&id, "claim-win").await.refused(409, "not_yet");
    let seconds = early["retry_after_seconds"].as_u64().expect("a number");
    assert!((1..=30).contains(&seconds), "{early}");
    let _back = black.watches(&id).await;
    loop {
        let told = white_socket.hears("PRESENCE").await;
        if told["color"] == "black" && told.get("claim_at").is_none() {
            assert_eq!(told["online"], true);
            break;
        }
    }
}

/// The system at the other end, as a proxy would, takes whatever is written.
#[tokio::test]
async fn who_answers_no_ping_is_gone_however_much_is_written_to_them() {
    let server = Server::start_with(|settings| settings.ping_seconds = 1).await;
    let (white, black, id) = server.blitz().await;
    let mut socket = white.watches(&id).await;
    let _vanished = black.watches(&id).await;
    let gone = async {
        loop {
            let told = socket.hears("PRESENCE").await;
            if told["color"] == "black" && told.get("claim_at").is_some() {
                break;
            }
        }
    };
    let patience = Duration::from_secs(60);
    timeout(patience, gone).await.expect("black is gone");
    // Whoever answers stays.
    white.plays(&id, "e4").await.expect(200);
    assert_eq!(socket.change().await["san"], "e4");
}

#[tokio::test]
async fn someone_without_a_stream_is_here_within_the_grace_of_a_request() {
    let server = Server::start().await;
    let terms = json!({ "time_control": { "initial_seconds": 60, "increment_seconds": 0 } });
    let (white, black, id) = server.game(terms).await;
    let mut socket = white.watches(&id).await;
    let state = socket.next().await;
    assert_eq!(state["presence"]["black"]["online"], true);
    // The grace of bullet is 10 s: nobody asks for anything that long, and
    // White learns in time when that will count.
    let claim_at = loop {
        let told = socket.hears("PRESENCE").await;
        if told["color"] == "black" && told.get("claim_at").is_some() {
            assert_eq!(told["online"], true, "told when it was over: {told}");
            break told["claim_at"].clone();
        }
    };
    loop {
        let told = socket.hears("PRESENCE").await;
        if told["color"] == "black" && told["online"] == false {
            assert_eq!(told["claim_at"], claim_at);
            break;
        }
    }
    black.game(&id).await;
    loop {
        let told = socket.hears("PRESENCE").await;
        if told["color"] == "black" {
            assert_eq!(told["online"], true);
            break;
        }
    }
}

#[tokio::test]
async fn spectators_are_a_count() {
    let server = Server::start().await;
    let (white, _, id) = server.blitz().await;
    let mut socket = white.watches(&id).await;
    let watchers = [
        server.nobody().watches(&id).await,
        server.guest().await.watches(&id).await,
    ];
    loop {
        let told = socket.hears("PRESENCE").await;
        if told["spectators"] == 2 {
            assert_eq!(told.get("name"), None);
            break;
        }
    }
    drop(watchers);
    loop {
        if socket.hears("PRESENCE").await["spectators"] == 0 {
            break;
        }
    }
}

#[tokio::test]
async fn a_creator_who_listens_keeps_an_open_game_open() {
    let server = Server::start().await;
    let white = server.guest().await;
    let game = white
        .post("/v1/games", crate::client::blitz())
        .await
        .expect(201);
    let id = game["id"].as_str().expect("an id").parse().expect("an id");
    let _socket = white.watches(game["id"].as_str().expect("an id")).await;
    let number = server.running().app().auth.person_by_name(&white.id).await;
    let number = number.expect("the store answers").expect("a guest").number;
    let seen = server.running().app().games.seen(id, number).expect("seen");
    assert!(seen.is_streaming);
    assert!(seen.last >= seen.request);
}
