//! Section 6: challenges.

use reqwest::Method;
use serde_json::{Value, json};

use super::{Lines, Player};
use crate::client::Server;

#[tokio::test]
async fn s6_a_challenge_is_flat_and_has_all_that_is_required() {
    let server = Server::start().await;
    let (ann, bob) = (
        Player::person(&server, "Ann").await,
        Player::bot(&server, "Robot").await,
    );
    let terms =
        json!({ "clock.limit": 300, "clock.increment": 3, "rated": true, "color": "black" });
    let (status, made) = ann.post_json("/api/challenge/robot", terms).await;
    assert_eq!(status, 200, "{made}");
    let id = made["id"].as_str().expect("an id at the top");
    assert!(
        made["url"]
            .as_str()
            .is_some_and(|url| url.ends_with(&format!("/{id}")))
    );
    assert_eq!(
        (&made["status"], &made["speed"]),
        (&json!("created"), &json!("blitz"))
    );
    assert_eq!(
        (&made["color"], &made["finalColor"]),
        (&json!("black"), &json!("black"))
    );
    assert_eq!(made["perf"]["name"], "Blitz");
    assert_eq!(made["rated"], true);
    let standard = json!({ "key": "standard", "name": "Standard", "short": "Std" });
    assert_eq!(made["variant"], standard);
    assert_eq!(made["challenger"]["name"], "Ann");
    assert_eq!(made["challenger"]["rating"], 1500);
    assert_eq!(made["challenger"]["provisional"], true);
    assert_eq!(made["destUser"]["title"], "BOT");
    assert_eq!(made["direction"], "out");
    let (status, shown) = bob.get(&format!("/api/challenge/{id}/show")).await;
    assert_eq!((status, &shown["direction"]), (200, &json!("in")));
    let eve = Player::person(&server, "eve").await;
    assert_eq!(eve.get(&format!("/api/challenge/{id}/show")).await.0, 404);
}

#[tokio::test]
async fn s6_a_color_by_chance_is_known_before_anybody_agrees() {
    let server = Server::start().await;
    let (ann, bob) = (
        Player::person(&server, "ann").await,
        Player::person(&server, "bob").await,
    );
    let mut seen = Vec::new();
    for _ in 0..20 {
        let (_, made) = ann
            .post_form("/api/challenge/bob", "clock.limit=60&clock.increment=1")
            .await;
        assert_eq!(made["color"], "random");
        let id = made["id"].as_str().expect("an id");
        assert_eq!(
            bob.post(&format!("/api/challenge/{id}/accept")).await.0,
            200
        );
        let game = ann.client.game(id).await;
        let color = made["finalColor"].as_str().expect("a color").to_owned();
        assert_eq!(game[&color], "ann", "the challenger's own");
        seen.push(color);
        ann.done(id, "abort").await;
    }
    for color in ["white", "black"] {
        assert!(seen.iter().any(|seen| seen == color), "{seen:?}");
    }
}

#[tokio::test]
async fn s6_the_game_has_the_challenges_id_and_clocks_wait_for_the_second_move() {
    let server = Server::start().await;
    let (ann, bob) = (
        Player::person(&server, "ann").await,
        Player::person(&server, "bob").await,
    );
    let id = ann.plays(&bob, json!({})).await;
    let game = ann.client.game(&id).await;
    assert_eq!(
        (&game["id"], &game["state"]),
        (&json!(id), &json!("ACTIVE"))
    );
    assert_eq!(
        (&game["white"], &game["black"]),
        (&json!("ann"), &json!("bob"))
    );
    assert_eq!(game["clock_start"], "second_ply");
    assert_eq!(game["rated"], false);
    let clock = json!({ "initial_seconds": 180, "increment_seconds": 2 });
    assert_eq!(game["time_control"], clock);
}

#[tokio::test]
async fn s6_units_are_seconds_and_days() {
    let server = Server::start().await;
    let (ann, bob) = (
        Player::person(&server, "ann").await,
        Player::person(&server, "bob").await,
    );
    let (_, made) = ann
        .post_json("/api/challenge/bob", json!({ "days": 3 }))
        .await;
    let days = json!({ "type": "correspondence", "daysPerTurn": 3 });
    assert_eq!(
        (&made["timeControl"], &made["speed"]),
        (&days, &json!("correspondence"))
    );
    for (limit, increment, speed, show) in [
        (15, 0, "ultraBullet", "¼+0"),
        (60, 1, "bullet", "1+1"),
        (180, 0, "blitz", "3+0"),
        (600, 5, "rapid", "10+5"),
        (1800, 20, "classical", "30+20"),
    ] {
        let terms = json!({ "clock.limit": limit, "clock.increment": increment });
        let (_, made) = ann.post_json("/api/challenge/bob", terms).await;
        assert_eq!(
            (&made["speed"], &made["timeControl"]["show"]),
            (&json!(speed), &json!(show))
        );
    }
    // No time at all lives on what is added, and never on less than three seconds.
    let id = ann
        .plays(&bob, json!({ "clock.limit": 0, "clock.increment": 1 }))
        .await;
    let mut board = ann.board(&id).await;
    assert_eq!(board.next().await["state"]["wtime"], 3_000);
}

