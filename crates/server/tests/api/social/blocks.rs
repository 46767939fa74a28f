//! Whom somebody does not want to meet, nor to hear.

use reqwest::Method;
use serde_json::{Value, json};

use super::{blocks, challenges, delete, id, put, service};
use crate::chat::moderator;
use crate::client::{Client, Server, blitz};

async fn names(client: &Client) -> Value {
    client.get("/v1/me/blocks").await.expect(200)["names"].clone()
}

async fn set(client: &Client, names: &[&str]) -> crate::client::Answer {
    let body = json!({ "names": names }).to_string();
    client
        .send(Method::PUT, "/v1/me/blocks", Some(body), &[])
        .await
}

async fn says(client: &Client, game: &str, text: &str) -> Value {
    let path = format!("/v1/games/{game}/chat");
    client
        .post(&path, json!({ "text": text }))
        .await
        .expect(201)
}

async fn reads(client: &Client, game: &str) -> Vec<String> {
    let page = client.get(&format!("/v1/games/{game}/chat")).await;
    let page = page.expect(200);
    let lines = page["chat"].as_array().expect("lines").iter();
    lines
        .map(|line| line["text"].as_str().expect("words").to_owned())
        .collect()
}

#[tokio::test]
async fn a_block_list_is_kept_one_by_one_and_as_a_whole() {
    let server = Server::start().await;
    let (ann, bob, cleo) = (
        server.guest().await,
        server.guest().await,
        server.guest().await,
    );
    assert_eq!(names(&ann).await, json!([]));
    blocks(&ann, &bob).await;
    blocks(&ann, &bob).await;
    assert_eq!(names(&ann).await, json!([bob.id]));
    assert_eq!(names(&bob).await, json!([]));
    let mut both = vec![&*bob.id, &*cleo.id];
    both.sort_unstable();
    let shouted = [bob.id.to_uppercase(), cleo.id.clone()];
    let shouted: Vec<&str> = shouted.iter().map(|name| &**name).collect();
    let answer = set(&ann, &shouted).await.expect(200);
    assert_eq!(answer["names"], json!(both));
    delete(&ann, &format!("/v1/me/blocks/{}", bob.id))
        .await
        .expect(204);
    delete(&ann, &format!("/v1/me/blocks/{}", bob.id))
        .await
        .expect(204);
    assert_eq!(names(&ann).await, json!([cleo.id]));
    set(&ann, &[]).await.expect(200);
    assert_eq!(names(&ann).await, json!([]));
    put(&ann, "/v1/me/blocks/nobody-there")
        .await
        .refused(404, "not_found");
    put(&ann, &format!("/v1/me/blocks/{}", ann.id))
        .await
        .refused(409, "not_allowed");
    set(&ann, &[&ann.id]).await.refused(409, "not_allowed");
    let many = vec!["x"; 501];
    set(&ann, &many).await.refused(400, "bad_request");
}

#[tokio::test]
async fn who_blocks_and_who_is_blocked_do_not_meet() {
    let server = Server::start().await;
    let (ann, bob) = (server.guest().await, server.guest().await);
    let waiting = ann.post("/v1/games", blitz()).await.expect(201);
    let theirs = bob.post("/v1/games", blitz()).await.expect(201);
    let challenge = challenges(&bob, &ann).await.expect(201);
    blocks(&ann, &bob).await;
    challenges(&bob, &ann).await.refused(403, "not_accepting");
    challenges(&ann, &bob).await.refused(403, "not_accepting");
    bob.asks(id(&waiting), "join")
        .await
        .refused(403, "not_accepting");
    ann.asks(id(&theirs), "join")
        .await
        .refused(403, "not_accepting");
    ann.asks(id(&challenge), "join")
        .await
        .refused(403, "not_accepting");
    let code = json!({ "join_code": waiting["join_code"] });
    bob.post("/v1/games/join", code)
        .await
        .refused(403, "not_accepting");
    // The challenge that was there can still be declined.
    ann.asks(id(&challenge), "decline").await.expect(200);
    let cleo = server.guest().await;
    cleo.asks(id(&waiting), "join").await.expect(200);
    delete(&ann, &format!("/v1/me/blocks/{}", bob.id))
        .await
        .expect(204);
    ann.asks(id(&theirs), "join").await.expect(200);
}

