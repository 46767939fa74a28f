//! Section 2: what a limit must never do to a game.

use reqwest::Method;
use serde_json::json;

use super::Player;
use crate::client::Server;

/// One of everything in a second, and no more.
async fn strict() -> Server {
    Server::start_with(|settings| {
        settings.rate_limits = true;
        settings.moves_per_second = 1;
        settings.commands_per_second = 1;
        settings.chat_per_ten_seconds = 1;
        settings.creations_burst = 3;
        settings.creations_per_second = 1;
    })
    .await
}

#[tokio::test]
async fn s2_players_are_never_refused_for_moving_too_often() {
    let server = strict().await;
    let (ann, bob) = (
        Player::person(&server, "ann").await,
        Player::person(&server, "bob").await,
    );
    let id = ann.plays(&bob, json!({})).await;
    super::play(&ann, &bob, &id, "e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 b5a4 g8f6").await;
    for _ in 0..8 {
        ann.done(&id, "draw/yes").await;
        bob.done(&id, "draw/no").await;
        ann.done(&id, "takeback/yes").await;
        bob.done(&id, "takeback/no").await;
    }
    bob.done(&id, "resign").await;
}

#[tokio::test]
async fn s2_too_much_chat_is_dropped_in_silence() {
    let server = strict().await;
    let (ann, bob) = (
        Player::person(&server, "ann").await,
        Player::person(&server, "bob").await,
    );
    let id = ann.plays(&bob, json!({})).await;
    let path = format!("/api/board/game/{id}/chat");
    for n in 0..5 {
        let line = json!({ "room": "player", "text": format!("line {n}") });
        assert_eq!(
            ann.post_json(&path, line).await,
            (200, json!({ "ok": true }))
        );
    }
    let (_, said) = bob.get(&path).await;
    assert_eq!(said.as_array().map(Vec::len), Some(1));
}

#[tokio::test]
async fn s2_too_many_challenges_are_refused_with_the_time_to_wait() {
    let server = strict().await;
    let ann = Player::person(&server, "ann").await;
    Player::person(&server, "bob").await;
    for _ in 0..20 {
        let path = "/api/challenge/bob";
        let response = ann.send(Method::POST, path, None, &[]).await;
        if response.status().as_u16() == 429 {
            assert!(response.headers().contains_key("retry-after"));
            let body: serde_json::Value = response.json().await.expect("JSON");
            assert!(body["error"].is_string(), "{body}");
            assert!(body["ratelimit"]["seconds"].is_u64(), "{body}");
            return;
        }
    }
    panic!("nobody is limited");
}

/// lichess-bot follows each of its games by a stream of its own, and gives up a game whose
/// stream is refused.
#[tokio::test]
async fn s2_a_bot_follows_all_games_that_it_plays() {
    let server = Server::start_with(|settings| settings.rate_limits = true).await;
    let (ann, bot) = (
        Player::person(&server, "ann").await,
        Player::bot(&server, "ada").await,
    );
    let by_days = json!({ "clock.limit": null, "clock.increment": null, "days": 3 });
    let mut streams = vec![bot.events().await];
    for _ in 0..25 {
        let id = ann.plays(&bot, by_days.clone()).await;
        let mut board = bot.board(&id).await;
        assert_eq!(board.next().await["type"], "gameFull");
        streams.push(board);
    }
    // Whatever else it opens is counted as before.
    let mut others = Vec::new();
    for number in 0..20 {
        let path = format!("/api/stream/games/{number}");
        let response = bot.send(Method::POST, &path, None, &[]).await;
        others.push((response.status().as_u16(), response));
    }
    let statuses: Vec<u16> = others.iter().map(|(status, _)| *status).collect();
    assert_eq!(statuses, [&[200; 19][..], &[429]].concat());
}

/// Each of these may ask the store for hundreds of things.
#[tokio::test]
async fn s2_requests_that_name_many_are_limited_by_address() {
    let server = Server::start_with(|settings| settings.rate_limits = true).await;
    let nobody = Player {
        client: server.nobody(),
        name: String::new(),
        api: "/api/board",
    };
    for (method, path) in [
        (Method::POST, "/api/users"),
        (Method::POST, "/api/token/test"),
        (Method::POST, "/api/games/export/_ids"),
        (Method::GET, "/api/bot/online?nb=512"),
    ] {
        let mut last = 200;
        for _ in 0..500 {
            let body = Some(("", "ann".to_owned()));
            let response = nobody.send(method.clone(), path, body, &[]).await;
            last = response.status().as_u16();
            if last != 200 {
                break;
            }
        }
        assert_eq!(last, 429, "{path}");
    }
    assert_eq!(nobody.get("/api/users/status?ids=ann").await.0, 200);
}

#[tokio::test]
async fn s2_without_a_token_a_stream_tells_of_fewer_games() {
    let server = Server::start().await;
    let ann = Player::person(&server, "ann").await;
    let nobody = Player {
        client: server.nobody(),
        ..ann.clone()
    };
    let ids = |many: usize| vec!["aaaaaaaa"; many].join(",");
    for (player, many, expected) in [
        (&nobody, 100, 200),
        (&nobody, 101, 400),
        (&ann, 500, 200),
        (&ann, 501, 400),
    ] {
        let body = Some(("", ids(many)));
        let path = "/api/stream/games/some";
        let response = player.send(Method::POST, path, body, &[]).await;
        assert_eq!(response.status().as_u16(), expected, "{many}");
    }
}
