//! The tables in memory and the requests that wait for them.
//!
//! Everything here happens under one lock and only thinks; what must happen
//! outside of it is returned as [`Effect`]s.

mod shared;
mod slots;

use std::collections::VecDeque;
use std::sync::Arc;

use chess::table::{PlayerId, Table};
use chess::{Millis, Timestamp};
use store::{Change, IdMap, NodeId, TableId};

use crate::absent::Absent;
use crate::flight::InFlight;
use crate::gate::Gate;
use crate::listing::Shown;
use crate::live::{Limits, Surroundings};
use crate::mutant::Mutant;
use crate::presence::{Presence, seen_waiting};
use crate::request::{Failure, Outcome, Reply, Request, View};
use crate::resident::Resident;
use slots::Slots;

/// How long a table that could not be loaded or changed is left alone.
pub(crate) const RETRY_AFTER: Millis = Millis::from_secs(1);

pub(crate) struct Shard<T: Table> {
    slots: Slots<T>,
    absent: Absent,
    /// Tables as they were when the store failed them: to be looked at, no more,
    /// until the store works again. As many as were changing just then.
    last_seen: IdMap<TableId, Arc<T>>,
    /// When the players were last there of tables that are being read again.
    presence: IdMap<TableId, Presence>,
}

enum Slot<T: Table> {
    Coming(Coming<T>),
    Here(Resident<T>),
    Aside(Aside),
}

/// A table that is not here yet: on its way from the store, or not durable yet.
struct Coming<T: Table> {
    waiting: VecDeque<Request<T>>,
    /// How often in a row a change turned out to be decided on an old state.
    conflicts: u8,
}

/// A table that nobody can go on with.
struct Aside {
    why: String,
    /// A version that somebody was told of.
    acknowledged: u32,
}

/// How often in a row a change is decided again because somebody else came first:
/// by mistake, and where other nodes may well have.
const CONFLICTS_MAX: u8 = 3;
const CONFLICTS_MAX_SHARED: u8 = 30;

/// What a table must know of there being other nodes.
#[derive(Clone, Copy)]
pub(crate) struct Sharing {
    /// Who this is.
    pub(crate) node: NodeId,
    /// How long after its deadline a flag is submitted.
    pub(crate) flag_delay: Millis,
    /// Whether this node may decide anything.
    pub(crate) is_current: bool,
}

/// What must happen once the lock is released.
pub(crate) enum Effect<T: Table> {
    Answer(Reply<Outcome<T>>, Outcome<T>),
    Show(Reply<Arc<T>>, Arc<T>),
    View(Reply<View<T>>, View<T>),
    Fail(Request<T>, Failure),
    Lose(Box<InFlight<T>>, Failure),
    Commit(Change, Box<InFlight<T>>),
    Load(TableId),
    Confirm(TableId),
    AskAround(TableId, PlayerId),
}

/// What every step needs to know, and where its effects go.
pub(crate) struct Step<'a, T: Table> {
    pub(crate) id: TableId,
    pub(crate) now: Timestamp,
    pub(crate) limits: &'a Limits,
    pub(crate) around: &'a dyn Surroundings<T>,
    pub(crate) gate: &'a Gate,
    pub(crate) sharing: Option<Sharing>,
    /// The table's deadline, or that it has none, if the step set it.
    pub(crate) deadline: Option<Option<Timestamp>>,
    pub(crate) effects: &'a mut Vec<Effect<T>>,
}

impl<T: Table> Default for Shard<T> {
    fn default() -> Self {
        Shard {
            slots: Slots::default(),
            absent: Absent::default(),
            last_seen: IdMap::default(),
            presence: IdMap::default(),
        }
    }
}

