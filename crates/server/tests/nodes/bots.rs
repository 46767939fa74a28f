//! Bots on several nodes: whichever is asked, one of them moves.

use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tokio::time::sleep;

use crate::{Nodes, Person, good, text};

/// Longer than it takes to find a game whose node is gone.
const LONG: Duration = Duration::from_secs(60);

fn against(difficulty: &str) -> Value {
    json!({ "difficulty": difficulty, "player_color": "white", "time_control": null })
}

async fn until_ply(nodes: &Nodes, node: usize, person: &Person, id: &str, ply: u64) -> Value {
    let begun = Instant::now();
    loop {
        let game = good(
            &nodes.get(node, &format!("/v1/games/{id}"), person).await,
            200,
        );
        if game["ply"].as_u64().expect("a number") >= ply {
            return game;
        }
        assert!(begun.elapsed() < LONG, "the bot never moves: {game}");
        sleep(Duration::from_millis(50)).await;
    }
}

/// The bots are the same accounts, and each move is answered once, wherever it was made.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_bot_answers_at_every_node() {
    let quick = |settings: &mut server::settings::Settings| {
        settings.bot_thinking = false;
        settings.engines = false;
    };
    let Some(nodes) = Nodes::start(quick).await else {
        return;
    };
    let ann = nodes.guest(0).await;
    let made = nodes.post(0, "/v1/games/bot", &ann, &against("easy")).await;
    let id = text(&good(&made, 201)["id"]);
    for (round, first) in ["a2a3", "b2b3", "h2h3"].into_iter().enumerate() {
        let path = format!("/v1/games/{id}/moves");
        let node = round % 2;
        let moved = nodes
            .post(node, &path, &ann, &json!({ "move": first }))
            .await;
        // What the bot did may be in the way of the next; that it answers is what counts.
        if moved.0 != 200 {
            break;
        }
        let game = until_ply(&nodes, 1 - node, &ann, &id, 2 * (round as u64 + 1)).await;
        assert_eq!(game["ply"], 2 * (round as u64 + 1));
    }
    nodes.stop().await;
}

/// The node that was to move stops: the other finds the game.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_bot_goes_on_at_another_node() {
    let Some(nodes) = Nodes::start(|settings| settings.engines = false).await else {
        return;
    };
    let ann = nodes.guest(0).await;
    let made = nodes.post(0, "/v1/games/bot", &ann, &against("easy")).await;
    let id = text(&good(&made, 201)["id"]);
    // It thinks for a moment, so that the stop comes first.
    let path = format!("/v1/games/{id}/moves");
    good(
        &nodes.post(0, &path, &ann, &json!({ "move": "e2e4" })).await,
        200,
    );
    let Nodes { running, http } = nodes;
    let [first, second] = running;
    first.stop().await;
    let begun = Instant::now();
    let url = format!("{}/v1/games/{id}", second.url());
    loop {
        let answer = http.get(&url).send().await.expect("the server answers");
        let game: Value = answer.json().await.expect("a game");
        if game["ply"] == 2 {
            break;
        }
        assert!(begun.elapsed() < LONG, "the bot never moves: {game}");
        sleep(Duration::from_millis(50)).await;
    }
    second.stop().await;
}
