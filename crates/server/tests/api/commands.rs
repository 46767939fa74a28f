//! Every command of the contract, with its codes.

use serde_json::json;

use crate::client::{Server, blitz, play};

#[tokio::test]
async fn resigning_ends_the_game_and_may_be_repeated() {
    let server = Server::start().await;
    let (white, black, id) = server.blitz().await;
    let game = white.asks(&id, "resign").await.expect(200);
    assert_eq!(
        (&game["result"], &game["reason"]),
        (&json!("black_wins"), &json!("resignation"))
    );
    assert_eq!(
        white.asks(&id, "resign").await.expect(200)["version"],
        game["version"]
    );
    black
        .asks(&id, "resign")
        .await
        .refused(409, "game_not_active");
}

#[tokio::test]
async fn aborting_is_for_the_first_moves_only() {
    let server = Server::start().await;
    let (white, black, id) = server.blitz().await;
    play(&white, &black, &id, "e4 e5").await;
    white
        .asks(&id, "abort")
        .await
        .refused(409, "too_late_to_abort");
    let (white, _, id) = server.blitz().await;
    let game = white.asks(&id, "abort").await.expect(200);
    assert_eq!(
        (&game["result"], &game["winner"]),
        (&json!("aborted"), &json!(null))
    );
}

#[tokio::test]
async fn draws_are_offered_declined_and_agreed() {
    let server = Server::start().await;
    let (white, black, id) = server.blitz().await;
    white.asks(&id, "offer-draw").await.refused(409, "too_soon");
    play(&white, &black, &id, "e4 e5").await;
    black
        .asks(&id, "accept-draw")
        .await
        .refused(409, "no_offer");
    assert_eq!(
        white.asks(&id, "offer-draw").await.expect(200)["draw_offer"],
        "white"
    );
    assert_eq!(
        black.asks(&id, "decline-draw").await.expect(200)["draw_offer"],
        json!(null)
    );
    white.asks(&id, "offer-draw").await.refused(409, "too_soon");
    black.asks(&id, "offer-draw").await.expect(200);
    let game = white.asks(&id, "offer-draw").await.expect(200);
    assert_eq!(
        (&game["result"], &game["reason"]),
        (&json!("draw"), &json!("draw_agreed"))
    );
    let (white, _, id) = server.blitz().await;
    white
        .asks(&id, "claim-draw")
        .await
        .refused(409, "nothing_to_claim");
}

#[tokio::test]
async fn a_paused_game_takes_no_moves_until_both_resume() {
    let server = Server::start().await;
    let (white, black, id) = server.blitz().await;
    white.asks(&id, "offer-pause").await.expect(200);
    let game = black.asks(&id, "accept-pause").await.expect(200);
    assert_eq!(
        (&game["state"], &game["paused_by"]),
        (&json!("PAUSED"), &json!("agreement"))
    );
    let refused = white.plays(&id, "e4").await.refused(409, "game_not_active");
    assert_eq!(refused["game_state"], "PAUSED");
    assert_eq!(
        white.asks(&id, "resume").await.expect(200)["state"],
        "PAUSED"
    );
    assert_eq!(
        black.asks(&id, "resume").await.expect(200)["state"],
        "ACTIVE"
    );
    white.plays(&id, "e4").await.expect(200);
}

#[tokio::test]
async fn time_is_given_within_bounds() {
    let server = Server::start().await;
    let (white, _, id) = server.blitz().await;
    let path = format!("/v1/games/{id}/add-time");
    white
        .post(&path, json!({ "seconds": 4 }))
        .await
        .refused(400, "bad_request");
    white
        .post(&path, json!({}))
        .await
        .refused(400, "bad_request");
    let game = white
        .post(&path, json!({ "seconds": 15 }))
        .await
        .expect(200);
    assert_eq!(game["clock_ms"]["black"], 315_000);
}

#[tokio::test]
async fn a_win_may_be_claimed_when_the_opponent_is_gone_for_long_enough() {
    let server = Server::start().await;
    let (white, _, id) = server.blitz().await;
    let refused = white.asks(&id, "claim-win").await;
    let wait = refused.refused(409, "not_yet")["retry_after_seconds"].as_u64();
    assert!(wait.is_some_and(|s| (1..=30).contains(&s)), "{refused:?}");
}

