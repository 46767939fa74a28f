//! Events for those who pull them.

use std::time::Instant;

use serde_json::{Value, json};

use server::auth::Scope;

use super::{game_of, with_scope};
use crate::client::{Client, Server, blitz, play};

/// All events that somebody sees after a place, and the place after them.
async fn pull(client: &Client, since: &str, query: &str) -> (Vec<Value>, String) {
    let (mut events, mut next) = (Vec::new(), since.to_owned());
    loop {
        let path = format!("/v1/events?since={next}{query}&limit=2");
        let page = client.get(&path).await.expect(200);
        let found = page["events"].as_array().expect("a list").clone();
        next = page["next"].as_str().expect("a place").to_owned();
        let is_last = found.is_empty();
        events.extend(found);
        if is_last {
            return (events, next);
        }
    }
}

fn types(events: &[Value]) -> Vec<&str> {
    let each = events.iter().map(|event| event["type"].as_str());
    each.map(|text| text.expect("a type")).collect()
}

/// The same, once there are so many.
async fn pulled(client: &Client, since: &str, query: &str, many: usize) -> Vec<Value> {
    let begun = Instant::now();
    loop {
        let (events, _) = pull(client, since, &format!("{query}&wait=1")).await;
        if events.len() >= many || begun.elapsed().as_secs() > 60 {
            return events;
        }
    }
}

#[tokio::test]
async fn a_game_is_told_from_its_creation_to_its_end() {
    let server = Server::start().await;
    let (ann, bob) = (
        server.registered("ann").await,
        server.registered("bob").await,
    );
    let mut terms = blitz();
    terms["rated"] = json!(true);
    let id = game_of(&ann, &bob, terms).await;
    play(&ann, &bob, &id, "f3 e5 g4 Qh4").await;
    let events = pulled(&ann, "", "", 4).await;
    assert_eq!(
        types(&events),
        ["GameCreated", "GameStarted", "GameEnded", "RatingChanged"]
    );
    assert!(events.iter().all(|event| event["game_id"] == json!(id)));
    let versions: Vec<_> = events
        .iter()
        .map(|event| event["version"].as_u64())
        .collect();
    assert_eq!(versions, [1, 2, 6, 6].map(Some));
    let ids: Vec<_> = events.iter().map(|event| event["id"].as_str()).collect();
    assert!(ids.is_sorted());
    let created = &events[0]["data"];
    assert_eq!(
        (&created["creator"], &created["black"]),
        (&json!("ann"), &json!(null))
    );
    assert_eq!(created["time_control"]["initial_seconds"], 300);
    let ended = &events[2]["data"];
    assert_eq!(
        (
            &ended["result"],
            &ended["reason"],
            &ended["winner"],
            &ended["ply"]
        ),
        (
            &json!("black_wins"),
            &json!("checkmate"),
            &json!("black"),
            &json!(4)
        )
    );
    let (white, black) = (&ended["white"], &ended["black"]);
    assert_eq!(
        (&white["id"], &black["name"]),
        (&json!("ann"), &json!("bob"))
    );
    assert_eq!(white["rating_before"], 1500);
    assert!(white["rating_after"].as_u64() < Some(1500), "{white}");
    assert!(black["rating_after"].as_u64() > Some(1500), "{black}");
    assert!(ended["fen"].as_str().is_some_and(|fen| fen.contains(" w ")));
    assert!(
        ended["pgn_url"]
            .as_str()
            .is_some_and(|url| url.ends_with(&format!("/v1/games/{id}/pgn")))
    );
    assert_eq!(events[3]["data"]["category"], "blitz");
    let only = pulled(&ann, "", "&types=GameEnded,GameStarted", 2).await;
    assert_eq!(types(&only), ["GameStarted", "GameEnded"]);
    let (rest, end) = pull(&ann, ids[1].expect("an id"), "").await;
    assert_eq!(types(&rest), ["GameEnded", "RatingChanged"]);
    assert_eq!(pull(&ann, &end, "").await, (Vec::new(), end));
}

#[tokio::test]
async fn a_game_that_never_began_ends_too_and_a_changed_result_is_an_end() {
    let server = Server::start().await;
    let (ann, bob) = (
        server.registered("ann").await,
        server.registered("bob").await,
    );
    let waiting = ann.post("/v1/games", blitz()).await.expect(201);
    ann.asks(waiting["id"].as_str().expect("an id"), "cancel")
        .await
        .expect(200);
    let id = game_of(&ann, &bob, blitz()).await;
    play(&ann, &bob, &id, "e4 e5").await;
    bob.asks(&id, "resign").await.expect(200);
    let boss = with_scope(&server, "boss", Scope::Admin).await;
    let path = format!("/v1/admin/games/{id}/result");
    boss.post(&path, json!({ "result": "draw" }))
        .await
        .expect(200);
    let ended = pulled(&ann, "", "&types=GameEnded", 3).await;
    let results: Vec<_> = ended.iter().map(|event| &event["data"]["result"]).collect();
    assert_eq!(
        results,
        [&json!("aborted"), &json!("white_wins"), &json!("draw")]
    );
    assert_eq!(ended[0]["data"]["black"], json!(null));
    assert_eq!(ended[1]["game_id"], ended[2]["game_id"]);
}

