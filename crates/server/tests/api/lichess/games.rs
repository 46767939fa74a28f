//! Section 7: the stream of a game.

use serde_json::{Value, json};

use super::{Player, play};
use crate::client::{Server, blitz};

#[tokio::test]
async fn s7_game_full_is_the_first_line() {
    let server = Server::start().await;
    let (ann, bot) = (
        Player::person(&server, "Ann").await,
        Player::bot(&server, "Robot").await,
    );
    let id = ann.plays(&bot, json!({})).await;
    let mut board = bot.board(&id).await;
    let first = board.raw().await.expect("a line");
    let full: Value = serde_json::from_str(&first).expect("no blank line before it");
    assert_eq!(
        (&full["type"], &full["id"]),
        (&json!("gameFull"), &json!(id))
    );
    assert_eq!(full["variant"]["name"], "Standard");
    assert_eq!(
        full["clock"],
        json!({ "initial": 180_000, "increment": 2_000 })
    );
    assert_eq!(
        (&full["speed"], &full["perf"]["name"]),
        (&json!("blitz"), &json!("Blitz"))
    );
    assert_eq!(full["initialFen"], "startpos");
    assert!(
        full["createdAt"]
            .as_u64()
            .is_some_and(|ms| ms > 1_700_000_000_000),
        "{full}"
    );
    let white =
        json!({ "id": "ann", "name": "Ann", "title": null, "rating": 1500, "provisional": true });
    assert_eq!(full["white"], white);
    assert_eq!(
        (&full["black"]["name"], &full["black"]["title"]),
        (&json!("Robot"), &json!("BOT"))
    );
    let state = &full["state"];
    assert_eq!(
        (&state["type"], &state["status"]),
        (&json!("gameState"), &json!("started"))
    );
    assert_eq!(state["moves"], "");
    for (field, value) in [
        ("wtime", 180_000),
        ("btime", 180_000),
        ("winc", 2_000),
        ("binc", 2_000),
    ] {
        assert_eq!(state[field], json!(value), "{field}");
    }
    assert_eq!(state["expiration"]["millisToMove"], 25_000);
    assert_eq!(state.get("winner"), None);
}

#[tokio::test]
async fn s7_every_change_is_told_and_the_end_ends_the_stream() {
    let server = Server::start().await;
    let (ann, bob) = (
        Player::person(&server, "ann").await,
        Player::person(&server, "bob").await,
    );
    let id = ann.plays(&bob, json!({})).await;
    let (mut anns, mut bobs) = (ann.board(&id).await, bob.board(&id).await);
    for board in [&mut anns, &mut bobs] {
        assert_eq!(board.next().await["type"], "gameFull");
    }
    let mut moves = String::new();
    for (ply, uci) in ["f2f3", "e7e5", "g2g4", "d8h4"].iter().enumerate() {
        let player = if ply % 2 == 0 { &ann } else { &bob };
        player.done(&id, &format!("move/{uci}")).await;
        moves = format!("{moves} {uci}").trim().to_owned();
        for board in [&mut anns, &mut bobs] {
            let state = board.next().await;
            assert_eq!(state["type"], "gameState");
            assert_eq!(state["moves"], json!(moves));
            for clock in ["wtime", "btime", "winc", "binc"] {
                assert!(state[clock].is_u64(), "{clock}: {state}");
            }
            match ply {
                3 => {
                    assert_eq!(state["status"], "mate");
                    assert_eq!(state["winner"], "black");
                }
                _ => assert_eq!(state["status"], "started"),
            }
        }
    }
    anns.ends().await;
    bobs.ends().await;
    // Whoever comes late is told all of it, and no more.
    let mut late = ann.board(&id).await;
    let full = late.next().await;
    assert_eq!(
        (&full["type"], &full["state"]["status"]),
        (&json!("gameFull"), &json!("mate"))
    );
    assert_eq!(full["state"]["moves"], json!(moves));
    late.ends().await;
}

#[tokio::test]
async fn s7_without_a_clock_the_times_are_numbers_all_the_same() {
    let server = Server::start().await;
    let (ann, bob) = (
        Player::person(&server, "ann").await,
        Player::person(&server, "bob").await,
    );
    let (_, made) = ann.post("/api/challenge/bob").await;
    let id = made["id"].as_str().expect("an id");
    bob.post(&format!("/api/challenge/{id}/accept")).await;
    let full = bob.board(id).await.next().await;
    assert_eq!(full.get("clock"), None);
    assert_eq!(full["speed"], "correspondence");
    let state = &full["state"];
    for (field, value) in [
        ("wtime", 2_147_483_647_u32),
        ("btime", 2_147_483_647),
        ("winc", 0),
        ("binc", 0),
    ] {
        assert_eq!(state[field], json!(value), "{field}");
    }
    let (_, made) = ann
        .post_json("/api/challenge/bob", json!({ "days": 2 }))
        .await;
    let id = made["id"].as_str().expect("an id");
    bob.post(&format!("/api/challenge/{id}/accept")).await;
    let full = bob.board(id).await.next().await;
    assert_eq!(full["daysPerTurn"], 2);
    let left = full["state"]["wtime"].as_u64().expect("a number");
    assert!((172_000_000..=172_800_000).contains(&left), "{left}");
}

