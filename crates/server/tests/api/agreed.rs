//! What players agreed on, as the game shows it and keeps to it.

use serde_json::json;

use crate::client::{Server, blitz};

#[tokio::test]
async fn a_game_that_counts_illegal_attempts_shows_them_and_says_when_they_end_it() {
    let server = Server::start().await;
    let mut request = blitz();
    request["illegal_moves"] = json!({ "forfeit_after": 2 });
    let (white, _, id) = server.game(request).await;
    let shown = white.game(&id).await["illegal_moves"].clone();
    let attempts = json!({ "white": 0, "black": 0 });
    assert_eq!(shown, json!({ "forfeit_after": 2, "attempts": attempts }));
    for _ in 0..2 {
        let first = white.plays_at(&id, "e2e5", 1).await;
        assert_eq!(
            first.refused(422, "illegal_move").get("game_state"),
            None,
            "a retry counts once"
        );
    }
    assert_eq!(
        white.game(&id).await["illegal_moves"]["attempts"]["white"],
        1
    );
    let last = white.plays_at(&id, "e2e6", 1).await;
    let last = last.refused(422, "illegal_move");
    assert_eq!(
        [&last["game_state"], &last["result"], &last["reason"]],
        ["COMPLETED", "black_wins", "adjudicated"]
    );
    let game = white.game(&id).await;
    assert_eq!(game["illegal_moves"]["attempts"]["white"], 2);
    assert_eq!(game["state"], "COMPLETED");

    let (white, _, id) = server.blitz().await;
    assert_eq!(white.game(&id).await["illegal_moves"], json!(null));
}

#[tokio::test]
async fn a_takeback_leaves_what_was_given() {
    let server = Server::start().await;
    let (white, black, id) = server.blitz().await;
    white.plays(&id, "e4").await.expect(200);
    let path = format!("/v1/games/{id}/add-time");
    let gift = json!({ "seconds": 15 });
    white.post(&path, gift).await.expect(200);
    white.asks(&id, "offer-takeback").await.expect(200);
    let game = black.asks(&id, "accept-takeback").await.expect(200);
    assert_eq!(
        (&game["ply"], &game["clock_ms"]["black"]),
        (&json!(0), &json!(315_000))
    );
}

#[tokio::test]
async fn illegal_attempts_are_counted_from_one_to_a_hundred() {
    let server = Server::start().await;
    let player = server.guest().await;
    for (count, status) in [(0, 422), (1, 201), (100, 201), (101, 422), (300, 422)] {
        let mut request = blitz();
        request["illegal_moves"] = json!({ "forfeit_after": count });
        let answer = player.post("/v1/games", request).await.expect(status);
        if status == 422 {
            assert_eq!(answer["error"], "bad_illegal_moves");
            assert_eq!(answer["field"], "illegal_moves.forfeit_after");
        }
    }
}
