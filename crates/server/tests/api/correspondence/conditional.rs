//! Conditional moves.

use chess::game::{Command, MoveCommand, Offer};
use serde_json::json;

use super::{bring, by_days, planned, plans};
use crate::client::{Server, blitz};

#[tokio::test]
async fn an_answer_is_played_in_the_instant_of_the_move_it_is_for() {
    let server = Server::start().await;
    let (white, black, id) = server.game(by_days()).await;
    white.plays(&id, "e4").await.expect(200);
    let set = plans(&white, &id, &["e5 Nf3 Nc6 Bb5", "c5 Nf3"]).await;
    let lines = json!([["e7e5", "g1f3", "b8c6", "f1b5"], ["c7c5", "g1f3"]]);
    assert_eq!(set.expect(200), json!({ "lines": lines, "ply": 1 }));

    let moved = black.plays(&id, "e5").await.expect(200);
    assert_eq!((&moved["ply"], &moved["san"]), (&json!(2), &json!("e5")));
    let game = black.game(&id).await;
    assert_eq!(game["san"], json!(["e4", "e5", "Nf3"]));
    let log = black.log(&id).await;
    let [move_, answer] = &log[log.len() - 2..] else {
        panic!("two moves");
    };
    assert_eq!(
        answer["version"].as_u64(),
        move_["version"].as_u64().map(|v| v + 1)
    );
    assert_eq!(answer["at"], move_["at"]);
    assert_eq!(answer["player"], white.id.as_str());
    assert_eq!(planned(&white, &id).await, json!([["b8c6", "f1b5"]]));

    black.plays(&id, "Nc6").await.expect(200);
    let game = white.game(&id).await;
    assert_eq!(game["san"], json!(["e4", "e5", "Nf3", "Nc6", "Bb5"]));
    assert_eq!(planned(&white, &id).await, json!([]));
}

#[tokio::test]
async fn one_can_plan_before_the_opponent_has_moved_at_all() {
    let server = Server::start().await;
    let (white, black, id) = server.game(by_days()).await;
    plans(&black, &id, &["e4 e5 Nf3 Nc6", "d4 d5"])
        .await
        .expect(200);
    let moved = white.plays(&id, "e4").await.expect(200);
    assert_eq!(moved["ply"], 1, "the answer to a move is about the move");
    assert_eq!(white.game(&id).await["ply"], 2);
    assert_eq!(planned(&black, &id).await, json!([["g1f3", "b8c6"]]));
    white.plays(&id, "Nf3").await.expect(200);
    assert_eq!(white.game(&id).await["ply"], 4);
}

/// An answer is held back while a takeback is asked for; once it is not, what both have
/// planned is played to its end.
#[tokio::test]
async fn what_both_planned_is_played_one_after_the_other() {
    let server = Server::start().await;
    let (white, black, id) = server.game(by_days()).await;
    white.plays(&id, "e4").await.expect(200);
    black.plays(&id, "e5").await.expect(200);
    plans(&black, &id, &["Nf3 Nc6 Bb5 a6"]).await.expect(200);
    // Before the answer is given, the move is regretted.
    let moves = Command::Move(MoveCommand::new("Nf3"));
    bring(&server, &white, &id, moves).await;
    bring(&server, &white, &id, Command::Offer(Offer::Takeback)).await;
    plans(&white, &id, &["Nc6 Bb5 a6 Ba4 Nf6 O-O"])
        .await
        .expect(200);
    assert_eq!(white.game(&id).await["ply"], 3);
    black.asks(&id, "decline-takeback").await.expect(200);
    let game = white.game(&id).await;
    let line = json!(["e4", "e5", "Nf3", "Nc6", "Bb5", "a6", "Ba4"]);
    assert_eq!(game["san"], line);
    let log = white.log(&id).await;
    let moves: Vec<_> = log.iter().filter(|entry| entry["type"] == "MOVE").collect();
    let declined = &log[log.len() - 5];
    assert_eq!(declined["type"], "OFFER_DECLINED");
    for answer in &moves[3..] {
        assert_eq!(answer["at"], declined["at"], "all in one instant");
    }
    assert_eq!(planned(&black, &id).await, json!([]));
    assert_eq!(planned(&white, &id).await, json!([["g8f6", "e1g1"]]));
}

#[tokio::test]
async fn what_is_wrong_is_named_by_line_and_half_move() {
    let server = Server::start().await;
    let (white, _, id) = server.game(by_days()).await;
    plans(&white, &id, &["e5 Nf3"])
        .await
        .refused(409, "wrong_turn");
    white.plays(&id, "e4").await.expect(200);
    for (lines, line, half_move) in [
        (&["e5 Nf3", "c5 Ke3"][..], 2, 2),
        (&["e5"], 1, 1),
        (&["e5 Nf3", "e5 Nc3"], 2, 2),
        (&["e5 Nf3 x"], 1, 3),
        (&[""], 1, 1),
    ] {
        let bad = plans(&white, &id, lines).await;
        let bad = bad.refused(422, "bad_conditional_moves");
        assert_eq!(
            (&bad["line"], &bad["half_move"]),
            (&json!(line), &json!(half_move))
        );
    }
    let long = "Nf6 Nf3 Ng8 Ng1 ".repeat(251);
    plans(&white, &id, &[&long])
        .await
        .refused(422, "bad_conditional_moves");
    // What is refused replaces nothing, and an empty list takes all away.
    plans(&white, &id, &["e5 Nf3"]).await.expect(200);
    plans(&white, &id, &["e5"]).await.expect(422);
    assert_eq!(planned(&white, &id).await, json!([["e7e5", "g1f3"]]));
    plans(&white, &id, &[]).await.expect(200);
    assert_eq!(planned(&white, &id).await, json!([]));
}

