//! Load generator, side-by-side benchmarks and attacks: `make bench`, `make attack`.
//!
//! Speaks to servers over loopback only, as any client would, and knows
//! nothing of their insides. A library, so that the server's own tests can
//! attack it too.

mod agenda;
mod ask;
pub mod attack;
mod bare;
mod bots;
mod client;
mod collector;
mod counts;
mod crowd;
mod dial;
mod fan;
mod frames;
mod http;
mod lines;
mod listener;
mod load;
mod metrics;
mod mixed;
mod moves;
mod opponents;
mod peers;
mod play;
mod process;
mod queue;
mod report;
mod restart;
mod rng;
mod socket_io;
mod sockets;
mod spread;
mod stats;
mod venue;
mod watch;
mod world;
mod xmpp;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, Parser, Subcommand};

use self::venue::{Kind, Setup, Venue};
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
    /// Where the servers of `moves`, `watch` and `restart` keep their games
    #[arg(long, global = true, value_enum, default_value_t = Kind::Sqlite)]
    store: Kind,
    /// How many servers share the load of `moves`, `watch` and `restart`: more than one need
    /// `--store postgres`
    #[arg(long, global = true, default_value_t = 1)]
    nodes: usize,
    /// Resident games at most [default: 500000, and 50000 with `--store postgres`]
    #[arg(long, global = true)]
    games: Option<usize>,
    /// How long the longest load of a scenario lasts
    #[arg(long, global = true)]
    seconds: Option<u64>,
    /// Where the peers are installed
    #[arg(long, global = true, default_value = "target/peers")]
    peers: PathBuf,
    /// Sockets on one game
    #[arg(long, global = true, default_value_t = 10_000)]
    watchers: usize,
    /// Tables of the blitz evening, and players who queue at once
    #[arg(long, global = true, default_value_t = 1_000)]
    tables: usize,
    /// Moves a second in the open loop [default: 17000, and 12000 with `--store postgres`]
    #[arg(long, global = true)]
    rate: Option<f64>,
}

/// Resident games at most, and moves a second.
const EMBEDDED: (usize, f64) = (500_000, 17_000.0);
/// The same on a database, where making a game is a transaction, and joining it another.
const SHARED: (usize, f64) = (50_000, 12_000.0);

/// Occupants of one room at most.
const OCCUPANTS: usize = 2_000;

impl Options {
    fn setup(&self) -> Setup {
        Setup {
            store: self.store,
            nodes: self.nodes,
        }
    }

    fn games(&self, setup: Setup) -> usize {
        self.games.unwrap_or(usual(setup).0)
    }

    fn rate(&self, setup: Setup) -> f64 {
        self.rate.unwrap_or(usual(setup).1)
    }

    /// Where the peers are installed, wherever they are started.
    fn work(&self) -> Result<PathBuf, String> {
        std::path::absolute(&self.peers).map_err(|e| e.to_string())
    }
}

fn usual(setup: Setup) -> (usize, f64) {
    match setup.is_shared() {
        true => SHARED,
        false => EMBEDDED,
    }
}

/// What `all` runs `moves`, `watch` and `restart` on, one after the other.
const SETUPS: [Setup; 3] = [Setup::EMBEDDED, Setup::shared(1), Setup::shared(3)];

#[derive(Subcommand)]
enum Command {
    /// Everything, one after the other, then the report; moves, watch and restart on SQLite, on
    /// PostgreSQL with one node, and on PostgreSQL and NATS with three
    All,
    /// Moves on 1,000, 100,000 and 500,000 games; with `--store postgres` on 50,000
    Moves,
    /// Many sockets on one game; with several nodes also all of them at one, to compare
    Watch,
    /// 2,000 occupants of one room by XMPP, and as many sockets beside them
    Xmpp,
    /// A blitz evening
    Mixed,
    /// A thousand who want to play at the same moment
    Queue,
    /// People against the server's bots, and everybody else's moves beside them
    Bots,
    /// kill -9 under load, of several nodes one
    Restart,
    /// Instructions of the pure core, and of whole moves
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
        /// Over a WebSocket of each player instead of by `POST`
        #[arg(long)]
        sockets: bool,
        /// The next move as soon as one is answered, instead of at a rate
        #[arg(long)]
        closed: bool,
        /// Moves in flight with `--closed`, over all sockets
        #[arg(long, default_value_t = moves::CLOSED_IN_FLIGHT)]
        in_flight: usize,
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
    BareFan {
        /// Threads that write
        #[arg(long, default_value_t = 1)]
        senders: usize,
    },
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
            for setup in SETUPS {
                moves(options, setup, true)?;
                watch(options, setup, files)?;
            }
            xmpp(options)?;
            mixed(options)?;
            queue(options, Setup::EMBEDDED)?;
            bots(options)?;
            counts::run()?.save(&options.results)?;
            peers(options)?;
            return report::publish(&options.results, "README.md".as_ref());
        }
        Command::Moves => moves(options, options.setup(), false)?,
        Command::Watch => watch(options, options.setup(), files)?,
        Command::Xmpp => xmpp(options)?,
        Command::Mixed => mixed(options)?,
        Command::Restart => restart(options)?,
        Command::Queue => queue(options, options.setup())?,
        Command::Bots => bots(options)?,
        Command::Core => counts::run()?.save(&options.results)?,
        Command::Peers => peers(options)?,
        Command::Attack { only, page } => return attack(options, &only, &page),
        Command::Load {
            address,
            sockets,
            closed,
            in_flight,
        } => {
            let setup = options.setup();
            let plan = load::Plan {
                games: options.games(setup),
                pace: match closed {
                    true => play::Pace::Closed,
                    false => play::Pace::Open(options.rate(setup)),
                },
                seconds: options.seconds.unwrap_or(60),
                over_sockets: sockets,
                in_flight,
            };
            load::run(address, &plan)?;
        }
        Command::Report => return report::publish(&options.results, "README.md".as_ref()),
        Command::BareHandler {
            token,
            answer_bytes,
        } => bare::serve_handler(token, answer_bytes)?,
        Command::BareFan { senders } => bare::serve_fan(senders)?,
    }
    Ok(true)
}

