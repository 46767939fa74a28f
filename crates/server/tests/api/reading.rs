//! Looking at games.

use reqwest::Method;
use serde_json::json;

use crate::client::{Server, blitz, play};

#[tokio::test]
async fn nobody_is_shown_less_than_they_have_seen() {
    let server = Server::start().await;
    let (white, _, id) = server.blitz().await;
    let version = white.game(&id).await["version"].as_u64().expect("a number");
    let read = async |what: &str, seen: &str| {
        let path = format!("/v1/games{what}");
        let headers = [("Arbiter-Version", seen)];
        white.send(Method::GET, &path, None, &headers).await
    };
    let ways = ["", "/legal-moves", "/pgn", "/board.svg", "/text", "/log"];
    for way in ways.map(|way| format!("/{id}{way}")) {
        assert_eq!(read(&way, &version.to_string()).await.status, 200);
        let ahead = read(&way, &(version + 1).to_string()).await;
        ahead.refused(503, "unavailable");
        for garbage in ["", "-1", "one", "99999999999"] {
            read(&way, garbage).await.refused(400, "bad_request");
        }
    }
    for list in ["", &format!("/{id}/chat")] {
        read(list, "7").await.expect(200);
        read(list, "seven").await.refused(400, "bad_request");
    }
}

#[tokio::test]
async fn an_unchanged_game_is_not_sent_again() {
    let server = Server::start().await;
    let (white, black, id) = server.blitz().await;
    let url = format!("{}/v1/games/{id}", server.running().url());
    let etag = |response: &reqwest::Response| {
        response.headers()["etag"]
            .to_str()
            .expect("ASCII")
            .to_owned()
    };
    let http = reqwest::Client::new();
    let first = http.get(&url).send().await.expect("an answer");
    let tag = etag(&first);
    assert!(tag.starts_with("W/"));
    let again = http
        .get(&url)
        .header("if-none-match", &tag)
        .send()
        .await
        .expect("an answer");
    assert_eq!(again.status(), 304);
    play(&white, &black, &id, "e4").await;
    let changed = http
        .get(&url)
        .header("if-none-match", &tag)
        .send()
        .await
        .expect("an answer");
    assert_eq!(changed.status(), 200);
    assert_ne!(etag(&changed), tag);
}

#[tokio::test]
async fn a_game_is_shown_in_every_form() {
    let server = Server::start().await;
    let (white, black, id) = server.blitz().await;
    play(&white, &black, &id, "e4 e5 Nf3").await;
    let nobody = server.nobody();
    let path = |what: &str| format!("/v1/games/{id}/{what}");
    let legal = nobody.get(&path("legal-moves")).await.expect(200);
    assert_eq!(legal["ply"], 3);
    let moves = legal["moves"].as_array().expect("moves");
    assert!(moves.contains(&json!({ "uci": "b8c6", "san": "Nc6" })));
    let log = nobody.get(&path("log")).await.expect(200);
    let types: Vec<_> = log
        .as_array()
        .expect("entries")
        .iter()
        .map(|e| e["type"].clone())
        .collect();
    assert_eq!(types, ["CREATED", "STARTED", "MOVE", "MOVE", "MOVE"]);
    assert_eq!(log[4]["version"], 5);
    let text = nobody.get(&path("text")).await;
    assert_eq!(text.status, 200);
    assert!(text.text.contains("Nc6"), "{}", text.text);
    let svg = nobody.get(&path("board.svg")).await;
    assert!(
        svg.status == 200 && svg.text.starts_with("<svg"),
        "{}",
        svg.text
    );
    assert_eq!(nobody.get(&path("board.png")).await.status, 200);
    let headers = [("accept", "application/x-chess-pgn")];
    let pgn = nobody
        .send(Method::GET, &format!("/v1/games/{id}"), None, &headers)
        .await;
    assert!(pgn.text.starts_with("[Event "), "{}", pgn.text);
}

#[tokio::test]
async fn lists_are_paged_newest_first_and_filtered() {
    let server = Server::start().await;
    let (host, guest) = (server.guest().await, server.guest().await);
    let mut made = Vec::new();
    for _ in 0..5 {
        made.push(host.post("/v1/games", blitz()).await.expect(201)["id"].clone());
    }
    guest
        .asks(made[0].as_str().expect("an id"), "join")
        .await
        .expect(200);
    let mut seen = Vec::new();
    let mut path = "/v1/games?limit=2".to_owned();
    loop {
        let page = server.nobody().get(&path).await.expect(200);
        seen.extend(
            page["games"]
                .as_array()
                .expect("games")
                .iter()
                .map(|g| g["id"].clone()),
        );
        let Some(cursor) = page["next_cursor"].as_str() else {
            break;
        };
        path = format!("/v1/games?limit=2&cursor={cursor}");
    }
    seen.sort_by_key(ToString::to_string);
    made.sort_by_key(ToString::to_string);
    assert_eq!(seen, made);
    let count = |path: String| {
        let nobody = server.nobody();
        async move {
            nobody.get(&path).await.expect(200)["games"]
                .as_array()
                .map(Vec::len)
        }
    };
    assert_eq!(count("/v1/games?state=WAITING".into()).await, Some(4));
    assert_eq!(count("/v1/games?state=ACTIVE".into()).await, Some(1));
    assert_eq!(
        count(format!("/v1/games?player={}", guest.id)).await,
        Some(1)
    );
    assert_eq!(
        count(format!("/v1/players/{}/games", host.id)).await,
        Some(5)
    );
    assert_eq!(count("/v1/games?variant=atomic".into()).await, Some(0));
    for bad in [
        "state=OPEN",
        "limit=0",
        "limit=101",
        "cursor=x",
        "limit=many",
    ] {
        server
            .nobody()
            .get(&format!("/v1/games?{bad}"))
            .await
            .refused(400, "bad_request");
    }
    server
        .nobody()
        .get("/v1/games?player=no-one")
        .await
        .refused(404, "not_found");
}

#[tokio::test]
async fn spectators_lag_behind_by_the_delay_and_players_do_not() {
    let server = Server::start().await;
    let mut request = blitz();
    request["spectator_delay_seconds"] = json!(900);
    let (white, black, id) = server.game(request).await;
    play(&white, &black, &id, "e4 e5").await;
    assert_eq!(black.game(&id).await["ply"], 2);
    let outside = server.nobody().game(&id).await;
    assert_eq!(
        (&outside["ply"], &outside["version"]),
        (&json!(0), &json!(1))
    );
    let log = server
        .nobody()
        .get(&format!("/v1/games/{id}/log"))
        .await
        .expect(200);
    assert_eq!(log.as_array().map(Vec::len), Some(1));
}

#[tokio::test]
async fn a_long_log_is_told_whole() {
    let server = Server::start().await;
    let (white, _, id) = server.blitz().await;
    for _ in 0..600 {
        let gift = json!({ "seconds": 5 });
        let path = format!("/v1/games/{id}/add-time");
        white.post(&path, gift).await.expect(200);
    }
    let log = white.get(&format!("/v1/games/{id}/log")).await.expect(200);
    let log = log.as_array().expect("entries");
    assert_eq!(log.len(), 602);
    assert!((1..).zip(log).all(|(n, entry)| entry["version"] == n));
}
