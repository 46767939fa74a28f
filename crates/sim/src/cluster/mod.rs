//! Several nodes over one store: the simulator's second half.
//!
//! - `node`, `clock`, `wire`, `bus`: what each has, and what is between them.
//! - `traffic`: what goes over the lines and the bus as time passes.
//! - `weather`: deaths, stops, stalls, partitions, a store that is away.
//! - `requests`, `claims`: players who ask at any node, and again elsewhere.
//! - `watch`: what must hold at every moment, by the store's own log.

pub(crate) mod bus;
mod claims;
pub(crate) mod clock;
pub(crate) mod node;
mod requests;
mod traffic;
mod watch;
mod weather;
pub(crate) mod wire;

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use chess::game::{Command, Game};
use chess::table::{Actor, PlayerId};
use chess::{Millis, Timestamp};
use live::{Limits, Mutant};
use store::memory::Control;
use store::{Store, TableId, Upkeep};

use self::bus::{Mood, Outbox};
use self::claims::Claims;
use self::clock::Truth;
use self::node::Node;
use self::traffic::Delivery;
use self::watch::Watch;
use self::weather::Habits;
use crate::audience::{Audience, Venue};
use crate::book::{Book, SharedBook};
use crate::clients::Clients;
use crate::mail::Ticket;
use crate::rng::Rng;
use crate::rules::Checked;
use crate::run::{Broken, Options, Report};
use crate::stage::Stage;

/// When every simulation begins, in microseconds.
pub(crate) const BEGINNING_US: u64 = 1_700_000_000_000_000;

/// Everybody knows everything after so many rounds in which nothing else happens.
const ROUNDS_MAX: usize = 60;

/// Runs a seed of several nodes to its end.
///
/// # Errors
/// [`Broken`] says which invariant broke, and when.
pub(crate) fn run_cluster(options: Options) -> Result<Report, Box<Broken>> {
    let mut cluster = Cluster::new(options);
    let mut result = Ok(());
    for _ in 0..options.steps {
        result = cluster.step();
        if result.is_err() {
            break;
        }
    }
    let result = result.and_then(|()| cluster.finish());
    for index in 0..cluster.seats.len() {
        cluster.cut(index);
    }
    match result {
        Ok(()) => Ok(Report {
            counts: cluster.book.counts,
            virtual_ms: (cluster.now_us() - BEGINNING_US) / 1_000,
            digest: cluster.digest,
        }),
        Err(violation) => Err(Box::new(Broken {
            options,
            step: cluster.book.step,
            violation,
        })),
    }
}

/// Everything there is in one simulation.
pub(crate) struct Cluster {
    options: Options,
    rng: Rng,
    truth: Truth,
    control: Control,
    /// The store as it is, however badly nodes reach it.
    store: Store,
    limits: Limits,
    seats: Vec<Seat>,
    outbox: Outbox,
    deliveries: Vec<Delivery>,
    claims: Claims,
    bus: Mood,
    book: Book,
    watch: Watch,
    clients: Clients,
    habits: Habits,
    /// Commands that somebody will send again, elsewhere.
    again: Vec<(TableId, Actor, Command)>,
    digest: u64,
}

/// The place of a node: who is there, or when the next one is.
struct Seat {
    node: Option<Node>,
    rises_at: u64,
}

impl Cluster {
    fn new(options: Options) -> Cluster {
        let mut rng = Rng::new(options.seed ^ 0x00c1_057e_0000_0000);
        // A shared store has no journal: every change is the table's row.
        let upkeep = Upkeep {
            fold_after: 1,
            to_row: Some(live::to_row::<chess::tables::AnyTable>()),
            ..Upkeep::default()
        };
        let (store, control) = Store::in_memory(upkeep);
        control.share();
        if Mutant::NoVersionCondition.is_chosen() {
            control.ignore_versions();
        }
        control.set_clock(BEGINNING_US);
        let limits = Limits {
            queue_max: 64,
            resident_max: rng.pick(&[2, 1_000, 1_000, 1_000]),
            idle: Millis::from_secs(600),
            ..Limits::default()
        };
        let many = rng.within(2, 4);
        let book = Book {
            queue_max: limits.queue_max,
            keeps_tables: limits.resident_max >= 1_000,
            shared: Some(SharedBook::default()),
            ..Book::default()
        };
        Cluster {
            truth: Arc::new(AtomicU64::new(BEGINNING_US)),
            seats: (0..many)
                .map(|n| Seat {
                    node: None,
                    rises_at: BEGINNING_US + n * 50_000,
                })
                .collect(),
            outbox: Outbox::default(),
            deliveries: Vec::new(),
            claims: Claims::default(),
            bus: Mood::random(&mut rng),
            watch: Watch::new(BEGINNING_US),
            clients: Clients::new(rng.pick(&[1, 2, 4, 8])),
            habits: Habits::random(&mut rng),
            again: Vec::new(),
            digest: 0xcbf2_9ce4_8422_2325,
            options,
            rng,
            control,
            store,
            limits,
            book,
        }
    }

