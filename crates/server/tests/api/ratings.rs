//! How strong players are: from the end of a rated game to every view of it.

use reqwest::Method;
use serde_json::{Value, json};

use crate::chat::moderator;
use crate::client::{Client, Server, blitz, play};
use crate::titles::entitle;

/// Somebody with an account of their own.
async fn register(server: &Server, name: &str) -> Client {
    let nobody = server.nobody();
    let body = json!({ "username": name, "password": "correct horse battery" });
    let answer = nobody.post("/v1/accounts", body).await.expect(201);
    Client {
        id: answer["account"]["id"].as_str().expect("an id").to_owned(),
        token: Some(answer["token"].as_str().expect("a token").to_owned()),
        ..nobody
    }
}

fn rated() -> Value {
    let mut terms = blitz();
    terms["rated"] = json!(true);
    terms
}

/// A game that both have begun; the first has White.
async fn begin(white: &Client, black: &Client, terms: Value) -> String {
    let game = white.post("/v1/games", terms).await.expect(201);
    let id = game["id"].as_str().expect("an id").to_owned();
    black.asks(&id, "join").await.expect(200);
    id
}

/// A rated game that Black loses by resigning.
async fn won(white: &Client, black: &Client) -> String {
    let id = begin(white, black, rated()).await;
    play(white, black, &id, "e4 e5").await;
    black.asks(&id, "resign").await.expect(200);
    id
}

async fn profile(client: &Client, name: &str) -> Value {
    client.get(&format!("/v1/players/{name}")).await.expect(200)
}

#[tokio::test]
async fn a_rated_game_changes_both_ratings_wherever_they_are_shown() {
    let server = Server::start().await;
    let (ann, bob) = (
        register(&server, "Ann").await,
        register(&server, "Bob").await,
    );
    assert_eq!(profile(&bob, "ann").await["ratings"], json!({}));
    let id = begin(&ann, &bob, rated()).await;
    let begun = ann.game(&id).await;
    for color in ["white", "black"] {
        let player = &begun["players"][color];
        assert_eq!(player["rating"], 1500);
        assert_eq!(player["provisional"], true);
    }
    assert_eq!(begun.get("ratings"), None, "nothing happened to them yet");
    let mut feed = bob.listens("/v1/stream").await;
    let mut watched = server.nobody().watches(&id).await;
    let mut played = ann.watches(&id).await;
    play(&ann, &bob, &id, "e4 e5").await;
    ann.asks(&id, "resign").await.expect(200);
    let ratings = ann.game(&id).await["ratings"].clone();
    assert_eq!(ratings["white"], json!({ "before": 1500, "after": 1338 }));
    assert_eq!(ratings["black"], json!({ "before": 1500, "after": 1662 }));
    for stream in [&mut feed, &mut watched, &mut played] {
        assert_eq!(stream.hears("GAME_OVER").await["ratings"], ratings);
    }
    let log = ann.log(&id).await;
    assert_eq!(log.last().expect("an end")["ratings"], ratings);
    let listed = ann.get("/v1/games?state=COMPLETED").await.expect(200);
    assert_eq!(listed["games"][0]["ratings"], ratings);
    let pgn = ann.get(&format!("/v1/games/{id}/pgn")).await.text;
    for tag in [
        "[WhiteElo \"1500\"]",
        "[BlackElo \"1500\"]",
        "[WhiteRatingDiff \"-162\"]",
        "[BlackRatingDiff \"+162\"]",
    ] {
        assert!(pgn.contains(tag), "{pgn}");
    }
    let shown = profile(&ann, "bob").await;
    let now = &shown["ratings"]["blitz"];
    assert_eq!(
        (&now["rating"], &now["deviation"]),
        (&json!(1662), &json!(290))
    );
    assert_eq!(
        (&now["provisional"], &now["progress"]),
        (&json!(true), &json!(162))
    );
    assert_eq!((&now["games"], &now["wins"]), (&json!(1), &json!(1)));
    assert_eq!(now.get("percentile"), None);
    let counts = json!({ "games": 1, "wins": 1, "draws": 0, "losses": 0 });
    assert_eq!(shown["counts"], counts);
    // The next game begins with what the last one left, also a casual one.
    let next = begin(&bob, &ann, blitz()).await;
    let next = ann.game(&next).await;
    assert_eq!(next["players"]["white"]["rating"], 1662);
    let export = bob.get("/v1/me/export").await.expect(200);
    assert_eq!(export["ratings"]["blitz"]["rating"], 1662);
    assert_eq!(export["rating_history"]["blitz"][0]["game_id"], json!(id));
}

