//! Section 11: games to take away, one by one.

use chess::pgn;
use reqwest::Method;
use serde_json::{Value, json};

use super::looking::{begin, duel, error};
use crate::client::{Server, blitz, play};

const PGN: &str = "application/x-chess-pgn";
const JSON: &str = "application/json";
const NDJSON: &str = "application/x-ndjson";

pub(super) fn rated() -> Value {
    json!({
        "time_control": { "initial_seconds": 300, "increment_seconds": 2 },
        "rated": true, "color": "white", "clock_start": "second_ply",
    })
}

pub(super) fn lines(text: &str) -> Vec<Value> {
    let line = |line| serde_json::from_str(line).expect("a line of JSON");
    text.lines().map(line).collect()
}

pub(super) fn ids(text: &str) -> Vec<String> {
    let id = |line: &Value| line["id"].as_str().expect("an id").to_owned();
    lines(text).iter().map(id).collect()
}

fn tags(pgn: &str) -> Vec<(String, String)> {
    let tag = |line: &str| {
        let line = line.strip_prefix('[')?.strip_suffix("\"]")?;
        let (name, value) = line.split_once(" \"")?;
        Some((name.to_owned(), value.to_owned()))
    };
    pgn.lines().map_while(tag).collect()
}

fn tag(pgn: &str, name: &str) -> Option<String> {
    let mut tags = tags(pgn).into_iter();
    tags.find(|(tag, _)| tag == name).map(|(_, value)| value)
}

#[tokio::test]
async fn s11_tags_come_in_their_order() {
    let server = Server::start().await;
    let (anna, boris, id) = duel(&server, rated()).await;
    play(&anna, &boris, &id, "f3 e5 g4 Qh4#").await;
    let pgn = server
        .nobody()
        .text(&format!("/game/export/{id}"), "*/*")
        .await;
    let names: Vec<String> = tags(&pgn).into_iter().map(|(name, _)| name).collect();
    let expected = [
        "Event",
        "Site",
        "Date",
        "Round",
        "White",
        "Black",
        "Result",
        "GameId",
        "UTCDate",
        "UTCTime",
        "WhiteElo",
        "BlackElo",
        "WhiteRatingDiff",
        "BlackRatingDiff",
        "Variant",
        "TimeControl",
        "ECO",
        "Opening",
        "Termination",
    ];
    assert_eq!(names, expected, "{pgn}");
    let is = |name: &str, value: &str| assert_eq!(tag(&pgn, name).as_deref(), Some(value));
    is("Event", "rated blitz game");
    is("Site", &format!("{}/{id}", server.running().url()));
    is("Round", "-");
    is("White", "Anna");
    is("Black", "Boris");
    is("Result", "0-1");
    is("GameId", &id);
    is("WhiteElo", "1500");
    is("Variant", "Standard");
    is("TimeControl", "300+2");
    is("ECO", "A00");
    is("Termination", "Normal");
    let date = tag(&pgn, "Date").expect("a date");
    assert_eq!(tag(&pgn, "UTCDate"), Some(date.clone()));
    assert!(
        pgn::Date::read(&date).is_some_and(|date| date.day.is_some()),
        "{date}"
    );
    let diff = |name| {
        tag(&pgn, name)
            .expect("rated")
            .parse::<i32>()
            .expect("a number")
    };
    assert!(diff("WhiteRatingDiff") < 0 && diff("BlackRatingDiff") > 0);
    assert!(
        tag(&pgn, "BlackRatingDiff")
            .expect("rated")
            .starts_with('+')
    );
}

