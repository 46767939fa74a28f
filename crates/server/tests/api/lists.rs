//! Lists and TV: what they show, and what must not keep them from it.

use chess::table::Table;
use serde_json::{Value, json};
use store::Row;

use crate::client::{Client, Server, blitz};

fn ids(page: &Value) -> Vec<String> {
    let games = page["games"].as_array().expect("games");
    let id = |game: &Value| game["id"].as_str().expect("an id").to_owned();
    games.iter().map(id).collect()
}

/// A game with a spectator delay between two who have others.
async fn delayed_game(white: &Client, black: &Client) -> String {
    let mut request = blitz();
    request["spectator_delay_seconds"] = json!(60);
    let game = white.post("/v1/games", request).await.expect(201);
    let id = game["id"].as_str().expect("an id").to_owned();
    black.asks(&id, "join").await.expect(200);
    id
}

#[tokio::test]
async fn tv_shows_what_is_being_played_latest_move_first() {
    let server = Server::start().await;
    let mut games = Vec::new();
    for _ in 0..3 {
        games.push(server.blitz().await);
    }
    let slow = json!({ "time_control": { "days_per_move": 1 } });
    let (_, _, slow) = server.game(slow).await;
    let mut hidden = blitz();
    hidden["spectator_delay_seconds"] = json!(60);
    server.game(hidden).await;
    let mut private = blitz();
    private["visibility"] = json!("private");
    let private = games[0].0.post("/v1/games", private).await.expect(201);
    assert_eq!(private["state"], "WAITING");
    games[1].0.asks(&games[1].2, "resign").await.expect(200);
    games[0].0.plays(&games[0].2, "e4").await.expect(200);
    let shown = server.nobody().get("/v1/tv").await.expect(200);
    assert_eq!(ids(&shown), [&*games[0].2, &*games[2].2, &*slow]);
    let one = server.nobody().get("/v1/tv?limit=1").await.expect(200);
    assert_eq!(one["games"].as_array().map(Vec::len), Some(1));
    for limit in ["0", "21", "x"] {
        let path = format!("/v1/tv?limit={limit}");
        server.nobody().get(&path).await.refused(400, "bad_request");
    }
}

/// More delayed games than TV looks at do not hide the one that it may show,
/// nor do they make a page of the running games empty.
#[tokio::test]
async fn delayed_games_crowd_nobody_out() {
    let server = Server::start().await;
    let (white, black, shown) = server.blitz().await;
    for _ in 0..201 {
        delayed_game(&white, &black).await;
    }
    let nobody = server.nobody();
    let tv = nobody.get("/v1/tv").await.expect(200);
    assert_eq!(ids(&tv), [&*shown]);
    for path in ["/v1/games?state=ACTIVE&limit=1".to_owned(), {
        format!("/v1/players/{}/games?state=ACTIVE&limit=1", white.id)
    }] {
        let page = nobody.get(&path).await.expect(200);
        assert_eq!(ids(&page), [&*shown], "{path}");
    }
    let own = white.get("/v1/games?state=ACTIVE&limit=100").await;
    assert_eq!(ids(&own.expect(200)).len(), 100, "players see their own");
}

/// One game whose history is damaged is left out of every list; nobody else's
/// game is.
#[tokio::test]
async fn a_damaged_game_takes_no_list_with_it() {
    let mut server = Server::start().await;
    let (white, black, sound) = server.blitz().await;
    let mut damaged = Vec::new();
    for state in ["COMPLETED", "ACTIVE"] {
        let game = white.post("/v1/games", blitz()).await.expect(201);
        let id = game["id"].as_str().expect("an id").to_owned();
        black.asks(&id, "join").await.expect(200);
        if state == "COMPLETED" {
            black.asks(&id, "resign").await.expect(200);
        }
        damaged.push(id);
    }
    for id in &damaged {
        damage(&server, id).await;
    }
    server.restart().await;
    let white = server.again(&white);
    let nobody = server.nobody();
    let page = nobody.get("/v1/games").await.expect(200);
    assert_eq!(ids(&page), [&*sound]);
    assert_eq!(page["next_cursor"], Value::Null);
    let path = format!("/v1/players/{}/games?limit=1", white.id);
    let page = nobody.get(&path).await.expect(200);
    assert_eq!(ids(&page), [&*sound], "the page is filled up");
    let tv = nobody.get("/v1/tv").await.expect(200);
    assert_eq!(ids(&tv), [&*sound]);
    let mut stream = white.listens("/v1/stream").await;
    let turn = stream.hears("YOUR_TURN").await;
    assert_eq!(turn["game_id"], sound.as_str(), "what waits for White");
    for id in &damaged {
        nobody
            .get(&format!("/v1/games/{id}"))
            .await
            .refused(503, "unavailable");
    }
}

/// Leaves half of a game's history in its row.
async fn damage(server: &Server, id: &str) {
    let app = server.running().app();
    let table = id.parse().expect("an id");
    let game = app.games.read(table, None).await.expect("a game");
    let history = game.encode();
    let row = Row {
        table,
        kind: game.kind(),
        version: game.version(),
        history: history[..history.len() / 2].to_vec(),
        deadline: None,
        join_code: None,
        summary: game.summary(),
        moves: Vec::new(),
    };
    app.store.replace_row(row).await.expect("written");
}
