//! What a restart must not lose, and what it gives back.

use serde_json::json;

use crate::client::{Server, play};

#[tokio::test]
async fn a_game_goes_on_after_a_restart_and_its_clock_is_credited() {
    let mut server = Server::start().await;
    let (white, black, id) = server.blitz().await;
    play(&white, &black, &id, "e4 e5").await;
    let before = white.game(&id).await;
    server.restart().await;
    let (white, black) = (server.again(&white), server.again(&black));
    let after = white.game(&id).await;
    assert_eq!(after["san"], json!(["e4", "e5"]));
    assert_eq!(after["state"], "ACTIVE");
    let left = |game: &serde_json::Value| game["clock_ms"]["white"].as_u64().expect("a clock");
    assert!(left(&after) <= left(&before), "no time is gained");
    let log = white.get(&format!("/v1/games/{id}/log")).await.expect(200);
    let credited = log
        .as_array()
        .expect("entries")
        .iter()
        .filter(|e| e["type"] == "TIME_CREDITED");
    assert_eq!(credited.count(), 1);
    white.plays_at(&id, "Nf3", 3).await.expect(200);
    black.plays_at(&id, "Nc6", 4).await.expect(200);
}

#[tokio::test]
async fn one_file_has_one_server_and_one_database_several() {
    let server = Server::start().await;
    let mut settings = server.running().app().settings.clone();
    settings.listen = "127.0.0.1:0".parse().expect("an address");
    let is_shared = settings.is_postgres();
    match server::operate::Running::start(settings).await {
        Ok(second) => {
            assert!(is_shared, "a second server started");
            second.stop().await;
        }
        Err(refused) => assert!(
            !is_shared && refused.to_string().contains("another"),
            "{refused}"
        ),
    }
}
