//! Waiting for an opponent, and being found one.

use futures_util::future::join_all;
use serde_json::{Value, json};

use crate::client::{Client, Server, blitz};

const QUEUE: &str = "/v1/matchmaking/queue";

fn wish(initial_seconds: u32) -> Value {
    json!({ "time_control": { "initial_seconds": initial_seconds, "increment_seconds": 0 } })
}

/// The id of a new place in the queue.
async fn waits(client: &Client, wish: Value) -> String {
    let entry = client.post(QUEUE, wish).await.expect(201);
    assert_eq!(entry["status"], "SEARCHING");
    entry["queue_entry_id"].as_str().expect("an id").to_owned()
}

async fn look(client: &Client, entry: &str) -> Value {
    client.get(&format!("{QUEUE}/{entry}")).await.expect(200)
}

/// What has become of it, when something has.
async fn outcome(client: &Client, entry: &str) -> Value {
    let found = client.get(&format!("{QUEUE}/{entry}?wait=20")).await;
    found.expect(200)
}

#[tokio::test]
async fn two_who_want_the_same_play_each_other() {
    let server = Server::start().await;
    let (ann, bob) = (server.guest().await, server.guest().await);
    let first = waits(&ann, wish(300)).await;
    let second = waits(&bob, wish(300)).await;
    let (for_ann, for_bob) = (outcome(&ann, &first).await, outcome(&bob, &second).await);
    assert_eq!(
        (&for_ann["status"], &for_bob["status"]),
        (&json!("MATCHED"), &json!("MATCHED"))
    );
    assert_eq!(for_ann["game_id"], for_bob["game_id"]);
    assert_eq!(
        (&for_ann["opponent"], &for_bob["opponent"]),
        (&json!(bob.id), &json!(ann.id))
    );
    assert_ne!(for_ann["color"], for_bob["color"]);
    let id = for_ann["game_id"].as_str().expect("a game");
    let game = ann.get(&format!("/v1/games/{id}")).await.expect(200);
    assert_eq!(
        (&game["state"], &game["rated"]),
        (&json!("ACTIVE"), &json!(false))
    );
    let color = for_ann["color"].as_str().expect("a side");
    assert_eq!(game[color], json!(ann.id));
    // Nobody loses because the other is not there.
    assert_eq!(game["clock_start"], "second_ply");
}

#[tokio::test]
async fn who_listens_is_told_before_the_game_begins() {
    let server = Server::start().await;
    let (ann, bob) = (server.guest().await, server.guest().await);
    let mut socket = ann.listens("/v1/stream").await;
    let entry = waits(&ann, wish(180)).await;
    waits(&bob, wish(180)).await;
    let paired = socket.next().await;
    assert_eq!(paired["type"], "PAIRED");
    assert_eq!(
        (&paired["queue_entry_id"], &paired["opponent"]),
        (&json!(entry), &json!(bob.id))
    );
    let started = socket.next().await;
    assert_eq!(started["type"], "GAME_STARTED");
    assert_eq!(started["game_id"], paired["game_id"]);
}

#[tokio::test]
async fn those_who_want_something_else_wait_on() {
    let server = Server::start().await;
    let (ann, bob, carl) = (
        server.guest().await,
        server.guest().await,
        server.guest().await,
    );
    let slow = waits(&ann, wish(600)).await;
    let fast = waits(&bob, wish(60)).await;
    let other = waits(&carl, wish(60)).await;
    outcome(&bob, &fast).await;
    assert_eq!(look(&carl, &other).await["status"], "MATCHED");
    assert_eq!(look(&ann, &slow).await["status"], "SEARCHING");
    let pools = server
        .nobody()
        .get("/v1/matchmaking/pools")
        .await
        .expect(200);
    let pools = pools["pools"].as_array().expect("pools");
    let waiting = |seconds: u32, rated: bool| {
        let is_it = |pool: &&Value| {
            pool["time_control"]["initial_seconds"] == seconds
                && pool["time_control"]["increment_seconds"] == 0
                && pool["rated"] == rated
        };
        pools.iter().find(is_it).expect("a usual pool").clone()
    };
    assert_eq!(waiting(600, false)["waiting"], 1);
    assert_eq!(waiting(600, true)["waiting"], 0);
    assert_eq!(waiting(60, false)["waiting"], 0);
    assert_eq!(waiting(600, false)["typical_wait_seconds"], Value::Null);
}

#[tokio::test]
async fn nobody_waits_twice_nor_while_they_play() {
    let server = Server::start().await;
    let (white, _, id) = server.blitz().await;
    let refused = white.post(QUEUE, wish(300)).await;
    assert_eq!(
        refused.refused(409, "active_game_exists")["game_id"],
        json!(id)
    );
    let ann = server.guest().await;
    let entry = waits(&ann, wish(300)).await;
    let refused = ann.post(QUEUE, wish(60)).await;
    assert_eq!(
        refused.refused(409, "already_in_queue")["queue_entry_id"],
        json!(entry)
    );
    // Days per move can be played beside anything.
    let days = json!({ "time_control": { "days_per_move": 3 } });
    waits(&white, days).await;
}