#[tokio::test]
async fn no_service_and_no_rematch_brings_them_together() {
    let server = Server::start().await;
    let (ann, bob, game) = server.blitz().await;
    ann.asks(&game, "resign").await.expect(200);
    blocks(&ann, &bob).await;
    bob.asks(&game, "offer-rematch")
        .await
        .refused(403, "not_accepting");
    let pairing = service(&server).await;
    let mut terms = blitz();
    (terms["white"], terms["black"], terms["start"]) = (json!(ann.id), json!(bob.id), json!(true));
    let key = [("idempotency-key", "pair-1")];
    let body = Some(terms.to_string());
    pairing
        .send(Method::POST, "/v1/games", body, &key)
        .await
        .refused(403, "not_accepting");
}

#[tokio::test]
async fn what_the_blocked_say_does_not_reach_who_blocks_them() {
    let server = Server::start().await;
    let (ann, bob, game) = server.blitz().await;
    let (cleo, dan) = (server.guest().await, server.guest().await);
    let mut streams = Vec::new();
    for client in [&ann, &cleo, &dan] {
        let mut stream = client.watches(&game).await;
        stream.hears("STATE").await;
        streams.push(stream);
    }
    let first = says(&bob, &game, "one").await;
    for stream in &mut streams {
        assert_eq!(stream.hears("CHAT").await["text"], "one");
    }
    // A player blocks a player, and one who watches blocks them too.
    blocks(&ann, &bob).await;
    blocks(&cleo, &bob).await;
    let second = says(&bob, &game, "two").await;
    assert_eq!(streams[2].hears("CHAT").await["text"], "two");
    let third = says(&ann, &game, "three").await;
    for stream in &mut streams {
        let heard = stream.hears("CHAT").await;
        assert_eq!(
            (&heard["text"], &heard["id"]),
            (&json!("three"), &third["id"])
        );
    }
    let ids: Vec<&str> = [&first, &second, &third]
        .iter()
        .map(|line| line["id"].as_str().expect("an id"))
        .collect();
    assert!(ids.is_sorted());
    assert_eq!(reads(&ann, &game).await, ["three"]);
    assert_eq!(reads(&cleo, &game).await, ["three"]);
    assert_eq!(reads(&dan, &game).await, ["one", "two", "three"]);
    assert_eq!(reads(&bob, &game).await, ["one", "two", "three"]);
    assert_eq!(reads(&server.nobody(), &game).await.len(), 3);
    let state = cleo.watches(&game).await.hears("STATE").await;
    assert_eq!(state["chat"].as_array().map(Vec::len), Some(1), "{state}");
    // Who takes it back reads all of it.
    delete(&ann, &format!("/v1/me/blocks/{}", bob.id))
        .await
        .expect(204);
    assert_eq!(reads(&ann, &game).await, ["one", "two", "three"]);
    says(&bob, &game, "four").await;
    assert_eq!(streams[0].hears("CHAT").await["text"], "four");
}

#[tokio::test]
async fn a_moderators_notice_reaches_who_blocks_them() {
    let server = Server::start().await;
    let (ann, _, game) = server.blitz().await;
    let boss = moderator(&server).await;
    blocks(&ann, &boss).await;
    let mut stream = ann.watches(&game).await;
    stream.hears("STATE").await;
    let body = json!({ "text": "play fair", "notice": true });
    let path = format!("/v1/games/{game}/chat");
    boss.post(&path, body).await.expect(201);
    assert_eq!(stream.hears("CHAT").await["text"], "play fair");
    assert_eq!(reads(&ann, &game).await, ["play fair"]);
}

#[tokio::test]
async fn blocks_go_with_the_account_and_are_in_its_export() {
    let server = Server::start().await;
    let (ann, bob) = (server.guest().await, server.guest().await);
    blocks(&ann, &bob).await;
    super::follows(&ann, &bob).await;
    let export = ann.get("/v1/me/export").await.expect(200);
    assert_eq!(export["blocks"], json!([bob.id]));
    assert_eq!(export["follows"], json!([bob.id]));
    assert_eq!(export["challenges"]["accept"], "everybody");
    delete(&ann, "/v1/me").await.expect(204);
    let app = server.running().app();
    let found = app.store.account_by_id(&bob.id).await;
    let bob = found.expect("the store reads").expect("an account").number;
    assert_eq!(app.store.blockers_of(bob).await, Ok(vec![]));
}
