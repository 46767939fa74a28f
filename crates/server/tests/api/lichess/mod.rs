//! The Lichess door, as its clients use it: what the public specification leaves open and
//! they depend on. Names of tests begin with the section of the notes on these clients.

mod account;
mod actions;
mod challenges;
mod events;
mod exports;
mod games;
mod limits;
mod listed;
mod looking;
mod seeks;
mod transport;
mod tv;
mod users;
mod watching;

use std::time::Duration;

use reqwest::{Method, Response};
use serde_json::{Value, json};
use tokio::time::timeout;

use crate::client::{Client, Server};

/// Nothing here takes longer, empty lines included.
const PATIENCE: Duration = Duration::from_secs(60);
/// The longest that a stream may be silent.
const SILENCE: Duration = Duration::from_secs(7);

/// A client of this door.
#[derive(Clone)]
pub(crate) struct Player {
    pub(crate) client: Client,
    pub(crate) name: String,
    /// `/api/bot` or `/api/board`.
    pub(crate) api: &'static str,
}

impl Player {
    /// Somebody who plays as a person.
    pub(crate) async fn person(server: &Server, name: &str) -> Player {
        Player {
            client: server.registered(name).await,
            name: name.to_owned(),
            api: "/api/board",
        }
    }

    /// A bot.
    pub(crate) async fn bot(server: &Server, name: &str) -> Player {
        let bot = Player {
            api: "/api/bot",
            ..Player::person(server, name).await
        };
        let done = bot.post("/api/bot/account/upgrade").await;
        assert_eq!(done, (200, json!({ "ok": true })));
        bot
    }

    /// The same with a token of these scopes.
    pub(crate) async fn with(&self, scopes: &[&str]) -> Player {
        let wish = json!({ "name": "test", "scopes": scopes });
        let token = self.client.post("/v1/tokens", wish).await.expect(201);
        let token = token["token"].as_str().expect("a token").to_owned();
        Player {
            client: Client {
                token: Some(token),
                ..self.client.clone()
            },
            ..self.clone()
        }
    }

    pub(crate) fn token(&self) -> &str {
        self.client.token.as_deref().unwrap_or_default()
    }

    pub(crate) async fn send(
        &self,
        method: Method,
        path: &str,
        body: Option<(&str, String)>,
        headers: &[(&str, &str)],
    ) -> Response {
        let url = format!("{}{path}", self.client.url);
        let mut request = self.client.http.request(method, url);
        if let Some(token) = &self.client.token {
            request = request.bearer_auth(token);
        }
        if let Some((kind, body)) = body {
            request = request.body(body);
            if !kind.is_empty() {
                request = request.header("content-type", kind);
            }
        }
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        request.send().await.expect("the server answers")
    }

    pub(crate) async fn get(&self, path: &str) -> (u16, Value) {
        answer(self.send(Method::GET, path, None, &[]).await).await
    }

    /// Without a body, as most is done here.
    pub(crate) async fn post(&self, path: &str) -> (u16, Value) {
        answer(self.send(Method::POST, path, None, &[]).await).await
    }

    pub(crate) async fn post_json(&self, path: &str, body: Value) -> (u16, Value) {
        let body = Some(("application/json", body.to_string()));
        answer(self.send(Method::POST, path, body, &[]).await).await
    }

    pub(crate) async fn post_form(&self, path: &str, body: &str) -> (u16, Value) {
        let body = Some(("application/x-www-form-urlencoded", body.to_owned()));
        answer(self.send(Method::POST, path, body, &[]).await).await
    }

    pub(crate) async fn post_text(&self, path: &str, body: &str) -> (u16, Value) {
        let body = Some(("", body.to_owned()));
        answer(self.send(Method::POST, path, body, &[]).await).await
    }

    /// What comes line by line.
    pub(crate) async fn stream(&self, path: &str) -> Lines {
        self.stream_as(path, "test").await
    }

    /// The same for a client of that name.
    pub(crate) async fn stream_as(&self, path: &str, agent: &str) -> Lines {
        let headers = [("user-agent", agent)];
        let response = self.send(Method::GET, path, None, &headers);
        let response = timeout(PATIENCE, response).await.expect("headers at once");
        assert_eq!(response.status().as_u16(), 200, "{path}");
        Lines::of(response)
    }

    pub(crate) async fn events(&self) -> Lines {
        self.stream("/api/stream/event").await
    }

    /// The stream of a game.
    pub(crate) async fn board(&self, game: &str) -> Lines {
        self.stream(&format!("{}/game/stream/{game}", self.api))
            .await
    }

