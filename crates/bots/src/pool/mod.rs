//! A few workers for the questions of many games.
//!
//! Each worker has one UCI engine, started when it is first needed, and the built-in engine. Questions wait in one
//! queue in which games take turns, so a thousand games share two workers and each gets its move. An engine that
//! hangs, dies or answers rubbish is ended and the question is put to a new one; if that fails too, the built-in
//! engine answers. Somebody always does: the game notices a delay and nothing else.

mod queue;
mod worker;

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::{Duration, Instant};

use tokio::sync::{Semaphore, oneshot};
use tokio::task::JoinHandle;

use crate::engine::Limits;
use crate::level::Level;
use crate::situation::Situation;
use crate::uci::EngineConfig;
use crate::{Answer, uci::Ability};
use queue::Queue;
pub use queue::Urgency;

/// How a pool is set up.
#[derive(Clone, Debug)]
pub struct Config {
    /// The UCI engines, the preferred first. Each question goes to the first that plays its variant.
    pub engines: Vec<EngineConfig>,
    /// How many questions are answered at once; also how many processes there are at most.
    pub workers: usize,
    /// What the tables of all workers may take together, in megabytes: half for processes, half for the built-in
    /// engine.
    pub megabytes: u32,
    /// How many questions may wait.
    pub waiting: usize,
}

impl Default for Config {
    fn default() -> Config {
        Config {
            engines: Vec::new(),
            workers: 2,
            megabytes: 64,
            waiting: 10_000,
        }
    }
}

/// What is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wish {
    /// A move as a level plays.
    Level(Level),
    /// The best move within these limits.
    Best(Limits),
    /// The best move by the built-in engine, whatever engines there are.
    BuiltIn(Limits),
}

/// A question.
#[derive(Clone, Debug)]
pub struct Question {
    /// Whose turn it takes in the queue.
    pub game: u64,
    /// How soon it is wanted.
    pub urgency: Urgency,
    /// The position.
    pub situation: Situation,
    /// What is wanted.
    pub wish: Wish,
    /// How long it may be calculated, once it is its turn. While many wait, everybody gets less.
    pub time: Duration,
    /// When it must be answered, the time in the queue included: as the clock has it.
    pub within: Duration,
    /// Chance.
    pub seed: u64,
}

/// Why there is no answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoAnswer {
    /// The game is over.
    Over,
    /// Too many wait, or something more urgent took its place.
    Full,
    /// The pool was closed.
    Closed,
}

impl std::fmt::Display for NoAnswer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            NoAnswer::Over => "the game is over",
            NoAnswer::Full => "too many questions wait",
            NoAnswer::Closed => "the pool of engines was closed",
        })
    }
}

impl std::error::Error for NoAnswer {}

/// Numbers for operators.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// How many questions wait.
    pub waiting: usize,
    /// How many are being answered.
    pub busy: usize,
    /// How many were answered.
    pub answered: u64,
    /// How many of them by a UCI engine.
    pub by_uci: u64,
    /// How often an engine hung, died or answered rubbish.
    pub faults: u64,
    /// How often an engine was started.
    pub starts: u64,
}

struct Job {
    question: Question,
    asked: Instant,
    tell: oneshot::Sender<Result<Answer, NoAnswer>>,
}

struct Shared {
    config: Config,
    queue: Mutex<Queue<Job>>,
    /// One permit for each question that waits.
    waiting: Semaphore,
    /// What is known of each engine.
    abilities: Mutex<Vec<Option<Ability>>>,
    busy: AtomicUsize,
    answered: AtomicU64,
    by_uci: AtomicU64,
    faults: AtomicU64,
    starts: AtomicU64,
}

impl Shared {
    fn queue(&self) -> MutexGuard<'_, Queue<Job>> {
        self.queue
            .lock()
            .unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    fn abilities(&self) -> MutexGuard<'_, Vec<Option<Ability>>> {
        self.abilities
            .lock()
            .unwrap_or_else(|poisoned| poisoned.into_inner())
    }
}

/// The workers. They end with it.
pub struct Pool {
    shared: Arc<Shared>,
    workers: Mutex<Vec<JoinHandle<()>>>,
}

impl Pool {
    /// Starts the workers on the present runtime. No process is started before it is needed.
    pub fn start(config: Config) -> Pool {
        let shared = Arc::new(Shared {
            queue: Mutex::new(Queue::new(config.waiting)),
            waiting: Semaphore::new(0),
            abilities: Mutex::new(vec![None; config.engines.len()]),
            config,
            busy: AtomicUsize::new(0),
            answered: AtomicU64::new(0),
            by_uci: AtomicU64::new(0),
            faults: AtomicU64::new(0),
            starts: AtomicU64::new(0),
        });
        let count = shared.config.workers.max(1);
        let workers = (0..count)
            .map(|_| tokio::spawn(worker::run(shared.clone())))
            .collect();
        Pool {
            shared,
            workers: Mutex::new(workers),
        }
    }

    /// Waits for its turn and for the answer. A caller that stops waiting takes its question back.
    ///
    /// # Errors
    /// [`NoAnswer`] says why there is none; no engine's fault is a reason.
    pub async fn ask(&self, question: Question) -> Result<Answer, NoAnswer> {
        let (tell, answer) = oneshot::channel();
        if self.shared.waiting.is_closed() {
            return Err(NoAnswer::Closed);
        }
        let (game, urgency) = (question.game, question.urgency);
        let job = Job {
            question,
            asked: Instant::now(),
            tell,
        };
        let pushed = self.shared.queue().push(game, urgency, job);
        match pushed {
            Err(_) => return Err(NoAnswer::Full),
            // The permit of what was displaced is for this one.
            Ok(Some(displaced)) => drop(displaced.tell.send(Err(NoAnswer::Full))),
            Ok(None) => self.shared.waiting.add_permits(1),
        }
        answer.await.unwrap_or(Err(NoAnswer::Closed))
    }

    /// What happened so far.
    pub fn counts(&self) -> Counts {
        let shared = &self.shared;
        Counts {
            waiting: shared.queue().len(),
            busy: shared.busy.load(Ordering::Relaxed),
            answered: shared.answered.load(Ordering::Acquire),
            by_uci: shared.by_uci.load(Ordering::Relaxed),
            faults: shared.faults.load(Ordering::Relaxed),
            starts: shared.starts.load(Ordering::Relaxed),
        }
    }

    /// Ends the workers and their processes, and waits until they are gone.
    pub async fn close(&self) {
        self.shared.waiting.close();
        while let Some(job) = { self.shared.queue().pop() } {
            drop(job.tell.send(Err(NoAnswer::Closed)));
        }
        let workers = {
            let mut workers = self.workers.lock().unwrap_or_else(|p| p.into_inner());
            std::mem::take(&mut *workers)
        };
        for worker in workers {
            if let Err(error) = worker.await {
                tracing::error!(%error, "a worker of the engines ended badly");
            }
        }
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        self.shared.waiting.close();
    }
}
