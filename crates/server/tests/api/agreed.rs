//! What players agreed on, as the game shows it and keeps to it.

use serde_json::{Value, json};

use crate::client::{Server, blitz, play};

#[tokio::test]
async fn a_game_that_counts_illegal_attempts_shows_them_and_says_when_they_end_it() {
    let server = Server::start().await;
    let mut request = blitz();
    request["illegal_moves"] = json!({ "forfeit_after": 2 });
    let (white, _, id) = server.game(request).await;
    let shown = white.game(&id).await["illegal_moves"].clone();
    let attempts = json!({ "white": 0, "black": 0 });
    assert_eq!(shown, json!({ "forfeit_after": 2, "attempts": attempts }));
    for _ in 0..2 {
        let first = white.plays_at(&id, "e2e5", 1).await;
        assert_eq!(
            first.refused(422, "illegal_move").get("game_state"),
            None,
            "a retry counts once"
        );
    }
    assert_eq!(
        white.game(&id).await["illegal_moves"]["attempts"]["white"],
        1
    );
    let last = white.plays_at(&id, "e2e6", 1).await;
    let last = last.refused(422, "illegal_move");
    assert_eq!(
        [&last["game_state"], &last["result"], &last["reason"]],
        ["COMPLETED", "black_wins", "adjudicated"]
    );
    let game = white.game(&id).await;
    assert_eq!(game["illegal_moves"]["attempts"]["white"], 2);
    assert_eq!(game["state"], "COMPLETED");

    let (white, _, id) = server.blitz().await;
    assert_eq!(white.game(&id).await["illegal_moves"], json!(null));
}

#[tokio::test]
async fn a_takeback_leaves_what_was_given() {
    let server = Server::start().await;
    let (white, black, id) = server.blitz().await;
    white.plays(&id, "e4").await.expect(200);
    let path = format!("/v1/games/{id}/add-time");
    let gift = json!({ "seconds": 15 });
    white.post(&path, gift).await.expect(200);
    white.asks(&id, "offer-takeback").await.expect(200);
    let game = black.asks(&id, "accept-takeback").await.expect(200);
    assert_eq!(
        (&game["ply"], &game["clock_ms"]["black"]),
        (&json!(0), &json!(315_000))
    );
}

#[tokio::test]
async fn an_adjourned_correspondence_game_has_no_move_deadline_but_an_end_of_the_adjournment() {
    let server = Server::start().await;
    let request = json!({ "time_control": { "days_per_move": 3 } });
    let (white, black, id) = server.game(request).await;
    let game = white.plays(&id, "e4").await.expect(200);
    assert_eq!(game["game_state"], "ACTIVE");
    let game = white.game(&id).await;
    assert!(game["move_deadline"].is_string(), "{game}");
    assert_eq!(game["adjourned_until"], json!(null));
    white.asks(&id, "offer-pause").await.expect(200);
    let game = black.asks(&id, "accept-pause").await.expect(200);
    assert_eq!(game["move_deadline"], json!(null));
    assert!(game["adjourned_until"].is_string(), "{game}");
    let log = white.log(&id).await;
    let paused = log.last().expect("a pause");
    assert_eq!(paused["adjourned_until"], game["adjourned_until"]);
    white.asks(&id, "resume").await.expect(200);
    let game = black.asks(&id, "resume").await.expect(200);
    assert!(game["move_deadline"].is_string(), "{game}");
    assert_eq!(game["adjourned_until"], json!(null));
}

#[tokio::test]
async fn who_is_ready_to_go_on_is_shown_and_told() {
    let server = Server::start().await;
    let (white, black, id) = server.blitz().await;
    let mut watcher = server.nobody().watches(&id).await;
    assert_eq!(watcher.next().await["resume_by"], json!([]));
    white.asks(&id, "offer-pause").await.expect(200);
    black.asks(&id, "accept-pause").await.expect(200);
    let game = black.asks(&id, "resume").await.expect(200);
    assert_eq!(game["resume_by"], json!(["black"]));
    let told = watcher.hears("RESUME_ASKED").await;
    assert_eq!(
        (&told["by"], &told["resume_by"]),
        (&json!("black"), &json!(["black"]))
    );
    let since = format!("/v1/games/{id}/stream?since={}", game["version"]);
    let mut late = server.nobody().listens(&since).await;
    assert_eq!(late.hears("SYNC").await["resume_by"], json!(["black"]));
    let game = white.asks(&id, "resume").await.expect(200);
    assert_eq!(
        (&game["state"], &game["resume_by"]),
        (&json!("ACTIVE"), &json!([]))
    );
}

