//! The server's own bots: six accounts that play whoever wants to.
//!
//! A bot is a player like any other. It enters by the functions of
//! [`play`](crate::play) that every door calls, its clock runs, and the store
//! decides what counts; only its caller is made here instead of by a token.
//!
//! - [`accounts`]: who they are. [`new`]: a game against one of them.
//! - [`rounds`]: which of their games want something: told by the rooms, and
//!   found by asking the store. `attend` looks after one game at a time,
//!   `duty` says what there is to do in it.
//! - `think`: which move, and how long it takes. `engines`: who calculates,
//!   on threads of their own that make way for everybody else; `analyst` lends them
//!   to those who look at finished games.

mod accounts;
mod analyst;
mod attend;
mod duty;
mod engines;
pub(crate) mod new;
pub mod rounds;
mod think;

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock};
use std::time::Duration;

use bots::Level;
use chess::table::PlayerId;
use store::TableId;

pub(crate) use self::accounts::is_own;
pub use self::accounts::open;
use self::attend::Hand;
use self::engines::Engines;
use crate::auth::Caller;
use crate::lock::lock;
use crate::settings::Settings;

/// One of the bots.
pub(crate) struct Bot {
    pub(crate) level: Level,
    /// As whom it plays.
    pub(crate) caller: Caller,
}

impl Bot {
    fn number(&self) -> PlayerId {
        self.caller.number()
    }
}

/// The bots, those who calculate for them, and the games they look after now.
#[derive(Default)]
pub struct House {
    bots: OnceLock<Vec<Bot>>,
    engines: Mutex<Option<Arc<Engines>>>,
    hands: Mutex<HashMap<TableId, Hand>>,
    /// In which games a bot has found itself lost how often in a row.
    lost: Mutex<HashMap<TableId, u32>>,
    counters: Counters,
    is_closed: AtomicBool,
}

#[derive(Default)]
struct Counters {
    running: AtomicUsize,
    moves: AtomicU64,
    hurried: AtomicU64,
    micros: AtomicU64,
}

/// Numbers for operators.
#[derive(Clone, Copy, Debug, Default)]
pub struct Stats {
    /// Games that bots play, as of the last look at all of them.
    pub running: usize,
    /// Games in which a bot has something to do.
    pub attended: usize,
    /// Moves made.
    pub moves: u64,
    /// Moves that could not wait for their turn to be calculated.
    pub hurried: u64,
    /// How long finding a move took, altogether.
    pub seconds: f64,
    /// What the engines did.
    pub engines: bots::pool::Counts,
}

/// So many lost games are remembered at most.
const LOST_MAX: usize = 100_000;

impl House {
    /// All of them, the weakest first; none before the server has started.
    pub(crate) fn bots(&self) -> &[Bot] {
        self.bots.get().map_or(&[], Vec::as_slice)
    }

    /// The one with that number.
    pub(crate) fn bot(&self, number: PlayerId) -> Option<&Bot> {
        self.bots().iter().find(|bot| bot.number() == number)
    }

    /// The one of that level.
    pub(crate) fn of_level(&self, level: Level) -> Option<&Bot> {
        self.bots().iter().find(|bot| bot.level == level)
    }

    /// Those who calculate, started when they are first needed.
    fn engines(&self, settings: &Settings) -> std::io::Result<Arc<Engines>> {
        let mut engines = lock(&self.engines);
        if let Some(engines) = &*engines {
            return Ok(Arc::clone(engines));
        }
        if self.is_closed() {
            return Err(std::io::ErrorKind::NotConnected.into());
        }
        let started = Arc::new(Engines::start(settings)?);
        *engines = Some(Arc::clone(&started));
        Ok(started)
    }

    /// Notes whether a bot finds itself lost in a game. How often in a row.
    fn note_lost(&self, id: TableId, is_lost: bool) -> u32 {
        let mut lost = lock(&self.lost);
        if !is_lost {
            lost.remove(&id);
            return 0;
        }
        if lost.len() >= LOST_MAX {
            lost.clear();
        }
        let times = lost.entry(id).or_default();
        *times += 1;
        *times
    }

    fn note_moved(&self, took: Duration, hurried: bool) {
        let Counters {
            moves,
            hurried: in_a_hurry,
            micros,
            ..
        } = &self.counters;
        moves.fetch_add(1, Ordering::Relaxed);
        in_a_hurry.fetch_add(u64::from(hurried), Ordering::Relaxed);
        micros.fetch_add(took.as_micros() as u64, Ordering::Relaxed);
    }

    fn note_running(&self, games: usize) {
        self.counters.running.store(games, Ordering::Relaxed);
    }

    /// What there is to count.
    pub fn stats(&self) -> Stats {
        let engines = lock(&self.engines).clone();
        Stats {
            running: self.counters.running.load(Ordering::Relaxed),
            attended: lock(&self.hands).len(),
            moves: self.counters.moves.load(Ordering::Relaxed),
            hurried: self.counters.hurried.load(Ordering::Relaxed),
            seconds: self.counters.micros.load(Ordering::Relaxed) as f64 / 1e6,
            engines: engines.map(|engines| engines.counts()).unwrap_or_default(),
        }
    }

    fn is_closed(&self) -> bool {
        self.is_closed.load(Ordering::Acquire)
    }

    /// Leaves all games as they stand and ends the engines: the server stops.
    pub async fn close(&self) {
        if let Some(engines) = self.leave() {
            engines.ended().await;
        }
    }

    /// The same without waiting for their end; the engines, if there were any.
    pub(crate) fn leave(&self) -> Option<Arc<Engines>> {
        self.is_closed.store(true, Ordering::Release);
        let hands = std::mem::take(&mut *lock(&self.hands));
        hands.values().for_each(Hand::drop_it);
        let engines = lock(&self.engines).take()?;
        engines.stop();
        Some(engines)
    }
}
