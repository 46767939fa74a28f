//! Section 9: seeks.

use reqwest::{Method, Response};
use serde_json::{Value, json};

use super::looking::{error, watched};
use super::{Lines, Player};
use crate::client::{Server, blitz};

const FORM: &str = "application/x-www-form-urlencoded";
/// As berserk sends it.
const USUAL: &str = "rated=false&time=10&increment=5&variant=standard&color=random&ratingRange=";

async fn send(player: &Player, form: &str) -> Response {
    let body = Some((FORM, form));
    let path = "/api/board/seek";
    player
        .client
        .ask(Method::POST, path, "text/plain", body)
        .await
}

async fn seeks(player: &Player, form: &str) -> Lines {
    watched(send(player, form).await)
}

/// How many wait for an opponent.
async fn waiting(server: &Server) -> usize {
    let app = server.running().app();
    let tickets = app.store.searching_tickets().await;
    tickets.expect("the store works").len()
}

/// The games that wait in the lobby.
async fn open(server: &Server) -> Vec<Value> {
    let lobby = server.nobody().get("/v1/lobby").await.expect(200);
    lobby["games"].as_array().expect("a list").clone()
}

async fn settles(mut is_so: impl AsyncFnMut() -> bool) {
    while !is_so().await {
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
}

#[tokio::test]
async fn s9_both_streams_end_when_two_are_paired_and_the_game_is_announced() {
    let server = Server::start().await;
    let (ann, bob) = (
        Player::person(&server, "ann").await,
        Player::person(&server, "bob").await,
    );
    let mut events = [ann.events().await, bob.events().await];
    let mut first = seeks(&ann, USUAL).await;
    assert_eq!(first.headers["transfer-encoding"], "chunked");
    let mut second = seeks(&bob, USUAL).await;
    first.ends().await;
    second.ends().await;
    let mut games = Vec::new();
    for events in &mut events {
        let started = events.until("gameStart").await;
        games.push(started["game"].clone());
    }
    let [anns, bobs] = &games[..] else {
        panic!("two of them");
    };
    assert_eq!(anns["gameId"], bobs["gameId"]);
    assert_eq!(
        (&anns["source"], &bobs["source"]),
        (&json!("pool"), &json!("pool"))
    );
    assert_ne!(anns["color"], bobs["color"]);
    assert_eq!(
        (&anns["speed"], &anns["secondsLeft"]),
        (&json!("rapid"), &json!(600))
    );
    assert_eq!(waiting(&server).await, 0);
}

#[tokio::test]
async fn s9_only_blank_lines_come_while_somebody_waits() {
    let server = Server::start().await;
    let ann = Player::person(&server, "ann").await;
    let mut stream = seeks(&ann, USUAL).await;
    for _ in 0..2 {
        assert_eq!(stream.raw().await.as_deref(), Some(""));
    }
    assert_eq!(waiting(&server).await, 1);
}

#[tokio::test]
async fn s9_who_goes_away_seeks_no_more() {
    let server = Server::start().await;
    let ann = Player::person(&server, "ann").await;
    let stream = seeks(&ann, USUAL).await;
    assert_eq!(waiting(&server).await, 1);
    drop(stream);
    settles(async || waiting(&server).await == 0).await;
    let stream = seeks(&ann, "time=5&increment=0&color=white").await;
    assert_eq!(waiting(&server).await, 1);
    drop(stream);
    settles(async || waiting(&server).await == 0).await;
}

#[tokio::test]
async fn s9_somebody_has_one_seek() {
    let server = Server::start().await;
    let ann = Player::person(&server, "ann").await;
    let mut first = seeks(&ann, USUAL).await;
    let mut second = seeks(&ann, "time=3&increment=2").await;
    first.ends().await;
    assert_eq!(waiting(&server).await, 1);
    let mut third = seeks(&ann, "time=3&increment=2&color=black").await;
    second.ends().await;
    assert_eq!(waiting(&server).await, 1);
    let _fourth = seeks(&ann, USUAL).await;
    third.ends().await;
    assert_eq!(waiting(&server).await, 1);
}

#[tokio::test]
async fn s9_bots_do_not_seek() {
    let server = Server::start().await;
    let ada = Player::bot(&server, "ada").await;
    let why = error(send(&ada, USUAL).await, 403).await;
    assert!(why.as_str().is_some_and(|why| why.contains("Bot")), "{why}");
}

#[tokio::test]
async fn s2_a_seek_needs_a_token_of_board_play() {
    let server = Server::start().await;
    let ann = Player::person(&server, "ann").await;
    let reader = ann.with(&["challenge:write"]).await;
    assert_eq!(
        error(send(&reader, USUAL).await, 403).await,
        "Missing scope: board:play"
    );
    let nobody = Player {
        client: server.nobody(),
        ..ann.clone()
    };
    error(send(&nobody, USUAL).await, 401).await;
    let own = ann.with(&["board:play"]).await;
    seeks(&own, USUAL).await;
}

#[tokio::test]
async fn s9_days_are_answered_with_an_id() {
    let server = Server::start().await;
    let (ann, bob) = (
        Player::person(&server, "ann").await,
        Player::person(&server, "bob").await,
    );
    let answer = send(&ann, "days=3&rated=false&variant=standard&color=white").await;
    assert_eq!(answer.status(), 200);
    let answer: Value = answer.json().await.expect("JSON");
    let id = answer["id"].as_str().expect("an id");
    let open = open(&server).await;
    assert_eq!(open[0]["id"], json!(id));
    assert_eq!(open[0]["time_control"]["days_per_move"], 3);
    bob.client.asks(id, "join").await.expect(200);
    let game = ann.client.game(id).await;
    assert_eq!(game["white"], "ann");
}

#[tokio::test]
async fn s9_a_side_is_given_as_it_is_asked_for() {
    let server = Server::start().await;
    let (ann, bob) = (
        Player::person(&server, "ann").await,
        Player::person(&server, "bob").await,
    );
    let form = |color: &str| format!("time=5&increment=3&color={color}&rated=false");
    // Two who want the same do not meet; a third with the other side does.
    let mut whites = [
        seeks(&ann, &form("white")).await,
        seeks(&bob, &form("white")).await,
    ];
    assert_eq!(waiting(&server).await, 2);
    let cleo = Player::person(&server, "cleo").await;
    let mut events = cleo.events().await;
    let mut black = seeks(&cleo, &form("black")).await;
    black.ends().await;
    let game = events.until("gameStart").await["game"].clone();
    assert_eq!(
        (&game["color"], &game["opponent"]["username"]),
        (&json!("black"), &json!("ann"))
    );
    whites[0].ends().await;
    // Whoever takes any side is paired with one who waits for that one.
    let dan = Player::person(&server, "dan").await;
    let mut events = dan.events().await;
    let mut any = seeks(&dan, &form("random")).await;
    any.ends().await;
    whites[1].ends().await;
    let game = events.until("gameStart").await["game"].clone();
    assert_eq!(
        (&game["color"], &game["opponent"]["username"]),
        (&json!("black"), &json!("bob"))
    );
}

#[tokio::test]
async fn s9_a_rating_range_is_kept() {
    let server = Server::start().await;
    let (ann, bob) = (
        Player::person(&server, "ann").await,
        Player::person(&server, "bob").await,
    );
    let form = |range: &str| format!("time=10&increment=0&ratingRange={range}");
    let mut first = seeks(&ann, &form("1000-1400")).await;
    let _second = seeks(&bob, &form("")).await;
    // Long enough for several rounds of pairing.
    assert_eq!(first.raw().await.as_deref(), Some(""));
    assert_eq!(waiting(&server).await, 2);
    let mut again = seeks(&ann, &form("1400-1600")).await;
    first.ends().await;
    again.ends().await;
}

#[tokio::test]
async fn s9_a_rating_range_is_kept_by_who_wants_a_side_too() {
    let server = Server::start().await;
    let (ann, bob) = (
        Player::person(&server, "ann").await,
        Player::person(&server, "bob").await,
    );
    let white = "time=10&increment=0&color=white&ratingRange=1000-1400";
    let mut first = seeks(&ann, white).await;
    let mut second = seeks(&bob, "time=10&increment=0").await;
    // Long enough for several rounds of pairing.
    assert_eq!(first.raw().await.as_deref(), Some(""));
    assert_eq!(waiting(&server).await, 2);
    let mut third = seeks(&bob, "time=10&increment=0&color=black").await;
    second.ends().await;
    assert_eq!(third.raw().await.as_deref(), Some(""));
    assert_eq!(waiting(&server).await, 2);
}

#[tokio::test]
async fn s9_what_cannot_be_sought_is_refused_by_its_field() {
    let server = Server::start().await;
    let ann = Player::person(&server, "ann").await;
    for (form, field) in [
        ("time=-1", "time"),
        ("time=10&increment=1000", "increment"),
        ("days=4", "days"),
        ("variant=fromPosition", "variant"),
        ("color=green", "color"),
        ("ratingRange=high", "ratingRange"),
    ] {
        let why = error(send(&ann, form).await, 400).await;
        assert!(why[field].is_array(), "{form}: {why}");
    }
    error(send(&ann, "time=0&increment=0").await, 400).await;
    assert_eq!(waiting(&server).await, 0);
}

#[tokio::test]
async fn s9_whoever_plays_does_not_seek_and_is_told_so() {
    let server = Server::start().await;
    let (ann, bob) = (
        Player::person(&server, "ann").await,
        Player::person(&server, "bob").await,
    );
    ann.plays(&bob, json!({})).await;
    for form in [USUAL, "time=10&increment=5&color=white"] {
        let why = error(send(&ann, form).await, 400).await;
        assert!(why.is_string(), "{why}");
    }
}

/// An open game made at another door is as good as a seek.
#[tokio::test]
async fn s9_a_seek_finds_a_game_of_the_lobby() {
    let server = Server::start().await;
    let (ann, bob) = (
        Player::person(&server, "ann").await,
        Player::person(&server, "bob").await,
    );
    let made = bob.client.post("/v1/games", blitz()).await.expect(201);
    let mut stream = seeks(&ann, "time=5&increment=0").await;
    stream.ends().await;
    let id = made["id"].as_str().expect("an id");
    let game = ann.client.game(id).await;
    assert_eq!(game["state"], "ACTIVE");
    let (_, playing) = ann.get("/api/account/playing").await;
    assert_eq!(playing["nowPlaying"][0]["source"], "lobby");
}

/// Half a minute without a sign of life ends a ticket; an open stream is one.
#[tokio::test]
async fn s9_the_stream_itself_says_that_its_owner_is_there() {
    let server = Server::start().await;
    let ann = Player::person(&server, "ann").await;
    let _stream = seeks(&ann, USUAL).await;
    let app = server.running().app();
    let seen = async || {
        let tickets = app
            .store
            .searching_tickets()
            .await
            .expect("the store works");
        tickets[0].seen_at
    };
    let first = seen().await;
    settles(async || seen().await > first).await;
}
