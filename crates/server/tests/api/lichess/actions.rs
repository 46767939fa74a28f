//! Section 8: what players do.

use serde_json::json;

use super::{Lines, Player, play};
use crate::client::Server;

async fn game(server: &Server) -> (Player, Player, String) {
    let (ann, bob) = (
        Player::person(server, "ann").await,
        Player::person(server, "bob").await,
    );
    let id = ann.plays(&bob, json!({})).await;
    (ann, bob, id)
}

async fn board(player: &Player, id: &str) -> Lines {
    let mut board = player.board(id).await;
    assert_eq!(board.next().await["type"], "gameFull");
    board
}

#[tokio::test]
async fn s8_a_move_is_answered_when_it_is_made_and_refused_with_400() {
    let server = Server::start().await;
    let (ann, bob, id) = game(&server).await;
    ann.done(&id, "move/e2e4?offeringDraw=false").await;
    assert_eq!(ann.client.game(&id).await["ply"], 1);
    for (player, what) in [
        (&ann, "move/e2e4"),
        (&ann, "move/d2d4"),
        (&bob, "move/e2e4"),
        (&bob, "move/e7e4"),
        (&bob, "move/what"),
    ] {
        let (status, body) = player.does(&id, what).await;
        assert_eq!(status, 400, "{what}: {body}");
        assert!(body["error"].is_string(), "{body}");
    }
    bob.done(&id, "move/e7e5").await;
    bob.done(&id, "resign").await;
    assert_eq!(ann.does(&id, "move/g1f3").await.0, 400, "it is over");
}

#[tokio::test]
async fn s8_a_draw_is_offered_with_a_move_and_accepted_with_one() {
    let server = Server::start().await;
    let (ann, bob, id) = game(&server).await;
    let mut bobs = board(&bob, &id).await;
    play(&ann, &bob, &id, "e2e4 e7e5").await;
    ann.done(&id, "move/g1f3?offeringDraw=true").await;
    for _ in 0..2 {
        bobs.next().await;
    }
    let offered = bobs.next().await;
    assert_eq!(
        (&offered["wdraw"], offered.get("bdraw")),
        (&json!(true), None)
    );
    bob.done(&id, "move/b8c6?offeringDraw=true").await;
    let over = bobs.next().await;
    assert_eq!(
        (&over["status"], over.get("winner")),
        (&json!("draw"), None)
    );
    assert_eq!(over["moves"], "e2e4 e7e5 g1f3", "the move is not made");
    bobs.ends().await;
}

#[tokio::test]
async fn s8_moving_declines_a_draw_and_python_spells_its_booleans() {
    let server = Server::start().await;
    let (ann, bob, id) = game(&server).await;
    play(&ann, &bob, &id, "e2e4 e7e5").await;
    ann.done(&id, "move/g1f3?offeringDraw=True").await;
    assert_eq!(bob.client.game(&id).await["draw_offer"], "white");
    bob.done(&id, "move/b8c6?offeringDraw=False").await;
    assert_eq!(bob.client.game(&id).await["draw_offer"], json!(null));
}

#[tokio::test]
async fn s8_draws_are_offered_answered_and_never_an_error() {
    let server = Server::start().await;
    let (ann, bob, id) = game(&server).await;
    // Too early, nothing to decline, twice.
    ann.done(&id, "draw/yes").await;
    ann.done(&id, "draw/no").await;
    play(&ann, &bob, &id, "e2e4 e7e5").await;
    ann.done(&id, "draw/1").await;
    ann.done(&id, "draw/yes").await;
    bob.done(&id, "draw/0").await;
    assert_eq!(bob.client.game(&id).await["draw_offer"], json!(null));
    // Again within twenty half-moves: nothing happens.
    ann.done(&id, "draw/yes").await;
    assert_eq!(bob.client.game(&id).await["draw_offer"], json!(null));
    bob.done(&id, "draw/yes").await;
    ann.done(&id, "draw/true").await;
    let game = ann.client.game(&id).await;
    assert_eq!(
        (&game["state"], &game["reason"]),
        (&json!("COMPLETED"), &json!("draw_agreed"))
    );
}

#[tokio::test]
async fn s8_takebacks_remove_one_or_two_half_moves() {
    let server = Server::start().await;
    let (ann, bob, id) = game(&server).await;
    let mut bobs = board(&bob, &id).await;
    play(&ann, &bob, &id, "e2e4 e7e5 g1f3").await;
    for _ in 0..3 {
        bobs.next().await;
    }
    ann.done(&id, "takeback/yes").await;
    assert_eq!(bobs.next().await["wtakeback"], true);
    bob.done(&id, "takeback/yes").await;
    let state = bobs.next().await;
    assert_eq!(
        (&state["moves"], state.get("wtakeback")),
        (&json!("e2e4 e7e5"), None)
    );
    ann.done(&id, "takeback/1").await;
    bobs.next().await;
    bob.done(&id, "takeback/1").await;
    assert_eq!(
        bobs.next().await["moves"],
        "",
        "two, since the opponent has moved"
    );
    ann.done(&id, "takeback/yes").await;
    ann.done(&id, "takeback/no").await;
    bob.done(&id, "takeback/no").await;
}

