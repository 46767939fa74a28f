//! One node: the real live core over the model store, on virtual time.

use std::future::Future;
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::task::{Context, Poll, Waker};

use chess::game::Game;
use chess::table::{Outage, PlayerId};
use chess::tables::{AnyTable, Hosted};
use chess::{Millis, Timestamp};
use live::{Failure, Handles, Limits, Live, Mutant, Submission, View};
use store::memory::{Control, Fate};
use store::{Remembered, Store, TableId, Upkeep};

use crate::mail::{Inbox, Letter, Ticket};
use crate::rng::Rng;
use crate::stage::Stage;
use crate::turns::Interleaving;

/// When every simulation begins.
const BEGINNING: u64 = 1_700_000_000_000;

/// What is under way at one moment has come to its end after so many rounds of
/// the disk: no queue is longer, and nothing tries again without a pause.
const ROUNDS_MAX: usize = 1_000;

pub(crate) struct Node {
    pub(crate) control: Control,
    pub(crate) store: Store,
    pub(crate) live: Live<AnyTable>,
    pub(crate) inbox: Inbox,
    pub(crate) limits: Limits,
    pub(crate) stage: Arc<Stage>,
    sizes: Sizes,
    clock: Arc<AtomicU64>,
}

impl Node {
    /// A new node over an empty store.
    pub(crate) fn new(
        limits: Limits,
        upkeep: Upkeep,
        sizes: Sizes,
        interleaving: &Interleaving,
    ) -> Node {
        let (store, control) = Store::in_memory(upkeep);
        if Mutant::LostMoves.is_chosen() || Mutant::LostMovesNoticed.is_chosen() {
            control.lose_journal();
        }
        control.set_manual(true);
        control.set_turns(Some(interleaving.turns()));
        let clock = Arc::new(AtomicU64::new(BEGINNING));
        let stage = sizes.stage();
        let live = start(&store, &control, &clock, &limits, &stage);
        Node {
            control,
            store,
            live,
            inbox: Inbox::default(),
            limits,
            stage,
            sizes,
            clock,
        }
    }

    pub(crate) fn now(&self) -> Timestamp {
        Timestamp(self.clock.load(Ordering::SeqCst))
    }

    pub(crate) fn set_now(&self, now: Timestamp) {
        self.clock.store(now.0, Ordering::SeqCst);
    }

    /// The process dies at once. Of the writes that wait, the first `synced`
    /// have reached the disk, though nobody will hear of it. The store is as a
    /// new process finds it; the old one's callbacks reach nobody.
    pub(crate) fn die(&mut self, synced: usize) {
        self.inbox = Inbox::default();
        if synced > 0 {
            self.control.fail_next_batch(synced, Fate::Applied);
        }
        self.store = self.control.crash();
    }

    /// A new process starts. What it will take for the time nobody was there.
    pub(crate) fn rise(&mut self) -> Option<Outage> {
        let now = self.now();
        let past = at_once(self.store.past());
        let outage = past.alive_at.filter(|alive| *alive < now);
        self.stage = self.sizes.stage();
        let Node { store, control, .. } = self;
        self.live = start(store, control, &self.clock, &self.limits, &self.stage);
        outage.map(|down_since| Outage {
            down_since,
            up_at: now,
        })
    }

    /// Lets everything that waits for the disk happen, and what follows from
    /// it; on a full disk all writes fail. Whether there is an end to it.
    pub(crate) fn drain(&self, is_full: bool, rng: &mut Rng) -> bool {
        for _ in 0..ROUNDS_MAX {
            let mut done = if is_full {
                self.control.fail_next_batch(usize::MAX, Fate::Lost)
            } else {
                self.control.complete_next_batch(usize::MAX)
            };
            while self.control.pending_loads() > 0 {
                let index = rng.below(self.control.pending_loads() as u64);
                done += usize::from(self.control.complete_load(index as usize));
            }
            if done == 0 {
                return true;
            }
        }
        false
    }