#[tokio::test]
async fn s6_variants_and_positions() {
    let server = Server::start().await;
    let (ann, bob) = (
        Player::person(&server, "ann").await,
        Player::person(&server, "bob").await,
    );
    let clock = |more: Value| {
        let mut terms = json!({ "clock.limit": 180, "clock.increment": 0 });
        for (name, value) in more.as_object().expect("fields") {
            terms[name] = value.clone();
        }
        terms
    };
    for (key, name) in [
        ("chess960", "Chess960"),
        ("crazyhouse", "Crazyhouse"),
        ("antichess", "Antichess"),
        ("atomic", "Atomic"),
        ("horde", "Horde"),
        ("kingOfTheHill", "King of the Hill"),
        ("racingKings", "Racing Kings"),
        ("threeCheck", "Three-check"),
    ] {
        let terms = clock(json!({ "variant": key }));
        let (status, made) = ann.post_json("/api/challenge/bob", terms).await;
        assert_eq!(status, 200, "{made}");
        assert_eq!(
            (&made["variant"]["key"], &made["variant"]["name"]),
            (&json!(key), &json!(name))
        );
        assert_eq!(made["perf"]["name"], name);
    }
    let fen = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1";
    for variant in ["standard", "fromPosition"] {
        let terms = clock(json!({ "variant": variant, "fen": fen }));
        let (status, made) = ann.post_json("/api/challenge/bob", terms).await;
        assert_eq!(status, 200, "{made}");
        assert_eq!(made["variant"]["key"], "fromPosition");
        assert_eq!(made["initialFen"], fen);
        assert_eq!(made["perf"]["name"], "Blitz");
    }
    let usual = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    let (_, made) = ann
        .post_json("/api/challenge/bob", clock(json!({ "fen": usual })))
        .await;
    assert_eq!(made["variant"]["key"], "standard");
    let id = ann.plays(&bob, clock(json!({ "fen": fen }))).await;
    let full = bob.board(&id).await.next().await;
    assert_eq!(
        (&full["initialFen"], &full["variant"]["name"]),
        (&json!(fen), &json!("From Position"))
    );
}

#[tokio::test]
async fn s2_what_is_wrong_with_a_form_is_said_by_field() {
    let server = Server::start().await;
    let ann = Player::person(&server, "ann").await;
    Player::person(&server, "bob").await;
    for (terms, field) in [
        (json!({ "clock.limit": "soon" }), "clock.limit"),
        (
            json!({ "clock.limit": 60, "clock.increment": "x" }),
            "clock.increment",
        ),
        (json!({ "days": 99 }), "days"),
        (json!({ "variant": "shogi" }), "variant"),
        (json!({ "color": "green" }), "color"),
        (json!({ "fen": "nonsense" }), "fen"),
    ] {
        let (status, body) = ann.post_json("/api/challenge/bob", terms).await;
        assert_eq!(status, 400, "{body}");
        let why = &body["error"][field];
        assert!(why[0].is_string(), "{field}: {body}");
    }
    let rated = json!({ "rated": true });
    assert_eq!(
        ann.post_json("/api/challenge/bob", rated).await.0,
        400,
        "without a clock"
    );
    let (status, body) = ann.post_json("/api/challenge/nobody-here", json!({})).await;
    assert_eq!((status, &body["error"]), (404, &json!("Not found")));
}

#[tokio::test]
async fn s6_what_is_gone_is_not_found() {
    let server = Server::start().await;
    let (ann, bob) = (
        Player::person(&server, "ann").await,
        Player::person(&server, "bob").await,
    );
    let eve = Player::person(&server, "eve").await;
    let id = ann.challenges(&bob, json!({})).await;
    let path = |what: &str| format!("/api/challenge/{id}/{what}");
    for what in ["accept", "decline", "cancel"] {
        let (status, body) = eve.post(&path(what)).await;
        assert_eq!(status, 404, "{what}: {body}");
    }
    assert_eq!(ann.post(&path("accept")).await.0, 404, "one's own");
    assert_eq!(ann.post(&path("cancel")).await.0, 200);
    for what in ["accept", "decline", "cancel"] {
        let (status, body) = bob.post(&path(what)).await;
        assert_eq!(status, 404, "{what}: {body}");
        assert!(body["error"].is_string());
    }
}