impl<T: Table> Shard<T> {
    /// Takes in a request: answers it, decides it, or lets it wait.
    pub(crate) fn request(&mut self, request: Request<T>, step: &mut Step<'_, T>) {
        match self.slots.get_mut(&step.id) {
            None if step.gate.shut_since().is_some() && self.last_seen.contains_key(&step.id) => {
                let failure = Failure::Unavailable("the store fails".into());
                self.fail_or_show(VecDeque::from([request]), &failure, step);
            }
            None => self.fetch(VecDeque::from([request]), 0, step),
            Some(Slot::Coming(coming)) => enqueue(&mut coming.waiting, request, step),
            Some(Slot::Here(table)) => table.request(request, step),
            Some(Slot::Aside(aside)) => {
                let failure = Failure::Corrupt(aside.why.clone());
                step.effects.push(Effect::Fail(request, failure));
            }
        }
    }

    /// Asks the store for the table; these wait for it.
    fn fetch(&mut self, waiting: VecDeque<Request<T>>, conflicts: u8, step: &mut Step<'_, T>) {
        let coming = Coming { waiting, conflicts };
        self.slots.insert(step.id, Slot::Coming(coming));
        step.effects.push(Effect::Load(step.id));
    }

    /// Fetches a table that was set aside.
    pub(crate) fn fetch_aside(&mut self, step: &mut Step<'_, T>) {
        if let Some(Slot::Aside(aside)) = self.slots.get(&step.id) {
            self.absent.went(step.id, aside.acknowledged);
            self.fetch(VecDeque::new(), 0, step);
        }
    }

    /// The tables that nobody can go on with, and why.
    pub(crate) fn aside(&self) -> impl Iterator<Item = (TableId, &str)> {
        self.slots.iter().filter_map(|(id, slot)| match slot {
            Slot::Aside(aside) => Some((id, &*aside.why)),
            Slot::Coming(_) | Slot::Here(_) => None,
        })
    }

    fn set_aside(&mut self, id: TableId, why: &str) {
        tracing::error!(table = %id, why, "a table is set aside: nobody can go on with it");
        let aside = Aside {
            why: why.to_owned(),
            acknowledged: self.absent.acknowledged(id),
        };
        self.slots.insert(id, Slot::Aside(aside));
    }

    /// Reserves the place of a table that is about to come; `false` if there is one already.
    pub(crate) fn expect(&mut self, id: TableId) -> bool {
        let absent = !self.slots.contains_key(&id);
        if absent {
            let coming = Coming {
                waiting: VecDeque::new(),
                conflicts: 0,
            };
            self.slots.insert(id, Slot::Coming(coming));
        }
        absent
    }

    /// A table has come from the store.
    pub(crate) fn arrived(
        &mut self,
        loaded: Loaded<T>,
        asked: Timestamp,
        started: Timestamp,
        step: &mut Step<'_, T>,
    ) {
        let Some(Coming { waiting, conflicts }) = self.take_coming(step.id) else {
            return;
        };
        match self.as_acknowledged(step.id, loaded) {
            Ok(Some((table, join_code))) => {
                self.absent.came(step.id);
                self.last_seen.remove(&step.id);
                step.around.came_in(step.id, &table);
                let mut table = Resident::loaded(table, join_code, conflicts, started, step.now);
                table.is_as_of(asked);
                let earlier = self.presence.remove(&step.id);
                if let Some(earlier) = &earlier {
                    table.recall(earlier);
                }
                // Who was there must not be forgotten.
                let is_unasked = earlier.is_none() && is_only_due(&waiting);
                table.settle(waiting, step);
                table.note_unasked(is_unasked);
                self.slots.insert(step.id, Slot::Here(table));
            }
            Ok(None) => {
                self.presence.remove(&step.id);
                self.not_found(waiting, asked, step);
            }
            Err(failure) => {
                match &failure {
                    // Its clock may be running, so it is looked at again soon.
                    Failure::Unavailable(_) => {
                        step.deadline = Some(Some(step.now + RETRY_AFTER));
                    }
                    Failure::Corrupt(why) => self.set_aside(step.id, why),
                    Failure::NotFound | Failure::Taken | Failure::Busy => {}
                }
                self.fail_or_show(waiting, &failure, step);
            }
        }
    }

