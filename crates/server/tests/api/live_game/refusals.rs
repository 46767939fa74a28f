//! What this door refuses, and how.

use serde_json::{Value, json};
use server::auth::{Scopes, secrets};

use super::player::{Player, challenge, pair, play, refused, uuid_of};
use crate::client::{Client, Server};

const NO_GAME: &str = "61726269-7465-8000-8000-000000000001";

#[tokio::test]
async fn what_is_no_game_is_not_found() {
    let server = Server::start().await;
    let (a, b, id) = pair(&server).await;
    let native = super::player::id_of(&id);
    let others = [
        NO_GAME,
        // A UUID that is none of ours.
        "7f3c1e52-9a60-4b0e-8d53-2f1f4c0a9b11",
        "61726269-7465-8000-8000-ffffffffffff",
        "1",
        "not-a-uuid",
        &native,
        &b.account_id,
    ];
    for wrong in others {
        refused(&a.looks(wrong).await, 404, "game_not_found");
        for what in ["join", "resign", "offer-draw", "accept-draw", "tick"] {
            refused(&a.does(wrong, what).await, 404, "game_not_found");
        }
        refused(&a.moves(wrong, "e2e4").await, 404, "game_not_found");
        let socket = a
            .tries_to_listen(&format!("/live/v1/games/{wrong}/ws"))
            .await;
        assert_eq!(socket.err(), Some(404), "{wrong}");
    }
    // The same game in the other case is the same game.
    assert_eq!(a.sees(&id.to_uppercase()).await["id"], json!(id));
}

#[tokio::test]
async fn games_of_other_kinds_are_not_here() {
    let server = Server::start().await;
    let a = Player::registered(&server, "ann").await;
    let others = [
        json!({ "time_control": null }),
        json!({ "time_control": { "days_per_move": 3 } }),
        json!({ "time_control": { "initial_seconds": 300, "increment_seconds": 0 }, "variant": "atomic" }),
        json!({ "time_control": { "initial_seconds": 300, "increment_seconds": 0 }, "variant": "chess960" }),
    ];
    for terms in others {
        let game = a.post("/v1/games", terms.clone()).await.expect(201);
        let id = uuid_of(game["id"].as_str().expect("an id"));
        refused(&a.looks(&id).await, 404, "game_not_found");
        refused(&a.does(&id, "join").await, 404, "game_not_found");
        let socket = a.tries_to_listen(&format!("/live/v1/games/{id}/ws")).await;
        assert_eq!(socket.err(), Some(404), "{terms}");
    }
    let pair = crate::matches::guest::Pair::meet(&server).await;
    refused(&a.looks(&pair.id).await, 404, "game_not_found");
}

#[tokio::test]
async fn a_private_game_is_not_there_for_strangers() {
    let server = Server::start().await;
    let a = Player::registered(&server, "ann").await;
    let b = Player::registered(&server, "ben").await;
    let stranger = Player::registered(&server, "cid").await;
    let mut terms = crate::client::blitz();
    terms["visibility"] = json!("private");
    terms["opponent_id"] = json!(b.id);
    let game = a.post("/v1/games", terms).await.expect(201);
    let id = uuid_of(game["id"].as_str().expect("an id"));
    refused(&stranger.looks(&id).await, 404, "game_not_found");
    refused(&stranger.does(&id, "join").await, 404, "game_not_found");
    b.does(&id, "join").await.expect(200);
    refused(&stranger.moves(&id, "e2e4").await, 404, "game_not_found");
    refused(&stranger.does(&id, "tick").await, 404, "game_not_found");
    a.sees(&id).await;
}

#[tokio::test]
async fn nobody_without_a_good_token_is_let_in() {
    let server = Server::start().await;
    let (a, _, id) = pair(&server).await;
    let expired = token(&server, &a, Scopes::SESSION, Some(chess::Timestamp(1))).await;
    for client in [server.nobody(), server.holder("arb_made_up"), expired] {
        let nobody = Player {
            client,
            account_id: String::new(),
        };
        refused(
            &nobody.post("/live/v1/games", challenge(None)).await,
            401,
            "unauthorized",
        );
        refused(&nobody.looks(&id).await, 401, "unauthorized");
        refused(&nobody.moves(&id, "e2e4").await, 401, "unauthorized");
        refused(&nobody.does(&id, "resign").await, 401, "unauthorized");
        refused(
            &nobody.post("/live/v1/games/bot", json!({})).await,
            401,
            "unauthorized",
        );
    }
    let reader = token(&server, &a, Scopes::of(&[server::auth::Scope::Read]), None).await;
    let reader = Player {
        client: reader,
        account_id: a.account_id.clone(),
    };
    reader.sees(&id).await;
    refused(&reader.moves(&id, "e2e4").await, 403, "missing_scope");
}

