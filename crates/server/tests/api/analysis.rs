//! Games that are gone through after their end.

use serde_json::{Value, json};
use server::operate::Running;
use server::settings::Settings;

use crate::bots::trouble::{greets, script};
use crate::client::{Client, Server, blitz, play};

/// A server that is quick with it and uses nothing that may not be installed.
async fn server() -> Server {
    server_with(1_000).await
}

async fn server_with(nodes: u64) -> Server {
    Server::start_with(|settings| {
        settings.engines = false;
        settings.analysis_nodes = nodes;
    })
    .await
}

fn path(id: &str) -> String {
    format!("/v1/games/{id}/analysis")
}

/// Asks for it and waits until it is there.
async fn analyse(client: &Client, id: &str) -> Value {
    let mut socket = client.watches(id).await;
    socket.hears("STATE").await;
    let asked = client.post(&path(id), json!({})).await.expect(202);
    let ply = client.game(id).await["ply"].clone();
    assert_eq!(asked["total"], ply, "{asked}");
    let is_done = |m: &Value| m["type"] == "ANALYSIS" && m["done"] == m["total"];
    let told = socket.hears_of("the end of the analysis", is_done).await;
    assert_eq!((&told["game_id"], &told["total"]), (&json!(id), &ply));
    client.get(&path(id)).await.expect(200)
}

#[tokio::test]
async fn a_finished_game_is_analysed_once_and_kept() {
    let mut server = server().await;
    let (white, black, id) = server.blitz().await;
    play(&white, &black, &id, "f3 e5 g4").await;
    for client in [&white, &black, &server.guest().await] {
        let asked = client.post(&path(&id), json!({})).await;
        asked.refused(409, "game_not_over");
        client.get(&path(&id)).await.refused(409, "game_not_over");
    }
    black.plays(&id, "Qh4#").await.expect(200);
    let nobody = server.nobody();
    nobody.get(&path(&id)).await.refused(404, "no_analysis");
    let refused = nobody.post(&path(&id), json!({})).await;
    refused.refused(401, "unauthorized");

    let done = analyse(&white, &id).await;
    assert_eq!(done["status"], "done");
    let moves = done["moves"].as_array().expect("moves");
    let plies: Vec<&Value> = moves.iter().map(|m| &m["ply"]).collect();
    assert_eq!(plies, [1, 2, 3, 4]);
    assert_eq!(moves[2]["judgement"], "blunder", "{done}");
    assert_eq!(moves[2]["mate"], -1);
    assert!(moves[2].get("eval_cp").is_none());
    assert!(moves[0]["eval_cp"].is_i64() && moves[0]["best"].is_string());
    let last = json!({ "ply": 4, "mate": 0, "best": "d8h4" });
    assert_eq!(moves[3], last);
    let accuracy = |side: &str| done["accuracy"][side].as_f64().expect("a number");
    assert!(accuracy("white") < accuracy("black") && accuracy("black") <= 100.0);

    let other_door = format!("/game/export/{id}?clocks=0");
    let pgn = nobody.text(&other_door, "*/*").await;
    assert!(pgn.contains("2. g4 { [%eval #-1] } 2... Qh4#"), "{pgn}");
    let without = nobody.text(&format!("{other_door}&evals=0"), "*/*").await;
    assert!(!without.contains("%eval"), "{without}");

    // Once for everybody, and for good.
    let again = black.post(&path(&id), json!({})).await.expect(200);
    assert_eq!(again, done);
    server.restart().await;
    assert_eq!(server.nobody().get(&path(&id)).await.expect(200), done);
}

#[tokio::test]
async fn a_game_that_many_ask_for_at_once_is_analysed_once() {
    let server = server().await;
    let (white, black, id) = server.blitz().await;
    play(&white, &black, &id, "e4 e5 Nf3").await;
    black.asks(&id, "resign").await.expect(200);
    let mut socket = white.watches(&id).await;
    socket.hears("STATE").await;
    let mut asking = tokio::task::JoinSet::new();
    for n in 0..12 {
        let client = if n % 2 == 0 { &white } else { &black }.clone();
        let path = path(&id);
        asking.spawn(async move { client.post(&path, json!({})).await.status });
    }
    for status in asking.join_all().await {
        assert!(matches!(status, 200 | 202), "{status}");
    }
    let is_done = |m: &Value| m["type"] == "ANALYSIS" && m["done"] == m["total"];
    socket.hears_of("the end of the analysis", is_done).await;
    white.post(&path(&id), json!({})).await.expect(200);
    assert_eq!(server.running().app().analyst.done(), 1);
}

