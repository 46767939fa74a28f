//! What this door makes of games that came in by another.

use serde_json::json;

use super::player::{Player, pair, uuid_of};
use crate::client::{Server, blitz};

#[tokio::test]
async fn health_names_the_service() {
    let server = Server::start().await;
    let health = server.nobody().get("/live/health").await.expect(200);
    assert_eq!(
        health,
        json!({ "status": "ok", "service": "live-game-api" })
    );
}

#[tokio::test]
async fn moves_are_counted_whichever_door_they_come_in_by() {
    let server = Server::start().await;
    let (a, b, id) = pair(&server).await;
    super::player::play(&a, &b, &id, "e2e4 e7e5").await;
    a.moves(&id, "a1a8").await.expect(400);
    let metrics = server.nobody().get("/metrics").await.text;
    for line in [
        "arbiter_moves_total{outcome=\"accepted\"} 2",
        "arbiter_moves_total{outcome=\"illegal_move\"} 1",
    ] {
        assert!(metrics.contains(line), "{line}\n{metrics}");
    }
}

/// Declined, cancelled and aborted are one here.
#[tokio::test]
async fn a_game_that_came_to_nothing_is_aborted() {
    let server = Server::start().await;
    let a = Player::registered(&server, "ann").await;
    let b = Player::registered(&server, "ben").await;
    for (who, how) in [(&b, "decline"), (&a, "cancel"), (&b, "abort")] {
        let mut terms = blitz();
        terms["opponent_id"] = json!(b.id);
        let game = a.post("/v1/games", terms).await.expect(201);
        let id = game["id"].as_str().expect("an id");
        if how == "abort" {
            b.asks(id, "join").await.expect(200);
        }
        who.asks(id, how).await.expect(200);
        let shown = a.sees(&uuid_of(id)).await;
        assert_eq!(shown["status"], "ended", "{how}");
        assert_eq!(
            (&shown["result"], &shown["end_reason"]),
            (&json!(null), &json!("aborted"))
        );
        assert!(shown["ended_at"].is_string());
        let white = match how {
            "abort" => json!(a.account_id),
            _ => json!(null),
        };
        assert_eq!(shown["white"]["account_id"], white, "{how}");
    }
}

#[tokio::test]
async fn a_paused_game_is_in_progress() {
    let server = Server::start().await;
    let (white, black, id) = server.blitz().await;
    crate::client::play(&white, &black, &id, "e4 e5").await;
    white.asks(&id, "offer-pause").await.expect(200);
    black.asks(&id, "accept-pause").await.expect(200);
    assert_eq!(white.game(&id).await["state"], "PAUSED");
    let player = Player::of(white).await;
    let shown = player.sees(&uuid_of(&id)).await;
    assert_eq!(shown["status"], "in_progress");
    super::player::refused(
        &player.moves(&uuid_of(&id), "g1f3").await,
        409,
        "game_not_active",
    );
}

/// Delays and stages have a clock: what it starts with is shown.
#[tokio::test]
async fn every_clock_that_counts_seconds_is_here() {
    let server = Server::start().await;
    let a = Player::registered(&server, "ann").await;
    for control in [
        json!({ "initial_seconds": 300, "delay_seconds": 5, "delay": "us" }),
        json!({ "stages": [
            { "moves": 40, "initial_seconds": 300, "increment_seconds": 2 },
            { "initial_seconds": 60, "increment_seconds": 2 },
        ] }),
    ] {
        let game = a
            .post("/v1/games", json!({ "time_control": control }))
            .await
            .expect(201);
        let shown = a.sees(&uuid_of(game["id"].as_str().expect("an id"))).await;
        assert_eq!(shown["white"]["remaining_ms"], 300_000);
    }
}

#[tokio::test]
async fn black_may_begin_from_a_position_that_was_set_up() {
    let server = Server::start().await;
    let mut terms = blitz();
    terms["initial_fen"] = json!("4k3/8/8/8/8/8/4P3/4K3 b - - 0 7");
    let (white, black, id) = server.game(terms).await;
    black.plays(&id, "Kd7").await.expect(200);
    white.plays(&id, "e4").await.expect(200);
    let shown = Player::of(white).await.sees(&uuid_of(&id)).await;
    let told = |index: usize| {
        let played = &shown["moves"][index];
        [&played["move_number"], &played["color"], &played["san"]].map(Clone::clone)
    };
    assert_eq!(told(0), [json!(7), json!("b"), json!("Kd7")]);
    assert_eq!(told(1), [json!(8), json!("w"), json!("e4")]);
}

/// Whoever only watches sees as late as everywhere.
#[tokio::test]
async fn spectators_are_as_late_here_as_at_any_door() {
    let server = Server::start().await;
    let (a, b, _) = pair(&server).await;
    let spectator = Player::registered(&server, "cid").await;
    let mut terms = blitz();
    terms["spectator_delay_seconds"] = json!(900);
    terms["opponent_id"] = json!(b.id);
    let game = a.post("/v1/games", terms).await.expect(201);
    let native = game["id"].as_str().expect("an id");
    let id = uuid_of(native);
    b.does(&id, "join").await.expect(200);
    let mut socket = spectator.listens(&format!("/live/v1/games/{id}/ws")).await;
    let first = socket.next().await;
    let before = spectator.sees(&id).await;
    a.moves(&id, "e2e4").await.expect(200);
    b.does(&id, "resign").await.expect(200);
    assert_eq!(a.sees(&id).await["status"], "ended");
    assert_eq!(spectator.sees(&id).await, before);
    assert_eq!(spectator.does(&id, "tick").await.expect(200), before);
    assert_eq!(first, before);
    // What they say at another door is told there, and here nothing is.
    let path = format!("/v1/games/{native}/chat");
    spectator
        .post(&path, json!({ "text": "well" }))
        .await
        .expect(201);
    assert_eq!(spectator.sees(&id).await, before);
}

/// Whoever listened before they joined is a player from then on, and told as one.
#[tokio::test]
async fn a_socket_becomes_a_player_s_when_its_owner_joins() {
    let server = Server::start().await;
    let (a, b, _) = pair(&server).await;
    let mut terms = blitz();
    terms["spectator_delay_seconds"] = json!(900);
    let game = a.post("/v1/games", terms).await.expect(201);
    let id = uuid_of(game["id"].as_str().expect("an id"));
    let mut socket = b.listens(&format!("/live/v1/games/{id}/ws")).await;
    assert_eq!(socket.next().await["status"], "waiting_for_opponent");
    b.does(&id, "join").await.expect(200);
    assert_eq!(socket.next().await["status"], "in_progress");
    a.moves(&id, "e2e4").await.expect(200);
    assert_eq!(socket.next().await["moves"][0]["san"], "e4");
}

/// What is kept in memory of a game is given up, and it is shown as before.
#[tokio::test]
async fn a_game_is_the_same_after_a_restart() {
    let mut server = Server::start().await;
    let (a, b, id) = pair(&server).await;
    super::player::play(&a, &b, &id, "f2f3 e7e5 g2g4 d8h4").await;
    let before = a.sees(&id).await;
    assert_eq!(
        (&before["result"], &before["end_reason"]),
        (&json!("0-1"), &json!("checkmate"))
    );
    server.restart().await;
    let a = Player {
        client: server.again(&a),
        ..a
    };
    assert_eq!(a.sees(&id).await, before);
}
