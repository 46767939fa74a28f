//! Section 1: what goes over the wire.

use reqwest::Method;
use serde_json::{Value, json};

use super::Player;
use crate::client::Server;

#[tokio::test]
async fn s1_streams_are_chunked_and_headers_come_before_the_first_event() {
    let server = Server::start().await;
    let ann = Player::person(&server, "ann").await;
    // There is nothing to tell, and yet the headers are here.
    let mut events = ann.events().await;
    let header = |name: &str| {
        let value = events.headers.get(name);
        value.map(|value| value.to_str().expect("ASCII").to_owned())
    };
    assert_eq!(header("transfer-encoding").as_deref(), Some("chunked"));
    assert_eq!(
        header("content-type").as_deref(),
        Some("application/x-ndjson")
    );
    assert_eq!(header("x-accel-buffering").as_deref(), Some("no"));
    assert_eq!(header("content-encoding"), None);
    assert_eq!(
        events.raw().await.as_deref(),
        Some(""),
        "a blank line by itself"
    );
}

#[tokio::test]
async fn s1_streams_are_not_negotiated_nor_compressed() {
    let server = Server::start().await;
    let ann = Player::person(&server, "ann").await;
    for accept in [
        "application/json",
        "text/plain",
        "*/*",
        "application/x-ndjson",
    ] {
        let headers = [("accept", accept), ("accept-encoding", "gzip, deflate")];
        let path = "/api/stream/event";
        let response = ann.send(Method::GET, path, None, &headers).await;
        assert_eq!(response.status().as_u16(), 200, "{accept}");
        assert!(response.headers().get("content-encoding").is_none());
    }
}

#[tokio::test]
async fn s1_every_answer_is_json() {
    let server = Server::start().await;
    let ann = Player::person(&server, "ann").await;
    let nobody = Player {
        client: server.nobody(),
        ..ann.clone()
    };
    for (player, path, status) in [
        (&ann, "/api/challenge/aaaaaaaa/cancel", 404),
        (&ann, "/api/challenge/aaaaaaaa/decline", 404),
        (&ann, "/api/challenge/aaaaaaaa/accept", 404),
        (&ann, "/api/challenge/no-such-thing/cancel", 404),
        (&ann, "/api/board/game/aaaaaaaa/resign", 404),
        (&ann, "/api/board/game/x/resign", 404),
        (&ann, "/api/board/game/aaaaaaaa/move/e2e4", 404),
        (&ann, "/api/no/such/thing", 404),
        (&ann, "/api/account", 405),
        (&nobody, "/api/board/game/aaaaaaaa/abort", 401),
        (&nobody, "/api/challenge/ann", 401),
    ] {
        let (found, body) = player.post(path).await;
        assert_eq!(found, status, "{path}: {body}");
        let error = &body["error"];
        assert!(error.is_string() || error.is_object(), "{path}: {body}");
    }
    let (status, body) = nobody.get("/api/account").await;
    assert_eq!((status, &body["error"]), (401, &json!("No such token")));
}

#[tokio::test]
async fn s1_the_same_fields_come_in_every_encoding() {
    let server = Server::start().await;
    let ann = Player::person(&server, "ann").await;
    Player::person(&server, "bob").await;
    let path = "/api/challenge/bob";
    let dotted = json!({ "rated": false, "clock.limit": 180, "clock.increment": 2, "days": null,
        "color": "black", "variant": "standard", "fen": null, "unknown": 7 });
    let nested = json!({ "clock": { "limit": 180, "increment": 2 }, "color": "black" });
    let form = "rated=False&clock.limit=180&clock.increment=2&color=black&fen=&days=";
    let made = [
        ann.post_json(path, dotted).await,
        ann.post_json(path, nested).await,
        ann.post_form(path, form).await,
    ];
    for (status, made) in made {
        assert_eq!(status, 200, "{made}");
        let clock = json!({ "type": "clock", "limit": 180, "increment": 2, "show": "3+2" });
        assert_eq!(made["timeControl"], clock);
        assert_eq!(
            (&made["color"], &made["rated"]),
            (&json!("black"), &json!(false))
        );
    }
    // No body and no type: a game without a clock. Text without a type is no mistake.
    for made in [ann.post(path).await, ann.post_text(path, "what").await] {
        assert_eq!(made.0, 200, "{}", made.1);
        assert_eq!(made.1["timeControl"], json!({ "type": "unlimited" }));
    }
    let (status, _) = ann.post_json(path, json!("{")).await;
    assert_eq!(status, 200, "a string has no fields");
    let broken = Some(("application/json", "{".to_owned()));
    let broken = ann.send(Method::POST, path, broken, &[]).await;
    assert_eq!(broken.status().as_u16(), 400);
}

