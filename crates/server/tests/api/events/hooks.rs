//! Webhooks: made, sent to, looked at.

use reqwest::Method;
use serde_json::{Value, json};

use super::receiver::Receiver;
use server::auth::Scope;

use super::{game_of, sending, with_scope, with_token};
use crate::client::{Client, Server, blitz, play};

const HOOKS: &str = "/v1/webhooks";

async fn hook(client: &Client, to: &Receiver, events: &[&str]) -> Value {
    let body = json!({ "url": to.url(), "events": events });
    client.post(HOOKS, body).await.expect(201)
}

async fn deliveries(client: &Client, hook: &Value) -> Vec<Value> {
    let path = format!("{HOOKS}/{}/deliveries", hook["id"]);
    let page = client.get(&path).await.expect(200);
    page["deliveries"].as_array().expect("a list").clone()
}

/// A webhook's deliveries, once they are all in that state.
async fn all_in(client: &Client, hook: &Value, state: &str, many: usize) -> Vec<Value> {
    let until = tokio::time::Instant::now() + std::time::Duration::from_secs(60);
    loop {
        let found = deliveries(client, hook).await;
        let is_there = found.len() >= many && found.iter().all(|it| it["state"] == json!(state));
        if is_there {
            return found;
        }
        assert!(tokio::time::Instant::now() < until, "{found:?}");
        tokio::task::yield_now().await;
    }
}

#[tokio::test]
async fn events_are_sent_signed_and_in_order() {
    let server = sending().await;
    let (ann, bob) = (
        server.registered("ann").await,
        server.registered("bob").await,
    );
    let target = Receiver::start().await;
    let types = ["GameCreated", "GameStarted", "MovePlayed", "GameEnded"];
    let made = hook(&ann, &target, &types).await;
    let secret = made["secret"].as_str().expect("a secret");
    let id = game_of(&ann, &bob, blitz()).await;
    play(&ann, &bob, &id, "f3 e5 g4 Qh4").await;
    let sent = target.first(7).await;
    let kinds: Vec<Value> = sent.iter().map(|it| it.event()["type"].clone()).collect();
    let moves = ["MovePlayed"; 4];
    let expected = [&types[..2], &moves, &types[3..]].concat();
    assert_eq!(kinds, expected);
    for it in &sent {
        let event = it.event();
        assert_eq!(
            it.header("arbiter-event"),
            event["id"].as_str().expect("an id")
        );
        assert_eq!(it.header("content-type"), "application/json");
        assert!(it.is_signed_with(secret));
        assert!(!it.is_signed_with("somebody else's secret"));
    }
    let found = all_in(&ann, &made, "delivered", 7).await;
    assert_eq!(found[0]["type"], "GameEnded");
    assert_eq!(
        (&found[0]["status"], &found[0]["tries"]),
        (&json!(204), &json!(1))
    );
    // The same as is pulled.
    let page = ann.get("/v1/events?types=GameEnded").await.expect(200);
    assert_eq!(page["events"][0], sent[6].event());
    let listed = ann.get(HOOKS).await.expect(200);
    assert_eq!(listed["webhooks"][0]["secret"], Value::Null);
    assert_eq!(listed["webhooks"][0]["events"], json!(types));
    let export = ann.get("/v1/me/export").await.expect(200);
    assert_eq!(export["webhooks"], listed["webhooks"]);
}

#[tokio::test]
async fn who_wants_to_be_told_of_moves_costs_the_games_of_others_nothing() {
    let server = sending().await;
    let (ann, bob) = (
        server.registered("ann").await,
        server.registered("bob").await,
    );
    let carl = server.registered("carl").await;
    let target = Receiver::start().await;
    hook(&ann, &target, &["MovePlayed"]).await;
    let theirs = game_of(&bob, &carl, blitz()).await;
    play(&bob, &carl, &theirs, "f3 e5 g4 Qh4").await;
    let hers = game_of(&ann, &bob, blitz()).await;
    play(&ann, &bob, &hers, "e4").await;
    assert_eq!(target.first(1).await[0].event()["game_id"], json!(hers));
    // Of all that was written since, which bob may read, only that one is a move.
    let page = bob.get("/v1/events?types=MovePlayed").await.expect(200);
    let moves = page["events"].as_array().expect("a list");
    assert!(
        moves.iter().all(|event| event["game_id"] == json!(hers)),
        "{moves:?}"
    );
}

