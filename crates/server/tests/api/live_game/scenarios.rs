//! The scenarios of the contract, 5.1 to 5.4.

use serde_json::{Value, json};

use super::player::{Player, begun, challenge, pair, play};
use crate::client::Server;

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/// A time as it is written.
#[track_caller]
fn is_time(value: &Value) {
    let text = value.as_str().expect("a time");
    let is_time = server::text_time::read_rfc3339(text).is_some();
    assert!(is_time, "{text}");
}

#[tokio::test]
async fn s5_1_a_direct_challenge_is_played_to_checkmate() {
    let server = Server::start().await;
    let a = Player::registered(&server, "ann").await;
    let b = Player::registered(&server, "ben").await;
    let body = json!({
        "opponent_account_id": b.account_id,
        "color_preference": "white",
        "time_control": { "initial_seconds": 300, "increment_seconds": 0 },
        "rated": true,
    });
    let made = a.post("/live/v1/games", body).await.expect(201);
    let id = made["id"].as_str().expect("an id").to_owned();
    let version = uuid::Uuid::parse_str(&id).expect("a UUID");
    assert_eq!(version.get_version_num(), 8);
    let expected = json!({
        "id": id, "status": "waiting_for_opponent", "creator_account_id": a.account_id,
        "white_account_id": null, "black_account_id": null,
        "time_control": { "initial_seconds": 300, "increment_seconds": 0 },
        "rated": true, "fen": START, "side_to_move": "w",
    });
    assert_eq!(made, expected);
    let mut waiting = a.sees(&id).await;
    is_time(&waiting["created_at"].take());
    let side = json!({ "account_id": null, "remaining_ms": 300_000 });
    let expected = json!({
        "id": id, "status": "waiting_for_opponent", "rated": true, "variant_code": "standard",
        "white": side, "black": side, "side_to_move": "w", "fen": START, "moves": [],
        "result": null, "end_reason": null, "created_at": null, "started_at": null, "ended_at": null,
    });
    assert_eq!(waiting, expected);

    let joined = b.does(&id, "join").await.expect(200);
    assert_eq!(joined["status"], "in_progress");
    assert_eq!(joined["white"]["account_id"], json!(a.account_id));
    assert_eq!(
        joined["black"],
        json!({ "account_id": b.account_id, "remaining_ms": 300_000 })
    );
    assert_eq!(joined["side_to_move"], "w");
    is_time(&joined["started_at"]);

    let e4 = json!({ "from": "e2", "to": "e4" });
    let path = format!("/live/v1/games/{id}/moves");
    let moved = a.post(&path, e4).await.expect(200);
    let fen = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1";
    assert_eq!(
        (&moved["fen"], &moved["side_to_move"]),
        (&json!(fen), &json!("b"))
    );
    let left = moved["white"]["remaining_ms"].as_u64().expect("a clock");
    let mut first = moved["moves"][0].clone();
    is_time(&first["played_at"].take());
    let elapsed = first["elapsed_ms"].take().as_u64().expect("a time");
    assert_eq!(left + elapsed, 300_000, "what was taken is gone");
    let expected = json!({
        "ply": 1, "move_number": 1, "color": "w", "from": "e2", "to": "e4", "promotion": null,
        "san": "e4", "played_at": null, "elapsed_ms": null,
    });
    assert_eq!(first, expected);
    assert_eq!(b.sees(&id).await["moves"], moved["moves"], "both see it");

    let rest = "e7e5 f1c4 b8c6 d1h5 g8f6";
    play(&b, &a, &id, rest).await;
    let over = a.moves(&id, "h5f7").await.expect(200);
    assert_eq!(over["status"], "ended");
    assert_eq!(
        (&over["result"], &over["end_reason"]),
        (&json!("1-0"), &json!("checkmate"))
    );
    is_time(&over["ended_at"]);
    let san: Vec<&Value> = over["moves"]
        .as_array()
        .expect("moves")
        .iter()
        .map(|m| &m["san"])
        .collect();
    assert_eq!(san, ["e4", "e5", "Bc4", "Nc6", "Qh5", "Nf6", "Qxf7#"]);
    assert_eq!(over["moves"][6]["move_number"], 4);
    assert_eq!(b.sees(&id).await, over);
}