#[tokio::test]
async fn s11_movetext_is_one_line_with_a_clock_after_each_move() {
    let server = Server::start().await;
    let (anna, boris, id) = duel(&server, rated()).await;
    play(&anna, &boris, &id, "f3 e5 g4 Qh4#").await;
    let path = format!("/game/export/{id}");
    let pgn = server.nobody().text(&path, "*/*").await;
    let (_, moves) = pgn.split_once("\n\n").expect("tags, then moves");
    let moves = moves.trim_end();
    assert_eq!(moves.lines().count(), 1, "{moves}");
    let clocks: Vec<&str> = moves
        .split("[%clk ")
        .skip(1)
        .filter_map(|rest| rest.split(']').next())
        .collect();
    assert_eq!(clocks.len(), 4, "{moves}");
    // No clock runs and nothing is added before the second half-move.
    assert_eq!(clocks[0], "0:05:00");
    let without = clocks.iter().fold(moves.to_owned(), |text, clock| {
        text.replacen(&format!("[%clk {clock}]"), "_", 1)
    });
    assert_eq!(
        without,
        "1. f3 { _ } 1... e5 { _ } 2. g4 { _ } 2... Qh4# { _ } 0-1"
    );
    let plain = server
        .nobody()
        .text(&format!("{path}?clocks=False"), "*/*")
        .await;
    assert!(
        plain.ends_with("\n\n1. f3 e5 2. g4 Qh4# 0-1\n\n\n"),
        "{plain:?}"
    );
    let bare = format!("{path}?clocks=0&tags=false&opening=0");
    assert_eq!(
        server.nobody().text(&bare, PGN).await,
        "1. f3 e5 2. g4 Qh4# 0-1\n\n\n"
    );
    let no_moves = server
        .nobody()
        .text(&format!("{path}?moves=false"), PGN)
        .await;
    assert!(no_moves.ends_with("\"]\n\n0-1\n\n\n"), "{no_moves}");
}

#[tokio::test]
async fn s11_each_game_ends_with_two_empty_lines() {
    let server = Server::start().await;
    let (anna, boris, first) = duel(&server, blitz()).await;
    boris.asks(&first, "resign").await.expect(200);
    let second = begin(&anna, &boris, blitz()).await;
    anna.asks(&second, "resign").await.expect(200);
    let text = server.nobody().text("/api/games/user/ANNA", "*/*").await;
    let games: Vec<&str> = text
        .split("\n\n\n")
        .filter(|game| !game.is_empty())
        .collect();
    assert_eq!(games.len(), 2, "{text}");
    let told: Vec<_> = games
        .iter()
        .map(|game| tag(game, "GameId").expect("an id"))
        .collect();
    assert_eq!(told, [second, first], "newest first");
    assert!(text.ends_with("\n\n\n") && !text.contains("\n\n\n\n"));
    assert!(!text.contains('\r'));
    let read = pgn::read(text.as_bytes()).collect::<Vec<_>>();
    assert_eq!(read.len(), 2);
    assert!(read.iter().all(Result::is_ok), "our own reader reads them");
}

#[tokio::test]
async fn s11_the_form_is_decided_by_accept() {
    let server = Server::start().await;
    let (_, boris, id) = duel(&server, blitz()).await;
    boris.asks(&id, "resign").await.expect(200);
    let nobody = server.nobody();
    let ids = Some(("", id.as_str()));
    for (accept, kind) in [
        ("*/*", PGN),
        ("text/plain", PGN),
        (PGN, PGN),
        ("application/json", JSON),
        ("application/x-ndjson", JSON),
    ] {
        let one = nobody.read(&format!("/game/export/{id}"), accept).await;
        assert_eq!(one.headers()["content-type"], kind, "{accept}");
        let current = nobody.read("/api/user/anna/current-game", accept).await;
        assert_eq!(current.headers()["content-type"], kind, "{accept}");
        let many = match kind {
            PGN => PGN,
            _ => NDJSON,
        };
        let list = nobody.read("/api/games/user/anna", accept).await;
        assert_eq!(list.headers()["content-type"], many, "{accept}");
        let by_ids = nobody
            .ask(Method::POST, "/api/games/export/_ids", accept, ids)
            .await;
        assert_eq!(by_ids.headers()["content-type"], many, "{accept}");
    }
}

