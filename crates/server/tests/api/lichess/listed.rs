//! Sections 4 and 11: lists of games to take away.

use std::time::Duration;

use serde_json::json;

use super::exports::{ids, rated};
use super::looking::{begin, duel, error};
use crate::client::{Client, Server, blitz};

const NDJSON: &str = "application/x-ndjson";

/// Seven games of Anna's, of various kinds.
async fn seven(server: &Server) -> (Client, Client, Vec<String>) {
    let (anna, boris) = (
        server.registered("Anna").await,
        server.registered("Boris").await,
    );
    let cleo = server.registered("Cleo").await;
    let bullet = json!({ "time_control": { "initial_seconds": 60, "increment_seconds": 0 } });
    let mut atomic = blitz();
    atomic["variant"] = json!("atomic");
    let mut found = Vec::new();
    for (white, black, request) in [
        (&anna, &boris, blitz()),
        (&boris, &anna, blitz()),
        (&anna, &cleo, blitz()),
        (&anna, &boris, rated()),
        (&anna, &boris, bullet),
        (&anna, &boris, atomic),
        (&anna, &boris, blitz()),
    ] {
        let id = begin(white, black, request).await;
        if found.len() < 6 {
            white.asks(&id, "resign").await.expect(200);
        }
        found.push(id);
    }
    (anna, boris, found)
}

#[tokio::test]
async fn s11_games_that_were_analysed_are_found() {
    let server = Server::start().await;
    let (_, _, games) = seven(&server).await;
    let app = server.running().app();
    let (store, now) = (&app.store, app.now());
    let table = games[2].parse().expect("an id");
    let wanted = store::NewAnalysis {
        table,
        by: chess::table::PlayerId::new(1).expect("not zero"),
        at: now,
        total: 0,
        own_max: 1,
        all_max: 1,
    };
    store.ask_analysis(wanted).await.expect("the store works");
    // The server itself may be at it, or done, by now.
    let until = chess::Timestamp(now.0 + 3_600_000);
    drop(store.take_analysis(now, until).await);
    drop(store.finish_analysis(table, 1, "{}".to_owned()).await);
    let analysis = store.analysis(table).await.expect("the store works");
    assert!(analysis.is_some_and(|analysis| analysis.result.is_some()));
    let told = async |query: &str| {
        let path = format!("/api/games/user/anna?{query}");
        ids(&server.nobody().text(&path, NDJSON).await)
    };
    assert_eq!(told("analysed=true").await, [&*games[2]]);
    let others: Vec<&str> = [5, 4, 3, 1, 0].map(|index| &*games[index]).into();
    assert_eq!(told("analysed=false").await, others);
}

#[tokio::test]
async fn s11_each_filter_of_a_player_s_games_filters() {
    let server = Server::start().await;
    let (anna, _, games) = seven(&server).await;
    let made = |index: usize| {
        let path = format!("/game/export/{}", games[index]);
        let anna = anna.clone();
        async move {
            anna.json(&path).await["createdAt"]
                .as_u64()
                .expect("a time")
        }
    };
    let (since, until) = (made(2).await, made(4).await);
    let cases: Vec<(String, &[usize])> = vec![
        (String::new(), &[5, 4, 3, 2, 1, 0]),
        ("max=2".into(), &[5, 4]),
        ("max=0".into(), &[]),
        ("vs=cleo".into(), &[2]),
        ("vs=BORIS&max=1".into(), &[5]),
        ("rated=true".into(), &[3]),
        ("rated=false".into(), &[5, 4, 2, 1, 0]),
        ("perfType=bullet".into(), &[4]),
        ("perfType=atomic,bullet".into(), &[5, 4]),
        ("color=black".into(), &[1]),
        ("analysed=true".into(), &[]),
        ("analysed=false&max=1".into(), &[5]),
        ("ongoing=true".into(), &[6, 5, 4, 3, 2, 1, 0]),
        ("ongoing=true&finished=false".into(), &[6]),
        ("finished=false".into(), &[]),
        ("sort=dateAsc".into(), &[0, 1, 2, 3, 4, 5]),
        ("sort=dateDesc&max=1".into(), &[5]),
        ("sort=dateAsc&max=2".into(), &[0, 1]),
        (format!("since={since}"), &[5, 4, 3, 2]),
        (format!("until={until}"), &[4, 3, 2, 1, 0]),
        (format!("since={since}&until={until}"), &[4, 3, 2]),
        (
            format!("since={since}&until={until}&sort=dateAsc"),
            &[2, 3, 4],
        ),
    ];
    for (query, expected) in cases {
        let path = format!("/api/games/user/anna?{query}");
        let told = ids(&server.nobody().text(&path, NDJSON).await);
        let expected: Vec<&String> = expected.iter().map(|index| &games[*index]).collect();
        assert_eq!(told.iter().collect::<Vec<_>>(), expected, "{query}");
    }
    for wrong in ["perfType=chess", "color=red", "since=yesterday", "max=some"] {
        let path = format!("/api/games/user/anna?{wrong}");
        let told = error(server.nobody().read(&path, "*/*").await, 400).await;
        assert!(told.is_object(), "{wrong}: {told}");
    }
    error(
        server.nobody().read("/api/games/user/nobody", "*/*").await,
        404,
    )
    .await;
}