#[tokio::test]
async fn s6_cancelling_declines_or_calls_off_as_it_stands() {
    let server = Server::start().await;
    let (ann, bob) = (
        Player::person(&server, "ann").await,
        Player::person(&server, "bob").await,
    );
    let mut events = ann.events().await;
    let id = ann.challenges(&bob, json!({})).await;
    assert_eq!(
        bob.post(&format!("/api/challenge/{id}/cancel")).await.0,
        200
    );
    let told = events.until("challengeDeclined").await;
    assert_eq!(told["challenge"]["declineReasonKey"], "generic");
    let id = ann.plays(&bob, json!({})).await;
    ann.done(&id, "move/e2e4").await;
    assert_eq!(
        ann.post(&format!("/api/challenge/{id}/cancel")).await.0,
        200
    );
    let finish = events.until("gameFinish").await;
    assert_eq!(finish["game"]["status"]["name"], "aborted");
    let id = ann.plays(&bob, json!({})).await;
    super::play(&ann, &bob, &id, "e2e4 e7e5").await;
    assert_eq!(
        ann.post(&format!("/api/challenge/{id}/cancel")).await.0,
        404
    );
}

#[tokio::test]
async fn s4_challenges_are_listed_both_ways() {
    let server = Server::start().await;
    let (ann, bob) = (
        Player::person(&server, "ann").await,
        Player::person(&server, "bob").await,
    );
    let going = ann.challenges(&bob, json!({})).await;
    let coming = bob.challenges(&ann, json!({})).await;
    let (status, listed) = ann.get("/api/challenge").await;
    assert_eq!(status, 200);
    assert_eq!(listed["out"][0]["id"], json!(going));
    assert_eq!(listed["in"][0]["id"], json!(coming));
    assert_eq!(listed["in"][0]["direction"], "in");
}

#[tokio::test]
async fn s6_whoever_keeps_the_line_hears_what_came_of_it() {
    let server = Server::start().await;
    let (ann, bob) = (
        Player::person(&server, "ann").await,
        Player::person(&server, "bob").await,
    );
    for (what, done) in [
        ("accept", "accepted"),
        ("decline", "declined"),
        ("cancel", "canceled"),
    ] {
        let form = "clock.limit=180&clock.increment=2&keepAliveStream=true".to_owned();
        let body = Some(("application/x-www-form-urlencoded", form));
        let path = "/api/challenge/bob";
        let mut lines = Lines::of(ann.send(Method::POST, path, body, &[]).await);
        let made = lines.next().await;
        let id = made["id"].as_str().expect("an id");
        let who = if what == "cancel" { &ann } else { &bob };
        assert_eq!(
            who.post(&format!("/api/challenge/{id}/{what}")).await.0,
            200
        );
        assert_eq!(lines.next().await, json!({ "done": done }));
        lines.ends().await;
    }
}

#[tokio::test]
async fn s6_an_open_challenge_is_for_whoever_comes() {
    let server = Server::start().await;
    let (ann, bob) = (
        Player::person(&server, "ann").await,
        Player::person(&server, "bob").await,
    );
    let terms = json!({ "clock.limit": 180, "clock.increment": 2, "rated": false, "name": null });
    let (status, made) = ann.post_json("/api/challenge/open", terms).await;
    assert_eq!(status, 200, "{made}");
    assert_eq!(made["destUser"], Value::Null);
    for side in ["urlWhite", "urlBlack"] {
        assert!(
            made[side]
                .as_str()
                .is_some_and(|url| url.starts_with("http")),
            "{made}"
        );
    }
    let id = made["id"].as_str().expect("an id");
    assert_eq!(
        ann.post(&format!("/api/challenge/{id}/accept")).await.0,
        200,
        "has a place"
    );
    let mut events = ann.events().await;
    assert_eq!(
        bob.post(&format!("/api/challenge/{id}/accept?color=white"))
            .await
            .0,
        200
    );
    let started = events.next().await;
    assert_eq!(started["game"]["id"], json!(id));
    assert_eq!(started["game"]["color"], "black", "whoever came chose");
}

#[tokio::test]
async fn s6_who_comes_to_an_open_challenge_takes_a_side() {
    let server = Server::start().await;
    let (ann, bob) = (
        Player::person(&server, "ann").await,
        Player::person(&server, "bob").await,
    );
    for (made, came, black) in [
        ("random", "white", "ann"),
        ("random", "black", "bob"),
        // What its maker has chosen stays.
        ("white", "white", "bob"),
    ] {
        let terms = json!({ "clock.limit": 180, "clock.increment": 2, "color": made });
        let (_, open) = ann.post_json("/api/challenge/open", terms).await;
        assert_eq!(open["color"], made);
        let id = open["id"].as_str().expect("an id");
        let path = format!("/api/challenge/{id}/accept?color={came}");
        assert_eq!(bob.post(&path).await.0, 200);
        assert_eq!(ann.client.game(id).await["black"], black, "{made} {came}");
    }
}

