//! Flags: not before their time, and told soon after it.

use std::time::{Duration, Instant};

use serde_json::Value;

use crate::socket::Heard;
use crate::watch::Watched;

const DAY_MS: u64 = 86_400_000;

/// The flag of a game that was left to be lost on time, as the log has it and as those
/// who watched were told; nobody moved any more after `stopped`.
pub(crate) fn check(
    log: &[Value],
    stopped: Instant,
    watched: &[Watched],
    within: Duration,
) -> Result<(), String> {
    let (end, before) = log.split_last().ok_or("an empty log")?;
    let timed = before.iter().rfind(|entry| entry["clock_ms"].is_object());
    let timed = timed.ok_or("no clock")?;
    let turn = before.iter().rfind(|entry| entry["to_move"].is_string());
    let turn = turn.ok_or("nobody's turn")?;
    let to_move = turn["to_move"].as_str().expect("it is a text");
    let left = timed["clock_ms"][to_move].as_u64().ok_or("no clock")?;
    let waited = since(timed, end);
    if waited < left {
        return Err(format!("{left} ms were left, the flag fell after {waited}"));
    }
    // What was left when they stopped moving, and what they were given since.
    let had = turn["clock_ms"][to_move].as_u64().ok_or("no clock")?;
    let later = before.iter().rev().take_while(|entry| *entry != turn);
    let credits = later.filter_map(|entry| entry["ms"].as_u64());
    let time = Duration::from_millis(had + credits.sum::<u64>());
    let latest = stopped + time + within;
    for heard in watched.iter().flat_map(|watched| &watched.heard) {
        match heard {
            Heard::Said { at, message } if message["type"] == "GAME_OVER" && *at > latest => {
                let late = at.duration_since(latest) + within;
                return Err(format!("a flag was told {late:?} after its time"));
            }
            _ => {}
        }
    }
    Ok(())
}

/// Milliseconds between two entries of a log, less than a day apart.
fn since(earlier: &Value, later: &Value) -> u64 {
    (of_day(&later["at"]) + DAY_MS - of_day(&earlier["at"])) % DAY_MS
}

/// The milliseconds of a day, of `2026-01-31T12:34:56.789Z`.
fn of_day(at: &Value) -> u64 {
    let text = at.as_str().expect("a time");
    let number = |range| {
        text.get(range)
            .and_then(|part: &str| part.parse::<u64>().ok())
    };
    let parts = [
        number(11..13),
        number(14..16),
        number(17..19),
        number(20..23),
    ];
    let [hours, minutes, seconds, ms] = parts.map(|part| part.expect("a time of the day"));
    ((hours * 60 + minutes) * 60 + seconds) * 1000 + ms
}