#[tokio::test]
async fn only_the_players_of_slow_games_plan() {
    let server = Server::start().await;
    let (white, _, id) = server.game(blitz()).await;
    white.plays(&id, "e4").await.expect(200);
    let refused = plans(&white, &id, &["e5 Nf3"]).await;
    let refused = refused.refused(409, "not_allowed");
    let why = refused["detail"].as_str().expect("a sentence");
    assert!(why.contains("days per move"), "{why}");
    let (_, _, id) = server.game(by_days()).await;
    plans(&white, &id, &["e5 Nf3"])
        .await
        .refused(403, "not_a_player");
}

#[tokio::test]
async fn nobody_else_ever_sees_them() {
    let server = Server::start().await;
    let (white, black, id) = server.game(by_days()).await;
    let mut watcher = black.watches(&id).await;
    assert_eq!(watcher.next().await["type"], "STATE");
    white.plays(&id, "e4").await.expect(200);
    assert_eq!(watcher.hears("MOVE").await["san"], "e4");
    let before = (
        black.game(&id).await["version"].clone(),
        black.log(&id).await,
    );
    plans(&white, &id, &["g5 d4"]).await.expect(200);
    assert_eq!(planned(&black, &id).await, json!([]));
    let after = (
        black.game(&id).await["version"].clone(),
        black.log(&id).await,
    );
    assert_eq!(before, after);
    for path in ["", "/log", "/pgn", "/text", "/legal-moves"] {
        let text = black.get(&format!("/v1/games/{id}{path}")).await.text;
        assert!(
            !text.contains("d2d4") && !text.contains("conditional"),
            "{text}"
        );
    }
    let export = black.get("/v1/me/export").await.expect(200);
    assert_eq!(export["conditional_moves"], json!([]));
    let export = white.get("/v1/me/export").await.expect(200);
    assert_eq!(
        export["conditional_moves"][0]["lines"],
        json!(["g7g5 d2d4"])
    );
    // The next thing the watcher hears is what was played.
    black.plays(&id, "c5").await.expect(200);
    assert_eq!(watcher.hears("MOVE").await["san"], "c5");
    assert_eq!(planned(&white, &id).await, json!([]), "the game left them");
}

#[tokio::test]
async fn a_takeback_forgets_them_and_a_draw_offer_is_turned_down_by_them() {
    let server = Server::start().await;
    let (white, black, id) = server.game(by_days()).await;
    for (player, text) in [(&white, "e4"), (&black, "e5"), (&white, "Nf3")] {
        player.plays(&id, text).await.expect(200);
    }
    plans(&white, &id, &["Nc6 Bb5"]).await.expect(200);
    let path = format!("/v1/games/{id}/moves");
    let offering = json!({ "move": "Nc6", "offer_draw": true });
    black.post(&path, offering).await.expect(200);
    let game = white.game(&id).await;
    assert_eq!(game["ply"], 5, "an offer does not stop the answer");
    let log = white.log(&id).await;
    let [.., offering, answer] = &log[..] else {
        panic!("two moves");
    };
    assert_eq!(answer["at"], offering["at"]);
    white.asks(&id, "accept-draw").await.expect(409);

    plans(&white, &id, &["a6 Ba4"]).await.expect(200);
    white.asks(&id, "offer-takeback").await.expect(200);
    black.asks(&id, "accept-takeback").await.expect(200);
    assert_eq!(planned(&white, &id).await, json!([]));
    white.plays(&id, "Bc4").await.expect(200);
    black.plays(&id, "a6").await.expect(200);
    assert_eq!(white.game(&id).await["ply"], 6);
}

#[tokio::test]
async fn an_end_of_the_game_ends_them() {
    let server = Server::start().await;
    let (white, black, id) = server.game(by_days()).await;
    white.plays(&id, "f3").await.expect(200);
    plans(&white, &id, &["e5 g4 Qh4 a3"]).await.expect(422);
    plans(&white, &id, &["e5 g4"]).await.expect(200);
    black.plays(&id, "e5").await.expect(200);
    let mate = black.plays(&id, "Qh4").await.expect(200);
    assert_eq!(mate["reason"], "checkmate");
    assert_eq!(planned(&white, &id).await, json!([]));
    plans(&white, &id, &["e5 Nf3"])
        .await
        .refused(409, "game_not_active");
}
