//! Scenario `peers`: the same games on servers that others would use.
//!
//! Each is installed from its package registry by the `run` of its directory
//! under `bench/peers`; what cannot be installed is left out with a word.

mod boardgame;
mod colyseus;
mod sockets;

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use crate::client::Client;
use crate::play::{Pace, all, play};
use crate::process::{Place, Process};
use crate::report::Section;
use crate::stats::Times;
use crate::world::World;

/// Games that are played, on as many connections or twice as many sockets.
const GAMES: usize = 256;

/// Where the peers are, and where they are installed.
const ADAPTERS: &str = "bench/peers";

/// What came of a load.
pub(crate) struct Outcome {
    pub(crate) rate: f64,
    pub(crate) times: Times,
    pub(crate) cpu_us: f64,
}

/// Runs it: each for so many seconds.
pub(crate) fn run(place: &Place, work: &Path, seconds: u64) -> Result<Section, String> {
    let mut section = Section::new("peers", "the same games on other servers");
    let lasting = Duration::from_secs(seconds);
    let ours = over_http(&place.start()?, lasting)?;
    show(&mut section, "Arbiter, durable", &ours);
    type Load = fn(&Process, Duration) -> Result<Outcome, String>;
    let peers: [(&str, &[&str], Load, f64); 4] = [
        (
            "FastAPI and python-chess on SQLite, durable",
            &["fastapi", "sqlite"],
            over_http,
            20.0,
        ),
        (
            "FastAPI and python-chess on PostgreSQL, durable",
            &["fastapi", "postgres"],
            over_http,
            20.0,
        ),
        ("Colyseus, in memory", &["colyseus"], colyseus::load, 5.0),
        (
            "boardgame.io, in memory",
            &["boardgame"],
            boardgame::load,
            50.0,
        ),
    ];
    for (name, how, load, times) in peers {
        eprintln!("{name}");
        let theirs = start(how, work, &place.data).and_then(|server| load(&server, lasting));
        match theirs {
            Ok(theirs) => {
                show(&mut section, name, &theirs);
                let ratio = ours.rate / theirs.rate;
                section
                    .row(format!("Arbiter over {name}"), ratio, "times")
                    .at_least(times);
            }
            Err(why) => section.note(format!("{name} was left out: {why}")),
        }
    }
    section.note(format!(
        "{GAMES} games, one move in flight in each, as fast as they go, for {seconds} s"
    ));
    Ok(section)
}

fn start(how: &[&str], work: &Path, data: &Path) -> Result<Process, String> {
    let mut command = Command::new(Path::new(ADAPTERS).join(how[0]).join("run"));
    command.args(&how[1..]).arg(work).env("DATA", data);
    Process::start(command)
}

fn show(section: &mut Section, name: &str, result: &Outcome) {
    let mut times = result.times.clone();
    section.row(format!("{name}: moves"), result.rate, "/s");
    section.row(format!("{name}: p50"), times.ms(50.0), "ms");
    section.row(format!("{name}: p99"), times.ms(99.0), "ms");
    section.row(format!("{name}: CPU per move"), result.cpu_us, "µs");
}

/// Arbiter, and whoever has the same calls.
fn over_http(server: &Process, lasting: Duration) -> Result<Outcome, String> {
    let mut world = World::new(server.address);
    world.grow(GAMES)?;
    let mut client = Client::new(server.address, GAMES).map_err(|e| e.to_string())?;
    let order = all(&world);
    let played = play(
        &mut client,
        std::slice::from_ref(server),
        &mut world,
        &order,
        Pace::Closed,
        lasting,
        0,
    );
    match &played.wrong {
        Some(wrong) => Err(wrong.clone()),
        None => Ok(Outcome {
            rate: played.rate(),
            cpu_us: played.cpu_us(),
            times: played.times,
        }),
    }
}
