//! What players decide about each other, and what is decided about them.

mod blocks;
mod challenges;
mod follows;
mod nodes;
mod reports;
mod signals;

use reqwest::Method;
use serde_json::{Value, json};

use crate::client::{Answer, Client, Server, blitz};

/// Somebody with a password, who may play rated games.
async fn registered(server: &Server, name: &str) -> Client {
    let nobody = server.nobody();
    let body = json!({ "username": name, "password": "correct horse battery" });
    let made = nobody.post("/v1/accounts", body).await.expect(201);
    Client {
        id: made["account"]["id"].as_str().expect("an id").to_owned(),
        token: Some(made["token"].as_str().expect("a token").to_owned()),
        ..nobody
    }
}

/// A program that starts games for others.
async fn service(server: &Server) -> Client {
    let app = server.running().app();
    let guest = server.guest().await;
    let account = app.store.account_by_id(&guest.id).await;
    let account = account.expect("the store reads").expect("an account");
    let secret = server::auth::secrets::token();
    let new = store::NewToken {
        hash: server::auth::secrets::hash(&secret),
        account: account.number,
        kind: store::TokenKind::Personal,
        name: "pairing".into(),
        scopes: server::auth::Scopes::of(&[server::auth::Scope::Service]).to_bits(),
        at: app.now(),
        expires_at: None,
    };
    app.store.add_token(new).await.expect("a token");
    server.holder(&secret)
}

async fn put(client: &Client, path: &str) -> Answer {
    client.send(Method::PUT, path, None, &[]).await
}

async fn delete(client: &Client, path: &str) -> Answer {
    client.send(Method::DELETE, path, None, &[]).await
}

async fn patch_me(client: &Client, body: Value) -> Answer {
    client
        .send(Method::PATCH, "/v1/me", Some(body.to_string()), &[])
        .await
}

async fn blocks(client: &Client, whom: &Client) {
    let path = format!("/v1/me/blocks/{}", whom.id);
    put(client, &path).await.expect(204);
}

async fn follows(client: &Client, whom: &Client) {
    let path = format!("/v1/me/follows/{}", whom.id);
    put(client, &path).await.expect(204);
}

async fn challenges(client: &Client, whom: &Client) -> Answer {
    let mut terms = blitz();
    terms["opponent_id"] = json!(whom.id);
    client.post("/v1/games", terms).await
}

fn id(game: &Value) -> &str {
    game["id"].as_str().expect("an id")
}
