//! Guests who become somebody: by registering, or because an account takes them over.

use reqwest::Method;
use serde_json::{Value, json};

use crate::client::{Client, Server, blitz, play};

fn credentials(name: &str) -> Value {
    json!({ "username": name, "password": "correct horse battery" })
}

/// A guest registers; the same person, by the token that they get.
async fn registers(server: &Server, guest: &Client, name: &str) -> (Client, Value) {
    let made = guest
        .post("/v1/accounts", credentials(name))
        .await
        .expect(201);
    let token = made["token"].as_str().expect("a token");
    let client = Client {
        id: name.to_lowercase(),
        ..server.holder(token)
    };
    (client, made["account"].clone())
}

async fn games_of(client: &Client, name: &str) -> Vec<String> {
    let page = client
        .get(&format!("/v1/players/{name}/games"))
        .await
        .expect(200);
    let games = page["games"].as_array().expect("a list").iter();
    games
        .map(|game| game["id"].as_str().expect("an id").to_owned())
        .collect()
}

fn token(client: &Client) -> String {
    client.token.clone().expect("a token")
}

#[tokio::test]
async fn a_guest_who_registers_in_mid_game_plays_on() {
    let mut server = Server::start().await;
    let (white, black, id) = server.blitz().await;
    play(&white, &black, &id, "e4 e5").await;
    let before = white.get("/v1/me").await.expect(200);
    let mut own = white.watches(&id).await;
    let mut opponents = black.watches(&id).await;
    let mut spectators = server.nobody().watches(&id).await;
    for stream in [&mut own, &mut opponents, &mut spectators] {
        stream.hears("STATE").await;
    }
    let (ann, account) = registers(&server, &white, "Ann").await;
    assert_eq!(account["uuid"], before["uuid"]);
    assert_eq!(
        (&account["id"], &account["guest"]),
        (&json!("ann"), &json!(false))
    );
    // Everybody's stream goes on with the new name, also with the guest's token.
    for stream in [&mut own, &mut opponents, &mut spectators] {
        let state = stream.hears("STATE").await;
        assert_eq!(state["resync"], true);
        assert_eq!(state["white"], "ann");
        assert_eq!(state["players"]["white"]["name"], "Ann");
        assert_eq!(state["moves"], json!(["e2e4", "e7e5"]));
    }
    white.plays(&id, "Nf3").await.expect(200);
    black.plays(&id, "Nc6").await.expect(200);
    ann.plays(&id, "Bb5").await.expect(200);
    for stream in [&mut own, &mut opponents, &mut spectators] {
        for san in ["Nf3", "Nc6", "Bb5"] {
            assert_eq!(stream.hears("MOVE").await["san"], san);
        }
    }
    // Said over the stream that was opened as a guest.
    own.says(json!({ "type": "CHAT", "text": "hello" })).await;
    assert_eq!(opponents.hears("CHAT").await["from"], "ann");
    // The id they had leads to them, wherever it stands.
    let profile = black
        .get(&format!("/v1/players/{}", white.id))
        .await
        .expect(200);
    assert_eq!(profile["id"], "ann");
    assert_eq!(games_of(&black, &white.id).await, std::slice::from_ref(&id));
    let again = ann
        .post("/v1/accounts", credentials("Bea"))
        .await
        .expect(201);
    assert_ne!(again["account"]["uuid"], account["uuid"], "somebody else");
    // A game begun as a guest counts for nothing, whatever becomes of its player.
    ann.asks(&id, "resign").await.expect(200);
    let over = black.game(&id).await;
    assert_eq!(
        (&over["rated"], &over["white"]),
        (&json!(false), &json!("ann"))
    );
    let log = black.log(&id).await;
    assert!(
        log.iter().any(|entry| entry["type"] == "RESEATED"),
        "{log:?}"
    );
    server.restart().await;
    let ann = server.again(&ann);
    assert_eq!(ann.game(&id).await["players"]["white"]["name"], "Ann");
    let rated = json!({ "time_control": { "initial_seconds": 300 }, "rated": true });
    ann.post("/v1/games", rated).await.expect(201);
}

#[tokio::test]
async fn a_stream_that_comes_back_after_a_new_name_is_told_all_of_it() {
    let server = Server::start().await;
    let (white, black, id) = server.blitz().await;
    play(&white, &black, &id, "e4").await;
    registers(&server, &white, "Ann").await;
    let version = black.game(&id).await["version"].as_u64().expect("a number");
    let path = |since| format!("/v1/games/{id}/stream?since={since}");
    let state = black.listens(&path(version - 1)).await.next().await;
    assert_eq!(
        (&state["type"], &state["resync"]),
        (&json!("STATE"), &json!(true))
    );
    let sync = black.listens(&path(version)).await.next().await;
    assert_eq!(sync["type"], "SYNC");
}