#[tokio::test]
async fn a_guest_has_no_rating_and_plays_no_rated_game() {
    let server = Server::start().await;
    let (ann, guest) = (register(&server, "Ann").await, server.guest().await);
    let id = begin(&ann, &guest, blitz()).await;
    let game = ann.game(&id).await;
    assert_eq!(game["players"]["white"]["rating"], 1500);
    assert_eq!(game["players"]["black"]["rating"], Value::Null);
    assert_eq!(game["players"]["black"]["provisional"], Value::Null);
    let refused = guest.post("/v1/games", rated()).await;
    refused.refused(422, "cannot_be_rated");
    let mut unlimited = rated();
    unlimited["time_control"] = Value::Null;
    ann.post("/v1/games", unlimited)
        .await
        .refused(422, "cannot_be_rated");
    let open = ann.post("/v1/games", rated()).await.expect(201);
    let open = open["id"].as_str().expect("an id");
    guest.asks(open, "join").await.refused(409, "not_allowed");
}

#[tokio::test]
async fn what_does_not_count_changes_no_rating() {
    let server = Server::start_with(|settings| settings.rated_games_per_day = 2).await;
    let (ann, bob) = (
        register(&server, "Ann").await,
        register(&server, "Bob").await,
    );
    let aborted = begin(&ann, &bob, rated()).await;
    ann.plays(&aborted, "e4").await.expect(200);
    bob.asks(&aborted, "abort").await.expect(200);
    assert_eq!(ann.game(&aborted).await.get("ratings"), None);
    let casual = begin(&ann, &bob, blitz()).await;
    play(&ann, &bob, &casual, "f3 e5 g4 Qh4#").await;
    assert_eq!(ann.game(&casual).await.get("ratings"), None);
    assert_eq!(profile(&ann, "ann").await["ratings"], json!({}));
    // Takebacks are never part of a rated game.
    let id = begin(&ann, &bob, rated()).await;
    play(&ann, &bob, &id, "e4 e5").await;
    ann.asks(&id, "offer-takeback")
        .await
        .refused(409, "not_allowed");
    bob.asks(&id, "resign").await.expect(200);
    won(&bob, &ann).await;
    // Too many against one opponent in one day.
    let third = won(&ann, &bob).await;
    assert_eq!(ann.game(&third).await.get("ratings"), None);
    let shown = profile(&ann, "ann").await;
    assert_eq!(shown["ratings"]["blitz"]["games"], 2);
}

#[tokio::test]
async fn a_history_is_told_game_by_game() {
    let server = Server::start().await;
    let (ann, bob) = (
        register(&server, "Ann").await,
        register(&server, "Bob").await,
    );
    let games = [won(&ann, &bob).await, won(&bob, &ann).await];
    let path = "/v1/players/ANN/rating-history";
    let history = |speed: &'static str| {
        let ann = ann.clone();
        async move { ann.get(&format!("{path}?speed={speed}")).await }
    };
    let told = history("blitz").await.expect(200);
    let points = told["points"].as_array().expect("points");
    let ids: Vec<_> = points.iter().map(|point| &point["game_id"]).collect();
    assert_eq!(ids, [&json!(games[0]), &json!(games[1])]);
    assert_eq!(points[0]["rating"], 1662);
    let now = &profile(&bob, "ann").await["ratings"]["blitz"]["rating"];
    assert_eq!(&points[1]["rating"], now);
    let none = history("ultraBullet").await.expect(200);
    assert_eq!(none["points"], json!([]));
    let one = ann.get(&format!("{path}?speed=blitz&limit=1")).await;
    assert_eq!(one.expect(200)["points"][0]["game_id"], json!(games[1]));
    history("slow").await.refused(400, "bad_request");
    ann.get(path).await.refused(400, "bad_request");
    let nobody = "/v1/players/nobody/rating-history?speed=blitz";
    ann.get(nobody).await.refused(404, "not_found");
}