#[tokio::test]
async fn s6_a_challenge_is_accepted_at_once_by_a_token_of_the_other() {
    let server = Server::start().await;
    let (ann, bob, cleo) = (
        Player::person(&server, "ann").await,
        Player::person(&server, "Bob").await,
        Player::person(&server, "cleo").await,
    );
    let reads = bob.with(&["challenge:read"]).await;
    let wish = |token: &str| json!({ "clock.limit": 300, "clock.increment": 0, "color": "white", "acceptByToken": token });
    for wrong in [cleo.token(), reads.token(), "lip_unknown"] {
        let (status, body) = ann.post_json("/api/challenge/Bob", wish(wrong)).await;
        assert_eq!(status, 400, "{body}");
        assert!(body["error"]["acceptByToken"].is_array(), "{body}");
    }
    let (_, waiting) = bob.get("/api/challenge").await;
    assert_eq!(waiting["in"], json!([]), "nothing was made");
    let accepts = bob.with(&["challenge:write"]).await;
    let (status, made) = ann
        .post_json("/api/challenge/Bob", wish(accepts.token()))
        .await;
    assert_eq!(status, 200, "{made}");
    let game = &made["game"];
    assert_eq!(
        (&game["color"], &game["source"], &game["status"]["name"]),
        (&json!("white"), &json!("friend"), &json!("started"))
    );
    let id = game["id"].as_str().expect("an id");
    super::play(&ann, &bob, id, "e2e4 e7e5").await;
}

#[tokio::test]
async fn s6_rules_are_told_again() {
    let server = Server::start().await;
    let ann = Player::person(&server, "ann").await;
    Player::person(&server, "bob").await;
    let path = "/api/challenge/bob";
    let (status, made) = ann
        .post_form(path, "clock.limit=300&rules=noAbort,noRematch,noSuchRule")
        .await;
    assert_eq!(status, 200, "{made}");
    assert_eq!(made["rules"], json!(["noAbort", "noRematch"]));
    let (_, made) = ann.post_form(path, "clock.limit=300").await;
    assert_eq!(made.get("rules"), None);
}

#[tokio::test]
async fn s4_a_game_against_the_computer_is_created() {
    let server = Server::start().await;
    let ann = Player::person(&server, "ann").await;
    let mut events = ann.events().await;
    let terms = json!({ "level": 1, "clock.limit": 180, "clock.increment": 2, "color": "white",
        "days": null, "fen": null, "variant": "standard" });
    let (status, made) = ann.post_json("/api/challenge/ai", terms).await;
    assert_eq!(status, 201, "{made}");
    assert_eq!(
        (&made["variant"]["key"], &made["color"]),
        (&json!("standard"), &json!("white"))
    );
    let start = events.next().await;
    assert_eq!(start["game"]["id"], made["id"]);
    assert_eq!(start["game"]["source"], "ai");
    let id = made["id"].as_str().expect("an id");
    let exported = ann.client.json(&format!("/game/export/{id}")).await;
    assert_eq!(exported["source"], "ai");
    let mut board = ann.board(id).await;
    assert_eq!(board.next().await["black"]["title"], "BOT");
    ann.done(id, "move/e2e4").await;
    let state = board.until("gameState").await;
    assert_eq!(state["moves"], "e2e4", "{state}");
    let state = board.until("gameState").await;
    assert!(
        state["moves"]
            .as_str()
            .is_some_and(|moves| moves.contains(' ')),
        "{state}"
    );
    for level in [json!(0), json!(9), json!("x"), Value::Null] {
        let (status, body) = ann
            .post_json("/api/challenge/ai", json!({ "level": level }))
            .await;
        assert_eq!(status, 400, "{body}");
        assert!(body["error"]["level"][0].is_string(), "{body}");
    }
}

#[tokio::test]
async fn s6_a_rematch_is_a_challenge() {
    let server = Server::start().await;
    let (ann, bob) = (
        Player::person(&server, "ann").await,
        Player::person(&server, "bob").await,
    );
    let id = ann.plays(&bob, json!({})).await;
    let mut events = bob.events().await;
    super::play(&ann, &bob, &id, "f2f3 e7e5 g2g4 d8h4").await;
    ann.client.asks(&id, "offer-rematch").await.expect(200);
    let told = events.until("challenge").await;
    assert_eq!(told["challenge"]["rematchOf"], json!(id));
    let rematch = told["challenge"]["id"].as_str().expect("an id");
    assert_eq!(
        bob.post(&format!("/api/challenge/{rematch}/accept"))
            .await
            .0,
        200
    );
    let start = events.until("gameStart").await;
    assert_eq!(
        (&start["game"]["id"], &start["game"]["color"]),
        (&json!(rematch), &json!("white"))
    );
}
