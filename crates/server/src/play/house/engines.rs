//! Those who calculate: the pool of engines, on threads of their own.
//!
//! The threads, and the processes that they start, are `nice`: whoever plays by
//! requests comes first.

use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use bots::engine::Engine;
use bots::pool::{Config, Counts, NoAnswer, Pool, Question};
use bots::uci::EngineConfig;
use bots::uci::config::installed;
use bots::{Answer, Level, Limits, Situation, level};
use chess::game::Game;
use rustix::process::{getpriority_process, setpriority_process};
use tokio::runtime::{Builder, Handle};
use tokio::sync::oneshot;
use tokio::time::timeout;

use crate::lock::lock;
use crate::settings::Settings;

/// By how much they step back, and the most that is possible.
const NICER: i32 = 15;
const NICEST: i32 = 19;
/// Questions that may wait; more ask again.
const WAITING: usize = 100_000;
/// How long threads and processes may take to end.
const FAREWELL: Duration = Duration::from_secs(1);
/// What somebody in a hurry gets: a table that is made in no time, and little of it.
const HURRY_BYTES: usize = 1 << 16;
const HURRY_NODES: u64 = 2_000;
const HURRY_TIME: Duration = Duration::from_millis(20);

/// The pool and its threads. They end with it.
pub(crate) struct Engines {
    pool: Pool,
    runtime: Handle,
    /// Ends the threads when it is dropped.
    stop: Mutex<Option<oneshot::Sender<()>>>,
    /// Tells when they have ended.
    ended: Mutex<Option<oneshot::Receiver<()>>>,
}

impl Engines {
    /// Starts the threads; processes come when they are needed.
    pub(super) fn start(settings: &Settings) -> std::io::Result<Engines> {
        let workers = settings.bot_workers;
        let own = getpriority_process(None).unwrap_or_default();
        let niceness = (own + NICER).min(NICEST);
        // One more for whoever is in a hurry, and one to prepare questions.
        let runtime = Builder::new_current_thread()
            .max_blocking_threads(workers + 2)
            .thread_name("bots")
            .on_thread_start(move || step_back(niceness))
            .enable_all()
            .build()?;
        let handle = runtime.handle().clone();
        let pool = {
            let _entered = handle.enter();
            Pool::start(config(settings))
        };
        let (stop, stopped) = oneshot::channel();
        let (end, ended) = oneshot::channel();
        let thread = thread::Builder::new().name("bots".to_owned());
        thread.spawn(move || {
            step_back(niceness);
            drop(runtime.block_on(stopped));
            // Whoever calculates is stopped, and processes are killed.
            drop(runtime);
            drop(end);
        })?;
        Ok(Engines {
            pool,
            runtime: handle,
            stop: Mutex::new(Some(stop)),
            ended: Mutex::new(Some(ended)),
        })
    }

    pub(super) fn counts(&self) -> Counts {
        self.pool.counts()
    }

    /// The game as a question is put. A long one takes a while to go through.
    pub(super) async fn situation(&self, game: &Arc<Game>) -> Option<Situation> {
        let game = Arc::clone(game);
        self.runtime.spawn_blocking(move || of(&game)).await.ok()
    }

    /// The answer to a question when it is its turn.
    pub(super) async fn ask(&self, question: Question) -> Result<Answer, NoAnswer> {
        self.pool.ask(question).await
    }

    /// A move without waiting for a turn: not a good one.
    pub(super) async fn hurry(
        &self,
        situation: Situation,
        level: Level,
        seed: u64,
    ) -> Option<Answer> {
        let quick = move || {
            let until = Instant::now() + HURRY_TIME;
            let mut engine = Engine::new(HURRY_BYTES);
            let limits = Limits::nodes(HURRY_NODES);
            let mut stop = || Instant::now() >= until;
            level::pick(&mut engine, &situation, level, limits, seed, &mut stop)
        };
        self.runtime.spawn_blocking(quick).await.ok().flatten()
    }

    /// Ends threads and processes, whatever they do.
    pub(super) fn stop(&self) {
        drop(lock(&self.stop).take());
    }

    /// Waits until they have ended, though not for ever.
    pub(super) async fn ended(&self) {
        let ended = lock(&self.ended).take();
        if let Some(ended) = ended
            && timeout(FAREWELL, ended).await.is_err()
        {
            tracing::warn!("the engines did not end in time");
        }
    }
}

/// The moves that stand, from the start.
fn of(game: &Game) -> Situation {
    let mut situation = Situation::new(game.terms().variant, game.start_board());
    for played in game.line() {
        let m = played.in_position(situation.board());
        situation.play(m);
    }
    situation
}

fn config(settings: &Settings) -> Config {
    let engines = match (settings.engines, settings.engine_paths.as_slice()) {
        (false, _) => Vec::new(),
        (true, []) => installed(std::env::var_os("PATH").as_deref()),
        (true, paths) => paths.iter().map(EngineConfig::new).collect(),
    };
    Config {
        engines,
        workers: settings.bot_workers,
        megabytes: settings.bot_memory_mb,
        waiting: WAITING,
    }
}

/// Has the present thread, and whatever it starts, make way.
fn step_back(niceness: i32) {
    if let Err(error) = setpriority_process(None, niceness) {
        tracing::warn!(%error, "engines run with the priority of everything else");
    }
}
