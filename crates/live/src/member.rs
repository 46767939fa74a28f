//! Being one of several nodes that share a store.
//!
//! A node says several times a second that it is there, and hears with it what
//! it must know before it decides anything: times in which nobody was there, and
//! who else is. One that has not been heard of for nearly as long as would make an
//! outage decides nothing until it has been heard again, so no node decides
//! without knowing of an outage.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use chess::table::{Outage, Table};
use chess::{Millis, Timestamp};
use store::{Beat, DEAD_AFTER, NodeId, Pulse, SILENCE, Store, shard_of};
use tokio::sync::oneshot;

use crate::live::{Handles, Live, lock};

/// How long before an outage could be written down a node stops deciding: for
/// clocks that run differently, and for what was decided in the last moment.
const MARGIN: Millis = Millis(100);

/// Heartbeats at a start, to know the time well.
const FIRST_BEATS: usize = 4;
/// As many are tried until the time is known well enough.
const FIRST_BEATS_MAX: usize = 40;

/// What a node needs besides.
#[derive(Clone)]
pub struct Member {
    /// Who it is.
    pub node: NodeId,
    /// Who keeps its time.
    pub time: Arc<dyn Timekeeper>,
    /// How long after its deadline a flag is submitted, so that a move which
    /// another node received in time comes first. It is recorded as of the deadline.
    pub flag_delay: Millis,
}

/// Keeps a node's time by the store's clock.
pub trait Timekeeper: Send + Sync {
    /// A stopwatch in microseconds, which no setting of a clock moves.
    fn stopwatch_us(&self) -> u64;
    /// The store's clock showed this between those two moments of the stopwatch.
    fn sampled(&self, sent_us: u64, received_us: u64, store_us: u64);
    /// How far the node's time may be off.
    fn uncertainty(&self) -> Millis;
}

/// How far off a node's time may be at its start, and afterwards.
const UNCERTAIN_AT_START: Millis = Millis(50);
const UNCERTAIN: Millis = Millis(250);

/// A node, and what it has heard.
pub(crate) struct Membership {
    pub(crate) member: Member,
    /// When the last heartbeat left that was answered, by the stopwatch.
    beat_us: AtomicU64,
    /// How long it took.
    took_us: AtomicU64,
    heard: Mutex<Heard>,
}

/// What was heard with heartbeats.
#[derive(Clone, Default)]
pub(crate) struct Heard {
    revocation: u64,
    outage: u64,
    live: BTreeSet<NodeId>,
    /// When a node was last lost: whoever was there may have been seen until then.
    lost_at: Timestamp,
    outages: u64,
    /// Whether it is to be looked for what nobody watches: who is there has changed
    /// since the last time that succeeded. All nodes share that out among them, so all
    /// must do it again once they agree on who they are.
    must_adopt: bool,
}

impl Heard {
    /// Takes in what was heard. The nodes that were there and are no more.
    fn take(&mut self, pulse: &Pulse) -> Vec<NodeId> {
        let now = Timestamp(pulse.at_us / 1_000);
        let live: BTreeSet<NodeId> = pulse
            .nodes
            .iter()
            .filter(|node| node.is_live(now))
            .map(|node| node.id)
            .collect();
        let gone: Vec<NodeId> = self.live.difference(&live).copied().collect();
        // Also those that came and went between two heartbeats of ours.
        let left = pulse.nodes.iter().filter(|node| !live.contains(&node.id));
        // It may have served somebody for that long after it was last heard of.
        let lost_at = left.map(|node| node.seen_at + DEAD_AFTER).max();
        let lost_at = lost_at.unwrap_or_default();
        self.lost_at = self.lost_at.max(lost_at);
        self.must_adopt |= self.live != live;
        self.live = live;
        let newest = pulse.revocations.iter().map(|r| r.number).max();
        self.revocation = self.revocation.max(newest.unwrap_or(0));
        let newest = pulse.outages.iter().map(|(number, _)| *number).max();
        self.outage = self.outage.max(newest.unwrap_or(0));
        self.outages += pulse.outages.len() as u64;
        gone
    }
}

impl Membership {
    fn new(member: Member, heard: Heard, sent_us: u64) -> Membership {
        Membership {
            took_us: AtomicU64::new(member.time.stopwatch_us().saturating_sub(sent_us)),
            member,
            beat_us: AtomicU64::new(sent_us),
            heard: Mutex::new(heard),
        }
    }

