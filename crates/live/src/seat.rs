//! One table in memory: its state, the change in flight, what waits behind it.

use std::collections::VecDeque;
use std::sync::Arc;

use chess::table::{Actor, PlayerId, Table, Verdict};
use chess::{Millis, Timestamp};
use store::{Change, Remembered, Row, Stored, TableId, Written};

use crate::gate::Standing;
use crate::mutant::Mutant;
use crate::request::{Failure, Outcome, Reply, Request, Submission};
use crate::shard::{Effect, RETRY_AFTER, Step, enqueue};

pub(crate) struct Seat<T: Table> {
    table: Arc<T>,
    waiting: VecDeque<Request<T>>,
    busy: bool,
    /// Downtime is still being credited after loading: readers wait too.
    settling: bool,
    /// The version of the row in the store.
    folded: u32,
    /// Whether the row is behind: known without touching the table, because
    /// all half a million are looked at under their shard's lock.
    is_behind: bool,
    used: Timestamp,
    /// When the creator and the other player last made a request.
    seen: [Timestamp; 2],
    /// When each closed their last stream.
    left: [Timestamp; 2],
    join_code: Option<Box<str>>,
}

/// What is to be done once a change is on the disk.
pub(crate) struct InFlight<T: Table> {
    before: Option<Arc<T>>,
    after: Arc<T>,
    event: Option<T::Event>,
    refusal: Option<T::Refusal>,
    wrote_row: bool,
    /// When it was handed to the store.
    asked: Timestamp,
    /// The code of a table being created.
    join_code: Option<Box<str>>,
    reply: FlightReply<T>,
}

enum FlightReply<T: Table> {
    Created(Reply<Arc<T>>),
    Submitted(Reply<Outcome<T>>),
    /// It was the table's own deadline.
    Nobody,
    /// A credit for downtime: everybody waits for it.
    Everybody,
}

/// A table whose row in the store is behind.
pub(crate) struct Unfolded<T: Table> {
    pub(crate) id: TableId,
    pub(crate) table: Arc<T>,
    host_seen: Timestamp,
    join_code: Option<Box<str>>,
}

impl<T: Table> Unfolded<T> {
    pub(crate) fn row(&self) -> Row {
        row_of(
            self.id,
            &*self.table,
            self.host_seen,
            self.join_code.as_deref(),
        )
    }
}

impl<T: Table> InFlight<T> {
    /// The first commit of a new table.
    pub(crate) fn creation(
        id: TableId,
        table: T,
        join_code: Option<&str>,
        remember: Option<Remembered>,
        asked: Timestamp,
        reply: Reply<Arc<T>>,
    ) -> (Change, InFlight<T>) {
        let last_at = table.last_at();
        let version = table.version();
        let change = Change {
            table: id,
            version,
            // A game that others recorded may be of any day.
            at: last_at.min(asked),
            payload: table.encode().to_vec(),
            written: Written::Row(Box::new(row_of(id, &table, last_at, join_code))),
            remember: remember.map(|r| Remembered {
                table: id,
                version,
                ..r
            }),
        };
        let flight = InFlight {
            before: None,
            after: Arc::new(table),
            event: None,
            refusal: None,
            wrote_row: true,
            asked,
            join_code: join_code.map(Into::into),
            reply: FlightReply::Created(reply),
        };
        (change, flight)
    }

    pub(crate) fn is_creation(&self) -> bool {
        self.before.is_none()
    }

    pub(crate) fn asked(&self) -> Timestamp {
        self.asked
    }

    /// Whether nobody can be served before this.
    pub(crate) fn comes_first(&self) -> bool {
        matches!(self.reply, FlightReply::Everybody)
    }

    pub(crate) fn fail(self, failure: Failure) {
        match self.reply {
            FlightReply::Created(reply) => reply(Err(failure)),
            FlightReply::Submitted(reply) => reply(Err(failure)),
            FlightReply::Nobody | FlightReply::Everybody => {}
        }
    }
}

