//! Talking at the table.

use serde_json::{Value, json};

use crate::client::{Client, Server, blitz};

async fn says(client: &Client, game: &str, text: &str, audience: &str) -> Value {
    let body = json!({ "text": text, "audience": audience });
    let path = format!("/v1/games/{game}/chat");
    client.post(&path, body).await.expect(201)
}

async fn page(client: &Client, game: &str, after: Option<&Value>) -> Vec<Value> {
    let query = after.map_or(String::new(), |id| {
        format!("?after={}", id.as_str().expect("an id"))
    });
    let answer = client.get(&format!("/v1/games/{game}/chat{query}")).await;
    let page = answer.expect(200);
    page["chat"].as_array().expect("lines").clone()
}

/// The words somebody may read.
async fn reads(client: &Client, game: &str) -> Vec<String> {
    let lines = page(client, game, None).await;
    let words = lines.iter().map(|line| line["text"].as_str());
    words.map(|text| text.expect("words").to_owned()).collect()
}

/// A person with a token of scope `admin`.
pub(crate) async fn moderator(server: &Server) -> Client {
    let app = server.running().app();
    let guest = server.guest().await;
    let account = app.store.account_by_id(&guest.id).await;
    let account = account.expect("the store reads").expect("an account");
    let change = store::ProfileChange {
        is_admin: Some(true),
        ..store::ProfileChange::default()
    };
    app.store
        .change_profile(account.number, change)
        .await
        .expect("a change");
    let secret = server::auth::secrets::token();
    let new = store::NewToken {
        hash: server::auth::secrets::hash(&secret),
        account: account.number,
        kind: store::TokenKind::Personal,
        name: "moderating".into(),
        scopes: server::auth::Scopes::of(&[server::auth::Scope::Admin]).to_bits(),
        at: app.now(),
        expires_at: None,
    };
    app.store.add_token(new).await.expect("a token");
    let mut moderator = server.holder(&secret);
    moderator.id = guest.id;
    moderator
}

/// Before, during and after the game: every speaker, both audiences, every reader.
#[tokio::test]
async fn who_reads_what_follows_the_roles() {
    let server = Server::start().await;
    let (white, black) = (server.guest().await, server.guest().await);
    let (observer, moderator) = (server.guest().await, moderator(&server).await);
    let mut request = blitz();
    request["opponent_id"] = json!(black.id);
    let game = white.post("/v1/games", request).await.expect(201);
    let id = game["id"].as_str().expect("an id");
    let speakers = [
        ("white", &white),
        ("black", &black),
        ("observer", &observer),
        ("moderator", &moderator),
    ];
    let mut said: Vec<String> = Vec::new();
    for when in ["before", "during", "after"] {
        match when {
            "during" => drop(black.asks(id, "join").await.expect(200)),
            "after" => drop(white.asks(id, "resign").await.expect(200)),
            _ => {}
        }
        for (name, speaker) in speakers {
            for audience in ["room", "observers"] {
                let text = format!("{when} {name} {audience}");
                let line = says(speaker, id, &text, audience).await;
                let is_player = ["white", "black"].contains(&name);
                let expected = if is_player { audience } else { "observers" };
                assert_eq!(line["audience"], expected, "{line}");
                assert_eq!(line["from"], speaker.id.as_str(), "{line}");
                let role = if is_player { "player" } else { name };
                assert_eq!(line["role"], role, "{line}");
                said.push(text);
            }
        }
        for (name, reader) in speakers.iter().chain([&("nobody", &server.nobody())]) {
            let mut expected: Vec<String> = said.clone();
            let is_player = ["white", "black"].contains(name);
            if is_player && when != "after" {
                expected.retain(|text| {
                    let words: Vec<&str> = text.split(' ').collect();
                    let (speaker, audience) = (words[1], words[2]);
                    let by_player = ["white", "black"].contains(&speaker);
                    speaker == *name || by_player && audience == "room"
                });
            }
            let mut read = reads(reader, id).await;
            expected.sort();
            read.sort();
            assert_eq!(read, expected, "{when}: {name}");
        }
    }
}

/// Reading on from the last line gives every line once, those that the end
/// of the game lays open too.
#[tokio::test]
async fn reading_on_misses_nothing_and_repeats_nothing() {
    let server = Server::start().await;
    let (white, black, id) = server.blitz().await;
    let observer = server.guest().await;
    says(&white, &id, "hello", "room").await;
    says(&observer, &id, "whisper", "room").await;
    says(&black, &id, "banter", "observers").await;
    says(&black, &id, "hello you", "room").await;
    let mut read = page(&white, &id, None).await;
    assert_eq!(read.len(), 2);
    black.asks(&id, "resign").await.expect(200);
    let last = read.last().expect("a line")["id"].clone();
    read.extend(page(&white, &id, Some(&last)).await);
    let words: Vec<&str> = read
        .iter()
        .filter_map(|line| line["text"].as_str())
        .collect();
    assert_eq!(words, ["hello", "hello you", "whisper", "banter"]);
    let last = read.last().expect("a line")["id"].clone();
    assert_eq!(page(&white, &id, Some(&last)).await, Vec::<Value>::new());
    let bad = white.get(&format!("/v1/games/{id}/chat?after=7")).await;
    bad.refused(400, "bad_request");
}

