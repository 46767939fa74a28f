//! The server is killed between what happens and what others are told of it: whoever drops
//! what it knows ends with exactly the truth.
//!
//! It is killed fifteen times. A hundred times, which takes some minutes:
//! `ARBITER_EVENT_KILLS=100 cargo test -p server --test crash whoever_drops -- --nocapture`.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use axum::Router;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::routing::post;
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use serde_json::{Value, json};
use tokio::net::TcpListener;
use tokio::sync::watch;

use crate::machine::Machine;
use crate::{number, seed};

const KILLS: u64 = 15;
/// Games that are played at the same time.
const PAIRS: usize = 4;
const MOVES: [&str; 8] = ["e4", "e5", "Nf3", "Nc6", "Bb5", "a6", "Ba4", "Nf6"];

/// The target of a webhook: what came, in that order.
#[derive(Clone)]
struct Target {
    got: Arc<Mutex<Vec<(String, Value)>>>,
    /// What was refused. Once is enough: whoever is refused again and again is left alone for
    /// minutes, and a death while something is sent counts as a try, too.
    refused: Arc<Mutex<HashSet<String>>>,
    count: watch::Sender<usize>,
}

impl Target {
    async fn start() -> (Target, SocketAddr) {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let address = listener.local_addr().expect("an address");
        let target = Target {
            got: Arc::default(),
            refused: Arc::default(),
            count: watch::Sender::new(0),
        };
        let routes = Router::new()
            .route("/", post(receive))
            .with_state(target.clone());
        tokio::spawn(async move { axum::serve(listener, routes).await });
        (target, address)
    }

    /// What a consumer has that drops what it knows: each event once, as it first came.
    fn known(&self) -> Vec<Value> {
        let got = self.got.lock().expect("nobody panicked");
        let mut known = HashMap::new();
        let mut order = Vec::new();
        for (id, event) in got.iter() {
            if known.insert(id.clone(), ()).is_none() {
                order.push(event.clone());
            }
        }
        order
    }
}

/// One in a few is refused, so that some wait to be tried again.
async fn receive(State(it): State<Target>, headers: HeaderMap, body: Bytes) -> StatusCode {
    let id = headers["arbiter-event"].to_str().expect("an id").to_owned();
    let event: Value = serde_json::from_slice(&body).expect("JSON");
    assert_eq!(event["id"], json!(id));
    let many = {
        let mut got = it.got.lock().expect("nobody panicked");
        let mut refused = it.refused.lock().expect("nobody panicked");
        let is_unlucky = got.len() % 7 == 3 && rand::random_ratio(1, 2);
        if is_unlucky && refused.insert(id.clone()) {
            return StatusCode::INTERNAL_SERVER_ERROR;
        }
        got.push((id, event));
        got.len()
    };
    it.count.send_replace(many);
    StatusCode::NO_CONTENT
}

/// A machine whose server may send to itself.
fn machine() -> Machine {
    let mut machine = Machine::new();
    machine.set("ARBITER_OUTSIDE_HTTP", "on");
    machine.set("ARBITER_OUTSIDE_NETWORKS", "127.0.0.0/8");
    machine.set("ARBITER_WEBHOOK_SECONDS", 600);
    machine
}

/// Someone who talks to whatever server there is.
#[derive(Clone)]
struct Person {
    http: reqwest::Client,
    token: String,
}

impl Person {
    async fn register(url: &str, name: &str) -> Person {
        let http = reqwest::Client::new();
        let account = json!({ "username": name, "password": "correct horse battery" });
        let request = http.post(format!("{url}/v1/accounts")).json(&account);
        let made: Value = request.send().await.unwrap().json().await.unwrap();
        let token = made["token"].as_str().expect("a token").to_owned();
        Person { http, token }
    }

    /// The answer, unless the server is gone.
    async fn post(&self, url: &str, path: &str, body: Value) -> Option<Value> {
        let request = self.http.post(format!("{url}{path}")).json(&body);
        let answer = request.bearer_auth(&self.token).send().await.ok()?;
        answer.error_for_status().ok()?.json().await.ok()
    }

    async fn get(&self, url: &str, path: &str) -> Option<Value> {
        let request = self.http.get(format!("{url}{path}"));
        let answer = request.bearer_auth(&self.token).send().await.ok()?;
        answer.error_for_status().ok()?.json().await.ok()
    }
}

