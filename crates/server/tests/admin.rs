//! The operator's door over HTTP, and what it leaves in the audit trail.

use reqwest::{Client, Method};
use serde_json::{Value, json};
use server::operate::operator::Console;
use server::operate::{Running, StartError};
use server::settings::Settings;

struct Server {
    running: Running,
    client: Client,
    console: String,
}

fn settings(directory: &tempfile::TempDir) -> Settings {
    Settings {
        listen: ([127, 0, 0, 1], 0).into(),
        store: format!("sqlite:{}", directory.path().join("a.db").display()),
        ..Settings::default()
    }
}

impl Server {
    async fn start(directory: &tempfile::TempDir) -> Server {
        let running = Running::start(settings(directory)).await.unwrap();
        let console = Console::beside(&directory.path().join("a.db")).unwrap();
        assert_eq!(console.url, running.url());
        let client = Client::builder().no_proxy().build().unwrap();
        Server {
            running,
            client,
            console: console.token,
        }
    }

    async fn call(&self, token: &str, method: Method, path: &str, body: Value) -> (u16, Value) {
        let url = format!("{}{path}", self.running.url());
        let mut request = self.client.request(method, url).json(&body);
        if !token.is_empty() {
            request = request.bearer_auth(token);
        }
        let answer = request.send().await.unwrap();
        let status = answer.status().as_u16();
        let text = answer.text().await.unwrap();
        let last = text.lines().last().unwrap_or("null");
        (status, serde_json::from_str(last).unwrap())
    }

    async fn post(&self, token: &str, path: &str, body: Value) -> (u16, Value) {
        self.call(token, Method::POST, path, body).await
    }

    async fn get(&self, token: &str, path: &str) -> (u16, Value) {
        self.call(token, Method::GET, path, Value::Null).await
    }

    async fn register(&self, name: &str) -> String {
        let body = json!({ "username": name, "password": "rook takes queen" });
        let (status, answer) = self.post("", "/v1/accounts", body).await;
        assert_eq!(status, 201, "{answer}");
        answer["token"].as_str().unwrap().to_owned()
    }

    /// A game of Ann and Bob in which Ann has moved.
    async fn game(&self, ann: &str, bob: &str) -> String {
        let terms = json!({ "time_control": { "initial_seconds": 300, "increment_seconds": 0 } });
        let (_, game) = self.post(ann, "/v1/games", terms).await;
        let id = game["id"].as_str().unwrap().to_owned();
        let (status, _) = self
            .post(bob, &format!("/v1/games/{id}/join"), json!({}))
            .await;
        assert_eq!(status, 200);
        let path = format!("/v1/games/{id}/moves");
        let (status, _) = self
            .post(ann, &path, json!({ "move": "e2e4", "ply": 1 }))
            .await;
        assert_eq!(status, 200);
        id
    }

    /// An administrator, and a token of theirs.
    async fn administrator(&self, name: &str) -> String {
        let person = json!({ "username": name, "password": "rook takes queen", "is_admin": true });
        assert_eq!(
            self.post(&self.console, "/v1/admin/accounts", person)
                .await
                .0,
            201
        );
        let path = format!("/v1/admin/accounts/{name}/tokens");
        let wish = json!({ "name": "x", "scopes": ["admin"] });
        let (status, token) = self.post(&self.console, &path, wish).await;
        assert_eq!(status, 201, "{token}");
        token["token"].as_str().unwrap().to_owned()
    }
}

