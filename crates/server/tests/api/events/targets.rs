//! Targets that are down, slow, broken or hostile, and others that are served meanwhile.

use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

use super::receiver::Receiver;
use super::{game_of, sending};
use crate::client::{Client, blitz};

/// What a target does with whoever connects.
#[derive(Clone, Copy)]
enum Does {
    /// Takes the request and never answers.
    Hangs,
    /// Sends somebody elsewhere.
    Redirects,
    /// Sends a body that does not end.
    Floods,
    /// Says something that is no HTTP.
    Babbles,
    /// Closes at once.
    Closes,
}

async fn target(does: Does) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = listener.local_addr().expect("an address");
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            tokio::spawn(serve(stream, does));
        }
    });
    format!("http://{address}/hook")
}

async fn serve(mut stream: TcpStream, does: Does) {
    let mut request = vec![0; 16 << 10];
    if stream.read(&mut request).await.is_err() {
        return;
    }
    let answer: &[u8] = match does {
        Does::Closes => return,
        Does::Hangs => {
            tokio::time::sleep(Duration::from_secs(600)).await;
            return;
        }
        Does::Redirects => {
            b"HTTP/1.1 302 Found\r\nlocation: http://127.0.0.1:1/\r\ncontent-length: 0\r\n\r\n"
        }
        Does::Floods => b"HTTP/1.1 200 OK\r\ncontent-length: 99999999999\r\n\r\n",
        Does::Babbles => b"hello\r\n\r\n",
    };
    drop(stream.write_all(answer).await);
    let more = vec![b'x'; 64 << 10];
    while matches!(does, Does::Floods) && stream.write_all(&more).await.is_ok() {}
}

async fn hook(client: &Client, url: &str) -> Value {
    let body = json!({ "url": url, "events": ["GameCreated", "GameStarted"] });
    client.post("/v1/webhooks", body).await.expect(201)
}

/// The last delivery of a webhook once it was tried.
async fn tried(client: &Client, hook: &Value) -> Value {
    let path = format!("/v1/webhooks/{}/deliveries", hook["id"]);
    let begun = Instant::now();
    loop {
        let page = client.get(&path).await.expect(200);
        let found = page["deliveries"].as_array().expect("a list");
        let first = found.last().cloned().unwrap_or_default();
        if first["status"].is_u64() || first["error"].is_string() {
            return first;
        }
        assert!(begun.elapsed().as_secs() < 60, "{first}");
        tokio::task::yield_now().await;
    }
}

#[tokio::test]
async fn whoever_is_well_is_served_meanwhile() {
    let server = sending().await;
    let (ann, bob) = (
        server.registered("ann").await,
        server.registered("bob").await,
    );
    let cases = [
        (Does::Hangs, "timed_out"),
        (Does::Redirects, "redirect"),
        (Does::Babbles, "unreachable"),
        (Does::Closes, "unreachable"),
    ];
    let mut bad = Vec::new();
    for (does, error) in cases {
        bad.push((hook(&ann, &target(does).await).await, error));
    }
    let flood = hook(&ann, &target(Does::Floods).await).await;
    let down = hook(&ann, "http://127.0.0.1:1/hook").await;
    let well = Receiver::start().await;
    hook(&bob, &well.url()).await;
    // Meant for him, so that they are his games before he joins them.
    let mut terms = blitz();
    terms["opponent_id"] = json!(bob.id);
    let begun = servers::now();
    for _ in 0..5 {
        game_of(&ann, &bob, terms.clone()).await;
    }
    let sent = well.first(10).await;
    let took = servers::now() - begun;
    assert!(took < Duration::from_secs(8), "{took:?}");
    let events: Vec<Value> = sent.iter().map(|it| it.event()).collect();
    for event in events
        .iter()
        .filter(|event| event["type"] == json!("GameStarted"))
    {
        let created = |it: &&Value| it["game_id"] == event["game_id"];
        let first = events.iter().find(created).expect("it was made");
        assert_eq!(first["type"], "GameCreated", "in the order of the game");
    }
    // What a target sends after its status makes no difference.
    assert_eq!(tried(&ann, &flood).await["state"], "delivered");
    assert_eq!(tried(&ann, &down).await["error"], "unreachable");
    for (hook, error) in bad {
        let first = tried(&ann, &hook).await;
        assert_eq!(first["error"], error, "{first}");
        assert_ne!(first["state"], "delivered");
    }
}
