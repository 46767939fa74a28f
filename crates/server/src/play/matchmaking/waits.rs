//! How long those waited who were paired lately.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use chess::pairing::{Paired, typical};
use chess::{Millis, Timestamp};

use crate::lock::lock;
use crate::play::App;
use crate::problem::Problem;

/// For how long an answer of the store is good enough.
const FRESH: Millis = Millis::from_secs(2);
/// What is older says nothing about now.
const RECENT_MS: u64 = 30 * 60 * 1_000;

/// What the store said, for a moment.
#[derive(Default)]
pub(super) struct Waits(Mutex<Option<(Timestamp, Arc<Recent>)>>);

/// The pairings of the last half hour, by pool.
#[derive(Default)]
pub(super) struct Recent(HashMap<String, Vec<Paired>>);

impl Waits {
    /// What is known now. Of many who ask at once few ask the store.
    pub(super) async fn recent(&self, app: &App) -> Result<Arc<Recent>, Problem> {
        let now = app.now();
        if let Some((at, recent)) = &*lock(&self.0)
            && now.since(*at) < FRESH
        {
            return Ok(Arc::clone(recent));
        }
        let since = Timestamp(now.0.saturating_sub(RECENT_MS));
        let mut pools: HashMap<String, Vec<Paired>> = HashMap::new();
        for ticket in app.store.paired_tickets(since).await? {
            if let Some(paired) = ticket.paired() {
                pools.entry(ticket.wish.pool).or_default().push(paired);
            }
        }
        let recent = Arc::new(Recent(pools));
        *lock(&self.0) = Some((now, Arc::clone(&recent)));
        Ok(recent)
    }
}

impl Recent {
    /// Those of one pool.
    pub(super) fn of(&self, pool: &str) -> &[Paired] {
        self.0.get(pool).map_or(&[], Vec::as_slice)
    }

    /// How long one typically waits there.
    pub(super) fn typical(&self, pool: &str, now: Timestamp) -> Option<Millis> {
        typical(self.of(pool), now)
    }
}
