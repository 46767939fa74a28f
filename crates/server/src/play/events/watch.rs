//! Looks what is new: tells those who wait for it, and puts it in line for webhooks.

use std::sync::atomic::Ordering;
use std::time::Duration;

use store::{Backlog, EventPlace, MovesWanted, Store};
use tokio::time::{Instant, sleep};

use crate::play::App;
use crate::settings::Settings;

/// How often is looked: other nodes' events are found so soon.
const LOOK: Duration = Duration::from_millis(200);
/// How often is looked whether somebody wants every move, and what waits.
const SELDOM: Duration = Duration::from_secs(2);
/// So many events are put in line at a time.
const PAGE: u32 = 500;

/// Looks again and again.
pub async fn run(app: App) {
    let mut seen = None;
    let mut is_failing = false;
    let mut seldom = Instant::now();
    loop {
        match look(&app, &mut seen).await {
            Ok(()) => is_failing = false,
            Err(error) if !is_failing => {
                is_failing = true;
                tracing::warn!(%error, "events cannot be passed on");
            }
            Err(_) => {}
        }
        if Instant::now() >= seldom {
            seldom = Instant::now() + SELDOM;
            if let Err(error) = refresh(&app).await {
                tracing::debug!(%error, "what is wanted of events is not known");
            }
        }
        sleep(LOOK).await;
    }
}

/// Whose moves are told: everybody's if the operator says so, else those that webhooks want.
///
/// # Errors
/// The store cannot say.
pub async fn wanted(store: &Store, settings: &Settings) -> Result<MovesWanted, store::Error> {
    let mut wanted = store.webhooks_want_moves().await?;
    wanted.of_all |= settings.every_move_event;
    Ok(wanted)
}

async fn look(app: &App, seen: &mut Option<EventPlace>) -> Result<(), store::Error> {
    let end = app.store.outbox_end().await?;
    if *seen == Some(end) {
        return Ok(());
    }
    loop {
        let fanned = app.store.fan_out(app.now(), PAGE).await?;
        if fanned.deliveries > 0 {
            app.events.in_line.notify_one();
        }
        if fanned.events < PAGE {
            break;
        }
    }
    app.events.head.send_replace(end);
    *seen = Some(end);
    Ok(())
}

/// Whose moves are told holds from here on at this node, and so within two seconds at
/// every other.
async fn refresh(app: &App) -> Result<(), store::Error> {
    let wanted = wanted(&app.store, &app.settings).await?;
    app.events.every_move.set(wanted);
    let Backlog { waiting, oldest } = app.store.delivery_backlog().await?;
    let counts = &app.events.counts;
    counts.waiting.store(waiting, Ordering::Relaxed);
    let oldest_ms = oldest.map_or(0, |oldest| oldest.0);
    counts.oldest_ms.store(oldest_ms, Ordering::Relaxed);
    Ok(())
}