#[tokio::test]
async fn nobody_gets_help_in_a_game_that_may_go_on() {
    let server = server().await;
    let (white, black, id) = server.blitz().await;
    let refused = async |client: &Client| {
        let asked = client.post(&path(&id), json!({})).await;
        asked.refused(409, "game_not_over");
        client.get(&path(&id)).await.refused(409, "game_not_over");
    };
    refused(&white).await;
    play(&white, &black, &id, "e4 e5").await;
    for (player, command) in [
        (&white, "offer-draw"),
        (&black, "decline-draw"),
        (&white, "offer-takeback"),
        (&black, "accept-takeback"),
        (&white, "offer-pause"),
        (&black, "accept-pause"),
    ] {
        player.asks(&id, command).await.expect(200);
        refused(player).await;
    }
    // A challenge that nobody has taken, and one that never will be.
    let waiting = white.post("/v1/games", blitz()).await.expect(201);
    let waiting = waiting["id"].as_str().expect("an id");
    let asked = white.post(&path(waiting), json!({})).await;
    asked.refused(409, "game_not_over");
}

/// Whatever an engine does, somebody looks at every position.
#[tokio::test]
async fn an_engine_that_dies_on_the_way_costs_the_analysis_nothing() {
    let arbiter = env!("CARGO_BIN_EXE_arbiter");
    for body in [
        // It hears a dozen lines, and ends in the middle of the game.
        format!("head -n 12 | {arbiter} uci"),
        greets("exit 3"),
        greets("echo bestmove e2e5"),
    ] {
        let dir = tempfile::tempdir().expect("a directory");
        let engine = script(&dir, &body);
        let server = Server::start_with(|settings| {
            settings.engines = true;
            settings.engine_paths = vec![engine];
            settings.bot_workers = 1;
            settings.analysis_nodes = 200;
        })
        .await;
        let (white, black, id) = server.blitz().await;
        play(&white, &black, &id, "e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6").await;
        white.asks(&id, "resign").await.expect(200);
        let done = analyse(&white, &id).await;
        let moves = done["moves"].as_array().expect("moves");
        assert_eq!(moves.len(), 8);
        assert!(moves.iter().all(|m| m["best"].is_string()), "{done}");
        let engines = server.running().app().house.stats().engines;
        assert!(engines.faults > 0, "{body}: {engines:?}");
    }
}

#[tokio::test]
async fn pgn_has_evaluations_when_asked() {
    let server = server().await;
    let (white, black, id) = server.blitz().await;
    play(&white, &black, &id, "e4 e5 Bc4 Nc6 Qh5 Nf6").await;
    let pgn = async |query: &str| {
        let path = format!("/v1/games/{id}/pgn{query}");
        white.get(&path).await.text
    };
    // Of a game that runs, nobody is told.
    assert_eq!(pgn("?evals=true").await, pgn("").await);
    white.plays(&id, "Qxf7#").await.expect(200);
    let plain = pgn("").await;
    assert_eq!(pgn("?evals=true").await, plain, "it was not analysed");
    let done = analyse(&black, &id).await;
    assert_eq!(done["opening"]["eco"], "C23", "{done}");
    let evals = pgn("?evals=true").await;
    assert!(evals.contains("3... Nf6 { [%eval #1] [%clk "), "{evals}");
    assert_eq!(evals.matches("[%eval ").count(), 6, "{evals}");
    assert_eq!(pgn("").await, plain);
    let odd = white
        .get(&format!("/v1/games/{id}/pgn?evals=perhaps"))
        .await;
    odd.refused(400, "bad_request");
}

#[tokio::test]
async fn private_games_are_analysed_for_those_who_may_see_them() {
    let server = server().await;
    let mut terms = blitz();
    terms["visibility"] = json!("private");
    let (white, black) = (server.guest().await, server.guest().await);
    terms["opponent_id"] = json!(black.id);
    let game = white.post("/v1/games", terms).await.expect(201);
    let id = game["id"].as_str().expect("an id");
    black.asks(id, "join").await.expect(200);
    play(&white, &black, id, "e4 e5").await;
    white.asks(id, "resign").await.expect(200);
    let stranger = server.guest().await;
    for _ in 0..2 {
        let asked = stranger.post(&path(id), json!({})).await;
        asked.refused(404, "game_not_found");
        let read = stranger.get(&path(id)).await;
        read.refused(404, "game_not_found");
        if black.get(&path(id)).await.status == 404 {
            analyse(&black, id).await;
        }
    }
    let odd = stranger.post(&path("nonsense"), json!({})).await;
    odd.refused(404, "game_not_found");
}

