//! Section 5: the stream of what concerns an account.

use serde_json::json;

use super::{Player, play};
use crate::client::Server;

#[tokio::test]
async fn s5_what_waits_and_what_runs_is_told_once_on_opening() {
    let server = Server::start().await;
    let (ann, bob) = (
        Player::person(&server, "ann").await,
        Player::person(&server, "bob").await,
    );
    let running = ann.plays(&bob, json!({})).await;
    let waiting = ann.challenges(&bob, json!({})).await;
    let mut events = bob.events().await;
    let start = events.next().await;
    assert_eq!(
        (&start["type"], &start["game"]["id"]),
        (&json!("gameStart"), &json!(running))
    );
    let challenge = events.next().await;
    assert_eq!(challenge["type"], "challenge");
    assert_eq!(challenge["challenge"]["id"], json!(waiting));
    assert_eq!(challenge["challenge"]["direction"], "in");
    // Whoever made it is not told of it on opening, but of the game.
    let mut own = ann.events().await;
    assert_eq!(own.next().await["type"], "gameStart");
    bob.post(&format!("/api/challenge/{waiting}/accept")).await;
    for events in [&mut events, &mut own] {
        let start = events.next().await;
        assert_eq!(
            start["type"], "gameStart",
            "not another challenge, nor the first game again"
        );
        assert_eq!(
            start["game"]["id"],
            json!(waiting),
            "the challenge's own id"
        );
    }
}

#[tokio::test]
async fn s5_a_blank_line_comes_by_itself_in_less_than_seven_seconds() {
    let server = Server::start().await;
    let ann = Player::person(&server, "ann").await;
    let mut events = ann.events().await;
    for _ in 0..2 {
        events.is_kept_alive().await;
    }
}

#[tokio::test]
async fn s5_games_are_told_to_both_with_all_that_is_required() {
    let server = Server::start().await;
    let (ann, bot) = (
        Player::person(&server, "Ann").await,
        Player::bot(&server, "Robot").await,
    );
    let (mut anns, mut bots) = (ann.events().await, bot.events().await);
    let id = ann
        .plays(&bot, json!({ "clock.limit": 300, "clock.increment": 0 }))
        .await;
    for (events, color, opponent, turn) in [
        (&mut anns, "white", "Robot", true),
        (&mut bots, "black", "Ann", false),
    ] {
        let start = events.until("gameStart").await;
        let game = &start["game"];
        assert_eq!((&game["id"], &game["gameId"]), (&json!(id), &json!(id)));
        assert_eq!(game["color"], color);
        assert_eq!(game["opponent"]["username"], opponent);
        assert_eq!(game["opponent"]["id"], opponent.to_lowercase());
        assert_eq!(
            (&game["isMyTurn"], &game["hasMoved"]),
            (&json!(turn), &json!(false))
        );
        assert_eq!(game["status"], json!({ "id": 20, "name": "started" }));
        assert_eq!(
            game["variant"],
            json!({ "key": "standard", "name": "Standard" })
        );
        assert_eq!(
            (&game["speed"], &game["perf"]),
            (&json!("blitz"), &json!("blitz"))
        );
        assert_eq!(
            (&game["lastMove"], &game["source"]),
            (&json!(""), &json!("friend"))
        );
        assert_eq!(
            (&game["secondsLeft"], &game["rated"]),
            (&json!(300), &json!(false))
        );
        assert_eq!(game["compat"], json!({ "bot": true, "board": true }));
        assert!(
            game["fen"]
                .as_str()
                .is_some_and(|fen| fen.starts_with("rnbqkbnr/"))
        );
    }
    play(&ann, &bot, &id, "f2f3 e7e5 g2g4 d8h4").await;
    for events in [&mut anns, &mut bots] {
        let finish = events.next().await;
        assert_eq!(finish["type"], "gameFinish");
        assert_eq!(finish["game"]["id"], json!(id));
        assert_eq!(
            finish["game"]["status"],
            json!({ "id": 30, "name": "mate" })
        );
        assert_eq!(finish["game"]["winner"], "black");
        assert_eq!(finish["game"]["lastMove"], "d8h4");
        assert_eq!(finish["game"]["isMyTurn"], false);
    }
}