#[tokio::test]
async fn only_the_invited_join_and_only_the_creator_cancels() {
    let server = Server::start().await;
    let (host, friend, stranger) = (
        server.guest().await,
        server.guest().await,
        server.guest().await,
    );
    let mut request = blitz();
    request["opponent_id"] = json!(friend.id);
    let id = host.post("/v1/games", request.clone()).await.expect(201)["id"].clone();
    let id = id.as_str().expect("an id");
    stranger.asks(id, "join").await.refused(403, "not_invited");
    stranger
        .asks(id, "decline")
        .await
        .refused(403, "not_invited");
    stranger
        .asks(id, "cancel")
        .await
        .refused(403, "not_a_player");
    host.asks(id, "join").await.refused(409, "own_game");
    let game = friend.asks(id, "decline").await.expect(200);
    assert_eq!(
        (&game["state"], &game["result"]),
        (&json!("COMPLETED"), &json!("aborted"))
    );
    friend
        .asks(id, "join")
        .await
        .refused(409, "game_not_waiting");

    let id = host.post("/v1/games", request).await.expect(201)["id"].clone();
    host.asks(id.as_str().expect("an id"), "cancel")
        .await
        .expect(200);
}

#[tokio::test]
async fn a_friend_joins_by_code() {
    let server = Server::start().await;
    let (host, friend) = (server.guest().await, server.guest().await);
    let game = host.post("/v1/games", blitz()).await.expect(201);
    let code = game["join_code"].as_str().expect("a code").to_lowercase();
    assert!(friend.game(game["id"].as_str().expect("an id")).await["join_code"].is_null());
    let body = json!({ "join_code": "XXXXXX" });
    friend
        .post("/v1/games/join", body)
        .await
        .refused(404, "game_not_found");
    let joined = friend
        .post("/v1/games/join", json!({ "join_code": code }))
        .await
        .expect(200);
    assert_eq!(
        (&joined["id"], &joined["state"]),
        (&game["id"], &json!("ACTIVE"))
    );
    friend
        .post("/v1/games/join", json!({ "join_code": code }))
        .await
        .refused(404, "game_not_found");
}

#[tokio::test]
async fn two_takebacks_cannot_be_on_offer_at_once() {
    let server = Server::start().await;
    let (white, black, id) = server.blitz().await;
    play(&white, &black, &id, "e4 e5").await;
    white.asks(&id, "offer-takeback").await.expect(200);
    black
        .asks(&id, "offer-takeback")
        .await
        .refused(409, "offer_pending");
}

#[tokio::test]
async fn a_draw_that_may_not_be_offered_with_a_move_is_said_to_be_refused() {
    let mut server = Server::start().await;
    let (white, black, id) = server.blitz().await;
    let path = format!("/v1/games/{id}/moves");
    let offering = |text: &str, ply: u32| json!({ "move": text, "ply": ply, "offer_draw": true });
    let early = white.post(&path, offering("e4", 1)).await;
    assert_eq!(early.expect(200)["draw_offer_refused"], "too_soon");
    black.plays(&id, "e5").await.expect(200);
    let offered = white.post(&path, offering("Nf3", 3)).await;
    assert_eq!(offered.expect(200).get("draw_offer_refused"), None);
    assert_eq!(white.game(&id).await["draw_offer"], "white");
    black.plays(&id, "Nc6").await.expect(200);
    let again = white.post(&path, offering("Bb5", 5)).await;
    assert_eq!(again.expect(200)["draw_offer_refused"], "too_soon");
    assert_eq!(white.game(&id).await["draw_offer"], serde_json::Value::Null);
    // A move that was to offer nothing has nothing refused.
    assert_eq!(
        black
            .plays(&id, "a6")
            .await
            .expect(200)
            .get("draw_offer_refused"),
        None
    );

    server.restart().await;
    let white = server.again(&white);
    for (first, body) in [
        (early, offering("e2e4", 1)),
        (offered, offering("Nf3", 3)),
        (again, offering("Bb5", 5)),
    ] {
        assert_eq!(white.post(&path, body).await, first);
    }
}
