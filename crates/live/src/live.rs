//! The one way in: submit a change, read a table, let time pass.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use chess::table::{Outage, PlayerId, Table};
use chess::{Millis, Timestamp};
use store::{Beat, Change, NodeId, Pulse, Store, TableId, shard_of};

use crate::every_move::EveryMove;
use crate::flight::InFlight;
use crate::gate::Gate;
use crate::member::{Member, Membership};
use crate::request::{Changed, Failure, Outcome, Reader, Reply, Request, Submission, View, With};
use crate::shard::{Effect, Shard, Sharing, Step};
use crate::sweep::Sweep;
use crate::timers::Timers;

/// What the outside world gives to the live core.
pub struct Handles<T: Table> {
    /// Where tables are durable.
    pub store: Store,
    /// The server's clock: never runs backwards.
    pub now: Arc<dyn Fn() -> Timestamp + Send + Sync>,
    /// Who is around the tables.
    pub around: Arc<dyn Surroundings<T>>,
    /// Which node this is, if several share the store.
    pub member: Option<Member>,
}

/// Who is around the tables: those who are told, and those who are there.
/// Asked and told under a table's lock, so neither may wait.
pub trait Surroundings<T: Table>: Send + Sync {
    /// A table has changed, durably: told in the order of the versions.
    fn changed(&self, id: TableId, change: &Changed<T>);

    /// A table was read from the store: somebody else may have changed it.
    fn came_in(&self, _: TableId, _: &T) {}

    /// Whether the player has a stream of the table open.
    fn is_here(&self, id: TableId, player: PlayerId) -> bool;

    /// A table has come to that version, of which those here may not know: another node
    /// changed it, and it is not in memory, or the store was asked.
    fn heard_of(&self, _: TableId, _version: u32) {}

    /// What this node heard with its heartbeat, which it sent at that moment.
    fn pulse(&self, _: &Beat, _: &Pulse, _: Timestamp) {}

    /// Asks all nodes when a player of a table was last there; `None` if not all
    /// of them answered. Called without a lock.
    fn ask_around(
        &self,
        _: TableId,
        _: PlayerId,
        answer: Box<dyn FnOnce(Option<Timestamp>) + Send>,
    ) {
        answer(Some(Timestamp::default()));
    }
}

/// Nobody is around: for tools, and for the simulator.
pub struct Nobody;

impl<T: Table> Surroundings<T> for Nobody {
    fn changed(&self, _: TableId, _: &Changed<T>) {}
    fn is_here(&self, _: TableId, _: PlayerId) -> bool {
        false
    }
}

/// Bounds; each is a setting.
#[derive(Clone, Debug)]
pub struct Limits {
    /// Requests that may wait for one table.
    pub queue_max: usize,
    /// Tables kept in memory; beyond it the longest unused go first.
    pub resident_max: usize,
    /// How long a table stays in memory without being used.
    pub idle: Millis,
    /// How far ahead deadlines are kept in memory; later ones only the store has.
    pub horizon: Millis,
    /// Rated games against the same opponent within a day; what is beyond changes
    /// no rating. Zero: as many as they like.
    pub rated_per_day: u32,
    /// Whose moves others want to be told of, also in games that do not take days. It may
    /// change at any time; a change made from then on goes by it.
    pub every_move: Arc<EveryMove>,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            queue_max: 64,
            resident_max: 1_000_000,
            idle: Millis::from_secs(600),
            horizon: Millis::from_secs(600),
            rated_per_day: 10,
            every_move: Arc::default(),
        }
    }
}

/// What the live core counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    /// Tables in memory.
    pub resident: usize,
    /// Tables with a deadline.
    pub armed: usize,
    /// Tables with a change in flight or on their way in.
    pub busy: usize,
    /// Tables that nobody can go on with.
    pub set_aside: usize,
    /// Changes made since the start.
    pub changes: u64,
    /// Commits that found the table changed by somebody else.
    pub conflicts: u64,
    /// Answers that were confirmed by a look at the version in the store.
    pub confirmations: u64,
    /// Deadlines that have come up since the start.
    pub deadlines: u64,
    /// How late the latest of them was noticed.
    pub latest_ms: u64,
    /// How often a table panicked.
    pub panics: u64,
    /// How often a table was left out of a list because it is damaged.
    pub unlisted: u64,
}

