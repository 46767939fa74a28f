//! When the opponent learns of a move: players' sockets on some of the games.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crate::crowd::Crowd;
use crate::http;
use crate::metrics::Metrics;
use crate::play::{Pace, all, play};
use crate::process::Process;
use crate::report::{Section, count, figure};
use crate::stats::Times;
use crate::world::World;

/// Games whose players both listen.
const GAMES: usize = 2_000;
const CONNECTIONS: usize = 512;

/// Plays at a rate on all games, and looks at when the opponents of some hear of it.
pub(crate) fn run(
    rate: f64,
    seconds: u64,
    nodes: &[Process],
    world: &mut World,
    section: &mut Section,
) -> Result<(), String> {
    let watched = GAMES.min(world.games.len());
    let paths = world.games[..watched]
        .iter()
        .flat_map(|game| [1, 2].map(|ply| world.stream_of(game, ply)));
    let paths: Vec<String> = paths.collect();
    let mut crowd = match Crowd::spread(&world.addresses, paths.into_iter()) {
        Ok(crowd) => crowd,
        Err(why) => {
            section.note(format!("players' sockets were left out: {why}"));
            return Ok(());
        }
    };
    let stop = Arc::new(AtomicBool::new(false));
    let told = Arc::clone(&stop);
    let listener = std::thread::spawn(move || {
        let mut receipts = Vec::new();
        let listened = crowd.listen(&told, |socket, message, at| {
            if let Some(ply) = moved(message) {
                receipts.push((socket, ply, at));
            }
            Vec::new()
        });
        (crowd, receipts, listened)
    });
    let before = Metrics::read(world.addresses[0])?;
    let mut client = world.client(CONNECTIONS)?;
    let order = all(world);
    let lasting = Duration::from_secs(seconds.div_ceil(2));
    let mut played = play(
        &mut client,
        nodes,
        world,
        &order,
        Pace::Open(rate),
        lasting,
        watched as u32,
    );
    let after = Metrics::read(world.addresses[0])?;
    std::thread::sleep(Duration::from_millis(500)); // what is on its way may still arrive
    stop.store(true, Ordering::Relaxed);
    let (crowd, receipts, listened) = listener.join().map_err(|_| "the listener panicked")?;
    listened.map_err(|error| error.to_string())?;

    let mut times = received_after(&played.acknowledged, &receipts);
    let of = |what: &str| {
        format!(
            "{} players' sockets at {}/s: {what}",
            count(2 * watched),
            figure(rate)
        )
    };
    section.row(of("moves p99"), played.times.ms(99.0), "ms");
    section
        .row(
            of("opponent's receipt after the acknowledgement, p50"),
            times.ms(50.0),
            "ms",
        )
        .at_most(10.0);
    section
        .row(
            of("opponent's receipt after the acknowledgement, p99"),
            times.ms(99.0),
            "ms",
        )
        .at_most(100.0);
    section
        .row(
            of("opponent's receipt after the acknowledgement, mean: deliver"),
            times.mean_ms(),
            "ms",
        )
        .at_most(3.0);
    let missing = played.acknowledged.len() - times.len();
    section
        .row(
            of("acknowledged moves the opponent did not hear of"),
            missing as f64,
            "",
        )
        .at_most(0.0);
    if crowd.closed > 0 {
        section.note(format!(
            "{} players' sockets were closed by the server",
            crowd.closed
        ));
    }
    split(&before, &after, section);
    Ok(())
}

/// The half-move of a message, if it tells of one.
pub(crate) fn moved(message: &[u8]) -> Option<u32> {
    http::find(message, b"\"type\":\"MOVE\"")?;
    http::number_of(message, "ply").map(|ply| ply as u32)
}

/// How long after each acknowledgement the opponent's socket had the move:
/// sockets stand in pairs, White's first. Nothing, if it had it before.
fn received_after(
    acknowledged: &[(u32, u32, Instant)],
    receipts: &[(usize, u32, Instant)],
) -> Times {
    let acknowledged: HashMap<(u32, u32), Instant> = acknowledged
        .iter()
        .map(|(game, ply, at)| ((*game, *ply), *at))
        .collect();
    let mut times = Times::default();
    for (socket, ply, at) in receipts {
        let is_opponent = socket % 2 == (ply % 2) as usize;
        let acknowledged = acknowledged.get(&((socket / 2) as u32, *ply));
        if let Some(acknowledged) = acknowledged.filter(|_| is_opponent) {
            times.push(at.saturating_duration_since(*acknowledged));
        }
    }
    times
}

/// Where the server says the time of a move goes, on average, against the
/// budget of 2 / 5 / 2 / 3 ms.
fn split(before: &Metrics, after: &Metrics, section: &mut Section) {
    let mean = |name: &str| after.mean_ms(name, before);
    let commit = mean("arbiter_store_commit_seconds");
    let whole = mean("arbiter_move_seconds");
    if let Some((whole, commit)) = whole.zip(commit) {
        section
            .row(
                "a move inside of the server: validate and answer, mean",
                whole - commit,
                "ms",
            )
            .at_most(2.0);
        section
            .row("a move inside of the server: commit, mean", commit, "ms")
            .at_most(5.0);
    }
    let told = |name: &str| Some(after.get(name)? - before.get(name)?);
    let publish = told("arbiter_fan_out_seconds_total").zip(told("arbiter_fan_out_told_total"));
    if let Some((seconds, news)) = publish.filter(|(_, news)| *news > 0.0) {
        let what = "a move inside of the server: publish, mean";
        section
            .row(what, seconds / news * 1000.0, "ms")
            .at_most(2.0);
    }
}
