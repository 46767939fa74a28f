//! What the outside world knows: what was asked, and what anyone was told.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use chess::game::{Command, Game, MoveReport};
use chess::table::{Actor, Outage, PlayerId};
use chess::{Millis, Timestamp};
use store::TableId;

use crate::mail::Ticket;
use crate::presence::Sighting;
use crate::rules::{Checked, ensure};

/// A command as it was submitted.
#[derive(Clone, Debug)]
pub(crate) struct Question {
    pub(crate) who: Actor,
    pub(crate) command: Command,
    pub(crate) received: Timestamp,
    pub(crate) key: Option<String>,
}

/// A request that has no answer yet.
#[derive(Clone, Debug)]
pub(crate) struct Asked {
    pub(crate) table: Option<TableId>,
    pub(crate) what: What,
    /// When, and in which step.
    pub(crate) at: Timestamp,
    pub(crate) step: u64,
    /// Whether the node was stopping.
    pub(crate) is_late: bool,
    /// Which node was asked, and the version that its answer must not be behind.
    pub(crate) node: u32,
    pub(crate) floor: u32,
}

#[derive(Clone, Debug)]
pub(crate) enum What {
    Create(Attempt),
    Submit(Question),
    Read { viewer: Option<PlayerId> },
    Fold,
}

/// A try at making a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Attempt {
    pub(crate) creator: PlayerId,
    pub(crate) history: Vec<u8>,
    pub(crate) code: Option<String>,
    pub(crate) key: Option<String>,
}

/// A question of which nobody knows whether it was granted, and the version
/// that it turned out to have made.
pub(crate) struct Doubt {
    pub(crate) ticket: Ticket,
    pub(crate) question: Question,
    pub(crate) made: Option<u32>,
}

/// What the world knows of one table.
#[derive(Default)]
pub(crate) struct Record {
    /// The newest state that anyone was shown.
    pub(crate) known: Option<Arc<Game>>,
    /// The tries that may have made it.
    pub(crate) attempts: Vec<Attempt>,
    /// The versions that somebody was told to have made.
    pub(crate) granted: BTreeSet<u32>,
    pub(crate) doubts: Vec<Doubt>,
    /// What the ones who moved were told.
    pub(crate) reports: BTreeMap<u32, MoveReport>,
    /// The last command that each node decided.
    pub(crate) last_decided: BTreeMap<u32, Ticket>,
    /// The last moment at which its creator may have been seen.
    pub(crate) host_seen: Timestamp,
    /// The last moment at which its creator was seen for certain, by a node
    /// that has had no reason to forget it.
    pub(crate) host_served: Timestamp,
}

/// Everything the outside world knows.
#[derive(Default)]
pub(crate) struct Book {
    pub(crate) tables: BTreeMap<TableId, Record>,
    pub(crate) asked: BTreeMap<Ticket, Asked>,
    /// Under which key what was last granted, and when it had been asked for.
    pub(crate) keys: BTreeMap<(PlayerId, String), (TableId, u32, Timestamp)>,
    /// The downtimes and failures that the store has ever recorded.
    pub(crate) outages: Vec<Outage>,
    pub(crate) step: u64,
    /// The last step in which something was made to go wrong.
    pub(crate) fault_step: u64,
    /// The last moment at which disk or node were not at their best.
    pub(crate) disturbed: Timestamp,
    /// When the node was last started.
    pub(crate) started: Timestamp,
    pub(crate) is_closing: bool,
    /// When the node last began to stop.
    pub(crate) closed_at: Option<Timestamp>,
    /// The last step in which the node said that its store fails.
    pub(crate) refusing_step: u64,
    pub(crate) queue_max: usize,
    /// Whether no table is evicted within the minute in which it matters.
    pub(crate) keeps_tables: bool,
    pub(crate) counts: Counts,
    pub(crate) last_ticket: Ticket,
    /// What several nodes add to it, if there are several.
    pub(crate) shared: Option<SharedBook>,
}

/// What is known besides if several nodes share a store.
#[derive(Default)]
pub(crate) struct SharedBook {
    /// Which node is asked next, and what its answer must not be behind.
    pub(crate) node: u32,
    pub(crate) floor: u32,
    /// When each player was at each table for certain.
    pub(crate) sightings: BTreeMap<(TableId, PlayerId), Vec<Sighting>>,
    /// When each outage was first found in the store.
    pub(crate) found: Vec<Timestamp>,
    /// When that was asked for whose answer is just read.
    pub(crate) now: Timestamp,
}

