//! Who hears what: by stream, in the state on joining, and on coming back.

use serde_json::{Value, json};

use super::listener::Listener;
use crate::chat::moderator;
use crate::client::{Client, Server, blitz};

const NAMES: [&str; 4] = ["white", "black", "observer", "moderator"];

/// What one of them hears while the game lives, of a line by another.
fn hears(listener: &str, speaker: &str, audience: &str) -> bool {
    let plays = |name: &str| ["white", "black"].contains(&name);
    !plays(listener) || listener == speaker || (plays(speaker) && audience == "room")
}

/// Everything a socket says up to the answer to a ping: then nothing that was
/// told before is missing.
async fn up_to_now(socket: &mut Listener) -> Vec<Value> {
    socket.says(json!({ "type": "PING", "id": "now" })).await;
    let mut messages = Vec::new();
    loop {
        let message = socket.next().await;
        if message["type"] == "PONG" {
            return messages;
        }
        messages.push(message);
    }
}

fn words<'a>(lines: impl IntoIterator<Item = &'a Value>) -> Vec<String> {
    let words = lines.into_iter().map(|line| line["text"].as_str());
    words.map(|text| text.expect("words").to_owned()).collect()
}

/// The words of the next lines, until the one given.
async fn heard_until(socket: &mut Listener, last: &str) -> Vec<String> {
    let mut heard = Vec::new();
    while heard.last().map(String::as_str) != Some(last) {
        heard.push(words([&socket.hears("CHAT").await]).remove(0));
    }
    heard
}

#[tokio::test]
async fn every_role_hears_exactly_what_it_may_before_during_and_after() {
    let server = Server::start().await;
    let people = [
        server.guest().await,
        server.guest().await,
        server.guest().await,
        moderator(&server).await,
    ];
    let [white, black, ..] = &people;
    let mut terms = blitz();
    terms["opponent_id"] = json!(black.id);
    let game = white.post("/v1/games", terms).await.expect(201);
    let id = game["id"].as_str().expect("an id").to_owned();
    let mut sockets = Vec::new();
    for person in &people {
        let mut socket = person.watches(&id).await;
        assert_eq!(socket.next().await["chat"], json!([]));
        sockets.push(socket);
    }
    let mut heard: [Vec<String>; 4] = Default::default();
    let mut said: Vec<(String, usize, &str)> = Vec::new();
    for when in ["before", "during", "after"] {
        let is_over = when == "after";
        match when {
            "during" => drop(black.asks(&id, "join").await.expect(200)),
            "after" => drop(white.asks(&id, "resign").await.expect(200)),
            _ => {}
        }
        if is_over {
            // Now the players learn what was kept from them, in order, once.
            for (name, (socket, heard)) in NAMES.iter().zip(sockets.iter_mut().zip(&mut heard)) {
                let kept = said
                    .iter()
                    .filter(|(_, by, to)| !hears(name, NAMES[*by], to));
                let kept: Vec<String> = kept.map(|(text, ..)| text.clone()).collect();
                if let Some(last) = kept.last() {
                    let late = heard_until(socket, last).await;
                    assert_eq!(late, kept, "{name}");
                    heard.extend(late);
                }
            }
        }
        for (by, name) in NAMES.iter().enumerate() {
            for (to, road) in [("room", "socket"), ("observers", "REST")] {
                let text = format!("{when} {name} {to}");
                let line = json!({ "type": "CHAT", "text": text, "audience": to });
                if road == "socket" {
                    sockets[by].says(line).await;
                } else {
                    let path = format!("/v1/games/{id}/chat");
                    people[by].post(&path, line).await.expect(201);
                }
                // The speaker always hears it, and everyone who may.
                for (listener, (socket, heard)) in
                    NAMES.iter().zip(sockets.iter_mut().zip(&mut heard))
                {
                    if is_over || hears(listener, name, to) {
                        let line = socket.hears("CHAT").await;
                        assert_eq!(line["text"], text, "{listener}");
                        assert_eq!(line["role"].as_str() == Some("player"), by < 2);
                        heard.push(text.clone());
                    }
                }
                said.push((text, by, to));
            }
        }
        for ((name, person), (socket, heard)) in NAMES
            .iter()
            .zip(&people)
            .zip(sockets.iter_mut().zip(&heard))
        {
            let more = up_to_now(socket).await;
            assert!(more.iter().all(|m| m["type"] != "CHAT"), "{name}: {more:?}");
            let history = person
                .get(&format!("/v1/games/{id}/chat"))
                .await
                .expect(200);
            assert_eq!(
                words(history["chat"].as_array().expect("lines")),
                *heard,
                "{name}"
            );
            let state = person.watches(&id).await.next().await;
            assert_eq!(
                words(state["chat"].as_array().expect("lines")),
                *heard,
                "{name}"
            );
        }
    }
}

