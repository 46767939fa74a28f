//! When a stream asks whether anybody is still there.

use std::time::Duration;

use tokio::time::{Instant, Interval, MissedTickBehavior, interval_at};

const EVERY: Duration = Duration::from_secs(25);

/// Ticks from a moment of chance on: ten thousand who came together must not
/// all be asked, and answer, in the moment of a move.
pub(super) fn heartbeat() -> Interval {
    let first = Instant::now() + EVERY.mul_f64(rand::random());
    let mut ticks = interval_at(first, EVERY);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    ticks
}
