//! A server of one's own, and players who talk to it over HTTP.

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use server::operate::Running;
use server::settings::Settings;
use tempfile::TempDir;

use crate::contract::Contract;

/// A real server on a free port with a database of its own.
pub(crate) struct Server {
    running: Option<Running>,
    settings: Settings,
    _directory: TempDir,
}

/// Someone who talks to the server, or nobody in particular.
#[derive(Clone)]
pub(crate) struct Client {
    pub(crate) url: String,
    pub(crate) http: reqwest::Client,
    pub(crate) id: String,
    pub(crate) token: Option<String>,
}

/// A status and a body.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    /// What kind of body it is.
    pub(crate) media: String,
    pub(crate) text: String,
}

/// A database of PostgreSQL and a bus of NATS, if the tests are to run on these:
/// `ARBITER_TEST_STORE=postgres`.
fn shared_parts() -> Option<(String, String)> {
    let is_shared = std::env::var("ARBITER_TEST_STORE").is_ok_and(|store| store == "postgres");
    is_shared.then(|| {
        let store = servers::postgres().expect("PostgreSQL is installed");
        (store, servers::shared_nats().expect("NATS is installed"))
    })
}

impl Server {
    pub(crate) async fn start() -> Server {
        Server::start_with(|_| {}).await
    }

    /// A server with other settings than the usual.
    pub(crate) async fn start_with(change: impl FnOnce(&mut Settings)) -> Server {
        let directory = tempfile::tempdir().expect("a temporary directory");
        let database = directory.path().join("arbiter.db");
        let mut settings = Settings {
            listen: "127.0.0.1:0".parse().expect("an address"),
            store: format!("sqlite:{}", database.display()),
            rate_limits: false,
            ..Settings::default()
        };
        if let Some((store, bus)) = shared_parts() {
            (settings.store, settings.bus) = (store, bus);
        }
        change(&mut settings);
        let running = Running::start(settings.clone())
            .await
            .expect("the server starts");
        Server {
            running: Some(running),
            settings,
            _directory: directory,
        }
    }

    pub(crate) async fn stop(&mut self) {
        if let Some(running) = self.running.take() {
            running.stop().await;
        }
    }

    /// Starts the server that was stopped, on another database.
    pub(crate) async fn start_on(&mut self, store: &str) {
        store.clone_into(&mut self.settings.store);
        self.restart().await;
    }

    /// Stops the server and starts it again on the same database.
    pub(crate) async fn restart(&mut self) {
        self.stop().await;
        let running = Running::start(self.settings.clone())
            .await
            .expect("the server starts again");
        self.running = Some(running);
    }

    pub(crate) fn running(&self) -> &Running {
        self.running.as_ref().expect("the server runs")
    }

    pub(crate) fn nobody(&self) -> Client {
        Client {
            url: self.running().url(),
            http: reqwest::Client::new(),
            id: String::new(),
            token: None,
        }
    }

    /// Someone who holds this token.
    pub(crate) fn holder(&self, token: &str) -> Client {
        Client {
            token: Some(token.to_owned()),
            ..self.nobody()
        }
    }

    /// The same person, after the server has moved to another port.
    pub(crate) fn again(&self, client: &Client) -> Client {
        Client {
            url: self.running().url(),
            ..client.clone()
        }
    }

    /// A guest.
    pub(crate) async fn guest(&self) -> Client {
        let nobody = self.nobody();
        let answer = nobody.post("/v1/guests", json!({})).await.expect(201);
        Client {
            id: answer["account"]["id"].as_str().expect("an id").to_owned(),
            token: Some(answer["token"].as_str().expect("a token").to_owned()),
            ..nobody
        }
    }

    /// Somebody with an account of that name.
    pub(crate) async fn registered(&self, name: &str) -> Client {
        let nobody = self.nobody();
        let account = json!({ "username": name, "password": "correct horse battery" });
        let answer = nobody.post("/v1/accounts", account).await.expect(201);
        Client {
            id: answer["account"]["id"].as_str().expect("an id").to_owned(),
            token: Some(answer["token"].as_str().expect("a token").to_owned()),
            ..nobody
        }
    }