#[tokio::test]
async fn each_is_told_of_their_own_games_and_an_administrator_of_all() {
    let server = sending().await;
    let (ann, bob) = (
        server.registered("ann").await,
        server.registered("bob").await,
    );
    let stranger = server.registered("stranger").await;
    let boss = with_scope(&server, "boss", Scope::Admin).await;
    let [hers, nobodys, all] = [(); 3].map(|()| Receiver::start());
    let (hers, nobodys, all) = (hers.await, nobodys.await, all.await);
    hook(&ann, &hers, &["GameEnded"]).await;
    let empty = hook(&stranger, &nobodys, &["GameEnded"]).await;
    let body =
        json!({ "url": all.url(), "events": ["GameEnded", "PlayerReported"], "all_games": true });
    stranger
        .post(HOOKS, body.clone())
        .await
        .refused(403, "missing_scope");
    boss.post(HOOKS, body).await.expect(201);
    let report = json!({ "player": "bob", "reason": "abuse" });
    ann.post("/v1/reports", report).await.expect(201);
    let id = game_of(&ann, &bob, blitz()).await;
    ann.asks(&id, "abort").await.expect(200);
    let told = all.first(2).await;
    let mut kinds = told
        .iter()
        .map(|it| it.event()["type"].to_string())
        .collect::<Vec<_>>();
    kinds.sort_unstable();
    assert_eq!(kinds, ["\"GameEnded\"", "\"PlayerReported\""]);
    assert_eq!(hers.first(1).await[0].event()["game_id"], json!(id));
    assert_eq!(deliveries(&stranger, &empty).await, Vec::<Value>::new());
    assert_eq!((hers.many(), nobodys.many()), (1, 0));
}

#[tokio::test]
async fn what_fails_is_tried_again_and_the_next_waits_for_it() {
    let server = sending().await;
    let (ann, bob) = (
        server.registered("ann").await,
        server.registered("bob").await,
    );
    // The first three tries fail.
    let target = Receiver::answering(|before| if before < 3 { 500 } else { 200 }).await;
    let made = hook(&ann, &target, &["GameCreated", "GameStarted"]).await;
    game_of(&ann, &bob, blitz()).await;
    let sent = target.first(5).await;
    let kinds: Vec<Value> = sent.iter().map(|it| it.event()["type"].clone()).collect();
    let first = "GameCreated";
    assert_eq!(kinds, [first, first, first, first, "GameStarted"]);
    let ids: Vec<&str> = sent.iter().map(|it| it.header("arbiter-event")).collect();
    assert!(ids[..4].iter().all(|id| *id == ids[0]), "one event, one id");
    let found = all_in(&ann, &made, "delivered", 2).await;
    assert_eq!(
        (&found[1]["tries"], &found[0]["tries"]),
        (&json!(4), &json!(1))
    );
}

#[tokio::test]
async fn what_is_given_up_can_be_sent_again_and_the_line_goes_on() {
    let server = Server::start_with(|settings| {
        settings.outside_http = true;
        settings.outside_networks = vec!["127.0.0.0/8".parse().expect("a network")];
        settings.webhook_seconds = 1;
    })
    .await;
    let (ann, bob) = (
        server.registered("ann").await,
        server.registered("bob").await,
    );
    // Eight tries of the first fail; then all is well.
    let target = Receiver::answering(|before| if before < 8 { 503 } else { 204 }).await;
    let made = hook(&ann, &target, &["GameCreated", "GameStarted"]).await;
    game_of(&ann, &bob, blitz()).await;
    let sent = target.first(9).await;
    assert_eq!(sent[8].event()["type"], "GameStarted");
    let found = loop {
        let found = deliveries(&ann, &made).await;
        if found[0]["state"] == json!("delivered") {
            break found;
        }
        tokio::task::yield_now().await;
    };
    let dead = &found[1];
    assert_eq!(
        (&dead["state"], &dead["tries"], &dead["status"]),
        (&json!("dead"), &json!(8), &json!(503))
    );
    let path = format!("{HOOKS}/{}/deliveries/{}/redeliver", made["id"], dead["id"]);
    let again = ann.post(&path, json!({})).await.expect(202);
    assert_eq!(again["event_id"], dead["event_id"]);
    let sent = target.first(10).await;
    assert_eq!(
        sent[9].header("arbiter-event"),
        sent[0].header("arbiter-event")
    );
    bob.post(&path, json!({})).await.refused(404, "not_found");
    let wrong = format!("{HOOKS}/{}/deliveries/999/redeliver", made["id"]);
    ann.post(&wrong, json!({})).await.refused(404, "not_found");
    let page = format!("{HOOKS}/{}/deliveries?limit=2", made["id"]);
    let page = ann.get(&page).await.expect(200);
    let cursor = page["next_cursor"].as_str().expect("there is more");
    let rest = format!("{HOOKS}/{}/deliveries?cursor={cursor}", made["id"]);
    let rest = ann.get(&rest).await.expect(200);
    assert_eq!(rest["deliveries"].as_array().map(Vec::len), Some(1));
}

#[tokio::test]
async fn a_secret_is_changed_while_both_count() {
    let server = sending().await;
    let (ann, bob) = (
        server.registered("ann").await,
        server.registered("bob").await,
    );
    let target = Receiver::start().await;
    let body = json!({
        "url": target.url(), "events": ["GameCreated"], "secret": "chosen by its owner".replace(' ', "-"),
    });
    let made = ann.post(HOOKS, body).await.expect(201);
    let old = made["secret"].as_str().expect("a secret");
    assert_eq!(old, "chosen-by-its-owner");
    let path = format!("{HOOKS}/{}/rotate", made["id"]);
    bob.post(&path, json!({})).await.refused(404, "not_found");
    let changed = ann.post(&path, json!({})).await.expect(200);
    let new = changed["secret"].as_str().expect("a secret");
    assert!(new.starts_with("whsec_") && changed["old_secret_until"].is_string());
    game_of(&ann, &bob, blitz()).await;
    let sent = target.first(1).await;
    assert!(sent[0].is_signed_with(old) && sent[0].is_signed_with(new));
}

