//! A database in which something of everything is, made by a real server.

use std::path::Path;

use reqwest::Method;
use serde_json::{Value, json};

use crate::client::{Client, Server, blitz, play};

/// Games that only wait: enough for the rows to need several pages.
const WAITING: usize = 25;

/// Writes the database to `file`.
pub(crate) async fn set(file: &Path) {
    let server = Server::start().await;
    let (ann, bob) = (
        registered(&server, "Ann").await,
        registered(&server, "Bob").await,
    );
    finished(&ann, &bob).await;
    running(&server).await;
    private(&ann, &bob).await;
    matched(&server).await;
    deleted(&server).await;
    for _ in 0..WAITING {
        let host = server.guest().await;
        host.post("/v1/games", blitz()).await.expect(201);
    }
    // A copy of a server that runs: its last moves are in the journal alone.
    let store = server.running().app().store.clone();
    store.backup(file, |_, _| {}).expect("a copy is made");
}

async fn registered(server: &Server, name: &str) -> Client {
    let nobody = server.nobody();
    let body =
        json!({ "username": name, "password": "rook takes queen", "email": "a@example.org" });
    let answer = nobody.post("/v1/accounts", body).await.expect(201);
    Client {
        id: name.to_lowercase(),
        token: answer["token"].as_str().map(str::to_owned),
        ..nobody
    }
}

async fn made(host: &Client, request: Value) -> String {
    let body = Some(request.to_string());
    let headers = [("idempotency-key", "made")];
    let game = host
        .send(Method::POST, "/v1/games", body, &headers)
        .await
        .expect(201);
    game["id"].as_str().expect("an id").to_owned()
}

async fn finished(white: &Client, black: &Client) {
    let mut request = blitz();
    request["color"] = json!("white");
    let id = made(white, request).await;
    black.asks(&id, "join").await.expect(200);
    play(white, black, &id, "e4 e5 Qh5 Nc6 Bc4 Nf6 Qxf7").await;
}

/// Moves and a gift that no row has yet, talk, and somebody who may not.
async fn running(server: &Server) {
    let (white, black, id) = server.blitz().await;
    play(&white, &black, &id, "d4 d5 c4 e6").await;
    let body = Some(json!({ "seconds": 15 }).to_string());
    let headers = [("idempotency-key", "gift")];
    let path = format!("/v1/games/{id}/add-time");
    white
        .send(Method::POST, &path, body, &headers)
        .await
        .expect(200);
    let loud = server.guest().await;
    for (speaker, text) in [(&white, "hello"), (&loud, "d5 loses")] {
        let audience = if speaker.id == loud.id {
            "observers"
        } else {
            "room"
        };
        let line = json!({ "text": text, "audience": audience });
        speaker
            .post(&format!("/v1/games/{id}/chat"), line)
            .await
            .expect(201);
    }
    let name = json!({ "name": loud.id });
    white
        .post(&format!("/v1/games/{id}/mute"), name)
        .await
        .expect(200);
}

async fn private(host: &Client, guest: &Client) {
    let mut request = json!({ "time_control": { "days_per_move": 3 } });
    request["visibility"] = json!("private");
    request["invited"] = json!([guest.id]);
    host.post("/v1/games", request).await.expect(201);
}

/// A match of skill chess, and a room where somebody waits.
async fn matched(server: &Server) {
    let guest =
        |name: &str| json!({ "guestID": uuid::Uuid::new_v4().to_string(), "displayName": name });
    let nobody = server.nobody();
    let room = nobody.post("/v1/matches", guest("Cleo")).await.expect(200);
    let mut dan = guest("Dan");
    dan["roomCode"] = room["snapshot"]["roomCode"].clone();
    nobody.post("/v1/matches/join", dan).await.expect(200);
    nobody.post("/v1/matches", guest("Eve")).await.expect(200);
}

async fn deleted(server: &Server) {
    let gone = registered(server, "Gone").await;
    gone.send(Method::DELETE, "/v1/me", None, &[])
        .await
        .expect(204);
}
