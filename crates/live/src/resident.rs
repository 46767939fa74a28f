//! One table in memory: its state, the change in flight, what waits behind it.

mod idle;
mod presence;
mod shared;
mod tick;
mod waiting;

use std::collections::VecDeque;
use std::sync::Arc;

use chess::table::{Actor, PlayerId, Table, Verdict};
use chess::{Millis, Timestamp};
use store::{Change, NodeId, Rates};

use crate::flight::{FlightReply, InFlight, begins};
use crate::gate::Standing;
use crate::mutant::Mutant;
use crate::request::{Changed, Failure, Outcome, Request, Submission, View, With};
use crate::shard::{Effect, RETRY_AFTER, Step, enqueue};
use crate::snapshot::{Code, TableSnapshot};
use waiting::Waiting;

pub(crate) struct Resident<T: Table> {
    table: Arc<T>,
    waiting: Waiting<T>,
    busy: bool,
    /// Downtime is still being credited after loading: readers wait too.
    settling: bool,
    /// How often in a row a change turned out to be decided on an old state.
    conflicts: u8,
    used: Timestamp,
    /// Whether it is here because it was due, and nobody has asked for it.
    is_unasked: bool,
    /// When the creator and the other player last made a request.
    seen: [Timestamp; 2],
    /// When each closed their last stream.
    left: [Timestamp; 2],
    join_code: Option<Box<Code>>,
    /// The store is known to have had nothing newer at this moment.
    confirmed: Timestamp,
    /// Whether another node made the last change, and watches its deadline.
    is_watched_elsewhere: bool,
}

/// How far what those see who only look may be behind, if other nodes change it too.
const LOOK_BEHIND: u64 = 1_000;

impl<T: Table> Resident<T> {
    fn new(table: Arc<T>, now: Timestamp) -> Resident<T> {
        Resident {
            table,
            waiting: Waiting::NOTHING,
            busy: false,
            settling: false,
            conflicts: 0,
            used: now,
            is_unasked: false,
            seen: [now; 2],
            left: [Timestamp::default(); 2],
            join_code: None,
            confirmed: now,
            is_watched_elsewhere: false,
        }
    }

    /// A table from the store. Its players were last seen, as far as anyone
    /// knows, when it last changed; but not before the server itself was there.
    pub(crate) fn loaded(
        table: T,
        join_code: Option<String>,
        conflicts: u8,
        started: Timestamp,
        now: Timestamp,
    ) -> Resident<T> {
        Resident {
            seen: [table.last_at().max(started); 2],
            conflicts,
            join_code: join_code.as_deref().map(Code::new),
            ..Resident::new(Arc::new(table), now)
        }
    }

    pub(crate) fn created(flight: &InFlight<T>, now: Timestamp) -> Resident<T> {
        Resident {
            join_code: flight.join_code.clone(),
            // By the time it is told, another node may have changed it.
            confirmed: flight.asked,
            ..Resident::new(Arc::clone(&flight.after), now)
        }
    }

    /// The table was read when it was asked for at that moment.
    pub(crate) fn is_as_of(&mut self, asked: Timestamp) {
        self.confirmed = asked;
    }

    /// After loading: what outages cost comes first, then what waited for the table.
    pub(crate) fn settle(&mut self, waiting: VecDeque<Request<T>>, step: &mut Step<'_, T>) {
        let is_due = waiting.iter().any(|r| matches!(r, Request::Tick { .. }));
        self.is_watched_elsewhere = step.sharing.is_some() && !is_due;
        if !self.is_watched_elsewhere {
            step.deadline = Some(self.table.next_deadline(self.host_seen(step)));
        }
        self.waiting = Waiting::of(waiting);
        if self.standing(step) == Standing::Owed {
            self.credit(step);
        }
        self.go_on(step);
    }

