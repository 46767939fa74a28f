//! Games against bots: made, played to the end, with every clock and variant.

use chess::rules::Variant;
use reqwest::Method;
use serde_json::{Value, json};

use super::{Guest, against, server};
use crate::client::blitz;

const NAMES: [(&str, &str); 6] = [
    ("beginner", "bot-beginner-400"),
    ("easy", "bot-easy-800"),
    ("medium", "bot-medium-1200"),
    ("hard", "bot-hard-1600"),
    ("expert", "bot-expert-2000"),
    ("master", "bot-master-2400"),
];

#[tokio::test]
async fn every_level_has_an_account_and_answers() {
    let server = server().await;
    for (difficulty, name) in NAMES {
        let (mut guest, game) = Guest::plays(&server, against(difficulty)).await;
        assert_eq!(game["state"], "ACTIVE");
        assert_eq!(
            (&game["bot_id"], &game["bot_color"]),
            (&json!(name), &json!("black"))
        );
        assert_eq!(
            (&game["black"], &game["rated"]),
            (&json!(name), &json!(false))
        );
        assert_eq!(game["players"]["black"]["title"], "BOT");
        assert_eq!(game["players"]["black"]["connected"], true);
        guest.makes("e2e4").await;
        guest.waits().await;
        let profile = guest.client.get(&format!("/v1/players/{name}")).await;
        assert_eq!(profile.expect(200)["title"], "BOT");
    }
}

#[tokio::test]
async fn a_whole_game_is_played_to_its_end() {
    let server = server().await;
    let (mut guest, _) = Guest::plays(&server, against("beginner")).await;
    let over = loop {
        let text = guest.any();
        let ply = guest.ply() + 1;
        let made = guest
            .client
            .plays_at(&guest.id, &text, ply)
            .await
            .expect(200);
        if made["game_state"] == "COMPLETED" {
            break guest.client.game(&guest.id).await;
        }
        guest.hears_move(ply).await;
        // The bot moves, or gives up.
        let is_next = |m: &Value| m["type"] == "GAME_OVER" || m["type"] == "MOVE";
        let next = guest.socket.hears_of("an answer", is_next).await;
        if next["type"] == "MOVE" {
            let text = next["move"].as_str().expect("a move").to_owned();
            guest.follows(&text);
            if guest.situation.board().end().is_none() {
                continue;
            }
        }
        break guest.client.game(&guest.id).await;
    };
    assert_eq!(over["state"], "COMPLETED");
    // Whoever looks a little further than a beginner wins, or it is drawn on the way.
    assert_ne!(over["winner"], "black", "{over}");
    assert!(server.running().app().house.stats().moves > 5);
}

#[tokio::test]
async fn a_bot_with_white_moves_by_itself() {
    let server = server().await;
    let mut request = against("easy");
    request["player_color"] = json!("black");
    let (mut guest, game) = Guest::plays(&server, request).await;
    assert_eq!(game["bot_color"], "white");
    guest.hears_move(1).await;
    let text = guest.any();
    guest.makes(&text).await;
    guest.waits().await;
}

#[tokio::test]
async fn the_clock_may_wait_for_the_second_half_move() {
    let server = server().await;
    let mut request = against("easy");
    let (_, game) = Guest::plays(&server, request.clone()).await;
    assert_eq!(game["clock_start"], "join");
    request["clock_start"] = json!("second_ply");
    let (mut guest, game) = Guest::plays(&server, request).await;
    assert_eq!(game["clock_start"], "second_ply");
    let made = guest.makes("e2e4").await;
    assert_eq!(made["clock_ms"]["white"], game["clock_ms"]["white"]);
}

#[tokio::test]
async fn chance_gives_either_side() {
    let server = server().await;
    let mut request = against("beginner");
    request["player_color"] = json!("random");
    let client = server.guest().await;
    let mut sides = Vec::new();
    while !(sides.contains(&json!("white")) && sides.contains(&json!("black"))) {
        let game = client
            .post("/v1/games/bot", request.clone())
            .await
            .expect(201);
        assert!(sides.len() < 100, "always the same");
        sides.push(game["bot_color"].clone());
    }
}

#[tokio::test]
async fn every_variant_and_every_kind_of_clock() {
    let server = server().await;
    let clocks = [
        json!(null),
        json!({ "initial_seconds": 60, "increment_seconds": 1 }),
        json!({ "initial_seconds": 60, "delay_seconds": 2, "delay": "us" }),
        json!({ "initial_seconds": 60, "delay_seconds": 2, "delay": "bronstein" }),
        json!({ "days_per_move": 3 }),
        json!({ "stages": [
            { "moves": 40, "initial_seconds": 600, "increment_seconds": 0 },
            { "initial_seconds": 300, "increment_seconds": 3 },
        ] }),
    ];
    for (n, variant) in Variant::ALL.into_iter().enumerate() {
        let request = json!({
            "difficulty": NAMES[n % NAMES.len()].0,
            "player_color": "black",
            "time_control": clocks[n % clocks.len()],
            "variant": variant.name(),
        });
        let (mut guest, game) = Guest::plays(&server, request).await;
        assert_eq!(game["variant"], variant.name());
        guest.hears_move(1).await;
        for _ in 0..2 {
            let text = guest.any();
            guest.makes(&text).await;
            guest.waits().await;
        }
    }
}