#[tokio::test]
async fn who_sees_what() {
    let server = Server::start().await;
    let (ann, bob) = (
        server.registered("ann").await,
        server.registered("bob").await,
    );
    let stranger = server.registered("stranger").await;
    let mut hidden = blitz();
    hidden["visibility"] = json!("private");
    hidden["spectator_delay_seconds"] = json!(900);
    hidden["opponent_id"] = json!("bob");
    let made = ann.post("/v1/games", hidden).await.expect(201);
    let id = made["id"].as_str().expect("an id");
    // Whoever is challenged is told of it.
    assert_eq!(types(&pulled(&bob, "", "", 1).await), ["GameCreated"]);
    bob.asks(id, "join").await.expect(200);
    let report = json!({ "player": "bob", "reason": "abuse", "game_id": id });
    ann.post("/v1/reports", report).await.expect(201);
    let service = with_scope(&server, "service", Scope::Service).await;
    let boss = with_scope(&server, "boss", Scope::Admin).await;
    let all = pulled(&boss, "", "", 3).await;
    assert_eq!(
        types(&all),
        ["GameCreated", "GameStarted", "PlayerReported"]
    );
    let report = &all[2];
    assert_eq!(
        (&report["game_id"], &report["version"]),
        (&json!(id), &json!(0))
    );
    let data = &report["data"];
    assert_eq!(
        (&data["reported"], &data["reporter"], &data["reason"]),
        (&json!("bob"), &json!("ann"), &json!("abuse"))
    );
    let theirs = ["GameCreated", "GameStarted"];
    for client in [&ann, &bob, &service] {
        assert_eq!(types(&pull(client, "", "").await.0), theirs);
        let asked = client.get("/v1/events?types=PlayerReported").await;
        asked.refused(403, "missing_scope");
    }
    assert_eq!(types(&pull(&stranger, "", "").await.0), [""; 0]);
    server
        .nobody()
        .get("/v1/events")
        .await
        .refused(401, "unauthorized");
}

#[tokio::test]
async fn the_moves_of_slow_games_are_told_and_those_of_others_if_wanted() {
    let server = Server::start().await;
    let (ann, bob) = (
        server.registered("ann").await,
        server.registered("bob").await,
    );
    let slow = json!({ "time_control": { "days_per_move": 3 } });
    let slow = game_of(&ann, &bob, slow).await;
    let fast = game_of(&ann, &bob, blitz()).await;
    play(&ann, &bob, &fast, "e4 e5").await;
    play(&ann, &bob, &slow, "d4 Nf6").await;
    let moves = pulled(&ann, "", "&types=MovePlayed", 2).await;
    assert!(moves.iter().all(|event| event["game_id"] == json!(slow)));
    let data = &moves[1]["data"];
    assert_eq!(
        (&data["move"], &data["san"], &data["ply"], &data["to_move"]),
        (&json!("g8f6"), &json!("Nf6"), &json!(2), &json!("white"))
    );
    let server = Server::start_with(|settings| settings.every_move_event = true).await;
    let (ann, bob) = (
        server.registered("ann").await,
        server.registered("bob").await,
    );
    let fast = game_of(&ann, &bob, blitz()).await;
    play(&ann, &bob, &fast, "e4 e5 Nf3").await;
    let moves = pulled(&ann, "", "&types=MovePlayed", 3).await;
    let sans: Vec<_> = moves.iter().map(|event| &event["data"]["san"]).collect();
    assert_eq!(sans, [&json!("e4"), &json!("e5"), &json!("Nf3")]);
    assert!(moves[0]["data"]["clock_ms"]["white"].as_u64() > Some(290_000));
}

#[tokio::test]
async fn who_waits_is_answered_when_something_happens() {
    let server = Server::start().await;
    let (ann, bob) = (
        server.registered("ann").await,
        server.registered("bob").await,
    );
    let (_, end) = pull(&ann, "", "").await;
    let path = format!("/v1/events?since={end}&wait=20&types=GameStarted");
    let waiting = tokio::spawn({
        let ann = ann.clone();
        async move {
            let begun = Instant::now();
            (ann.get(&path).await.expect(200), begun.elapsed())
        }
    });
    let id = game_of(&ann, &bob, blitz()).await;
    let (page, took) = waiting.await.expect("an answer");
    assert_eq!(page["events"][0]["game_id"], json!(id));
    assert!(took.as_secs() < 15, "{took:?}");
    // Nothing for them: the answer comes when the time is over, and where to go on.
    let empty = ann
        .get("/v1/events?wait=1&types=MatchEnded")
        .await
        .expect(200);
    assert_eq!(empty["events"], json!([]));
    assert!(empty["next"].as_str() > Some(end.as_str()));
}

#[tokio::test]
async fn what_cannot_be_understood_is_refused() {
    let server = Server::start().await;
    let ann = server.registered("ann").await;
    let wrong = [
        "since=7",
        "since=zz",
        "types=GameOver",
        "wait=31",
        "limit=0",
        "limit=101",
    ];
    for query in wrong {
        let answer = ann.get(&format!("/v1/events?{query}")).await;
        let body = answer.refused(400, "bad_request");
        let field = query.split('=').next();
        assert_eq!(body["field"].as_str(), field, "{body}");
    }
}