#[tokio::test]
async fn a_draw_that_is_declined_or_withdrawn_is_told_as_the_offer_is() {
    let server = Server::start().await;
    let (white, black, id) = server.blitz().await;
    play(&white, &black, &id, "e4 e5").await;
    let mut streams = [
        white.watches(&id).await,
        black.watches(&id).await,
        server.nobody().watches(&id).await,
    ];
    white.asks(&id, "offer-draw").await.expect(200);
    black.asks(&id, "decline-draw").await.expect(200);
    black.asks(&id, "offer-draw").await.expect(200);
    black.asks(&id, "decline-draw").await.expect(200);
    for stream in &mut streams {
        assert_eq!(stream.next().await["type"], "STATE");
        for (kind, by) in [
            ("OFFER", "white"),
            ("OFFER_DECLINED", "black"),
            ("OFFER", "black"),
            ("OFFER_DECLINED", "black"),
        ] {
            let told = stream.change().await;
            assert_eq!(
                [&told["type"], &told["offer"], &told["by"]],
                [kind, "draw", by]
            );
        }
    }
}

#[tokio::test]
async fn what_cannot_be_rated_is_refused_with_the_field_that_forbids_it() {
    let server = Server::start().await;
    let guest = server.guest().await;
    let body = json!({ "username": "rita", "password": "correct horse battery" });
    let account = server.nobody().post("/v1/accounts", body).await.expect(201);
    let player = server.holder(account["token"].as_str().expect("a token"));
    let rated = |field: &str, value: Value| {
        let mut request = blitz();
        request["rated"] = json!(true);
        request["variant"] = json!("chess960");
        request[field] = value;
        request
    };
    let fen = "4k3/8/8/8/8/8/8/R3K3 w - - 0 1";
    for (who, request, field) in [
        (&guest, rated("rated", json!(true)), "rated"),
        (&player, rated("opponent_id", json!(guest.id)), "rated"),
        (&player, rated("time_control", json!(null)), "time_control"),
        (&player, rated("initial_fen", json!(fen)), "initial_fen"),
        (
            &player,
            rated("chess960_position", json!(518)),
            "chess960_position",
        ),
    ] {
        let refused = who.post("/v1/games", request).await;
        assert_eq!(refused.refused(422, "cannot_be_rated")["field"], field);
    }
    let by_chance = rated("rated", json!(true));
    player.post("/v1/games", by_chance).await.expect(201);
    let mut casual = rated("chess960_position", json!(518));
    casual["rated"] = json!(false);
    player.post("/v1/games", casual).await.expect(201);
}

#[tokio::test]
async fn a_start_after_fifty_quiet_moves_needs_draws_that_are_claimed() {
    let server = Server::start().await;
    let player = server.guest().await;
    let fen = "4k3/8/8/8/8/8/8/R3K3 w - - 151 200";
    for (rule, status) in [("automatic", 422), ("claim", 201)] {
        let mut request = blitz();
        request["initial_fen"] = json!(fen);
        request["draw_rule"] = json!(rule);
        let answer = player.post("/v1/games", request).await.expect(status);
        match status {
            422 => assert_eq!(answer["error"], "bad_fen"),
            _ => assert_eq!(answer["fen"], fen),
        }
    }
}

#[tokio::test]
async fn illegal_attempts_are_counted_from_one_to_a_hundred() {
    let server = Server::start().await;
    let player = server.guest().await;
    for (count, status) in [(0, 422), (1, 201), (100, 201), (101, 422), (300, 422)] {
        let mut request = blitz();
        request["illegal_moves"] = json!({ "forfeit_after": count });
        let answer = player.post("/v1/games", request).await.expect(status);
        if status == 422 {
            assert_eq!(answer["error"], "bad_illegal_moves");
            assert_eq!(answer["field"], "illegal_moves.forfeit_after");
        }
    }
}