#[tokio::test]
async fn what_cannot_be_is_told() {
    let server = server().await;
    let client = server.guest().await;
    let refused = async |change: &dyn Fn(&mut Value), status, code: &str| {
        let mut request = against("easy");
        change(&mut request);
        let answer = client.post("/v1/games/bot", request).await;
        answer.refused(status, code)
    };
    let unknown = refused(
        &|r| r["difficulty"] = json!("grandmaster"),
        400,
        "bad_request",
    )
    .await;
    assert_eq!(unknown["field"], "difficulty");
    for (difficulty, _) in NAMES {
        assert!(
            unknown["detail"]
                .as_str()
                .expect("a sentence")
                .contains(difficulty)
        );
    }
    refused(&|r| r["difficulty"] = json!(null), 400, "bad_request").await;
    refused(&|r| r["player_color"] = json!("green"), 400, "bad_request").await;
    refused(&|r| r["variant"] = json!("bughouse"), 400, "bad_request").await;
    refused(&|r| r["rated"] = json!(true), 422, "cannot_be_rated").await;
    refused(&|r| r["initial_fen"] = json!("8/8"), 422, "bad_fen").await;
    let missing = json!({ "difficulty": "easy" });
    client
        .post("/v1/games/bot", missing)
        .await
        .refused(400, "bad_request");
    let nobody = server.nobody();
    nobody
        .post("/v1/games/bot", against("easy"))
        .await
        .refused(401, "unauthorized");
}

#[tokio::test]
async fn the_same_key_makes_one_game() {
    let server = server().await;
    let client = server.guest().await;
    let post = async |request: Value| {
        let key = [("idempotency-key", "once")];
        client
            .send(
                Method::POST,
                "/v1/games/bot",
                Some(request.to_string()),
                &key,
            )
            .await
    };
    let mut request = against("medium");
    request["player_color"] = json!("random");
    let first = post(request.clone()).await;
    assert_eq!(first.status, 201);
    assert_eq!(post(request).await, first);
    post(against("hard"))
        .await
        .refused(409, "idempotency_mismatch");
    let own = client
        .get(&format!("/v1/games?player={}", client.id))
        .await
        .expect(200);
    assert_eq!(own["games"].as_array().expect("games").len(), 1);
}

#[tokio::test]
async fn nobody_is_one_of_them() {
    let server = server().await;
    let nobody = server.nobody();
    for (_, name) in NAMES {
        let account = json!({ "username": name, "password": "correct horse battery" });
        nobody
            .post("/v1/accounts", account.clone())
            .await
            .refused(422, "bad_username");
        nobody
            .post("/v1/sessions", account)
            .await
            .refused(401, "bad_credentials");
    }
    let boss = crate::chat::moderator(&server).await;
    let reset = "/v1/admin/accounts/bot-easy-800/password";
    let password = json!({ "password": "correct horse battery" });
    boss.post(reset, password).await.refused(409, "not_allowed");
    let token = json!({ "name": "x", "scopes": ["play"] });
    let tokens = "/v1/admin/accounts/BOT-easy-800/tokens";
    boss.post(tokens, token).await.refused(409, "not_allowed");
}

/// Two bots play each other without being asked to think.
#[tokio::test]
async fn bots_play_each_other_when_a_service_starts_it() {
    let server = server().await;
    let service = service(&server).await;
    let mut terms = blitz();
    terms["white"] = json!("bot-beginner-400");
    terms["black"] = json!("bot-easy-800");
    terms["start"] = json!(true);
    let key = [("idempotency-key", "match")];
    let mut rated = terms.clone();
    rated["rated"] = json!(true);
    let body = Some(rated.to_string());
    let refused = service
        .send(Method::POST, "/v1/games", body, &[("idempotency-key", "r")])
        .await;
    refused.refused(422, "cannot_be_rated");
    let body = Some(terms.to_string());
    let game = service
        .send(Method::POST, "/v1/games", body, &key)
        .await
        .expect(201);
    let id = game["id"].as_str().expect("an id");
    let mut socket = service.watches(id).await;
    let first = socket.hears("STATE").await;
    if first["state"] == "ACTIVE" {
        socket.hears("GAME_OVER").await;
    }
    let chat = service
        .get(&format!("/v1/games/{id}/chat"))
        .await
        .expect(200);
    assert_eq!(chat["chat"], json!([]), "they do not talk to each other");
}

async fn service(server: &crate::client::Server) -> crate::client::Client {
    let app = server.running().app();
    let person = server.registered("organiser").await;
    let account = app.store.account_by_id(&person.id).await;
    let account = account.expect("the store reads").expect("an account");
    let secret = server::auth::secrets::token();
    let new = store::NewToken {
        hash: server::auth::secrets::hash(&secret),
        account: account.number,
        kind: store::TokenKind::Personal,
        name: "service".into(),
        scopes: server::auth::Scopes::of(&[server::auth::Scope::Service]).to_bits(),
        at: app.now(),
        expires_at: None,
    };
    app.store.add_token(new).await.expect("a token");
    server.holder(&secret)
}
