//! The Lichess door over two servers: streams of which there is one at a time, and what
//! becomes of them when a server goes.

use std::time::{Duration, Instant};

use reqwest::Response;
use serde_json::{Value, json};
use tokio::time::timeout;

use super::{Nodes, PATIENCE, Person, good, text};

/// A stream, line by line.
struct Lines(Response);

impl Lines {
    /// The next line that says something; nothing at the end.
    async fn next(&mut self) -> Option<Value> {
        loop {
            let chunk = timeout(PATIENCE, self.0.chunk()).await;
            let chunk = chunk.expect("a line in time").ok().flatten()?;
            if chunk.as_ref() != b"\n" {
                return Some(serde_json::from_slice(&chunk).expect("JSON"));
            }
        }
    }

    async fn says(&mut self, kind: &str) -> Value {
        let line = self.next().await.expect("the stream goes on");
        assert_eq!(line["type"], kind, "{line}");
        line
    }
}

impl Nodes {
    async fn registered(&self, name: &str) -> Person {
        let body = json!({ "username": name, "password": "correct horse battery" });
        let made = self.send(0, reqwest::Method::POST, "/v1/accounts", None, None, &body);
        let made = good(&made.await, 201);
        Person {
            id: text(&made["account"]["id"]),
            token: text(&made["token"]),
        }
    }

    async fn lines(&self, node: usize, person: &Person, path: &str) -> Lines {
        let url = format!("{}{path}", self.running[node].url());
        let request = self.http.get(url).bearer_auth(&person.token);
        let response = request.send().await.expect("the server answers");
        assert_eq!(response.status().as_u16(), 200, "{path}");
        Lines(response)
    }

    async fn events(&self, node: usize, person: &Person) -> Lines {
        self.lines(node, person, "/api/stream/event").await
    }

    async fn board(&self, node: usize, person: &Person, game: &str) -> Lines {
        let path = format!("/api/board/game/stream/{game}");
        let mut board = self.lines(node, person, &path).await;
        board.says("gameFull").await;
        board
    }

    /// Challenged at one node, accepted at the other.
    async fn begun(&self, ann: &Person, bob: &Person) -> String {
        let terms = json!({ "clock.limit": 300, "clock.increment": 0, "color": "white" });
        let path = format!("/api/challenge/{}", bob.id);
        let made = good(&self.post(0, &path, ann, &terms).await, 200);
        let id = text(&made["id"]);
        let path = format!("/api/challenge/{id}/accept");
        good(&self.post(1, &path, bob, &json!({})).await, 200);
        id
    }
}

async fn nodes() -> Option<Nodes> {
    let bus = servers::shared_nats()?;
    Nodes::start(|settings| settings.bus.clone_from(&bus)).await
}

#[tokio::test]
async fn s5_events_come_from_both_servers_and_a_second_stream_ends_the_first() {
    let Some(nodes) = nodes().await else { return };
    let (ann, bob) = (nodes.registered("ann").await, nodes.registered("bob").await);
    let mut first = nodes.events(1, &ann).await;
    let id = nodes.begun(&ann, &bob).await;
    assert_eq!(first.says("challenge").await["challenge"]["id"], json!(id));
    assert_eq!(first.says("gameStart").await["game"]["id"], json!(id));
    let mut second = nodes.events(0, &ann).await;
    assert_eq!(second.says("gameStart").await["game"]["id"], json!(id));
    assert_eq!(first.next().await, None);
    let mut older = nodes.board(0, &ann, &id).await;
    let mut newer = nodes.board(1, &ann, &id).await;
    assert_eq!(older.next().await, None);
    let path = format!("/api/board/game/{id}/move/e2e4");
    good(&nodes.post(0, &path, &ann, &json!({})).await, 200);
    assert_eq!(newer.says("gameState").await["moves"], "e2e4");
    nodes.stop().await;
}

#[tokio::test]
async fn s7_a_game_stream_lost_at_one_server_ends_the_own_stream_at_the_other() {
    let Some(nodes) = nodes().await else { return };
    let (ann, bob) = (nodes.registered("ann").await, nodes.registered("bob").await);
    let id = nodes.begun(&ann, &bob).await;
    let mut events = nodes.events(1, &ann).await;
    events.says("gameStart").await;
    // Back in time, at the other server: nothing happens.
    let mut board = nodes.board(0, &ann, &id).await;
    loop {
        let lost = Instant::now();
        drop(board);
        board = nodes.board(1, &ann, &id).await;
        if lost.elapsed() < Duration::from_secs(2) {
            break;
        }
        // On a machine that stood still it was too late: once more, from the beginning.
        events = nodes.events(1, &ann).await;
        events.says("gameStart").await;
    }
    tokio::time::sleep(Duration::from_secs(3)).await;
    let terms = json!({ "clock.limit": 300, "clock.increment": 0 });
    good(
        &nodes.post(0, "/api/challenge/ann", &bob, &terms).await,
        200,
    );
    events.says("challenge").await;
    drop(nodes.board(0, &ann, &id).await);
    drop(board);
    assert_eq!(events.next().await, None, "not back in time");
    nodes.stop().await;
}

