//! Guests who become somebody at one node, and are seen at the other.

use serde_json::{Value, json};

use crate::{KNOWN, Nodes, Person, good, refused, text};

fn credentials(name: &str) -> Value {
    json!({ "username": name, "password": "correct horse battery" })
}

/// Asks again until the answer is such a one.
async fn until(
    nodes: &Nodes,
    node: usize,
    path: &str,
    person: &Person,
    is_it: impl Fn(&(u16, String)) -> bool,
) -> (u16, String) {
    let begun = servers::now();
    loop {
        let asked = servers::now() - begun;
        let answer = nodes.get(node, path, person).await;
        if is_it(&answer) {
            return answer;
        }
        assert!(asked < KNOWN, "{path}: {answer:?}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_guest_registers_at_one_node_and_plays_on_at_the_other() {
    let Some(nodes) = Nodes::start(|_| {}).await else {
        return;
    };
    let (white, black, id) = nodes.game().await;
    let (game, moves) = (format!("/v1/games/{id}"), format!("/v1/games/{id}/moves"));
    good(&nodes.get(0, &game, &black).await, 200);
    let made = nodes
        .post(1, "/v1/accounts", &white, &credentials("Ann"))
        .await;
    let ann = Person {
        id: "ann".into(),
        token: text(&good(&made, 201)["token"]),
    };
    for (node, person, san) in [(0, &ann, "e4"), (1, &black, "e5"), (0, &white, "Nf3")] {
        let played = nodes
            .post(node, &moves, person, &json!({ "move": san }))
            .await;
        good(&played, 200);
    }
    for node in [0, 1] {
        let shown = |answer: &(u16, String)| answer.1.contains("\"white\":\"ann\"");
        until(&nodes, node, &game, &black, shown).await;
        let old = format!("/v1/players/{}", white.id);
        assert_eq!(good(&nodes.get(node, &old, &black).await, 200)["id"], "ann");
    }
    nodes.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_guest_taken_over_at_one_node_is_nobody_at_the_other() {
    let Some(nodes) = Nodes::start(|_| {}).await else {
        return;
    };
    let (white, black, id) = nodes.game().await;
    let game = format!("/v1/games/{id}");
    good(&nodes.get(1, "/v1/me", &white).await, 200);
    let nobody = nodes.guest(0).await;
    let made = nodes
        .post(0, "/v1/accounts", &nobody, &credentials("Ann"))
        .await;
    let ann = Person {
        id: "ann".into(),
        token: text(&good(&made, 201)["token"]),
    };
    let body = json!({ "guest_token": white.token });
    let adopted = nodes.post(0, "/v1/me/adopt", &ann, &body).await;
    assert_eq!(good(&adopted, 200)["adopted"], 1);
    let dead = |answer: &(u16, String)| answer.0 == 401;
    refused(
        &until(&nodes, 1, "/v1/me", &white, dead).await,
        401,
        "unauthorized",
    );
    let shown = |answer: &(u16, String)| answer.1.contains("\"white\":\"ann\"");
    until(&nodes, 1, &game, &black, shown).await;
    let moves = format!("{game}/moves");
    for (node, person, san) in [(1, &ann, "e4"), (0, &black, "e5"), (1, &ann, "Nf3")] {
        let played = nodes
            .post(node, &moves, person, &json!({ "move": san }))
            .await;
        good(&played, 200);
    }
    nodes.stop().await;
}
