//! Section 11: streams for those who only watch.

use reqwest::Method;
use serde_json::{Value, json};

use super::Lines;
use super::looking::{begin, duel, error, watched};
use crate::client::{Client, Server, blitz, play};

async fn post(client: &Client, path: &str, text: &str) -> Lines {
    watched(client.send_text(path, "application/json", text).await)
}

#[tokio::test]
async fn s11_a_game_is_described_then_told_position_by_position() {
    let server = Server::start().await;
    let (anna, boris, id) = duel(&server, blitz()).await;
    play(&anna, &boris, &id, "e4 e5").await;
    let mut stream = server
        .nobody()
        .watch(&format!("/api/stream/game/{id}"))
        .await;
    assert_eq!(stream.headers["content-type"], "application/x-ndjson");
    let described = stream.next().await;
    for (name, value) in [
        ("id", json!(id)),
        (
            "variant",
            json!({ "key": "standard", "name": "Standard", "short": "Std" }),
        ),
        ("speed", json!("blitz")),
        ("perf", json!("blitz")),
        ("rated", json!(false)),
        ("initialFen", Value::Null),
        ("status", Value::Null),
    ] {
        assert_eq!(described[name], value, "{name}: {described}");
    }
    assert!(described["createdAt"].is_u64() && described["source"].is_string());
    assert_eq!(described["players"]["black"]["user"]["name"], "Boris");
    let start = stream.next().await;
    let fen = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    assert_eq!(start, json!({ "fen": fen, "wc": 300, "bc": 300 }));
    for lm in ["e2e4", "e7e5"] {
        let position = stream.next().await;
        assert_eq!(position["lm"], lm);
        assert!(
            position["wc"].as_u64().is_some_and(|left| left <= 300),
            "seconds"
        );
    }
    anna.plays(&id, "g1f3").await.expect(200);
    let position = stream.next().await;
    assert_eq!(position["lm"], "g1f3");
    assert!(
        position["fen"]
            .as_str()
            .is_some_and(|fen| fen.contains("5N2"))
    );
    boris.asks(&id, "resign").await.expect(200);
    let last = stream.next().await;
    assert_eq!((&last["id"], &last["turns"]), (&json!(id), &json!(3)));
    assert_eq!(last["status"], json!({ "id": 31, "name": "resign" }));
    assert_eq!(
        (&last["winner"], &last["fen"]),
        (&json!("white"), &position["fen"])
    );
    stream.ends().await;
}

#[tokio::test]
async fn s11_a_finished_game_is_told_whole_and_ends() {
    let server = Server::start().await;
    let (anna, boris, id) = duel(&server, blitz()).await;
    play(&anna, &boris, &id, "f3 e5 g4 Qh4#").await;
    let mut stream = server
        .nobody()
        .watch(&format!("/api/stream/game/{id}"))
        .await;
    assert_eq!(stream.next().await["id"], json!(id));
    let mut moves = Vec::new();
    for _ in 0..5 {
        moves.push(stream.next().await["lm"].clone());
    }
    let expected = [
        Value::Null,
        json!("f2f3"),
        json!("e7e5"),
        json!("g2g4"),
        json!("d8h4"),
    ];
    assert_eq!(moves, expected);
    assert_eq!(stream.next().await["status"]["name"], "mate");
    stream.ends().await;
}

#[tokio::test]
async fn s11_after_a_takeback_the_position_that_stands_is_told() {
    let server = Server::start().await;
    let (anna, boris, id) = duel(&server, blitz()).await;
    play(&anna, &boris, &id, "e4").await;
    let mut stream = server
        .nobody()
        .watch(&format!("/api/stream/game/{id}"))
        .await;
    for _ in 0..3 {
        stream.next().await;
    }
    anna.asks(&id, "offer-takeback").await.expect(200);
    boris.asks(&id, "accept-takeback").await.expect(200);
    let back = stream.next().await;
    assert!(
        back["fen"].as_str().is_some_and(|fen| fen.contains(" w ")),
        "{back}"
    );
    assert_eq!(back["lm"], Value::Null);
    anna.plays(&id, "d2d4").await.expect(200);
    assert_eq!(stream.next().await["lm"], "d2d4");
}

/// As everywhere here: the king's own move in standard chess, king takes rook elsewhere.
#[tokio::test]
async fn s7_castling_is_written_as_the_variant_has_it() {
    let server = Server::start().await;
    let (anna, boris) = (
        server.registered("Anna").await,
        server.registered("Boris").await,
    );
    let fen = "4k3/8/8/8/8/8/8/4K2R w K - 0 1";
    let line = "e4 e5 Nf3 Nf6 Be2 Be7 O-O";
    let standard = begin(&anna, &boris, blitz()).await;
    play(&anna, &boris, &standard, line).await;
    let mut request = blitz();
    request["initial_fen"] = json!(fen);
    let from_position = begin(&anna, &boris, request).await;
    anna.plays(&from_position, "O-O").await.expect(200);
    for (id, positions, castled) in [(standard, 8, "e1g1"), (from_position, 2, "e1h1")] {
        let mut stream = server
            .nobody()
            .watch(&format!("/api/stream/game/{id}"))
            .await;
        stream.next().await;
        let mut last = Value::Null;
        for _ in 0..positions {
            last = stream.next().await;
        }
        assert_eq!(last["lm"], castled);
    }
}

