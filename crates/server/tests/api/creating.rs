//! Making games: what is accepted, and what is refused by name.

use serde_json::{Value, json};

use crate::client::{Server, blitz};

fn with(field: &str, value: Value) -> Value {
    let mut request = blitz();
    request[field] = value;
    request
}

#[tokio::test]
async fn bad_terms_are_refused_with_their_code() {
    let server = Server::start().await;
    let player = server.guest().await;
    let control = |value: Value| json!({ "time_control": value });
    let cases = [
        (json!({}), 400, "bad_request"),
        (
            control(json!({ "initial_seconds": -5 })),
            422,
            "bad_time_control",
        ),
        (
            control(json!({ "initial_seconds": 0, "increment_seconds": 0 })),
            422,
            "bad_time_control",
        ),
        (
            control(json!({ "initial_seconds": 1_000_000 })),
            422,
            "bad_time_control",
        ),
        (
            control(json!({ "days_per_move": 15 })),
            422,
            "bad_time_control",
        ),
        (control(json!("5+0")), 422, "bad_time_control"),
        (control(json!({ "stages": [] })), 422, "bad_time_control"),
        (with("initial_fen", json!("8/8/8/8 w - -")), 422, "bad_fen"),
        (with("chess960_position", json!(3)), 422, "bad_fen"),
        (with("variant", json!("bughouse")), 400, "bad_request"),
        (with("color", json!("green")), 400, "bad_request"),
        (
            with("opponent_id", json!("nobody-at-all")),
            404,
            "not_found",
        ),
        (with("opponent_id", json!(player.id)), 400, "bad_request"),
        (
            with("spectator_delay_seconds", json!(901)),
            400,
            "bad_request",
        ),
        (with("rated", json!(true)), 422, "cannot_be_rated"),
        (
            json!({ "time_control": null, "white": "a", "black": "b", "start": true }),
            403,
            "missing_scope",
        ),
    ];
    for (request, status, code) in cases {
        let text = request.to_string();
        let answer = player.post("/v1/games", request).await;
        assert_eq!(answer.status, status, "{text} {}", answer.text);
        answer.refused(status, code);
    }
}

#[tokio::test]
async fn every_variant_and_clock_can_be_played() {
    let server = Server::start().await;
    let player = server.guest().await;
    for variant in [
        "standard",
        "chess960",
        "crazyhouse",
        "antichess",
        "atomic",
        "horde",
        "king_of_the_hill",
        "racing_kings",
        "three_check",
    ] {
        let game = player
            .post("/v1/games", with("variant", json!(variant)))
            .await
            .expect(201);
        assert_eq!(game["variant"], variant);
    }
    for control in [
        json!(null),
        json!({ "initial_seconds": 60, "increment_seconds": 1 }),
        json!({ "initial_seconds": 60, "delay_seconds": 2, "delay": "us" }),
        json!({ "initial_seconds": 60, "delay_seconds": 2, "delay": "bronstein" }),
        json!({ "days_per_move": 3 }),
        json!({ "stages": [
            { "moves": 40, "initial_seconds": 5400, "increment_seconds": 30 },
            { "initial_seconds": 1800, "increment_seconds": 30 },
        ] }),
    ] {
        let request = json!({ "time_control": control });
        let game = player.post("/v1/games", request).await.expect(201);
        assert_eq!(game["time_control"], control);
    }
}

#[tokio::test]
async fn an_account_has_only_so_many_unfinished_games() {
    let server = Server::start_with(|settings| settings.games_per_account = 2).await;
    let player = server.guest().await;
    for _ in 0..2 {
        player.post("/v1/games", blitz()).await.expect(201);
    }
    player
        .post("/v1/games", blitz())
        .await
        .refused(429, "rate_limited");
}

#[tokio::test]
async fn a_private_game_is_unknown_to_outsiders() {
    let server = Server::start().await;
    let (host, friend, stranger) = (
        server.guest().await,
        server.guest().await,
        server.guest().await,
    );
    let mut request = with("visibility", json!("private"));
    request["invited"] = json!([friend.id]);
    let game = host.post("/v1/games", request).await.expect(201);
    let id = game["id"].as_str().expect("an id");
    assert_eq!(friend.game(id).await["visibility"], "private");
    for outsider in [&stranger, &server.nobody()] {
        for path in [
            "",
            "/pgn",
            "/log",
            "/legal-moves",
            "/text",
            "/board.svg",
            "/board.png",
        ] {
            let answer = outsider.get(&format!("/v1/games/{id}{path}")).await;
            answer.refused(404, "game_not_found");
        }
        let listed = outsider.get("/v1/games").await.expect(200);
        assert_eq!(listed["games"], json!([]));
    }
    for command in ["join", "resign", "offer-draw", "decline", "cancel", "tick"] {
        stranger
            .asks(id, command)
            .await
            .refused(404, "game_not_found");
    }
    stranger
        .plays(id, "e4")
        .await
        .refused(404, "game_not_found");
    host.post(
        &format!("/v1/games/{id}/invite"),
        json!({ "names": [stranger.id] }),
    )
    .await
    .expect(200);
    stranger.game(id).await;
}