#[tokio::test]
async fn s11_a_long_list_comes_whole() {
    let server = Server::start().await;
    let (anna, boris) = (server.guest().await, server.guest().await);
    let mut games = Vec::new();
    for _ in 0..120 {
        let id = begin(&anna, &boris, blitz()).await;
        anna.asks(&id, "abort").await.expect(200);
        games.push(id);
    }
    let path = format!("/api/games/user/{}", boris.id);
    let mut told = ids(&server.nobody().text(&path, NDJSON).await);
    told.reverse();
    assert_eq!(told, games);
    let oldest = format!("{path}?sort=dateAsc&max=77");
    assert_eq!(
        ids(&server.nobody().text(&oldest, NDJSON).await),
        games[..77]
    );
}

#[tokio::test]
async fn s11_games_are_asked_for_by_ids_as_bare_text() {
    let server = Server::start().await;
    let (anna, boris, first) = duel(&server, blitz()).await;
    let second = begin(&boris, &anna, blitz()).await;
    let nobody = server.nobody();
    let path = "/api/games/export/_ids";
    // An unknown one is left out, one twice is told once, and a player's longer id is
    // understood.
    let text = format!("{first},{second}abcd,ZZZZZZZZ,{first},what");
    let told = nobody.send_text(path, NDJSON, &text).await.text().await;
    assert_eq!(ids(&told.expect("a list")), [second.clone(), first.clone()]);
    let pgn = nobody.send_text(path, "*/*", &text).await.text().await;
    assert_eq!(pgn.expect("a list").matches("\n\n\n").count(), 2);
    let many = vec![first.as_str(); 301].join(",");
    error(nobody.send_text(path, NDJSON, &many).await, 400).await;
    let none = nobody.send_text(path, NDJSON, "").await;
    assert_eq!(none.text().await.expect("a list"), "");
}

#[tokio::test]
async fn s4_a_token_that_only_reads_may_ask_by_post() {
    let server = Server::start().await;
    let (anna, _, id) = duel(&server, blitz()).await;
    let request = json!({ "name": "x", "scopes": ["read"] });
    let made = anna.post("/v1/tokens", request).await.expect(201);
    let reader = server.holder(made["token"].as_str().expect("a token"));
    let told = reader
        .send_text("/api/games/export/_ids", NDJSON, &id)
        .await;
    assert_eq!(ids(&told.text().await.expect("a list")), [id]);
    let stranger = server.holder("arb_nobody_has_this_token");
    let answer = stranger.read("/api/games/user/anna", "*/*").await;
    assert_eq!(error(answer, 401).await, "No such token");
}

#[tokio::test]
async fn s4_what_runs_is_current_and_else_what_was_last() {
    let server = Server::start().await;
    let (anna, boris, first) = duel(&server, blitz()).await;
    let path = "/api/user/Anna/current-game";
    let current = async || server.nobody().json(path).await["id"].clone();
    assert_eq!(current().await, json!(first));
    boris.asks(&first, "resign").await.expect(200);
    assert_eq!(current().await, json!(first));
    // Nobody has joined this one: it is no game yet.
    anna.post("/v1/games", blitz()).await.expect(201);
    assert_eq!(current().await, json!(first));
    let second = begin(&anna, &boris, blitz()).await;
    assert_eq!(current().await, json!(second));
    server.registered("Cleo").await;
    error(
        server
            .nobody()
            .read("/api/user/cleo/current-game", "*/*")
            .await,
        404,
    )
    .await;
    error(
        server
            .nobody()
            .read("/api/user/nobody/current-game", "*/*")
            .await,
        404,
    )
    .await;
}

#[tokio::test]
async fn s1_a_slash_at_the_end_and_a_longer_id_are_understood() {
    let server = Server::start().await;
    let (.., id) = duel(&server, blitz()).await;
    for path in [
        format!("/game/export/{id}/"),
        format!("/game/export/{id}abcd"),
        "/api/user/anna/current-game/".to_owned(),
    ] {
        assert_eq!(server.nobody().json(&path).await["id"], json!(id), "{path}");
    }
    for wrong in ["short", "notatall", "waytoolongtobeanid", "%00"] {
        let path = format!("/game/export/{wrong}");
        error(server.nobody().read(&path, "*/*").await, 404).await;
    }
}

/// What is a challenge or was never accepted is no game to these clients.
#[tokio::test]
async fn s7_nothing_is_exported_before_it_has_begun() {
    let server = Server::start().await;
    let (anna, boris) = (
        server.registered("Anna").await,
        server.registered("Boris").await,
    );
    let mut request = blitz();
    request["opponent_id"] = json!("boris");
    let made = anna.post("/v1/games", request).await.expect(201);
    let id = made["id"].as_str().expect("an id");
    let path = format!("/game/export/{id}");
    error(anna.read(&path, "*/*").await, 404).await;
    boris.asks(id, "decline").await.expect(200);
    error(anna.read(&path, "*/*").await, 404).await;
    assert_eq!(
        anna.text("/api/games/user/anna?ongoing=1", NDJSON).await,
        ""
    );
}

/// Lists are written while they are taken: one who does not take them holds up nobody.
#[tokio::test]
async fn s11_who_goes_away_in_the_middle_of_a_list_leaves_nothing_behind() {
    let server = Server::start().await;
    let (anna, boris, games) = seven(&server).await;
    drop(server.nobody().read("/api/games/user/anna", NDJSON).await);
    let again = within(server.nobody().text("/api/games/user/anna", NDJSON)).await;
    assert_eq!(ids(&again).len(), 6);
    anna.asks(&games[6], "resign").await.expect(200);
    drop(boris);
}

async fn within<T>(future: impl Future<Output = T>) -> T {
    let patience = Duration::from_secs(60);
    tokio::time::timeout(patience, future)
        .await
        .expect("in time")
}