#[tokio::test]
async fn one_for_all_games_is_changed_with_the_right_to_make_it() {
    let server = sending().await;
    let boss = with_scope(&server, "boss", Scope::Admin).await;
    let playing = with_token(&server, "boss", Scope::Play).await;
    let target = Receiver::start().await;
    let body = json!({ "url": target.url(), "events": ["GameCreated"], "all_games": true });
    let made = boss.post(HOOKS, body).await.expect(201);
    let path = format!("{HOOKS}/{}", made["id"]);
    for asked in ["rotate", "deliveries/1/redeliver"] {
        let refused = playing.post(&format!("{path}/{asked}"), json!({})).await;
        refused.refused(403, "missing_scope");
    }
    playing.delete(&path).await.refused(403, "missing_scope");
    let rotate = format!("{path}/rotate");
    boss.post(&rotate, json!({})).await.expect(200);
    boss.delete(&path).await.expect(204);
}

#[tokio::test]
async fn what_makes_no_webhook() {
    let server = sending().await;
    let ann = server.registered("ann").await;
    let to = Receiver::start().await;
    let wrong = [
        (json!({ "url": to.url(), "events": [] }), 400, "bad_request"),
        (
            json!({ "url": to.url(), "events": ["GameOver"] }),
            400,
            "bad_request",
        ),
        (
            json!({ "url": to.url(), "events": ["PlayerReported"] }),
            400,
            "bad_request",
        ),
        (
            json!({ "url": to.url(), "events": ["GameEnded"], "secret": "short" }),
            400,
            "bad_request",
        ),
        (json!({ "events": ["GameEnded"] }), 400, "bad_request"),
        (
            json!({ "url": "ftp://example.org", "events": ["GameEnded"] }),
            422,
            "bad_url",
        ),
        (
            json!({ "url": "http://10.0.0.1/x", "events": ["GameEnded"] }),
            422,
            "bad_url",
        ),
        (
            json!({ "url": "nonsense", "events": ["GameEnded"] }),
            422,
            "bad_url",
        ),
    ];
    for (body, status, code) in wrong {
        ann.post(HOOKS, body).await.refused(status, code);
    }
    let guest = server.guest().await;
    let fine = json!({ "url": to.url(), "events": ["GameEnded"] });
    guest
        .post(HOOKS, fine.clone())
        .await
        .refused(403, "not_for_guests");
    let mut last = Value::Null;
    for _ in 0..10 {
        last = ann.post(HOOKS, fine.clone()).await.expect(201);
    }
    ann.post(HOOKS, fine.clone())
        .await
        .refused(409, "too_many_webhooks");
    let path = format!("{HOOKS}/{}", last["id"]);
    let bob = server.registered("bob").await;
    bob.delete(&path).await.refused(404, "not_found");
    ann.send(Method::DELETE, &path, None, &[]).await.expect(204);
    ann.delete(&path).await.refused(404, "not_found");
    ann.post(HOOKS, fine.clone()).await.expect(201);
    // The usual server asks nobody on its own machine, and nobody without encryption.
    let server = Server::start().await;
    let ann = server.registered("ann").await;
    for url in [
        "http://example.org/hook",
        "https://127.0.0.1/hook",
        "https://[::1]/hook",
    ] {
        let body = json!({ "url": url, "events": ["GameEnded"] });
        let refused = ann.post(HOOKS, body).await.refused(422, "bad_url");
        assert_eq!(refused["field"], "url");
    }
}

#[tokio::test]
async fn a_restart_loses_nothing_that_waits() {
    let mut server = sending().await;
    let (ann, bob) = (
        server.registered("ann").await,
        server.registered("bob").await,
    );
    // Nobody listens there until the server is back.
    let listener = servers::listen();
    let address = listener.local_addr().expect("an address");
    drop(listener);
    let body = json!({ "url": format!("http://{address}/hook"), "events": ["GameCreated", "GameStarted"] });
    let made = ann.post(HOOKS, body).await.expect(201);
    game_of(&ann, &bob, blitz()).await;
    let until = tokio::time::Instant::now() + std::time::Duration::from_secs(60);
    while deliveries(&ann, &made).await.len() < 2 {
        assert!(tokio::time::Instant::now() < until);
        tokio::task::yield_now().await;
    }
    server.stop().await;
    let target = Receiver::at(address).await;
    server.restart().await;
    let sent = target.first(2).await;
    let kinds: Vec<Value> = sent.iter().map(|it| it.event()["type"].clone()).collect();
    assert_eq!(kinds, ["GameCreated", "GameStarted"]);
}