#[tokio::test]
async fn what_is_no_line_is_refused() {
    let server = Server::start().await;
    let (white, _, id) = server.blitz().await;
    let path = format!("/v1/games/{id}/chat");
    for text in ["", "  \n ", "two\nlines", "\u{7}", &"x".repeat(501)] {
        let answer = white.post(&path, json!({ "text": text })).await;
        answer.refused(422, "bad_chat");
    }
    let longest = "é".repeat(500);
    let padded = format!("  {longest} ");
    assert_eq!(says(&white, &id, &padded, "room").await["text"], longest);
    let whom = json!({ "text": "hello", "audience": "black" });
    white.post(&path, whom).await.refused(400, "bad_request");
    let nowhere = white.post("/v1/games/zzzz/chat", json!({ "text": "hello" }));
    nowhere.await.refused(404, "game_not_found");
}

#[tokio::test]
async fn five_lines_in_ten_seconds_are_enough() {
    let server = Server::start_with(|settings| settings.rate_limits = true).await;
    let (white, black, id) = server.blitz().await;
    for _ in 0..5 {
        says(&white, &id, "hello", "room").await;
    }
    let path = format!("/v1/games/{id}/chat");
    let sixth = white.post(&path, json!({ "text": "hello" })).await;
    let body = sixth.refused(429, "rate_limited");
    assert!(
        body["retry_after_seconds"].as_u64().is_some_and(|s| s <= 2),
        "{body}"
    );
    says(&black, &id, "others may", "room").await;
}

#[tokio::test]
async fn the_creator_mutes_and_removes_observers() {
    let server = Server::start().await;
    let (white, black, id) = server.blitz().await;
    let (loud, observer) = (server.guest().await, server.guest().await);
    let chat = format!("/v1/games/{id}/chat");
    let ask = async |by: &Client, what: &str, whom: &Client, lift: bool| {
        let body = json!({ "name": whom.id, "lift": lift });
        by.post(&format!("/v1/games/{id}/{what}"), body).await
    };
    says(&loud, &id, "hello", "room").await;
    ask(&observer, "mute", &loud, false)
        .await
        .refused(403, "not_the_creator");
    ask(&black, "mute", &loud, false)
        .await
        .refused(403, "not_the_creator");
    ask(&white, "mute", &black, false)
        .await
        .refused(409, "not_allowed");
    ask(&white, "remove", &black, false)
        .await
        .refused(409, "not_allowed");
    ask(&white, "mute", &loud, false).await.expect(200);
    let words = json!({ "text": "again" });
    loud.post(&chat, words.clone()).await.refused(403, "muted");
    assert_eq!(reads(&loud, &id).await, ["hello"]);
    ask(&white, "mute", &loud, true).await.expect(200);
    says(&loud, &id, "back", "room").await;
    ask(&white, "remove", &loud, false).await.expect(200);
    loud.post(&chat, words.clone())
        .await
        .refused(404, "game_not_found");
    loud.get(&chat).await.refused(404, "game_not_found");
    // A public game is there for everybody; only its room is closed.
    loud.get(&format!("/v1/games/{id}")).await.expect(200);
    assert_eq!(reads(&observer, &id).await, ["hello", "back"]);
}

#[tokio::test]
async fn bans_outlive_a_restart_and_close_private_games() {
    let mut server = Server::start().await;
    let (white, invited) = (server.guest().await, server.guest().await);
    let mut request = blitz();
    request["visibility"] = json!("private");
    request["invited"] = json!([invited.id]);
    let game = white.post("/v1/games", request).await.expect(201);
    let id = game["id"].as_str().expect("an id");
    let path = format!("/v1/games/{id}");
    says(&invited, id, "thanks", "room").await;
    invited.get(&path).await.expect(200);
    let body = json!({ "name": invited.id });
    white
        .post(&format!("{path}/remove"), body)
        .await
        .expect(200);
    server.restart().await;
    let (white, invited) = (server.again(&white), server.again(&invited));
    for path in [path.clone(), format!("{path}/chat"), format!("{path}/pgn")] {
        invited.get(&path).await.refused(404, "game_not_found");
    }
    invited
        .asks(id, "join")
        .await
        .refused(404, "game_not_found");
    let listed = invited.get("/v1/games").await.expect(200);
    assert_eq!(listed["games"], json!([]));
    white.asks(id, "cancel").await.expect(200);
    assert_eq!(reads(&white, id).await, ["thanks"]);
}

