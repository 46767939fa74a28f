//! Whether the games' time and the machine's clock agree.
//!
//! No event of a game precedes the one before it, so the games' time never goes
//! back: a machine whose clock was ahead once, or is behind now, leaves it
//! ahead. A little is lived with; more is for the operator to decide.

use std::time::Duration;

use chess::{Millis, Timestamp};

use crate::clock::Clock;
use crate::play::App;
use crate::text_time::rfc3339;

/// How often to look.
const EVERY: Duration = Duration::from_secs(60);
/// A machine's clock is set right all the time by a few milliseconds.
const WORTH_A_WORD_MS: u64 = 1_000;
/// A server that was away for longer is told of.
const LONG_PAUSE: Millis = Millis::from_days(7);

/// Judges the time at start, `max_seconds` ahead of the machine's clock at most.
///
/// # Errors
/// A sentence: it is too far ahead, and what to do.
pub fn judge(clock: &Clock, max_seconds: u64) -> Result<(), String> {
    let ahead_ms = u64::try_from(clock.ahead_ms()).unwrap_or(0);
    if ahead_ms <= WORTH_A_WORD_MS {
        return Ok(());
    }
    let (games, machine) = (rfc3339(clock.now()), rfc3339(clock.wall()));
    let ahead_seconds = ahead_ms / 1_000;
    if ahead_seconds <= max_seconds {
        tracing::warn!(
            ahead_seconds,
            games,
            machine,
            "the games' time is ahead of the machine's clock, and stays so"
        );
        return Ok(());
    }
    Err(format!(
        "the games have come to {games}, which is {} ahead of this machine's clock ({machine}). \
         If the machine's clock is behind, set it right. If it was ahead once, \
         `arbiter admin reset-clock` sets the games' time back; \
         `--clock-ahead-seconds {}` goes on in the games' time",
        span(ahead_seconds),
        ahead_seconds + 3_600,
    ))
}

/// Says how long nobody was there, if that is long: a clock that is ahead looks
/// just like it, and is best noticed before a game is played by it.
pub fn tell_pause(clock: &Clock, alive_at: Option<Timestamp>) {
    let Some(last_up) = alive_at.filter(|at| clock.now().since(*at) > LONG_PAUSE) else {
        return;
    };
    let (last_up, machine) = (rfc3339(last_up), rfc3339(clock.wall()));
    tracing::warn!(
        last_up,
        machine,
        "the server was last up long ago; if that is wrong, the machine's clock is: stop, and set it right"
    );
}

/// A span as one says it.
fn span(seconds: u64) -> String {
    let (count, unit) = match seconds {
        172_800.. => (seconds / 86_400, "days"),
        7_200.. => (seconds / 3_600, "hours"),
        120.. => (seconds / 60, "minutes"),
        _ => (seconds, "seconds"),
    };
    format!("{count} {unit}")
}

/// Says in the log when the machine's clock was set.
pub async fn watch(app: App) {
    let mut known = app.clock.ahead_ms();
    loop {
        tokio::time::sleep(EVERY).await;
        let ahead_ms = app.clock.ahead_ms();
        if ahead_ms.abs_diff(known) > WORTH_A_WORD_MS {
            known = ahead_ms;
            tracing::warn!(
                ahead_ms,
                "the machine's clock was set; the games' time goes on as it was until the next start"
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;

    fn ahead(seconds: u64) -> Clock {
        let machine = Timestamp(1_769_882_709_250);
        let games = Timestamp(machine.0 + seconds * 1_000);
        Clock::over(Arc::new(move || machine), Some(games))
    }

    #[test]
    fn a_time_that_is_far_ahead_is_refused() {
        assert_eq!(judge(&ahead(0), 0), Ok(()));
        assert_eq!(judge(&ahead(3_599), 3_600), Ok(()));
        let why = judge(&ahead(40 * 86_400), 3_600).unwrap_err();
        for part in ["2026-03-12", "40 days ahead", "2026-01-31", "reset-clock"] {
            assert!(why.contains(part), "{why}");
        }
        assert_eq!(judge(&ahead(40 * 86_400), 41 * 86_400), Ok(()));
    }

    #[test]
    fn spans_are_said_in_few_digits() {
        for (seconds, said) in [
            (90, "90 seconds"),
            (7_000, "116 minutes"),
            (7_200, "2 hours"),
        ] {
            assert_eq!(span(seconds), said);
        }
    }
}