    /// Makes the node known, and its time with it, before it decides anything.
    ///
    /// # Errors
    /// What the store says, or that the time cannot be told well enough.
    pub(crate) async fn begin(
        store: &Store,
        member: &Member,
        mut hear: impl FnMut(&Beat, &Pulse),
    ) -> Result<Membership, store::Error> {
        let mut heard = Heard::default();
        let mut sent_us = 0;
        // Only the best counts, and is the first that the time is told by: nobody has
        // looked at it yet, so it need not be moved slowly from a worse one.
        let mut best: Option<(u64, u64, u64)> = None;
        for count in 1..=FIRST_BEATS_MAX {
            sent_us = member.time.stopwatch_us();
            let said = heard.beat(member.node, None);
            let pulse = beat(store, said).await?;
            let received_us = member.time.stopwatch_us();
            heard.take(&pulse);
            hear(&said, &pulse);
            let trip = |(sent, received, _): (u64, u64, u64)| received.saturating_sub(sent);
            let sample = (sent_us, received_us, pulse.at_us);
            let shortest = best.map_or(sample, |best| {
                std::cmp::min_by_key(best, sample, |s| trip(*s))
            });
            best = Some(shortest);
            let half_us = trip(shortest) / 2;
            if count >= FIRST_BEATS && half_us <= u64::from(UNCERTAIN_AT_START.0 / 2) * 1_000 {
                break;
            }
        }
        if let Some((sent, received, at)) = best {
            member.time.sampled(sent, received, at);
        }
        let uncertain = member.time.uncertainty();
        if uncertain > UNCERTAIN_AT_START {
            return Err(store::Error::Unavailable(format!(
                "the store's clock cannot be read better than to {} ms; {} ms are needed to start",
                uncertain.0, UNCERTAIN_AT_START.0
            )));
        }
        Ok(Membership::new(member.clone(), heard, sent_us))
    }

    /// Whether the node may decide something: it was heard lately, and knows the time.
    pub(crate) fn is_current(&self) -> bool {
        self.unheard_us() < u64::from(SILENCE.0 - MARGIN.0) * 1_000
            && self.member.time.uncertainty() <= UNCERTAIN
    }

    /// Since when the store has not heard of the node, if that is too long to decide
    /// anything.
    pub(crate) fn unheard_since(&self, now: Timestamp) -> Option<Timestamp> {
        let since = now.0.saturating_sub(self.unheard_us() / 1_000);
        (!self.is_current()).then_some(Timestamp(since))
    }

    fn unheard_us(&self) -> u64 {
        let sent_us = self.beat_us.load(Ordering::Acquire);
        self.member.time.stopwatch_us().saturating_sub(sent_us)
    }

    /// The nodes that are there, this one too, in the order of their ids.
    pub(crate) fn live(&self) -> Vec<NodeId> {
        lock(&self.heard).live.iter().copied().collect()
    }

    /// Whether a table without anybody to watch it falls to this node. If not all
    /// agree on who is there, it falls to several, or to the next look at what is overdue.
    fn falls_to_us(&self, table: store::TableId) -> bool {
        let live = self.live();
        let rank = live.iter().position(|node| *node == self.member.node);
        rank.is_none_or(|rank| shard_of(table, live.len()) == rank)
    }
}

impl Heard {
    fn beat(&self, node: NodeId, down_since: Option<Timestamp>) -> Beat {
        Beat {
            node,
            down_since,
            revocation: self.revocation,
            outage: self.outage,
        }
    }
}

async fn beat(store: &Store, beat: Beat) -> Result<Pulse, store::Error> {
    let (tell, told) = oneshot::channel();
    // Whoever started may have given up meanwhile.
    store.beat(beat, Box::new(move |heard| drop(tell.send(heard))));
    let gone = || store::Error::Unavailable("the store is closing".into());
    told.await.unwrap_or_else(|_| Err(gone()))
}

impl<T: Table> Live<T> {
    /// A node among several: says that it is there, and hears what is new. Also
    /// what opens the gate again after the store failed.
    pub(crate) fn beat(&self, membership: &Membership) {
        let asked = self.now();
        if !self.begin_beat(asked) {
            return;
        }
        let gate = &self.inner.gate;
        let down_since = gate.shut_since();
        let failures = gate.failures();
        let sent_us = membership.member.time.stopwatch_us();
        let beat = lock(&membership.heard).beat(membership.member.node, down_since);
        let live = self.clone();
        self.inner.handles.store.beat(
            beat,
            Box::new(move |result| {
                live.end_beat();
                match result {
                    Ok(pulse) => live.heard(&beat, &pulse, asked, (sent_us, failures)),
                    Err(error) => {
                        tracing::error!(%error, "the heartbeat could not be written");
                        live.store_failed(asked);
                    }
                }
            }),
        );
    }