/// The live core: cheap to clone, safe to share.
pub struct Live<T: Table> {
    pub(crate) inner: Arc<Inner<T>>,
}

pub(crate) struct Inner<T: Table> {
    pub(crate) handles: Handles<T>,
    pub(crate) limits: Limits,
    pub(crate) gate: Gate,
    /// When a heartbeat was given to the store that has not been answered; or zero.
    pub(crate) heartbeat_since: AtomicU64,
    pub(crate) started: Timestamp,
    pub(crate) membership: Option<Membership>,
    shards: Box<[Mutex<Shard<T>>]>,
    pub(crate) timers: Mutex<Timers>,
    pub(crate) sweep: Mutex<Sweep>,
    confirmations: AtomicU64,
    changes: AtomicU64,
    conflicts: AtomicU64,
    deadlines: AtomicU64,
    latest_ms: AtomicU64,
    panics: AtomicU64,
    pub(crate) unlisted: AtomicU64,
}

impl<T: Table> Clone for Live<T> {
    fn clone(&self) -> Live<T> {
        Live {
            inner: Arc::clone(&self.inner),
        }
    }
}

/// Many, so that whoever looks at all tables holds up few at a time.
const SHARDS: usize = 256;

impl<T: Table> Live<T> {
    pub(crate) fn new(
        handles: Handles<T>,
        limits: Limits,
        outages: Vec<Outage>,
        membership: Option<Membership>,
    ) -> Live<T> {
        let started = (handles.now)();
        let inner = Inner {
            started,
            membership,
            handles,
            limits,
            gate: Gate::new(outages),
            heartbeat_since: AtomicU64::new(0),
            shards: (0..SHARDS).map(|_| Mutex::default()).collect(),
            timers: Mutex::default(),
            sweep: Mutex::default(),
            confirmations: AtomicU64::new(0),
            changes: AtomicU64::new(0),
            conflicts: AtomicU64::new(0),
            deadlines: AtomicU64::new(0),
            latest_ms: AtomicU64::new(0),
            panics: AtomicU64::new(0),
            unlisted: AtomicU64::new(0),
        };
        Live {
            inner: Arc::new(inner),
        }
    }

    /// Submits a command: the only way to change a table.
    pub fn submit(&self, id: TableId, submission: Submission<T>, reply: Reply<Outcome<T>>) {
        if self.is_closing() {
            return reply(Err(closing()));
        }
        self.request(id, Request::Submit { submission, reply });
    }

    /// Makes a new table. Nobody sees it before it is durable.
    pub fn create(
        &self,
        id: TableId,
        table: T,
        join_code: Option<&str>,
        with: With,
        reply: Reply<Arc<T>>,
    ) {
        if self.is_closing() {
            return reply(Err(closing()));
        }
        if self.refuses_since().is_some() || !self.is_current() {
            return reply(Err(Failure::Unavailable("the store fails".into())));
        }
        let asked = self.now();
        if !lock(self.shard(id)).expect(id) {
            return reply(Err(Failure::Taken));
        }
        let (change, flight) = InFlight::creation(id, table, join_code, with, asked, reply);
        let change = Change {
            node: self.node(),
            ..change
        };
        self.commit(change, flight);
    }

    /// Reads a table. A player who reads their own game has been seen.
    pub fn read(&self, id: TableId, viewer: Option<PlayerId>, reply: Reply<View<T>>) {
        self.read_as(id, Reader::Viewer(viewer), reply);
    }

    /// Reads a table as the store has it now, though other nodes may have changed
    /// it; nobody has been seen by it.
    pub fn read_newest(&self, id: TableId, reply: Reply<View<T>>) {
        self.read_as(id, Reader::Newest, reply);
    }

