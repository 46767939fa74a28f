//! The server's one clock.

use std::sync::Arc;
use std::time::{Instant, SystemTime, UNIX_EPOCH};

use chess::Timestamp;

/// Tells the time: the wall clock as it was at start, carried on by the
/// monotonic one, so that setting the machine's clock moves no game's clock.
#[derive(Clone)]
pub struct Clock {
    start: Instant,
    start_wall: Timestamp,
}

impl Clock {
    /// Starts from the wall clock, but not before `not_before`: the last
    /// moment the previous run is known to have been up.
    #[allow(
        clippy::disallowed_methods,
        reason = "the one place that supplies the time"
    )]
    pub fn start(not_before: Option<Timestamp>) -> Clock {
        let since_epoch = SystemTime::now()
            .duration_since(UNIX_EPOCH)
            .unwrap_or_default();
        let wall = Timestamp(u64::try_from(since_epoch.as_millis()).unwrap_or(u64::MAX));
        Clock {
            start: Instant::now(),
            start_wall: wall.max(not_before.unwrap_or_default()),
        }
    }

    /// The time.
    pub fn now(&self) -> Timestamp {
        let elapsed = u64::try_from(self.start.elapsed().as_millis()).unwrap_or(u64::MAX);
        Timestamp(self.start_wall.0.saturating_add(elapsed))
    }

    /// The clock as the live core wants it.
    pub fn handle(&self) -> Arc<dyn Fn() -> Timestamp + Send + Sync> {
        let clock = self.clone();
        Arc::new(move || clock.now())
    }
}