#[tokio::test]
async fn s8_aborting_and_resigning_below_two_half_moves() {
    let server = Server::start().await;
    let (ann, bob, id) = game(&server).await;
    let mut anns = board(&ann, &id).await;
    ann.done(&id, "move/e2e4").await;
    bob.done(&id, "resign").await;
    anns.next().await;
    let over = anns.next().await;
    assert_eq!(
        (&over["status"], over.get("winner")),
        (&json!("aborted"), None)
    );
    anns.ends().await;
    let id = ann.plays(&bob, json!({})).await;
    bob.done(&id, "abort").await;
    let id = ann.plays(&bob, json!({})).await;
    play(&ann, &bob, &id, "e2e4 e7e5").await;
    let (status, body) = ann.does(&id, "abort").await;
    assert_eq!(status, 400, "{body}");
    let mut bobs = board(&bob, &id).await;
    ann.done(&id, "resign").await;
    let over = bobs.next().await;
    assert_eq!(
        (&over["status"], &over["winner"]),
        (&json!("resign"), &json!("black"))
    );
}

#[tokio::test]
async fn s8_threefold_repetition_ends_a_game_by_itself() {
    let server = Server::start().await;
    let (ann, bot) = (
        Player::person(&server, "ann").await,
        Player::bot(&server, "robot").await,
    );
    let id = ann.plays(&bot, json!({})).await;
    let mut bots = bot.board(&id).await;
    play(&ann, &bot, &id, "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8").await;
    let over = loop {
        let state = bots.until("gameState").await;
        if state["status"] != "started" {
            break state;
        }
    };
    assert_eq!(
        (&over["status"], over.get("winner")),
        (&json!("draw"), None)
    );
    bots.ends().await;
}

#[tokio::test]
async fn s8_a_flag_falls_without_anybody_saying_so() {
    let server = Server::start().await;
    let (ann, bob) = (
        Player::person(&server, "ann").await,
        Player::person(&server, "bob").await,
    );
    let id = ann
        .plays(&bob, json!({ "clock.limit": 0, "clock.increment": 1 }))
        .await;
    let mut bobs = board(&bob, &id).await;
    play(&ann, &bob, &id, "e2e4 e7e5").await;
    bobs.next().await;
    bobs.next().await;
    let over = bobs.next().await;
    assert_eq!(
        (&over["status"], &over["winner"]),
        (&json!("outoftime"), &json!("black"))
    );
    assert_eq!(over["wtime"], 0);
    bobs.ends().await;
}

#[tokio::test]
async fn s8_claims_and_berserk_are_refused_with_400() {
    let server = Server::start().await;
    let (ann, bob, id) = game(&server).await;
    play(&ann, &bob, &id, "e2e4 e7e5").await;
    for what in ["claim-victory/", "claim-draw", "berserk"] {
        let (status, body) = ann.does(&id, what).await;
        assert_eq!(status, 400, "{what}: {body}");
        assert!(body["error"].is_string(), "{body}");
    }
}

#[tokio::test]
async fn s8_a_win_is_claimed_when_the_opponent_is_long_gone() {
    let server = Server::start().await;
    let (ann, bob) = (
        Player::person(&server, "ann").await,
        Player::person(&server, "bob").await,
    );
    let id = ann
        .plays(&bob, json!({ "clock.limit": 60, "clock.increment": 0 }))
        .await;
    let mut anns = board(&ann, &id).await;
    let bobs = board(&bob, &id).await;
    play(&ann, &bob, &id, "e2e4 e7e5 g1f3").await;
    drop(bobs);
    loop {
        let gone = anns.until("opponentGone").await;
        if gone["claimWinInSeconds"] == 0 {
            break;
        }
    }
    ann.done(&id, "claim-victory/").await;
    let over = anns.until("gameState").await;
    assert_eq!(
        (&over["status"], &over["winner"]),
        (&json!("timeout"), &json!("white"))
    );
    anns.ends().await;
}

#[tokio::test]
async fn s8_chat_always_works_for_players() {
    let server = Server::start().await;
    let (ann, bob, id) = game(&server).await;
    let eve = Player::person(&server, "eve").await;
    let path = format!("/api/board/game/{id}/chat");
    let ok = (200, json!({ "ok": true }));
    for room in ["player", "spectator"] {
        let said = ann
            .post_form(&path, &format!("room={room}&text=good+luck"))
            .await;
        assert_eq!(said, ok, "before the first move");
        let said = bob
            .post_json(&path, json!({ "room": room, "text": "thanks" }))
            .await;
        assert_eq!(said, ok);
    }
    let long = "x".repeat(1_000);
    for text in [&long, "two\nlines", "", "   "] {
        let said = ann
            .post_json(&path, json!({ "room": "player", "text": text }))
            .await;
        assert_eq!(said, ok, "{text:?}");
    }
    assert_eq!(ann.post(&path).await, ok, "nothing at all");
    assert_eq!(eve.post(&path).await.0, 404);
    ann.done(&id, "resign").await;
    for room in ["player", "spectator"] {
        let said = ann
            .post_form(&path, &format!("room={room}&text=good+game"))
            .await;
        assert_eq!(said, ok, "after the end");
    }
    let (_, lines) = bob.get(&path).await;
    let texts = lines.as_array().expect("a list").iter();
    let texts: Vec<_> = texts
        .map(|line| line["text"].as_str().expect("text"))
        .collect();
    assert_eq!(
        texts,
        [
            "good luck",
            "thanks",
            &"x".repeat(140),
            "two lines",
            "good game"
        ]
    );
}

#[tokio::test]
async fn s4_time_is_given_to_the_opponent() {
    let server = Server::start().await;
    let (ann, bob, id) = game(&server).await;
    play(&ann, &bob, &id, "e2e4 e7e5").await;
    let mut bobs = board(&bob, &id).await;
    let (status, body) = ann.post(&format!("/api/round/{id}/add-time/15")).await;
    assert_eq!((status, body), (200, json!({ "ok": true })));
    let state = bobs.next().await;
    assert_eq!(state["btime"], 195_000);
}
