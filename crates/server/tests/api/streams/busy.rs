//! Accounts with many games, and much that happens in them at once.

use std::collections::HashSet;

use futures_util::future::join_all;
use serde_json::json;
use server::rooms::here::Audience;
use server::rooms::{News, What};

use super::listener::Listener;
use crate::client::{Client, Server, blitz};

/// More than a page of a list, and on each of two sockets as many as may be in flight.
const GAMES: usize = 230;
const IN_FLIGHT: usize = 64;

/// Games of two; the first has White.
async fn begun(white: &Client, black: &Client, many: usize) -> Vec<String> {
    let begin = async || {
        let mut terms = blitz();
        terms["creator_side"] = "white".into();
        let made = white.post("/v1/games", terms).await.expect(201);
        let id = made["id"].as_str().expect("an id").to_owned();
        black.asks(&id, "join").await.expect(200);
        id
    };
    let mut games = Vec::new();
    while games.len() < many {
        games.extend(join_all((0..10).map(|_| begin())).await);
    }
    games
}

/// Waits until messages of that type came about all these games.
async fn hears_of_all(socket: &mut Listener, kind: &str, games: &[String]) {
    let mut missing: HashSet<&str> = games.iter().map(String::as_str).collect();
    while !missing.is_empty() {
        let told = socket.hears(kind).await;
        missing.remove(told["game_id"].as_str().expect("a game"));
    }
}

#[tokio::test]
async fn an_account_with_many_games_is_told_every_turn_and_answered_every_move() {
    let server = Server::start().await;
    let (white, black) = (server.guest().await, server.guest().await);
    let games = begun(&white, &black, GAMES).await;
    let mut sockets = [
        white.listens("/v1/stream").await,
        white.listens("/v1/stream").await,
    ];
    for socket in &mut sockets {
        hears_of_all(socket, "YOUR_TURN", &games).await;
    }
    let mut opponent = black.listens("/v1/stream").await;
    let parts = || games.chunks(IN_FLIGHT);
    for (socket, part) in sockets.iter_mut().zip(parts()) {
        for id in part {
            let order = json!({ "type": "MOVE", "id": id, "game_id": id, "move": "e2e4" });
            socket.says(order).await;
        }
    }
    for (socket, part) in sockets.iter_mut().zip(parts()) {
        hears_of_all(socket, "ACK", part).await;
    }
    hears_of_all(&mut opponent, "YOUR_TURN", &games[..2 * IN_FLIGHT]).await;
}

#[tokio::test]
async fn an_account_that_loses_news_is_told_how_its_games_stand_and_keeps_its_socket() {
    let server = Server::start().await;
    let (white, black, id) = server.blitz().await;
    let mut account = black.listens("/v1/stream").await;
    let app = server.running().app().clone();
    let player = app.auth.person_by_name(&black.id).await;
    let player = player.expect("the store answers").expect("a guest").number;
    // More than a lane holds between any two looks at it: most news are lost.
    let noise = News::of(What::Audience(Audience::default()));
    let flood = async {
        loop {
            for _ in 0..200 {
                app.rooms.feeds().tell(player, noise.clone());
            }
            tokio::task::yield_now().await;
        }
    };
    let played = async {
        white.plays(&id, "e4").await.expect(200);
        assert_eq!(account.hears("YOUR_TURN").await["ply"], 1);
        white.asks(&id, "resign").await.expect(200);
        assert_eq!(account.hears("GAME_OVER").await["winner"], "black");
    };
    tokio::select! {
        () = played => {}
        () = flood => unreachable!("it does not end"),
    }
    assert!(app.rooms.stats().resyncs >= 1);
    account.says(json!({ "type": "PING", "id": 1 })).await;
    assert_eq!(account.hears("PONG").await["id"], 1);
}
