//! What a player's own stream said: whose turn it was, and what ended.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use serde_json::Value;

use super::Log;
use crate::socket::Heard;
use crate::way::{text, version};

/// Compares with the logs: what is said is true and in order, and whoever listened
/// while a game ended was told so.
pub(super) fn check(heard: &[Heard], logs: &[Log], within: Duration) -> Result<(), String> {
    // How often each game was spoken of by this socket, and the last version.
    let mut newest: BTreeMap<String, (u32, u32)> = BTreeMap::new();
    let mut ended: Vec<String> = Vec::new();
    // When sockets were opened and closed.
    let mut open: Vec<(Instant, Option<Instant>)> = Vec::new();
    for event in heard {
        match event {
            Heard::Opened { at, .. } => {
                open.push((*at, None));
                newest.clear();
            }
            Heard::Closed { at, .. } => {
                open.last_mut().expect("it was opened").1 = Some(*at);
            }
            Heard::Said { message, .. } => {
                let game = text(&message["game_id"]);
                let log = logs.iter().find(|log| log.game == game);
                let log = log.ok_or_else(|| format!("of whose game is {message}?"))?;
                is_true(message, &log.entries)?;
                let told = version(message);
                let (times, before) = newest.entry(game.clone()).or_default();
                // What waits when a socket is opened may be newer than what is still
                // on its way to it.
                if told < *before && *times > 1 {
                    return Err(format!("{message} comes after {before}"));
                }
                (*times, *before) = (*times + 1, told);
                if message["type"] == "GAME_OVER" {
                    ended.push(game);
                }
            }
        }
    }
    for log in logs {
        let (from, to) = log.ended;
        let is_there = |(opened, closed): &(Instant, Option<Instant>)| {
            *opened <= from && closed.is_none_or(|closed| closed > to + within)
        };
        if open.iter().any(is_there) && !ended.contains(&log.game) {
            return Err(format!("the end of {} was never told", log.game));
        }
    }
    Ok(())
}

/// Whether a message says what the log says of that version.
fn is_true(message: &Value, log: &[Value]) -> Result<(), String> {
    let told = version(message);
    let until = log.iter().take_while(|entry| version(entry) <= told);
    let (names, entry) = match message["type"].as_str() {
        Some("GAME_OVER") => {
            let names: &[&str] = &["version", "result", "reason", "winner"];
            (names, until.last())
        }
        // Credits and offers come between a move and its being told.
        Some("YOUR_TURN") => {
            let names: &[&str] = &["fen"];
            (names, until.filter(|entry| entry["fen"].is_string()).last())
        }
        _ => return Ok(()),
    };
    let entry = entry.ok_or_else(|| format!("nothing happened before {message}"))?;
    match names.iter().all(|name| message[*name] == entry[*name]) {
        true => Ok(()),
        false => Err(format!("{entry} is in the log, but told was {message}")),
    }
}
