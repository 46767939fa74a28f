//! Nothing but the question whether it is theirs goes to an address that is not confirmed.

use serde_json::json;

use super::{CONFIRM, Post, code, header, link, metric, moves_to, path, settings, settings_become};
use crate::client::Server;

#[tokio::test]
async fn without_a_mail_server_it_is_said_so() {
    let server = Server::start().await;
    let ann = server.registered("ann").await;
    moves_to(&ann, "ann@x.example").await.expect(200);
    ann.post(CONFIRM, json!({})).await.refused(409, "mail_off");
    let reset = json!({ "username": "ann" });
    let reset = server.nobody().post("/v1/password-resets", reset).await;
    reset.refused(409, "mail_off");
    let shown = settings(&ann).await;
    assert_eq!(shown["email"]["available"], false);
    assert_eq!(shown["email"]["address"], "ann@x.example");
}

#[tokio::test]
async fn an_address_is_confirmed_by_its_owner_once_and_by_nobody_else() {
    let Some(post) = Post::start().await else {
        return;
    };
    let (ann, bob) = (
        post.player("ann", "ann@confirm.example").await,
        post.player("bob", "bob@confirm.example").await,
    );
    post.server
        .guest()
        .await
        .post(CONFIRM, json!({}))
        .await
        .refused(409, "no_email");
    let asked = ann.post(CONFIRM, json!({})).await.expect(202);
    assert_eq!(asked["status"], "sent");
    let letter = post.letters("ann@confirm.example", 1).await.remove(0);
    assert_eq!(letter["from"], "chess@chess.example");
    assert_eq!(header(&letter, "subject"), "Is this your address?");
    assert!(
        letter["html"]
            .as_str()
            .unwrap()
            .contains("/v1/mail/confirm?code=")
    );
    assert_eq!(header(&letter, "list-unsubscribe"), "");
    let code = json!({ "code": code(&letter) });
    bob.post(CONFIRM, code.clone())
        .await
        .refused(403, "bad_code");
    assert_eq!(settings(&bob).await["email"]["confirmed"], false);
    assert_eq!(settings(&ann).await["email"]["confirmed"], false);
    ann.post(CONFIRM, code.clone()).await.expect(200);
    assert_eq!(settings(&ann).await["email"]["confirmed"], true);
    ann.post(CONFIRM, code).await.refused(403, "bad_code");
    ann.post(CONFIRM, json!({}))
        .await
        .refused(409, "already_confirmed");
    // Another address is another question, and so is the first one again.
    moves_to(&ann, "ann@other.example").await.expect(200);
    assert_eq!(settings(&ann).await["email"]["confirmed"], false);
    ann.post(CONFIRM, json!({ "code": "made-up" }))
        .await
        .refused(403, "bad_code");
}

#[tokio::test]
async fn a_code_for_an_address_is_worth_nothing_for_another() {
    let Some(post) = Post::start().await else {
        return;
    };
    let ann = post.player("ann", "ann@first.example").await;
    ann.post(CONFIRM, json!({})).await.expect(202);
    let letter = post.letters("ann@first.example", 1).await.remove(0);
    moves_to(&ann, "victim@first.example").await.expect(200);
    let code = json!({ "code": code(&letter) });
    ann.post(CONFIRM, code).await.refused(403, "bad_code");
    assert_eq!(settings(&ann).await["email"]["confirmed"], false);
}

#[tokio::test]
async fn whoever_reads_the_address_before_hears_of_another() {
    let Some(post) = Post::start().await else {
        return;
    };
    let ann = post.confirmed("ann", "ann@before.example").await;
    moves_to(&ann, "ann@after.example").await.expect(200);
    ann.post(CONFIRM, json!({})).await.expect(202);
    let letter = post.letters("ann@after.example", 1).await.remove(0);
    ann.post(CONFIRM, json!({ "code": code(&letter) }))
        .await
        .expect(200);
    let letters = post.letters("ann@before.example", 2).await;
    assert_eq!(header(&letters[1], "subject"), "Another address");
    assert_eq!(settings(&ann).await["email"]["confirmed"], true);
}