    /// Two guests and a game they have begun; the first has White.
    pub(crate) async fn game(&self, request: Value) -> (Client, Client, String) {
        let (white, black) = (self.guest().await, self.guest().await);
        let game = white.post("/v1/games", request).await.expect(201);
        let id = game["id"].as_str().expect("an id").to_owned();
        black
            .post(&format!("/v1/games/{id}/join"), json!({}))
            .await
            .expect(200);
        (white, black, id)
    }

    pub(crate) async fn blitz(&self) -> (Client, Client, String) {
        self.game(blitz()).await
    }
}

/// Five minutes each.
pub(crate) fn blitz() -> Value {
    json!({ "time_control": { "initial_seconds": 300, "increment_seconds": 0 } })
}

impl Client {
    pub(crate) async fn get(&self, path: &str) -> Answer {
        self.send(Method::GET, path, None, &[]).await
    }

    pub(crate) async fn post(&self, path: &str, body: Value) -> Answer {
        self.send(Method::POST, path, Some(body.to_string()), &[])
            .await
    }

    pub(crate) async fn put(&self, path: &str, body: Value) -> Answer {
        self.send(Method::PUT, path, Some(body.to_string()), &[])
            .await
    }

    pub(crate) async fn delete(&self, path: &str) -> Answer {
        self.send(Method::DELETE, path, None, &[]).await
    }

    /// Sends a request, and sees that the answer is one the API describes.
    pub(crate) async fn send(
        &self,
        method: Method,
        path: &str,
        body: Option<String>,
        headers: &[(&str, &str)],
    ) -> Answer {
        let contract = Contract::of(&self.url).await;
        let url = format!("{}{path}", self.url);
        let mut request = self.http.request(method.clone(), url);
        if let Some(token) = &self.token {
            request = request.bearer_auth(token);
        }
        if let Some(body) = body {
            request = request
                .header("content-type", "application/json")
                .body(body);
        }
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let response = request.send().await.expect("the server answers");
        let media = response.headers().get("content-type");
        let media = media.map_or("", |media| media.to_str().expect("a media type"));
        let answer = Answer {
            status: response.status().as_u16(),
            media: media.to_owned(),
            text: response.text().await.expect("a whole answer"),
        };
        contract.check(method.as_str(), path, &answer);
        answer
    }

    /// Makes the next move.
    pub(crate) async fn plays(&self, game: &str, text: &str) -> Answer {
        self.post(&format!("/v1/games/{game}/moves"), json!({ "move": text }))
            .await
    }

    /// Makes a move as a certain half-move.
    pub(crate) async fn plays_at(&self, game: &str, text: &str, ply: u32) -> Answer {
        self.post(
            &format!("/v1/games/{game}/moves"),
            json!({ "move": text, "ply": ply }),
        )
        .await
    }

    /// Asks something of a game.
    pub(crate) async fn asks(&self, game: &str, command: &str) -> Answer {
        self.post(&format!("/v1/games/{game}/{command}"), json!({}))
            .await
    }

    pub(crate) async fn game(&self, game: &str) -> Value {
        self.get(&format!("/v1/games/{game}")).await.expect(200)
    }

    /// Everything that has happened in a game.
    pub(crate) async fn log(&self, game: &str) -> Vec<Value> {
        let log = self.get(&format!("/v1/games/{game}/log")).await.expect(200);
        log.as_array().expect("a list").clone()
    }
}

/// Plays moves in turn, White first.
pub(crate) async fn play(white: &Client, black: &Client, game: &str, moves: &str) {
    for (ply, text) in (1..).zip(moves.split_whitespace()) {
        let player = if ply % 2 == 1 { white } else { black };
        player.plays_at(game, text, ply).await.expect(200);
    }
}

impl Answer {
    /// The body, if the status is as expected.
    #[track_caller]
    pub(crate) fn expect(&self, status: u16) -> Value {
        assert_eq!(self.status, status, "{}", self.text);
        if self.status == StatusCode::NO_CONTENT.as_u16() {
            return Value::Null;
        }
        serde_json::from_str(&self.text).unwrap_or_else(|e| panic!("{e}: {}", self.text))
    }

    /// The body of an error, if status and code are as expected.
    #[track_caller]
    pub(crate) fn refused(&self, status: u16, code: &str) -> Value {
        let body = self.expect(status);
        assert_eq!(body["error"], code, "{body}");
        assert!(
            body["detail"].as_str().is_some_and(|d| !d.is_empty()),
            "{body}"
        );
        body
    }
}