#[tokio::test]
async fn s5_challenges_are_echoed_to_whoever_makes_them() {
    let server = Server::start().await;
    let (ann, bob) = (
        Player::person(&server, "Ann").await,
        Player::person(&server, "bob").await,
    );
    let (mut anns, mut bobs) = (ann.events().await, bob.events().await);
    let id = ann.challenges(&bob, json!({ "color": "random" })).await;
    for (events, direction) in [(&mut anns, "out"), (&mut bobs, "in")] {
        let told = events.next().await;
        assert_eq!(told["type"], "challenge");
        assert_eq!(told["compat"], json!({ "bot": true, "board": true }));
        let challenge = &told["challenge"];
        assert_eq!(challenge["id"], json!(id));
        assert_eq!(challenge["direction"], direction);
        assert_eq!(challenge["challenger"]["name"], "Ann", "as it is written");
        assert_eq!(challenge["status"], "created");
    }
    ann.post(&format!("/api/challenge/{id}/cancel")).await;
    for events in [&mut anns, &mut bobs] {
        let told = events.next().await;
        assert_eq!(told["type"], "challengeCanceled");
        assert_eq!(told["challenge"]["id"], json!(id));
        assert_eq!(told["challenge"]["status"], "canceled");
    }
}

#[tokio::test]
async fn s5_a_decline_says_why_to_both_by_key_and_sentence() {
    let server = Server::start().await;
    let (ann, bob) = (
        Player::person(&server, "ann").await,
        Player::person(&server, "bob").await,
    );
    let (mut anns, mut bobs) = (ann.events().await, bob.events().await);
    // As berserk sends it, as lichess-bot does, something else, nothing.
    for (how, key) in [
        ("json", "toofast"),
        ("form", "nobot"),
        ("odd", "generic"),
        ("", "generic"),
    ] {
        let id = ann.challenges(&bob, json!({})).await;
        let path = format!("/api/challenge/{id}/decline");
        let (status, _) = match how {
            "json" => bob.post_json(&path, json!({ "reason": "tooFast" })).await,
            "form" => bob.post_form(&path, "reason=noBot").await,
            "odd" => bob.post_json(&path, json!({ "reason": "because" })).await,
            _ => bob.post(&path).await,
        };
        assert_eq!(status, 200, "{how}");
        for events in [&mut anns, &mut bobs] {
            let told = events.until("challengeDeclined").await;
            let challenge = &told["challenge"];
            assert_eq!(challenge["declineReasonKey"], key);
            let sentence = challenge["declineReason"].as_str().expect("a sentence");
            assert!(sentence.len() > 10, "{sentence}");
            assert_eq!(challenge["status"], "declined");
        }
    }
}

#[tokio::test]
async fn s5_a_second_stream_with_the_same_token_ends_the_first() {
    let server = Server::start().await;
    let ann = Player::person(&server, "ann").await;
    let other = ann.with(&["board:play"]).await;
    let mut first = ann.events().await;
    let mut others = other.events().await;
    let mut second = ann.events().await;
    first.ends().await;
    // Another token's goes on.
    let bob = Player::person(&server, "bob").await;
    bob.challenges(&ann, json!({})).await;
    assert_eq!(second.next().await["type"], "challenge");
    assert_eq!(others.next().await["type"], "challenge");
}

#[tokio::test]
async fn s5_opening_again_and_again_is_limited() {
    let server = Server::start_with(|settings| settings.rate_limits = true).await;
    let ann = Player::person(&server, "ann").await;
    let mut status = 0;
    for _ in 0..40 {
        let path = "/api/stream/event";
        let response = ann.send(reqwest::Method::GET, path, None, &[]).await;
        status = response.status().as_u16();
        if status != 200 {
            let body: serde_json::Value = response.json().await.expect("JSON");
            assert!(
                body["error"].is_string() && body["ratelimit"]["seconds"].is_u64(),
                "{body}"
            );
            break;
        }
    }
    assert_eq!(status, 429);
}

