//! The guard table of the moves call, row by row, over HTTP.

use serde_json::json;

use crate::client::{Server, blitz, play};

#[tokio::test]
async fn every_guard_answers_with_its_status_and_code() {
    let server = Server::start().await;
    let (white, black, id) = server.blitz().await;
    let stranger = server.guest().await;
    let moves = format!("/v1/games/{id}/moves");
    let e4 = json!({ "move": "e2e4", "ply": 1 });

    // Before the table: who is calling, how much, and whether it is JSON.
    server
        .nobody()
        .post(&moves, e4.clone())
        .await
        .refused(401, "unauthorized");
    let big = json!({ "move": "e".repeat(20_000) });
    white.post(&moves, big).await.refused(413, "too_large");
    let broken = white
        .send(
            reqwest::Method::POST,
            &moves,
            Some("{\"move\":".into()),
            &[],
        )
        .await;
    broken.refused(400, "bad_request");
    let typed = white
        .post(&moves, json!({ "move": "e2e4", "ply": "one" }))
        .await;
    assert_eq!(typed.refused(400, "bad_request")["field"], "ply");

    white
        .post("/v1/games/zzzzzzzz/moves", e4.clone())
        .await
        .refused(404, "game_not_found");
    white
        .post("/v1/games/AAAAAAAA/moves", e4.clone())
        .await
        .refused(404, "game_not_found");
    stranger
        .post(&moves, e4.clone())
        .await
        .refused(403, "not_a_player");
    let turn = black
        .plays_at(&id, "e7e5", 1)
        .await
        .refused(409, "wrong_turn");
    assert_eq!(
        (&turn["current_ply"], &turn["to_move"]),
        (&json!(0), &json!("white"))
    );
    let ahead = white
        .plays_at(&id, "e2e4", 3)
        .await
        .refused(409, "ply_ahead");
    assert_eq!(ahead["current_ply"], 0);
    white.plays(&id, "e2e99").await.refused(400, "bad_move");
    white
        .post(&moves, json!({ "ply": 1 }))
        .await
        .refused(400, "bad_move");
    white.plays(&id, "e2e5").await.refused(422, "illegal_move");

    white
        .post(&moves, json!({ "from": "e2", "to": "e4" }))
        .await
        .expect(200);
    let stale = white
        .plays_at(&id, "d2d4", 1)
        .await
        .refused(409, "stale_ply");
    assert_eq!(
        (&stale["current_ply"], &stale["to_move"]),
        (&json!(1), &json!("black"))
    );

    black.asks(&id, "resign").await.expect(200);
    let over = black
        .plays_at(&id, "e7e5", 2)
        .await
        .refused(409, "game_not_active");
    assert_eq!(over["game_state"], "COMPLETED");
}

#[tokio::test]
async fn a_move_after_the_flag_fell_ends_the_game() {
    let server = Server::start().await;
    let request = json!({ "time_control": { "initial_seconds": 1, "increment_seconds": 0 } });
    let (white, _, id) = server.game(request).await;
    // The server's own timer ends the game; whoever comes later finds it so.
    let mut game = white.game(&id).await;
    while game["state"] == "ACTIVE" {
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
        game = white.game(&id).await;
    }
    assert_eq!(
        (&game["result"], &game["reason"]),
        (&json!("black_wins"), &json!("timeout"))
    );
    assert_eq!(game["clock_ms"]["white"], 0);
    white
        .plays(&id, "e2e4")
        .await
        .refused(409, "game_not_active");
}

#[tokio::test]
async fn after_a_takeback_an_old_version_is_stale() {
    let server = Server::start().await;
    let (white, black, id) = server.blitz().await;
    play(&white, &black, &id, "e4 e5").await;
    white.asks(&id, "offer-takeback").await.expect(200);
    let game = black.asks(&id, "accept-takeback").await.expect(200);
    assert_eq!((&game["ply"], &game["san"]), (&json!(0), &json!([])));
    let late = json!({ "move": "e2e4", "ply": 1, "version": 3 });
    let moves = format!("/v1/games/{id}/moves");
    white.post(&moves, late).await.refused(409, "stale_ply");
    let fresh = json!({ "move": "d2d4", "ply": 1, "version": game["version"] });
    white.post(&moves, fresh).await.expect(200);
}

#[tokio::test]
async fn a_waiting_game_takes_no_moves() {
    let server = Server::start().await;
    let white = server.guest().await;
    let game = white.post("/v1/games", blitz()).await.expect(201);
    let id = game["id"].as_str().expect("an id");
    let refused = white
        .plays(id, "e2e4")
        .await
        .refused(409, "game_not_active");
    assert_eq!(refused["game_state"], "WAITING");
}
