//! What a game's terms decide about the room around it.

use serde_json::{Value, json};
use server::settings::Member;

use crate::chat::moderator;
use crate::client::{Answer, Client, Server, blitz};
use crate::titles::entitle;

async fn game_with(server: &Server, field: &str, value: &str) -> (Client, Client, String) {
    let mut terms = blitz();
    terms[field] = json!(value);
    server.game(terms).await
}

async fn says(client: &Client, id: &str, body: Value) -> Answer {
    client.post(&format!("/v1/games/{id}/chat"), body).await
}

#[tokio::test]
async fn who_may_speak_is_agreed_on_with_the_game() {
    let server = Server::start().await;
    let (observer, judge) = (server.guest().await, moderator(&server).await);
    let words = || json!({ "text": "hello" });
    for (rule, may_player, may_observer) in [
        ("all", true, true),
        ("players", true, false),
        ("off", false, false),
    ] {
        let (white, _, id) = game_with(&server, "chat", rule).await;
        assert_eq!(white.game(&id).await["chat_rule"], rule);
        for (client, may) in [(&white, may_player), (&observer, may_observer)] {
            let answer = says(client, &id, words()).await;
            match may {
                true => answer.expect(201),
                false => answer.refused(403, "chat_off"),
            };
        }
        // Whatever was agreed on, a moderator is heard.
        let notice = json!({ "text": "five minutes", "notice": true });
        says(&judge, &id, notice).await.expect(201);
        let read = observer.get(&format!("/v1/games/{id}/chat")).await;
        let lines = read.expect(200)["chat"].as_array().map(Vec::len);
        let heard = 1 + usize::from(may_player) + usize::from(may_observer);
        assert_eq!(lines, Some(heard), "{rule}");
    }
    let mut terms = blitz();
    terms["chat"] = json!("some");
    let bad = observer.post("/v1/games", terms).await;
    bad.refused(400, "bad_request");
}

#[tokio::test]
async fn a_room_for_members_is_open_to_them_and_shows_who_is_there() {
    let server = Server::start_with(|settings| {
        settings.members = vec![Member::Titled, Member::Named("judge-of-all".into())];
    })
    .await;
    let (white, black) = (server.guest().await, server.guest().await);
    let mut terms = blitz();
    terms["visibility"] = json!("members");
    terms["opponent_id"] = json!(black.id);
    let game = white.post("/v1/games", terms).await.expect(201);
    let id = game["id"].as_str().expect("an id").to_owned();
    black.asks(&id, "join").await.expect(200);
    assert_eq!(white.game(&id).await["visibility"], "members");
    let (stranger, member) = (server.guest().await, server.guest().await);
    let path = format!("/v1/games/{id}");
    stranger.get(&path).await.refused(404, "game_not_found");
    member.get(&path).await.refused(404, "game_not_found");
    let boss = moderator(&server).await;
    entitle(&boss, &member.id, json!("GM")).await;
    member.get(&path).await.expect(200);
    let overlay = format!("{path}/overlay");
    stranger.get(&overlay).await.refused(404, "game_not_found");
    // Nobody hides from those they are among, though it is not told to players
    // before the end.
    let mut socket = member.watches(&id).await;
    socket.hears("STATE").await;
    let presence = member.get(&format!("{path}/presence")).await.expect(200);
    assert_eq!(presence["observers"][0]["title"], "GM");
    let lists = stranger.get("/v1/games?state=ACTIVE").await.expect(200);
    assert_eq!(lists["games"].as_array().map(Vec::len), Some(0));
}