    /// Takes out a table that is on its way, and no other.
    fn take_coming(&mut self, id: TableId) -> Option<Coming<T>> {
        if !matches!(self.slots.get(&id), Some(Slot::Coming(_))) {
            return None;
        }
        match self.slots.remove(&id) {
            Some(Slot::Coming(coming)) => Some(coming),
            _ => None,
        }
    }

    /// What was loaded, unless it is older than what somebody was told of.
    fn as_acknowledged(&self, id: TableId, loaded: Loaded<T>) -> Loaded<T> {
        let acknowledged = self.absent.acknowledged(id);
        let found = match &loaded {
            Ok(Some((table, _))) => table.version(),
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

    /// A change is durable, or has failed.
    pub(crate) fn committed(
        &mut self,
        flight: InFlight<T>,
        result: Result<(), store::Error>,
        step: &mut Step<'_, T>,
    ) {
        if let Err(error) = result {
            return self.lost(flight, error, step);
        }
        match self.slots.get_mut(&step.id) {
            Some(Slot::Here(table)) => table.apply(flight, step),
            Some(Slot::Coming(_)) => {
                let coming = self.take_coming(step.id);
                let mut table = Resident::created(&flight, step.now);
                table.apply(flight, step);
                if let Some(coming) = coming {
                    table.wait_more(coming.waiting, step);
                }
                self.slots.insert(step.id, Slot::Here(table));
            }
            Some(Slot::Aside(_)) | None => {
                unreachable!("a table with a change in flight stays")
            }
        }
    }

    /// A commit failed, or its outcome is unknown: what is in memory is worth
    /// nothing, and the table is read again: it may have a deadline. What waited
    /// is decided on what the store has. If nothing can be decided, or all that
    /// failed was its creation, it is looked at again soon.
    fn lost(&mut self, flight: InFlight<T>, error: store::Error, step: &mut Step<'_, T>) {
        let (mut waiting, conflicts) = match self.slots.remove(&step.id) {
            Some(Slot::Here(table)) => {
                self.absent.went(step.id, table.version());
                self.presence.insert(step.id, table.presence());
                if matches!(error, store::Error::Unavailable(_)) && step.sharing.is_some() {
                    self.last_seen.insert(step.id, table.table());
                }
                table.into_waiting()
            }
            Some(Slot::Coming(coming)) => (coming.waiting, 0),
            Some(Slot::Aside(_)) | None => (VecDeque::new(), 0),
        };
        if step.sharing.is_some() && !flight.is_creation() {
            // Whoever made the last change watches its deadline: perhaps that was us.
            let (now, host) = (step.now, None);
            enqueue(&mut waiting, Request::Tick { now, host }, step);
        }
        let is_conflict = error == store::Error::Conflict && !Mutant::ConflictsFail.is_chosen();
        let conflicts_max = match step.sharing {
            Some(_) => CONFLICTS_MAX_SHARED,
            None => CONFLICTS_MAX,
        };
        if is_conflict && !flight.is_creation() && conflicts < conflicts_max {
            // Somebody else came first: it is decided again, as if it had waited.
            if let Some(request) = flight.into_request() {
                waiting.push_front(request);
            }
            return self.fetch(waiting, conflicts + 1, step);
        }
        let failure = match error {
            store::Error::Conflict if flight.is_creation() => Failure::Taken,
            error => Failure::from(error),
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
            self.fetch(waiting, 0, step);
        }
    }

    /// Thinking about a table ended in the middle: what is in memory is worth
    /// nothing. It is read again when somebody asks for it, or soon, for it may have
    /// a deadline. One with a change in flight stays until that is decided.
    pub(crate) fn panicked(&mut self, step: &mut Step<'_, T>) {
        step.deadline = Some(Some(step.now + RETRY_AFTER));
        if let Some(Slot::Here(table)) = self.slots.get(&step.id)
            && !table.is_busy()
            && let Some(Slot::Here(table)) = self.slots.remove(&step.id)
        {
            self.absent.went(step.id, table.version());
            self.presence.insert(step.id, table.presence());
            let failure = Failure::Unavailable("thinking about the table panicked".into());
            fail_all(table.into_waiting().0, &failure, step);
        }
    }

    /// A table as it is here, or why nobody can go on with it.
    pub(crate) fn peek(&self, id: TableId) -> Option<Result<Shown<T>, String>> {
        match self.slots.get(&id)? {
            Slot::Here(table) => Some(Ok((table.table(), table.join_code()))),
            Slot::Aside(aside) => Some(Err(aside.why.clone())),
            Slot::Coming(_) => None,
        }
    }

    /// When a player of the table last made a request, and when they last closed their
    /// last stream, if that is known. What still waits for the table counts.
    pub(crate) fn seen(&self, id: TableId, player: PlayerId) -> Option<(Timestamp, Timestamp)> {
        let earlier = || self.presence.get(&id)?.of(player);
        let (noted, waits) = match self.slots.get(&id) {
            Some(Slot::Here(table)) => (table.seen(player), seen_waiting(table.waiting(), player)),
            Some(Slot::Coming(coming)) => (earlier(), seen_waiting(coming.waiting.iter(), player)),
            Some(Slot::Aside(_)) | None => (earlier(), None),
        };
        if noted.is_none() && waits.is_none() {
            return None;
        }
        let (seen, left) = noted.unwrap_or_default();
        Some((seen.max(waits.unwrap_or_default()), left))
    }

    /// The code by which a friend joins, if the table is here and waits.
    pub(crate) fn join_code(&self, id: TableId) -> Option<String> {
        match self.slots.get(&id)? {
            Slot::Here(table) => table.join_code(),
            Slot::Coming(_) | Slot::Aside(_) => None,
        }
    }

    /// The tables that nobody needs in memory, and since when.
    pub(crate) fn evictable(&self, horizon: Millis) -> impl Iterator<Item = (Timestamp, TableId)> {
        self.here()
            .filter_map(move |(id, table)| Some((table.idle_since(horizon)?, id)))
    }

    /// Forgets a table that is still evictable.
    pub(crate) fn evict(&mut self, id: TableId) -> bool {
        let Some(Slot::Here(table)) = self.slots.get(&id) else {
            return false;
        };
        let is_idle = table.is_idle();
        if is_idle {
            self.absent.went(id, table.version());
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
                Slot::Here(table) => table.is_busy(),
                Slot::Aside(_) => false,
            })
            .count()
    }

    fn here(&self) -> impl Iterator<Item = (TableId, &Resident<T>)> {
        self.slots.iter().filter_map(|(id, slot)| match slot {
            Slot::Here(table) => Some((id, table)),
            Slot::Coming(_) | Slot::Aside(_) => None,
        })
    }
}

/// What came from the store: a table, and the code by which a friend joins.
pub(crate) type Loaded<T> = Result<Option<(T, Option<String>)>, Failure>;

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
    // However many readers are in the queue, a flag falls in time.
    if is_tick(&request) || waiting.len() < step.limits.queue_max {
        waiting.push_back(request);
    } else {
        step.effects.push(Effect::Fail(request, Failure::Busy));
    }
}

/// Whether nobody but the clock waits for a table.
fn is_only_due<T: Table>(waiting: &VecDeque<Request<T>>) -> bool {
    let mut waiting = waiting.iter();
    waiting.all(|request| matches!(request, Request::Tick { .. }))
}

fn fail_all<T: Table>(waiting: VecDeque<Request<T>>, failure: &Failure, step: &mut Step<'_, T>) {
    step.effects.extend(
        waiting
            .into_iter()
            .map(|r| Effect::Fail(r, failure.clone())),
    );
}