/// Plays until the ratings of these are sure, the first the best.
async fn a_season(people: &[&Client]) {
    for round in 0..9 {
        for (i, a) in people.iter().enumerate() {
            for b in &people[i + 1..] {
                let (white, black) = if round % 2 == 0 { (a, b) } else { (b, a) };
                let id = begin(white, black, rated()).await;
                play(white, black, &id, "e4 e5").await;
                match round % 2 {
                    0 => drop(b.asks(&id, "resign").await.expect(200)),
                    _ => {
                        a.asks(&id, "offer-draw").await.expect(200);
                        b.asks(&id, "accept-draw").await.expect(200);
                    }
                }
            }
        }
    }
}

#[tokio::test]
async fn the_best_are_found_on_the_leaderboard() {
    let server = Server::start().await;
    let boss = moderator(&server).await;
    let (ann, bob) = (
        register(&server, "Ann").await,
        register(&server, "Bob").await,
    );
    let (cid, dot) = (
        register(&server, "Cid").await,
        register(&server, "Dot").await,
    );
    entitle(&boss, "ann", json!("GM")).await;
    a_season(&[&ann, &bob, &cid, &dot]).await;
    let page = |query: &'static str| {
        let nobody = server.nobody();
        async move {
            let path = format!("/v1/leaderboards/blitz{query}");
            nobody.get(&path).await.expect(200)
        }
    };
    let names = |board: &Value| {
        let players = board["players"].as_array().expect("players").iter();
        let names = players.map(|player| player["name"].as_str().expect("a name").to_owned());
        names.collect::<Vec<_>>()
    };
    let all = page("").await;
    assert_eq!(names(&all), ["Ann", "Bob", "Cid", "Dot"]);
    assert_eq!(all["players"][0]["title"], "GM");
    assert_eq!(all["next_cursor"], Value::Null);
    let first = page("?limit=2").await;
    assert_eq!(names(&first), ["Ann", "Bob"]);
    let cursor = first["next_cursor"].as_str().expect("a cursor");
    let rest = format!("/v1/leaderboards/blitz?limit=2&cursor={cursor}");
    let rest = ann.get(&rest).await.expect(200);
    assert_eq!(names(&rest), ["Cid", "Dot"]);
    let best = profile(&dot, "ann").await["ratings"]["blitz"].clone();
    assert_eq!(best["rating"], all["players"][0]["rating"]);
    assert_eq!(
        (&best["percentile"], &best["provisional"]),
        (&json!(75.0), &json!(false))
    );
    let worst = profile(&ann, "dot").await["ratings"]["blitz"].clone();
    assert_eq!(worst["percentile"], 0.0);
    // Programs have their own.
    entitle(&boss, "bob", json!("BOT")).await;
    assert_eq!(names(&page("").await), ["Ann", "Cid", "Dot"]);
    assert_eq!(names(&page("?bots=true").await), ["Bob"]);
    // Who is gone is not there.
    cid.send(Method::DELETE, "/v1/me", None, &[])
        .await
        .expect(204);
    assert_eq!(names(&page("").await), ["Ann", "Dot"]);
    let none = ann.get("/v1/leaderboards/ultraBullet").await.expect(200);
    assert_eq!(none["players"], json!([]));
    ann.get("/v1/leaderboards/slow")
        .await
        .refused(404, "not_found");
    let wrong = ann.get("/v1/leaderboards/blitz?cursor=x").await;
    wrong.refused(400, "bad_request");
}

