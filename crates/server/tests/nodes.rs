//! Two servers on one database of PostgreSQL, over real HTTP: what must hold
//! whichever of them is asked. Where PostgreSQL is not installed there is nothing to
//! test.

#[path = "nodes/becoming.rs"]
mod becoming;
#[path = "nodes/bots.rs"]
mod bots;
#[path = "nodes/lichess.rs"]
mod lichess;
#[path = "nodes/lobby.rs"]
mod lobby;
#[path = "nodes/matchmaking.rs"]
mod matchmaking;

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use reqwest::Method;
use serde_json::{Value, json};
use server::operate::Running;
use server::settings::Settings;

/// The longest anything may take to be known to the other one.
const KNOWN: Duration = Duration::from_secs(5);
/// The longest anything is waited for.
const PATIENCE: Duration = Duration::from_secs(60);
/// How often two race.
const ROUNDS: usize = 10;

/// Two servers that share a store.
struct Nodes {
    running: [Running; 2],
    http: reqwest::Client,
}

/// Somebody, by their token.
struct Person {
    id: String,
    token: String,
}

type Answer = (u16, String);

impl Nodes {
    async fn start(change: impl Fn(&mut Settings)) -> Option<Nodes> {
        let mut settings = Settings {
            listen: ([127, 0, 0, 1], 0).into(),
            store: servers::postgres()?,
            rate_limits: false,
            ..Settings::default()
        };
        change(&mut settings);
        let start = async || {
            let running = Running::start(settings.clone()).await;
            running.expect("the server starts")
        };
        Some(Nodes {
            running: [start().await, start().await],
            http: reqwest::Client::new(),
        })
    }

    async fn send(
        &self,
        node: usize,
        method: Method,
        path: &str,
        person: Option<&Person>,
        key: Option<&str>,
        body: &Value,
    ) -> Answer {
        let url = format!("{}{path}", self.running[node].url());
        let mut request = self.http.request(method, url).json(body);
        if let Some(person) = person {
            request = request.bearer_auth(&person.token);
        }
        if let Some(key) = key {
            request = request.header("idempotency-key", key);
        }
        let response = request.send().await.expect("the server answers");
        let status = response.status().as_u16();
        (status, response.text().await.expect("a whole answer"))
    }

    async fn post(&self, node: usize, path: &str, person: &Person, body: &Value) -> Answer {
        self.send(node, Method::POST, path, Some(person), None, body)
            .await
    }

    async fn get(&self, node: usize, path: &str, person: &Person) -> Answer {
        self.send(node, Method::GET, path, Some(person), None, &json!({}))
            .await
    }

    /// The same request to both at once.
    async fn both(&self, path: &str, person: &Person, key: &str, body: &Value) -> [Answer; 2] {
        let ask = |node| self.send(node, Method::POST, path, Some(person), Some(key), body);
        let (one, other) = tokio::join!(ask(0), ask(1));
        [one, other]
    }

    async fn guest(&self, node: usize) -> Person {
        let nothing = json!({});
        let made = self.send(node, Method::POST, "/v1/guests", None, None, &nothing);
        let made = good(&made.await, 201);
        Person {
            id: text(&made["account"]["id"]),
            token: text(&made["token"]),
        }
    }

    /// A game of two guests: its maker, who has White, the other, its id.
    async fn game(&self) -> (Person, Person, String) {
        let (white, black) = (self.guest(0).await, self.guest(1).await);
        let made = self.post(0, "/v1/games", &white, &terms()).await;
        let id = text(&good(&made, 201)["id"]);
        let join = format!("/v1/games/{id}/join");
        good(&self.post(0, &join, &black, &json!({})).await, 200);
        (white, black, id)
    }

    async fn stop(self) {
        for running in self.running {
            running.stop().await;
        }
    }
}

fn terms() -> Value {
    json!({ "time_control": { "initial_seconds": 300, "increment_seconds": 0 }, "color": "white" })
}