impl<T: Table> Seat<T> {
    fn new(table: Arc<T>, now: Timestamp) -> Seat<T> {
        Seat {
            table,
            waiting: VecDeque::new(),
            busy: false,
            settling: false,
            folded: 0,
            is_behind: true,
            used: now,
            seen: [now; 2],
            left: [Timestamp::default(); 2],
            join_code: None,
        }
    }

    /// A table from the store. Its players were last seen, as far as anyone
    /// knows, when it last changed; but not before the server itself was there.
    pub(crate) fn loaded(table: T, stored: Stored, started: Timestamp, now: Timestamp) -> Seat<T> {
        Seat {
            seen: [table.last_at().max(started); 2],
            folded: stored.folded,
            is_behind: stored.version > stored.folded,
            join_code: stored.join_code.map(Into::into),
            ..Seat::new(Arc::new(table), now)
        }
    }

    pub(crate) fn created(flight: &InFlight<T>, now: Timestamp) -> Seat<T> {
        Seat {
            join_code: flight.join_code.clone(),
            ..Seat::new(Arc::clone(&flight.after), now)
        }
    }

    /// After loading: what outages cost comes first, then what waited for the table.
    pub(crate) fn settle(&mut self, waiting: VecDeque<Request<T>>, step: &mut Step<'_, T>) {
        step.deadline = Some(self.table.next_deadline(self.host_seen(step)));
        self.waiting = waiting;
        if self.standing(step) == Standing::Owed {
            self.credit(step);
        }
        self.go_on(step);
    }

    fn standing(&self, step: &Step<'_, T>) -> Standing {
        match step.gate.standing(self.table.last_at()) {
            Standing::Owed if Mutant::NoCredit.is_chosen() => Standing::Open,
            Standing::Refused if Mutant::ClocksRunOn.is_chosen() => Standing::Open,
            standing => standing,
        }
    }

    /// Gives back the time in which no move could be accepted, if the table's
    /// clock ran and has not got it yet; until that is durable everybody waits.
    /// Whether there is something to wait for.
    fn credit(&mut self, step: &mut Step<'_, T>) -> bool {
        let last_at = self.table.last_at();
        // Without a deadline there is no clock that could have run.
        if self.table.next_deadline(last_at).is_none() {
            return false;
        }
        let submission = Submission {
            who: Actor::Server,
            command: T::credit(step.gate.outages_since(last_at)),
            received: step.now,
            remember: None,
        };
        self.decide(submission, FlightReply::Everybody, step);
        self.settling = self.busy;
        self.busy
    }

    pub(crate) fn wait_more(&mut self, waiting: VecDeque<Request<T>>, step: &mut Step<'_, T>) {
        self.waiting.extend(waiting);
        self.go_on(step);
    }

    pub(crate) fn into_waiting(self) -> VecDeque<Request<T>> {
        self.waiting
    }

    pub(crate) fn request(&mut self, request: Request<T>, step: &mut Step<'_, T>) {
        self.used = step.now;
        let must_wait = match &request {
            Request::Read { .. } | Request::Left { .. } => self.settling,
            Request::Submit { .. } | Request::Tick { .. } => self.busy,
        };
        if must_wait {
            enqueue(&mut self.waiting, request, step);
        } else {
            self.handle(request, step);
        }
    }

    /// Goes on with what waits until a change is in flight.
    fn go_on(&mut self, step: &mut Step<'_, T>) {
        while !self.busy {
            match self.waiting.pop_front() {
                Some(request) => self.handle(request, step),
                None => break,
            }
        }
        if !self.busy {
            self.settling = false;
        }
        // An idle table keeps no buffer for a queue it may never have again.
        if self.waiting.is_empty() {
            self.waiting = VecDeque::new();
        }
    }