#[tokio::test]
async fn s11_a_delayed_game_tells_spectators_nothing_yet() {
    let server = Server::start().await;
    let mut request = blitz();
    request["spectator_delay_seconds"] = json!(600);
    let (anna, boris, id) = duel(&server, request).await;
    play(&anna, &boris, &id, "e4 e5").await;
    let path = format!("/api/stream/game/{id}");
    error(server.nobody().read(&path, "*/*").await, 404).await;
    let mut own = anna.watch(&path).await;
    for _ in 0..3 {
        own.next().await;
    }
    assert_eq!(
        own.next().await["lm"],
        "e7e5",
        "its players see it as it is"
    );
    // Named in a list it is as if it were not there.
    let nobody = server.nobody();
    let mut several = post(&nobody, "/api/stream/games/some", &id).await;
    let mut both = post(
        &nobody,
        "/api/stream/games-by-users?withCurrentGames=1",
        "anna,boris",
    )
    .await;
    boris.asks(&id, "resign").await.expect(200);
    let open = begin(&anna, &boris, blitz()).await;
    let added = nobody
        .send_text("/api/stream/games/some/add", "*/*", &open)
        .await;
    assert_eq!(added.status(), 200);
    assert_eq!(several.next().await["id"], json!(open));
    assert_eq!(both.next().await["id"], json!(open));
}

#[tokio::test]
async fn s11_what_is_delayed_is_told_when_it_is_due() {
    let server = Server::start().await;
    let mut request = blitz();
    request["spectator_delay_seconds"] = json!(1);
    let (anna, boris, id) = duel(&server, request).await;
    let path = format!("/api/stream/game/{id}");
    let nobody = server.nobody();
    // Once it is known that it has begun.
    while nobody.read(&path, "*/*").await.status() == 404 {
        tokio::task::yield_now().await;
    }
    let mut stream = nobody.watch(&path).await;
    stream.next().await;
    stream.next().await;
    let moved = std::time::Instant::now();
    anna.plays(&id, "e2e4").await.expect(200);
    assert_eq!(stream.next().await["lm"], "e2e4");
    assert!(moved.elapsed() >= std::time::Duration::from_millis(900));
    boris.asks(&id, "resign").await.expect(200);
    assert_eq!(stream.next().await["status"]["name"], "resign");
    stream.ends().await;
}

#[tokio::test]
async fn s11_private_and_unknown_games_are_not_found() {
    let server = Server::start().await;
    let mut request = blitz();
    request["visibility"] = json!("private");
    request["opponent_id"] = json!("boris");
    let (anna, boris) = (
        server.registered("Anna").await,
        server.registered("Boris").await,
    );
    let id = begin(&anna, &boris, request).await;
    for path in [
        format!("/api/stream/game/{id}"),
        "/api/stream/game/ZZZZZZZZ".into(),
    ] {
        let answer = server.nobody().read(&path, "*/*").await;
        assert_eq!(error(answer, 404).await, "No such game");
    }
    let mut own = boris.watch(&format!("/api/stream/game/{id}")).await;
    assert_eq!(own.next().await["id"], json!(id));
    // Nobody is told that it begins, whoever it is that asks about its players.
    let nobody = server.nobody();
    let mut both = post(
        &nobody,
        "/api/stream/games-by-users?withCurrentGames=true",
        "anna,boris",
    )
    .await;
    let open = begin(&anna, &boris, blitz()).await;
    assert_eq!(both.next().await["id"], json!(open));
}

#[tokio::test]
async fn s11_the_starts_and_ends_of_games_between_certain_users_are_told() {
    let server = Server::start().await;
    let (anna, boris) = (
        server.registered("Anna").await,
        server.registered("Boris").await,
    );
    let cleo = server.registered("Cleo").await;
    let before = begin(&anna, &boris, blitz()).await;
    let path = "/api/stream/games-by-users";
    let mut stream = post(&server.nobody(), path, "Anna,boris,nobody").await;
    let mut current = post(
        &server.nobody(),
        "/api/stream/games-by-users?withCurrentGames=true",
        "anna,boris",
    )
    .await;
    // Not between two of them.
    begin(&anna, &cleo, blitz()).await;
    let id = begin(
        &boris,
        &anna,
        json!({
            "time_control": { "initial_seconds": 120, "increment_seconds": 1 },
        }),
    )
    .await;
    assert_eq!(current.next().await["id"], json!(before));
    for stream in [&mut stream, &mut current] {
        let begun = stream.next().await;
        for (name, value) in [
            ("id", json!(id)),
            ("rated", json!(false)),
            ("variant", json!("standard")),
            ("speed", json!("bullet")),
            ("perf", json!("bullet")),
            ("status", json!(20)),
            ("statusName", json!("started")),
            ("winner", Value::Null),
            (
                "clock",
                json!({ "initial": 120, "increment": 1, "totalTime": 160 }),
            ),
        ] {
            assert_eq!(begun[name], value, "{name}: {begun}");
        }
        let white = &begun["players"]["white"];
        assert_eq!(
            (&white["userId"], &white["rating"]),
            (&json!("boris"), &json!(1500))
        );
    }
    play(&boris, &anna, &id, "e4 e5").await;
    anna.asks(&id, "resign").await.expect(200);
    for stream in [&mut stream, &mut current] {
        let over = stream.next().await;
        let told = ["id", "status", "statusName", "winner"].map(|name| over[name].clone());
        assert_eq!(
            told,
            [json!(id), json!(31), json!("resign"), json!("white")]
        );
    }
}