    fn now_us(&self) -> u64 {
        self.truth.load(Ordering::SeqCst)
    }

    /// The true time.
    fn now(&self) -> Timestamp {
        Timestamp(self.now_us() / 1_000)
    }

    /// The nodes that can be asked something.
    fn open(&self) -> Vec<usize> {
        let now_us = self.now_us();
        let is_open = |index: &usize| {
            let node = self.seats[*index].node.as_ref();
            node.is_some_and(|node| node.live().is_some() && !node.is_stalled(now_us))
        };
        (0..self.seats.len()).filter(is_open).collect()
    }

    /// Lets those at a node act, if it can be asked something.
    fn audience<R>(
        &mut self,
        index: usize,
        act: impl FnOnce(&mut Audience, &mut Place<'_>) -> R,
    ) -> Option<R> {
        let node = self.seats[index].node.as_mut()?;
        let mut audience = std::mem::take(&mut node.audience);
        let mut place = Place {
            cluster: self,
            index,
        };
        let result = act(&mut audience, &mut place);
        self.seats[index].node.as_mut()?.audience = audience;
        Some(result)
    }

    /// Adds what somebody was told to the digest (FNV-1a).
    fn note(&mut self, ticket: Ticket, told: &str) {
        let now = self.now().0;
        let bytes = ticket.to_le_bytes().into_iter().chain(now.to_le_bytes());
        for byte in bytes.chain(told.bytes()) {
            self.digest = (self.digest ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }

    /// Prints a line of the trace.
    fn say(&self, what: impl FnOnce() -> String) {
        if self.options.trace {
            let (step, now) = (self.book.step, self.now().0 - BEGINNING_US / 1_000);
            println!("{step:>6} {now:>8} {}", what());
        }
    }

    /// The end of a run: once everything works, everybody knows everything, every
    /// flag has fallen, and nothing stays unanswered.
    fn finish(&mut self) -> Checked {
        self.book.step += 1;
        self.be_calm();
        let a_while = self.rng.pick(&[0, 0, 15, 70]);
        self.pass(Millis::from_secs(9 + a_while))?;
        let ids: Vec<TableId> = self.book.tables.keys().copied().collect();
        for id in ids {
            let viewer = self.book.known(id).map(|game| game.creator());
            self.read_somewhere(id, viewer);
        }
        self.pass(Millis::from_secs(3))?;
        self.nothing_is_open()?;
        self.outages_were_written()?;
        // Flags may fall to the last: what is lost of that on the bus is told soon.
        for _ in 0..ROUNDS_MAX {
            if self.watch.is_quiet(self.now_us()) {
                break;
            }
            self.pass(Millis::from_secs(1))?;
        }
        // What may be known by now is told.
        for _ in 0..ROUNDS_MAX {
            self.moment()?;
        }
        for index in 0..self.seats.len() {
            let known = self.audience(index, |audience, place| audience.all_know(place));
            known.unwrap_or(Ok(()))?;
        }
        Ok(())
    }
}

/// A node, as those see it who watch there.
struct Place<'a> {
    cluster: &'a mut Cluster,
    index: usize,
}

impl Place<'_> {
    fn node(&self) -> &Node {
        let node = self.cluster.seats[self.index].node.as_ref();
        node.expect("those who watch are at a node that is there")
    }
}

impl Venue for Place<'_> {
    fn stage(&self) -> Arc<Stage> {
        Arc::clone(&self.node().stage)
    }

    fn now(&self) -> Timestamp {
        self.node().clock.now()
    }

    fn look(&mut self, table: TableId, viewer: Option<PlayerId>) -> Ticket {
        self.cluster.read(self.index, table, viewer)
    }

    fn look_newest(&mut self, table: TableId) -> Ticket {
        self.cluster.read_newest(self.index, table)
    }

    fn left(&mut self, table: TableId, player: PlayerId) {
        if let Some(live) = self.node().live() {
            live.left(table, player);
        }
    }

    fn knows_hosts(&self) -> bool {
        true
    }

    fn known(&self, table: TableId) -> Option<Arc<Game>> {
        self.cluster.book.known(table).cloned()
    }

    fn say(&self, what: &dyn Fn() -> String) {
        self.cluster.say(what);
    }
}

/// When each version of each table became durable, in microseconds.
type Commits = BTreeMap<TableId, Vec<u64>>;
