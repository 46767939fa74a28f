//! The tables in memory and the requests that wait for them.
//!
//! Everything here happens under one lock and only thinks; what must happen
//! outside of it is returned as [`Effect`]s.

use std::collections::VecDeque;
use std::sync::Arc;

use chess::table::{PlayerId, Table};
use chess::{Millis, Timestamp};
use store::{Change, IdMap, Stored, TableId};

use crate::absent::Absent;
use crate::gate::Gate;
use crate::live::{Limits, Surroundings};
use crate::mutant::Mutant;
use crate::request::{Failure, Outcome, Reply, Request};
use crate::seat::{InFlight, Seat, Unfolded};

/// How long a table that could not be loaded or changed is left alone.
pub(crate) const RETRY_AFTER: Millis = Millis::from_secs(1);

pub(crate) struct Shard<T: Table> {
    slots: IdMap<TableId, Slot<T>>,
    absent: Absent,
}

enum Slot<T: Table> {
    /// Not here yet: on its way from the store, or not durable yet. Few are:
    /// half a million others need not have room for a queue.
    #[expect(clippy::box_collection, reason = "it halves the size of a slot")]
    Coming(Box<VecDeque<Request<T>>>),
    Here(Box<Seat<T>>),
    /// Nobody can go on with it: why.
    Aside(Box<str>),
}

/// What must happen once the lock is released.
pub(crate) enum Effect<T: Table> {
    Answer(Reply<Outcome<T>>, Outcome<T>),
    Show(Reply<Arc<T>>, Arc<T>),
    Fail(Request<T>, Failure),
    Lose(Box<InFlight<T>>, Failure),
    Commit(Change, Box<InFlight<T>>),
    Load {
        id: TableId,
        /// Whether its last changes may be in the journal alone.
        is_unread: bool,
    },
}

/// What every step needs to know, and where its effects go.
pub(crate) struct Step<'a, T: Table> {
    pub(crate) id: TableId,
    pub(crate) now: Timestamp,
    pub(crate) limits: &'a Limits,
    pub(crate) around: &'a dyn Surroundings<T>,
    pub(crate) gate: &'a Gate,
    /// The table's deadline, or that it has none, if the step set it.
    pub(crate) deadline: Option<Option<Timestamp>>,
    pub(crate) effects: &'a mut Vec<Effect<T>>,
}

impl<T: Table> Default for Shard<T> {
    fn default() -> Self {
        Shard {
            slots: IdMap::default(),
            absent: Absent::default(),
        }
    }
}

impl<T: Table> Shard<T> {
    /// Takes in a request: answers it, decides it, or lets it wait.
    pub(crate) fn request(&mut self, request: Request<T>, step: &mut Step<'_, T>) {
        match self.slots.get_mut(&step.id) {
            None => self.fetch(VecDeque::from([request]), step),
            Some(Slot::Coming(waiting)) => enqueue(waiting, request, step),
            Some(Slot::Here(seat)) => seat.request(request, step),
            Some(Slot::Aside(why)) => {
                let failure = Failure::Corrupt(why.to_string());
                step.effects.push(Effect::Fail(request, failure));
            }
        }
    }

    /// Asks the store for the table; these wait for it.
    fn fetch(&mut self, waiting: VecDeque<Request<T>>, step: &mut Step<'_, T>) {
        self.slots.insert(step.id, Slot::Coming(Box::new(waiting)));
        let is_unread = self.absent.of(step.id).is_unread;
        let id = step.id;
        step.effects.push(Effect::Load { id, is_unread });
    }

    /// Notes what the journal has of a table that is not here.
    pub(crate) fn found_in_journal(&mut self, id: TableId, version: u32) {
        self.absent.unread(id, version);
    }

    /// The tables that are not here though the journal may have changes of
    /// theirs, and those set aside: perhaps they can be read by now.
    pub(crate) fn unread(&self) -> impl Iterator<Item = TableId> {
        self.absent
            .all_unread()
            .chain(self.aside().map(|(id, _)| id))
    }

    /// Fetches such a table, unless it is on its way.
    pub(crate) fn fetch_unread(&mut self, step: &mut Step<'_, T>) {
        if matches!(self.slots.get(&step.id), None | Some(Slot::Aside(_))) {
            self.fetch(VecDeque::new(), step);
        }
    }

    /// The tables that nobody can go on with, and why.
    pub(crate) fn aside(&self) -> impl Iterator<Item = (TableId, &str)> {
        self.slots.iter().filter_map(|(id, slot)| match slot {
            Slot::Aside(why) => Some((*id, &**why)),
            Slot::Coming(_) | Slot::Here(_) => None,
        })
    }