#[tokio::test]
async fn s11_a_game_as_json_has_what_clients_read() {
    let server = Server::start().await;
    let (anna, boris, id) = duel(&server, rated()).await;
    play(&anna, &boris, &id, "f3 e5 g4 Qh4#").await;
    let nobody = server.nobody();
    let path = format!("/game/export/{id}?pgnInJson=true&lastFen=1");
    let game = nobody.json(&path).await;
    for (name, value) in [
        ("id", json!(id)),
        ("rated", json!(true)),
        ("variant", json!("standard")),
        ("speed", json!("blitz")),
        ("perf", json!("blitz")),
        ("status", json!("mate")),
        ("winner", json!("black")),
        ("moves", json!("f3 e5 g4 Qh4#")),
        (
            "clock",
            json!({ "initial": 300, "increment": 2, "totalTime": 380 }),
        ),
        (
            "lastFen",
            json!("rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3"),
        ),
    ] {
        assert_eq!(game[name], value, "{name}: {game}");
    }
    let clocks = game["clocks"].as_array().expect("clocks");
    assert_eq!(clocks.len(), 4);
    assert_eq!(clocks[0], 30_000, "in centiseconds");
    assert!(game["lastMoveAt"].as_u64() >= game["createdAt"].as_u64());
    assert_eq!(game["initialFen"], Value::Null);
    let white = &game["players"]["white"];
    assert_eq!(white["user"], json!({ "id": "anna", "name": "Anna" }));
    assert_eq!(
        (&white["rating"], &white["provisional"]),
        (&json!(1500), &json!(true))
    );
    assert!(white["ratingDiff"].as_i64().is_some_and(|diff| diff < 0));
    assert!(
        game["pgn"]
            .as_str()
            .is_some_and(|pgn| pgn.contains("2... Qh4#"))
    );
    // What is not asked for of many.
    let list = nobody.text("/api/games/user/anna", NDJSON).await;
    let game = &lines(&list)[0];
    for left_out in ["clocks", "pgn", "lastFen"] {
        assert_eq!(game[left_out], Value::Null, "{left_out}");
    }
    let text = nobody
        .text("/api/games/user/anna?clocks=True&moves=False", NDJSON)
        .await;
    let game = &lines(&text)[0];
    assert!(
        game["clocks"].is_array() && game["moves"].is_null(),
        "{game}"
    );
}

#[tokio::test]
async fn s11_no_line_of_a_list_is_empty_and_a_current_game_is_one_line() {
    let server = Server::start().await;
    let (anna, boris, first) = duel(&server, blitz()).await;
    boris.asks(&first, "resign").await.expect(200);
    begin(&anna, &boris, blitz()).await;
    let nobody = server.nobody();
    let list = nobody
        .text("/api/games/user/anna?ongoing=true", NDJSON)
        .await;
    assert_eq!(list.lines().count(), 2);
    assert!(list.lines().all(|line| !line.is_empty()) && list.ends_with('\n'));
    let current = nobody.text("/api/user/anna/current-game", JSON).await;
    assert_eq!(current.trim_end().lines().count(), 1);
}

#[tokio::test]
async fn s11_a_game_from_a_position_says_so() {
    let server = Server::start().await;
    let fen = "4k3/8/8/8/8/8/4P3/4K3 b - - 0 1";
    let mut request = blitz();
    request["initial_fen"] = json!(fen);
    let (_, boris, id) = duel(&server, request).await;
    boris.plays(&id, "e8e7").await.expect(200);
    let nobody = server.nobody();
    let pgn = nobody
        .text(&format!("/game/export/{id}?clocks=0"), "*/*")
        .await;
    let names: Vec<String> = tags(&pgn).into_iter().map(|(name, _)| name).collect();
    assert_eq!(names[names.len() - 3..], ["Termination", "FEN", "SetUp"]);
    assert_eq!(tag(&pgn, "FEN").as_deref(), Some(fen));
    assert_eq!(tag(&pgn, "SetUp").as_deref(), Some("1"));
    assert_eq!(tag(&pgn, "Variant").as_deref(), Some("From Position"));
    assert_eq!(tag(&pgn, "Termination").as_deref(), Some("Unterminated"));
    assert!(pgn.ends_with("\n\n1... Ke7 *\n\n\n"), "{pgn}");
    let game = nobody.json(&format!("/game/export/{id}")).await;
    assert_eq!(
        (&game["variant"], &game["initialFen"]),
        (&json!("fromPosition"), &json!(fen))
    );
}

#[tokio::test]
async fn s11_a_960_start_is_always_told() {
    let server = Server::start().await;
    let mut request = blitz();
    request["variant"] = json!("chess960");
    request["chess960_position"] = json!(518);
    let (.., id) = duel(&server, request).await;
    let pgn = server
        .nobody()
        .text(&format!("/game/export/{id}"), "*/*")
        .await;
    assert!(
        tag(&pgn, "FEN").is_some() && tag(&pgn, "SetUp").is_some(),
        "{pgn}"
    );
    let game = server.nobody().json(&format!("/game/export/{id}")).await;
    assert!(game["initialFen"].is_string());
    assert_eq!(
        (&game["variant"], &game["perf"]),
        (&json!("chess960"), &json!("chess960"))
    );
}