#[tokio::test]
async fn every_variant_is_analysed() {
    let server = server_with(200).await;
    for variant in ["chess960", "atomic", "crazyhouse", "horde", "antichess"] {
        let mut terms = blitz();
        terms["variant"] = json!(variant);
        let (white, black, id) = server.game(terms).await;
        for (ply, player) in [&white, &black, &white, &black].into_iter().enumerate() {
            let legal = player.get(&format!("/v1/games/{id}/legal-moves")).await;
            let text = legal.expect(200)["moves"][0]["uci"].clone();
            let text = text.as_str().expect("a move");
            player.plays_at(&id, text, ply as u32 + 1).await.expect(200);
        }
        black.asks(&id, "resign").await.expect(200);
        let done = analyse(&white, &id).await;
        assert_eq!(done["moves"].as_array().map(Vec::len), Some(4), "{variant}");
        assert_eq!(done["opening"], Value::Null);
    }
    // A game without a move has nothing to say.
    let (white, _, id) = server.blitz().await;
    white.asks(&id, "abort").await.expect(200);
    let done = analyse(&white, &id).await;
    assert_eq!(done["moves"], json!([]));
    assert_eq!(done["accuracy"], json!({ "white": null, "black": null }));
}

/// With so many nodes each position takes as long as it may: seconds.
const SLOW: u64 = 100_000_000;

#[tokio::test]
async fn what_waits_is_taken_up_after_a_restart() {
    let mut server = server_with(SLOW).await;
    let (white, black, id) = server.blitz().await;
    play(&white, &black, &id, "e4 e5 Nf3 Nc6").await;
    white.asks(&id, "resign").await.expect(200);
    let asked = white.post(&path(&id), json!({})).await.expect(202);
    assert_eq!((&asked["done"], &asked["total"]), (&json!(0), &json!(4)));
    let settings = server.running().app().settings.clone();
    server.stop().await;
    let quick = Settings {
        analysis_nodes: 200,
        ..settings
    };
    let running = Running::start(quick).await.expect("it starts again");
    let white = Client {
        url: running.url(),
        ..white
    };
    let mut socket = white.watches(&id).await;
    socket.hears("STATE").await;
    // It may be done before anybody listens.
    if white.get(&path(&id)).await.status == 202 {
        let is_done = |m: &Value| m["type"] == "ANALYSIS" && m["done"] == m["total"];
        socket.hears_of("the end of the analysis", is_done).await;
    }
    let done = white.get(&path(&id)).await.expect(200);
    assert_eq!(done["moves"].as_array().map(Vec::len), Some(4));
    running.stop().await;
}

#[tokio::test]
async fn one_account_has_so_many_waiting() {
    let server = server_with(SLOW).await;
    let (one, other) = (server.registered("one").await, server.guest().await);
    let mut last = String::new();
    for n in 0..11 {
        let (white, black, id) = server.blitz().await;
        if n == 0 {
            play(&white, &black, &id, "e4 e5 Nf3 Nc6 Bb5 a6").await;
        }
        black.asks(&id, "resign").await.expect(200);
        let asked = one.post(&path(&id), json!({})).await;
        match n {
            0..10 => drop(asked.expect(202)),
            _ => {
                let refused = asked.refused(429, "too_many_analyses");
                assert_eq!(refused["retry_after_seconds"], 60);
            }
        }
        last = id;
    }
    // Nobody else has to wait for that.
    let queued = other.post(&path(&last), json!({})).await.expect(202);
    assert_eq!(queued["status"], "queued");
    // Of a guest's there are fewer, for there are as many guests as one likes.
    for n in 1..3 {
        let (_, black, id) = server.blitz().await;
        black.asks(&id, "resign").await.expect(200);
        let asked = other.post(&path(&id), json!({})).await;
        match n {
            1 => drop(asked.expect(202)),
            _ => drop(asked.refused(429, "too_many_analyses")),
        }
    }
}

#[tokio::test]
async fn an_analysis_tells_spectators_nothing_that_is_delayed() {
    let server = server().await;
    let mut terms = blitz();
    terms["spectator_delay_seconds"] = json!(600);
    let (white, black, id) = server.game(terms).await;
    play(&white, &black, &id, "e4 e5").await;
    let watcher = server.guest().await;
    let mut socket = watcher.watches(&id).await;
    socket.hears("STATE").await;
    black.asks(&id, "resign").await.expect(200);
    analyse(&white, &id).await;
    for _ in 0..2 {
        let asked = watcher.post(&path(&id), json!({})).await;
        asked.refused(409, "game_not_over");
        let read = watcher.get(&path(&id)).await;
        read.refused(409, "game_not_over");
    }
    socket.says(json!({ "type": "PING", "id": 1 })).await;
    let is_pong = |m: &Value| {
        assert_ne!(m["type"], "ANALYSIS", "{m}");
        m["type"] == "PONG"
    };
    socket.hears_of("an answer", is_pong).await;
}