#[tokio::test]
async fn coming_back_with_the_last_line_brings_the_lines_after_it() {
    let server = Server::start().await;
    let (white, black, id) = server.blitz().await;
    let observer = server.guest().await;
    let path = format!("/v1/games/{id}/chat");
    let says = async |who: &Client, text: &str, to: &str| {
        let line = json!({ "text": text, "audience": to });
        who.post(&path, line).await.expect(201)
    };
    says(&white, "one", "room").await;
    let mut socket = black.watches(&id).await;
    let state = socket.next().await;
    let last = state["chat"][0]["id"].as_str().expect("an id").to_owned();
    drop(socket);
    says(&observer, "help", "room").await;
    says(&white, "banter", "observers").await;
    says(&white, "two", "room").await;
    let back = format!("/v1/games/{id}/stream?since=2&chat={last}");
    let mut socket = black.listens(&back).await;
    let line = socket.next().await;
    assert_eq!(
        (&line["type"], &line["text"]),
        (&json!("CHAT"), &json!("two"))
    );
    assert_eq!(socket.next().await["type"], "SYNC");
    let last = line["id"].as_str().expect("an id").to_owned();
    drop(socket);
    black.asks(&id, "resign").await.expect(200);
    let back = format!("/v1/games/{id}/stream?since=2&chat={last}");
    let mut socket = black.listens(&back).await;
    assert_eq!(socket.next().await["type"], "GAME_OVER");
    assert_eq!(socket.next().await["text"], "help");
    assert_eq!(socket.next().await["text"], "banter");
    assert_eq!(socket.next().await["type"], "SYNC");
    let events = black.events(&id, &format!("2~{last}")).await;
    let mut events = events;
    assert_eq!(events.next().await["type"], "GAME_OVER");
    assert_eq!(events.next().await["text"], "help");
}

/// The part of an id that counts what is not for the whole room; what is above
/// it depends on the time.
fn below_the_room(id: &Value) -> u64 {
    let id = id.as_str().expect("an id");
    u64::from_str_radix(id, 16).expect("a number") & 0x1_ffff
}

/// A game in which observers write so many lines; everything a player can
/// observe of it, but for times.
async fn as_seen_by_a_player(lines: usize) -> Vec<Value> {
    let server = Server::start().await;
    let (white, black, id) = server.blitz().await;
    let observer = server.guest().await;
    let mut watcher = observer.watches(&id).await;
    let mut socket = white.watches(&id).await;
    let path = format!("/v1/games/{id}/chat");
    let mut seen = Vec::new();
    for (player, text) in [(&white, "e4"), (&black, "e5"), (&white, "Nf3")] {
        for n in 0..lines {
            let line = json!({ "text": format!("line {n}") });
            observer.post(&path, line).await.expect(201);
            watcher.hears("CHAT").await;
        }
        player.plays(&id, text).await.expect(200);
        let line = json!({ "text": "hello" });
        let said = player.post(&path, line).await.expect(201);
        seen.push(json!(below_the_room(&said["id"])));
        seen.push(socket.hears("MOVE").await["version"].clone());
        socket.hears("CHAT").await;
    }
    let rest = up_to_now(&mut socket).await;
    assert!(rest.iter().all(|m| m["type"] != "CHAT"), "{rest:?}");
    let mut game = white.game(&id).await;
    for field in [
        "id",
        "white",
        "black",
        "creator",
        "players",
        "clock",
        "clock_ms",
        "join_code",
    ] {
        game.as_object_mut().expect("an object").remove(field);
    }
    for (field, value) in game.as_object_mut().expect("an object") {
        if field.ends_with("_at") {
            *value = Value::Null;
        }
    }
    seen.push(game);
    let chat = white.get(&path).await.expect(200);
    seen.push(json!(words(chat["chat"].as_array().expect("lines"))));
    let log = white.get(&format!("/v1/games/{id}/log")).await.expect(200);
    let versions = log.as_array().expect("entries").iter();
    seen.extend(versions.map(|entry| json!([entry["version"], entry["type"]])));
    seen
}

#[tokio::test]
async fn a_player_cannot_tell_whether_observers_talk() {
    assert_eq!(as_seen_by_a_player(0).await, as_seen_by_a_player(34).await);
}

#[tokio::test]
async fn who_is_removed_hears_no_more() {
    let server = Server::start().await;
    let (white, _, id) = server.blitz().await;
    let (loud, quiet) = (server.guest().await, server.guest().await);
    let mut sockets = [loud.watches(&id).await, quiet.watches(&id).await];
    for socket in &mut sockets {
        socket.hears("STATE").await;
    }
    let path = format!("/v1/games/{id}/remove");
    white
        .post(&path, json!({ "name": loud.id }))
        .await
        .expect(200);
    assert_eq!(sockets[0].close_code().await, Some(1008));
    let stream = format!("/v1/games/{id}/stream");
    assert_eq!(loud.tries_to_listen(&stream).await.err(), Some(404));
    white.plays(&id, "e4").await.expect(200);
    assert_eq!(sockets[1].change().await["san"], "e4");
}

#[tokio::test]
async fn what_cannot_be_said_is_answered_and_the_socket_stays_open() {
    let server = Server::start().await;
    let (white, _, id) = server.blitz().await;
    let mut socket = white.watches(&id).await;
    for (text, audience, code) in [
        ("", "room", "bad_chat"),
        (&"x".repeat(501), "room", "bad_chat"),
        ("hello", "everyone", "bad_request"),
    ] {
        let line = json!({ "type": "CHAT", "text": text, "audience": audience });
        socket.says(line).await;
        assert_eq!(socket.hears("ERROR").await["error"], code);
    }
    let mut anonymous = server.nobody().watches(&id).await;
    anonymous
        .says(json!({ "type": "CHAT", "text": "hello" }))
        .await;
    assert_eq!(anonymous.hears("ERROR").await["error"], "unauthorized");
    socket
        .says(json!({ "type": "CHAT", "text": "hello" }))
        .await;
    assert_eq!(socket.hears("CHAT").await["from"], json!(white.id));
}
