//! Playing again.

use serde_json::json;

use crate::client::Server;

#[tokio::test]
async fn a_rematch_is_a_new_game_with_colours_swapped() {
    let server = Server::start().await;
    let (white, black, id) = server.blitz().await;
    white
        .asks(&id, "offer-rematch")
        .await
        .refused(409, "not_allowed");
    white.asks(&id, "resign").await.expect(200);
    black
        .asks(&id, "accept-rematch")
        .await
        .refused(409, "no_offer");
    let offered = white.asks(&id, "offer-rematch").await.expect(200);
    assert_eq!(
        (&offered["state"], &offered["rematch_of"]),
        (&json!("WAITING"), &json!(id))
    );
    assert_eq!(
        white.asks(&id, "offer-rematch").await.expect(200)["id"],
        offered["id"]
    );
    let game = black.asks(&id, "accept-rematch").await.expect(200);
    assert_eq!(
        (&game["id"], &game["state"]),
        (&offered["id"], &json!("ACTIVE"))
    );
    assert_eq!(
        (&game["white"], &game["black"]),
        (&json!(black.id), &json!(white.id))
    );
    server
        .guest()
        .await
        .asks(&id, "offer-rematch")
        .await
        .refused(403, "not_a_player");
}
