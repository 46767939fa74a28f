//! A title stands wherever its bearer is named.

use reqwest::Method;
use serde_json::{Value, json};

use crate::chat::moderator;
use crate::client::{Client, Server, blitz};
use crate::matches::guest::{Guest, Pair};

pub(crate) async fn entitle(boss: &Client, who: &str, title: Value) {
    let path = format!("/v1/admin/accounts/{who}/title");
    let body = json!({ "title": title });
    boss.post(&path, body).await.expect(204);
}

#[tokio::test]
async fn a_game_names_its_players_with_their_titles() {
    let server = Server::start().await;
    let boss = moderator(&server).await;
    let (ann, bob) = (server.guest().await, server.guest().await);
    entitle(&boss, &ann.id, json!("GM")).await;
    entitle(&boss, &bob.id, json!("BOT")).await;
    let mut terms = blitz();
    terms["opponent_id"] = json!(bob.id);
    let game = ann.post("/v1/games", terms).await.expect(201);
    let id = game["id"].as_str().expect("an id");
    assert_eq!(
        (&game["creator_title"], &game["opponent_title"]),
        (&json!("GM"), &json!("BOT"))
    );
    bob.asks(id, "join").await.expect(200);
    ann.plays(id, "e4").await.expect(200);
    let listed = ann.get("/v1/games").await.expect(200);
    let of_bob = format!("/v1/players/{}/games", bob.id);
    let of_bob = ann.get(&of_bob).await.expect(200);
    let tv = ann.get("/v1/tv").await.expect(200);
    let one = ann.game(id).await;
    for view in [
        &one,
        &listed["games"][0],
        &of_bob["games"][0],
        &tv["games"][0],
    ] {
        assert_eq!(view["players"]["white"]["title"], "GM");
        assert_eq!(view["players"]["black"]["title"], "BOT");
    }
    let here = ann
        .get(&format!("/v1/games/{id}/presence"))
        .await
        .expect(200);
    assert_eq!(here["white"]["title"], "GM");
    let log = ann.log(id).await;
    let started = log.iter().find(|entry| entry["type"] == "STARTED");
    let started = started.expect("a start");
    assert_eq!(
        (&started["white_title"], &started["black_title"]),
        (&json!("GM"), &json!("BOT"))
    );
    let pgn = ann.get(&format!("/v1/games/{id}/pgn")).await.text;
    for tag in ["[WhiteTitle \"GM\"]", "[BlackTitle \"BOT\"]"] {
        assert!(pgn.contains(tag), "{pgn}");
    }
    let text = ann.get(&format!("/v1/games/{id}/text")).await.text;
    let heading = format!("GM {} - BOT {}", ann.id, bob.id);
    assert!(text.contains(&heading), "{text}");
    let page = format!("{}/game/{id}", server.running().url());
    let page = ann.http.get(page).send().await.expect("an answer");
    let page = page.text().await.expect("a page");
    // What a link tells is part of the browser client, if that is built in.
    let is_told = page.contains(&format!("GM {}", ann.id));
    assert!(is_told || page.contains("not built in"), "{page}");
    let profile = bob
        .get(&format!("/v1/players/{}", ann.id))
        .await
        .expect(200);
    assert_eq!(profile["title"], "GM");
    assert_eq!(ann.get("/v1/me").await.expect(200)["title"], "GM");
}

#[tokio::test]
async fn streams_name_everybody_with_their_titles() {
    let server = Server::start().await;
    let boss = moderator(&server).await;
    let (ann, bob, cid) = (
        server.guest().await,
        server.guest().await,
        server.guest().await,
    );
    for (who, title) in [(&ann, "GM"), (&bob, "IM"), (&cid, "Trainer")] {
        entitle(&boss, &who.id, json!(title)).await;
    }
    let mut feed = bob.listens("/v1/stream").await;
    let mut terms = blitz();
    terms["opponent_id"] = json!(bob.id);
    let game = ann.post("/v1/games", terms).await.expect(201);
    let id = game["id"].as_str().expect("an id");
    assert_eq!(feed.hears("CHALLENGE").await["from_title"], "GM");
    let mut socket = cid.watches(id).await;
    let state = socket.hears("STATE").await;
    assert_eq!(state["players"]["white"]["title"], "GM");
    assert_eq!(state["presence"]["white"]["title"], "GM");
    bob.asks(id, "join").await.expect(200);
    assert_eq!(feed.hears("GAME_STARTED").await["opponent_title"], "GM");
    assert_eq!(socket.hears("STARTED").await["black_title"], "IM");
    while socket.hears("PRESENCE").await["title"] != "IM" {}
    ann.plays(id, "e4").await.expect(200);
    assert_eq!(feed.hears("YOUR_TURN").await["opponent_title"], "GM");
    for (who, title) in [(&ann, "GM"), (&cid, "Trainer")] {
        let body = json!({ "text": "hello" });
        let chat = format!("/v1/games/{id}/chat");
        assert_eq!(who.post(&chat, body).await.expect(201)["title"], title);
        assert_eq!(socket.hears("CHAT").await["title"], title);
    }
}

/// A client that asks whether anything is new learns of a title.
#[tokio::test]
async fn a_title_given_during_a_game_is_seen_at_once() {
    let server = Server::start().await;
    let boss = moderator(&server).await;
    let (ann, _bob, id) = server.blitz().await;
    let url = format!("{}/v1/games/{id}", server.running().url());
    let first = ann.http.get(&url).send().await.expect("an answer");
    let tag = first.headers()["etag"].to_str().expect("text").to_owned();
    let known = [("if-none-match", tag.as_str())];
    let path = format!("/v1/games/{id}");
    let nobody = server.nobody();
    assert_eq!(
        nobody.send(Method::GET, &path, None, &known).await.status,
        304
    );
    entitle(&boss, &ann.id, json!("WIM")).await;
    let seen = nobody
        .send(Method::GET, &path, None, &known)
        .await
        .expect(200);
    assert_eq!(seen["players"]["white"]["title"], "WIM");
    entitle(&boss, &ann.id, Value::Null).await;
    assert_eq!(
        nobody.game(&id).await["players"]["white"]["title"],
        Value::Null
    );
}

#[tokio::test]
async fn a_guest_of_collector_chess_may_have_one_too() {
    let server = Server::start().await;
    let boss = moderator(&server).await;
    let host = Guest::new(&server, "Ann");
    host.hosts().await;
    let pair = Pair::meet(&server).await;
    for guest in [&host, &pair.white] {
        let account = server.running().app().auth.guest("collector", &guest.id);
        let account = account.await.expect("the store reads").expect("a guest");
        entitle(&boss, &account.id, json!("FM")).await;
    }
    let seats = pair.black.sees(&pair.id).await["seats"].clone();
    assert_eq!(seats[0]["player"]["title"], "FM");
    assert_eq!(seats[1]["player"].get("title"), None);
    let rooms = host.client.get("/v1/matches/rooms").await.expect(200);
    assert_eq!(rooms[0]["host"]["title"], "FM");
}
