//! How bots answer what people ask of them.

use serde_json::{Value, json};

use super::{Guest, against, from, server};
use crate::client::blitz;

#[tokio::test]
async fn a_draw_is_accepted_by_a_bot_that_is_not_better() {
    let server = server().await;
    let worse = "4k3/pppp4/8/8/8/8/PPPP4/R3K3 w - - 0 1";
    let (mut guest, _) = Guest::plays(&server, from("medium", worse)).await;
    guest.makes("e1e2").await;
    guest.waits().await;
    guest.asks("offer-draw").await;
    let over = guest.socket.hears("GAME_OVER").await;
    assert_eq!(
        (&over["result"], &over["reason"]),
        (&json!("draw"), &json!("draw_agreed"))
    );
}

#[tokio::test]
async fn a_draw_is_declined_by_a_bot_that_is_better() {
    let server = server().await;
    let better = "3qk3/pppp4/8/8/8/8/PPPP4/4K3 w - - 0 1";
    let (mut guest, _) = Guest::plays(&server, from("medium", better)).await;
    guest.makes("e1f2").await;
    guest.waits().await;
    guest.asks("offer-draw").await;
    let declined = guest.socket.hears("OFFER_DECLINED").await;
    assert_eq!(declined["by"], "black", "{declined}");
    assert_eq!(guest.client.game(&guest.id).await["state"], "ACTIVE");
}

#[tokio::test]
async fn a_takeback_is_granted_at_once_and_the_game_goes_on() {
    let server = server().await;
    let (mut guest, _) = Guest::plays(&server, against("easy")).await;
    guest.makes("e2e4").await;
    guest.waits().await;
    guest.asks("offer-takeback").await;
    let taken = guest.socket.hears("TAKEBACK").await;
    assert_eq!(taken["ply"], 0, "{taken}");
    let mut guest = Guest::at(&guest.client, &guest.id).await;
    assert_eq!(guest.ply(), 0);
    guest.makes("d2d4").await;
    guest.waits().await;
}

#[tokio::test]
async fn a_pause_is_granted_and_the_bot_comes_back_with_its_opponent() {
    let server = server().await;
    let (mut guest, _) = Guest::plays(&server, against("easy")).await;
    guest.makes("e2e4").await;
    guest.waits().await;
    guest.asks("offer-pause").await;
    guest.socket.hears("PAUSED").await;
    guest.asks("resume").await;
    guest.socket.hears("RESUMED").await;
    guest.makes("d2d4").await;
    guest.waits().await;
}

#[tokio::test]
async fn a_rematch_is_accepted_with_colours_swapped() {
    let server = server().await;
    let (guest, _) = Guest::plays(&server, against("easy")).await;
    guest.asks("resign").await;
    let next = guest.asks("offer-rematch").await;
    let id = next["id"].as_str().expect("an id");
    let mut again = Guest::at(&guest.client, id).await;
    again.hears_move(1).await;
    let game = guest.client.game(id).await;
    assert_eq!(
        (&game["white"], &game["rated"]),
        (&json!("bot-easy-800"), &json!(false))
    );
}

#[tokio::test]
async fn a_casual_challenge_is_taken_and_a_rated_one_declined_with_the_reason() {
    let server = server().await;
    let ann = server.registered("ann").await;
    let mut own = ann.listens("/v1/stream").await;
    let mut terms = blitz();
    terms["opponent_id"] = json!("bot-hard-1600");
    let casual = ann.post("/v1/games", terms.clone()).await.expect(201);
    let started = own.hears("GAME_STARTED").await;
    assert_eq!(started["game_id"], casual["id"]);
    terms["rated"] = json!(true);
    let rated = ann.post("/v1/games", terms).await.expect(201);
    let gone = own.hears("CHALLENGE_GONE").await;
    assert_eq!(gone["game_id"], rated["id"]);
    assert_eq!(gone["decline_reason"], "casual", "{gone}");
}

#[tokio::test]
async fn a_challenger_who_blocks_the_bot_is_not_left_waiting() {
    let server = server().await;
    let ann = server.registered("ann").await;
    let block = "/v1/me/blocks/bot-easy-800";
    ann.send(reqwest::Method::PUT, block, None, &[])
        .await
        .expect(204);
    let refused = ann.post("/v1/games/bot", against("easy")).await;
    refused.refused(403, "not_accepting");
    let mut terms = blitz();
    terms["opponent_id"] = json!("bot-easy-800");
    ann.post("/v1/games", terms)
        .await
        .refused(403, "not_accepting");
}

#[tokio::test]
async fn it_greets_once_and_thanks_once() {
    let server = server().await;
    let (mut guest, _) = Guest::plays(&server, against("beginner")).await;
    guest.makes("e2e4").await;
    guest.waits().await;
    guest.asks("resign").await;
    let is_thanks = |m: &Value| {
        let text = m["text"].as_str().unwrap_or_default();
        m["type"] == "CHAT" && text.contains("Good game")
    };
    guest.socket.hears_of("thanks", is_thanks).await;
    let chat = guest
        .client
        .get(&format!("/v1/games/{}/chat", guest.id))
        .await;
    let lines = chat.expect(200)["chat"].as_array().expect("lines").clone();
    assert_eq!(lines.len(), 2, "{lines:?}");
    assert!(lines.iter().all(|line| line["from"] == "bot-beginner-400"));
}

#[tokio::test]
async fn a_lost_position_is_given_up_after_a_while() {
    let server = server().await;
    let lost = "k7/8/8/8/3QR3/8/8/4K3 w - - 0 1";
    let (mut guest, _) = Guest::plays(&server, from("hard", lost)).await;
    let mut over = Value::Null;
    for text in [
        "e1d1", "d1c1", "c1b1", "b1a1", "a1a2", "a2b2", "b2c2", "c2d2",
    ] {
        guest.makes(text).await;
        let is_next = |m: &Value| m["type"] == "GAME_OVER" || m["type"] == "MOVE";
        let next = guest.socket.hears_of("an answer", is_next).await;
        if next["type"] == "GAME_OVER" {
            over = next;
            break;
        }
        let text = next["move"].as_str().expect("a move").to_owned();
        guest.follows(&text);
    }
    assert_eq!(
        (&over["reason"], &over["winner"]),
        (&json!("resignation"), &json!("white"))
    );
    assert!(guest.ply() >= 8, "not at once");
}

/// It is at the board for as long as the game lasts: nobody wins by claiming that it left.
#[tokio::test]
async fn a_bot_never_leaves() {
    let server = server().await;
    let (mut guest, _) = Guest::plays(&server, blitz_against()).await;
    guest.makes("e2e4").await;
    guest.waits().await;
    guest
        .client
        .asks(&guest.id, "claim-win")
        .await
        .refused(409, "not_yet");
    let presence = guest
        .client
        .get(&format!("/v1/games/{}/presence", guest.id))
        .await;
    let presence = presence.expect(200);
    assert!(presence.to_string().contains("bot-easy-800"), "{presence}");
    assert!(
        !presence.to_string().contains("claim_at\":\""),
        "{presence}"
    );
}

fn blitz_against() -> Value {
    let mut request = blitz();
    request["difficulty"] = json!("easy");
    request
}