#[tokio::test]
async fn nobody_is_flooded_by_whoever_names_their_address() {
    let Some(post) = Post::start_with(|settings| settings.rate_limits = true).await else {
        return;
    };
    let email = "victim@flood.example";
    let (ann, bob) = (
        post.player("ann", email).await,
        post.player("bob", email).await,
    );
    for _ in 0..5 {
        ann.post(CONFIRM, json!({})).await.expect(202);
    }
    ann.post(CONFIRM, json!({}))
        .await
        .refused(429, "rate_limited");
    bob.post(CONFIRM, json!({}))
        .await
        .refused(429, "rate_limited");
    let nobody = post.server.nobody();
    for name in ["ann", "nobody-at-all"] {
        let ask = async || {
            let body = json!({ "username": name });
            nobody.post("/v1/password-resets", body).await
        };
        for _ in 0..5 {
            ask().await.expect(202);
        }
        ask().await.refused(429, "rate_limited");
    }
}

#[tokio::test]
async fn whoever_only_follows_the_link_confirms_nothing() {
    let Some(post) = Post::start().await else {
        return;
    };
    let ann = post.player("ann", "ann@page.example").await;
    ann.post(CONFIRM, json!({})).await.expect(202);
    let letter = post.letters("ann@page.example", 1).await.remove(0);
    let (link, nobody) = (link(&letter), post.server.nobody());
    let page = nobody.get(path(&link)).await;
    assert_eq!(page.status, 200);
    assert!(page.text.contains("<button>"), "{}", page.text);
    assert_eq!(settings(&ann).await["email"]["confirmed"], false);
    let pressed = nobody.post(path(&link), json!({})).await;
    assert_eq!(pressed.status, 200, "{}", pressed.text);
    assert_eq!(settings(&ann).await["email"]["confirmed"], true);
    assert_eq!(nobody.post(path(&link), json!({})).await.status, 403);
}

#[tokio::test]
async fn an_address_that_refuses_mail_for_good_is_shown_as_such() {
    let Some(post) = Post::start().await else {
        return;
    };
    let ann = post.player("ann", "gone-ann@bounce.example").await;
    ann.post(CONFIRM, json!({})).await.expect(202);
    settings_become(&ann, |shown| shown["email"]["bouncing"] == true).await;
    // It was tried once, and is not tried again.
    let tries = post.ask("/attempts?to=gone-ann@bounce.example").await;
    assert_eq!(tries.as_array().unwrap().len(), 1);
    assert_eq!(metric(&ann, "mails_dropped_total").await, 1);
    moves_to(&ann, "ann@bounce.example").await.expect(200);
    assert_eq!(settings(&ann).await["email"]["bouncing"], false);
}

#[tokio::test]
async fn a_mail_server_that_is_busy_is_tried_again() {
    let Some(post) = Post::start().await else {
        return;
    };
    let ann = post.confirmed("ann", "busy-ann@again.example").await;
    let tries = post.ask("/attempts?to=busy-ann@again.example&many=2").await;
    assert_eq!(tries.as_array().unwrap().len(), 2);
    assert_eq!(metric(&ann, "mails_failed_total").await, 1);
    assert_eq!(metric(&ann, "mails_sent_total").await, 1);
}

#[tokio::test]
async fn a_mail_server_that_is_down_keeps_nobody_waiting() {
    let closed = servers::listen().local_addr().expect("an address");
    let server = Server::start_with(|settings| {
        let address = servers::listen().local_addr().expect("an address");
        settings.listen = address;
        settings.public_url = Some(format!("http://{address}"));
        settings.smtp_url = Some(format!("smtp://{closed}").as_str().into());
        settings.mail_from = Some("chess@chess.example".into());
    })
    .await;
    let ann = server.registered("ann").await;
    moves_to(&ann, "ann@down.example").await.expect(200);
    ann.post(CONFIRM, json!({})).await.expect(202);
    while metric(&ann, "mails_failed_total").await == 0 {
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
    assert_eq!(metric(&ann, "mails_sent_total").await, 0);
    assert_eq!(ann.get("/ready").await.status, 200);
}