#[tokio::test]
async fn s5_2_whoever_resigns_has_lost() {
    let server = Server::start().await;
    let (a, b, id) = pair(&server).await;
    play(&a, &b, &id, "e2e4 e7e5").await;
    let over = b.does(&id, "resign").await.expect(200);
    assert_eq!(over["status"], "ended");
    assert_eq!(
        (&over["result"], &over["end_reason"]),
        (&json!("1-0"), &json!("resignation"))
    );
    is_time(&over["ended_at"]);
    assert_eq!(a.sees(&id).await, over);
    assert_eq!(b.sees(&id).await, over);
}

#[tokio::test]
async fn s5_3_an_illegal_move_is_a_bad_request() {
    let server = Server::start().await;
    let (a, _, id) = pair(&server).await;
    let path = format!("/live/v1/games/{id}/moves");
    let body = json!({ "from": "e2", "to": "e5" });
    let answer = a.post(&path, body).await.expect(400);
    let expected = json!({
        "error": "illegal_move", "message": "Move e2e5 is not legal from current position.",
    });
    assert_eq!(answer, expected);
    let game = a.sees(&id).await;
    assert_eq!((&game["fen"], &game["moves"]), (&json!(START), &json!([])));
}

/// The clock ends the game by itself; a tick only has it looked at.
#[tokio::test]
async fn s5_4_who_does_nothing_loses_by_time() {
    let server = Server::start().await;
    let a = Player::registered(&server, "ann").await;
    let b = Player::registered(&server, "ben").await;
    let mut body = challenge(Some(&b));
    body["time_control"] = json!({ "initial_seconds": 2, "increment_seconds": 0 });
    let id = a.creates(body).await;
    b.does(&id, "join").await.expect(200);
    let stranger = Player::registered(&server, "cid").await;
    let ticked = stranger.does(&id, "tick").await.expect(200);
    assert_eq!(ticked["status"], "in_progress", "a tick is no flag");
    let mut socket = b.listens(&format!("/live/v1/games/{id}/ws")).await;
    let over = socket
        .hears_of("the end", |game| game["status"] == "ended")
        .await;
    assert_eq!(
        (&over["result"], &over["end_reason"]),
        (&json!("0-1"), &json!("timeout"))
    );
    assert_eq!(over["white"]["remaining_ms"], 0);
    assert_eq!(a.sees(&id).await, over);
    assert_eq!(a.does(&id, "tick").await.expect(200), over);
}

#[tokio::test]
async fn a_draw_is_offered_and_accepted() {
    let server = Server::start().await;
    let (a, b, id) = pair(&server).await;
    play(&a, &b, &id, "e2e4 e7e5").await;
    let offered = a.does(&id, "offer-draw").await.expect(200);
    assert_eq!(
        (&offered["status"], &offered["draw_offer"]),
        (&json!("in_progress"), &json!("w"))
    );
    assert_eq!(b.sees(&id).await["draw_offer"], "w");
    let over = b.does(&id, "accept-draw").await.expect(200);
    assert_eq!(
        (&over["result"], &over["end_reason"]),
        (&json!("1/2-1/2"), &json!("draw_agreed"))
    );
    assert_eq!(over.get("draw_offer"), None);
}

#[tokio::test]
async fn a_game_against_a_bot_starts_at_once_and_is_never_rated() {
    let server = Server::start().await;
    let a = Player::registered(&server, "ann").await;
    let body = json!({
        "difficulty": "beginner", "player_color": "black",
        "time_control": { "initial_seconds": 300, "increment_seconds": 0 }, "rated": false,
    });
    let made = a.post("/live/v1/games/bot", body).await.expect(201);
    let id = made["id"].as_str().expect("an id").to_owned();
    let bot = server
        .running()
        .app()
        .store
        .account_by_id("bot-beginner-400")
        .await;
    let bot = bot.expect("the store reads").expect("a bot");
    let expected = json!({
        "id": id, "status": "in_progress", "creator_account_id": a.account_id,
        "white_account_id": uuid::Uuid::from_bytes(bot.uuid).to_string(),
        "black_account_id": a.account_id,
        "time_control": { "initial_seconds": 300, "increment_seconds": 0 },
        "rated": false, "fen": START, "side_to_move": "w",
        "bot_id": "bot-beginner-400", "bot_color": "white",
    });
    assert_eq!(made, expected);
    // The bot has White, and moves by itself.
    let mut socket = a.listens(&format!("/live/v1/games/{id}/ws")).await;
    let moved = socket
        .hears_of("its move", |game| game["moves"][0].is_object())
        .await;
    assert_eq!(moved["side_to_move"], "b");
    // Whatever is asked for, it is not rated.
    let body = json!({
        "difficulty": "easy", "player_color": "white", "rated": true,
        "time_control": { "initial_seconds": 300, "increment_seconds": 2 },
    });
    let made = a.post("/live/v1/games/bot", body).await.expect(201);
    assert_eq!(
        (&made["rated"], &made["bot_color"]),
        (&json!(false), &json!("black"))
    );
}