#[tokio::test]
async fn s1_booleans_are_read_as_python_writes_them() {
    let server = Server::start().await;
    let (ann, bob) = (
        Player::person(&server, "ann").await,
        Player::person(&server, "bob").await,
    );
    for (word, rated) in [
        ("True", true),
        ("1", true),
        ("yes", true),
        ("on", true),
        ("False", false),
    ] {
        let form = format!("rated={word}&clock.limit=300&clock.increment=0");
        let (status, made) = ann.post_form("/api/challenge/bob", &form).await;
        assert_eq!(status, 200, "{made}");
        assert_eq!(made["rated"], json!(rated), "{word}");
    }
    // In paths too.
    let game = ann.plays(&bob, json!({})).await;
    super::play(&ann, &bob, &game, "e2e4 e7e5").await;
    for word in ["1", "0", "yes", "no", "true", "false"] {
        ann.done(&game, &format!("draw/{word}")).await;
        bob.done(&game, &format!("takeback/{word}")).await;
        bob.done(&game, "takeback/no").await;
        bob.done(&game, "draw/no").await;
    }
    assert_eq!(ann.client.game(&game).await["state"], "ACTIVE");
}

#[tokio::test]
async fn s1_a_slash_at_the_end_leads_to_the_same() {
    let server = Server::start().await;
    let (ann, bob) = (
        Player::person(&server, "ann").await,
        Player::person(&server, "bob").await,
    );
    let game = ann.plays(&bob, json!({})).await;
    for what in ["claim-victory", "claim-victory/"] {
        let (status, body) = ann.does(&game, what).await;
        assert_eq!(status, 400, "{body}");
        assert!(body["error"].is_string(), "{body}");
    }
    assert_eq!(ann.get("/api/account/").await.0, 200);
}

#[tokio::test]
async fn s1_a_players_longer_id_names_the_game() {
    let server = Server::start().await;
    let (ann, bob) = (
        Player::person(&server, "ann").await,
        Player::person(&server, "bob").await,
    );
    let mut events = ann.events().await;
    let game = ann.plays(&bob, json!({})).await;
    let started = events.until("gameStart").await;
    let full = started["game"]["fullId"]
        .as_str()
        .expect("an id")
        .to_owned();
    assert!(full.len() == 12 && full.starts_with(&game), "{full}");
    assert!(game.len() == 8 && game.bytes().all(|byte| byte.is_ascii_alphanumeric()));
    ann.done(&full, "move/e2e4").await;
}

#[tokio::test]
async fn s1_names_are_found_in_any_case() {
    let server = Server::start().await;
    let (ann, _bob) = (
        Player::person(&server, "ann").await,
        Player::person(&server, "Bob").await,
    );
    let (status, made) = ann.post("/api/challenge/bOB").await;
    assert_eq!(status, 200, "{made}");
    assert_eq!(made["destUser"]["id"], "bob");
    assert_eq!(made["destUser"]["name"], "Bob");
}

#[tokio::test]
async fn s1_any_page_may_call() {
    let server = Server::start().await;
    let ann = Player::person(&server, "ann").await;
    let headers = [("origin", "https://elsewhere.example")];
    let response = ann.send(Method::GET, "/api/account", None, &headers).await;
    let allowed = response.headers().get("access-control-allow-origin");
    assert_eq!(allowed.and_then(|value| value.to_str().ok()), Some("*"));
    let asked = [
        ("origin", "https://elsewhere.example"),
        ("access-control-request-method", "POST"),
        ("access-control-request-headers", "authorization"),
    ];
    let path = "/api/board/game/aaaaaaaa/resign";
    let response = ann.send(Method::OPTIONS, path, None, &asked).await;
    assert_eq!(response.status().as_u16(), 200);
    assert!(
        response
            .headers()
            .contains_key("access-control-allow-headers")
    );
    // The native door goes by the settings.
    let response = ann.send(Method::GET, "/v1/me", None, &headers).await;
    assert!(
        response
            .headers()
            .get("access-control-allow-origin")
            .is_none()
    );
}

#[tokio::test]
async fn s1_a_games_id_opens_its_page_and_fixed_addresses_come_first() {
    let server = Server::start().await;
    let (ann, bob) = (
        Player::person(&server, "ann").await,
        Player::person(&server, "bob").await,
    );
    let game = ann.plays(&bob, json!({})).await;
    let short = ann.send(Method::GET, &format!("/{game}"), None, &[]).await;
    let long = ann
        .send(Method::GET, &format!("/game/{game}"), None, &[])
        .await;
    assert_eq!(short.status(), long.status());
    assert_eq!(
        short.text().await.expect("a page"),
        long.text().await.expect("a page")
    );
    let (status, health) = ann.get("/health").await;
    assert_eq!((status, &health["service"]), (200, &json!("arbiter")));
    let (status, body) = ann.get("/no-such-page").await;
    assert_eq!((status, &body["error"]), (404, &Value::from("not_found")));
}
