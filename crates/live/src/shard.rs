//! The tables in memory and the requests that wait for them.
//!
//! Everything here happens under one lock and only thinks; what must happen
//! outside of it is returned as [`Effect`]s.

use std::collections::VecDeque;
use std::sync::Arc;

use chess::table::{Outage, PlayerId, Table};
use chess::{Millis, Timestamp};
use store::{Change, IdMap, Stored, TableId};

use crate::live::{Limits, Surroundings};
use crate::request::{Failure, Outcome, Reply, Request};
use crate::seat::{InFlight, Seat, Unfolded};

/// How long a table that could not be loaded or changed is left alone.
const RETRY_AFTER: Millis = Millis::from_secs(1);

pub(crate) struct Shard<T: Table> {
    slots: IdMap<TableId, Slot<T>>,
}

enum Slot<T: Table> {
    /// Not here yet: on its way from the store, or not durable yet. Few are:
    /// half a million others need not have room for a queue.
    #[expect(clippy::box_collection, reason = "it halves the size of a slot")]
    Coming(Box<VecDeque<Request<T>>>),
    Here(Box<Seat<T>>),
}

/// What must happen once the lock is released.
pub(crate) enum Effect<T: Table> {
    Answer(Reply<Outcome<T>>, Outcome<T>),
    Show(Reply<Arc<T>>, Arc<T>),
    Fail(Request<T>, Failure),
    Lose(Box<InFlight<T>>, Failure),
    Commit(Change, Box<InFlight<T>>),
    Load(TableId),
}

/// What every step needs to know, and where its effects go.
pub(crate) struct Step<'a, T: Table> {
    pub(crate) id: TableId,
    pub(crate) now: Timestamp,
    pub(crate) limits: &'a Limits,
    pub(crate) around: &'a dyn Surroundings<T>,
    /// The table's deadline, or that it has none, if the step set it.
    pub(crate) deadline: Option<Option<Timestamp>>,
    pub(crate) effects: &'a mut Vec<Effect<T>>,
}

impl<T: Table> Default for Shard<T> {
    fn default() -> Self {
        Shard {
            slots: IdMap::default(),
        }
    }
}

impl<T: Table> Shard<T> {
    /// Takes in a request: answers it, decides it, or lets it wait.
    pub(crate) fn request(&mut self, request: Request<T>, step: &mut Step<'_, T>) {
        match self.slots.get_mut(&step.id) {
            None => {
                self.slots
                    .insert(step.id, Slot::Coming(Box::new(VecDeque::from([request]))));
                step.effects.push(Effect::Load(step.id));
            }
            Some(Slot::Coming(waiting)) => enqueue(waiting, request, step),
            Some(Slot::Here(seat)) => seat.request(request, step),
        }
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
        loaded: Result<Option<(T, Stored)>, Failure>,
        outages: &[Outage],
        started: Timestamp,
        step: &mut Step<'_, T>,
    ) {
        let Some(Slot::Coming(waiting)) = self.slots.remove(&step.id) else {
            return;
        };
        match loaded {
            Ok(Some((table, stored))) => {
                let mut seat = Seat::loaded(table, stored, started, step.now);
                seat.settle(outages, *waiting, step);
                self.slots.insert(step.id, Slot::Here(Box::new(seat)));
            }
            Ok(None) => fail_all(*waiting, &Failure::NotFound, step),
            Err(failure) => {
                // Its clock may be running, so it is looked at again soon.
                if matches!(failure, Failure::Unavailable(_)) {
                    step.deadline = Some(Some(step.now + RETRY_AFTER));
                }
                fail_all(*waiting, &failure, step);
            }
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
            (None, Ok(())) => unreachable!("a table with a change in flight is never evicted"),
        }
    }

    /// A commit failed, or its outcome is unknown: what is in memory is worth
    /// nothing. What waited is decided on what the store has. If nothing did,
    /// or nothing can be decided, the table is looked at again soon: it may
    /// have a deadline, even if all that failed was its creation.
    fn lost(&mut self, flight: InFlight<T>, failure: Failure, step: &mut Step<'_, T>) {
        let waiting = match self.slots.remove(&step.id) {
            Some(Slot::Here(seat)) => seat.into_waiting(),
            Some(Slot::Coming(waiting)) => *waiting,
            None => VecDeque::new(),
        };
        let is_hopeless = flight.comes_first() || waiting.is_empty();
        let told = Effect::Lose(Box::new(flight), failure.clone());
        step.effects.push(told);
        if is_hopeless {
            step.deadline = Some(Some(step.now + RETRY_AFTER));
            fail_all(waiting, &failure, step);
        } else {
            self.slots.insert(step.id, Slot::Coming(Box::new(waiting)));
            step.effects.push(Effect::Load(step.id));
        }
    }

    /// When a player of the table last made a request, and when they last
    /// closed their last stream, if the table is here.
    pub(crate) fn seen(&self, id: TableId, player: PlayerId) -> Option<(Timestamp, Timestamp)> {
        match self.slots.get(&id)? {
            Slot::Here(seat) => seat.seen(player),
            Slot::Coming(_) => None,
        }
    }

    /// The code by which a friend joins, if the table is here and waits.
    pub(crate) fn join_code(&self, id: TableId) -> Option<String> {
        match self.slots.get(&id)? {
            Slot::Here(seat) => seat.join_code(),
            Slot::Coming(_) => None,
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
            Slot::Coming(_) => None,
        }
    }

    /// The row of a table has been written at this version.
    pub(crate) fn folded(&mut self, id: TableId, version: u32) {
        if let Some(Slot::Here(seat)) = self.slots.get_mut(&id) {
            seat.folded(version);
        }
    }

    /// The tables that nobody needs in memory, and since when.
    pub(crate) fn evictable(&self) -> impl Iterator<Item = (Timestamp, TableId)> {
        self.here()
            .filter_map(|(id, seat)| seat.idle_since().map(|since| (since, id)))
    }

    /// Forgets a table that is still evictable.
    pub(crate) fn evict(&mut self, id: TableId) -> bool {
        let idle = matches!(self.slots.get(&id), Some(Slot::Here(s)) if s.idle_since().is_some());
        if idle {
            self.slots.remove(&id);
        }
        idle
    }

    pub(crate) fn len(&self) -> usize {
        self.slots.len()
    }

    pub(crate) fn busy(&self) -> usize {
        self.slots
            .values()
            .filter(|s| !matches!(s, Slot::Here(s) if !s.is_busy()))
            .count()
    }

    fn here(&self) -> impl Iterator<Item = (TableId, &Seat<T>)> {
        self.slots.iter().filter_map(|(id, slot)| match slot {
            Slot::Here(seat) => Some((*id, &**seat)),
            Slot::Coming(_) => None,
        })
    }
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