/// What a run was made of.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Requests made.
    pub requests: u64,
    /// Changes that their submitters were told of.
    pub granted: u64,
    /// Refusals.
    pub refused: u64,
    /// Commands that were in effect already.
    pub already: u64,
    /// Requests that failed.
    pub failed: u64,
    /// Requests that a crash left without an answer.
    pub orphaned: u64,
    /// Changes that nobody was told of when they happened, found later.
    pub found: u64,
    /// Games that somebody saw end.
    pub ended: u64,
    /// Endings by the clock.
    pub flags: u64,
    /// Downtime credits.
    pub credits: u64,
    /// Times without the node, or without its store.
    pub outages: u64,
    /// Crashes.
    pub crashes: u64,
    /// Clean stops.
    pub stops: u64,
    /// Writes and loads that were made to fail.
    pub faults: u64,
    /// Games of somebody who had left.
    pub abandoned: u64,
    /// Claims that were not decided because not every node could say who is there.
    pub unsure: u64,
}

impl std::ops::Add for Counts {
    type Output = Counts;

    fn add(self, other: Counts) -> Counts {
        Counts {
            requests: self.requests + other.requests,
            granted: self.granted + other.granted,
            refused: self.refused + other.refused,
            already: self.already + other.already,
            failed: self.failed + other.failed,
            orphaned: self.orphaned + other.orphaned,
            found: self.found + other.found,
            ended: self.ended + other.ended,
            flags: self.flags + other.flags,
            credits: self.credits + other.credits,
            outages: self.outages + other.outages,
            crashes: self.crashes + other.crashes,
            stops: self.stops + other.stops,
            faults: self.faults + other.faults,
            abandoned: self.abandoned + other.abandoned,
            unsure: self.unsure + other.unsure,
        }
    }
}

/// After a disturbance the node may take so long to look at a table again.
const RECOVERY: Millis = Millis::from_secs(1);
/// How late anything that is due may happen.
pub(crate) const LATE_MAX: Millis = Millis(100);

impl Book {
    /// Writes down a request before it is made.
    pub(crate) fn ask(&mut self, table: Option<TableId>, what: What, now: Timestamp) -> Ticket {
        self.counts.requests += 1;
        self.last_ticket += 1;
        if let Some(id) = table {
            let record = self.tables.entry(id).or_default();
            if let What::Create(attempt) = &what {
                record.attempts.push(attempt.clone());
            }
            if record.is_by_host(&what) {
                record.host_seen = record.host_seen.max(now);
            }
        }
        if let (Some(_), Some(id), What::Submit(question)) = (&self.shared, table, &what) {
            // Its change may be seen at another node before it is answered.
            let doubt = Doubt {
                ticket: self.last_ticket,
                question: question.clone(),
                made: None,
            };
            self.tables.entry(id).or_default().doubts.push(doubt);
        }
        let shared = self.shared.as_ref();
        let asked = Asked {
            table,
            what,
            at: now,
            step: self.step,
            is_late: self.is_closing,
            node: shared.map_or(0, |shared| shared.node),
            floor: shared.map_or(0, |shared| shared.floor),
        };
        self.asked.insert(self.last_ticket, asked);
        self.last_ticket
    }

    /// The node died: of everything under way nobody knows what became of it.
    pub(crate) fn orphan_all(&mut self) {
        for asked in std::mem::take(&mut self.asked).into_values() {
            self.counts.orphaned += 1;
            self.doubt(asked);
        }
    }

    /// One of several nodes died.
    pub(crate) fn orphan(&mut self, node: u32) -> Vec<Asked> {
        let (gone, asked): (BTreeMap<_, _>, BTreeMap<_, _>) = std::mem::take(&mut self.asked)
            .into_iter()
            .partition(|(_, asked)| asked.node == node);
        self.asked = asked;
        self.counts.orphaned += gone.len() as u64;
        gone.into_values().collect()
    }

