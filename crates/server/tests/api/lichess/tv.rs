//! Section 11: TV.

use serde_json::{Value, json};

use super::Player;
use super::looking::{begin, duel, error};
use crate::client::{Client, Server, blitz, play};

const NDJSON: &str = "application/x-ndjson";

fn ids(text: &str) -> Vec<Value> {
    let id = |line| serde_json::from_str::<Value>(line).expect("JSON")["id"].clone();
    text.lines().map(id).collect()
}

/// What is shown is a second old at most: asked until it is so.
async fn until(client: &Client, path: &str, is_so: impl Fn(&Value) -> bool) -> Value {
    loop {
        let shown = client.json(path).await;
        if is_so(&shown) {
            return shown;
        }
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    }
}

#[tokio::test]
async fn s11_channels_show_one_game_each() {
    let server = Server::start().await;
    let nobody = server.nobody();
    assert_eq!(nobody.json("/api/tv/channels").await, json!({}));
    let (anna, boris, id) = duel(&server, blitz()).await;
    let mut atomic = blitz();
    atomic["variant"] = json!("atomic");
    let atomic = begin(&anna, &boris, atomic).await;
    let ada = Player::bot(&server, "ada").await;
    let bert = Player::bot(&server, "bert").await;
    let bots = ada.plays(&bert, json!({ "clock.limit": 60 })).await;
    let shown = until(&nobody, "/api/tv/channels", |shown| {
        shown["bot"].is_object()
    })
    .await;
    let user = json!({ "id": "anna", "name": "Anna" });
    let entry = json!({ "user": user, "rating": 1500, "gameId": id, "color": "white" });
    assert_eq!(shown["blitz"], entry);
    assert_eq!(shown["atomic"]["gameId"], json!(atomic));
    assert_eq!(shown["bot"]["gameId"], json!(bots));
    assert_eq!(shown["bot"]["user"]["title"], "BOT");
    assert_eq!(shown["bullet"], Value::Null, "those of people only");
    assert!(shown["best"]["gameId"].is_string());
}

#[tokio::test]
async fn s11_a_channel_s_games_come_without_an_empty_line() {
    let server = Server::start().await;
    let (anna, boris, first) = duel(&server, blitz()).await;
    let second = begin(&anna, &boris, blitz()).await;
    play(&anna, &boris, &second, "e4 e5").await;
    let nobody = server.nobody();
    let text = nobody.text("/api/tv/blitz", NDJSON).await;
    assert!(text.lines().all(|line| !line.is_empty()), "{text:?}");
    assert_eq!(
        ids(&text),
        [json!(second), json!(first)],
        "the liveliest first"
    );
    assert_eq!(
        ids(&nobody.text("/api/tv/blitz?nb=1", NDJSON).await).len(),
        1
    );
    let pgn = nobody
        .text("/api/tv/blitz", "application/x-chess-pgn")
        .await;
    assert_eq!(pgn.matches("\n\n\n").count(), 2);
    assert_eq!(nobody.text("/api/tv/rapid", NDJSON).await, "");
    error(nobody.read("/api/tv/what", NDJSON).await, 404).await;
    error(nobody.read("/api/tv/what/feed", NDJSON).await, 404).await;
}

#[tokio::test]
async fn s11_a_feed_shows_a_game_and_then_the_next() {
    let server = Server::start().await;
    let (anna, boris, id) = duel(&server, blitz()).await;
    play(&anna, &boris, &id, "e4").await;
    let mut feed = server.nobody().watch("/api/tv/feed").await;
    let shown = feed.next().await;
    assert_eq!(shown["t"], "featured");
    let d = &shown["d"];
    assert_eq!((&d["id"], &d["orientation"]), (&json!(id), &json!("white")));
    let fen = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1";
    assert_eq!(d["fen"], fen);
    let white = &d["players"][0];
    assert_eq!(
        (&white["color"], &white["user"]["name"]),
        (&json!("white"), &json!("Anna"))
    );
    assert!(white["seconds"].as_u64().is_some_and(|left| left <= 300));
    boris.plays(&id, "e7e5").await.expect(200);
    let moved = feed.next().await;
    assert_eq!(
        (&moved["t"], &moved["d"]["lm"]),
        (&json!("fen"), &json!("e7e5"))
    );
    assert!(moved["d"]["wc"].is_u64() && moved["d"]["bc"].is_u64());
    anna.asks(&id, "resign").await.expect(200);
    let next = begin(&boris, &anna, blitz()).await;
    assert_eq!(feed.next().await["d"]["id"], json!(next));
}

#[tokio::test]
async fn s11_a_feed_waits_for_a_game_of_its_channel() {
    let server = Server::start().await;
    let mut feed = server.nobody().watch("/api/tv/horde/feed").await;
    let (anna, boris, _) = duel(&server, blitz()).await;
    let mut horde = blitz();
    horde["variant"] = json!("horde");
    let id = begin(&anna, &boris, horde).await;
    assert_eq!(feed.next().await["d"]["id"], json!(id));
    anna.plays(&id, "e4e5").await.expect(200);
    assert_eq!(feed.next().await["d"]["lm"], "e4e5");
}

#[tokio::test]
async fn s11_private_and_delayed_games_are_on_no_channel() {
    let server = Server::start().await;
    let (anna, boris) = (
        server.registered("Anna").await,
        server.registered("Boris").await,
    );
    let nobody = server.nobody();
    let mut feed = nobody.watch("/api/tv/feed").await;
    let mut delayed = blitz();
    delayed["spectator_delay_seconds"] = json!(60);
    begin(&anna, &boris, delayed).await;
    let mut private = blitz();
    private["visibility"] = json!("private");
    private["opponent_id"] = json!("boris");
    begin(&anna, &boris, private).await;
    let open = begin(&anna, &boris, blitz()).await;
    assert_eq!(feed.next().await["d"]["id"], json!(open));
    let shows = |shown: &Value| shown["best"].is_object();
    let channels = until(&nobody, "/api/tv/channels", shows).await;
    assert_eq!(channels["best"]["gameId"], json!(open));
    for who in [&nobody, &anna] {
        let text = who.text("/api/tv/best", NDJSON).await;
        assert_eq!(ids(&text), [json!(open)]);
    }
}
