//! The lobby, and challenges, over two servers: by the bus, and without it.

use std::time::Duration;

use chess::Millis;
use chess::game::Command;
use chess::table::Actor;
use futures_util::StreamExt;
use serde_json::{Value, json};
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async};

use super::{Nodes, PATIENCE, Person, good, terms, text};

struct Socket(WebSocketStream<MaybeTlsStream<TcpStream>>);

impl Nodes {
    async fn listens(&self, node: usize, path: &str, person: &Person) -> Socket {
        let url = self.running[node].url().replacen("http", "ws", 1);
        let url = format!("{url}{path}?token={}", person.token);
        Socket(connect_async(url).await.expect("a WebSocket").0)
    }

    async fn opens(&self, node: usize, person: &Person) -> String {
        text(&good(&self.post(node, "/v1/games", person, &terms()).await, 201)["id"])
    }

    async fn asks(&self, node: usize, person: &Person, id: &str, what: &str, body: Value) {
        let path = format!("/v1/games/{id}/{what}");
        good(&self.post(node, &path, person, &body).await, 200);
    }
}

impl Socket {
    async fn next(&mut self) -> Value {
        loop {
            let frame = tokio::time::timeout(PATIENCE, self.0.next()).await;
            let frame = frame.expect("it is told in time").expect("open");
            if let Message::Text(text) = frame.expect("a frame") {
                return serde_json::from_str(&text).expect("JSON");
            }
        }
    }

    /// Waits until news come by the bus. What happens before the subscription is in force
    /// is found in the store, and told as a whole new state.
    async fn hears_by_the_bus(&mut self, nodes: &Nodes, person: &Person) {
        let mut is_heard = false;
        while !is_heard {
            let id = nodes.opens(0, person).await;
            is_heard = self.hears_of(&id, true).await;
            nodes.asks(0, person, &id, "cancel", json!({})).await;
            is_heard &= self.hears_of(&id, false).await;
        }
    }

    /// Waits until it is known that a game is there, or is not: whether that was told by
    /// itself.
    async fn hears_of(&mut self, id: &str, is_there: bool) -> bool {
        loop {
            let said = self.next().await;
            match said["type"].as_str() {
                Some("OPENED") if is_there && said["game"]["id"] == id => return true,
                Some("GONE") if !is_there && said["game_id"] == id => return true,
                Some("STATE") => {
                    let mut games = said["games"].as_array().expect("games").iter();
                    if games.any(|game| game["id"] == id) == is_there {
                        return false;
                    }
                }
                _ => {}
            }
        }
    }

    /// Nothing is said for a while.
    async fn is_silent(&mut self, pause: Duration) {
        let said = tokio::time::timeout(pause, self.next()).await;
        assert!(said.is_err(), "{said:?}");
    }
}

fn opened(message: &Value) -> &str {
    assert_eq!(message["type"], "OPENED", "{message}");
    message["game"]["id"].as_str().expect("an id")
}