    fn heard(&self, beat: &Beat, pulse: &Pulse, asked: Timestamp, (sent_us, failures): (u64, u64)) {
        let Some(membership) = &self.inner.membership else {
            return;
        };
        let time = &membership.member.time;
        let received_us = time.stopwatch_us();
        time.sampled(sent_us, received_us, pulse.at_us);
        let gone = lock(&membership.heard).take(pulse);
        let outages: Vec<Outage> = pulse.outages.iter().map(|(_, outage)| *outage).collect();
        for outage in &outages {
            let lost_ms = outage.up_at.since(outage.down_since).0;
            tracing::warn!(lost_ms, "nobody was there: that time is given back");
        }
        // Outages first: whoever sees the heartbeat or the open gate knows of them.
        if self.inner.gate.heard(&outages, failures, self.now()) {
            tracing::warn!("the store works again");
        }
        membership.beat_us.fetch_max(sent_us, Ordering::AcqRel);
        let took_us = received_us.saturating_sub(sent_us);
        membership.took_us.store(took_us, Ordering::Relaxed);
        self.inner.handles.around.pulse(beat, pulse, asked);
        if !gone.is_empty() {
            tracing::warn!(?gone, "nodes are gone: what they watched is taken over");
        }
        if std::mem::take(&mut lock(&membership.heard).must_adopt) {
            self.adopt(membership);
        }
    }

    /// Takes over the deadlines of tables that no node watches any more.
    fn adopt(&self, membership: &Membership) {
        let live = self.clone();
        let nodes = membership.live();
        self.inner.handles.store.orphans(
            nodes,
            Box::new(move |found| match found {
                Ok(orphans) => {
                    let ours = orphans
                        .into_iter()
                        .filter(|due| live.falls_to_us(due.table));
                    live.arm_all(&ours.collect::<Vec<_>>());
                }
                // With the next heartbeat again.
                Err(error) => {
                    tracing::error!(%error, "nothing could be taken over");
                    if let Some(membership) = &live.inner.membership {
                        lock(&membership.heard).must_adopt = true;
                    }
                }
            }),
        );
    }

    /// What falls to this node of what nobody watches.
    pub(crate) fn falls_to_us(&self, table: store::TableId) -> bool {
        let membership = self.inner.membership.as_ref();
        membership.is_none_or(|membership| membership.falls_to_us(table))
    }

    /// Whether this node may decide anything: it was heard of lately.
    pub fn is_current(&self) -> bool {
        let membership = self.inner.membership.as_ref();
        membership.is_none_or(Membership::is_current)
    }

    /// Whether work that any node could do, and one is enough for, falls to this one:
    /// each knows it from who is there. While they do not agree on that, several do it
    /// or nobody does.
    pub fn has_share(&self, share: u64) -> bool {
        let nodes = self.nodes();
        let rank = nodes.iter().position(|node| *node == self.node());
        rank.is_none_or(|rank| share % nodes.len() as u64 == rank as u64)
    }

    /// The nodes that are there, if there can be several.
    pub fn nodes(&self) -> Vec<NodeId> {
        let membership = self.inner.membership.as_ref();
        membership.map(Membership::live).unwrap_or_default()
    }

    /// When a node was last lost, and with it what it knew of who is there.
    pub fn node_lost_at(&self) -> Timestamp {
        let membership = self.inner.membership.as_ref();
        membership.map_or(Timestamp::default(), |m| lock(&m.heard).lost_at)
    }

    /// How long the last heartbeat took, in microseconds, and how many outages
    /// were heard of.
    pub fn heartbeats(&self) -> (u64, u64) {
        let membership = self.inner.membership.as_ref();
        membership.map_or((0, 0), |membership| {
            let took_us = membership.took_us.load(Ordering::Relaxed);
            (took_us, lock(&membership.heard).outages)
        })
    }

    /// Says that this node makes no change any more.
    ///
    /// # Errors
    /// Why it may not be durable; then it counts as dead soon.
    pub async fn depart(&self) -> Result<(), store::Error> {
        let (Some(membership), Some(since)) =
            (&self.inner.membership, self.inner.gate.closed_since())
        else {
            return Ok(());
        };
        // One that could make no change before was not there before either.
        let since = self.refuses_since().map_or(since, |shut| shut.min(since));
        let store = &self.inner.handles.store;
        store.depart(membership.member.node, since).await
    }
}

impl<T: Table> Handles<T> {
    /// Introduces this node to the others, if there can be any.
    pub(crate) async fn introduce(&self) -> Result<Option<Membership>, store::Error> {
        let Some(member) = &self.member else {
            return Ok(None);
        };
        let hear = |beat: &Beat, pulse: &Pulse| self.around.pulse(beat, pulse, (self.now)());
        Ok(Some(Membership::begin(&self.store, member, hear).await?))
    }
}