#[tokio::test]
async fn a_moderator_counts_as_observer_but_for_notices() {
    let server = Server::start().await;
    let (white, black, id) = server.blitz().await;
    let moderator = moderator(&server).await;
    let chat = format!("/v1/games/{id}/chat");
    says(&moderator, &id, "to observers", "room").await;
    let notice = json!({ "text": "Be kind.", "notice": true });
    white
        .post(&chat, notice.clone())
        .await
        .refused(403, "missing_scope");
    let line = moderator.post(&chat, notice).await.expect(201);
    assert_eq!(
        (&line["role"], &line["notice"]),
        (&json!("moderator"), &json!(true))
    );
    assert_eq!(reads(&black, &id).await, ["Be kind."]);
    let mute = json!({ "name": black.id });
    moderator
        .post(&format!("/v1/games/{id}/mute"), mute)
        .await
        .expect(200);
    let words = json!({ "text": "hello" });
    black.post(&chat, words).await.refused(403, "muted");
    let audit = moderator.get("/v1/admin/audit").await;
    for word in ["notice", "Be kind.", "mute", black.id.as_str()] {
        assert!(audit.text.contains(word), "{word}: {}", audit.text);
    }
}

/// Ids, order and counts of what a player sees are the same whether observers
/// wrote nothing or a hundred lines.
#[tokio::test]
async fn a_player_cannot_count_what_observers_say() {
    let server = Server::start().await;
    let (white, black, id) = server.blitz().await;
    let observer = server.guest().await;
    says(&white, &id, "one", "room").await;
    for n in 0..100 {
        says(&observer, &id, &format!("line {n}"), "room").await;
        says(&black, &id, "banter", "observers").await;
    }
    says(&white, &id, "two", "room").await;
    let seen = page(&white, &id, None).await;
    assert_eq!(seen.len(), 2);
    for line in &seen {
        // The id of the only line to the room in its millisecond.
        let at = line["at"].as_str().expect("a time");
        let number = u64::from_str_radix(line["id"].as_str().expect("an id"), 16);
        let number = number.expect("hexadecimal");
        assert_eq!(number & 0x1f_ffff, 1 << 17, "{line} at {at}");
    }
}

#[tokio::test]
async fn ones_own_lines_are_exported_and_outlive_the_name() {
    let server = Server::start().await;
    let (white, black, id) = server.blitz().await;
    says(&white, &id, "mine", "observers").await;
    says(&black, &id, "not mine", "room").await;
    let export = white.get("/v1/me/export").await.expect(200);
    let chat = export["chat"].as_array().expect("lines");
    assert_eq!(chat.len(), 1, "{export}");
    assert_eq!(
        (&chat[0]["game"], &chat[0]["text"]),
        (&json!(id), &json!("mine"))
    );
    black
        .send(reqwest::Method::DELETE, "/v1/me", None, &[])
        .await
        .expect(204);
    let lines = page(&white, &id, None).await;
    assert_eq!(lines[1]["text"], "not mine");
    assert_ne!(lines[1]["from"], black.id.as_str(), "the name is gone");
}

/// A token that may challenge and not play can make games and take them up.
#[tokio::test]
async fn a_challenger_makes_joins_and_declines_games() {
    let server = Server::start().await;
    let (host, other) = (server.guest().await, server.guest().await);
    let scopes = json!({ "name": "x", "scopes": ["challenge"] });
    let token = other.post("/v1/tokens", scopes).await.expect(201);
    let challenger = server.holder(token["token"].as_str().expect("a token"));
    challenger.post("/v1/games", blitz()).await.expect(201);
    let mut request = blitz();
    request["opponent_id"] = json!(other.id);
    for what in ["join", "decline"] {
        let game = host.post("/v1/games", request.clone()).await.expect(201);
        let id = game["id"].as_str().expect("an id");
        challenger.asks(id, what).await.expect(200);
        challenger
            .asks(id, "resign")
            .await
            .refused(403, "missing_scope");
    }
}

/// More lines than a reader is shown: they must not push out what is for the
/// players, who could count them by that.
#[tokio::test]
async fn what_observers_say_hides_nothing_from_the_players() {
    let server = Server::start().await;
    let (white, black, id) = server.blitz().await;
    let observer = server.guest().await;
    says(&white, &id, "hello", "room").await;
    let lines = (0..520).map(|n| {
        let (observer, id) = (&observer, &id);
        async move { says(observer, id, &n.to_string(), "room").await }
    });
    futures_util::future::join_all(lines).await;
    for player in [&white, &black] {
        assert_eq!(reads(player, &id).await, ["hello"]);
    }
    says(&black, &id, "hello again", "room").await;
    let state = white.watches(&id).await.next().await;
    assert_eq!(state["chat"].as_array().map(Vec::len), Some(2));
}
