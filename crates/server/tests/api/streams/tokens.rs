//! A stream lasts no longer than the token that opened it.

use std::time::Duration;

use chess::Timestamp;
use jsonwebtoken::{Algorithm, EncodingKey, Header, encode};
use reqwest::Method;
use serde_json::json;
use server::auth::{Scopes, secrets};
use server::settings::Settings;
use store::{NewToken, OutsideIdentity, TokenKind};
use tokio::time::timeout;

use super::listener::{Events, Listener};
use crate::client::{Client, Server};

const SECRET: &str = "a secret of at least thirty-two bytes";
const ISSUER: &str = "https://id.example";
/// Long enough to open three streams.
const LIFE_MS: u64 = 2_000;
/// Longer than anything takes that is going to happen.
const PATIENCE: Duration = Duration::from_secs(60);

fn with_identity_service(settings: &mut Settings) {
    settings.jwt_key = Some(SECRET.into());
    settings.jwt_issuer = Some(ISSUER.into());
    settings.jwt_audience = Some("arbiter".into());
}

/// Someone whom the identity service vouches for until then.
fn outsider(server: &Server, until: Timestamp) -> Client {
    let exp = until.0 as f64 / 1000.0;
    let claims = json!({ "iss": ISSUER, "sub": "u-1", "aud": "arbiter", "exp": exp });
    let key = EncodingKey::from_secret(SECRET.as_bytes());
    let token = encode(&Header::new(Algorithm::HS256), &claims, &key).expect("a token");
    server.holder(&token)
}

/// The same person with another session, which ends then.
async fn session(server: &Server, whose: &Client, until: Timestamp) -> Client {
    let app = server.running().app();
    let person = app.auth.person_by_name(&whose.id).await;
    let secret = secrets::token();
    let token = NewToken {
        hash: secrets::hash(&secret),
        account: person.expect("the store answers").expect("a guest").number,
        kind: TokenKind::Session,
        name: "session".into(),
        scopes: Scopes::SESSION.to_bits(),
        at: app.now(),
        expires_at: Some(until),
    };
    app.store.add_token(token).await.expect("stored");
    server.holder(&secret)
}

async fn open(client: &Client, game: &str) -> ([Listener; 2], Events) {
    let path = format!("/v1/stream?games={game}");
    let sockets = [client.watches(game).await, client.listens(&path).await];
    (sockets, client.events(game, "").await)
}

/// They are told things all the while, so that waiting needs an end of its own.
async fn all_end((mut sockets, events): ([Listener; 2], Events)) {
    let ends = async {
        for socket in &mut sockets {
            assert_eq!(socket.close_code().await, Some(1008));
        }
        events.end().await;
    };
    timeout(PATIENCE, ends).await.expect("the streams end");
}

#[tokio::test]
async fn streams_end_when_an_outside_token_expires() {
    let server = Server::start_with(with_identity_service).await;
    let (white, _, id) = server.blitz().await;
    let until = Timestamp(server.running().app().now().0 + LIFE_MS);
    let streams = open(&outsider(&server, until), &id).await;
    let mut opponent = white.watches(&id).await;
    all_end(streams).await;
    assert!(server.running().app().now() >= until, "and not before");
    opponent.hears("STATE").await;
    white.plays(&id, "e4").await.expect(200);
    assert_eq!(opponent.change().await["san"], "e4", "others go on");
}

#[tokio::test]
async fn streams_end_when_a_session_expires() {
    let server = Server::start().await;
    let (white, _, id) = server.blitz().await;
    let until = Timestamp(server.running().app().now().0 + LIFE_MS);
    let late = session(&server, &white, until).await;
    all_end(open(&late, &id).await).await;
    assert!(server.running().app().now() >= until, "and not before");
}

#[tokio::test]
async fn streams_end_when_somebody_is_barred() {
    let server = Server::start_with(with_identity_service).await;
    let (white, _, id) = server.blitz().await;
    let auth = &server.running().app().auth;
    let streams = open(&white, &id).await;
    let person = auth.person_by_name(&white.id).await.expect("an answer");
    auth.bar(person.expect("a guest").number)
        .await
        .expect("done");
    all_end(streams).await;
    white.get("/v1/me").await.refused(401, "unauthorized");

    let until = Timestamp(server.running().app().now().0 + 3_600_000);
    let ann = outsider(&server, until);
    let streams = open(&ann, &id).await;
    let who = OutsideIdentity {
        issuer: ISSUER.into(),
        subject: "u-1".into(),
    };
    auth.block(who.clone()).await.expect("done");
    all_end(streams).await;
    ann.get("/v1/me").await.refused(403, "barred");
    auth.unblock(who).await.expect("done");
    ann.get("/v1/me").await.expect(200);
}

#[tokio::test]
async fn streams_end_when_a_session_is_signed_out() {
    let server = Server::start().await;
    let (white, black, id) = server.blitz().await;
    for player in [&white, &black] {
        let streams = open(player, &id).await;
        let path = "/v1/sessions/current";
        let answer = player.send(Method::DELETE, path, None, &[]).await;
        answer.expect(204);
        all_end(streams).await;
    }
}