#[tokio::test]
async fn whoever_does_not_get_the_name_stays_a_guest() {
    let server = Server::start().await;
    server.registered("Ann").await;
    let guest = server.guest().await;
    let taken = guest.post("/v1/accounts", credentials("ANN")).await;
    taken.refused(409, "username_taken");
    let me = guest.get("/v1/me").await.expect(200);
    assert_eq!((&me["id"], &me["guest"]), (&json!(guest.id), &json!(true)));
    let old = guest.id.clone();
    registers(&server, &guest, "Bea").await;
    // Nobody signs in by a name that somebody had.
    let as_guest = json!({ "username": old, "password": "correct horse battery" });
    let refused = server.nobody().post("/v1/sessions", as_guest).await;
    refused.refused(401, "bad_credentials");
    let found = server
        .nobody()
        .get("/v1/players?search=guest")
        .await
        .expect(200);
    assert_eq!(found["players"], json!([]));
    let found = server
        .nobody()
        .get("/v1/players?search=B")
        .await
        .expect(200);
    assert_eq!(found["players"][0]["id"], "bea");
}

#[tokio::test]
async fn an_account_takes_a_guest_over_with_all_games() {
    let mut server = Server::start().await;
    let (guest, black, running) = server.blitz().await;
    play(&guest, &black, &running, "e4").await;
    let waiting = guest.post("/v1/games", blitz()).await.expect(201);
    let waiting = waiting["id"].as_str().expect("an id").to_owned();
    let over = guest.post("/v1/games", blitz()).await.expect(201);
    let over = over["id"].as_str().expect("an id").to_owned();
    black.asks(&over, "join").await.expect(200);
    guest.asks(&over, "resign").await.expect(200);
    guest
        .post(
            &format!("/v1/games/{over}/chat"),
            json!({ "text": "thanks" }),
        )
        .await
        .expect(201);
    let ann = server.registered("Ann").await;
    let mut stream = black.watches(&running).await;
    stream.hears("STATE").await;
    let mut dying = guest.watches(&running).await;
    dying.hears("STATE").await;
    let body = json!({ "guest_token": token(&guest) });
    let adopted = ann.post("/v1/me/adopt", body.clone()).await.expect(200);
    assert_eq!(adopted, json!({ "adopted": 3 }));
    // Once more is the same, and nobody else gets them.
    let again = ann.post("/v1/me/adopt", body.clone()).await.expect(200);
    assert_eq!(again, json!({ "adopted": 0 }));
    let ben = server.registered("Ben").await;
    ben.post("/v1/me/adopt", body)
        .await
        .refused(422, "bad_guest_token");
    // The token is dead, and its streams are closed.
    guest.get("/v1/me").await.refused(401, "unauthorized");
    assert_eq!(dying.close_code().await, Some(1008));
    let state = stream.hears("STATE").await;
    assert_eq!(
        (&state["resync"], &state["white"]),
        (&json!(true), &json!("ann"))
    );
    // Running games are played on, waiting ones cancelled, finished ones count.
    black.plays(&running, "e5").await.expect(200);
    ann.plays(&running, "Nf3").await.expect(200);
    assert_eq!(stream.hears("MOVE").await["player"], black.id);
    assert_eq!(stream.hears("MOVE").await["player"], "ann");
    let mut all = vec![running.clone(), waiting.clone(), over.clone()];
    let mut found = games_of(&black, "ann").await;
    let mut by_old = games_of(&black, &guest.id).await;
    for games in [&mut all, &mut found, &mut by_old] {
        games.sort();
    }
    assert_eq!((&found, &by_old), (&all, &all));
    ann.asks(&waiting, "cancel").await.expect(200);
    let finished = black.game(&over).await;
    assert_eq!(
        (&finished["white"], &finished["result"]),
        (&json!("ann"), &json!("black_wins"))
    );
    let profile = black.get("/v1/players/Ann").await.expect(200);
    assert_eq!(profile["played"]["losses"], 1);
    assert_eq!(
        profile["against_you"],
        json!({ "games": 1, "wins": 1, "draws": 0, "losses": 0 })
    );
    let chat = black
        .get(&format!("/v1/games/{over}/chat"))
        .await
        .expect(200);
    assert!(chat.to_string().contains("\"from\":\"ann\""), "{chat}");
    let export = ann.get("/v1/me/export").await.expect(200);
    assert_eq!(export["also_known_as"], json!([guest.id]));
    assert_eq!(export["games"].as_array().map(Vec::len), Some(3));
    assert_eq!(export["chat"][0]["text"], "thanks");
    // It is all still so after a restart, and gone with the account.
    server.restart().await;
    let (ann, black) = (server.again(&ann), server.again(&black));
    assert_eq!(games_of(&black, &guest.id).await.len(), 3);
    ann.asks(&running, "resign").await.expect(200);
    ann.delete("/v1/me").await.expect(204);
    let gone = black.get(&format!("/v1/players/{}", guest.id)).await;
    gone.refused(404, "not_found");
    let shown = black.game(&over).await;
    assert!(
        shown["white"]
            .as_str()
            .is_some_and(|id| id.starts_with("deleted-"))
    );
}