    fn read_as(&self, id: TableId, reader: Reader, reply: Reply<View<T>>) {
        let asked = self.now();
        let read = Request::Read {
            reader,
            asked,
            reply,
        };
        self.request(id, read);
    }

    /// The code by which a friend joins a waiting table.
    pub fn join_code(&self, id: TableId) -> Option<String> {
        lock(self.shard(id)).join_code(id)
    }

    /// Lets every table whose deadline has come look at its clock; not while
    /// no move can be made, for that time is given back.
    pub fn tick(&self) {
        if self.is_closing() {
            return;
        }
        self.notice_a_hang();
        if self.refuses_since().is_some() {
            return self.try_to_open();
        }
        if !self.is_current() {
            return;
        }
        let now = self.now();
        let due = lock(&self.inner.timers).due(now);
        for (id, deadline) in due {
            self.inner.deadlines.fetch_add(1, Ordering::Relaxed);
            let late = u64::from(now.since(deadline).0);
            self.inner.latest_ms.fetch_max(late, Ordering::Relaxed);
            self.request(id, Request::Tick { now, host: None });
        }
        self.sweep(now);
    }

    /// Refuses new work from now on; what is in hand is finished. For the
    /// players the server is down from here, or since this node was last heard of if
    /// that is long ago: that time is given back.
    pub fn close(&self) {
        let now = self.now();
        let membership = self.inner.membership.as_ref();
        let unheard = membership.and_then(|membership| membership.unheard_since(now));
        self.inner.gate.close(unheard.unwrap_or(now));
    }

    /// Whether new work is refused.
    pub fn is_closing(&self) -> bool {
        self.inner.gate.closed_since().is_some()
    }

    /// The tables that nobody can go on with, and why: what was acknowledged is
    /// not in the store, or what is there is no table.
    pub fn set_aside(&self) -> Vec<(TableId, String)> {
        let mut aside: Vec<(TableId, String)> = Vec::new();
        for shard in self.shards() {
            let shard = lock(shard);
            aside.extend(shard.aside().map(|(id, why)| (id, why.to_owned())));
        }
        aside.sort_unstable();
        aside
    }

    /// What there is to count.
    pub fn stats(&self) -> Stats {
        let mut stats = Stats {
            armed: lock(&self.inner.timers).len(),
            changes: self.inner.changes.load(Ordering::Relaxed),
            conflicts: self.inner.conflicts.load(Ordering::Relaxed),
            confirmations: self.inner.confirmations.load(Ordering::Relaxed),
            deadlines: self.inner.deadlines.load(Ordering::Relaxed),
            latest_ms: self.inner.latest_ms.load(Ordering::Relaxed),
            panics: self.inner.panics.load(Ordering::Relaxed),
            unlisted: self.inner.unlisted.load(Ordering::Relaxed),
            ..Stats::default()
        };
        for shard in self.shards() {
            let shard = lock(shard);
            stats.resident += shard.len();
            stats.busy += shard.busy();
            stats.set_aside += shard.aside().count();
        }
        stats
    }

    /// Who this is among the nodes.
    pub(crate) fn node(&self) -> NodeId {
        let membership = self.inner.membership.as_ref();
        membership.map_or(NodeId::ALONE, |membership| membership.member.node)
    }

    /// How late it is for the games.
    pub fn now(&self) -> Timestamp {
        (self.inner.handles.now)()
    }

    pub(crate) fn shards(&self) -> &[Mutex<Shard<T>>] {
        &self.inner.shards
    }

    pub(crate) fn shard(&self, id: TableId) -> &Mutex<Shard<T>> {
        &self.inner.shards[shard_of(id, SHARDS)]
    }

    pub(crate) fn request(&self, id: TableId, request: Request<T>) {
        self.step(id, |shard, step| shard.request(request, step));
    }