    fn handle(&mut self, request: Request<T>, step: &mut Step<'_, T>) {
        let standing = self.standing(step);
        if standing == Standing::Owed && !self.busy && self.credit(step) {
            return self.waiting.push_front(request);
        }
        let is_refused = standing == Standing::Refused;
        match request {
            Request::Submit { .. } if is_refused => {
                let failure = Failure::Unavailable("no change can be made now".into());
                step.effects.push(Effect::Fail(request, failure));
            }
            // No flag falls while no move can be made.
            Request::Tick { .. } if is_refused => {
                step.deadline = Some(Some(step.now + RETRY_AFTER));
            }
            Request::Read { viewer, reply } => {
                // Whoever looks is back, though they left in the same moment.
                let left = viewer.and_then(|player| self.seen(player));
                let at = left.map_or(step.now, |(_, left)| step.now.max(left));
                self.note(viewer, at, |seat| &mut seat.seen);
                step.effects
                    .push(Effect::Show(reply, Arc::clone(&self.table)));
            }
            Request::Submit { submission, reply } => {
                if let Actor::Player(player) = submission.who {
                    self.note(Some(player), submission.received, |seat| &mut seat.seen);
                }
                self.decide(submission, FlightReply::Submitted(reply), step);
            }
            Request::Left { player, at } => {
                // Whoever leaves is gone, whatever they asked for in the same moment.
                let asked = self.seen(player).map_or(at, |(seen, _)| seen + Millis(1));
                self.note(Some(player), at.max(asked), |seat| &mut seat.left);
                step.deadline = Some(self.table.next_deadline(self.host_seen(step)));
            }
            Request::Tick { now } => {
                let submission = Submission {
                    who: Actor::Server,
                    command: T::tick(self.host_seen(step)),
                    received: now,
                    remember: None,
                };
                self.decide(submission, FlightReply::Nobody, step);
                if !self.busy {
                    // Not due after all: somebody was seen meanwhile.
                    step.deadline = Some(self.table.next_deadline(self.host_seen(step)));
                }
            }
        }
    }

    fn decide(&mut self, submission: Submission<T>, reply: FlightReply<T>, step: &mut Step<'_, T>) {
        let Submission {
            who,
            command,
            received,
            remember,
        } = submission;
        let table = Arc::clone(&self.table);
        let (event, refusal) = match table.decide(received, who, &command) {
            Verdict::Change(event) => (event, None),
            Verdict::RefusedBut { why, consequence } => (consequence, Some(why)),
            Verdict::Already(version) => {
                return answer(reply, Outcome::Already { version, table }, step);
            }
            Verdict::Refused(why) => return answer(reply, Outcome::Refused { why, table }, step),
        };
        let remember = remember.filter(|_| refusal.is_none());
        let mut after = (*table).clone();
        after.evolve(received, &event);
        let change = self.change(&after, remember, step);
        self.busy = true;
        let flight = InFlight {
            before: Some(table),
            after: Arc::new(after),
            event: Some(event),
            refusal,
            wrote_row: matches!(change.written, Written::Row(_)),
            asked: step.now,
            join_code: None,
            reply,
        };
        step.effects.push(Effect::Commit(change, Box::new(flight)));
    }

    /// How the change to `after` is written: as a row if lists must show it,
    /// or if enough has gathered in the journal. So is one whose last event is
    /// yet to come, since the machine's clock was ahead once: what is in the
    /// journal says how late it is.
    fn change(&self, after: &T, remember: Option<Remembered>, step: &Step<'_, T>) -> Change {
        let version = after.version();
        let listed = after.state() != self.table.state();
        let full = version - self.folded >= step.limits.fold_after;
        let is_early = after.last_at() > step.now;
        let written = if listed || full || is_early {
            let code = self.join_code.as_deref().filter(|_| after.keeps_code());
            Written::Row(Box::new(row_of(step.id, after, self.host_seen(step), code)))
        } else {
            Written::Journal
        };
        Change {
            table: step.id,
            version,
            at: after.last_at().min(step.now),
            payload: after.encode()[self.table.encode().len()..].to_vec(),
            written,
            remember: remember.map(|r| Remembered {
                table: step.id,
                version,
                ..r
            }),
        }
    }

