//! Section 10: players, as everybody sees them.

use reqwest::Method;
use serde_json::{Value, json};

use super::Player;
use super::looking::{begin, duel, error};
use crate::client::{Client, Server, blitz, play};

const NDJSON: &str = "application/x-ndjson";

async fn bots(client: &Client, query: &str) -> Vec<Value> {
    let text = client
        .text(&format!("/api/bot/online{query}"), NDJSON)
        .await;
    let line = |line| serde_json::from_str(line).expect("a line of JSON");
    text.lines().map(line).collect()
}

fn names(users: &[Value]) -> Vec<&str> {
    let name = |user: &Value| user["username"].as_str().map(str::to_owned);
    let mut names: Vec<&str> = users
        .iter()
        .filter_map(|u| u["username"].as_str())
        .collect();
    assert_eq!(names.len(), users.iter().filter_map(name).count());
    names.sort_unstable();
    names
}

#[tokio::test]
async fn s10_a_user_has_what_clients_require() {
    let server = Server::start().await;
    let (anna, boris, id) = duel(
        &server,
        json!({
            "time_control": { "initial_seconds": 300, "increment_seconds": 0 }, "rated": true,
        }),
    )
    .await;
    play(&anna, &boris, &id, "f3 e5 g4 Qh4#").await;
    let casual = begin(&anna, &boris, blitz()).await;
    boris.asks(&casual, "resign").await.expect(200);
    let user = server.nobody().json("/api/user/BORIS").await;
    assert_eq!(
        (&user["id"], &user["username"]),
        (&json!("boris"), &json!("Boris"))
    );
    let url = format!("{}/@/Boris", server.running().url());
    assert_eq!(user["url"], json!(url));
    for time in ["createdAt", "seenAt"] {
        assert!(
            user[time].as_u64().is_some_and(|at| at > 1_600_000_000_000),
            "{time}"
        );
    }
    assert_eq!(user["title"], Value::Null, "left out, and never null");
    assert!(
        user.as_object()
            .is_some_and(|user| !user.contains_key("title"))
    );
    let blitz = &user["perfs"]["blitz"];
    assert_eq!(blitz["games"], 2, "casual games count too");
    assert!(blitz["rating"].as_u64().is_some_and(|points| points > 1500));
    assert!(blitz["rd"].as_u64().is_some_and(|rd| rd < 350));
    assert!(blitz["prog"].as_i64().is_some_and(|prog| prog > 0));
    assert_eq!(blitz["prov"], true);
    let rapid = &user["perfs"]["rapid"];
    assert_eq!(
        rapid,
        &json!({ "games": 0, "rating": 1500, "rd": 350, "prog": 0, "prov": true })
    );
    let count = &user["count"];
    let counts = ["all", "rated", "win", "loss", "draw"].map(|name| count[name].as_u64());
    assert_eq!(counts, [Some(2), Some(1), Some(1), Some(1), Some(0)]);
}

#[tokio::test]
async fn s10_a_casual_game_makes_a_bot_findable_by_its_perf() {
    let server = Server::start().await;
    let (ada, bert) = (
        Player::bot(&server, "ada").await,
        Player::bot(&server, "bert").await,
    );
    let id = ada
        .plays(&bert, json!({ "clock.limit": 60, "clock.increment": 0 }))
        .await;
    super::play(&ada, &bert, &id, "f2f3 e7e5 g2g4 d8h4").await;
    let user = server.nobody().json("/api/user/ada").await;
    assert_eq!(user["title"], "BOT");
    assert_eq!(user["perfs"]["bullet"]["games"], 1);
    assert_eq!(user["perfs"]["blitz"]["games"], 0);
    assert_eq!(
        user["perfs"]["atomic"],
        Value::Null,
        "variants once they are played"
    );
}

#[tokio::test]
async fn s10_a_token_tells_more() {
    let server = Server::start().await;
    let (anna, _) = (
        server.registered("Anna").await,
        server.registered("Boris").await,
    );
    let known = async || anna.json("/api/user/boris").await;
    let told = |user: &Value| ["followable", "following", "blocking"].map(|f| user[f].clone());
    assert_eq!(
        told(&known().await),
        [json!(true), json!(false), json!(false)]
    );
    anna.put("/v1/me/follows/boris", json!({}))
        .await
        .expect(204);
    assert_eq!(told(&known().await)[1], json!(true));
    anna.put("/v1/me/blocks/boris", json!({})).await.expect(204);
    assert_eq!(told(&known().await)[2], json!(true));
    let plain = server.nobody().json("/api/user/boris").await;
    assert_eq!(told(&plain), [Value::Null, Value::Null, Value::Null]);
}

#[tokio::test]
async fn s2_an_unknown_user_is_not_found() {
    let server = Server::start().await;
    for name in [
        "nobody",
        "a-name-that-is-far-too-long-to-be-one",
        "%00",
        "x y",
    ] {
        let answer = server
            .nobody()
            .read(&format!("/api/user/{name}"), "*/*")
            .await;
        assert_eq!(error(answer, 404).await, "Not found", "{name}");
    }
}

