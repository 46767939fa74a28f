//! Who watches: named if they agreed, and to whom.

use reqwest::Method;
use serde_json::{Value, json};

use super::listener::Listener;
use crate::client::{Client, Server, blitz};

/// Says whether others may know what they watch.
async fn agrees(client: &Client, is_seen: bool) {
    let body = json!({ "preferences": { "board": "blue", "seen_watching": is_seen } });
    let body = Some(body.to_string());
    let account = client.send(Method::PATCH, "/v1/me", body, &[]).await;
    assert_eq!(account.expect(200)["preferences"]["seen_watching"], is_seen);
}

fn ids(presence: &Value) -> Option<Vec<&str>> {
    let observers = presence.get("observers")?.as_array().expect("a list");
    Some(observers.iter().filter_map(|o| o["id"].as_str()).collect())
}

/// Waits until the stream names exactly these.
async fn hears_of(socket: &mut Listener, whom: &[&str]) {
    loop {
        let told = socket.hears("PRESENCE").await;
        if ids(&told).is_some_and(|ids| ids == whom) {
            return;
        }
    }
}

async fn presence(client: &Client, id: &str) -> Value {
    let path = format!("/v1/games/{id}/presence");
    client.get(&path).await.expect(200)
}

#[tokio::test]
async fn observers_who_agreed_are_named_to_observers() {
    let server = Server::start().await;
    let (_white, _black, id) = server.blitz().await;
    let (ann, bob) = (server.guest().await, server.guest().await);
    agrees(&ann, true).await;
    let mut watcher = server.nobody().watches(&id).await;
    let state = watcher.hears("STATE").await;
    assert_eq!(state["presence"]["observers"], json!([]));
    let shy = bob.watches(&id).await;
    let seen = [ann.watches(&id).await, ann.watches(&id).await];
    hears_of(&mut watcher, &[&ann.id]).await;
    let here = presence(&server.nobody(), &id).await;
    assert_eq!(here["spectators"], 4);
    assert_eq!(
        here["observers"],
        json!([{ "id": ann.id, "name": here["observers"][0]["name"], "title": null }])
    );
    // Also without WebSocket.
    let mut events = server.nobody().events(&id, "").await;
    let state = events.next().await;
    assert_eq!(ids(&state["presence"]), Some(vec![&*ann.id]));
    // One of two streams is enough; without any they are gone.
    let [first, second] = seen;
    drop(first);
    drop(shy);
    assert_eq!(ids(&presence(&bob, &id).await), Some(vec![&*ann.id]));
    drop(second);
    hears_of(&mut watcher, &[]).await;
}

#[tokio::test]
async fn whoever_changes_their_mind_is_hidden_at_once() {
    let server = Server::start().await;
    let (_white, _black, id) = server.blitz().await;
    let ann = server.guest().await;
    agrees(&ann, true).await;
    let mut socket = ann.watches(&id).await;
    hears_of(&mut socket, &[&ann.id]).await;
    agrees(&ann, false).await;
    assert_eq!(ids(&presence(&server.nobody(), &id).await), Some(vec![]));
    hears_of(&mut socket, &[]).await;
}

#[tokio::test]
async fn players_learn_who_watched_when_the_game_is_over() {
    let server = Server::start().await;
    let (white, black, id) = server.blitz().await;
    let ann = server.guest().await;
    agrees(&ann, true).await;
    let mut player = white.watches(&id).await;
    let state = player.hears("STATE").await;
    assert_eq!(ids(&state["presence"]), None);
    let mut observer = ann.watches(&id).await;
    hears_of(&mut observer, &[&ann.id]).await;
    loop {
        let told = player.hears("PRESENCE").await;
        assert_eq!(ids(&told), None, "{told}");
        if told["spectators"] == 1 {
            break;
        }
    }
    assert_eq!(ids(&presence(&white, &id).await), None);
    black.asks(&id, "resign").await.expect(200);
    hears_of(&mut player, &[&ann.id]).await;
    assert_eq!(ids(&presence(&white, &id).await), Some(vec![&*ann.id]));
    let again = white.watches(&id).await.hears("STATE").await;
    assert_eq!(ids(&again["presence"]), Some(vec![&*ann.id]));
}

#[tokio::test]
async fn at_most_fifty_are_named() {
    let server = Server::start().await;
    let (_white, _black, id) = server.blitz().await;
    let mut sockets = Vec::new();
    for _ in 0..51 {
        let ann = server.guest().await;
        agrees(&ann, true).await;
        sockets.push(ann.watches(&id).await);
    }
    let here = presence(&server.nobody(), &id).await;
    assert_eq!(here["spectators"], 51);
    assert_eq!(ids(&here).map(|ids| ids.len()), Some(50));
}

#[tokio::test]
async fn with_a_delay_nobody_is_named_before_the_end_is_known() {
    let server = Server::start().await;
    let mut terms = blitz();
    terms["spectator_delay_seconds"] = json!(2);
    let (_white, black, id) = server.game(terms).await;
    let ann = server.guest().await;
    agrees(&ann, true).await;
    let mut socket = ann.watches(&id).await;
    assert_eq!(ids(&socket.hears("STATE").await["presence"]), None);
    black.asks(&id, "resign").await.expect(200);
    loop {
        let message = socket.next().await;
        assert_eq!(ids(&message), None, "{message}");
        if message["type"] == "GAME_OVER" {
            break;
        }
    }
    hears_of(&mut socket, &[&ann.id]).await;
}
