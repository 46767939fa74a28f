//! Events for services: pulled, and sent to webhooks.

mod examples;
mod hooks;
mod jetstream;
mod pulled;
mod receiver;
mod targets;

use serde_json::Value;

use server::auth::{Scope, Scopes, secrets};

use crate::client::{Client, Server};

/// A server that may send to this machine.
async fn sending() -> Server {
    Server::start_with(|settings| {
        settings.outside_http = true;
        settings.outside_networks = vec!["127.0.0.0/8".parse().expect("a network")];
        settings.webhook_seconds = 4;
    })
    .await
}

/// Somebody registered, with a token of that scope alone.
pub(crate) async fn with_scope(server: &Server, name: &str, scope: Scope) -> Client {
    let app = server.running().app();
    let person = server.registered(name).await;
    let account = app.store.account_by_id(name).await;
    let account = account.expect("the store reads").expect("an account");
    let change = store::ProfileChange {
        is_admin: Some(scope == Scope::Admin),
        ..store::ProfileChange::default()
    };
    let changed = app.store.change_profile(account.number, change).await;
    changed.expect("a change");
    Client {
        id: person.id,
        ..with_token(server, name, scope).await
    }
}

/// A token of that scope alone of somebody who is registered.
async fn with_token(server: &Server, name: &str, scope: Scope) -> Client {
    let app = server.running().app();
    let account = app.store.account_by_id(name).await;
    let account = account.expect("the store reads").expect("an account");
    let secret = secrets::token();
    let new = store::NewToken {
        hash: secrets::hash(&secret),
        account: account.number,
        kind: store::TokenKind::Personal,
        name: "events".into(),
        scopes: Scopes::of(&[scope]).to_bits(),
        at: app.now(),
        expires_at: None,
    };
    app.store.add_token(new).await.expect("a token");
    server.holder(&secret)
}

/// Two registered players and a game that they have begun; the first has White.
async fn game_of(white: &Client, black: &Client, terms: Value) -> String {
    let game = white.post("/v1/games", terms).await.expect(201);
    let id = game["id"].as_str().expect("an id").to_owned();
    black.asks(&id, "join").await.expect(200);
    id
}
