//! News of games with days per move, for whoever looks after them: that one began, or was
//! read from the store. Told under a table's lock, so nobody waits; what finds no room is
//! found by the next look at all of them.

use std::sync::atomic::{AtomicU64, Ordering};

use chess::game::{Game, Phase};
use chess::tables::AnyTable;
use store::TableId;
use tokio::sync::mpsc::{Receiver, Sender, channel};
use tokio::sync::{Mutex, MutexGuard};

use super::Rooms;

/// News that may wait.
const QUEUE: usize = 100_000;

/// What was heard of a game with days per move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Heard {
    /// It has begun.
    Began(TableId),
    /// It was read from the store: something may have been left undone.
    CameIn(TableId),
}

/// The way to whoever looks after slow games.
pub struct Slow {
    queue: Sender<Heard>,
    waiting: Mutex<Receiver<Heard>>,
    recording: Mutex<()>,
    played: AtomicU64,
}

impl Default for Slow {
    fn default() -> Slow {
        let (queue, waiting) = channel(QUEUE);
        Slow {
            queue,
            waiting: Mutex::new(waiting),
            recording: Mutex::default(),
            played: AtomicU64::new(0),
        }
    }
}

impl Slow {
    /// The other end: for the one who looks after them.
    pub async fn listen(&self) -> MutexGuard<'_, Receiver<Heard>> {
        self.waiting.lock().await
    }

    /// Waits until nobody else records vacations.
    pub async fn recording(&self) -> MutexGuard<'_, ()> {
        self.recording.lock().await
    }

    /// A conditional move was played.
    pub fn count_played(&self) {
        self.played.fetch_add(1, Ordering::Relaxed);
    }

    /// How many were played since the start.
    pub fn played(&self) -> u64 {
        self.played.load(Ordering::Relaxed)
    }

    fn tell(&self, heard: Heard) {
        if self.queue.try_send(heard).is_err() {
            tracing::debug!(?heard, "is found later");
        }
    }
}

impl Rooms {
    /// News of slow games.
    pub fn slow(&self) -> &Slow {
        &self.0.slow
    }

    /// A table has changed here.
    pub(super) fn slow_changed(&self, id: TableId, before: Option<&Game>, after: &Game) {
        let is_active = |game: &Game| game.phase() == Phase::Active;
        if after.terms().control.is_by_days() && is_active(after) && !before.is_some_and(is_active)
        {
            self.slow().tell(Heard::Began(id));
            // Also when it goes on after a pause: an answer may have waited.
            self.slow().tell(Heard::CameIn(id));
        }
    }

    /// A table was read from the store.
    pub(super) fn slow_came_in(&self, id: TableId, table: &AnyTable) {
        if let Some(game) = table.chess()
            && game.terms().control.is_by_days()
            && game.phase() == Phase::Active
        {
            self.slow().tell(Heard::CameIn(id));
        }
    }
}
