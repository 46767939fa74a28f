//! Web Push: what arrives is opened by the reference implementation.

use serde_json::{Value, json};

use super::{Post, choose, settings_become};
use crate::client::{Client, Server};

const PUSH: &str = "/v1/me/push";

/// A browser, as it describes itself.
async fn browser(post: &Post, name: &str) -> Value {
    let url = format!("{}/browsers/{name}", post.mail.url);
    let made = reqwest::Client::new().post(url).send().await;
    made.expect("it answers").json().await.expect("JSON")
}

async fn pushes(post: &Post, name: &str, many: usize) -> Vec<Value> {
    let found = post
        .ask(&format!("/pushes?browser={name}&many={many}"))
        .await;
    found.as_array().expect("a list").clone()
}

fn browsers(push: &Value) -> &Vec<Value> {
    push["subscriptions"].as_array().expect("a list")
}

#[tokio::test]
async fn a_browser_reads_what_it_is_told() {
    let Some(post) = Post::start().await else {
        return;
    };
    let (ann, bob) = (
        post.server.guest().await,
        post.server.registered("Bob").await,
    );
    let shown = ann
        .post(PUSH, browser(&post, "reads").await)
        .await
        .expect(201);
    assert_eq!(browsers(&shown)[0]["service"], "127.0.0.1");
    let terms = json!({
        "time_control": { "initial_seconds": 300, "increment_seconds": 0 }, "opponent_id": ann.id,
    });
    let game = bob.post("/v1/games", terms).await.expect(201);
    let pushed = pushes(&post, "reads", 1).await.remove(0);
    let message = &pushed["message"];
    assert_eq!(message["kind"], "challenge");
    assert_eq!(message["game_id"], game["id"]);
    assert_eq!(message["title"], "Bob challenges you");
    let signed = &pushed["signed"];
    assert_eq!(signed["scheme"], "vapid");
    assert_eq!(signed["key"], shown["public_key"]);
    assert_eq!(signed["aud"], post.mail.url.as_str());
    assert_eq!(signed["sub"], "mailto:chess@chess.example");
    assert_eq!(pushed["headers"]["content-encoding"], "aes128gcm");
    assert!(pushed["headers"]["ttl"].as_str().is_some());
}

#[tokio::test]
async fn a_browser_that_is_gone_is_forgotten_and_one_that_is_busy_is_not() {
    let Some(post) = Post::start().await else {
        return;
    };
    let (ann, bob) = (post.server.guest().await, post.server.guest().await);
    for name in ["gone-1", "busy-1"] {
        ann.post(PUSH, browser(&post, name).await).await.expect(201);
    }
    post.challenge(&bob, &ann).await;
    let is_one = |shown: &Value| browsers(&shown["push"]).len() == 1;
    settings_become(&ann, is_one).await;
    assert_eq!(pushes(&post, "gone-1", 1).await.len(), 1);
    let tried = pushes(&post, "busy-1", 2).await;
    assert_eq!(tried[0]["message"], tried[1]["message"]);
}

#[tokio::test]
async fn a_browser_belongs_to_whoever_came_last_and_is_ended_by_its_owner() {
    let Some(post) = Post::start().await else {
        return;
    };
    let (ann, bob) = (post.server.guest().await, post.server.guest().await);
    let shared = browser(&post, "shared").await;
    let shown = ann.post(PUSH, shared.clone()).await.expect(201);
    let id = browsers(&shown)[0]["id"].to_string();
    let path = format!("{PUSH}/{id}");
    bob.delete(&path).await.refused(404, "not_found");
    bob.post(PUSH, shared).await.expect(201);
    ann.delete(&path).await.refused(404, "not_found");
    let none = ann.get(PUSH).await.expect(200);
    assert!(browsers(&none).is_empty());
    bob.delete(&path).await.expect(204);
    bob.delete(&path).await.refused(404, "not_found");
}

#[tokio::test]
async fn what_cannot_be_a_browser_is_refused() {
    let server = Server::start().await;
    let ann = server.guest().await;
    let good =
        "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4";
    let auth = "BTBZMqHH6r4Tts7J_aSIgg";
    let of = |endpoint: &str, p256dh: &str, auth: &str| json!({ "endpoint": endpoint, "keys": { "p256dh": p256dh, "auth": auth } });
    let ask = async |body: Value| ann.post(PUSH, body).await;
    let target = "https://push.example/a";
    ask(of(target, good, auth)).await.expect(201);
    for (body, field) in [
        (of(target, "AAAA", auth), "keys.p256dh"),
        (of(target, &good[..80], auth), "keys.p256dh"),
        (of(target, good, "AAAA"), "keys.auth"),
        (of(target, good, "!"), "keys.auth"),
    ] {
        let refused = ask(body).await.refused(400, "bad_request");
        assert_eq!(refused["field"], field);
    }
    for endpoint in [
        "http://push.example/a",
        "https://127.0.0.1/a",
        "https://169.254.169.254/latest",
        "https://[::1]/a",
        "file:///etc/passwd",
        "push.example",
    ] {
        let refused = ask(of(endpoint, good, auth)).await;
        refused.refused(422, "bad_endpoint");
    }
}

#[tokio::test]
async fn who_chose_not_to_be_told_in_browsers_is_not() {
    let Some(post) = Post::start().await else {
        return;
    };
    let (ann, bob) = (post.server.guest().await, post.server.guest().await);
    ann.post(PUSH, browser(&post, "quiet").await)
        .await
        .expect(201);
    let off = json!({ "challenge": { "push": false }, "your_turn": { "push": false } });
    choose(&ann, off).await.expect(200);
    let id = post.game(&bob, &ann).await;
    bob.plays(&id, "e4").await.expect(200);
    end(&ann, &id).await;
    let told = pushes(&post, "quiet", 1).await;
    assert_eq!(told[0]["message"]["kind"], "game_over");
}

async fn end(client: &Client, id: &str) {
    client.asks(id, "resign").await.expect(200);
}
