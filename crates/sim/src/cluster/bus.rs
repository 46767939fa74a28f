//! The bus between the nodes: a hint, which may be lost, doubled, late or out of order.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use chess::Timestamp;
use chess::table::{PlayerId, Table};
use chess::tables::AnyTable;
use live::{Changed, Surroundings};
use store::{NodeId, TableId};

use crate::rng::Rng;
use crate::stage::Stage;

/// What a node put on the bus.
pub(crate) enum Sent {
    /// It made a change.
    Change(Arc<Heard>),
    /// When was that player last there?
    Question {
        table: TableId,
        player: PlayerId,
        answer: Box<dyn FnOnce(Option<Timestamp>) + Send>,
    },
}

/// A change that a node made.
pub(crate) struct Heard {
    pub(crate) table: TableId,
    pub(crate) version: u32,
    pub(crate) payload: Vec<u8>,
}

/// What a node puts around its live core: its rooms, and its end of the bus.
pub(crate) struct Around {
    pub(crate) node: NodeId,
    pub(crate) stage: Arc<Stage>,
    pub(crate) sent: Outbox,
}

/// What all nodes sent and nobody has carried yet.
#[derive(Clone, Default)]
pub(crate) struct Outbox(Arc<Mutex<Vec<(NodeId, Sent)>>>);

impl Outbox {
    pub(crate) fn take(&self) -> Vec<(NodeId, Sent)> {
        std::mem::take(&mut *self.lock())
    }

    fn lock(&self) -> MutexGuard<'_, Vec<(NodeId, Sent)>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Surroundings<AnyTable> for Around {
    fn changed(&self, id: TableId, change: &Changed<AnyTable>) {
        self.stage.changed(id, change);
        if !change.is_foreign && !change.payload.is_empty() {
            let heard = Heard {
                table: id,
                version: change.after.version(),
                payload: change.payload.clone(),
            };
            let sent = Sent::Change(Arc::new(heard));
            self.sent.lock().push((self.node, sent));
        }
    }

    fn came_in(&self, id: TableId, table: &AnyTable) {
        self.stage.came_in(id, table);
    }

    fn is_here(&self, id: TableId, player: PlayerId) -> bool {
        self.stage.is_here(id, player)
    }

    fn heard_of(&self, id: TableId, version: u32) {
        self.stage.rooms.found(id, version);
    }

    fn ask_around(
        &self,
        table: TableId,
        player: PlayerId,
        answer: Box<dyn FnOnce(Option<Timestamp>) + Send>,
    ) {
        let question = Sent::Question {
            table,
            player,
            answer,
        };
        self.sent.lock().push((self.node, question));
    }
}

/// How the bus is doing.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Mood {
    /// How much of what is sent is lost, in percent; all, if it is away.
    pub(crate) losses: u64,
    pub(crate) repeats: u64,
    /// How long it takes at most, in microseconds.
    pub(crate) slowest_us: u64,
}

impl Mood {
    pub(crate) fn random(rng: &mut Rng) -> Mood {
        Mood {
            losses: rng.pick(&[0, 0, 5, 30, 100]),
            repeats: rng.pick(&[0, 10, 50]),
            slowest_us: rng.pick(&[2_000, 20_000, 100_000, 3_000_000]),
        }
    }

    /// When the copies of a message arrive, counted from now.
    pub(crate) fn delays(self, rng: &mut Rng) -> Vec<u64> {
        if rng.percent(self.losses) {
            return Vec::new();
        }
        let copies = 1 + u64::from(rng.percent(self.repeats));
        (0..copies).map(|_| rng.below(self.slowest_us)).collect()
    }
}
