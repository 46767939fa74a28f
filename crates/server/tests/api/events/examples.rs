//! The examples run as they are, against the real server.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::{game_of, sending};
use crate::client::{Client, blitz, play};

/// A service in a process of its own.
struct Service {
    child: Child,
    url: String,
}

impl Service {
    /// Starts an example; nothing where there is no Python.
    fn start(name: &str, with: &[(&str, &str)], rest: &[&str]) -> Option<Service> {
        let script: PathBuf = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("../../examples")
            .join(name)
            .join("leaderboard.py");
        let mut child = Command::new("python3")
            .arg(script)
            .arg("0")
            .args(rest)
            .envs(with.iter().copied())
            .stdout(Stdio::piped())
            .spawn()
            .ok()?;
        let mut line = String::new();
        let mut output = BufReader::new(child.stdout.take().expect("its output"));
        output.read_line(&mut line).expect("a line");
        let url = line.trim().strip_prefix("listening on ");
        let url = url.expect("it says where it is").to_owned();
        Some(Service { child, url })
    }

    /// The leaderboard, once it is as expected.
    async fn shows(&self, expected: &Value) {
        let begun = Instant::now();
        loop {
            let answer = reqwest::get(format!("{}/leaderboard", self.url)).await;
            let shown: Value = answer.expect("it answers").json().await.expect("JSON");
            if shown["players"] == *expected {
                return;
            }
            assert!(begun.elapsed() < Duration::from_secs(60), "{shown}");
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

/// A win each, and a draw; one that was never played.
async fn games(ann: &Client, bob: &Client) {
    let won = game_of(ann, bob, blitz()).await;
    play(ann, bob, &won, "f3 e5 g4 Qh4").await;
    for what in ["resign", "draw"] {
        let id = game_of(ann, bob, blitz()).await;
        play(ann, bob, &id, "e4 e5").await;
        if what == "resign" {
            bob.asks(&id, "resign").await.expect(200);
        } else {
            ann.asks(&id, "offer-draw").await.expect(200);
            bob.asks(&id, "accept-draw").await.expect(200);
        }
    }
    let id = game_of(ann, bob, blitz()).await;
    play(ann, bob, &id, "e4 e5").await;
    ann.asks(&id, "resign").await.expect(200);
    let waiting = ann.post("/v1/games", blitz()).await.expect(201);
    let id = waiting["id"].as_str().expect("an id");
    ann.asks(id, "cancel").await.expect(200);
}

fn expected() -> Value {
    json!([{ "id": "bob", "points": 2.5 }, { "id": "ann", "points": 1.5 }])
}

#[tokio::test]
async fn a_leaderboard_is_fed_by_a_webhook() {
    let secret = "a secret of the test".replace(' ', "-");
    let with = [("WEBHOOK_SECRET", secret.as_str())];
    let Some(service) = Service::start("leaderboard-webhook", &with, &[]) else {
        return;
    };
    let server = sending().await;
    let (ann, bob) = (
        server.registered("ann").await,
        server.registered("bob").await,
    );
    let hook = json!({ "url": format!("{}/hook", service.url), "events": ["GameEnded"], "secret": secret });
    ann.post("/v1/webhooks", hook).await.expect(201);
    games(&ann, &bob).await;
    service.shows(&expected()).await;
    // Somebody else's word counts for nothing, nor does one of ours for something else.
    let forged = json!({ "id": "f", "type": "GameEnded", "game_id": "x", "data": {} }).to_string();
    let http = reqwest::Client::new();
    for signature in ["", "t=1,v1=00", "v1=00", "t=x,v1="] {
        let request = http
            .post(format!("{}/hook", service.url))
            .body(forged.clone());
        let answer = request.header("arbiter-signature", signature).send().await;
        assert_eq!(answer.expect("it answers").status().as_u16(), 401);
    }
    service.shows(&expected()).await;
}

#[tokio::test]
async fn a_leaderboard_pulls_and_goes_on_where_it_was() {
    let mut server = sending().await;
    let (ann, bob) = (
        server.registered("ann").await,
        server.registered("bob").await,
    );
    let directory = tempfile::tempdir().expect("a directory");
    let state = directory.path().join("state").display().to_string();
    let token = ann.token.clone().expect("a token");
    let url = server.running().url();
    let with = [("ARBITER_URL", url.as_str()), ("ARBITER_TOKEN", &token)];
    let Some(service) = Service::start("leaderboard-pull", &with, &[&state]) else {
        return;
    };
    games(&ann, &bob).await;
    service.shows(&expected()).await;
    drop(service);
    server.restart().await;
    let (ann, bob) = (server.again(&ann), server.again(&bob));
    let id = game_of(&ann, &bob, blitz()).await;
    play(&ann, &bob, &id, "e4 e5").await;
    bob.asks(&id, "resign").await.expect(200);
    let url = server.running().url();
    let with = [("ARBITER_URL", url.as_str()), ("ARBITER_TOKEN", &token)];
    let service = Service::start("leaderboard-pull", &with, &[&state]).expect("Python is there");
    let more = json!([{ "id": "ann", "points": 2.5 }, { "id": "bob", "points": 2.5 }]);
    service.shows(&more).await;
}
