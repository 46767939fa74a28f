//! Many games at once: nobody is drowned, and all know the same in the end.

use std::time::{Duration, Instant};

use futures_util::{StreamExt, stream};
use serde_json::json;

use super::{Known, all, opens};
use crate::client::{Client, Server};
use crate::streams::listener::{Events, Listener};

/// How many are asked for at once.
const AT_ONCE: usize = 16;
const PATIENCE: Duration = Duration::from_secs(60);

/// Whatever carries the stream.
enum Stream {
    Socket(Box<Listener>),
    Events(Box<Events>),
}

impl Stream {
    async fn next(&mut self) -> serde_json::Value {
        match self {
            Stream::Socket(socket) => socket.next().await,
            Stream::Events(events) => events.next().await,
        }
    }
}

/// Reads on until the reader knows just these games.
async fn reads_up_to(stream: &mut Stream, known: &mut Known, mut wanted: Vec<String>) {
    wanted.sort_unstable();
    let begun = Instant::now();
    while known.states == 0 || known.ids() != wanted {
        let left = PATIENCE.saturating_sub(begun.elapsed());
        let message = tokio::time::timeout(left, stream.next()).await;
        known.take_in(&message.expect("they come to know the same"));
    }
}

async fn open_many(players: &[Client], count: usize) -> Vec<String> {
    let opened = stream::iter(0..count).map(|n| opens(&players[n % players.len()], |_| {}));
    opened.buffered(AT_ONCE).collect().await
}

async fn ask_many(games: &[String], what: &str, who: impl Fn(usize) -> Client) {
    let asked = stream::iter(games.iter().enumerate()).map(|(n, game)| {
        let client = who(n);
        async move { client.asks(game, what).await.expect(200) }
    });
    asked.buffer_unordered(AT_ONCE).for_each(async |_| {}).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_a_thousand_games_all_readers_know_the_same_in_the_end() {
    // However busy this machine is, nobody is given up.
    let server = Server::start_with(|settings| settings.stuck_seconds = 600).await;
    let mut players = Vec::new();
    for _ in 0..8 {
        players.push(server.guest().await);
    }
    let begun = Instant::now();
    let socket = server.nobody().listens("/v1/lobby/stream").await;
    let events = server.guest().await;
    let events = events.event_stream("/v1/lobby/events", "").await;
    let mut streams = [
        Stream::Socket(Box::new(socket)),
        Stream::Events(Box::new(events)),
    ];
    let mut known = [Known::default(), Known::default()];
    // One reads while it happens, the other is slow.
    let happening = async {
        let games = open_many(&players, 1_000).await;
        let other = |n: usize| players[(n + 1) % players.len()].clone();
        ask_many(&games[..700], "join", other).await;
        let own = |n: usize| players[(n + 700) % players.len()].clone();
        ask_many(&games[700..850], "cancel", own).await;
    };
    let [quick, _] = &mut streams;
    tokio::pin!(happening);
    loop {
        tokio::select! {
            () = &mut happening => break,
            message = quick.next() => known[0].take_in(&message),
        }
    }
    let wanted = all(&server.nobody(), "").await;
    assert_eq!(wanted.len(), 150);
    for (stream, known) in streams.iter_mut().zip(&mut known) {
        reads_up_to(stream, known, wanted.clone()).await;
        let seconds = begun.elapsed().as_secs() as usize + 1;
        assert!(known.states <= 1 + seconds, "{} states", known.states);
        assert!(known.changes <= 4 * 50 * seconds, "{}", known.changes);
    }
    // And from here on everything one by one.
    let last = opens(&players[0], |_| {}).await;
    for stream in &mut streams {
        let message = stream.next().await;
        assert_eq!(message["game"]["id"], json!(last));
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_reader_is_told_the_newest_and_older_ones_as_there_is_room() {
    let server = Server::start().await;
    let players = [server.guest().await, server.guest().await];
    let games = open_many(&players, 205).await;
    let nobody = server.nobody();
    let newest = all(&nobody, "").await;
    assert_eq!(newest.len(), games.len());
    let mut socket = nobody.listens("/v1/lobby/stream").await;
    let state = socket.next().await;
    assert_eq!(super::ids(&state), newest[..200]);
    assert_eq!(state["more"], true);
    // One more pushes the oldest out.
    let last = opens(&players[0], |_| {}).await;
    let (gone, opened) = (socket.next().await, socket.next().await);
    let expected = json!({ "type": "GONE", "game_id": newest[199], "reason": "older" });
    assert_eq!(gone, expected);
    assert_eq!(opened["game"]["id"], json!(last));
    // It is back when another goes.
    players[0].asks(&last, "cancel").await.expect(200);
    let (gone, opened) = (socket.next().await, socket.next().await);
    assert_eq!(
        (&gone["game_id"], &gone["reason"]),
        (&json!(last), &json!("cancelled"))
    );
    assert_eq!(opened["game"]["id"], json!(newest[199]));
}