/// A token of somebody's with these scopes.
async fn token(
    server: &Server,
    of: &Client,
    scopes: Scopes,
    expires_at: Option<chess::Timestamp>,
) -> Client {
    let app = server.running().app();
    let account = app.store.account_by_id(&of.id).await;
    let account = account.expect("the store reads").expect("an account");
    let secret = secrets::token();
    let new = store::NewToken {
        hash: secrets::hash(&secret),
        account: account.number,
        kind: store::TokenKind::Personal,
        name: "test".into(),
        scopes: scopes.to_bits(),
        at: app.now(),
        expires_at,
    };
    app.store.add_token(new).await.expect("a token");
    server.holder(&secret)
}

#[tokio::test]
async fn a_body_that_cannot_be_read_names_what_is_wrong() {
    let server = Server::start().await;
    let a = Player::registered(&server, "ann").await;
    let with = |field: &str, value: Value| {
        let mut body = challenge(None);
        body[field] = value;
        body
    };
    let bad = [
        (json!({}), "time_control"),
        (json!([]), "JSON object"),
        (json!("game"), "JSON object"),
        (with("time_control", json!(null)), "time_control"),
        (with("time_control", json!({})), "initial_seconds"),
        (
            with("time_control", json!({ "days_per_move": 3 })),
            "initial_seconds",
        ),
        (
            with("time_control", json!({ "initial_seconds": "300" })),
            "initial_seconds",
        ),
        (
            with("time_control", json!({ "initial_seconds": -1 })),
            "initial_seconds",
        ),
        (
            with("time_control", json!({ "initial_seconds": 1.5 })),
            "initial_seconds",
        ),
        (with("color_preference", json!("green")), "color_preference"),
        (with("color_preference", json!(1)), "color_preference"),
        (with("rated", json!("yes")), "rated"),
        (
            with("opponent_account_id", json!("ben")),
            "opponent_account_id",
        ),
        (with("opponent_account_id", json!(7)), "opponent_account_id"),
    ];
    for (body, field) in bad {
        let message = refused(
            &a.post("/live/v1/games", body.clone()).await,
            400,
            "bad_request",
        );
        assert!(message.contains(field), "{body}: {message}");
    }
    let broken = a
        .send(
            reqwest::Method::POST,
            "/live/v1/games",
            Some("{".into()),
            &[],
        )
        .await;
    refused(&broken, 400, "bad_request");
    let nobody = with(
        "opponent_account_id",
        json!("7f3c1e52-9a60-4b0e-8d53-2f1f4c0a9b11"),
    );
    refused(&a.post("/live/v1/games", nobody).await, 404, "not_found");
    let never = with(
        "time_control",
        json!({ "initial_seconds": 0, "increment_seconds": 0 }),
    );
    refused(
        &a.post("/live/v1/games", never).await,
        422,
        "bad_time_control",
    );
    let bot = json!({ "difficulty": "godlike", "time_control": { "initial_seconds": 60 } });
    refused(&a.post("/live/v1/games/bot", bot).await, 400, "bad_request");
    let large = json!({ "opponent_account_id": "x".repeat(20_000) });
    refused(&a.post("/live/v1/games", large).await, 413, "too_large");
    // What is not known is passed over, and `rated` is true if it is left out.
    let body = json!({
        "time_control": { "initial_seconds": 60, "increment_seconds": 1 }, "nonsense": true,
    });
    let made = a.post("/live/v1/games", body).await.expect(201);
    assert_eq!(made["rated"], true);
}

#[tokio::test]
async fn a_guest_plays_unrated_games_only() {
    let server = Server::start().await;
    let guest = Player::of(server.guest().await).await;
    let rated = challenge(None);
    refused(
        &guest.post("/live/v1/games", rated).await,
        422,
        "cannot_be_rated",
    );
    let mut casual = challenge(None);
    casual["rated"] = json!(false);
    guest.creates(casual).await;
}