#[tokio::test]
async fn sides_are_assigned_at_the_join_as_the_creator_wished() {
    let server = Server::start().await;
    let a = Player::registered(&server, "ann").await;
    let b = Player::registered(&server, "ben").await;
    let mut body = challenge(None);
    body["color_preference"] = json!("black");
    let id = a.creates(body).await;
    let waiting = a.sees(&id).await;
    assert_eq!(
        waiting["black"]["account_id"],
        json!(null),
        "not before the join"
    );
    let joined = b.does(&id, "join").await.expect(200);
    assert_eq!(joined["black"]["account_id"], json!(a.account_id));
    assert_eq!(joined["white"]["account_id"], json!(b.account_id));
    let mut body = challenge(None);
    body["color_preference"] = json!("random");
    let id = a.creates(body).await;
    let joined = b.does(&id, "join").await.expect(200);
    let mut both = [
        &joined["white"]["account_id"],
        &joined["black"]["account_id"],
    ]
    .map(Value::to_string);
    both.sort();
    let mut people = [&a.account_id, &b.account_id].map(|id| json!(id).to_string());
    people.sort();
    assert_eq!(both, people);
}

#[tokio::test]
async fn a_pawn_becomes_what_is_said_and_saying_it_elsewhere_means_nothing() {
    let server = Server::start().await;
    let (a, b, id) = pair(&server).await;
    // The contract's own example says it with the first move.
    let body = json!({ "from": "e2", "to": "e4", "promotion": "q" });
    let path = format!("/live/v1/games/{id}/moves");
    let moved = a.post(&path, body).await.expect(200);
    assert_eq!(moved["moves"][0]["promotion"], json!(null));
    play(&b, &a, &id, "d7d5 e4d5 c7c6 d5c6 g8f6 c6b7 f6g8").await;
    let missing = a.moves(&id, "b7a8").await;
    assert_eq!(missing.expect(400)["error"], "illegal_move");
    let moved = a.moves(&id, "b7a8n").await.expect(200);
    let last = moved["moves"]
        .as_array()
        .and_then(|moves| moves.last())
        .expect("a move");
    assert_eq!(
        (&last["promotion"], &last["san"]),
        (&json!("n"), &json!("bxa8=N"))
    );
}

#[tokio::test]
async fn a_socket_is_told_of_every_change_and_ends_with_its_token() {
    let server = Server::start().await;
    let a = Player::registered(&server, "ann").await;
    let b = Player::registered(&server, "ben").await;
    let id = a.creates(challenge(Some(&b))).await;
    let mut socket = a.listens(&format!("/live/v1/games/{id}/ws")).await;
    assert_eq!(socket.next().await["status"], "waiting_for_opponent");
    b.does(&id, "join").await.expect(200);
    assert_eq!(socket.next().await["status"], "in_progress");
    let moved = a.moves(&id, "e2e4").await.expect(200);
    let told = socket.next().await;
    assert_eq!(
        (&told["fen"], &told["moves"]),
        (&moved["fen"], &moved["moves"])
    );
    b.moves(&id, "e7e5").await.expect(200);
    assert_eq!(socket.next().await["moves"][1]["san"], "e5");
    b.does(&id, "offer-draw").await.expect(200);
    assert_eq!(socket.next().await["draw_offer"], "b");
    a.delete("/v1/sessions/current").await.expect(204);
    assert_eq!(socket.close_code().await, Some(1008));
}

#[tokio::test]
async fn another_game_is_begun_after_the_first() {
    let server = Server::start().await;
    let (a, b, first) = pair(&server).await;
    a.does(&first, "resign").await.expect(200);
    let second = begun(&b, &a).await;
    assert_ne!(first, second);
    assert_eq!(
        a.sees(&second).await["white"]["account_id"],
        json!(b.account_id)
    );
}