    /// Nobody knows whether this took place.
    pub(crate) fn doubt(&mut self, asked: Asked) {
        if self.shared.is_some() {
            return;
        }
        if let (Some(id), What::Submit(question)) = (asked.table, asked.what) {
            let doubt = Doubt {
                ticket: self.last_ticket,
                question,
                made: None,
            };
            self.tables.entry(id).or_default().doubts.push(doubt);
        }
    }

    /// The node is there again: everybody counts as seen. The downtime it
    /// records begins with the last it was seen to do, or later.
    pub(crate) fn restarted(&mut self, outage: Option<Outage>, now: Timestamp) -> Checked {
        let known = self.tables.values().filter_map(|r| r.known.as_ref());
        let last_seen = known.map(|game| game.last_at()).max();
        if let (Some(outage), Some(last_seen)) = (outage, last_seen) {
            ensure!(
                last_seen <= outage.down_since,
                DowntimeIsCredited,
                None,
                "{outage:?}, though something happened at {}",
                last_seen.0
            );
        }
        if let (Some(outage), Some(closed)) = (outage, self.closed_at.take()) {
            ensure!(
                outage.down_since <= closed,
                DowntimeIsCredited,
                None,
                "{outage:?}, though nothing was accepted since {}",
                closed.0
            );
        }
        self.note_outages(outage);
        self.started = now;
        self.is_closing = false;
        for record in self.tables.values_mut() {
            record.host_seen = now;
            record.host_served = Timestamp(0);
        }
        self.disturb(now);
        Ok(())
    }

    /// The store has recorded these.
    pub(crate) fn note_outages(&mut self, outages: impl IntoIterator<Item = Outage>) {
        for outage in outages {
            if !self.outages.contains(&outage) {
                self.outages.push(outage);
                self.counts.outages += 1;
                if let Some(shared) = &mut self.shared {
                    shared.found.push(shared.now);
                }
            }
        }
    }

    /// Something was made to go wrong.
    pub(crate) fn fault(&mut self, now: Timestamp) {
        self.counts.faults += 1;
        self.fault_step = self.step;
        self.disturb(now);
    }

    /// Whether the node said, since this was asked, that its store fails.
    pub(crate) fn was_refusing(&self, asked: &Asked) -> bool {
        self.refusing_step >= asked.step
    }

    /// Disk or node are not at their best.
    pub(crate) fn disturb(&mut self, now: Timestamp) {
        self.disturbed = self.disturbed.max(now);
    }

    /// The last moment at which what is due at `deadline` may happen.
    pub(crate) fn due_by(&self, deadline: Timestamp) -> Timestamp {
        deadline.max(self.disturbed + RECOVERY) + LATE_MAX
    }

    /// Whose question was the last.
    pub(crate) fn last_ticket(&self) -> Ticket {
        self.last_ticket
    }

    /// The newest state of a table that anyone was shown.
    pub(crate) fn known(&self, id: TableId) -> Option<&Arc<Game>> {
        self.tables.get(&id)?.known.as_ref()
    }

    /// Every table that anyone was shown.
    pub(crate) fn all_known(&self) -> Vec<(TableId, Arc<Game>)> {
        let known = self.tables.iter();
        known
            .filter_map(|(id, record)| Some((*id, record.known.clone()?)))
            .collect()
    }

    /// How many requests for a table have no answer yet.
    pub(crate) fn waiting_for(&self, id: TableId) -> usize {
        self.asked
            .values()
            .filter(|asked| asked.table == Some(id))
            .count()
    }
}

impl Record {
    /// The one who made the table was served: asked at `at`, answered `now`.
    pub(crate) fn note_host(&mut self, what: &What, at: Timestamp, now: Timestamp) {
        if self.is_by_host(what) {
            let at = match what {
                What::Submit(question) => question.received,
                _ => at,
            };
            self.host_served = self.host_served.max(at);
            self.host_seen = self.host_seen.max(now);
        }
    }

    /// Whether it is the one who made the table who asks.
    fn is_by_host(&self, what: &What) -> bool {
        let who = match what {
            What::Create(attempt) => Some(attempt.creator),
            What::Submit(question) => match question.who {
                Actor::Player(player) => Some(player),
                Actor::Server | Actor::Operator => None,
            },
            What::Read { viewer } => *viewer,
            What::Fold => None,
        };
        who.is_some_and(|who| self.attempts.iter().any(|a| a.creator == who))
    }
}