#[tokio::test]
async fn a_ticket_is_its_owners() {
    let server = Server::start().await;
    let (ann, bob) = (server.guest().await, server.guest().await);
    let entry = waits(&ann, wish(300)).await;
    let path = format!("{QUEUE}/{entry}");
    bob.get(&path).await.refused(404, "not_found");
    bob.delete(&path).await.refused(404, "not_found");
    server
        .nobody()
        .get(&path)
        .await
        .refused(401, "unauthorized");
    ann.get(&format!("{path}?wait=31"))
        .await
        .refused(400, "bad_request");
    ann.get(&format!("{QUEUE}/nonsense"))
        .await
        .refused(404, "not_found");
    let left = ann.delete(&path).await.expect(200);
    assert_eq!(left["status"], "CANCELLED");
    assert_eq!(ann.delete(&path).await.expect(200)["status"], "CANCELLED");
    waits(&ann, wish(300)).await;
}

#[tokio::test]
async fn what_cannot_be_played_is_not_waited_for() {
    let server = Server::start().await;
    let guest = server.guest().await;
    let with = |field: &str, value: Value| {
        let mut wish = wish(300);
        wish[field] = value;
        wish
    };
    guest
        .post(QUEUE, with("rated", json!(true)))
        .await
        .refused(422, "cannot_be_rated");
    guest
        .post(QUEUE, json!({}))
        .await
        .refused(400, "bad_request");
    guest
        .post(QUEUE, with("variant", json!("checkers")))
        .await
        .refused(400, "bad_request");
    let upside_down = with("rating_range", json!({ "min": 1600, "max": 1500 }));
    guest
        .post(QUEUE, upside_down)
        .await
        .refused(400, "bad_request");
    let ann = server.registered("ann").await;
    let unlimited = json!({ "time_control": null, "rated": true });
    ann.post(QUEUE, unlimited)
        .await
        .refused(422, "cannot_be_rated");
    waits(&ann, with("rated", json!(true))).await;
}

#[tokio::test]
async fn an_open_game_of_the_lobby_is_joined() {
    let server = Server::start().await;
    let (ann, bob) = (server.guest().await, server.guest().await);
    let game = ann.post("/v1/games", blitz()).await.expect(201);
    let control = blitz()["time_control"].clone();
    let entry = waits(&bob, json!({ "time_control": control })).await;
    let found = outcome(&bob, &entry).await;
    assert_eq!(
        (&found["status"], &found["game_id"]),
        (&json!("MATCHED"), &game["id"])
    );
    assert_eq!(found["opponent"], json!(ann.id));
}

#[tokio::test]
async fn a_game_of_ones_own_ends_the_waiting() {
    let server = Server::start().await;
    let (ann, bob) = (server.guest().await, server.guest().await);
    let entry = waits(&ann, wish(600)).await;
    let game = bob.post("/v1/games", blitz()).await.expect(201);
    let id = game["id"].as_str().expect("an id");
    ann.asks(id, "join").await.expect(200);
    let ended = look(&ann, &entry).await;
    assert_eq!(
        (&ended["status"], &ended["game_id"]),
        (&json!("CANCELLED"), &json!(id))
    );
}

#[tokio::test]
async fn a_game_that_goes_on_after_a_pause_ends_the_waiting() {
    let server = Server::start().await;
    let (white, black, id) = server.blitz().await;
    white.asks(&id, "offer-pause").await.expect(200);
    black.asks(&id, "accept-pause").await.expect(200);
    let entry = waits(&white, wish(600)).await;
    white.asks(&id, "resume").await.expect(200);
    black.asks(&id, "resume").await.expect(200);
    let ended = look(&white, &entry).await;
    assert_eq!(
        (&ended["status"], &ended["game_id"]),
        (&json!("CANCELLED"), &json!(id))
    );
}

#[tokio::test]
async fn who_waits_waits_on_after_a_restart() {
    let mut server = Server::start().await;
    let (ann, bob) = (server.guest().await, server.guest().await);
    let entry = waits(&ann, wish(300)).await;
    server.restart().await;
    let (ann, bob) = (server.again(&ann), server.again(&bob));
    assert_eq!(look(&ann, &entry).await["status"], "SEARCHING");
    waits(&bob, wish(300)).await;
    assert_eq!(outcome(&ann, &entry).await["status"], "MATCHED");
}

#[tokio::test]
async fn of_many_at_once_each_gets_one_game() {
    let server = Server::start().await;
    let players = join_all((0..40).map(|_| server.guest())).await;
    let found = join_all(players.iter().map(|player| async {
        let entry = waits(player, wish(300)).await;
        let found = outcome(player, &entry).await;
        assert_eq!(found["status"], "MATCHED");
        found["game_id"].as_str().expect("a game").to_owned()
    }));
    let mut games = found.await;
    games.sort_unstable();
    for pair in games.chunks(2) {
        assert_eq!(pair[0], pair[1]);
    }
    games.dedup();
    assert_eq!(games.len(), 20);
    let listed = server
        .nobody()
        .get("/v1/games?state=ACTIVE&limit=100")
        .await
        .expect(200);
    assert_eq!(listed["games"].as_array().map(Vec::len), Some(20));
}
