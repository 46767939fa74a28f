//! Nobody is the administrator yet; and signing in as one.

use serde_json::json;

use super::{PASSWORD, operator, trail};
use crate::client::Server;

#[tokio::test]
async fn whoever_has_the_code_from_the_log_becomes_the_administrator() {
    let mut server = Server::start().await;
    let nobody = server.nobody();
    let setup = nobody.get("/v1/setup").await.expect(200);
    assert_eq!(setup, json!({ "needed": true }));
    let code = server.running().setup_code().expect("a code").to_owned();
    server.registered("ann").await;
    let ask = |code: &str, name: &str, password: &str| json!({ "code": code, "name": name, "password": password });
    for (body, status, refusal) in [
        (ask("AAAA-AAAA-AAAA", "olga", PASSWORD), 403, "wrong_code"),
        (ask("", "olga", PASSWORD), 403, "wrong_code"),
        (ask(&code, "Ann", PASSWORD), 409, "username_taken"),
        (ask(&code, "arbiter", PASSWORD), 422, "bad_username"),
        (ask(&code, "o", PASSWORD), 422, "bad_username"),
        (ask(&code, "olga", "short"), 422, "weak_password"),
        (json!({ "code": code }), 400, "bad_request"),
    ] {
        nobody
            .post("/v1/setup", body)
            .await
            .refused(status, refusal);
    }
    // What goes wrong uses up nothing, and the next start shows the same code.
    server.restart().await;
    assert_eq!(server.running().setup_code(), Some(&*code));
    let nobody = server.nobody();
    // However it is typed.
    let typed = code.to_lowercase().replace('-', " ");
    let made = nobody
        .post("/v1/setup", ask(&typed, "Olga", PASSWORD))
        .await;
    let made = made.expect(201);
    assert_eq!(made["account"]["is_admin"], true);
    let olga = server.holder(made["token"].as_str().unwrap());
    let done = trail(&olga).await;
    assert_eq!(done[0], ["olga", "set_up", "olga"]);
    let again = nobody.post("/v1/setup", ask(&code, "eve", PASSWORD)).await;
    again.refused(409, "already_set_up");
    let setup = nobody.get("/v1/setup").await.expect(200);
    assert_eq!(setup, json!({ "needed": false }));
    server.restart().await;
    assert_eq!(server.running().setup_code(), None);
}

#[tokio::test]
async fn codes_are_not_guessed() {
    let server = Server::start_with(|settings| {
        settings.rate_limits = true;
        settings.wrong_passwords_per_minute = 3;
    })
    .await;
    let nobody = server.nobody();
    let wrong = json!({ "code": "AAAA-AAAA-AAAA", "name": "eve", "password": PASSWORD });
    for _ in 0..3 {
        let tried = nobody.post("/v1/setup", wrong.clone()).await;
        tried.refused(403, "wrong_code");
    }
    let tried = nobody.post("/v1/setup", wrong).await;
    tried.refused(429, "rate_limited");
    // Not even with the right one, for a while.
    let code = server.running().setup_code().unwrap();
    let right = json!({ "code": code, "name": "olga", "password": PASSWORD });
    let tried = nobody.post("/v1/setup", right).await;
    tried.refused(429, "rate_limited");
}

#[tokio::test]
async fn an_administrator_shows_the_password_to_operate() {
    let server = Server::start().await;
    operator(&server).await;
    let nobody = server.nobody();
    server.registered("ann").await;
    let sign_in = async |path: &str, name: &str, password: &str| {
        let body = json!({ "username": name, "password": password });
        nobody.post(path, body).await
    };
    // What signing in gives is not enough.
    let session = sign_in("/v1/sessions", "Olga", PASSWORD).await.expect(201);
    let playing = server.holder(session["token"].as_str().unwrap());
    let audit = playing.get("/v1/admin/audit").await;
    audit.refused(403, "missing_scope");
    let open = "/v1/admin/sessions";
    let wrong = sign_in(open, "olga", "wrong").await;
    wrong.refused(401, "bad_credentials");
    let unknown = sign_in(open, "nobody", PASSWORD).await;
    unknown.refused(401, "bad_credentials");
    let other = sign_in(open, "ann", PASSWORD).await;
    other.refused(403, "not_administrator");
    let opened = sign_in(open, "OLGA", PASSWORD).await.expect(201);
    let operating = server.holder(opened["token"].as_str().unwrap());
    let me = operating.get("/v1/me").await.expect(200);
    assert_eq!(me["id"], "olga");
    assert_eq!(trail(&operating).await[0], ["olga", "open_console", "olga"]);
    // It makes no further tokens that would last.
    let more = json!({ "name": "x", "scopes": ["admin"] });
    let more = operating.post("/v1/tokens", more).await;
    more.refused(403, "session_required");
    operating.delete("/v1/sessions/current").await.expect(204);
    operating.get("/v1/me").await.refused(401, "unauthorized");
}