/// Plays games until the server is gone. Those that were acknowledged.
async fn play(url: String, white: Person, black: Person) -> Vec<String> {
    let mut games = Vec::new();
    let terms = json!({ "time_control": { "initial_seconds": 600, "increment_seconds": 0 } });
    while let Some(made) = white.post(&url, "/v1/games", terms.clone()).await {
        let id = made["id"].as_str().expect("an id").to_owned();
        games.push(id.clone());
        let path = |what: &str| format!("/v1/games/{id}/{what}");
        let done = async {
            black.post(&url, &path("join"), json!({})).await?;
            for (ply, text) in MOVES.into_iter().enumerate() {
                let player = if ply % 2 == 0 { &white } else { &black };
                player
                    .post(&url, &path("moves"), json!({ "move": text }))
                    .await?;
            }
            black.post(&url, &path("resign"), json!({})).await
        };
        if done.await.is_none() {
            return games;
        }
    }
    games
}

/// Everything that somebody can pull.
async fn all_events(person: &Person, url: &str) -> Vec<Value> {
    let (mut events, mut next) = (Vec::new(), String::new());
    loop {
        let path = format!("/v1/events?since={next}");
        let page = person.get(url, &path).await.expect("the server is up");
        let found = page["events"].as_array().expect("a list").clone();
        next = page["next"].as_str().expect("a place").to_owned();
        if found.is_empty() {
            return events;
        }
        events.extend(found);
    }
}

fn by_game(events: &[Value]) -> BTreeMap<String, Vec<&Value>> {
    let mut games: BTreeMap<String, Vec<&Value>> = BTreeMap::new();
    for event in events {
        let game = event["game_id"].as_str().expect("a game").to_owned();
        games.entry(game).or_default().push(event);
    }
    games
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whoever_drops_what_it_knows_ends_with_the_truth() {
    let machine = machine();
    let mut rng = StdRng::seed_from_u64(seed());
    let kills = number("ARBITER_EVENT_KILLS").unwrap_or(KILLS);
    let begun = Instant::now();
    let (target, address) = Target::start().await;
    let mut server = machine.must_start();
    let ann = Person::register(&server.url, "ann").await;
    let bob = Person::register(&server.url, "bob").await;
    let types = ["GameCreated", "GameStarted", "MovePlayed", "GameEnded"];
    let hook = json!({ "url": format!("http://{address}/"), "events": types });
    let made = ann.post(&server.url, "/v1/webhooks", hook).await;
    made.expect("a webhook");
    let mut games = Vec::new();
    for _ in 0..kills {
        let playing: Vec<_> = (0..PAIRS)
            .map(|_| tokio::spawn(play(server.url.clone(), ann.clone(), bob.clone())))
            .collect();
        // After so many deliveries, or a while: in the middle of anything.
        let mut count = target.count.subscribe();
        let enough = *count.borrow() + rng.random_range(1..40);
        let later = Duration::from_millis(rng.random_range(50..700));
        drop(tokio::time::timeout(later, count.wait_for(|many| *many >= enough)).await);
        tokio::time::sleep(Duration::from_micros(rng.random_range(0..3_000))).await;
        tokio::task::block_in_place(|| server.kill());
        for one in playing {
            games.extend(one.await.expect("a player"));
        }
        server = tokio::task::block_in_place(|| machine.must_start());
    }
    let truth = all_events(&ann, &server.url).await;
    // Each death while it is sent counts as a try. A sixth comes 75 s after the fifth, an
    // eighth more than five minutes after the seventh, which takes many kills.
    let until = Instant::now() + Duration::from_secs(600);
    while target.known().len() < truth.len() {
        assert!(
            Instant::now() < until,
            "{} of {}",
            target.known().len(),
            truth.len()
        );
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    let known = target.known();
    assert_eq!(
        by_game(&known),
        by_game(&truth),
        "in the order of each game"
    );
    let told = by_game(&truth);
    for id in &games {
        let events = told.get(id).expect("what was acknowledged is told");
        let game = ann.get(&server.url, &format!("/v1/games/{id}")).await;
        let game = game.expect("the game is there");
        let many = |kind: &str| events.iter().filter(|it| it["type"] == json!(kind)).count();
        assert_eq!(many("GameCreated"), 1);
        assert_eq!(
            many("MovePlayed") as u64,
            game["ply"].as_u64().expect("a number")
        );
        let is_over = game["state"] == json!("COMPLETED");
        assert_eq!(many("GameEnded"), usize::from(is_over));
    }
    let sent = target.got.lock().expect("nobody panicked").len();
    println!(
        "{kills} kills, {} games, {} events, {sent} deliveries, {:.1} s",
        games.len(),
        truth.len(),
        begun.elapsed().as_secs_f64()
    );
    tokio::task::block_in_place(|| server.stop());
}