#[tokio::test]
async fn who_may_join_does_so_once() {
    let server = Server::start().await;
    let a = Player::registered(&server, "ann").await;
    let b = Player::registered(&server, "ben").await;
    let stranger = Player::registered(&server, "cid").await;
    let id = a.creates(challenge(Some(&b))).await;
    refused(&a.does(&id, "join").await, 409, "own_game");
    refused(&stranger.does(&id, "join").await, 403, "not_invited");
    refused(&a.moves(&id, "e2e4").await, 409, "game_not_active");
    refused(&b.does(&id, "resign").await, 403, "not_a_player");
    let first = b.does(&id, "join").await.expect(200);
    let again = b.does(&id, "join").await.expect(200);
    assert_eq!(
        again["started_at"], first["started_at"],
        "a retry joins nothing"
    );
    refused(&stranger.does(&id, "join").await, 409, "game_not_waiting");
}

#[tokio::test]
async fn who_may_move_does_so_in_turn() {
    let server = Server::start().await;
    let (a, b, id) = pair(&server).await;
    let stranger = Player::registered(&server, "cid").await;
    refused(&b.moves(&id, "e7e5").await, 409, "wrong_turn");
    refused(&stranger.moves(&id, "e2e4").await, 403, "not_a_player");
    let path = format!("/live/v1/games/{id}/moves");
    let bad = [
        (json!({}), "from"),
        (json!({ "from": "e2" }), "to"),
        (json!({ "from": "e2", "to": "e9" }), "to"),
        (json!({ "from": "", "to": "e4" }), "from"),
        (json!({ "from": "e2e4", "to": "e4" }), "from"),
        (json!({ "from": 52, "to": "e4" }), "from"),
        (
            json!({ "from": "e2", "to": "e4", "promotion": "k" }),
            "promotion",
        ),
        (
            json!({ "from": "e2", "to": "e4", "promotion": 5 }),
            "promotion",
        ),
    ];
    for (body, field) in bad {
        let message = refused(&a.post(&path, body.clone()).await, 400, "bad_request");
        assert!(message.contains(field), "{body}: {message}");
    }
    for illegal in ["e2e5", "e7e5", "e4e5", "e1e2", "a1h8"] {
        let message = refused(&a.moves(&id, illegal).await, 400, "illegal_move");
        let expected = format!("Move {illegal} is not legal from current position.");
        assert_eq!(message, expected);
    }
    a.moves(&id, "e2e4").await.expect(200);
    refused(&a.moves(&id, "e2e4").await, 409, "wrong_turn");
    assert_eq!(a.sees(&id).await["moves"].as_array().map(Vec::len), Some(1));
}

#[tokio::test]
async fn an_offer_is_made_and_answered_by_who_may() {
    let server = Server::start().await;
    let (a, b, id) = pair(&server).await;
    refused(&a.does(&id, "accept-draw").await, 409, "no_offer");
    refused(&a.does(&id, "offer-draw").await, 409, "too_soon");
    play(&a, &b, &id, "e2e4 e7e5").await;
    a.does(&id, "offer-draw").await.expect(200);
    refused(&a.does(&id, "accept-draw").await, 409, "no_offer");
    let stranger = Player::registered(&server, "cid").await;
    refused(
        &stranger.does(&id, "accept-draw").await,
        403,
        "not_a_player",
    );
    b.does(&id, "accept-draw").await.expect(200);
}

#[tokio::test]
async fn nothing_happens_in_a_game_that_is_over() {
    let server = Server::start().await;
    let (a, b, id) = pair(&server).await;
    play(&a, &b, &id, "e2e4 e7e5").await;
    let over = a.does(&id, "resign").await.expect(200);
    refused(&b.moves(&id, "g1f3").await, 409, "game_not_active");
    refused(&b.does(&id, "resign").await, 409, "game_not_active");
    refused(&b.does(&id, "offer-draw").await, 409, "game_not_active");
    refused(&b.does(&id, "accept-draw").await, 409, "game_not_active");
    let stranger = Player::registered(&server, "cid").await;
    refused(&stranger.does(&id, "join").await, 409, "game_not_waiting");
    // Asked again for what is so already, it is said again.
    assert_eq!(a.does(&id, "resign").await.expect(200), over);
    assert_eq!(stranger.does(&id, "tick").await.expect(200), over);
    let wrong = a
        .send(
            reqwest::Method::DELETE,
            &format!("/live/v1/games/{id}"),
            None,
            &[],
        )
        .await;
    assert_eq!(wrong.status, 405);
}
