//! Load generator, side-by-side benchmarks and attacks: `make bench`, `make attack`.
//!
//! Speaks to servers over loopback only, as any client would, and knows
//! nothing of their insides. A library, so that the server's own tests can
//! attack it too.

mod agenda;
mod ask;
pub mod attack;
mod bare;
mod client;
mod collector;
mod counts;
mod crowd;
mod dial;
mod frames;
mod http;
mod lines;
mod metrics;
mod mixed;
mod moves;
mod opponents;
mod peers;
mod play;
mod process;
mod report;
mod restart;
mod rng;
mod spread;
mod stats;
mod watch;
mod world;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, Parser, Subcommand};

use self::process::Place;
use self::world::World;

#[derive(Parser)]
#[command(
    name = "bench",
    about = "Measures Arbiter, and what it is compared with"
)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
    #[command(flatten)]
    options: Options,
}

#[derive(Args)]
struct Options {
    /// The server's binary
    #[arg(long, global = true, default_value = "target/release/arbiter")]
    arbiter: PathBuf,
    /// Where results are kept
    #[arg(long, global = true, default_value = "bench/results")]
    results: PathBuf,
    /// Resident games at most
    #[arg(long, global = true, default_value_t = 500_000)]
    games: usize,
    /// How long the longest load of a scenario lasts
    #[arg(long, global = true)]
    seconds: Option<u64>,
    /// Where the peers are installed
    #[arg(long, global = true, default_value = "target/peers")]
    peers: PathBuf,
    /// Sockets on one game
    #[arg(long, global = true, default_value_t = 10_000)]
    watchers: usize,
    /// Tables of the blitz evening
    #[arg(long, global = true, default_value_t = 1_000)]
    tables: usize,
    /// Moves a second in the open loop
    #[arg(long, global = true, default_value_t = 17_000.0)]
    rate: f64,
}

#[derive(Subcommand)]
enum Command {
    /// Everything, one after the other, then the report
    All,
    /// Moves on 1,000, 100,000 and 500,000 games
    Moves,
    /// Many sockets on one game
    Watch,
    /// A blitz evening
    Mixed,
    /// kill -9 under load
    Restart,
    /// Instructions of the pure core
    Core,
    /// The same games on other servers
    Peers,
    /// What one attacker can do to everybody else
    Attack {
        /// These only, divided by commas
        #[arg(long, value_delimiter = ',')]
        only: Vec<String>,
        /// Where the tables are shown
        #[arg(long, default_value = "docs/attacks.md")]
        page: PathBuf,
    },
    /// Shows what was measured, and writes it as Markdown, JSON and plots
    Report,
    /// Moves on a server that runs already: for a profiler
    Load {
        /// Where it listens
        address: std::net::SocketAddr,
    },
    /// A yardstick: a handler with no game behind it
    #[command(hide = true)]
    BareHandler {
        #[arg(long)]
        token: String,
        #[arg(long)]
        answer_bytes: usize,
    },
    /// A yardstick: pre-encoded frames to every socket
    #[command(hide = true)]
    BareFan,
}

/// The command line.
pub fn main() -> ExitCode {
    let Arguments { command, options } = Arguments::parse();
    match run(command, &options) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(why) => {
            eprintln!("bench: {why}");
            ExitCode::FAILURE
        }
    }
}

fn run(command: Command, options: &Options) -> Result<bool, String> {
    let files = process::raise_open_files();
    match command {
        Command::All => {
            moves(options, true)?;
            watch(options, files)?;
            mixed(options)?;
            counts::run()?.save(&options.results)?;
            peers(options)?;
            return report::publish(&options.results, "README.md".as_ref());
        }
        Command::Moves => moves(options, false)?,
        Command::Watch => watch(options, files)?,
        Command::Mixed => mixed(options)?,
        Command::Restart => restart(options)?,
        Command::Core => counts::run()?.save(&options.results)?,
        Command::Peers => peers(options)?,
        Command::Attack { only, page } => return attack(options, &only, &page),
        Command::Load { address } => load(address, options)?,
        Command::Report => return report::publish(&options.results, "README.md".as_ref()),
        Command::BareHandler {
            token,
            answer_bytes,
        } => bare::serve_handler(token, answer_bytes)?,
        Command::BareFan => bare::serve_fan()?,
    }
    Ok(true)
}