fn gone(message: &Value) -> (&str, &str) {
    assert_eq!(message["type"], "GONE", "{message}");
    let part = |field: &str| message[field].as_str().expect("a text");
    (part("game_id"), part("reason"))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_lobby_is_the_same_at_both_nodes_by_the_bus() {
    let Some(bus) = servers::shared_nats() else {
        return;
    };
    let Some(nodes) = Nodes::start(|settings| settings.bus.clone_from(&bus)).await else {
        return;
    };
    let (ann, bob) = (nodes.guest(0).await, nodes.guest(1).await);
    let early = nodes.opens(0, &ann).await;
    let mut socket = nodes.listens(1, "/v1/lobby/stream", &bob).await;
    let state = socket.next().await;
    assert_eq!(state["games"][0]["id"], json!(early));
    socket.hears_by_the_bus(&nodes, &ann).await;
    let first = nodes.opens(0, &ann).await;
    assert_eq!(opened(&socket.next().await), first);
    nodes.asks(1, &bob, &first, "join", json!({})).await;
    assert_eq!(gone(&socket.next().await), (&*first, "joined"));
    nodes.asks(0, &ann, &early, "cancel", json!({})).await;
    assert_eq!(gone(&socket.next().await), (&*early, "cancelled"));
    let last = nodes.opens(0, &ann).await;
    assert_eq!(opened(&socket.next().await), last);
    let app = nodes.running[0].app();
    let host_seen = app.now();
    let tick = Command::Tick { host_seen };
    let later = host_seen + Millis::from_secs(60);
    let table = last.parse().expect("an id");
    let ticked = app
        .games
        .submit(table, Actor::Server, tick, later, live::With::default());
    assert!(ticked.await.is_ok());
    assert_eq!(gone(&socket.next().await), (&*last, "expired"));
    nodes.stop().await;
}

/// The two share no bus: all that one does is lost to the other.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_the_bus_loses_of_the_lobby_is_found_in_the_store() {
    let Some(nodes) = Nodes::start(|_| {}).await else {
        return;
    };
    let (ann, bob) = (nodes.guest(0).await, nodes.guest(1).await);
    let mut socket = nodes.listens(1, "/v1/lobby/stream", &bob).await;
    assert_eq!(socket.next().await["games"], json!([]));
    let shown = |state: &Value| {
        assert_eq!(
            (&state["type"], &state["resync"]),
            (&json!("STATE"), &json!(true)),
            "{state}"
        );
        let games = state["games"].as_array().expect("games").iter();
        games.map(|game| text(&game["id"])).collect::<Vec<_>>()
    };
    let id = nodes.opens(0, &ann).await;
    assert_eq!(shown(&socket.next().await), [&*id]);
    nodes.asks(0, &ann, &id, "cancel", json!({})).await;
    assert_eq!(shown(&socket.next().await), [""; 0]);
    // Nothing else is lost, so nobody is told anything.
    socket.is_silent(Duration::from_secs(3)).await;
    nodes.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_bus_that_dies_and_comes_back_costs_nobody_a_game() {
    let Some(mut bus) = servers::nats() else {
        return;
    };
    let url = bus.url().to_owned();
    let Some(nodes) = Nodes::start(|settings| settings.bus.clone_from(&url)).await else {
        return;
    };
    let (ann, bob) = (nodes.guest(0).await, nodes.guest(1).await);
    let mut socket = nodes.listens(1, "/v1/lobby/stream", &bob).await;
    assert_eq!(socket.next().await["games"], json!([]));
    socket.hears_by_the_bus(&nodes, &ann).await;
    let first = nodes.opens(0, &ann).await;
    assert_eq!(opened(&socket.next().await), first);
    bus.kill();
    let second = nodes.opens(0, &ann).await;
    let state = socket.next().await;
    assert_eq!(state["resync"], true, "{state}");
    assert_eq!(state["games"][0]["id"], json!(second));
    bus.start();
    // Nobody misses anything, so nobody is told; then news come as before.
    socket.is_silent(Duration::from_secs(4)).await;
    socket.hears_by_the_bus(&nodes, &ann).await;
    nodes.asks(0, &ann, &first, "cancel", json!({})).await;
    assert_eq!(gone(&socket.next().await), (&*first, "cancelled"));
    nodes.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_challenge_and_its_answer_reach_the_other_node() {
    let Some(bus) = servers::shared_nats() else {
        return;
    };
    let Some(nodes) = Nodes::start(|settings| settings.bus.clone_from(&bus)).await else {
        return;
    };
    let (ann, bob) = (nodes.guest(0).await, nodes.guest(1).await);
    let mut anns = nodes.listens(0, "/v1/stream", &ann).await;
    let mut bobs = nodes.listens(1, "/v1/stream", &bob).await;
    let mut directed = terms();
    directed["opponent_id"] = json!(bob.id);
    let challenges = async || {
        let made = nodes.post(0, "/v1/games", &ann, &directed).await;
        text(&good(&made, 201)["id"])
    };
    let id = challenges().await;
    let told = bobs.next().await;
    assert_eq!(
        (&told["type"], &told["game_id"]),
        (&json!("CHALLENGE"), &json!(id))
    );
    let why = json!({ "reason": "tooFast" });
    nodes.asks(1, &bob, &id, "decline", why).await;
    let told = anns.next().await;
    assert_eq!(
        (&told["type"], &told["reason"], &told["decline_reason"]),
        (
            &json!("CHALLENGE_GONE"),
            &json!("declined"),
            &json!("tooFast")
        )
    );
    assert_eq!(bobs.next().await["type"], "CHALLENGE_GONE");
    let id = challenges().await;
    assert_eq!(bobs.next().await["type"], "CHALLENGE");
    nodes.asks(0, &ann, &id, "cancel", json!({})).await;
    assert_eq!(bobs.next().await["reason"], "cancelled");
    assert_eq!(anns.next().await["reason"], "cancelled");
    let id = challenges().await;
    assert_eq!(bobs.next().await["type"], "CHALLENGE");
    nodes.asks(1, &bob, &id, "join", json!({})).await;
    let told = anns.next().await;
    assert_eq!(
        (&told["type"], &told["game_id"]),
        (&json!("GAME_STARTED"), &json!(id))
    );
    nodes.stop().await;
}