    fn standing(&self, step: &Step<'_, T>) -> Standing {
        if step.sharing.is_some_and(|sharing| !sharing.is_current) {
            return Standing::Refused;
        }
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
            with: With::default(),
        };
        self.decide(submission, FlightReply::Everybody, step);
        self.settling = self.busy;
        self.busy
    }

    pub(crate) fn wait_more(&mut self, waiting: VecDeque<Request<T>>, step: &mut Step<'_, T>) {
        if !waiting.is_empty() {
            self.waiting.queue().extend(waiting);
        }
        self.go_on(step);
    }

    /// What waits, and how many conflicts in a row there were.
    pub(crate) fn into_waiting(self) -> (VecDeque<Request<T>>, u8) {
        (self.waiting.into_queue(), self.conflicts)
    }

    pub(crate) fn request(&mut self, request: Request<T>, step: &mut Step<'_, T>) {
        self.used = step.now;
        self.is_unasked &= matches!(request, Request::Tick { .. });
        let must_wait = match &request {
            Request::Read { reader, asked, .. } => {
                self.settling || (self.busy && self.must_confirm(*reader, *asked, step))
            }
            Request::Left { .. } => self.settling,
            Request::Submit { .. } | Request::Tick { .. } => self.busy,
        };
        if must_wait {
            enqueue(self.waiting.queue(), request, step);
        } else {
            self.handle(request, step);
        }
    }

    /// Goes on with what waits until a change is in flight.
    fn go_on(&mut self, step: &mut Step<'_, T>) {
        while !self.busy {
            match self.waiting.next() {
                Some(request) => self.handle(request, step),
                None => break,
            }
        }
        if !self.busy {
            self.settling = false;
        }
    }

    fn handle(&mut self, request: Request<T>, step: &mut Step<'_, T>) {
        let standing = self.standing(step);
        if standing == Standing::Owed && !self.busy && self.credit(step) {
            return self.waiting.queue().push_front(request);
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
            // It is not known whether another node was quicker.
            Request::Read { reader, asked, .. }
                if !is_refused && !self.busy && self.must_confirm(reader, asked, step) =>
            {
                self.confirm(request, step);
            }
            Request::Read {
                reader,
                asked,
                reply,
            } => {
                let is_stale = is_refused && self.must_confirm(reader, asked, step);
                let viewer = reader.viewer();
                // Whoever looks is back, though they left in the same moment.
                let left = viewer.and_then(|player| self.seen(player));
                let at = left.map_or(step.now, |(_, left)| step.now.max(left));
                self.note(viewer, at, |table| &mut table.seen);
                let table = Arc::clone(&self.table);
                let view = View { table, is_stale };
                step.effects.push(Effect::View(reply, view));
            }
            Request::Submit { submission, reply } => {
                if let Actor::Player(player) = submission.who {
                    self.note(Some(player), submission.received, |table| &mut table.seen);
                }
                self.decide(submission, FlightReply::Submitted(reply), step);
            }
            Request::Left { player, at } => {
                // Whoever leaves is gone, whatever they asked for in the same moment.
                let asked = self.seen(player).map_or(at, |(seen, _)| seen + Millis(1));
                self.note(Some(player), at.max(asked), |table| &mut table.left);
                if !self.is_watched_elsewhere {
                    step.deadline = Some(self.table.next_deadline(self.host_seen(step)));
                }
            }
            Request::Tick { now, host } => self.tick(now, host, step),
        }
    }

    /// Somebody has their answer: for whoever comes next conflicts count anew. A look at
    /// the clock is nobody's, and comes again and again.
    fn answered(&mut self, reply: &FlightReply<T>) {
        if matches!(reply, FlightReply::Submitted(_)) {
            self.conflicts = 0;
        }
    }

    fn decide(&mut self, submission: Submission<T>, reply: FlightReply<T>, step: &mut Step<'_, T>) {
        let table = Arc::clone(&self.table);
        let verdict = table.decide(submission.received, submission.who, &submission.command);
        let reply = match (&verdict, reply) {
            (Verdict::Already(_) | Verdict::Refused(_), FlightReply::Submitted(reply))
                if self.may_be_behind(&submission, step) =>
            {
                // Perhaps another node's change makes it right.
                return self.confirm(Request::Submit { submission, reply }, step);
            }
            (_, reply) => reply,
        };
        let (event, refusal) = match verdict {
            Verdict::Change(event) => (event, None),
            Verdict::RefusedBut { why, consequence } => (consequence, Some(why)),
            Verdict::Already(version) => {
                self.answered(&reply);
                return answer(reply, Outcome::Already { version, table }, step);
            }
            Verdict::Refused(why) => {
                self.answered(&reply);
                return answer(reply, Outcome::Refused { why, table }, step);
            }
        };
        let mut after = (*table).clone();
        after.evolve(submission.received, &event);
        let after = Arc::new(after);
        let with = match refusal {
            None => submission.with.clone(),
            Some(_) => With::default(),
        };
        let change = self.change(&after, with, step);
        let payload = match step.sharing {
            Some(_) => change.payload.clone(),
            None => Vec::new(),
        };
        self.busy = true;
        if Mutant::PublishedEarly.is_chosen() {
            let early = Changed {
                before: Some(Arc::clone(&table)),
                after: Arc::clone(&after),
                event: Some(event.clone()),
                report: Arc::default(),
                payload: payload.clone(),
                is_foreign: false,
            };
            step.around.changed(step.id, &early);
        }
        let flight = InFlight {
            before: Some(table),
            after,
            event: Some(event),
            refusal,
            asked: step.now,
            payload,
            join_code: None,
            submission: Some(submission),
            reply,
        };
        step.effects.push(Effect::Commit(change, Box::new(flight)));
    }

    /// The change to `after`, for the store.
    fn change(&self, after: &Arc<T>, with: With, step: &Step<'_, T>) -> Change {
        let before = &self.table;
        let code = self.join_code.clone().filter(|_| after.keeps_code());
        let snapshot = TableSnapshot {
            id: step.id,
            table: Arc::clone(after),
            host_seen: self.host_seen(step),
            join_code: code,
        };
        let rates = |effect| Rates {
            effect,
            per_day: step.limits.rated_per_day,
            delay: Millis(after.summary().delay_ms),
        };
        let every_move = step.limits.every_move.is_told_of(after.players());
        let rates = after.rates(Some(before)).map(rates).map(Box::new);
        Change {
            expected: before.version(),
            node: step.sharing.map_or(NodeId::ALONE, |sharing| sharing.node),
            payload: after.encoded_since(before),
            is_listed: !after.is_listed_as(before) || rates.is_some(),
            begins: begins(&**after, Some(&**before), &with.tickets),
            rates,
            tells: after.tells(Some(before), every_move),
            ..snapshot.change(step.now, with.remember)
        }
    }

    /// A change is durable: it happens now.
    pub(crate) fn apply(&mut self, flight: InFlight<T>, step: &mut Step<'_, T>) {
        let InFlight {
            before,
            after,
            event,
            refusal,
            reply,
            asked,
            payload,
            submission,
            ..
        } = flight;
        self.table = Arc::clone(&after);
        // Whoever joins was not one of the players when they asked.
        if let Some(submission) = submission
            && let Actor::Player(player) = submission.who
        {
            self.note(Some(player), submission.received, |table| &mut table.seen);
        }
        self.confirmed = asked.max(self.confirmed);
        self.is_watched_elsewhere = false;
        self.busy = false;
        self.conflicts = 0;
        if !after.keeps_code() {
            self.join_code = None;
        }
        step.deadline = Some(after.next_deadline(self.host_seen(step)));
        let change = Changed {
            before,
            after,
            event,
            report: Arc::default(),
            payload,
            is_foreign: false,
        };
        step.around.changed(step.id, &change);
        self.answer(reply, refusal, change, step);
        self.go_on(step);
    }

    /// Tells whoever asked for a change that it was made.
    fn answer(
        &self,
        reply: FlightReply<T>,
        refusal: Option<T::Refusal>,
        change: Changed<T>,
        step: &mut Step<'_, T>,
    ) {
        let Changed {
            before,
            after,
            event,
            report,
            ..
        } = change;
        match (reply, refusal, before, event) {
            (FlightReply::Created(reply), ..) => step.effects.push(Effect::Show(reply, after)),
            (reply, Some(why), ..) => answer(reply, Outcome::Refused { why, table: after }, step),
            (reply, None, Some(before), Some(event)) => {
                let changed = Outcome::Changed {
                    before,
                    after,
                    event,
                    report,
                };
                answer(reply, changed, step);
            }
            (_, None, ..) => {}
        }
    }

    /// Notes that a player was there, in whichever way.
    fn note(
        &mut self,
        player: Option<PlayerId>,
        at: Timestamp,
        way: impl Fn(&mut Resident<T>) -> &mut [Timestamp; 2],
    ) {
        let Some(player) = player else { return };
        for (index, who) in self.table.players().into_iter().enumerate() {
            if who == Some(player) {
                let noted = &mut way(self)[index];
                *noted = at.max(*noted);
            }
        }
    }

    /// When the player last made a request, and when they closed their last stream.
    pub(crate) fn seen(&self, player: PlayerId) -> Option<(Timestamp, Timestamp)> {
        self.presence().of(player)
    }

    /// What waits, first of all for the store.
    pub(crate) fn waiting(&self) -> impl Iterator<Item = &Request<T>> {
        self.waiting.iter()
    }

    pub(crate) fn table(&self) -> Arc<T> {
        Arc::clone(&self.table)
    }

    pub(crate) fn version(&self) -> u32 {
        self.table.version()
    }

    pub(crate) fn join_code(&self) -> Option<String> {
        self.join_code.as_deref().map(Code::text)
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