#[tokio::test]
async fn s11_without_a_clock_there_is_none() {
    let server = Server::start().await;
    let days = json!({ "time_control": { "days_per_move": 3 } });
    let (anna, boris, id) = duel(&server, days).await;
    play(&anna, &boris, &id, "e4 e5").await;
    let nobody = server.nobody();
    let path = format!("/game/export/{id}");
    let pgn = nobody.text(&path, "*/*").await;
    assert_eq!(tag(&pgn, "TimeControl").as_deref(), Some("-"));
    assert_eq!(
        tag(&pgn, "Event").as_deref(),
        Some("casual correspondence game")
    );
    assert!(pgn.ends_with("\n\n1. e4 e5 *\n\n\n"), "{pgn}");
    let game = nobody.json(&path).await;
    assert_eq!(game["daysPerTurn"], 3);
    for left_out in ["clock", "clocks"] {
        assert_eq!(game[left_out], Value::Null);
    }
}

#[tokio::test]
async fn s11_how_a_game_ended_is_in_their_words() {
    let server = Server::start().await;
    let (anna, boris, resigned) = duel(&server, blitz()).await;
    boris.asks(&resigned, "resign").await.expect(200);
    let aborted = begin(&anna, &boris, blitz()).await;
    anna.asks(&aborted, "abort").await.expect(200);
    let drawn = begin(&anna, &boris, blitz()).await;
    play(&anna, &boris, &drawn, "e4 e5").await;
    anna.asks(&drawn, "offer-draw").await.expect(200);
    boris.asks(&drawn, "accept-draw").await.expect(200);
    for (id, status, winner, score, how) in [
        (&resigned, "resign", json!("white"), "1-0", "Normal"),
        (&aborted, "aborted", Value::Null, "*", "Abandoned"),
        (&drawn, "draw", Value::Null, "1/2-1/2", "Normal"),
    ] {
        let path = format!("/game/export/{id}");
        let game = server.nobody().json(&path).await;
        assert_eq!(
            (&game["status"], &game["winner"]),
            (&json!(status), &winner)
        );
        let pgn = server.nobody().text(&path, "*/*").await;
        assert_eq!(tag(&pgn, "Result").as_deref(), Some(score));
        assert_eq!(tag(&pgn, "Termination").as_deref(), Some(how));
    }
}

/// Here a running game is shown as it stands: three plies less would be another game.
#[tokio::test]
async fn s11_nothing_is_withheld_from_a_running_game() {
    let server = Server::start().await;
    let (anna, boris, id) = duel(&server, blitz()).await;
    play(&anna, &boris, &id, "e4 e5 Nf3").await;
    let pgn = server
        .nobody()
        .text(&format!("/game/export/{id}?clocks=0"), "*/*")
        .await;
    assert!(pgn.ends_with("1. e4 e5 2. Nf3 *\n\n\n"), "{pgn}");
}

#[tokio::test]
async fn s11_but_from_one_with_a_delay_what_is_not_due() {
    let server = Server::start().await;
    let mut request = blitz();
    request["spectator_delay_seconds"] = json!(600);
    let (anna, boris, id) = duel(&server, request).await;
    play(&anna, &boris, &id, "e4 e5").await;
    let path = format!("/game/export/{id}?clocks=0&tags=0");
    error(server.nobody().read(&path, "*/*").await, 404).await;
    assert_eq!(anna.text(&path, "*/*").await, "1. e4 e5 *\n\n\n");
    let list = "/api/games/user/anna?ongoing=true";
    assert_eq!(server.nobody().text(list, NDJSON).await, "");
    assert_eq!(ids(&anna.text(list, NDJSON).await), [id]);
}

#[tokio::test]
async fn s11_private_games_are_their_players() {
    let server = Server::start().await;
    let mut request = blitz();
    request["visibility"] = json!("private");
    request["opponent_id"] = json!("boris");
    let (anna, boris) = (
        server.registered("Anna").await,
        server.registered("Boris").await,
    );
    let id = begin(&anna, &boris, request).await;
    let path = format!("/game/export/{id}");
    for who in [server.nobody(), server.registered("Cleo").await] {
        let answer = who.read(&path, "*/*").await;
        assert_eq!(error(answer, 404).await, "No such game");
        let list = who.text("/api/games/user/anna?ongoing=1", NDJSON).await;
        assert_eq!(list, "");
        let answer = who.send_text("/api/games/export/_ids", NDJSON, &id).await;
        assert_eq!(answer.text().await.expect("a list"), "");
        error(who.read("/api/user/anna/current-game", JSON).await, 404).await;
    }
    assert_eq!(boris.json(&path).await["id"], json!(id));
    assert_eq!(
        boris.json("/api/user/anna/current-game").await["id"],
        json!(id)
    );
}