    fn set_aside(&mut self, id: TableId, why: &str) {
        tracing::error!(table = %id, why, "a table is set aside: nobody can go on with it");
        self.slots.insert(id, Slot::Aside(why.into()));
    }

    /// Reserves the place of a table that is about to come; `false` if there is one already.
    pub(crate) fn expect(&mut self, id: TableId) -> bool {
        let absent = !self.slots.contains_key(&id);
        if absent {
            self.slots.insert(id, Slot::Coming(Box::default()));
        }
        absent
    }

    /// A table has come from the store.
    pub(crate) fn arrived(
        &mut self,
        loaded: Loaded<T>,
        started: Timestamp,
        step: &mut Step<'_, T>,
    ) {
        let Some(Slot::Coming(waiting)) = self.slots.remove(&step.id) else {
            return;
        };
        match self.as_acknowledged(step.id, loaded) {
            Ok(Some((table, stored))) => {
                // Together with being here, under one lock: what is submitted
                // next may fail at once, and make it unread again.
                if !is_forgotten_late() {
                    self.absent.came(step.id);
                }
                let mut seat = Seat::loaded(table, stored, started, step.now);
                seat.settle(*waiting, step);
                self.slots.insert(step.id, Slot::Here(Box::new(seat)));
            }
            Ok(None) => fail_all(*waiting, &Failure::NotFound, step),
            Err(failure) => {
                match &failure {
                    // Its clock may be running, so it is looked at again soon.
                    Failure::Unavailable(_) => {
                        step.deadline = Some(Some(step.now + RETRY_AFTER));
                    }
                    Failure::Corrupt(why) => {
                        // What its row lacks may be in the journal.
                        self.absent.unread(step.id, 0);
                        self.set_aside(step.id, why);
                    }
                    Failure::NotFound | Failure::Taken | Failure::Busy => {}
                }
                fail_all(*waiting, &failure, step);
            }
        }
    }

    /// What was loaded, unless it is older than what somebody was told of.
    fn as_acknowledged(&self, id: TableId, loaded: Loaded<T>) -> Loaded<T> {
        let acknowledged = self.absent.of(id).acknowledged;
        let found = match &loaded {
            Ok(Some((_, stored))) => stored.version,
            Ok(None) => 0,
            Err(_) => return loaded,
        };
        if found >= acknowledged || Mutant::LostMoves.is_chosen() {
            return loaded;
        }
        Err(Failure::Corrupt(format!(
            "the store has version {found}, but version {acknowledged} was acknowledged"
        )))
    }

    #[cfg(feature = "mutants")]
    pub(crate) fn forget_late(&mut self, id: TableId) {
        if is_forgotten_late() {
            self.absent.forget_unread(id);
        }
    }

    /// A change is durable, or has failed.
    pub(crate) fn committed(
        &mut self,
        flight: InFlight<T>,
        result: Result<(), Failure>,
        step: &mut Step<'_, T>,
    ) {
        match (self.slots.get_mut(&step.id), result) {
            (Some(Slot::Here(seat)), Ok(())) => seat.apply(flight, step),
            (Some(Slot::Coming(waiting)), Ok(())) => {
                let waiting = std::mem::take(waiting);
                let mut seat = Seat::created(&flight, step.now);
                seat.apply(flight, step);
                seat.wait_more(*waiting, step);
                self.slots.insert(step.id, Slot::Here(Box::new(seat)));
            }
            (_, Err(failure)) => self.lost(flight, failure, step),
            (Some(Slot::Aside(_)) | None, Ok(())) => {
                unreachable!("a table with a change in flight stays")
            }
        }
    }

    /// A commit failed, or its outcome is unknown: what is in memory is worth
    /// nothing, and the table is read again: it may have a deadline. What waited
    /// is decided on what the store has. If nothing can be decided, or all that
    /// failed was its creation, it is looked at again soon.
    fn lost(&mut self, flight: InFlight<T>, failure: Failure, step: &mut Step<'_, T>) {
        let waiting = match self.slots.remove(&step.id) {
            Some(Slot::Here(seat)) => {
                // Whatever its row lacks, the change in doubt too, may be in
                // the journal alone.
                self.absent.unread(step.id, seat.version());
                seat.into_waiting()
            }
            Some(Slot::Coming(waiting)) => *waiting,
            Some(Slot::Aside(_)) | None => VecDeque::new(),
        };
        let is_hopeless = flight.comes_first()
            || (flight.is_creation() && waiting.is_empty())
            || matches!(failure, Failure::Corrupt(_));
        let told = Effect::Lose(Box::new(flight), failure.clone());
        step.effects.push(told);
        if is_hopeless {
            step.deadline = Some(Some(step.now + RETRY_AFTER));
            fail_all(waiting, &failure, step);
        } else {
            self.fetch(waiting, step);
        }
    }

