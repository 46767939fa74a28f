//! Games that are copied to another store in the middle, and played on there.

use std::process::Command;
use std::time::Instant;

use serde_json::{Value, json};

use crate::client::{Server, play};
use crate::matches::guest::Pair;

/// `arbiter copy`, as an operator does it.
fn copy(from: &str, to: &str) {
    let arbiter = Command::new(env!("CARGO_BIN_EXE_arbiter"))
        .args(["copy", "--from", from, "--to", to])
        .env_clear()
        .output()
        .expect("the binary runs");
    let said = String::from_utf8_lossy(&arbiter.stdout).into_owned()
        + &String::from_utf8_lossy(&arbiter.stderr);
    assert!(arbiter.status.success(), "{said}");
    assert!(said.contains("games: 2"), "{said}");
    assert!(said.contains("everything is there, and the same"), "{said}");
}

/// What is left of White's clock.
fn left(game: &Value) -> u64 {
    game["clock_ms"]["white"].as_u64().expect("a clock")
}

#[tokio::test]
async fn a_game_and_a_match_are_copied_from_a_file_to_postgresql_and_played_on() {
    let Some(url) = servers::postgres() else {
        return;
    };
    let directory = tempfile::tempdir().expect("a temporary directory");
    let file = format!("sqlite:{}", directory.path().join("arbiter.db").display());
    let mut server = Server::start_with(|settings| settings.store.clone_from(&file)).await;
    let (white, black, id) = server.blitz().await;
    play(&white, &black, &id, "e4 e5").await;
    let said = json!({ "text": "good luck" });
    let said = white.post(&format!("/v1/games/{id}/chat"), said).await;
    assert_eq!(said.status / 100, 2, "{said:?}");
    let pair = Pair::begin(&server).await;
    pair.play("e2e4 e7e5").await;
    let before = white.game(&id).await;
    server.stop().await;
    let stopped = Instant::now();
    copy(&file, &url);
    let away_ms = u64::try_from(stopped.elapsed().as_millis()).expect("a short time");
    server.start_on(&url).await;

    let (white, black) = (server.again(&white), server.again(&black));
    let after = white.game(&id).await;
    assert_eq!(after["san"], json!(["e4", "e5"]));
    assert_eq!(
        after["version"].as_u64(),
        before["version"].as_u64().map(|v| v + 1),
        "one credit"
    );
    let spent = left(&before) - left(&after);
    assert!(
        spent < away_ms,
        "{spent} ms of {away_ms} ms were not given back"
    );
    let chat = white.get(&format!("/v1/games/{id}/chat")).await.expect(200);
    assert!(chat.to_string().contains("good luck"), "{chat}");
    for (ply, text) in (3..).zip(["Qh5", "Nc6", "Bc4", "Nf6", "Qxf7#"]) {
        let player = if ply % 2 == 1 { &white } else { &black };
        player.plays_at(&id, text, ply).await.expect(200);
    }
    assert_eq!(black.game(&id).await["reason"], "checkmate");

    let pair = pair.again(&server);
    pair.play("d1h5 b8c6 f1c4 g8f6 h5f7").await;
    let seen = pair.black.sees(&pair.id).await;
    assert_eq!(seen["outcome"]["winner"], "white", "{seen}");
    // Whoever is new there has a name and a number of their own.
    let cay = server.guest().await;
    assert!(cay.id != white.id && cay.id != black.id, "{}", cay.id);
}