#[tokio::test]
async fn an_arbiter_intervenes_and_it_is_written_down() {
    let directory = tempfile::tempdir().unwrap();
    let server = Server::start(&directory).await;
    let (ann, bob) = (server.register("Ann").await, server.register("Bob").await);
    let boss = server.administrator("boss").await;
    let game = server.game(&ann, &bob).await;
    let act = async |action: &str, body| {
        let path = format!("/v1/admin/games/{game}/{action}");
        let (status, answer) = server.post(&boss, &path, body).await;
        assert_eq!(status, 200, "{action}: {answer}");
        answer
    };
    assert_eq!(act("pause", json!({})).await["state"], "PAUSED");
    let clocks = act("clock", json!({ "white_ms": 5_000 })).await;
    assert_eq!(clocks["white_ms"], 5_000);
    assert!(clocks["black_ms"].as_u64().unwrap() > 290_000, "{clocks}");
    assert_eq!(act("resume", json!({})).await["state"], "ACTIVE");
    let (status, seen) = server.get(&boss, &format!("/v1/admin/games/{game}")).await;
    assert_eq!(
        (status, &seen["memory_version"]),
        (200, &json!(6)),
        "{seen}"
    );
    assert_eq!(seen["stored_version"], 6);
    assert_eq!(seen["log"][2]["event"], "Moved e2e4");
    let over = act("result", json!({ "result": "black_wins" })).await;
    assert_eq!(
        (&over["result"], &over["reason"]),
        (&json!("black_wins"), &json!("adjudicated"))
    );
    assert_eq!(
        act("result", json!({ "result": "black_wins" })).await["version"],
        over["version"]
    );
    let path = format!("/v1/admin/games/{game}/pause");
    assert_eq!(server.post(&boss, &path, json!({})).await.0, 409);
    let (_, trail) = server.get(&boss, "/v1/admin/audit").await;
    let entries = trail["entries"].as_array().unwrap();
    let by = |actor: &str| -> Vec<&str> {
        let of = entries.iter().filter(|entry| entry["actor"] == actor);
        of.map(|entry| entry["action"].as_str().unwrap()).collect()
    };
    assert_eq!(by("boss"), ["adjudicate", "resume", "set_clock", "pause"]);
    assert_eq!(by("cli"), ["issue_token", "create_account"]);
    server.running.stop().await;
}

#[tokio::test]
async fn only_operators_come_in_and_only_the_console_touches_files() {
    let directory = tempfile::tempdir().unwrap();
    let server = Server::start(&directory).await;
    let ann = server.register("Ann").await;
    let boss = server.administrator("boss").await;
    assert_eq!(server.get("", "/v1/admin/audit").await.0, 401);
    assert_eq!(server.get(&ann, "/v1/admin/audit").await.0, 403);
    assert_eq!(server.get(&boss, "/v1/admin/audit").await.0, 200);
    let target = json!({ "path": directory.path().join("b.db") });
    for path in ["/v1/admin/backup", "/v1/admin/import"] {
        let (status, answer) = server.post(&boss, path, target.clone()).await;
        assert_eq!(
            (status, &answer["error"]),
            (403, &json!("missing_scope")),
            "{path}"
        );
    }
    let relative = json!({ "path": "b.db" });
    assert_eq!(
        server
            .post(&server.console, "/v1/admin/backup", relative)
            .await
            .0,
        400
    );
    let (status, end) = server
        .post(&server.console, "/v1/admin/backup", target)
        .await;
    assert_eq!((status, &end["ok"]), (200, &json!(true)));
    // Whoever resets the password of somebody ends what that somebody had.
    let path = "/v1/admin/accounts/ann/password";
    let (status, _) = server
        .post(&boss, path, json!({ "password": "queen takes rook" }))
        .await;
    assert_eq!(status, 204);
    assert_eq!(server.get(&ann, "/v1/me").await.0, 401);
    server.running.stop().await;
}

#[tokio::test]
async fn a_server_that_starts_again_knows_what_it_knew_and_its_file_is_its_own() {
    let directory = tempfile::tempdir().unwrap();
    let server = Server::start(&directory).await;
    let second = Running::start(settings(&directory)).await;
    assert!(matches!(second.err(), Some(StartError::Store(_))));
    let (ann, bob) = (server.register("Ann").await, server.register("Bob").await);
    let game = server.game(&ann, &bob).await;
    let old = server.console.clone();
    server.running.stop().await;
    let server = Server::start(&directory).await;
    let (status, shown) = server.get(&ann, &format!("/v1/games/{game}")).await;
    assert_eq!(
        (status, &shown["moves"]),
        (200, &json!(["e2e4"])),
        "{shown}"
    );
    assert_eq!(server.get(&old, "/v1/admin/audit").await.0, 401);
    server.running.stop().await;
}

#[tokio::test]
async fn a_check_goes_on_where_it_said_it_would() {
    let directory = tempfile::tempdir().unwrap();
    let server = Server::start(&directory).await;
    let (ann, bob) = (server.register("Ann").await, server.register("Bob").await);
    for _ in 0..2 {
        server.game(&ann, &bob).await;
    }
    let (mut checked, mut pages, mut after) = (0, 0, String::new());
    loop {
        let path = format!("/v1/admin/check?limit=1{after}");
        let (status, page) = server.get(&server.console, &path).await;
        assert_eq!((status, &page["differences"]), (200, &json!([])), "{page}");
        checked += page["checked"].as_u64().unwrap();
        pages += 1;
        match page["next"].as_str() {
            Some(next) => after = format!("&after={next}"),
            None => break,
        }
    }
    // One row a page: games, accounts, tokens, seats, the journal and what is empty.
    assert!(checked == 2 && pages > 20, "{checked} games, {pages} pages");
    for nowhere in ["x", "~songs", "~seats~i1"] {
        let path = format!("/v1/admin/check?after={nowhere}");
        let (status, answer) = server.get(&server.console, &path).await;
        assert_eq!(status, 400, "{answer}");
    }
    server.running.stop().await;
}