#[tokio::test]
async fn nobody_takes_over_whom_they_played_with_nor_somebody_who_is_no_guest() {
    let server = Server::start().await;
    let (ann, ben) = (
        server.registered("Ann").await,
        server.registered("Ben").await,
    );
    let guest = server.guest().await;
    let game = guest.post("/v1/games", blitz()).await.expect(201);
    let id = game["id"].as_str().expect("an id").to_owned();
    ann.asks(&id, "join").await.expect(200);
    let adopt = |token: String| json!({ "guest_token": token });
    let shared = ann.post("/v1/me/adopt", adopt(token(&guest))).await;
    shared.refused(409, "own_game");
    // Nothing has happened: the guest plays on.
    guest.plays(&id, "e4").await.expect(200);
    for bad in [token(&ben), token(&ann), "made-up".into(), String::new()] {
        let refused = ann.post("/v1/me/adopt", adopt(bad)).await;
        refused.refused(422, "bad_guest_token");
    }
    let other = server.guest().await;
    let refused = other.post("/v1/me/adopt", adopt(token(&guest))).await;
    refused.refused(409, "not_allowed");
    let new = json!({ "name": "reader", "scopes": ["read"] });
    let weak = guest.post("/v1/tokens", new).await.expect(201);
    let weak = weak["token"].as_str().expect("a token").to_owned();
    let refused = ben.post("/v1/me/adopt", adopt(weak)).await;
    refused.refused(422, "bad_guest_token");
    ben.post("/v1/me/adopt", adopt(token(&guest)))
        .await
        .expect(200);
    ben.asks(&id, "resign").await.expect(200);
}

async fn patch(client: &Client, body: Value) -> crate::client::Answer {
    let body = Some(body.to_string());
    client.send(Method::PATCH, "/v1/me", body, &[]).await
}

#[tokio::test]
async fn a_guest_is_called_as_they_wish_and_passes_for_nobody() {
    let server = Server::start().await;
    server.registered("Ann").await;
    let (white, black, id) = server.blitz().await;
    let mut stream = black.watches(&id).await;
    stream.hears("STATE").await;
    for (wish, status, code) in [
        ("ann", 409, "username_taken"),
        ("admin", 422, "bad_username"),
        ("x", 422, "bad_username"),
        ("no spaces", 422, "bad_username"),
    ] {
        let refused = patch(&white, json!({ "display_name": wish })).await;
        refused.refused(status, code);
    }
    let me = patch(&white, json!({ "display_name": "Annie" }))
        .await
        .expect(200);
    assert_eq!(
        (&me["display_name"], &me["guest"]),
        (&json!("Annie"), &json!(true))
    );
    let state = stream.hears("STATE").await;
    assert_eq!(state["players"]["white"]["display_name"], "Annie");
    assert_eq!(state["white"], white.id, "the id says what they are");
    let me = patch(&white, json!({ "display_name": null }))
        .await
        .expect(200);
    assert_eq!(me["display_name"], Value::Null);
    let ben = server.registered("Ben").await;
    let refused = patch(&ben, json!({ "display_name": "Benny" })).await;
    refused.refused(409, "not_allowed");
}

