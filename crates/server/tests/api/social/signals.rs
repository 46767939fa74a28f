//! What may say how a game was played.

use std::time::Duration;

use serde_json::{Value, json};

use crate::chat::moderator;
use crate::client::{Client, Server, play};

async fn signals(client: &Client, game: &str, body: Value) -> crate::client::Answer {
    client
        .post(&format!("/v1/games/{game}/signals"), body)
        .await
}

async fn shown(boss: &Client, game: &str) -> Value {
    let path = format!("/v1/admin/games/{game}/signals");
    boss.get(&path).await.expect(200)
}

#[tokio::test]
async fn focus_is_kept_with_the_times_of_the_moves() {
    let server = Server::start().await;
    let boss = moderator(&server).await;
    let (white, black, game) = server.blitz().await;
    play(&white, &black, &game, "e4 e5 Nf3").await;
    let lost = json!({ "kind": "focus_lost", "at_ply": 2 });
    signals(&white, &game, lost).await.expect(204);
    let gained = json!({ "kind": "focus_gained", "at_ply": 99 });
    signals(&black, &game, gained.clone()).await.expect(204);
    let wrong = json!({ "kind": "yawned" });
    signals(&white, &game, wrong)
        .await
        .refused(400, "bad_request");
    let other = server.guest().await;
    signals(&other, &game, gained.clone())
        .await
        .refused(403, "not_a_player");
    let found = shown(&boss, &game).await;
    let kept: Vec<_> = found["signals"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|signal| {
            let parts = ["player", "color", "kind", "ply"];
            parts.map(|part| signal[part].clone())
        })
        .collect();
    assert_eq!(
        kept,
        [
            [
                json!(white.id),
                json!("white"),
                json!("focus_lost"),
                json!(2)
            ],
            [
                json!(black.id),
                json!("black"),
                json!("focus_gained"),
                json!(null)
            ],
        ]
    );
    let moves = found["moves"].as_array().expect("a list");
    assert_eq!(moves.len(), 3);
    assert_eq!(
        (&moves[2]["san"], &moves[2]["color"]),
        (&json!("Nf3"), &json!("white"))
    );
    assert!(moves[2]["elapsed_ms"].is_number());
    let path = format!("/v1/admin/games/{game}/signals");
    white.get(&path).await.refused(403, "missing_scope");
    white.asks(&game, "resign").await.expect(200);
    signals(&white, &game, gained)
        .await
        .refused(409, "game_not_active");
}

#[tokio::test]
async fn so_many_are_kept_of_a_kind() {
    let server = Server::start().await;
    let (white, _, game) = server.blitz().await;
    let lost = json!({ "kind": "focus_lost" });
    for _ in 0..200 {
        signals(&white, &game, lost.clone()).await.expect(204);
    }
    signals(&white, &game, lost)
        .await
        .refused(409, "too_many_signals");
    let gained = json!({ "kind": "focus_gained" });
    signals(&white, &game, gained).await.expect(204);
}

#[tokio::test]
async fn a_player_whose_last_stream_is_closed_is_noted() {
    let server = Server::start().await;
    let boss = moderator(&server).await;
    let (white, black, game) = server.blitz().await;
    white.plays(&game, "e4").await.expect(200);
    let mut streams = Vec::new();
    for client in [&white, &white, &black, &boss] {
        let mut stream = client.watches(&game).await;
        stream.hears("STATE").await;
        streams.push(stream);
    }
    let mut others = streams.split_off(1);
    drop(streams);
    // The second of White's, and one who only watches; Black stays.
    drop(others.remove(0));
    drop(others.remove(1));
    let mut found = json!(null);
    for _ in 0..1_200 {
        found = shown(&boss, &game).await["signals"].clone();
        if found[0].is_object() {
            break;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    assert_eq!(found.as_array().map(Vec::len), Some(1), "{found}");
    let noted = &found[0];
    assert_eq!(
        (&noted["player"], &noted["kind"], &noted["ply"]),
        (&json!(white.id), &json!("disconnected"), &json!(1))
    );
}