#[tokio::test]
async fn players_are_found_by_the_beginning_of_their_names() {
    let server = Server::start().await;
    for name in ["Anna", "anne", "Bert"] {
        register(&server, name).await;
    }
    let nobody = server.nobody();
    let search = |query: &'static str| {
        let nobody = nobody.clone();
        async move { nobody.get(&format!("/v1/players{query}")).await }
    };
    let found = search("?prefix=AN").await.expect(200);
    let names: Vec<_> = found["players"]
        .as_array()
        .expect("players")
        .iter()
        .collect();
    assert_eq!(
        (&names[0]["name"], &names[1]["name"]),
        (&json!("Anna"), &json!("anne"))
    );
    assert_eq!(names.len(), 2);
    let one = search("?prefix=an&limit=1").await.expect(200);
    assert_eq!(one["players"].as_array().expect("players").len(), 1);
    for wrong in ["", "?prefix=", "?prefix=a%25", "?prefix=a&limit=0"] {
        search(wrong).await.refused(400, "bad_request");
    }
}

#[tokio::test]
async fn an_operators_changed_result_is_rated_anew() {
    let server = Server::start().await;
    let boss = moderator(&server).await;
    let (ann, bob) = (
        register(&server, "Ann").await,
        register(&server, "Bob").await,
    );
    let id = won(&ann, &bob).await;
    let ended_at = ann.game(&id).await["ended_at"].clone();
    let mut watched = server.nobody().watches(&id).await;
    let change = |result: &'static str| {
        let (boss, path) = (boss.clone(), format!("/v1/admin/games/{id}/result"));
        async move { boss.post(&path, json!({ "result": result })).await }
    };
    let same = change("white_wins").await.expect(200);
    assert_eq!(same["reason"], "resignation", "that is what it was");
    let changed = change("black_wins").await.expect(200);
    assert_eq!(changed["reason"], "adjudicated");
    let game = ann.game(&id).await;
    assert_eq!(
        (&game["result"], &game["ended_at"]),
        (&json!("black_wins"), &ended_at)
    );
    let ratings = json!({ "white": { "before": 1500, "after": 1338 },
                          "black": { "before": 1500, "after": 1662 } });
    assert_eq!(game["ratings"], ratings);
    let over = watched.hears("GAME_OVER").await;
    assert_eq!(
        (&over["result"], &over["ratings"]),
        (&json!("black_wins"), &ratings)
    );
    let shown = profile(&ann, "bob").await["ratings"]["blitz"].clone();
    assert_eq!(
        (&shown["rating"], &shown["wins"]),
        (&json!(1662), &json!(1))
    );
    assert_eq!(shown["losses"], 0);
    let log = ann.log(&id).await;
    let ends: Vec<_> = log
        .iter()
        .filter(|entry| entry["type"] == "GAME_OVER")
        .collect();
    assert_eq!(
        (&ends[0]["result"], ends[0].get("ratings")),
        (&json!("white_wins"), None)
    );
    assert_eq!(ends[1]["ratings"], ratings);
    let audit = boss.get("/v1/admin/audit").await.expect(200);
    let line = &audit["entries"][0];
    assert_eq!(line["action"], "change_result", "{audit}");
    assert!(
        line["detail"]
            .as_str()
            .expect("a text")
            .contains("rated anew")
    );
    // It is called off: nothing is left of it.
    let path = format!("/v1/admin/games/{id}/abort");
    boss.post(&path, json!({})).await.expect(200);
    assert_eq!(ann.game(&id).await.get("ratings"), None);
    assert_eq!(profile(&ann, "bob").await["ratings"], json!({}));
}
