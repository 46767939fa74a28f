//! Who you are: every call and code of the contract.

use reqwest::Method;
use serde_json::{Value, json};

use crate::client::{Client, Server, blitz, play};

fn credentials(name: &str) -> Value {
    json!({ "username": name, "password": "correct horse battery" })
}

async fn register(server: &Server, name: &str) -> Client {
    let answer = server
        .nobody()
        .post("/v1/accounts", credentials(name))
        .await
        .expect(201);
    server.holder(answer["token"].as_str().expect("a token"))
}

#[tokio::test]
async fn a_name_is_registered_once_and_must_be_a_good_one() {
    let server = Server::start().await;
    let nobody = server.nobody();
    register(&server, "Carol").await;
    let refused = |body: Value, status, code| {
        let nobody = nobody.clone();
        async move {
            nobody
                .post("/v1/accounts", body)
                .await
                .refused(status, code)
        }
    };
    refused(credentials("cAROL"), 409, "username_taken").await;
    for name in [
        "x",
        "admin",
        "bot-x",
        "no spaces",
        "way-too-long-for-a-name-here",
    ] {
        refused(credentials(name), 422, "bad_username").await;
    }
    let weak = json!({ "username": "dave", "password": "password" });
    refused(weak, 422, "weak_password").await;
    refused(json!({ "username": "dave" }), 400, "bad_request").await;
}

#[tokio::test]
async fn signing_in_tells_nobody_who_exists_and_signing_out_ends_the_token() {
    let server = Server::start().await;
    register(&server, "Erin").await;
    let nobody = server.nobody();
    let wrong = |name: &str| json!({ "username": name, "password": "wrong wrong wrong" });
    let known = nobody.post("/v1/sessions", wrong("erin")).await;
    known.refused(401, "bad_credentials");
    assert_eq!(nobody.post("/v1/sessions", wrong("nobody")).await, known);

    let session = nobody
        .post("/v1/sessions", credentials("ERIN"))
        .await
        .expect(201);
    assert!(session["expires_at"].is_string(), "{session}");
    let erin = server.holder(session["token"].as_str().expect("a token"));
    assert_eq!(erin.get("/v1/me").await.expect(200)["id"], "erin");
    let out = erin
        .send(Method::DELETE, "/v1/sessions/current", None, &[])
        .await;
    assert_eq!(out.status, 204);
    erin.get("/v1/me").await.refused(401, "unauthorized");
}

#[tokio::test]
async fn a_personal_token_does_what_its_scopes_say_until_it_is_revoked() {
    let server = Server::start().await;
    let frank = register(&server, "Frank").await;
    let body = json!({ "name": "reader", "scopes": ["read"] });
    let made = frank.post("/v1/tokens", body).await.expect(201);
    let reader = server.holder(made["token"].as_str().expect("a token"));
    reader.get("/v1/me").await.expect(200);
    reader
        .post("/v1/games", blitz())
        .await
        .refused(403, "missing_scope");
    let grab = json!({ "name": "power", "scopes": ["admin"] });
    frank
        .post("/v1/tokens", grab)
        .await
        .refused(403, "missing_scope");
    let path = format!("/v1/tokens/{}", made["id"]);
    let gone = frank.send(Method::DELETE, &path, None, &[]).await;
    assert!([200, 204].contains(&gone.status), "{gone:?}");
    reader.get("/v1/me").await.refused(401, "unauthorized");
}

/// It would live on in it after it was revoked.
#[tokio::test]
async fn a_personal_token_makes_no_other() {
    let server = Server::start().await;
    let gina = register(&server, "Gina").await;
    let body = json!({ "name": "player", "scopes": ["play"] });
    let made = gina.post("/v1/tokens", body.clone()).await.expect(201);
    let player = server.holder(made["token"].as_str().expect("a token"));
    let refused = player.post("/v1/tokens", body).await;
    refused.refused(403, "session_required");
    let tokens = gina.get("/v1/tokens").await.expect(200);
    assert_eq!(tokens["tokens"].as_array().map(Vec::len), Some(2));
}

#[tokio::test]
async fn a_deleted_account_leaves_its_games_behind() {
    let server = Server::start().await;
    let (grace, heidi) = (
        register(&server, "Grace").await,
        register(&server, "Heidi").await,
    );
    let game = grace.post("/v1/games", blitz()).await.expect(201);
    let id = game["id"].as_str().expect("an id");
    heidi.asks(id, "join").await.expect(200);
    play(&grace, &heidi, id, "e4 e5").await;
    let profile = server.nobody().get("/v1/players/grace").await.expect(200);
    assert_eq!(profile["name"], "Grace");
    let gone = grace.send(Method::DELETE, "/v1/me", None, &[]).await;
    assert!([200, 204].contains(&gone.status), "{gone:?}");
    grace.get("/v1/me").await.refused(401, "unauthorized");
    server
        .nobody()
        .get("/v1/players/grace")
        .await
        .refused(404, "not_found");
    let game = heidi.game(id).await;
    assert_eq!(game["san"], json!(["e4", "e5"]));
    assert_ne!(game["white"], "grace");
}
