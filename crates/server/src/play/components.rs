//! What is known of the connections to a server that this one has joined.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use tokio::sync::watch;
use tokio::time::timeout;

/// How long what is still to be said may take when the server stops.
const FAREWELL: Duration = Duration::from_secs(1);

/// Counts, since the start.
#[derive(Default)]
pub struct Components {
    connected: AtomicU64,
    received: AtomicU64,
    refused: AtomicU64,
    is_stopping: watch::Sender<bool>,
}

impl Components {
    /// A connection is there, or is no more.
    pub(crate) fn connected(&self, is_there: bool) {
        match is_there {
            true => self.connected.fetch_add(1, Ordering::Relaxed),
            false => self.connected.fetch_sub(1, Ordering::Relaxed),
        };
    }

    /// Something was received.
    pub(crate) fn received(&self) {
        self.received.fetch_add(1, Ordering::Relaxed);
    }

    /// Something was refused.
    pub(crate) fn refused(&self) {
        self.refused.fetch_add(1, Ordering::Relaxed);
    }

    /// The server stops: ends the connections, once what is to be said was said.
    pub(crate) async fn close(&self) {
        self.is_stopping.send_replace(true);
        // They leave as they listen no more.
        drop(timeout(FAREWELL, self.is_stopping.closed()).await);
    }

    /// Says when the server stops; whoever drops it is done.
    pub(crate) fn stopping(&self) -> watch::Receiver<bool> {
        self.is_stopping.subscribe()
    }

    /// How many connections there are, what was received and what refused.
    pub fn counts(&self) -> [u64; 3] {
        [&self.connected, &self.received, &self.refused].map(|count| count.load(Ordering::Relaxed))
    }
}