    /// A change is durable: it happens now.
    pub(crate) fn apply(&mut self, flight: InFlight<T>, step: &mut Step<'_, T>) {
        let InFlight {
            before,
            after,
            event,
            refusal,
            wrote_row,
            reply,
            ..
        } = flight;
        self.table = Arc::clone(&after);
        self.busy = false;
        self.is_behind = !wrote_row;
        if wrote_row {
            self.folded = after.version();
        }
        if !after.keeps_code() {
            self.join_code = None;
        }
        step.deadline = Some(after.next_deadline(self.host_seen(step)));
        step.around
            .changed(step.id, before.as_ref(), &after, event.as_ref());
        match (reply, refusal, before, event) {
            (FlightReply::Created(reply), ..) => step.effects.push(Effect::Show(reply, after)),
            (reply, Some(why), ..) => answer(reply, Outcome::Refused { why, table: after }, step),
            (reply, None, Some(before), Some(event)) => {
                answer(
                    reply,
                    Outcome::Changed {
                        before,
                        after,
                        event,
                    },
                    step,
                );
            }
            (_, None, ..) => {}
        }
        self.go_on(step);
    }

    /// Notes that a player was there, in whichever way.
    fn note(
        &mut self,
        player: Option<PlayerId>,
        at: Timestamp,
        way: impl Fn(&mut Seat<T>) -> &mut [Timestamp; 2],
    ) {
        let Some(player) = player else { return };
        for (index, seat) in self.table.players().into_iter().enumerate() {
            if seat == Some(player) {
                let noted = &mut way(self)[index];
                *noted = at.max(*noted);
            }
        }
    }

    /// When the player last made a request, and when they closed their last stream.
    pub(crate) fn seen(&self, player: PlayerId) -> Option<(Timestamp, Timestamp)> {
        let mut players = self.table.players().into_iter();
        let index = players.position(|p| p == Some(player))?;
        Some((self.seen[index], self.left[index]))
    }

    /// When the creator was last there.
    fn host_seen(&self, step: &Step<'_, T>) -> Timestamp {
        match self.table.players()[0] {
            Some(host) if step.around.is_here(step.id, host) => step.now,
            _ => self.seen[0].max(self.left[0]),
        }
    }

    pub(crate) fn version(&self) -> u32 {
        self.table.version()
    }

    /// The version of the row in the store.
    pub(crate) fn folded_to(&self) -> u32 {
        self.folded
    }

    pub(crate) fn join_code(&self) -> Option<String> {
        self.join_code.as_deref().map(str::to_owned)
    }

    pub(crate) fn unfolded(&self, id: TableId) -> Option<Unfolded<T>> {
        self.is_behind.then(|| Unfolded {
            id,
            table: Arc::clone(&self.table),
            host_seen: self.seen[0].max(self.left[0]),
            join_code: self.join_code.clone(),
        })
    }

    pub(crate) fn folded(&mut self, version: u32) {
        self.folded = self.folded.max(version);
        self.is_behind = self.table.version() > self.folded;
    }

    pub(crate) fn is_behind(&self) -> bool {
        self.is_behind
    }

    /// Since when nobody has needed the table in memory; `None` if it must stay.
    pub(crate) fn idle_since(&self) -> Option<Timestamp> {
        let idle = !self.busy && self.waiting.is_empty() && !self.is_behind;
        idle.then_some(self.used)
    }

    pub(crate) fn is_busy(&self) -> bool {
        self.busy
    }
}

fn answer<T: Table>(reply: FlightReply<T>, outcome: Outcome<T>, step: &mut Step<'_, T>) {
    if let FlightReply::Submitted(reply) = reply {
        step.effects.push(Effect::Answer(reply, outcome));
    }
}

fn row_of<T: Table>(id: TableId, table: &T, host_seen: Timestamp, code: Option<&str>) -> Row {
    let over = table.state() == "COMPLETED";
    Row {
        table: id,
        kind: table.kind(),
        version: table.version(),
        history: table.encode().to_vec(),
        deadline: table.next_deadline(host_seen),
        join_code: code.map(str::to_owned),
        summary: table.summary(),
        moves: if over {
            table.score_sheet()
        } else {
            Vec::new()
        },
    }
}