#[track_caller]
fn good(answer: &Answer, status: u16) -> Value {
    assert_eq!(answer.0, status, "{}", answer.1);
    serde_json::from_str(&answer.1).unwrap_or_default()
}

#[track_caller]
fn refused(answer: &Answer, status: u16, code: &str) {
    assert_eq!(good(answer, status)["error"], code, "{}", answer.1);
}

#[track_caller]
fn text(value: &Value) -> String {
    value.as_str().expect("a text").to_owned()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_key_makes_one_game_at_whichever_node_and_both_hear_the_same() {
    let Some(nodes) = Nodes::start(|_| {}).await else {
        return;
    };
    let ann = nodes.guest(0).await;
    let mut ids = BTreeSet::new();
    for round in 0..ROUNDS {
        let key = format!("game {round}");
        let [one, other] = nodes.both("/v1/games", &ann, &key, &terms()).await;
        ids.insert(text(&good(&one, 201)["id"]));
        assert_eq!(one, other);
        let another = json!({ "time_control": null });
        let reused = nodes.both("/v1/games", &ann, &key, &another).await;
        reused
            .iter()
            .for_each(|a| refused(a, 409, "idempotency_mismatch"));
    }
    assert_eq!(ids.len(), ROUNDS);
    nodes.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_key_carries_out_one_command_at_whichever_node_and_both_hear_the_same() {
    let Some(nodes) = Nodes::start(|_| {}).await else {
        return;
    };
    let (white, _, id) = nodes.game().await;
    let path = format!("/v1/games/{id}/add-time");
    for round in 0..ROUNDS {
        let key = format!("gift {round}");
        let body = json!({ "seconds": 5 });
        let [one, other] = nodes.both(&path, &white, &key, &body).await;
        let version = good(&one, 200)["version"].clone();
        assert_eq!(one, other);
        assert_eq!(version, 3 + round, "one gift a round");
    }
    // The second is refused by the rules: the game is over. It hears the same all the same.
    let path = format!("/v1/games/{id}/resign");
    let [one, other] = nodes.both(&path, &white, "end", &json!({})).await;
    good(&one, 200);
    assert_eq!(one, other);
    nodes.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_code_is_used_once_and_a_retry_of_it_at_another_node_hears_the_same() {
    let Some(nodes) = Nodes::start(|_| {}).await else {
        return;
    };
    let (ann, bob) = (nodes.guest(0).await, nodes.guest(1).await);
    for round in 0..ROUNDS {
        let made = nodes.post(round % 2, "/v1/games", &ann, &terms()).await;
        let code = json!({ "join_code": good(&made, 201)["join_code"] });
        let key = format!("join {round}");
        let [one, other] = nodes.both("/v1/games/join", &bob, &key, &code).await;
        assert_eq!(good(&one, 200)["state"], "ACTIVE");
        assert_eq!(one, other);
    }
    nodes.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_name_is_given_once() {
    let Some(nodes) = Nodes::start(|_| {}).await else {
        return;
    };
    for round in 0..3 {
        let body = json!({ "username": format!("Ann{round}"), "password": "correct horse" });
        let ask = |node| nodes.send(node, Method::POST, "/v1/accounts", None, None, &body);
        let (one, other) = tokio::join!(ask(0), ask(1));
        let (first, second) = if one.0 == 201 {
            (one, other)
        } else {
            (other, one)
        };
        good(&first, 201);
        refused(&second, 409, "username_taken");
    }
    nodes.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_said_at_two_nodes_is_in_one_order() {
    let Some(nodes) = Nodes::start(|_| {}).await else {
        return;
    };
    let (white, black, id) = nodes.game().await;
    let path = format!("/v1/games/{id}/chat");
    let say = async |node, who, n: usize| {
        let words = json!({ "text": format!("{node} {n}") });
        let said = nodes.post(node, &path, who, &words).await;
        text(&good(&said, 201)["id"])
    };
    let mut said = Vec::new();
    for n in 0..ROUNDS {
        let (one, other) = tokio::join!(say(0, &white, n), say(1, &black, n));
        said.extend([one, other]);
        let newest = said.iter().rev().take(2).min();
        let older = said.iter().rev().skip(2).max();
        assert!(
            newest > older,
            "what was said later has a larger id: {said:?}"
        );
    }
    said.sort_unstable();
    for node in [0, 1] {
        let read = nodes.send(node, Method::GET, &path, Some(&white), None, &Value::Null);
        let lines = good(&read.await, 200);
        let lines = lines["chat"].as_array().expect("lines").iter();
        let ids = lines.map(|line| text(&line["id"]));
        assert!(ids.eq(said.iter().cloned()));
    }
    nodes.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_ban_made_at_one_node_counts_at_the_other() {
    let Some(nodes) = Nodes::start(|_| {}).await else {
        return;
    };
    let (white, _, id) = nodes.game().await;
    let loud = nodes.guest(1).await;
    let (chat, words) = (format!("/v1/games/{id}/chat"), json!({ "text": "hello" }));
    good(&nodes.post(1, &chat, &loud, &words).await, 201);
    let mute = format!("/v1/games/{id}/mute");
    good(
        &nodes
            .post(0, &mute, &white, &json!({ "name": loud.id }))
            .await,
        200,
    );
    refused(&nodes.post(1, &chat, &loud, &words).await, 403, "muted");
    let lift = json!({ "name": loud.id, "lift": true });
    good(&nodes.post(0, &mute, &white, &lift).await, 200);
    good(&nodes.post(1, &chat, &loud, &words).await, 201);
    let remove = format!("/v1/games/{id}/remove");
    good(
        &nodes
            .post(1, &remove, &white, &json!({ "name": loud.id }))
            .await,
        200,
    );
    refused(
        &nodes.post(0, &chat, &loud, &words).await,
        404,
        "game_not_found",
    );
    nodes.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_token_taken_back_at_one_node_changes_nothing_at_the_other() {
    let Some(nodes) = Nodes::start(|_| {}).await else {
        return;
    };
    let ann = nodes.guest(0).await;
    good(&nodes.post(1, "/v1/games", &ann, &terms()).await, 201);
    let nothing = json!({});
    let out = nodes.send(
        0,
        Method::DELETE,
        "/v1/sessions/current",
        Some(&ann),
        None,
        &nothing,
    );
    good(&out.await, 204);
    let taken_back = servers::now();
    loop {
        let asked = servers::now() - taken_back;
        let answer = nodes.post(1, "/v1/games", &ann, &terms()).await;
        if answer.0 == 401 {
            break;
        }
        good(&answer, 201);
        assert!(asked < KNOWN, "it still plays");
    }
    nodes.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whoever_guesses_codes_gets_no_more_tries_by_asking_two_nodes() {
    let limit = 3;
    let limited = |settings: &mut Settings| {
        settings.rate_limits = true;
        settings.wrong_passwords_per_minute = limit;
    };
    let Some(nodes) = Nodes::start(limited).await else {
        return;
    };
    let ann = nodes.guest(0).await;
    let begun = Instant::now();
    let mut tried = 0;
    for node in [0, 1].into_iter().cycle().take(4 * limit as usize) {
        let code = json!({ "join_code": "ABCDEF" });
        let answer = nodes.post(node, "/v1/games/join", &ann, &code).await;
        match answer.0 {
            404 => tried += 1,
            _ => refused(&answer, 429, "rate_limited"),
        }
    }
    // One more is there every so often.
    let more = begun.elapsed().as_secs() * u64::from(limit) / 60 + 1;
    assert!(
        (u64::from(limit)..=u64::from(limit) + more).contains(&tried),
        "{tried}"
    );
    nodes.stop().await;
}
