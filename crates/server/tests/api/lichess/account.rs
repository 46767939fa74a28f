//! Sections 2, 4 and 10: tokens, scopes, accounts.

use serde_json::json;

use super::{Player, play};
use crate::client::Server;

#[tokio::test]
async fn s4_a_token_is_tested_by_its_text() {
    let server = Server::start().await;
    let ann = Player::person(&server, "Ann").await;
    let bot = ann.with(&["bot:play", "challenge:read"]).await;
    let (good, bad) = (bot.token(), "lip_unknown");
    let nobody = Player {
        client: server.nobody(),
        ..ann.clone()
    };
    let (status, tested) = nobody
        .post_text("/api/token/test", &format!("{good},{bad}"))
        .await;
    assert_eq!(status, 200);
    assert_eq!(tested[bad], json!(null));
    let expected = json!({ "userId": "ann", "scopes": "bot:play,challenge:read", "expires": null });
    assert_eq!(tested[good], expected);
    // A session ends, and may do everything.
    let (_, tested) = nobody.post_text("/api/token/test", ann.token()).await;
    let session = &tested[ann.token()];
    assert_eq!(
        session["scopes"],
        "bot:play,board:play,challenge:read,challenge:write"
    );
    assert!(
        session["expires"]
            .as_u64()
            .is_some_and(|ms| ms > 1_700_000_000_000),
        "{session}"
    );
    assert_eq!(
        nobody.post_text("/api/token/test", "").await,
        (200, json!({}))
    );
}

#[tokio::test]
async fn s4_a_thousand_tokens_are_tested_at_once() {
    let server = Server::start().await;
    let ann = Player::person(&server, "ann").await;
    let good = ann.with(&["board:play"]).await;
    let length = good.token().len();
    let unknown = (1..1_000).map(|number| format!("{number:0>length$}"));
    let tokens: Vec<String> = unknown.chain([good.token().to_owned()]).collect();
    for path in ["/api/token/test", "/api/token/test/"] {
        let (status, tested) = ann.post_text(path, &tokens.join(",")).await;
        assert_eq!(status, 200, "{tested}");
        assert_eq!(tested.as_object().map(|all| all.len()), Some(1_000));
        assert_eq!(tested[good.token()]["userId"], "ann");
    }
    // No other path takes so much.
    let (status, _) = ann.post_text("/api/users", &tokens.join(",")).await;
    assert_eq!(status, 413);
}

#[tokio::test]
async fn s2_tokens_have_letters_digits_and_underscores_alone() {
    let server = Server::start().await;
    let ann = Player::person(&server, "ann").await;
    let token = ann.with(&["board:play"]).await;
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    assert!(token.token().bytes().all(is_plain), "{}", token.token());
}

#[tokio::test]
async fn s2_one_of_the_scopes_is_enough_and_a_missing_one_is_named() {
    let server = Server::start().await;
    let (ann, bob) = (
        Player::person(&server, "ann").await,
        Player::person(&server, "bob").await,
    );
    let game = ann.plays(&bob, json!({})).await;
    let board = ann.with(&["board:play"]).await;
    let reads = ann.with(&["challenge:read"]).await;
    let writes = ann.with(&["challenge:write"]).await;
    board.done(&game, "move/e2e4").await;
    for other in [&reads, &writes] {
        let (status, body) = other.does(&game, "move/e2e4").await;
        assert_eq!(status, 403, "{body}");
        let error = body["error"].as_str().expect("a sentence");
        assert!(error.starts_with("Missing scope"), "{error}");
    }
    let (status, body) = writes.does(&game, "resign").await;
    assert_eq!(
        (status, &body["error"]),
        (403, &json!("Missing scope: board:play"))
    );
    assert_eq!(writes.post("/api/challenge/bob").await.0, 200);
    assert_eq!(board.post("/api/challenge/bob").await.0, 200);
    assert_eq!(reads.post("/api/challenge/bob").await.0, 403);
    assert_eq!(reads.get("/api/challenge").await.0, 200);
    assert_eq!(board.get("/api/account/playing").await.0, 200);
}

