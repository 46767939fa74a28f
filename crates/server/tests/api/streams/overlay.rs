//! A board to be laid over a video.

use serde_json::Value;

use super::listener::Events;
use crate::client::{Server, blitz};

/// What the page is shown next that fits.
async fn shown(events: &mut Events, fits: impl Fn(&Value) -> bool) -> Value {
    loop {
        let shown = events.next().await;
        if fits(&shown) {
            return shown;
        }
    }
}

#[tokio::test]
async fn the_page_is_shown_names_clocks_and_the_board_as_they_change() {
    let server = Server::start().await;
    let (white, black, id) = server.blitz().await;
    let nobody = server.nobody();
    let path = format!("/v1/games/{id}/overlay");
    let page = nobody.get(&path).await;
    assert!(page.media.starts_with("text/html"), "{}", page.media);
    assert!(page.text.contains("?part=script"));
    let script = nobody.get(&format!("{path}?part=script")).await;
    assert_eq!(script.media, "text/javascript");
    nobody
        .get(&format!("{path}?part=none"))
        .await
        .refused(400, "bad_request");
    let events = format!("{path}?part=events");
    let mut events = nobody.event_stream(&events, "").await;
    let first = shown(&mut events, |_| true).await;
    assert_eq!(first["white"]["name"], white.id.as_str());
    assert_eq!(first["black"]["name"], black.id.as_str());
    assert_eq!(first["white"]["is_turn"], true);
    assert!(
        first["board"]
            .as_str()
            .is_some_and(|svg| svg.starts_with("<svg"))
    );
    white.plays(&id, "e4").await.expect(200);
    let moved = shown(&mut events, |shown| shown["black"]["is_turn"] == true).await;
    assert_ne!(moved["board"], first["board"]);
    black.asks(&id, "resign").await.expect(200);
    let over = |shown: &Value| {
        ["white", "black"]
            .iter()
            .all(|side| shown[side]["is_turn"] == false)
    };
    shown(&mut events, over).await;
}

#[tokio::test]
async fn a_delayed_game_is_shown_late() {
    let server = Server::start().await;
    let mut terms = blitz();
    terms["spectator_delay_seconds"] = serde_json::json!(90);
    let (white, _, id) = server.game(terms).await;
    white.plays(&id, "e4").await.expect(200);
    let path = format!("/v1/games/{id}/overlay?part=events");
    let mut events = server.nobody().event_stream(&path, "").await;
    // That somebody has joined is not known yet either.
    let first = shown(&mut events, |_| true).await;
    assert_eq!(first["black"]["name"], Value::Null);
    assert_eq!(first["white"]["is_turn"], true);
}

#[tokio::test]
async fn who_is_removed_is_shown_no_more() {
    let server = Server::start().await;
    let (white, _, id) = server.blitz().await;
    let loud = server.guest().await;
    let events = format!("/v1/games/{id}/overlay?part=events");
    let mut events = loud.event_stream(&events, "").await;
    shown(&mut events, |_| true).await;
    let name = serde_json::json!({ "name": loud.id });
    let path = format!("/v1/games/{id}/remove");
    white.post(&path, name).await.expect(200);
    events.end().await;
}