/// A place of its own for a server's data; it is gone when the first is dropped.
fn place(options: &Options) -> Result<(tempfile::TempDir, Place), String> {
    let directory = tempfile::Builder::new()
        .prefix("arbiter-bench")
        .tempdir()
        .map_err(|error| format!("no place for a database: {error}"))?;
    let absolute = |path: &std::path::Path| std::path::absolute(path).map_err(|e| e.to_string());
    let place = Place {
        arbiter: absolute(&options.arbiter)?,
        settings: Some(absolute("bench/arbiter.toml".as_ref())?),
        data: directory.path().to_owned(),
    };
    Ok((directory, place))
}

fn moves(options: &Options, then_restart: bool) -> Result<(), String> {
    let (_directory, place) = place(options)?;
    let server = place.start()?;
    let mut world = World::new(server.address);
    let stages = [1_000, 100_000, 500_000]
        .into_iter()
        .filter(|n| *n < options.games);
    let plan = moves::Plan {
        stages: stages.chain([options.games]).collect(),
        rate: options.rate,
        seconds: options.seconds.unwrap_or(60),
    };
    moves::run(&plan, &server, &mut world)?.save(&options.results)?;
    if then_restart {
        restart::run(&place, server, &mut world)?.save(&options.results)?;
    }
    Ok(())
}

/// Makes games on a server that runs already, and plays on them.
fn load(address: std::net::SocketAddr, options: &Options) -> Result<(), String> {
    let mut world = World::new(address);
    let took = world.grow(options.games)?.as_secs_f64();
    println!("{} games after {took:.1} s", options.games);
    let mut client = client::Client::new(address, 256).map_err(|e| e.to_string())?;
    let lasting = std::time::Duration::from_secs(options.seconds.unwrap_or(60));
    let order = play::all(&world);
    let pace = play::Pace::Open(options.rate);
    let mut played = play::just_play(&mut client, &mut world, &order, pace, lasting, 0);
    for (second, mut times) in played.times.parts(options.rate as usize).enumerate() {
        let (p50, p99, most) = (times.ms(50.0), times.ms(99.0), times.ms(100.0));
        println!("second {second}: p50 {p50} ms, p99 {p99} ms, at most {most} ms");
    }
    let (p50, p99) = (played.times.ms(50.0), played.times.ms(99.0));
    println!(
        "{} moves, {:.0}/s, p50 {p50} ms, p99 {p99} ms",
        played.accepted,
        played.rate()
    );
    played.wrong.map_or(Ok(()), Err)
}

fn restart(options: &Options) -> Result<(), String> {
    let (_directory, place) = place(options)?;
    let server = place.start()?;
    let mut world = World::new(server.address);
    world.grow(options.games)?;
    restart::run(&place, server, &mut world)?.save(&options.results)
}

fn watch(options: &Options, files: u64) -> Result<(), String> {
    // The others' connections, the database and what a process opens anyway.
    let room = files.saturating_sub(1_000) as usize;
    if options.watchers > room {
        return Err(format!(
            "{} sockets do not fit into {files} open files: see `ulimit -n`",
            options.watchers
        ));
    }
    let (_directory, place) = place(options)?;
    watch::run(&place, options.watchers, options.seconds.unwrap_or(30))?.save(&options.results)
}

fn mixed(options: &Options) -> Result<(), String> {
    let (_directory, place) = place(options)?;
    mixed::run(&place, options.tables, options.seconds.unwrap_or(600))?.save(&options.results)
}

fn peers(options: &Options) -> Result<(), String> {
    let (_directory, place) = place(options)?;
    let work = std::path::absolute(&options.peers).map_err(|e| e.to_string())?;
    peers::run(&place, &work, options.seconds.unwrap_or(10))?.save(&options.results)
}

/// Attacks a server with the default settings; says whether others were well.
fn attack(options: &Options, only: &[String], page: &std::path::Path) -> Result<bool, String> {
    let seconds = options.seconds.unwrap_or(10);
    let kinds = attack::kinds(only)?;
    let outcomes = attack::run(&options.arbiter, &kinds, attack::Plan::of(seconds))?;
    attack::publish(&kinds, &outcomes, seconds, &options.results, page)
}
