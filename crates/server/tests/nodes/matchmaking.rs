//! Waiting at one node, and being found an opponent who waits at the other.

use futures_util::future::join_all;
use serde_json::json;

use crate::{Nodes, Person, good, refused, text};

const QUEUE: &str = "/v1/matchmaking/queue";
const PLAYERS: usize = 24;

/// Queues at a node: the game that comes of it, asked for at the other.
async fn plays(nodes: &Nodes, node: usize, person: &Person) -> String {
    let wish = json!({ "time_control": { "initial_seconds": 300, "increment_seconds": 0 } });
    let entry = good(&nodes.post(node, QUEUE, person, &wish).await, 201);
    let path = format!("{QUEUE}/{}?wait=30", text(&entry["queue_entry_id"]));
    let found = good(&nodes.get(1 - node, &path, person).await, 200);
    assert_eq!(found["status"], "MATCHED", "{found}");
    text(&found["game_id"])
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whoever_queues_anywhere_gets_one_game() {
    let Some(nodes) = Nodes::start(|_| {}).await else {
        return;
    };
    let mut people = Vec::new();
    for number in 0..PLAYERS {
        people.push(nodes.guest(number % 2).await);
    }
    let waiting = people.iter().enumerate();
    let mut games = join_all(waiting.map(|(n, person)| plays(&nodes, n % 2, person))).await;
    games.sort_unstable();
    assert!(games.chunks(2).all(|pair| pair[0] == pair[1]), "{games:?}");
    games.dedup();
    assert_eq!(games.len(), PLAYERS / 2);
    nodes.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nobody_waits_at_two_nodes() {
    let Some(nodes) = Nodes::start(|_| {}).await else {
        return;
    };
    for _ in 0..crate::ROUNDS {
        let ann = nodes.guest(0).await;
        let wish = json!({ "time_control": { "days_per_move": 3 } });
        let ask = |node| nodes.post(node, QUEUE, &ann, &wish);
        let (one, other) = tokio::join!(ask(0), ask(1));
        let (let_in, turned_away) = if one.0 == 201 {
            (one, other)
        } else {
            (other, one)
        };
        let entry = text(&good(&let_in, 201)["queue_entry_id"]);
        refused(&turned_away, 409, "already_in_queue");
        let path = format!("{QUEUE}/{entry}");
        let nothing = json!({});
        let gone = nodes.send(
            1,
            reqwest::Method::DELETE,
            &path,
            Some(&ann),
            None,
            &nothing,
        );
        assert_eq!(good(&gone.await, 200)["status"], "CANCELLED");
    }
    nodes.stop().await;
}