#[tokio::test]
async fn s2_each_api_is_for_its_own_kind_of_account() {
    let server = Server::start().await;
    let (ann, bot) = (
        Player::person(&server, "ann").await,
        Player::bot(&server, "robot").await,
    );
    let game = ann.plays(&bot, json!({})).await;
    let (status, body) = ann.post(&format!("/api/bot/game/{game}/move/e2e4")).await;
    assert_eq!(status, 400, "{body}");
    let (status, body) = bot.post(&format!("/api/board/game/{game}/move/e2e4")).await;
    assert_eq!(status, 403, "{body}");
    play(&ann, &bot, &game, "e2e4 e7e5").await;
}

#[tokio::test]
async fn s2_other_peoples_games_are_not_found() {
    let server = Server::start().await;
    let (ann, bob) = (
        Player::person(&server, "ann").await,
        Player::person(&server, "bob").await,
    );
    let eve = Player::person(&server, "eve").await;
    let game = ann.plays(&bob, json!({})).await;
    for what in [
        "move/e2e4",
        "resign",
        "abort",
        "draw/yes",
        "takeback/yes",
        "claim-victory",
        "chat",
    ] {
        let (status, body) = eve.does(&game, what).await;
        assert_eq!(
            (status, &body["error"]),
            (404, &json!("Not your game")),
            "{what}"
        );
    }
    let (status, body) = eve.does("aaaaaaaa", "resign").await;
    assert_eq!((status, &body["error"]), (404, &json!("No such game")));
}

#[tokio::test]
async fn s4_an_account_that_has_not_played_becomes_a_bot() {
    let server = Server::start().await;
    let (ann, bob) = (
        Player::person(&server, "ann").await,
        Player::person(&server, "bob").await,
    );
    let robot = Player::bot(&server, "Robot").await;
    let (status, account) = robot.get("/api/account").await;
    assert_eq!(status, 200);
    assert_eq!(
        (&account["id"], &account["username"]),
        (&json!("robot"), &json!("Robot"))
    );
    assert_eq!(account["title"], "BOT");
    assert!(account["perfs"].is_object(), "{account}");
    assert_eq!(robot.post("/api/bot/account/upgrade").await.0, 200, "again");
    // Whoever has played as a person stays one; an open challenge is no game.
    let id = bob.challenges(&ann, json!({})).await;
    let board = ann.with(&["board:play"]).await;
    assert_eq!(board.post("/api/bot/account/upgrade").await.0, 403);
    ann.post(&format!("/api/challenge/{id}/accept")).await;
    for player in [&ann, &bob] {
        let (status, body) = player.post("/api/bot/account/upgrade").await;
        assert_eq!(status, 400, "{body}");
    }
    let guest = Player {
        client: server.guest().await,
        ..ann.clone()
    };
    assert_eq!(guest.post("/api/bot/account/upgrade").await.0, 400);
}

#[tokio::test]
async fn s5_games_that_run_are_listed_with_what_clients_need() {
    let server = Server::start().await;
    let (ann, bob) = (
        Player::person(&server, "Ann").await,
        Player::person(&server, "bob").await,
    );
    let first = ann.plays(&bob, json!({})).await;
    let second = bob.plays(&ann, json!({})).await;
    ann.done(&first, "move/e2e4").await;
    let (status, playing) = bob.get("/api/account/playing").await;
    assert_eq!(status, 200);
    assert_eq!(playing["nbMyTurn"], 2);
    let games = playing["nowPlaying"].as_array().expect("a list");
    assert_eq!(games.len(), 2);
    for game in games {
        assert_eq!(game["opponent"]["username"], "Ann");
        assert_eq!(game["speed"], "blitz");
        assert!(
            game.get("compat").is_none() && game.get("id").is_none(),
            "{game}"
        );
    }
    let (_, playing) = ann.get("/api/account/playing?nb=1").await;
    assert_eq!(playing["nowPlaying"].as_array().map(Vec::len), Some(1));
    bob.done(&second, "resign").await;
    let (_, playing) = ann.get("/api/account/playing").await;
    assert_eq!(playing["nowPlaying"][0]["gameId"], json!(first));
    assert_eq!(playing["nowPlaying"][0]["lastMove"], "e2e4");
    assert_eq!(playing["nowPlaying"][0]["isMyTurn"], false);
    assert_eq!(playing["nowPlaying"][0]["hasMoved"], true);
}