#[tokio::test]
async fn s13_users_are_asked_for_by_ids_as_bare_text() {
    let server = Server::start().await;
    server.registered("Anna").await;
    server.registered("Boris").await;
    let nobody = server.nobody();
    for kind in [
        "",
        "text/plain",
        "application/x-www-form-urlencoded",
        "application/json",
    ] {
        let body = Some((kind, "boris,nobody, ANNA"));
        let answer = nobody.ask(Method::POST, "/api/users", "*/*", body).await;
        assert_eq!(answer.status(), 200, "{kind}");
        let users: Vec<Value> = answer.json().await.expect("a list");
        let names: Vec<&Value> = users.iter().map(|user| &user["username"]).collect();
        assert_eq!(names, [&json!("Boris"), &json!("Anna")]);
        assert!(users.iter().all(|user| user["perfs"].is_object()));
    }
    let many = vec!["anna"; 301].join(",");
    error(nobody.send_text("/api/users", "*/*", &many).await, 400).await;
}

#[tokio::test]
async fn s10_a_status_leaves_out_what_is_not_so() {
    let server = Server::start().await;
    let (anna, _, id) = duel(&server, blitz()).await;
    let nobody = server.nobody();
    let status = async |query: &str| nobody.json(&format!("/api/users/status?{query}")).await;
    let plays = json!({ "id": "anna", "name": "Anna", "playing": true });
    assert_eq!(status("ids=Anna").await, json!([plays]));
    let with_id = json!([{ "id": "anna", "name": "Anna", "playing": true, "playingId": id }]);
    assert_eq!(status("ids=anna&withGameIds=True").await, with_id);
    anna.asks(&id, "abort").await.expect(200);
    assert_eq!(
        status("ids=anna").await,
        json!([{ "id": "anna", "name": "Anna" }])
    );
    assert_eq!(status("ids=nobody").await, json!([]));
    assert_eq!(status("").await, json!([]));
    let path = format!("/api/users/status?ids={}", vec!["anna"; 101].join(","));
    error(nobody.read(&path, "*/*").await, 400).await;
}

/// lichess-bot restarts itself if it is not shown as online.
#[tokio::test]
async fn s10_who_has_an_event_stream_open_is_online() {
    let server = Server::start().await;
    let ada = Player::bot(&server, "ada").await;
    let nobody = server.nobody();
    let path = "/api/users/status?ids=ada,bot-easy-800";
    let is_online = async || {
        let status = nobody.json(path).await;
        status[0]["online"] == true
    };
    assert!(!is_online().await);
    let events = ada.events().await;
    let status = nobody.json(path).await;
    assert_eq!(
        status[0],
        json!({ "id": "ada", "name": "ada", "title": "BOT", "online": true })
    );
    assert_eq!(
        status[1]["online"], true,
        "the server's own are always there"
    );
    drop(events);
    while is_online().await {
        tokio::task::yield_now().await;
    }
}

#[tokio::test]
async fn s4_bots_that_are_online_come_line_by_line() {
    let server = Server::start().await;
    let ada = Player::bot(&server, "ada").await;
    Player::bot(&server, "bert").await;
    let person = Player::person(&server, "cleo").await;
    let _streams = (ada.events().await, person.events().await);
    let all = bots(&server.nobody(), "").await;
    let names = names(&all);
    assert!(names.contains(&"ada"), "{names:?}");
    assert!(
        !names.contains(&"bert") && !names.contains(&"cleo"),
        "{names:?}"
    );
    assert!(
        names.iter().any(|name| name.starts_with("bot-")),
        "those of the house"
    );
    for bot in &all {
        assert_eq!(bot["title"], "BOT");
        assert!(bot["id"].is_string() && bot["perfs"].is_object());
    }
    assert_eq!(bots(&server.nobody(), "?nb=2").await.len(), 2);
    assert_eq!(bots(&server.nobody(), "?nb=100000").await.len(), all.len());
    error(
        server.nobody().read("/api/bot/online?nb=many", "*/*").await,
        400,
    )
    .await;
}

/// That a game with a delay began, or ended, is nobody's business yet.
#[tokio::test]
async fn s10_a_delayed_game_shows_in_no_status_and_no_count() {
    let server = Server::start().await;
    let mut request = blitz();
    request["spectator_delay_seconds"] = json!(600);
    let (anna, _, id) = duel(&server, request).await;
    let nobody = server.nobody();
    let look = async || {
        let status = nobody
            .json("/api/users/status?ids=anna&withGameIds=1")
            .await;
        let user = nobody.json("/api/user/anna").await;
        (status, user)
    };
    let before = look().await;
    assert_eq!(before.0, json!([{ "id": "anna", "name": "Anna" }]));
    anna.asks(&id, "resign").await.expect(200);
    assert_eq!(look().await, before);
    assert_eq!(before.1["playing"], Value::Null);
}