#[tokio::test]
async fn an_account_is_given_a_title_demoted_barred_and_closed() {
    let directory = tempfile::tempdir().unwrap();
    let server = Server::start(&directory).await;
    let ann = server.register("Ann").await;
    let boss = server.administrator("boss").await;
    let act = async |token: &str, what: &str, body: Value| {
        let path = format!("/v1/admin/accounts/{what}");
        server.post(token, &path, body).await.0
    };
    assert_eq!(act(&ann, "ann/title", json!({ "title": "GM" })).await, 403);
    assert_eq!(act(&boss, "ann/title", json!({ "title": "GM" })).await, 204);
    let (_, profile) = server.get("", "/v1/players/ann").await;
    assert_eq!(profile["title"], "GM");
    for wrong in ["", " GM", "<b>GM</b>", "a title of its very own"] {
        assert_eq!(
            act(&boss, "ann/title", json!({ "title": wrong })).await,
            400
        );
    }
    assert_eq!(act(&boss, "ann/title", json!({ "title": null })).await, 204);
    let (_, profile) = server.get("", "/v1/players/ann").await;
    assert_eq!(profile["title"], Value::Null);

    let other = server.administrator("other").await;
    let rights = json!({ "is_admin": false });
    assert_eq!(act(&boss, "other/rights", rights).await, 204);
    assert_eq!(
        act(&other, "ann/title", json!({ "title": "GM" })).await,
        401
    );

    assert_eq!(act(&boss, "boss/bar", json!({})).await, 409);
    assert_eq!(act(&boss, "ann/bar", json!({ "reason": "x" })).await, 204);
    assert_eq!(server.get(&ann, "/v1/me").await.0, 401);
    let signed_in = json!({ "username": "Ann", "password": "rook takes queen" });
    let sign_in = async || server.post("", "/v1/sessions", signed_in.clone()).await;
    assert_eq!(sign_in().await.0, 403);
    assert_eq!(act(&boss, "ann/unbar", json!({})).await, 204);
    let ann = sign_in().await.1["token"].as_str().unwrap().to_owned();
    let who = json!({ "issuer": "https://id.example", "subject": "u-1" });
    let identities = |what: &str| format!("/v1/admin/identities/{what}");
    assert_eq!(
        server
            .post(&boss, &identities("block"), who.clone())
            .await
            .0,
        204
    );
    let (_, listed) = server.get(&boss, &identities("blocked")).await;
    assert_eq!(listed["identities"][0]["subject"], "u-1", "{listed}");
    assert_eq!(server.post(&boss, &identities("unblock"), who).await.0, 204);
    let (_, listed) = server.get(&boss, &identities("blocked")).await;
    assert_eq!(listed["identities"], json!([]));

    assert_eq!(act(&boss, "ann/close", json!({})).await, 204);
    assert_eq!(server.get(&ann, "/v1/me").await.0, 401);
    assert_eq!(server.get("", "/v1/players/ann").await.0, 404);
    assert_eq!(act(&boss, "ann/close", json!({})).await, 404);
    let (_, trail) = server.get(&boss, "/v1/admin/audit").await;
    let trail = trail.to_string();
    for action in [
        "give_title",
        "demote",
        "bar_account",
        "block_identity",
        "close_account",
    ] {
        assert!(trail.contains(action), "{trail}");
    }
    server.running.stop().await;
}

/// PostgreSQL's texts have no NUL, so no store takes one.
#[tokio::test]
async fn a_text_with_a_nul_is_a_mistake_and_no_failure() {
    let directory = tempfile::tempdir().unwrap();
    let server = Server::start(&directory).await;
    server.register("Ann").await;
    let boss = server.administrator("boss").await;
    for (what, body) in [
        ("bar", json!({ "reason": "a\0b" })),
        ("tokens", json!({ "name": "a\0b", "scopes": ["read"] })),
    ] {
        let path = format!("/v1/admin/accounts/ann/{what}");
        let (status, answer) = server.post(&boss, &path, body).await;
        assert_eq!(status, 400, "{answer}");
        let detail = answer["detail"].as_str().unwrap();
        assert!(detail.contains("NUL"), "{answer}");
    }
    server.running.stop().await;
}