#[tokio::test]
async fn s7_a_server_that_goes_takes_the_own_stream_at_the_other_with_it() {
    let Some(nodes) = nodes().await else { return };
    let (ann, bob) = (nodes.registered("ann").await, nodes.registered("bob").await);
    let id = nodes.begun(&ann, &bob).await;
    let mut events = nodes.events(1, &ann).await;
    events.says("gameStart").await;
    let _board = nodes.board(0, &ann, &id).await;
    let Nodes { running, http } = nodes;
    let [first, second] = running;
    first.stop().await;
    assert_eq!(
        events.next().await,
        None,
        "so that its client is told of the game anew"
    );
    let url = format!("{}/api/stream/event", second.url());
    let again = http.get(url).bearer_auth(&ann.token).send().await;
    let mut again = Lines(again.expect("the server answers"));
    assert_eq!(again.says("gameStart").await["game"]["id"], json!(id));
    second.stop().await;
}

impl Nodes {
    /// A stream that is opened with bare text, or a form.
    async fn posted(&self, node: usize, person: &Person, path: &str, body: &str) -> Lines {
        let url = format!("{}{path}", self.running[node].url());
        let request = self.http.post(url).bearer_auth(&person.token);
        let form = "application/x-www-form-urlencoded";
        let request = request.header("content-type", form).body(body.to_owned());
        let response = request.send().await.expect("the server answers");
        assert_eq!(response.status().as_u16(), 200, "{path}");
        Lines(response)
    }
}

/// The next object of a stream that goes on.
async fn told(lines: &mut Lines) -> Value {
    lines.next().await.expect("the stream goes on")
}

#[tokio::test]
async fn s11_who_watches_at_one_server_is_told_of_the_other() {
    let Some(nodes) = nodes().await else { return };
    let (ann, bob) = (nodes.registered("ann").await, nodes.registered("bob").await);
    let users = "/api/stream/games-by-users";
    let mut among = nodes.posted(0, &ann, users, "ann,bob").await;
    let mut feed = nodes.lines(0, &ann, "/api/tv/feed").await;
    let mut gathered = nodes.posted(0, &ann, "/api/stream/games/mine", "").await;
    // It begins at the second server.
    let id = nodes.begun(&ann, &bob).await;
    assert_eq!(told(&mut among).await["id"], json!(id));
    assert_eq!(told(&mut feed).await["d"]["id"], json!(id));
    nodes
        .posted(1, &ann, "/api/stream/games/mine/add", &id)
        .await;
    assert_eq!(told(&mut gathered).await["id"], json!(id));
    let path = format!("/api/board/game/{id}/move/e2e4");
    good(&nodes.post(1, &path, &ann, &json!({})).await, 200);
    assert_eq!(told(&mut feed).await["d"]["lm"], "e2e4");
    let status = "/api/users/status?ids=ann";
    let mut status = nodes.lines(1, &bob, status).await;
    assert_eq!(told(&mut status).await[0]["online"], json!(true));
    let path = format!("/api/board/game/{id}/abort");
    good(&nodes.post(1, &path, &bob, &json!({})).await, 200);
    for lines in [&mut among, &mut gathered] {
        assert_eq!(told(lines).await["statusName"], "aborted");
    }
    nodes.stop().await;
}

#[tokio::test]
async fn s9_two_who_seek_at_two_servers_are_paired() {
    let Some(nodes) = nodes().await else { return };
    let (ann, bob) = (nodes.registered("ann").await, nodes.registered("bob").await);
    let mut events = nodes.events(1, &ann).await;
    let mut older = nodes.posted(1, &ann, "/api/board/seek", "time=3").await;
    let mut seeks = [
        nodes.posted(0, &ann, "/api/board/seek", "time=5").await,
        nodes.posted(1, &bob, "/api/board/seek", "time=5").await,
    ];
    assert_eq!(older.next().await, None, "whoever seeks again has one seek");
    for seek in &mut seeks {
        assert_eq!(seek.next().await, None);
    }
    assert_eq!(
        events.says("gameStart").await["game"]["speed"],
        json!("rapid")
    );
    nodes.stop().await;
}

/// The two share no bus: what is said at one is lost to the other, until something is
/// said there and the gap is seen.
#[tokio::test]
async fn s7_what_the_bus_loses_of_the_chat_is_found_in_the_store() {
    let Some(nodes) = Nodes::start(|_| {}).await else {
        return;
    };
    let (ann, bob) = (nodes.registered("ann").await, nodes.registered("bob").await);
    let id = nodes.begun(&ann, &bob).await;
    let path = format!("/api/board/game/{id}/chat");
    let says = async |node, person: &Person, text: &str| {
        let line = json!({ "room": "player", "text": text });
        good(&nodes.post(node, &path, person, &line).await, 200);
    };
    says(1, &bob, "before anybody listens").await;
    let mut board = nodes.board(1, &bob, &id).await;
    says(0, &ann, "hello").await;
    says(1, &bob, "good luck").await;
    assert_eq!(board.says("chatLine").await["text"], "hello");
    assert_eq!(board.says("chatLine").await["text"], "good luck");
    let path = format!("/api/board/game/{id}/abort");
    good(&nodes.post(1, &path, &bob, &json!({})).await, 200);
    // Each line came once.
    assert_eq!(board.says("gameState").await["status"], "aborted");
    assert_eq!(board.next().await, None);
    nodes.stop().await;
}