    /// When a player of the table last made a request, and when they last
    /// closed their last stream, if the table is here.
    pub(crate) fn seen(&self, id: TableId, player: PlayerId) -> Option<(Timestamp, Timestamp)> {
        match self.slots.get(&id)? {
            Slot::Here(seat) => seat.seen(player),
            Slot::Coming(_) | Slot::Aside(_) => None,
        }
    }

    /// The code by which a friend joins, if the table is here and waits.
    pub(crate) fn join_code(&self, id: TableId) -> Option<String> {
        match self.slots.get(&id)? {
            Slot::Here(seat) => seat.join_code(),
            Slot::Coming(_) | Slot::Aside(_) => None,
        }
    }

    /// The tables whose row in the store is behind.
    pub(crate) fn behind(&self) -> impl Iterator<Item = TableId> {
        let behind = self.here().filter(|(_, seat)| seat.is_behind());
        behind.map(|(id, _)| id)
    }

    /// That table, if its row in the store is behind.
    pub(crate) fn unfolded(&self, id: TableId) -> Option<Unfolded<T>> {
        match self.slots.get(&id)? {
            Slot::Here(seat) => seat.unfolded(id),
            Slot::Coming(_) | Slot::Aside(_) => None,
        }
    }

    /// The row of a table has been written at this version.
    pub(crate) fn folded(&mut self, id: TableId, version: u32) {
        if let Some(Slot::Here(seat)) = self.slots.get_mut(&id) {
            seat.folded(version);
        }
    }

    /// The journal still has a change that was to be forgotten, because the
    /// row that was read back does not have it.
    pub(crate) fn stranded(&mut self, id: TableId, version: u32) {
        match self.slots.get(&id) {
            // The row was said to be durable with it. A busy one is looked at
            // when the next fold finds the same.
            Some(Slot::Here(seat)) if seat.folded_to() >= version && !seat.is_busy() => {
                let why =
                    format!("its row was written with version {version} and does not have it");
                self.absent.unread(id, seat.version());
                self.set_aside(id, &why);
            }
            Some(Slot::Here(_)) => {}
            Some(Slot::Coming(_) | Slot::Aside(_)) | None => self.absent.unread(id, version),
        }
    }

    /// The tables that nobody needs in memory, and since when.
    pub(crate) fn evictable(&self) -> impl Iterator<Item = (Timestamp, TableId)> {
        self.here()
            .filter_map(|(id, seat)| seat.idle_since().map(|since| (since, id)))
    }

    /// Forgets a table that is still evictable.
    pub(crate) fn evict(&mut self, id: TableId) -> bool {
        let Some(Slot::Here(seat)) = self.slots.get(&id) else {
            return false;
        };
        let is_idle = seat.idle_since().is_some();
        if is_idle {
            self.absent.evicted(id, seat.version());
            self.slots.remove(&id);
        }
        is_idle
    }

    pub(crate) fn len(&self) -> usize {
        self.slots.len()
    }

    pub(crate) fn busy(&self) -> usize {
        self.slots
            .values()
            .filter(|slot| match slot {
                Slot::Coming(_) => true,
                Slot::Here(seat) => seat.is_busy(),
                Slot::Aside(_) => false,
            })
            .count()
    }

    fn here(&self) -> impl Iterator<Item = (TableId, &Seat<T>)> {
        self.slots.iter().filter_map(|(id, slot)| match slot {
            Slot::Here(seat) => Some((*id, &**seat)),
            Slot::Coming(_) | Slot::Aside(_) => None,
        })
    }
}

/// What came from the store.
pub(crate) type Loaded<T> = Result<Option<(T, Stored)>, Failure>;

fn is_forgotten_late() -> bool {
    Mutant::LostMoves.is_chosen() || Mutant::LostMovesNoticed.is_chosen()
}

/// Lets a request wait, unless too many do. One look at the clock is enough.
pub(crate) fn enqueue<T: Table>(
    waiting: &mut VecDeque<Request<T>>,
    request: Request<T>,
    step: &mut Step<'_, T>,
) {
    let is_tick = |request: &Request<T>| matches!(request, Request::Tick { .. });
    if is_tick(&request) && waiting.iter().any(is_tick) {
        return;
    }
    if waiting.len() < step.limits.queue_max {
        waiting.push_back(request);
    } else {
        step.effects.push(Effect::Fail(request, Failure::Busy));
    }
}

fn fail_all<T: Table>(waiting: VecDeque<Request<T>>, failure: &Failure, step: &mut Step<'_, T>) {
    step.effects.extend(
        waiting
            .into_iter()
            .map(|r| Effect::Fail(r, failure.clone())),
    );
}
