//! What no honest client sends closes that one socket, and nothing else.

use std::sync::Arc;

use serde_json::{Value, json};
use server::auth::Person;
use server::rooms::here::Audience;
use server::rooms::{News, What};
use tokio::io::AsyncWriteExt;

use super::listener::Listener;
use crate::client::Server;

/// A frame as the wire has it, with a mask of zeros.
fn frame(first: u8, payload: &[u8]) -> Vec<u8> {
    let mut bytes = vec![first];
    match payload.len() {
        short @ 0..126 => bytes.push(0x80 | u8::try_from(short).expect("short")),
        long => {
            bytes.push(0x80 | 126);
            bytes.extend(u16::try_from(long).expect("not that long").to_be_bytes());
        }
    }
    bytes.extend([0; 4]);
    bytes.extend(payload);
    bytes
}

async fn write(socket: &mut Listener, bytes: &[u8]) {
    socket
        .raw()
        .write_all(bytes)
        .await
        .expect("the socket is open");
}

#[tokio::test]
async fn each_kind_of_bad_frame_has_its_code() {
    const TEXT: u8 = 0x81;
    const TEXT_BEGIN: u8 = 0x01;
    const CONTINUATION: u8 = 0x00;
    const BINARY: u8 = 0x82;
    let cases: &[(&str, Vec<u8>, u16)] = &[
        ("binary", frame(BINARY, b"x"), 1003),
        ("invalid UTF-8", frame(TEXT, &[0xff, 0xfe]), 1007),
        ("no JSON", frame(TEXT, b"hello"), 1008),
        ("no object", frame(TEXT, b"[1]"), 1008),
        ("no type", frame(TEXT, b"{}"), 1008),
        ("an unknown type", frame(TEXT, br#"{"type":"DANCE"}"#), 1008),
        ("too long", frame(TEXT, &[b' '; 9_000]), 1009),
        (
            "a continuation of nothing",
            frame(0x80 | CONTINUATION, b"x"),
            1002,
        ),
        ("an unknown opcode", frame(0x83, b"x"), 1002),
        ("a long control frame", frame(0x89, &[0; 200]), 1002),
        ("reserved bits", frame(0xf1, b"x"), 1002),
        (
            "fragments that are too long together",
            [
                frame(TEXT_BEGIN, &[b' '; 5_000]),
                frame(0x80 | CONTINUATION, &[b' '; 5_000]),
            ]
            .concat(),
            1009,
        ),
        ("a flood of pings", frame(0x89, b"").repeat(500), 1008),
    ];
    let server = Server::start().await;
    let (white, _, id) = server.blitz().await;
    let mut neighbour = server.nobody().watches(&id).await;
    neighbour.hears("STATE").await;
    for (what, bytes, code) in cases {
        let mut socket = white.watches(&id).await;
        socket.hears("STATE").await;
        write(&mut socket, bytes).await;
        assert_eq!(socket.close_code().await, Some(*code), "{what}");
    }
    white.plays(&id, "e4").await.expect(200);
    assert_eq!(neighbour.change().await["san"], "e4");
}

#[tokio::test]
async fn a_message_in_pieces_is_a_message() {
    let server = Server::start().await;
    let (white, _, id) = server.blitz().await;
    let mut socket = white.watches(&id).await;
    write(&mut socket, &frame(0x01, br#"{"type":"#)).await;
    write(&mut socket, &frame(0x89, b"in between")).await;
    write(&mut socket, &frame(0x80, br#""PING","id":7}"#)).await;
    assert_eq!(socket.hears("PONG").await["id"], 7);
}

#[tokio::test]
async fn a_ping_is_answered() {
    let server = Server::start().await;
    let (white, _, id) = server.blitz().await;
    let mut socket = white.watches(&id).await;
    socket.says(json!({ "type": "PING", "id": 42 })).await;
    assert_eq!(socket.hears("PONG").await["id"], 42);
}

#[tokio::test]
async fn a_close_is_answered_with_its_own_code() {
    let server = Server::start().await;
    let (white, _, id) = server.blitz().await;
    for code in [1000_u16, 1001, 4000] {
        let mut socket = white.watches(&id).await;
        socket.hears("STATE").await;
        // Written past the client, which would take its own word for the answer.
        write(&mut socket, &frame(0x88, &code.to_be_bytes())).await;
        assert_eq!(socket.close_code().await, Some(code));
    }
}

#[tokio::test]
async fn who_stops_reading_delays_nobody_and_is_given_up() {
    let server = Server::start_with(|settings| settings.stuck_seconds = 1).await;
    let (white, black, id) = server.blitz().await;
    let path = format!("/v1/games/{id}/stream");
    // Never reads a byte: the buffers in between fill up.
    let stuck = server.nobody().listens(&path).await;
    let mut watcher = server.nobody().watches(&id).await;
    watcher.hears("STATE").await;
    let app = server.running().app().clone();
    let id_ = id.parse().expect("an id");
    let someone = app.auth.person_by_name(&white.id).await;
    let someone = someone.expect("the store answers").expect("a guest");
    let mut rounds = 0;
    while app.rooms.stats().stuck == 0 {
        let room = app.rooms.all().get(id_).expect("somebody is here");
        room.tell(long_news(&someone, 60_000));
        watcher.hears("PRESENCE").await;
        rounds += 1;
        assert!(rounds < 100_000, "the stuck one is never given up");
    }
    white.plays(&id, "e4").await.expect(200);
    assert_eq!(watcher.change().await["san"], "e4");
    black.plays(&id, "e5").await.expect(200);
    assert_eq!(watcher.change().await["san"], "e5");
    drop(stuck);
}

#[tokio::test]
async fn who_falls_behind_gets_the_newest_state() {
    let server = Server::start().await;
    let (white, _, id) = server.blitz().await;
    let mut watcher = server.nobody().watches(&id).await;
    watcher.hears("STATE").await;
    let app = server.running().app().clone();
    let table = id.parse().expect("an id");
    let room = app.rooms.all().get(table).expect("somebody is here");
    let someone = app.auth.person_by_name(&white.id).await;
    let someone = someone.expect("the store answers").expect("a guest");
    // More than a lane holds between any two looks at the socket: however fast
    // either is, the watcher cannot keep up.
    let news = long_news(&someone, 200_000);
    let flood = async {
        loop {
            for _ in 0..100 {
                room.tell(news.clone());
            }
            tokio::task::yield_now().await;
        }
    };
    let state = tokio::select! {
        state = watcher.hears("STATE") => state,
        () = flood => unreachable!("it does not end"),
    };
    assert_eq!((&state["resync"], &state["ply"]), (&json!(true), &json!(0)));
    assert!(app.rooms.stats().resyncs >= 1);
    white.plays(&id, "e4").await.expect(200);
    // By itself, or with the newest state: much is still on its way.
    let is_told = |message: &Value| message["san"] == "e4" || message["ply"] == 1;
    watcher.hears_of("the move", is_told).await;
}

/// News that take so many bytes and more, whoever reads them.
fn long_news(someone: &Person, bytes: usize) -> News {
    let mut long = someone.clone();
    long.name = "x".repeat(bytes);
    News::of(What::Audience(Audience {
        spectators: 1,
        observers: Some(vec![Arc::new(long)]),
    }))
}