#[tokio::test]
async fn s7_a_blank_line_comes_in_less_than_seven_seconds() {
    let server = Server::start().await;
    let (ann, bob) = (
        Player::person(&server, "ann").await,
        Player::person(&server, "bob").await,
    );
    let id = ann.plays(&bob, json!({})).await;
    let mut board = ann.board(&id).await;
    board.next().await;
    // Who has a stream is there, and nothing is said of them.
    let _there = bob.board(&id).await;
    board.is_kept_alive().await;
}

#[tokio::test]
async fn s7_what_waits_is_no_game() {
    let server = Server::start().await;
    let (ann, bob) = (
        Player::person(&server, "ann").await,
        Player::person(&server, "bob").await,
    );
    let id = ann.challenges(&bob, json!({})).await;
    for player in [&ann, &bob] {
        let (status, _) = player.get(&format!("/api/board/game/stream/{id}")).await;
        assert_eq!(status, 404);
    }
    let eve = Player::person(&server, "eve").await;
    bob.post(&format!("/api/challenge/{id}/accept")).await;
    let (status, body) = eve.get(&format!("/api/board/game/stream/{id}")).await;
    assert_eq!((status, &body["error"]), (404, &json!("Not your game")));
}

#[tokio::test]
async fn s7_a_newer_stream_of_the_same_client_ends_the_older_one() {
    let server = Server::start().await;
    let (ann, bob) = (
        Player::person(&server, "ann").await,
        Player::person(&server, "bob").await,
    );
    let id = ann.plays(&bob, json!({})).await;
    let path = format!("/api/board/game/stream/{id}");
    let mut first = ann.stream_as(&path, "lichess-bot/1 user:ann").await;
    let mut other = ann.stream_as(&path, "a phone").await;
    let mut second = ann.stream_as(&path, "lichess-bot/1 user:ann").await;
    first.next().await;
    first.ends().await;
    ann.done(&id, "move/e2e4").await;
    for board in [&mut other, &mut second] {
        board.next().await;
        assert_eq!(board.next().await["moves"], "e2e4");
    }
}

#[tokio::test]
async fn s7_castling_is_written_as_each_variant_has_it_and_read_both_ways() {
    let server = Server::start().await;
    let (ann, bob) = (
        Player::person(&server, "ann").await,
        Player::person(&server, "bob").await,
    );
    let line = "e2e4 e7e5 g1f3 g8f6 f1c4 f8c5";
    for (variant, written) in [("standard", "e1g1 e8g8"), ("crazyhouse", "e1h1 e8h8")] {
        for spelled in ["e1g1 e8g8", "e1h1 e8h8"] {
            let id = ann.plays(&bob, json!({ "variant": variant })).await;
            play(&ann, &bob, &id, &format!("{line} {spelled}")).await;
            let full = ann.board(&id).await.next().await;
            let moves = full["state"]["moves"].as_str().expect("moves");
            assert_eq!(moves, format!("{line} {written}"), "{variant}, {spelled}");
        }
    }
}

#[tokio::test]
async fn s7_promotions_and_drops() {
    let server = Server::start().await;
    let (ann, bob) = (
        Player::person(&server, "ann").await,
        Player::person(&server, "bob").await,
    );
    let fen = "7k/4P3/8/8/8/8/8/K7 w - - 0 1";
    let id = ann.plays(&bob, json!({ "fen": fen })).await;
    ann.done(&id, "move/e7e8q").await;
    let full = ann.board(&id).await.next().await;
    assert_eq!(full["state"]["moves"], "e7e8q");
    let id = ann.plays(&bob, json!({ "variant": "crazyhouse" })).await;
    play(&ann, &bob, &id, "e2e4 d7d5 e4d5 d8d5 P@e4").await;
    let full = ann.board(&id).await.next().await;
    assert_eq!(full["state"]["moves"], "e2e4 d7d5 e4d5 d8d5 P@e4");
}