fn moves(options: &Options, setup: Setup, then_restart: bool) -> Result<(), String> {
    let seconds = options.seconds.unwrap_or(60);
    let venue = Venue::open(setup, &options.arbiter)?;
    let nodes = venue.start()?;
    let mut world = World::over(nodes.iter().map(|node| node.address).collect());
    let games = options.games(setup);
    let stages = match setup.is_shared() {
        true => vec![],
        false => vec![1_000, 100_000, 500_000],
    };
    let stages = stages.into_iter().filter(|n| *n < games);
    let plan = moves::Plan {
        stages: stages.chain([games]).collect(),
        rate: options.rate(setup),
        seconds,
    };
    moves::run(&plan, &venue, &nodes, &mut world)?.save(&options.results)?;
    if then_restart {
        restart::run(&venue, nodes, &mut world, seconds)?.save(&options.results)?;
    }
    Ok(())
}

fn queue(options: &Options, setup: Setup) -> Result<(), String> {
    let venue = Venue::open(setup, &options.arbiter)?;
    let nodes = venue.start()?;
    let section = queue::run(&venue, &nodes, options.tables)?;
    section.save(&options.results)?;
    nodes.into_iter().try_for_each(process::Process::stop)
}

fn bots(options: &Options) -> Result<(), String> {
    let setup = options.setup();
    let venue = Venue::open(setup, &options.arbiter)?;
    let nodes = venue.start()?;
    let (rate, seconds) = (options.rate(setup), options.seconds.unwrap_or(300));
    let section = bots::run(&venue, &nodes, options.tables, rate, seconds)?;
    section.save(&options.results)?;
    nodes.into_iter().try_for_each(process::Process::stop)
}

fn restart(options: &Options) -> Result<(), String> {
    let setup = options.setup();
    let venue = Venue::open(setup, &options.arbiter)?;
    let nodes = venue.start()?;
    let mut world = World::over(nodes.iter().map(|node| node.address).collect());
    world.grow(options.games(setup))?;
    let seconds = options.seconds.unwrap_or(60);
    restart::run(&venue, nodes, &mut world, seconds)?.save(&options.results)
}

fn watch(options: &Options, setup: Setup, files: u64) -> Result<(), String> {
    // The others' connections, the database and what a process opens anyway. All sockets have an
    // end in this process, and at most as many in a server.
    let room = files.saturating_sub(1_000) as usize;
    if options.watchers > room {
        return Err(format!(
            "{} sockets do not fit into {files} open files: see `ulimit -n`",
            options.watchers
        ));
    }
    let venue = Venue::open(setup, &options.arbiter)?;
    let seconds = options.seconds.unwrap_or(30);
    watch::run(&venue, &options.work()?, options.watchers, seconds)?.save(&options.results)
}

fn xmpp(options: &Options) -> Result<(), String> {
    let venue = Venue::open(Setup::EMBEDDED, &options.arbiter)?;
    let occupants = options.watchers.min(OCCUPANTS);
    xmpp::run(&venue, occupants, options.seconds.unwrap_or(30))?.save(&options.results)
}

fn mixed(options: &Options) -> Result<(), String> {
    let venue = Venue::open(Setup::EMBEDDED, &options.arbiter)?;
    let seconds = options.seconds.unwrap_or(600);
    mixed::run(&venue.place, options.tables, seconds)?.save(&options.results)
}

fn peers(options: &Options) -> Result<(), String> {
    let venue = Venue::open(Setup::EMBEDDED, &options.arbiter)?;
    peers::run(
        &venue.place,
        &options.work()?,
        options.seconds.unwrap_or(10),
    )?
    .save(&options.results)
}

/// Attacks a server with the default settings; says whether others were well.
fn attack(options: &Options, only: &[String], page: &std::path::Path) -> Result<bool, String> {
    let seconds = options.seconds.unwrap_or(10);
    let kinds = attack::kinds(only)?;
    let outcomes = attack::run(&options.arbiter, &kinds, attack::Plan::of(seconds))?;
    attack::publish(&kinds, &outcomes, seconds, &options.results, page)
}
