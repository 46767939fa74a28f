//! What the README promises a newcomer.

use serde_json::json;

use crate::client::{Server, play};

#[tokio::test]
async fn two_players_register_play_the_scholars_mate_and_download_the_pgn() {
    let server = Server::start().await;
    let mut players = Vec::new();
    for name in ["Alice", "Bob"] {
        let body = json!({ "username": name, "password": "correct horse battery" });
        let answer = server.nobody().post("/v1/accounts", body).await.expect(201);
        assert_eq!(answer["account"]["name"], name);
        players.push(server.holder(answer["token"].as_str().expect("a token")));
    }
    let (alice, bob) = (&players[0], &players[1]);
    let request = json!({
        "time_control": { "initial_seconds": 300, "increment_seconds": 2 }, "opponent_id": "bob",
    });
    let game = alice.post("/v1/games", request).await.expect(201);
    assert_eq!(game["state"], "WAITING");
    let id = game["id"].as_str().expect("an id");
    let game = bob.asks(id, "join").await.expect(200);
    assert_eq!(
        (&game["state"], &game["version"]),
        (&json!("ACTIVE"), &json!(2))
    );

    play(alice, bob, id, "e4 e5 Qh5 Nc6 Bc4 Nf6").await;
    let mate = alice.plays(id, "Qxf7#").await.expect(200);
    assert_eq!(mate["game_state"], "COMPLETED");
    assert_eq!(
        (&mate["result"], &mate["reason"]),
        (&json!("white_wins"), &json!("checkmate"))
    );

    let game = server.nobody().game(id).await;
    assert_eq!(
        (&game["winner"], &game["white"]),
        (&json!("white"), &json!("alice"))
    );
    assert_eq!(game["san"][6], "Qxf7#");
    let pgn = server.nobody().get(&format!("/v1/games/{id}/pgn")).await;
    assert!(pgn.text.contains("[White \"Alice\"]"), "{}", pgn.text);
    assert!(
        pgn.text.contains("Qxf7#") && pgn.text.trim_end().ends_with("1-0"),
        "{}",
        pgn.text
    );
}