    /// Does something in a game.
    pub(crate) async fn does(&self, game: &str, what: &str) -> (u16, Value) {
        self.post(&format!("{}/game/{game}/{what}", self.api)).await
    }

    /// Does something that must work.
    #[track_caller]
    pub(crate) fn done(&self, game: &str, what: &str) -> impl Future<Output = ()> {
        let (player, game, what) = (self.clone(), game.to_owned(), what.to_owned());
        async move {
            let done = player.does(&game, &what).await;
            assert_eq!(done, (200, json!({ "ok": true })), "{what}");
        }
    }

    /// Challenges somebody to a game of three minutes; its id.
    pub(crate) async fn challenges(&self, whom: &Player, terms: Value) -> String {
        let mut body = json!({
            "rated": false, "clock.limit": 180, "clock.increment": 2, "color": "white",
            "days": null, "variant": "standard", "fen": null,
        });
        for (name, value) in terms.as_object().expect("fields") {
            body[name] = value.clone();
        }
        let path = format!("/api/challenge/{}", whom.name);
        let (status, made) = self.post_json(&path, body).await;
        assert_eq!(status, 200, "{made}");
        made["id"].as_str().expect("an id at the top").to_owned()
    }

    /// A game that has begun; the challenger has White.
    pub(crate) async fn plays(&self, whom: &Player, terms: Value) -> String {
        let id = self.challenges(whom, terms).await;
        let path = format!("/api/challenge/{id}/accept");
        assert_eq!(whom.post(&path).await, (200, json!({ "ok": true })));
        id
    }
}

/// Plays moves in turn, White first.
pub(crate) async fn play(white: &Player, black: &Player, game: &str, moves: &str) {
    for (ply, uci) in moves.split_whitespace().enumerate() {
        let player = if ply % 2 == 0 { white } else { black };
        player.done(game, &format!("move/{uci}")).await;
    }
}

/// Every answer is JSON.
async fn answer(response: Response) -> (u16, Value) {
    let status = response.status().as_u16();
    let kind = response.headers().get("content-type");
    let kind = kind.and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    let is_json = kind.starts_with("application/json");
    let kind = kind.to_owned();
    let text = response.text().await.expect("a whole answer");
    assert!(is_json, "{status} {kind}: {text}");
    let body = serde_json::from_str(&text).unwrap_or_else(|why| panic!("{why}: {text}"));
    (status, body)
}

/// A stream, line by line.
pub(crate) struct Lines {
    response: Response,
    pub(crate) headers: reqwest::header::HeaderMap,
}

impl Lines {
    fn of(response: Response) -> Lines {
        Lines {
            headers: response.headers().clone(),
            response,
        }
    }

    /// The next chunk, which is one whole line; nothing at the end.
    pub(crate) async fn raw(&mut self) -> Option<String> {
        let chunk = timeout(PATIENCE, self.response.chunk()).await;
        let chunk = chunk.expect("a line, or an empty one, within a while");
        let text = chunk.ok().flatten()?;
        let text = String::from_utf8(text.to_vec()).expect("UTF-8");
        let line = text.strip_suffix('\n').expect("the end of a line");
        assert!(!line.contains(['\n', '\r']), "one line a chunk: {text:?}");
        Some(line.to_owned())
    }

    /// An empty line comes by itself, in less than seven seconds.
    pub(crate) async fn is_kept_alive(&mut self) {
        let begun = servers::now();
        assert_eq!(self.raw().await.as_deref(), Some(""));
        let silence = servers::now() - begun;
        assert!(silence < SILENCE, "{silence:?}");
    }

    /// The next line that says something, but for whether the opponent is there: on a
    /// busy machine whoever has no stream may be taken for gone.
    pub(crate) async fn next(&mut self) -> Value {
        loop {
            let value = self.any().await;
            if value["type"] != "opponentGone" {
                return value;
            }
        }
    }

    async fn any(&mut self) -> Value {
        loop {
            let line = self.raw().await.expect("the stream goes on");
            if !line.is_empty() {
                return serde_json::from_str(&line).expect("JSON");
            }
        }
    }

    /// The next line of that type, whatever comes before.
    pub(crate) async fn until(&mut self, kind: &str) -> Value {
        loop {
            let value = self.any().await;
            if value["type"] == kind {
                return value;
            }
        }
    }

    /// Nothing more is said, and the server ends it.
    pub(crate) async fn ends(&mut self) {
        while let Some(line) = self.raw().await {
            let is_told = !line.is_empty() && !line.contains("opponentGone");
            assert!(!is_told, "nothing more is said: {line}");
        }
    }
}