#[tokio::test]
async fn s5_a_game_made_at_another_door_is_told_here() {
    let server = Server::start().await;
    let (ann, bob) = (
        Player::person(&server, "ann").await,
        Player::person(&server, "bob").await,
    );
    let mut events = bob.events().await;
    let mut terms = crate::client::blitz();
    terms["opponent_id"] = json!("bob");
    let game = ann.client.post("/v1/games", terms).await.expect(201);
    let id = game["id"].as_str().expect("an id");
    assert_eq!(events.next().await["challenge"]["id"], json!(id));
    bob.client.asks(id, "join").await.expect(200);
    assert_eq!(events.next().await["game"]["id"], json!(id));
    ann.client.asks(id, "resign").await.expect(200);
    let finish = events.next().await;
    assert_eq!(finish["type"], "gameFinish");
}

#[tokio::test]
async fn s5_ratings_are_told_when_a_rated_game_ends() {
    let server = Server::start().await;
    let (ann, bob) = (
        Player::person(&server, "ann").await,
        Player::person(&server, "bob").await,
    );
    let mut events = bob.events().await;
    let id = ann.plays(&bob, json!({ "rated": true })).await;
    play(&ann, &bob, &id, "f2f3 e7e5 g2g4 d8h4").await;
    let start = events.until("gameStart").await;
    assert_eq!(
        (&start["game"]["rated"], &start["game"]["rating"]),
        (&json!(true), &json!(1500))
    );
    let finish = events.until("gameFinish").await;
    assert!(
        finish["game"]["ratingDiff"]
            .as_i64()
            .is_some_and(|diff| diff > 0),
        "{finish}"
    );
    let theirs = &finish["game"]["opponent"]["ratingDiff"];
    assert!(theirs.as_i64().is_some_and(|diff| diff < 0), "{finish}");
}

#[tokio::test]
async fn s14_after_a_loss_of_all_connections_games_are_told_of_again() {
    let server = Server::start().await;
    let (ann, bob) = (
        Player::person(&server, "ann").await,
        Player::person(&server, "bob").await,
    );
    let id = ann.plays(&bob, json!({})).await;
    let events = ann.events().await;
    let board = ann.board(&id).await;
    ann.done(&id, "move/e2e4").await;
    drop((events, board));
    let mut events = ann.events().await;
    assert_eq!(events.next().await["game"]["id"], json!(id));
    let mut board = ann.board(&id).await;
    assert_eq!(board.next().await["state"]["moves"], "e2e4");
    bob.done(&id, "move/e7e5").await;
    assert_eq!(board.next().await["moves"], "e2e4 e7e5");
}

#[tokio::test]
async fn s7_a_game_stream_lost_in_mid_game_ends_the_own_streams() {
    let server = Server::start().await;
    let (ann, bob) = (
        Player::person(&server, "ann").await,
        Player::person(&server, "bob").await,
    );
    let id = ann.plays(&bob, json!({})).await;
    let (mut anns, mut bobs) = (ann.events().await, bob.events().await);
    let mut kept = bob.board(&id).await;
    assert_eq!(kept.next().await["type"], "gameFull");
    let mut lost = ann.board(&id).await;
    assert_eq!(lost.next().await["type"], "gameFull");
    drop(lost);
    assert_eq!(anns.next().await["type"], "gameStart");
    anns.ends().await;
    // Bob's goes on, and Ann's comes back with the game.
    let mut anns = ann.events().await;
    assert_eq!(anns.next().await["game"]["id"], json!(id));
    assert_eq!(bobs.next().await["type"], "gameStart");
    // One that is there again in time ends nothing. What came later shows nothing.
    let board = ann.board(&id).await;
    let lost = std::time::Instant::now();
    drop(board);
    let _again = ann.board(&id).await;
    let is_in_time = lost.elapsed() < std::time::Duration::from_secs(2);
    tokio::time::sleep(std::time::Duration::from_secs(3)).await;
    bob.done(&id, "resign").await;
    assert_eq!(bobs.next().await["type"], "gameFinish");
    if is_in_time {
        assert_eq!(anns.next().await["type"], "gameFinish");
    }
}