#[tokio::test]
async fn preferences_are_replaced_whole_and_not_over_somebody_elses() {
    let server = Server::start().await;
    let ann = server.registered("Ann").await;
    let path = "/v1/me/preferences";
    assert_eq!(ann.get(path).await.expect(200), json!({}));
    let tag = async || {
        let asked = ann.http.get(format!("{}{path}", ann.url));
        let answer = asked
            .bearer_auth(token(&ann))
            .send()
            .await
            .expect("an answer");
        answer.headers()["etag"].to_str().expect("a tag").to_owned()
    };
    let first = tag().await;
    ann.put(path, json!({ "board": "blue" })).await.expect(200);
    assert_ne!(tag().await, first);
    let put = async |tag: &str, value: Value| {
        let headers = [("if-match", tag)];
        ann.send(Method::PUT, path, Some(value.to_string()), &headers)
            .await
    };
    put(&first, json!({ "board": "red" }))
        .await
        .refused(412, "preferences_changed");
    let second = tag().await;
    let now = put(&second, json!({ "zen": true })).await.expect(200);
    assert_eq!(now, json!({ "zen": true }));
    assert_eq!(ann.get("/v1/me").await.expect(200)["preferences"], now);
    let large = json!({ "x": "y".repeat(8 * 1024) });
    ann.put(path, large).await.refused(413, "too_large");
    ann.put(path, json!([1])).await.refused(400, "bad_request");
    let guest = server.guest().await;
    guest.put(path, json!({ "sound": false })).await.expect(200);
}

#[tokio::test]
async fn a_players_games_are_filtered() {
    let server = Server::start().await;
    let (ann, ben) = (
        server.registered("Ann").await,
        server.registered("Ben").await,
    );
    let guest = server.guest().await;
    let mut ids = Vec::new();
    for (white, black, loser) in [
        (&ann, &ben, &ann),
        (&ben, &ann, &ben),
        (&ann, &guest, &guest),
    ] {
        let game = white.post("/v1/games", blitz()).await.expect(201);
        let id = game["id"].as_str().expect("an id").to_owned();
        black.asks(&id, "join").await.expect(200);
        loser.asks(&id, "resign").await.expect(200);
        ids.push(id);
    }
    let found = async |query: &str| {
        let path = format!("/v1/players/ann/games?{query}");
        let page = ben.get(&path).await.expect(200);
        let games = page["games"].as_array().expect("a list").iter();
        games
            .map(|game| {
                ids.iter()
                    .position(|id| game["id"] == id.as_str())
                    .expect("ours")
            })
            .collect::<Vec<_>>()
    };
    for (query, expected) in [
        ("", vec![2, 1, 0]),
        ("result=win", vec![2, 1]),
        ("result=loss", vec![0]),
        ("result=draw", vec![]),
        ("color=black", vec![1]),
        ("opponent=BEN", vec![1, 0]),
        ("opponent=ben&result=win&color=black&rated=false", vec![1]),
        ("rated=true", vec![]),
        ("since=2020-01-01", vec![2, 1, 0]),
        ("until=2020-01-01T10:00:00Z", vec![]),
    ] {
        assert_eq!(found(query).await, expected, "{query}");
    }
    for bad in ["result=x", "color=red", "since=yesterday", "until=x"] {
        let path = format!("/v1/players/ann/games?{bad}");
        ben.get(&path).await.refused(400, "bad_request");
    }
    ben.get("/v1/games?result=win")
        .await
        .refused(400, "bad_request");
    let nobody = ben.get("/v1/players/ann/games?opponent=nobody").await;
    nobody.refused(404, "not_found");
}

#[tokio::test]
async fn a_link_that_has_served_says_so() {
    let server = Server::start().await;
    let (ann, ben, cay) = (
        server.guest().await,
        server.guest().await,
        server.guest().await,
    );
    let mut terms = blitz();
    terms["visibility"] = json!("private");
    let waits = async || {
        let game = ann.post("/v1/games", terms.clone()).await.expect(201);
        json!({ "join_code": game["join_code"], "game_id": game["id"] })
    };
    let link = waits().await;
    ben.post("/v1/games/join", link.clone()).await.expect(200);
    // Who plays there comes back to the game; others hear that they are late.
    ben.post("/v1/games/join", link.clone()).await.expect(200);
    let late = cay.post("/v1/games/join", link.clone()).await;
    late.refused(409, "link_used");
    let bare = json!({ "join_code": link["join_code"] });
    cay.post("/v1/games/join", bare)
        .await
        .refused(404, "game_not_found");
    let link = waits().await;
    let id = link["game_id"].as_str().expect("an id").to_owned();
    ann.asks(&id, "cancel").await.expect(200);
    let late = cay.post("/v1/games/join", link).await;
    late.refused(410, "link_cancelled");
}