    /// Thinks under the shard's lock, then lets the effects happen outside of it. A
    /// table that panics costs nobody else anything, nor itself its deadline.
    pub(crate) fn step(&self, id: TableId, think: impl FnOnce(&mut Shard<T>, &mut Step<'_, T>)) {
        let mut effects = Vec::new();
        let mut step = Step {
            id,
            now: self.now(),
            limits: &self.inner.limits,
            around: &*self.inner.handles.around,
            gate: &self.inner.gate,
            sharing: self.sharing(),
            deadline: None,
            effects: &mut effects,
        };
        let mut shard = lock(self.shard(id));
        if catch_unwind(AssertUnwindSafe(|| think(&mut shard, &mut step))).is_err() {
            self.inner.panics.fetch_add(1, Ordering::Relaxed);
            tracing::error!(table = %id, "thinking about a table panicked");
            shard.panicked(&mut step);
        }
        // Still under the lock, so that no older deadline comes after a newer one.
        if let Some(deadline) = step.deadline {
            let delay = step
                .sharing
                .map_or(Millis::ZERO, |sharing| sharing.flag_delay);
            self.arm(id, deadline.map(|deadline| deadline + delay), step.now);
        }
        drop(shard);
        self.run(effects);
    }

    /// What a table must know of there being other nodes.
    fn sharing(&self) -> Option<Sharing> {
        let membership = self.inner.membership.as_ref()?;
        Some(Sharing {
            node: membership.member.node,
            flag_delay: membership.member.flag_delay,
            is_current: membership.is_current(),
        })
    }

    fn run(&self, effects: Vec<Effect<T>>) {
        for effect in effects {
            match effect {
                Effect::Answer(reply, outcome) => reply(Ok(outcome)),
                Effect::Show(reply, table) => reply(Ok(table)),
                Effect::View(reply, view) => reply(Ok(view)),
                Effect::Fail(request, failure) => request.fail(failure),
                Effect::Lose(flight, failure) => flight.fail(failure),
                Effect::Load(id) => self.load(id),
                Effect::Commit(change, flight) => self.commit(change, *flight),
                Effect::Confirm(id) => self.confirm(id),
                Effect::AskAround(id, host) => self.ask_around(id, host),
            }
        }
    }

    /// Asks the store which version a table has, before anything is answered from
    /// memory alone.
    fn confirm(&self, id: TableId) {
        self.inner.confirmations.fetch_add(1, Ordering::Relaxed);
        let live = self.clone();
        let asked = self.now();
        self.inner.handles.store.confirm(
            id,
            Box::new(move |found| {
                if matches!(found, Err(store::Error::Unavailable(_))) && !live.is_closing() {
                    live.store_failed(asked);
                }
                live.step(id, |shard, step| shard.confirmed(found, asked, step));
            }),
        );
    }

    fn commit(&self, change: Change, flight: InFlight<T>) {
        let live = self.clone();
        let id = change.table;
        self.inner.handles.store.commit(
            change,
            Box::new(move |result| {
                match &result {
                    Ok(()) => {
                        live.store_took(flight.asked);
                        live.inner.changes.fetch_add(1, Ordering::Relaxed);
                    }
                    Err(error) => live.commit_failed(id, flight.asked, error),
                }
                live.step(id, |shard, step| shard.committed(flight, result, step));
            }),
        );
    }

    /// A change was not made; from now on its table's truth is in the store alone.
    fn commit_failed(&self, id: TableId, asked: Timestamp, error: &store::Error) {
        if *error == store::Error::Conflict {
            self.inner.conflicts.fetch_add(1, Ordering::Relaxed);
        } else {
            tracing::error!(table = %id, %error, "a change could not be committed");
        }
        if matches!(error, store::Error::Unavailable(_)) && !self.is_closing() {
            self.store_failed(asked);
        }
    }
}

fn closing() -> Failure {
    Failure::Unavailable("the server is stopping".into())
}

/// A panic while thinking leaves a shard as it was before or after a whole
/// step's worth of map operations; refusing to serve it would lose more.
pub(crate) fn lock<V>(mutex: &Mutex<V>) -> MutexGuard<'_, V> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
