//! One node speaks to the XMPP server: it takes no second connection of a component.

use std::time::Duration;

use chess::Millis;
use tokio::time::{Instant, sleep, timeout};

use crate::play::App;

const NAME: &str = "xmpp";
/// For how long a node has it: a node that is gone is followed by another within five
/// seconds.
const LEASE: Millis = Millis::from_secs(3);
/// How often it is made longer, or looked whether it is free.
const LOOK: Duration = Duration::from_millis(800);
/// Without the store for that long, it may be another's by now.
const DOUBT: Duration = Duration::from_millis(2_500);

/// What a node has its leases under.
pub(super) struct Holder(u64);

impl Holder {
    pub(super) fn new() -> Holder {
        // Of all that share a store, no two are likely to have the same.
        Holder(rand::random::<u64>() >> 1)
    }

    /// Waits until it is ours.
    pub(super) async fn take(&self, app: &App) {
        while app.store.is_shared() && !self.ask(app).await.unwrap_or(false) {
            sleep(LOOK).await;
        }
    }

    /// Keeps it; ends when it is, or may be, another's.
    pub(super) async fn keep(&self, app: &App) {
        if !app.store.is_shared() {
            return std::future::pending().await;
        }
        let mut sure = Instant::now();
        loop {
            sleep(LOOK).await;
            let asked = Instant::now();
            let left = DOUBT.saturating_sub(sure.elapsed());
            match timeout(left, self.ask(app)).await {
                Ok(Ok(true)) => sure = asked,
                Ok(Ok(false)) => return,
                Ok(Err(())) if sure.elapsed() < DOUBT => {}
                _ => {
                    tracing::warn!("the store cannot say who speaks to the XMPP server");
                    return;
                }
            }
        }
    }

    async fn ask(&self, app: &App) -> Result<bool, ()> {
        let now = app.now();
        let asked = app.store.lease(NAME, self.0, now, now + LEASE).await;
        asked.map_err(|error| tracing::debug!(%error, "no word about the lease of XMPP"))
    }
}
