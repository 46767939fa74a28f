//! A new password by mail.

use serde_json::json;

use super::{PASSWORD, Post, code, header, link, moves_to, patch_me, path};
use crate::client::{Client, Server};

const RESETS: &str = "/v1/password-resets";
const COMPLETE: &str = "/v1/password-resets/complete";

async fn signs_in(client: &Client, name: &str, password: &str) -> u16 {
    let body = json!({ "username": name, "password": password });
    client.post("/v1/sessions", body).await.status
}

#[tokio::test]
async fn the_answer_is_the_same_whoever_is_asked_for() {
    let Some(post) = Post::start().await else {
        return;
    };
    post.confirmed("ann", "ann@same.example").await;
    post.player("bob", "bob@same.example").await;
    let nobody = post.server.nobody();
    let mut answers = Vec::new();
    for whom in [
        json!({ "username": "ann" }),
        json!({ "username": "bob" }),
        json!({ "username": "nobody-at-all" }),
        json!({ "email": "ann@same.example" }),
        json!({ "email": "nobody@same.example" }),
    ] {
        let answer = nobody.post(RESETS, whom).await;
        answer.expect(202);
        answers.push(answer.text);
    }
    answers.dedup();
    assert_eq!(answers.len(), 1);
    nobody
        .post(RESETS, json!({}))
        .await
        .refused(400, "bad_request");
    let both = json!({ "username": "ann", "email": "ann@same.example" });
    nobody.post(RESETS, both).await.refused(400, "bad_request");
    nobody
        .post(RESETS, json!({ "email": "x" }))
        .await
        .refused(400, "bad_request");
    // Two letters to whoever has confirmed, besides the question; none to who has not.
    let letters = post.letters("ann@same.example", 3).await;
    assert_eq!(letters.len(), 3);
    let bobs = post.ask("/mails?to=bob@same.example&many=0").await;
    assert_eq!(bobs, json!([]));
}

#[tokio::test]
async fn a_code_is_used_once_and_ends_every_session() {
    let Some(post) = Post::start().await else {
        return;
    };
    let ann = post.confirmed("ann", "ann@reset.example").await;
    let nobody = post.server.nobody();
    let token = json!({ "name": "bot", "scopes": ["play"] });
    let token = ann.post("/v1/tokens", token).await.expect(201);
    let bot = post
        .server
        .holder(token["token"].as_str().expect("a token"));
    nobody
        .post(RESETS, json!({ "username": "ANN" }))
        .await
        .expect(202);
    let letter = post.letters("ann@reset.example", 2).await.remove(1);
    assert_eq!(header(&letter, "subject"), "A new password");
    let code = code(&letter);
    let complete = async |password: &str| {
        let body = json!({ "code": code, "password": password });
        nobody.post(COMPLETE, body).await
    };
    complete("short").await.refused(422, "weak_password");
    let new = "a new horse battery";
    complete(new).await.expect(204);
    complete("yet another horse").await.refused(403, "bad_code");
    ann.get("/v1/me").await.refused(401, "unauthorized");
    bot.get("/v1/me").await.refused(401, "unauthorized");
    assert_eq!(signs_in(&nobody, "ann", PASSWORD).await, 401);
    assert_eq!(signs_in(&nobody, "ann", new).await, 201);
}

#[tokio::test]
async fn whoever_only_has_a_session_does_not_move_the_address() {
    let server = Server::start().await;
    let ann = server.registered("ann").await;
    let missing = patch_me(&ann, json!({ "email": "eve@x.example" })).await;
    let missing = missing.refused(400, "bad_request");
    assert_eq!(missing["field"], "current_password");
    let wrong = json!({ "email": "eve@x.example", "current_password": "a guess of eve's" });
    let wrong = patch_me(&ann, wrong).await;
    wrong.refused(401, "bad_credentials");
    moves_to(&ann, "ann@x.example").await.expect(200);
    // The same again is no other, and to forget it is.
    let same = json!({ "email": "ann@x.example", "preferences": {} });
    patch_me(&ann, same).await.expect(200);
    let none = patch_me(&ann, json!({ "email": null })).await;
    none.refused(400, "bad_request");
    assert_eq!(
        ann.get("/v1/me").await.expect(200)["email"],
        "ann@x.example"
    );
    // A guest has no password to be asked for.
    let guest = server.guest().await;
    let theirs = patch_me(&guest, json!({ "email": "guest@x.example" })).await;
    theirs.expect(200);
}

#[tokio::test]
async fn a_changed_password_ends_the_codes_that_were_sent() {
    let Some(post) = Post::start().await else {
        return;
    };
    let ann = post.confirmed("ann", "ann@stolen.example").await;
    let nobody = post.server.nobody();
    let asked = nobody.post(RESETS, json!({ "username": "ann" })).await;
    asked.expect(202);
    let letter = post.letters("ann@stolen.example", 2).await.remove(1);
    let new = json!({ "current_password": PASSWORD, "password": "a new horse battery" });
    patch_me(&ann, new).await.expect(200);
    let body = json!({ "code": code(&letter), "password": "yet another horse" });
    nobody.post(COMPLETE, body).await.refused(403, "bad_code");
    assert_eq!(signs_in(&nobody, "ann", "a new horse battery").await, 201);
}

#[tokio::test]
async fn a_code_to_confirm_an_address_is_none_for_a_password() {
    let Some(post) = Post::start().await else {
        return;
    };
    let ann = post.player("ann", "ann@mixed.example").await;
    ann.post(super::CONFIRM, json!({})).await.expect(202);
    let letter = post.letters("ann@mixed.example", 1).await.remove(0);
    let body = json!({ "code": code(&letter), "password": "a new horse battery" });
    post.server
        .nobody()
        .post(COMPLETE, body)
        .await
        .refused(403, "bad_code");
}

#[tokio::test]
async fn the_page_sets_a_password_when_its_form_is_sent() {
    let Some(post) = Post::start().await else {
        return;
    };
    post.confirmed("ann", "ann@form.example").await;
    let nobody = post.server.nobody();
    nobody
        .post(RESETS, json!({ "email": "ANN@form.example" }))
        .await
        .expect(202);
    let letter = post.letters("ann@form.example", 2).await.remove(1);
    let link = link(&letter);
    let page = nobody.get(path(&link)).await;
    assert!(page.text.contains("type=\"password\""), "{}", page.text);
    let body = "password=a+new+horse%20battery";
    let form = [("content-type", "application/x-www-form-urlencoded")];
    let sent = nobody.http.post(&link).header(form[0].0, form[0].1);
    let sent = sent.body(body).send().await.expect("it answers");
    assert_eq!(sent.status().as_u16(), 200);
    assert_eq!(signs_in(&nobody, "ann", "a new horse battery").await, 201);
}