#[tokio::test]
async fn s7_players_hear_each_other_and_no_observer() {
    let server = Server::start().await;
    let (ann, bot) = (
        Player::person(&server, "Ann").await,
        Player::bot(&server, "Robot").await,
    );
    let eve = Player::person(&server, "eve").await;
    let id = ann.plays(&bot, json!({})).await;
    let (mut anns, mut bots) = (ann.board(&id).await, bot.board(&id).await);
    anns.next().await;
    bots.next().await;
    let says = async |player: &Player, room: &str, text: &str| {
        let path = format!("{}/game/{id}/chat", player.api);
        let said = player
            .post_json(&path, json!({ "room": room, "text": text }))
            .await;
        assert_eq!(said, (200, json!({ "ok": true })));
    };
    let watches = json!({ "text": "play Qh5", "audience": "room" });
    eve.client
        .post(&format!("/v1/games/{id}/chat"), watches)
        .await
        .expect(201);
    says(&ann, "player", "hello").await;
    says(&ann, "spectator", "they will never see it").await;
    says(&bot, "spectator", "to the crowd").await;
    says(&bot, "player", "good luck").await;
    let line = |room: &str, username: &str, text: &str| json!({ "type": "chatLine", "room": room, "username": username, "text": text });
    // A person is told the players' room alone; a bot what it said itself besides.
    assert_eq!(anns.next().await, line("player", "Ann", "hello"));
    assert_eq!(anns.next().await, line("player", "Robot", "good luck"));
    assert_eq!(bots.next().await, line("player", "Ann", "hello"));
    assert_eq!(
        bots.next().await,
        line("spectator", "Robot", "to the crowd")
    );
    assert_eq!(bots.next().await, line("player", "Robot", "good luck"));
    let (status, said) = bot.get(&format!("/api/bot/game/{id}/chat")).await;
    let lines =
        json!([{ "user": "Ann", "text": "hello" }, { "user": "Robot", "text": "good luck" }]);
    assert_eq!((status, said), (200, lines));
    ann.done(&id, "abort").await;
    for board in [&mut anns, &mut bots] {
        assert_eq!(board.next().await["status"], "aborted");
        board.ends().await;
    }
}

#[tokio::test]
async fn s7_an_opponent_who_leaves_is_told_of() {
    let server = Server::start().await;
    let (ann, bob) = (
        Player::person(&server, "ann").await,
        Player::person(&server, "bob").await,
    );
    let id = ann
        .plays(&bob, json!({ "clock.limit": 60, "clock.increment": 0 }))
        .await;
    let mut anns = ann.board(&id).await;
    let bobs = bob.board(&id).await;
    play(&ann, &bob, &id, "e2e4 e7e5 g1f3").await;
    drop(bobs);
    let gone = anns.until("opponentGone").await;
    assert_eq!(gone["gone"], true);
    assert!(
        gone["claimWinInSeconds"]
            .as_u64()
            .is_some_and(|left| left <= 10),
        "{gone}"
    );
    let again = anns.until("opponentGone").await;
    assert!(again["claimWinInSeconds"].as_u64() < gone["claimWinInSeconds"].as_u64());
    let _bobs = bob.board(&id).await;
    let back = anns.until("opponentGone").await;
    assert_eq!(back, json!({ "type": "opponentGone", "gone": false }));
}

#[tokio::test]
async fn s7_times_are_those_of_the_moment_of_sending() {
    let server = Server::start().await;
    let (ann, bob) = (
        Player::person(&server, "ann").await,
        Player::person(&server, "bob").await,
    );
    let id = ann
        .plays(&bob, json!({ "clock.limit": 60, "clock.increment": 0 }))
        .await;
    let full = ann.board(&id).await.next().await;
    assert_eq!(
        full["state"]["wtime"], 60_000,
        "nothing runs before the second move"
    );
    play(&ann, &bob, &id, "e2e4 e7e5").await;
    tokio::time::sleep(std::time::Duration::from_millis(300)).await;
    let full = ann.board(&id).await.next().await;
    let left = full["state"]["wtime"].as_u64().expect("a number");
    assert!((1..=59_700).contains(&left), "{left}");
    assert_eq!(full["state"]["btime"], 60_000);
    assert_eq!(full["state"].get("expiration"), None);
}

#[tokio::test]
async fn s7_a_game_of_another_door_is_played_here() {
    let server = Server::start().await;
    let (ann, bob) = (
        Player::person(&server, "ann").await,
        Player::person(&server, "bob").await,
    );
    let mut terms = blitz();
    terms["opponent_id"] = json!("bob");
    let game = ann.client.post("/v1/games", terms).await.expect(201);
    let id = game["id"].as_str().expect("an id");
    bob.client.asks(id, "join").await.expect(200);
    let mut board = bob.board(id).await;
    let full = board.next().await;
    assert_eq!(
        full["state"].get("expiration"),
        None,
        "its clock runs from the start"
    );
    ann.client.plays(id, "e4").await.expect(200);
    assert_eq!(board.next().await["moves"], "e2e4");
    bob.done(id, "move/e7e5").await;
    assert_eq!(ann.client.game(id).await["ply"], 2);
}
