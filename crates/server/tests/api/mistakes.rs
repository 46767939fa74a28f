//! A slip is refused by the name of its field, and never taken for something else.

use reqwest::Method;
use serde_json::json;

use crate::client::Server;

#[tokio::test]
async fn half_a_move_is_no_move() {
    let server = Server::start().await;
    let (white, _, id) = server.blitz().await;
    let moves = format!("/v1/games/{id}/moves");
    for (body, field) in [
        (json!({}), "move"),
        (json!({ "from": "e4" }), "to"),
        (json!({ "to": "e4" }), "from"),
        (json!({ "promotion": "e4" }), "from"),
        (json!({ "from": "e2e", "to": "4" }), "from"),
        (json!({ "from": "e2", "to": "e4q" }), "to"),
        (
            json!({ "from": "e2", "to": "e4", "promotion": "queen" }),
            "promotion",
        ),
    ] {
        let refused = white.post(&moves, body.clone()).await;
        assert_eq!(refused.refused(400, "bad_move")["field"], field, "{body}");
    }
    assert_eq!(white.game(&id).await["ply"], 0);
    let whole = json!({ "from": "e2", "to": "e4" });
    assert_eq!(white.post(&moves, whole).await.expect(200)["san"], "e4");
}

#[tokio::test]
async fn a_capture_captures_something() {
    let server = Server::start().await;
    let (white, black, id) = server.blitz().await;
    for text in ["e2xe4", "Nxf3", "Ng1xf3"] {
        white.plays(&id, text).await.refused(400, "bad_move");
    }
    white.plays(&id, "e4").await.expect(200);
    black.plays(&id, "d5").await.expect(200);
    // A retry is judged as the first time.
    let retry = white.plays_at(&id, "e2xe4", 1).await;
    retry.refused(409, "stale_ply");
    let taken = white.plays(&id, "e4xd5").await.expect(200);
    assert_eq!(taken["san"], "exd5");
}

#[tokio::test]
async fn a_body_is_an_object_and_no_error_names_our_types() {
    let server = Server::start().await;
    let (white, _, id) = server.blitz().await;
    let calls = ["moves", "resign", "add-time", "invite", "chat", "mute"];
    let calls = calls.map(|call| format!("/v1/games/{id}/{call}"));
    let others = ["/v1/games", "/v1/games/join", "/v1/tokens"].map(str::to_owned);
    for path in calls.iter().chain(&others) {
        for body in ["[]", "[\"e2e4\"]", "5", "\"e2e4\"", "true"] {
            let answer = white.send(Method::POST, path, Some(body.into()), &[]).await;
            let detail = answer.refused(400, "bad_request")["detail"].clone();
            assert_eq!(detail, "the body must be a JSON object", "{path} {body}");
        }
    }
    let typed = json!({ "time_control": null, "illegal_moves": [] });
    let refused = white.post("/v1/games", typed).await;
    let refused = refused.refused(400, "bad_request");
    assert_eq!(refused["field"], "illegal_moves");
    let detail = refused["detail"].as_str().expect("a sentence");
    assert!(detail.contains("expected an object"), "{detail}");
    let number = white.asks(&id, "add-time").await;
    let number = number.refused(400, "bad_request");
    assert!(
        !number["detail"].to_string().contains("AddTime"),
        "{number}"
    );
    assert_eq!(white.game(&id).await["ply"], 0);
}

#[tokio::test]
async fn a_list_names_the_part_of_its_query_that_is_wrong() {
    let server = Server::start().await;
    let player = server.guest().await;
    let own = format!("/v1/players/{}/games", player.id);
    for list in ["/v1/games", own.as_str()] {
        for (query, field) in [
            ("variant=zzz", "variant"),
            ("variant=", "variant"),
            ("state=active", "state"),
            ("limit=0", "limit"),
            ("limit=101", "limit"),
            ("limit=ten", "limit"),
            ("limit=-1", "limit"),
            ("cursor=zzz", "cursor"),
        ] {
            let refused = player.get(&format!("{list}?{query}")).await;
            let refused = refused.refused(400, "bad_request");
            assert_eq!(refused["field"], field, "{query}: {refused}");
        }
        player
            .get(&format!("{list}?variant=atomic"))
            .await
            .expect(200);
    }
    let tv = player.get("/v1/tv?limit=ten").await;
    assert_eq!(tv.refused(400, "bad_request")["field"], "limit");
}

#[tokio::test]
async fn a_mistyped_time_control_does_not_become_another() {
    let server = Server::start().await;
    let player = server.guest().await;
    let stage = json!({ "moves": 40, "initial_seconds": 60, "increment": 5 });
    for (control, field) in [
        (
            json!({ "initial_seconds": 300, "delay_seconds": 5, "delay": "US" }),
            "time_control.delay",
        ),
        (
            json!({ "initial_seconds": 300, "days_per_move": "3" }),
            "time_control.days_per_move",
        ),
        (
            json!({ "initial_seconds": 300, "days_per_move": 3 }),
            "time_control.initial_seconds",
        ),
        (
            json!({ "initial_seconds": 9, "delay_seconds": 5, "delay": "us", "increment_seconds": 2 }),
            "time_control.increment_seconds",
        ),
        (
            json!({ "initial_seconds": 300, "delay": "us" }),
            "time_control.delay_seconds",
        ),
        (
            json!({ "initial_seconds": 300, "delay_seconds": 5 }),
            "time_control.delay",
        ),
        (
            json!({ "initial_seconds": 300, "increment": 5 }),
            "time_control.increment",
        ),
        (
            json!({ "increment_seconds": 5 }),
            "time_control.initial_seconds",
        ),
        (
            json!({ "initial_seconds": -5 }),
            "time_control.initial_seconds",
        ),
        (
            json!({ "initial_seconds": 300, "increment_seconds": 601 }),
            "time_control.increment_seconds",
        ),
        (
            json!({ "initial_seconds": 300, "delay_seconds": 601, "delay": "us" }),
            "time_control.delay_seconds",
        ),
        (json!({ "days_per_move": 15 }), "time_control.days_per_move"),
        (
            json!({ "stages": [stage, { "initial_seconds": 60 }] }),
            "time_control.stages[0].increment",
        ),
        (json!({ "stages": [[40, 60, 5]] }), "time_control.stages"),
        (json!({ "stages": [] }), "time_control.stages"),
        (json!([300, 5]), "time_control"),
        (json!("5+0"), "time_control"),
    ] {
        let body = json!({ "time_control": control });
        let refused = player.post("/v1/games", body.clone()).await;
        let refused = refused.refused(422, "bad_time_control");
        assert_eq!(refused["field"], field, "{body}: {refused}");
    }
}