    pub(crate) fn create(
        &self,
        id: TableId,
        game: Game,
        code: Option<&str>,
        remember: Option<Remembered>,
        ticket: Ticket,
    ) {
        let reply = self.inbox.reply(ticket, Letter::table);
        self.live
            .create(id, game.into(), code, remember.into(), reply);
    }

    pub(crate) fn submit(&self, id: TableId, submission: Submission<Game>, ticket: Ticket) {
        let reply = self.inbox.reply(ticket, Letter::outcome);
        let submission = Submission {
            who: submission.who,
            command: Game::asked(submission.command),
            received: submission.received,
            with: submission.with,
        };
        self.live.submit(id, submission, reply);
    }

    pub(crate) fn read(&self, id: TableId, viewer: Option<PlayerId>, ticket: Ticket) {
        let reply = self
            .inbox
            .reply(ticket, |view: View<AnyTable>| Letter::table(view.table));
        self.live.read(id, viewer, reply);
    }

    /// What a server does every half a minute, and what its store does.
    pub(crate) fn keep_up(&self, rows: usize, ticket: Ticket) {
        let reply = self.inbox.reply(ticket, |()| Letter::Folded);
        self.live.note_alive();
        self.live.retry_set_aside();
        self.control.set_fold_rows(rows);
        self.store
            .tidy(Box::new(|result| reply(result.map_err(Failure::from))));
    }
}

fn start(
    store: &Store,
    control: &Control,
    clock: &Arc<AtomicU64>,
    limits: &Limits,
    stage: &Arc<Stage>,
) -> Live<AnyTable> {
    let clock = Arc::clone(clock);
    let control = control.clone();
    let now = move || {
        // A look at the clock is where another thread may come first.
        control.turn();
        Timestamp(clock.load(Ordering::SeqCst))
    };
    let handles = Handles {
        store: store.clone(),
        now: Arc::new(now),
        around: Arc::<Stage>::clone(stage),
        member: None,
    };
    at_once(Live::start(handles, limits.clone()))
}

/// What the rooms' queues hold.
#[derive(Clone, Copy)]
pub(crate) struct Sizes {
    lane: usize,
    bus: usize,
}

impl Sizes {
    pub(crate) fn random(rng: &mut Rng) -> Sizes {
        Sizes {
            lane: rng.pick(&[2, 4, 64]),
            bus: rng.pick(&[1, 3, 100]),
        }
    }

    fn stage(self) -> Arc<Stage> {
        Arc::new(Stage::new(self.lane, self.bus))
    }
}

/// Bounds of every size, so that all of them are met.
pub(crate) fn random_limits(rng: &mut Rng) -> Limits {
    Limits {
        queue_max: rng.pick(&[1, 2, 3, 8, 64]),
        resident_max: rng.pick(&[0, 1, 2, 4, 1_000]),
        idle: rng.pick(&[Millis(50), Millis::from_secs(2), Millis::from_secs(600)]),
        horizon: rng.pick(&[Millis::from_secs(5), Millis::from_secs(600)]),
        ..Limits::default()
    }
}

pub(crate) fn random_upkeep(rng: &mut Rng) -> Upkeep {
    Upkeep {
        fold_after: rng.pick(&[1, 2, 5, 64]),
        to_row: Some(live::to_row::<AnyTable>()),
        ..Upkeep::default()
    }
}

/// The value of a future that the store in memory completes at once.
pub(crate) fn at_once<T>(future: impl Future<Output = Result<T, store::Error>>) -> T {
    ready(future).expect("the store is open")
}

/// The same over a line, which may be down.
pub(crate) fn ready<T>(future: impl Future<Output = T>) -> T {
    let polled = pin!(future).poll(&mut Context::from_waker(Waker::noop()));
    match polled {
        Poll::Ready(value) => value,
        Poll::Pending => unreachable!("the store in memory never waits"),
    }
}
