//! Looks every few seconds how the server is doing, for the operators' console.

use std::sync::atomic::Ordering;
use std::time::Instant;

use super::process;
use crate::play::App;
use crate::play::figures::{Counts, EVERY, Figure, Levels};

/// Looks again and again.
pub(super) async fn watch(app: App) {
    let (mut before, mut then) = (counts(&app), Instant::now());
    // Who looks at once sees how things stand.
    let first = Figure::between(&before, &before, EVERY, app.wall(), levels(&app));
    app.figures.keep(first);
    loop {
        tokio::time::sleep(EVERY).await;
        let (after, now) = (counts(&app), Instant::now());
        let figure = Figure::between(&before, &after, now - then, app.wall(), levels(&app));
        app.figures.keep(figure);
        (before, then) = (after, now);
    }
}

fn counts(app: &App) -> Counts {
    Counts {
        moves: app.figures.moves(),
        changes: app.games.live().stats().changes,
        commits: app.store.stats().latency_counts.to_vec(),
        cpu_seconds: process::usage().map(|usage| usage.cpu_seconds),
    }
}

fn levels(app: &App) -> Levels {
    let live = app.games.live();
    let stats = live.stats();
    Levels {
        games: stats.resident,
        games_timed: stats.armed,
        connections: app.connections.open(),
        streams: app.rooms.stats().subscribers,
        nodes: live.nodes().len().max(1),
        tickets_waiting: app.matchmaker.waiting(),
        store_waiting: app.store.stats().waiting,
        bot_questions_waiting: app.house.stats().engines.waiting,
        deliveries_waiting: app.events.counts.waiting.load(Ordering::Relaxed),
        notifications_waiting_ms: app.notifier.counts.oldest_ms.load(Ordering::Relaxed),
        memory_bytes: process::usage().map(|usage| usage.resident_bytes),
    }
}
