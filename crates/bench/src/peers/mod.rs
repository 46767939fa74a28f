//! Scenario `peers`: the same games on servers that others would use.
//!
//! Each is installed from its package registry by the `run` of its directory
//! under `bench/peers`; what cannot be installed is left out with a word.

mod arbiter;
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

type Load = fn(&Process, Duration) -> Result<Outcome, String>;

/// What Arbiter is compared with.
struct Peer {
    name: &'static str,
    /// Its directory, and what its `run` is told.
    how: &'static [&'static str],
    load: Load,
    /// Over sockets Arbiter's side is measured over sockets, too.
    over_sockets: bool,
    /// How many times its moves Arbiter has to make.
    at_least: f64,
}

const PEERS: [Peer; 4] = [
    Peer {
        name: "FastAPI and python-chess on SQLite, durable",
        how: &["fastapi", "sqlite"],
        load: over_http,
        over_sockets: false,
        at_least: 20.0,
    },
    Peer {
        name: "FastAPI and python-chess on PostgreSQL, durable",
        how: &["fastapi", "postgres"],
        load: over_http,
        over_sockets: false,
        at_least: 40.0,
    },
    Peer {
        name: "Colyseus, in memory",
        how: &["colyseus"],
        load: colyseus::load,
        over_sockets: true,
        at_least: 15.0,
    },
    Peer {
        name: "boardgame.io, in memory",
        how: &["boardgame"],
        load: boardgame::load,
        over_sockets: true,
        at_least: 30.0,
    },
];

/// Runs it: each for so many seconds.
pub(crate) fn run(place: &Place, work: &Path, seconds: u64) -> Result<Section, String> {
    let mut section = Section::new("peers", "the same games on other servers");
    let lasting = Duration::from_secs(seconds);
    let server = place.start()?;
    let by_post = over_http(&server, lasting)?;
    show(&mut section, "Arbiter, durable", &by_post);
    let by_sockets = arbiter::load(&server, lasting)?;
    show(&mut section, "Arbiter, durable, over sockets", &by_sockets);
    drop(server);
    for peer in &PEERS {
        let name = peer.name;
        eprintln!("{name}");
        let theirs =
            start(peer.how, work, &place.data).and_then(|server| (peer.load)(&server, lasting));
        let (ours, what) = match peer.over_sockets {
            true => (&by_sockets, "Arbiter, socket against socket, over"),
            false => (&by_post, "Arbiter over"),
        };
        match theirs {
            Ok(theirs) => {
                show(&mut section, name, &theirs);
                let ratio = ours.rate / theirs.rate;
                section
                    .row(format!("{what} {name}"), ratio, "times")
                    .at_least(peer.at_least);
            }
            Err(why) => section.left_out(name, &why),
        }
    }
    section.note(format!(
        "{GAMES} games, one move in flight in each, as fast as they go, for {seconds} s or until \
         a game has no more moves"
    ));
    Ok(section)
}

/// Installs a peer if need be, and starts it.
pub(crate) fn start(how: &[&str], work: &Path, data: &Path) -> Result<Process, String> {
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
