//! Asking as those do who only look.

use reqwest::{Method, Response};
use serde_json::Value;

use super::Lines;
use crate::client::{Client, Server};

impl Client {
    /// Asks something of this door, as its clients do.
    pub(crate) async fn ask(
        &self,
        method: Method,
        path: &str,
        accept: &str,
        body: Option<(&str, &str)>,
    ) -> Response {
        let mut request = self.http.request(method, format!("{}{path}", self.url));
        if let Some(token) = &self.token {
            request = request.bearer_auth(token);
        }
        request = request.header("accept", accept);
        if let Some((kind, text)) = body {
            // Bare text comes without a type.
            if !kind.is_empty() {
                request = request.header("content-type", kind);
            }
            request = request.body(text.to_owned());
        }
        request.send().await.expect("the server answers")
    }

    pub(crate) async fn read(&self, path: &str, accept: &str) -> Response {
        self.ask(Method::GET, path, accept, None).await
    }

    /// A text that must be there.
    pub(crate) async fn text(&self, path: &str, accept: &str) -> String {
        let response = self.read(path, accept).await;
        assert_eq!(response.status(), 200, "{path}");
        response.text().await.expect("a whole answer")
    }

    /// A JSON that must be there.
    pub(crate) async fn json(&self, path: &str) -> Value {
        let text = self.text(path, "application/json").await;
        serde_json::from_str(&text).expect("JSON")
    }

    pub(crate) async fn watch(&self, path: &str) -> Lines {
        watched(self.read(path, "application/json").await)
    }

    /// Sends bare text without a type.
    pub(crate) async fn send_text(&self, path: &str, accept: &str, text: &str) -> Response {
        self.ask(Method::POST, path, accept, Some(("", text))).await
    }
}

/// A stream, line by line.
pub(crate) fn watched(response: Response) -> Lines {
    assert_eq!(response.status(), 200, "{response:?}");
    Lines::of(response)
}

/// What went wrong, as this door says it.
pub(crate) async fn error(response: Response, status: u16) -> Value {
    assert_eq!(response.status(), status);
    let body: Value = response.json().await.expect("an error is JSON");
    body["error"].clone()
}

/// Two with accounts, and a game that they have begun; the first has White.
pub(crate) async fn duel(server: &Server, request: Value) -> (Client, Client, String) {
    let (white, black) = (
        server.registered("Anna").await,
        server.registered("Boris").await,
    );
    let id = begin(&white, &black, request).await;
    (white, black, id)
}

/// A game between two, begun.
pub(crate) async fn begin(white: &Client, black: &Client, request: Value) -> String {
    let game = white.post("/v1/games", request).await.expect(201);
    let id = game["id"].as_str().expect("an id").to_owned();
    black.asks(&id, "join").await.expect(200);
    id
}
