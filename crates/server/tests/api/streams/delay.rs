//! With a spectator delay the stream tells later what everyone else may know.

use std::sync::Arc;

use chess::{Millis, Timestamp};
use live::room::policy::LineFacts;
use live::room::{Audience, ChatOrder, Role, Strand};
use serde_json::json;
use server::rooms::here;
use server::rooms::{Line, News, Speech, What};

use super::listener::is_change;
use crate::client::{Server, blitz};

#[tokio::test]
async fn spectators_are_told_later_and_players_at_once() {
    let server = Server::start().await;
    let mut terms = blitz();
    terms["spectator_delay_seconds"] = json!(2);
    let (white, black, id) = server.game(terms).await;
    let mut player = black.watches(&id).await;
    // The join, too, comes two seconds late.
    let mut watcher = server.nobody().watches(&id).await;
    let mut version = watcher.next().await["version"].as_u64().expect("a number");
    assert_eq!(player.next().await["version"], 2);
    let made = white.plays(&id, "e4").await.expect(200);
    assert_eq!(player.change().await["version"], made["version"]);
    let path = format!("/v1/games/{id}/chat");
    let line = json!({ "text": "take that" });
    white.post(&path, line).await.expect(201);
    player.hears("CHAT").await;
    // Clocks are those of the delayed position as well.
    let mut changes = Vec::new();
    while changes.last().map(|c: &serde_json::Value| &c["type"]) != Some(&json!("MOVE")) {
        let message = watcher.next().await;
        if message["type"] == "CLOCK" {
            assert_eq!(message["clock"]["black"], 300, "{message}");
        }
        assert_ne!(
            message["type"], "CHAT",
            "what players say comes after the move"
        );
        if is_change(&message) {
            version += 1;
            assert_eq!(message["version"], version);
            changes.push(message);
        }
    }
    let now = server.running().app().now();
    let at = changes.last().expect("a move")["at"]
        .as_str()
        .expect("a time")
        .to_owned();
    let told = server::text_time::rfc3339(Timestamp(now.0 - 2_000));
    assert!(told >= at, "told at {told}, before {at}");
    assert_eq!(watcher.hears("CHAT").await["text"], "take that");
}

/// Nobody was there to be told: neither when it happened, nor before a restart.
#[tokio::test]
async fn who_comes_to_an_empty_room_is_told_when_the_time_comes() {
    for restarts in [false, true] {
        let mut server = Server::start().await;
        let mut terms = blitz();
        terms["spectator_delay_seconds"] = json!(3);
        let (white, black, id) = server.game(terms).await;
        white.plays(&id, "e4").await.expect(200);
        let line = json!({ "text": "take that" });
        let path = format!("/v1/games/{id}/chat");
        white.post(&path, line).await.expect(201);
        black.asks(&id, "resign").await.expect(200);
        if restarts {
            server.restart().await;
        }
        let mut watcher = server.nobody().watches(&id).await;
        let mut version = watcher.next().await["version"].as_u64().expect("a number");
        assert!(version < 3, "the delay is over before anybody came");
        let mut said = Vec::new();
        while version < 4 || said.is_empty() {
            let message = watcher.next().await;
            if message["type"] == "CHAT" {
                said.push(message["text"].clone());
            }
            if is_change(&message) {
                version += 1;
                assert_eq!(message["version"], version, "{message}");
                let now = server.running().app().now();
                let told = server::text_time::rfc3339(Timestamp(now.0 - 3_000));
                let at = message["at"].as_str().expect("a time");
                assert!(told.as_str() >= at, "told at {told}, before {at}");
            }
        }
        assert_eq!(said, ["take that"], "restarts: {restarts}");
    }
}

#[tokio::test]
async fn presence_tells_spectators_nothing_of_what_is_delayed() {
    let server = Server::start().await;
    let (white, black) = (server.guest().await, server.guest().await);
    let mut terms = blitz();
    terms["spectator_delay_seconds"] = json!(2);
    let game = white.post("/v1/games", terms).await.expect(201);
    let id = game["id"].as_str().expect("an id");
    let mut player = white.watches(id).await;
    let mut watcher = server.nobody().watches(id).await;
    let state = watcher.hears("STATE").await;
    assert_eq!(state["presence"]["black"], json!(null));
    black.asks(id, "join").await.expect(200);
    // The player learns at once who joined, and that they have left.
    let socket = black.watches(id).await;
    drop(socket);
    while player.hears("PRESENCE").await.get("claim_at").is_none() {}
    let mut late = server.nobody().watches(id).await;
    black.asks(id, "resign").await.expect(200);
    player.hears("GAME_OVER").await;
    for spectator in [&mut watcher, &mut late] {
        let mut has_begun = false;
        loop {
            let message = spectator.next().await;
            let text = message.to_string();
            assert!(!text.contains("claim_at"), "{message}");
            match message["type"].as_str() {
                Some("STARTED") => has_begun = true,
                Some("STATE") => has_begun = message["version"] != 1,
                Some("GAME_OVER") => break,
                _ => assert_ne!(message["online"], false, "{message}"),
            }
            let is_of_black = message["type"] == "PRESENCE" && message["color"] == "black";
            assert!(has_begun || !is_of_black, "{message}");
        }
    }
}

/// A line that is read from the store may also be on its way by the lane, and
/// more than one look may come before it. Here it was said long ago, and may
/// be read only since.
#[tokio::test]
async fn a_line_comes_once_however_long_the_delay() {
    let server = Server::start().await;
    let mut terms = blitz();
    terms["spectator_delay_seconds"] = json!(90);
    let (white, _, id) = server.game(terms).await;
    let mut watcher = server.nobody().watches(&id).await;
    watcher.hears("STATE").await;
    let app = server.running().app();
    let white = app.auth.person_by_name(&white.id).await;
    let speaker = white.expect("the store answers").expect("a guest");
    let facts = LineFacts {
        from: speaker.number,
        role: Role::Player,
        audience: Audience::Room,
        is_notice: false,
    };
    let now = app.now();
    let at = Timestamp(now.0 - u64::from(Millis::from_secs(91).0));
    let line = Line {
        id: ChatOrder::default().next(Strand::Room, at),
        at,
        facts,
        text: "once".into(),
    };
    let table = id.parse().expect("an id");
    let stored = store::NewChatLine {
        table,
        at,
        from: facts.from,
        role: facts.role.name().into(),
        audience: facts.audience.name().into(),
        is_notice: false,
        text: line.text.clone(),
    };
    let (done, written) = tokio::sync::oneshot::channel();
    let done = Box::new(|result| drop(done.send(result)));
    let number = line.id.number();
    let numbering = store::ChatNumbering {
        from: number,
        next: Box::new(move |_, _| number),
    };
    app.store.append_chat(stored, numbering, done);
    written.await.expect("an answer").expect("durable");
    let room = app.rooms.all().get(table).expect("somebody is here");
    let end = here::Audience {
        spectators: 4_242,
        observers: None,
    };
    let speech = Speech {
        line,
        speaker,
        blocked_by: Arc::default(),
    };
    for what in [
        What::Lost,
        What::Lost,
        What::Said(speech),
        What::Audience(end),
    ] {
        room.tell_watchers(News::of(what));
    }
    let mut said = 0;
    loop {
        let message = watcher.next().await;
        match message["type"].as_str() {
            Some("CHAT") => said += 1,
            Some("PRESENCE") if message["spectators"] == 4_242 => break,
            _ => {}
        }
    }
    assert_eq!(said, 1);
}
