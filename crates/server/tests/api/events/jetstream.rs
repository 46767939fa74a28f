//! The same events on a stream of NATS.

use std::time::{Duration, Instant};

use live::bus::Bus;
use serde_json::{Value, json};
use store::EventPlace;
use tokio::runtime::Handle;

use super::game_of;
use crate::client::{Server, blitz, play};

const STREAM: &str = "test-events";

/// What the server of NATS says.
async fn asked(bus: &Bus, what: &str, body: Value) -> Value {
    let subject = format!("$JS.API.{what}.{STREAM}");
    let answer = bus.request(
        &subject,
        &[],
        body.to_string().into(),
        Duration::from_secs(60),
    );
    let answer = answer.await.expect("NATS answers");
    serde_json::from_slice(&answer).unwrap_or(Value::Null)
}

async fn many(bus: &Bus) -> u64 {
    let info = asked(bus, "STREAM.INFO", json!({})).await;
    info["state"]["messages"].as_u64().unwrap_or(0)
}

async fn reaches(bus: &Bus, wanted: u64) {
    let begun = Instant::now();
    while many(bus).await < wanted {
        assert!(
            begun.elapsed() < Duration::from_secs(60),
            "{}",
            many(bus).await
        );
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

#[tokio::test]
async fn events_are_on_the_stream_once() {
    let directory = tempfile::tempdir().expect("a directory");
    // The server of NATS may run as somebody else.
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let all = std::fs::Permissions::from_mode(0o777);
        std::fs::set_permissions(directory.path(), all).expect("they can be set");
    }
    let place = directory.path().display().to_string();
    let (Some(store), Some(nats)) = (
        servers::postgres(),
        servers::nats_with(&["-js", "-sd", &place]),
    ) else {
        return;
    };
    let server = Server::start_with(|settings| {
        settings.store = store;
        settings.bus = nats.url().to_owned();
        settings.event_stream = Some(STREAM.into());
    })
    .await;
    let app = server.running().app();
    let begun = Instant::now();
    while app.store.event_cursor("jetstream").await != Ok(Some(EventPlace::START)) {
        assert!(
            begun.elapsed() < Duration::from_secs(60),
            "the stream is made"
        );
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    let (ann, bob) = (
        server.registered("ann").await,
        server.registered("bob").await,
    );
    let id = game_of(&ann, &bob, blitz()).await;
    play(&ann, &bob, &id, "f3 e5 g4 Qh4").await;
    let bus = Bus::open(nats.url(), "test", Handle::current()).expect("a bus");
    reaches(&bus, 3).await;
    let mut types = Vec::new();
    for seq in 1..=3 {
        let event = asked(&bus, "DIRECT.GET", json!({ "seq": seq })).await;
        assert_eq!(event["game_id"], json!(id), "{event}");
        types.push(event["type"].as_str().expect("a type").to_owned());
    }
    assert_eq!(types, ["GameCreated", "GameStarted", "GameEnded"]);
    // Published again, as after a crash: the stream knows them.
    let begun = Instant::now();
    loop {
        let cursor = app.store.event_cursor("jetstream").await.expect("a cursor");
        let back = app
            .store
            .move_event_cursor("jetstream", cursor, EventPlace::START);
        if cursor > Some(EventPlace::START) && back.await == Ok(true) {
            break;
        }
        assert!(begun.elapsed() < Duration::from_secs(60));
    }
    // Who reported whom is for administrators only.
    let report = json!({ "player": bob.id, "reason": "abuse", "game_id": id });
    ann.post("/v1/reports", report).await.expect(201);
    ann.post("/v1/games", blitz()).await.expect(201);
    reaches(&bus, 4).await;
    let last = asked(&bus, "DIRECT.GET", json!({ "seq": 4 })).await;
    assert_eq!(last["type"], "GameCreated");
    assert_ne!(last["game_id"], json!(id));
    assert_eq!(many(&bus).await, 4);
}