#[tokio::test]
async fn s11_games_are_told_by_id_and_more_can_be_added() {
    let server = Server::start().await;
    let (anna, boris, first) = duel(&server, blitz()).await;
    let over = begin(&anna, &boris, blitz()).await;
    anna.asks(&over, "resign").await.expect(200);
    let second = begin(&anna, &boris, blitz()).await;
    let nobody = server.nobody();
    let ids = format!("{first},{over},ZZZZZZZZ");
    let mut stream = post(&nobody, "/api/stream/games/a-name", &ids).await;
    let told = async |stream: &mut Lines| {
        let line = stream.next().await;
        (line["id"].clone(), line["statusName"].clone())
    };
    assert_eq!(told(&mut stream).await, (json!(first), json!("started")));
    assert_eq!(told(&mut stream).await, (json!(over), json!("resign")));
    let add = "/api/stream/games/a-name/add";
    let added = nobody
        .send_text(add, "*/*", &format!("{second},{first}"))
        .await;
    assert_eq!(added.status(), 200);
    let answer: Value = added.json().await.expect("JSON");
    assert_eq!(answer, json!({ "ok": true }));
    assert_eq!(told(&mut stream).await, (json!(second), json!("started")));
    boris.asks(&first, "resign").await.expect(200);
    assert_eq!(told(&mut stream).await, (json!(first), json!("resign")));
    let other = nobody
        .send_text("/api/stream/games/other/add", "*/*", &first)
        .await;
    // Among several servers another may have it, which is not asked.
    if !server.running().app().store.is_shared() {
        assert_eq!(error(other, 404).await, "No such stream");
    }
    // Others have names of their own: theirs ends and fills nobody else's.
    let mut annas = post(&anna, "/api/stream/games/a-name", &second).await;
    assert_eq!(told(&mut annas).await, (json!(second), json!("started")));
    let third = begin(&anna, &boris, blitz()).await;
    let added = anna.send_text(add, "*/*", &third).await;
    assert_eq!(added.status(), 200);
    assert_eq!(told(&mut annas).await, (json!(third), json!("started")));
    boris.asks(&second, "resign").await.expect(200);
    assert_eq!(told(&mut stream).await, (json!(second), json!("resign")));
    // A second stream of the name takes its place.
    let mut newer = post(&nobody, "/api/stream/games/a-name", &third).await;
    stream.ends().await;
    assert_eq!(told(&mut newer).await, (json!(third), json!("started")));
}

#[tokio::test]
async fn s11_too_many_ids_are_refused() {
    let server = Server::start().await;
    let nobody = server.nobody();
    let names = vec!["anna"; 301].join(",");
    error(
        nobody
            .send_text("/api/stream/games-by-users", "*/*", &names)
            .await,
        400,
    )
    .await;
    let ids = vec!["ZZZZZZZZ"; 501].join(",");
    error(
        nobody.send_text("/api/stream/games/x", "*/*", &ids).await,
        400,
    )
    .await;
    let long = format!("/api/stream/games/{}", "x".repeat(65));
    error(nobody.send_text(&long, "*/*", "").await, 400).await;
    let answer = nobody
        .ask(Method::GET, "/api/stream/games-by-users", "*/*", None)
        .await;
    error(answer, 405).await;
}

#[tokio::test]
async fn s1_streams_keep_alive_by_blank_lines() {
    let server = Server::start().await;
    let (.., id) = duel(&server, blitz()).await;
    let mut stream = server
        .nobody()
        .watch(&format!("/api/stream/game/{id}"))
        .await;
    stream.next().await;
    stream.next().await;
    assert_eq!(stream.raw().await.as_deref(), Some(""));
}

#[tokio::test]
async fn a_server_that_stops_ends_its_streams() {
    let mut server = Server::start().await;
    let (.., id) = duel(&server, blitz()).await;
    let nobody = server.nobody();
    let mut game = nobody.watch(&format!("/api/stream/game/{id}")).await;
    let mut users = post(&nobody, "/api/stream/games-by-users", "anna").await;
    let mut games = post(&nobody, "/api/stream/games/x", "").await;
    let mut feed = nobody.watch("/api/tv/horde/feed").await;
    game.next().await;
    game.next().await;
    server.stop().await;
    for stream in [&mut game, &mut users, &mut games, &mut feed] {
        stream.ends().await;
    }
}
