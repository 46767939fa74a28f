//! The lobby: who is shown which games, as a list and as streams.

mod crowded;
mod streams;

use std::collections::BTreeMap;
use std::time::Duration;

use serde_json::{Value, json};

use crate::client::{Client, Server, blitz};

/// What a reader knows: the games by when they were made and by their ids, as the
/// messages say.
#[derive(Default)]
pub(crate) struct Known {
    games: BTreeMap<String, String>,
    /// How often all of it was told anew.
    pub(crate) states: usize,
    /// Messages about single games.
    pub(crate) changes: usize,
}

impl Known {
    pub(crate) fn take_in(&mut self, message: &Value) {
        let made = |game: &Value| (text(&game["id"]), text(&game["created_at"]));
        match message["type"].as_str().expect("a type") {
            "STATE" => {
                let games = message["games"].as_array().expect("games");
                self.games = games.iter().map(made).collect();
                self.states += 1;
                let is_again = message["resync"] == true;
                assert_eq!(is_again, self.states > 1, "{}", message["resync"]);
                assert!(games.len() <= 200);
            }
            "OPENED" => {
                let (id, at) = made(&message["game"]);
                self.games.insert(id, at);
                self.changes += 1;
            }
            "GONE" => {
                let id = text(&message["game_id"]);
                assert!(self.games.remove(&id).is_some(), "nobody spoke of {id}");
                self.changes += 1;
            }
            other => panic!("{other} in the lobby"),
        }
    }

    /// The ids in no particular order.
    pub(crate) fn ids(&self) -> Vec<String> {
        self.games.keys().cloned().collect()
    }
}

fn text(value: &Value) -> String {
    value.as_str().expect("a text").to_owned()
}

fn ids(page: &Value) -> Vec<String> {
    let games = page["games"].as_array().expect("games");
    games.iter().map(|game| text(&game["id"])).collect()
}

/// Every game that somebody is shown, page by page.
async fn all(client: &Client, query: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut cursor = String::new();
    loop {
        let path = format!("/v1/lobby?limit=100{query}{cursor}");
        let page = client.get(&path).await.expect(200);
        found.extend(ids(&page));
        match page["next_cursor"].as_str() {
            Some(next) => cursor = format!("&cursor={next}"),
            None => return found,
        }
    }
}

/// A registered player.
async fn registered(server: &Server, name: &str) -> Client {
    let body = json!({ "username": name, "password": "correct horse battery" });
    let made = server.nobody().post("/v1/accounts", body).await.expect(201);
    Client {
        id: text(&made["account"]["id"]),
        ..server.holder(&text(&made["token"]))
    }
}

/// Those made in the same millisecond are listed in no particular order: what comes
/// next is made in another.
async fn opens(client: &Client, change: impl FnOnce(&mut Value)) -> String {
    let mut terms = blitz();
    change(&mut terms);
    let made = client.post("/v1/games", terms).await.expect(201);
    tokio::time::sleep(Duration::from_millis(2)).await;
    text(&made["id"])
}

#[tokio::test]
async fn the_lobby_lists_what_the_viewer_may_join_newest_first() {
    let server = Server::start().await;
    let (ann, bob) = (server.guest().await, server.guest().await);
    let cleo = registered(&server, "cleo").await;
    let first = opens(&ann, |_| {}).await;
    let rated = opens(&cleo, |terms| terms["rated"] = json!(true)).await;
    let slow = opens(&cleo, |terms| {
        terms["time_control"] = json!({ "days_per_move": 2 });
        terms["variant"] = json!("atomic");
    })
    .await;
    opens(&ann, |terms| terms["opponent_id"] = json!(bob.id)).await;
    opens(&ann, |terms| terms["visibility"] = json!("private")).await;
    opens(&ann, |terms| terms["visibility"] = json!("members")).await;
    let joined = opens(&ann, |_| {}).await;
    bob.asks(&joined, "join").await.expect(200);
    let cancelled = opens(&ann, |_| {}).await;
    ann.asks(&cancelled, "cancel").await.expect(200);

    let nobody = server.nobody();
    assert_eq!(all(&nobody, "").await, [&*slow, &*rated, &*first]);
    assert_eq!(
        all(&ann, "").await,
        [&*slow],
        "a guest, whose own is the first"
    );
    assert_eq!(all(&bob, "").await, [&*slow, &*first]);
    assert_eq!(all(&bob, "&rated=true").await, [""; 0]);
    assert_eq!(all(&cleo, "").await, [&*first]);
    for (query, found) in [
        ("&variant=atomic", vec![&*slow]),
        ("&variant=standard", vec![&*rated, &*first]),
        ("&rated=true", vec![&*rated]),
        ("&rated=false", vec![&*slow, &*first]),
        ("&speed=correspondence", vec![&*slow]),
        ("&speed=blitz&rated=false", vec![&*first]),
        ("&speed=ultraBullet", vec![]),
    ] {
        assert_eq!(all(&nobody, query).await, found, "{query}");
    }
    let page = nobody.get("/v1/lobby?limit=2").await.expect(200);
    assert_eq!(ids(&page), [&*slow, &*rated]);
    let game = &page["games"][0];
    assert_eq!(
        (&game["state"], game.get("join_code")),
        (&json!("WAITING"), None)
    );
}

#[tokio::test]
async fn what_is_asked_of_the_lobby_must_make_sense() {
    let server = Server::start().await;
    for (query, field) in [
        ("speed=warp", "speed"),
        ("variant=draughts", "variant"),
        ("limit=0", "limit"),
        ("limit=101", "limit"),
        ("cursor=x", "cursor"),
    ] {
        let path = format!("/v1/lobby?{query}");
        let refused = server.nobody().get(&path).await.refused(400, "bad_request");
        assert_eq!(refused["field"], field);
    }
    for path in ["/v1/lobby/stream?speed=warp", "/v1/lobby/stream?rated=x"] {
        let refused = server.nobody().tries_to_listen(path).await;
        assert_eq!(refused.err(), Some(400), "{path}");
    }
}

/// Own games and those that only a guest may not join leave room for others: a page
/// is filled up.
#[tokio::test]
async fn ones_own_games_take_no_place_on_a_page() {
    let server = Server::start().await;
    let (ann, bob) = (server.guest().await, server.guest().await);
    let wanted = [opens(&bob, |_| {}).await, opens(&bob, |_| {}).await];
    for _ in 0..3 {
        opens(&ann, |_| {}).await;
    }
    let page = ann.get("/v1/lobby?limit=2").await.expect(200);
    let mut found = ids(&page);
    found.reverse();
    assert_eq!(found, wanted);
}
