//! Scenario `queue`: many who want to play at the same moment, and each gets one game.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::sync::Barrier;
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::ask::ask_as;
use crate::process::Process;
use crate::report::{Section, count};
use crate::stats::Times;
use crate::venue::Venue;

/// How long somebody is found an opponent at most.
const PATIENCE: Duration = Duration::from_secs(120);
const WISH: &[u8] = br#"{"time_control":{"initial_seconds":300,"increment_seconds":3}}"#;
/// Little happens on each of the threads.
const STACK: usize = 128 << 10;

/// Somebody who has found a game.
struct Paired {
    id: String,
    game: String,
    opponent: String,
    took: Duration,
}

/// Lets that many queue at once, at all nodes in turn.
pub(crate) fn run(venue: &Venue, nodes: &[Process], many: usize) -> Result<Section, String> {
    let mut section = Section::new("queue", "everybody queues at once").on(venue.setup);
    let addresses: Vec<SocketAddr> = nodes.iter().map(|node| node.address).collect();
    let at = |index: usize| addresses[index % addresses.len()];
    let guests: Vec<(String, String)> = (0..many)
        .map(|index| guest(at(index)))
        .collect::<Result<_, _>>()?;
    let barrier = Barrier::new(many);
    let paired: Vec<Paired> = thread::scope(|scope| {
        let each = guests.iter().enumerate().map(|(index, (id, token))| {
            let (address, barrier) = (at(index), &barrier);
            let wait = move || {
                barrier.wait();
                queue(address, id, token)
            };
            let builder = thread::Builder::new().stack_size(STACK);
            builder.spawn_scoped(scope, wait).map_err(|e| e.to_string())
        });
        let threads: Vec<_> = each.collect::<Result<_, String>>()?;
        let done = threads.into_iter().map(|thread| {
            let joined = thread.join().map_err(|_| "a player panicked".to_owned());
            joined.and_then(|paired| paired)
        });
        done.collect::<Result<_, String>>()
    })?;
    let mut times = Times::default();
    for one in &paired {
        times.push(one.took);
    }
    let of = |what: &str| format!("{} players at once: {what}", count(many));
    section.row(of("found an opponent"), paired.len() as f64, "");
    let wrong = wrong(&paired) + twice(&paired, &guests, at)?;
    let what = "players without exactly one game, or whose opponent has another";
    section.row(of(what), wrong as f64, "").at_most(0.0);
    let what = "from asking to knowing the game";
    section.row(of(&format!("{what}, p50")), times.ms(50.0), "ms");
    section.row(of(&format!("{what}, p99")), times.ms(99.0), "ms");
    section.row(of(&format!("{what}, the last")), times.ms(100.0), "ms");
    Ok(section)
}

fn guest(address: SocketAddr) -> Result<(String, String), String> {
    let made = said(&ask_as(address, None, "POST", "/v1/guests", b"{}")?)?;
    Ok((text(&made["account"]["id"])?, text(&made["token"])?))
}

fn queue(address: SocketAddr, id: &str, token: &str) -> Result<Paired, String> {
    let begun = Instant::now();
    let path = "/v1/matchmaking/queue";
    let entry = said(&ask_as(address, Some(token), "POST", path, WISH)?)?;
    let path = format!("{path}/{}?wait=30", text(&entry["queue_entry_id"])?);
    while begun.elapsed() < PATIENCE {
        let entry = said(&ask_as(address, Some(token), "GET", &path, b"")?)?;
        match entry["status"].as_str() {
            Some("SEARCHING") => {}
            Some("MATCHED") => {
                return Ok(Paired {
                    id: id.to_owned(),
                    game: text(&entry["game_id"])?,
                    opponent: text(&entry["opponent"])?,
                    took: begun.elapsed(),
                });
            }
            _ => return Err(format!("{id} was not found an opponent: {entry}")),
        }
    }
    Err(format!("{id} has waited for too long"))
}

/// How many are not in a game of two who name each other.
fn wrong(paired: &[Paired]) -> usize {
    let mut games: BTreeMap<&str, Vec<&Paired>> = BTreeMap::new();
    for one in paired {
        games.entry(&one.game).or_default().push(one);
    }
    let are_two = |players: &Vec<&Paired>| matches!(players.as_slice(), [a, b] if a.opponent == b.id && b.opponent == a.id);
    let wrong = games.values().filter(|players| !are_two(players));
    wrong.map(Vec::len).sum()
}

/// How many have another game than the one they were told of.
fn twice(
    paired: &[Paired],
    guests: &[(String, String)],
    at: impl Fn(usize) -> SocketAddr,
) -> Result<usize, String> {
    let mut others = 0;
    for (index, (one, (_, token))) in paired.iter().zip(guests).enumerate() {
        let path = format!("/v1/games?player={}", one.id);
        let games = said(&ask_as(at(index), Some(token), "GET", &path, b"")?)?;
        let games = games["games"].as_array().cloned().unwrap_or_default();
        let is_one = games.len() == 1 && games[0]["id"] == one.game.as_str();
        others += usize::from(!is_one);
    }
    Ok(others)
}

fn said(body: &[u8]) -> Result<Value, String> {
    serde_json::from_slice(body).map_err(|error| error.to_string())
}

fn text(value: &Value) -> Result<String, String> {
    let text = value.as_str().map(str::to_owned);
    text.ok_or_else(|| format!("{value} is no text"))
}
