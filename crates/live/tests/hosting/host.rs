//! A live core on virtual time that hosts races, and what its callbacks said.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use chess::Timestamp;
use chess::table::{Actor, PlayerId, Table};
use live::{Failure, Handles, Limits, Live, Outcome, Submission};
use store::memory::Control;
use store::{Row, Store, TableId, Upkeep};

use crate::race::{Add, Race};

pub(crate) struct Host {
    pub(crate) live: Live<Race>,
    now: Arc<AtomicU64>,
}

pub(crate) fn player(number: u32) -> PlayerId {
    PlayerId::new(number).unwrap()
}

pub(crate) fn table(number: u64) -> TableId {
    TableId::from_number(number).unwrap()
}

impl Host {
    pub(crate) fn start(store: &Store, now: u64) -> Host {
        Host::start_with(store, now, Limits::default())
    }

    pub(crate) fn start_with(store: &Store, now: u64, limits: Limits) -> Host {
        let now = Arc::new(AtomicU64::new(now));
        let clock = Arc::clone(&now);
        let handles = Handles {
            store: store.clone(),
            now: Arc::new(move || Timestamp(clock.load(Ordering::SeqCst))),
            around: Arc::new(live::Nobody),
            member: None,
        };
        Host {
            live: at_once(Live::start(handles, limits)),
            now,
        }
    }

    pub(crate) fn at(&self, now: u64) -> &Host {
        self.now.store(now, Ordering::SeqCst);
        self.live.tick();
        self
    }

    pub(crate) fn create(&self, id: u64) -> Result<Arc<Race>, Failure> {
        let now = Timestamp(self.now.load(Ordering::SeqCst));
        told(|reply| {
            let race = Race::new(now, player(1), player(2));
            self.live
                .create(table(id), race, None, live::With::default(), reply);
        })
    }

    pub(crate) fn add(&self, id: u64, who: u32, n: u32) -> Result<Outcome<Race>, Failure> {
        let received = Timestamp(self.now.load(Ordering::SeqCst));
        let submission = Submission {
            who: Actor::Player(player(who)),
            command: Add::Points(n),
            received,
            with: live::With::default(),
        };
        told(|reply| self.live.submit(table(id), submission, reply))
    }

    pub(crate) fn total(&self, id: u64) -> Result<u32, Failure> {
        told(|reply| self.live.read(table(id), None, reply)).map(|race| race.table.total)
    }
}

/// What a callback was told; the memory store answers before the call returns.
pub(crate) fn told<V: Send + 'static>(
    ask: impl FnOnce(Box<dyn FnOnce(Result<V, Failure>) + Send>),
) -> Result<V, Failure> {
    let answer = Arc::new(Mutex::new(None));
    let slot = Arc::clone(&answer);
    ask(Box::new(move |result| *slot.lock().unwrap() = Some(result)));
    let result = answer.lock().unwrap().take();
    result.expect("the callback was called")
}

/// The value of a future that the store in memory completes at once.
pub(crate) fn at_once<V>(future: impl Future<Output = Result<V, store::Error>>) -> V {
    let waker = std::task::Waker::noop();
    match std::pin::pin!(future).poll(&mut std::task::Context::from_waker(waker)) {
        std::task::Poll::Ready(result) => result.unwrap(),
        std::task::Poll::Pending => panic!("the store in memory never waits"),
    }
}

/// A store in memory, with rows that are behind.
pub(crate) fn memory() -> (Store, Control) {
    Store::in_memory(Upkeep {
        fold_after: 4,
        to_row: Some(live::to_row::<Race>()),
        ..Upkeep::default()
    })
}

/// A race as the store keeps it.
pub(crate) fn row_of(table: TableId, race: &Race) -> Row {
    Row {
        table,
        kind: race.kind(),
        version: race.version(),
        history: race.encode().to_vec(),
        deadline: race.next_deadline(race.last_at()),
        join_code: None,
        summary: race.summary(),
        moves: Vec::new(),
    }
}

/// The store brings all rows up to date.
pub(crate) fn tidy(store: &Store) {
    store.tidy(Box::new(|result| result.unwrap()));
}
