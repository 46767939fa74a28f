//! How much anyone may ask for, with the limits on.

use serde_json::json;
use server::settings::Settings;

use crate::client::{Server, blitz};

async fn limited(change: impl FnOnce(&mut Settings)) -> Server {
    Server::start_with(|settings| {
        settings.rate_limits = true;
        change(settings);
    })
    .await
}

#[tokio::test]
async fn join_codes_cannot_be_guessed_by_the_dozen() {
    let server = limited(|s| s.wrong_passwords_per_minute = 3).await;
    let (host, guest) = (server.guest().await, server.guest().await);
    let game = host.post("/v1/games", blitz()).await.expect(201);
    let join = async |code: &str| {
        let body = json!({ "join_code": code });
        guest.post("/v1/games/join", body).await
    };
    for code in ["AAAAAA", "AAAAAB", "AAAAAC"] {
        join(code).await.refused(404, "game_not_found");
    }
    let right = game["join_code"].as_str().expect("a code");
    join(right).await.refused(429, "rate_limited");
}
