//! The same events, but for reports, on a stream of NATS (JetStream), for services that
//! listen there.
//!
//! One node does it at a time, with a lease, and moves a cursor of its own after the server
//! has taken an event: who dies in between has it published again, under the same
//! `Nats-Msg-Id`, which the stream drops if it knows it.

use std::time::Duration;

use axum::body::Bytes;
use chess::Millis;
use live::bus::Bus;
use serde_json::{Value, json};
use store::{EventKind, EventPlace, OutboxEvent, OutboxQuery};
use tokio::time::{sleep, timeout_at};

use super::deliver::Words;
use crate::play::App;

/// The name of the lease and of the cursor.
const NAME: &str = "jetstream";
/// For how long a node has the lease; it is made longer with every page.
const LEASE: Millis = Millis::from_secs(15);
/// How often is looked whether the lease is free, or the server there again.
const PAUSE: Duration = Duration::from_secs(2);
/// The longest without a look.
const LOOK: Duration = Duration::from_secs(1);
/// So many events at a time: they take less than the lease.
const PAGE: u32 = 50;
/// How long the server may take for one.
const ANSWER: Duration = Duration::from_secs(3);
/// How long the stream knows an id: longer than a node is taken for being there.
const DUPLICATES: Duration = Duration::from_secs(120);

/// Publishes whatever is new, while this node has the lease.
pub async fn run(app: App, words: Words) {
    let Some((bus, name)) = stream_of(&app) else {
        return std::future::pending().await;
    };
    // Of all that share a store, no two are likely to have the same.
    let holder = rand::random::<u64>() >> 1;
    let mut is_failing = false;
    let mut news = app.events.news();
    loop {
        news.mark_unchanged();
        match publish(&app, &bus, &name, holder, words).await {
            Ok(Some(true)) => is_failing = false,
            Ok(Some(false)) => {
                is_failing = false;
                let next = tokio::time::Instant::now() + LOOK;
                drop(timeout_at(next, news.changed()).await);
            }
            Ok(None) => sleep(PAUSE).await,
            Err(why) => {
                if !is_failing {
                    tracing::warn!(why, stream = name, "events cannot be put on the stream");
                }
                is_failing = true;
                sleep(PAUSE).await;
            }
        }
    }
}

/// Where to, if anywhere.
fn stream_of(app: &App) -> Option<(Bus, String)> {
    let bus = app.events.bus.clone().filter(Bus::is_shared)?;
    let name = app.settings.event_stream.clone()?;
    Some((bus, name))
}

/// Publishes a page. Whether there may be more; nothing if another node does it.
async fn publish(
    app: &App,
    bus: &Bus,
    name: &str,
    holder: u64,
    words: Words,
) -> Result<Option<bool>, String> {
    let failed = |error: store::Error| error.to_string();
    let now = app.now();
    let lease = app.store.lease(NAME, holder, now, now + LEASE).await;
    if !lease.map_err(failed)? {
        return Ok(None);
    }
    let from = app.store.event_cursor(NAME).await.map_err(failed)?;
    let Some(from) = from else {
        // The stream begins with what comes next.
        create(bus, name).await?;
        let end = app.store.outbox_end().await.map_err(failed)?;
        let moved = app.store.move_event_cursor(NAME, None, end).await;
        return moved.map(Some).map_err(failed);
    };
    let page = app.store.outbox(OutboxQuery::after(from, PAGE)).await;
    let page = page.map_err(failed)?;
    // Who reported whom is for administrators, and whoever reads the stream need be none.
    let is_public = |event: &&OutboxEvent| event.kind != EventKind::PlayerReported;
    for event in page.events.iter().filter(is_public) {
        put(app, bus, name, words, event).await?;
    }
    if page.next != from {
        move_on(app, from, page.next).await?;
    }
    Ok(Some(page.is_full))
}

async fn move_on(app: &App, from: EventPlace, to: EventPlace) -> Result<(), String> {
    let moved = app.store.move_event_cursor(NAME, Some(from), to).await;
    match moved {
        Ok(true) => Ok(()),
        Ok(false) => Err("another node went on".into()),
        Err(error) => Err(error.to_string()),
    }
}

/// Puts one event on the stream, and makes the stream if there is none.
async fn put(
    app: &App,
    bus: &Bus,
    name: &str,
    words: Words,
    event: &OutboxEvent,
) -> Result<(), String> {
    let body = words(app.clone(), *event).await;
    let Some(body) = body.map_err(|problem| problem.detail)? else {
        return Ok(());
    };
    let subject = format!("{name}.{}", event.kind);
    let id = event.place.to_string();
    let body = Bytes::from(body);
    let headers = [("Nats-Msg-Id", id.as_str())];
    if taken(bus.request(&subject, &headers, body.clone(), ANSWER).await).is_ok() {
        return Ok(());
    }
    create(bus, name).await?;
    taken(bus.request(&subject, &headers, body, ANSWER).await)
}

/// Makes the stream, unless it is there.
async fn create(bus: &Bus, name: &str) -> Result<(), String> {
    let config = json!({
        "name": name, "subjects": [format!("{name}.>")], "retention": "limits", "storage": "file",
        "allow_direct": true, "discard": "old", "num_replicas": 1, "max_consumers": -1, "max_msgs": -1, "max_bytes": -1,
        "max_age": Duration::from_secs(30 * 86_400).as_nanos() as u64,
        "duplicate_window": DUPLICATES.as_nanos() as u64,
    });
    let subject = format!("$JS.API.STREAM.CREATE.{name}");
    let answer = bus
        .request(&subject, &[], config.to_string().into(), ANSWER)
        .await;
    match taken(answer) {
        // It is there, with whatever its operator chose for it.
        Err(why) if why.contains("already in use") => Ok(()),
        made => made,
    }
}

/// What the server says to it.
fn taken(answer: Option<Bytes>) -> Result<(), String> {
    let answer = answer.ok_or("JetStream does not answer")?;
    let said: Value = serde_json::from_slice(&answer).map_err(|error| error.to_string())?;
    match said["error"]["description"].as_str() {
        None => Ok(()),
        Some(why) => Err(why.to_owned()),
    }
}
