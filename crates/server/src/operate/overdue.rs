//! Looks for running games whose time is up and that did not end.
//!
//! There should be none. A row's deadline may be out of date, so each game
//! that looks overdue is read from the live core, which knows, and which arms
//! its clock again in passing.

use std::time::{Duration, Instant};

use chess::game::Phase;
use chess::{Millis, Timestamp};
use store::TableId;

use super::metrics::Metrics;
use crate::play::App;

/// How often to look, unless looking takes long.
const EVERY: Duration = Duration::from_secs(60);
/// Looking takes at most this part of the time.
const SHARE: u32 = 100;
/// What is late by less is on its way.
const GRACE: Millis = Millis::from_secs(5);
/// Games read in one look.
const GAMES_MAX: u32 = 1_000;

/// Looks again and again.
pub async fn watch(app: App, metrics: Metrics) {
    let mut pause = EVERY;
    loop {
        tokio::time::sleep(pause).await;
        let begun = Instant::now();
        match count(&app).await {
            Ok(overdue) => {
                if overdue > 0 {
                    tracing::error!(overdue, "running games are past their deadline");
                }
                metrics.overdue(overdue);
            }
            Err(error) => tracing::warn!(%error, "overdue games could not be looked for"),
        }
        pause = EVERY.max(begun.elapsed() * SHARE);
    }
}

/// How many running games are past their deadline.
///
/// # Errors
/// Why the store cannot say.
pub async fn count(app: &App) -> Result<u64, store::Error> {
    let mut overdue = 0;
    for id in suspects(app).await? {
        let Ok(game) = app.games.newest(id).await else {
            continue;
        };
        // Where there are several nodes, none of them may watch it.
        if app.store.is_shared() {
            app.games.live().look_at_clock(id);
        }
        let late = game
            .deadline()
            .is_some_and(|deadline| is_late(deadline, app.now()));
        overdue += u64::from(late && game.phase() == Phase::Active);
    }
    Ok(overdue)
}

/// Games that look overdue in the store, the longest overdue first. A row is
/// up to date after the next fold at the latest, so what is late by that much
/// is no game that merely goes on: the journal need not be read.
async fn suspects(app: &App) -> Result<Vec<TableId>, store::Error> {
    let stale = Millis::from_secs(app.settings.fold_seconds.saturating_mul(2));
    let late_ms = u64::from(stale.0) + u64::from(GRACE.0);
    let before = Timestamp(app.now().0.saturating_sub(late_ms));
    app.store.overdue(before, GAMES_MAX).await
}

fn is_late(deadline: Timestamp, now: Timestamp) -> bool {
    deadline + GRACE < now
}
