//! The servers that share a store in memory: as PostgreSQL's function `heartbeat`
//! has it.

use std::collections::BTreeMap;

use chess::Timestamp;
use chess::table::{Outage, PlayerId};

use super::contents::Contents;
use crate::{Beat, DEAD_AFTER, Due, Error, Node, NodeId, Pulse, SILENCE, TableId};

/// What a store in memory knows of those who share it.
#[derive(Clone, Default)]
pub(crate) struct Nodes {
    known: BTreeMap<NodeId, Known>,
    last: u32,
    /// Who made the last change of each table.
    writers: BTreeMap<TableId, NodeId>,
    /// The last change that each made.
    signs: BTreeMap<NodeId, Timestamp>,
    outages: Vec<Outage>,
    /// The store's clock.
    pub(crate) now_us: u64,
}

#[derive(Clone)]
struct Known {
    name: String,
    seen_at: Option<Timestamp>,
    left_at: Option<Timestamp>,
}

impl Nodes {
    /// A node made a change.
    pub(crate) fn wrote(&mut self, node: NodeId, table: TableId, at: Timestamp) {
        self.writers.insert(table, node);
        let sign = self.signs.entry(node).or_default();
        *sign = at.max(*sign);
    }

    fn now(&self) -> Timestamp {
        Timestamp(self.now_us / 1_000)
    }

    /// Whether another node counts as being there.
    fn is_alone(&self, node: NodeId) -> bool {
        let now = self.now();
        let is_live = |known: &Known| {
            let seen = known.seen_at.filter(|_| known.left_at.is_none());
            seen.is_some_and(|seen| now.since(seen) < DEAD_AFTER)
        };
        let mut others = self.known.iter().filter(|(id, _)| **id != node);
        !others.any(|(_, known)| is_live(known))
    }

    /// The last moment at which somebody is known to have been there.
    fn last_sign(&self, beat: Beat, alive_at: Option<Timestamp>) -> Option<Timestamp> {
        let others = self.known.iter().filter(|(id, _)| **id != beat.node);
        let others = others.filter_map(|(_, known)| known.left_at.or(known.seen_at));
        let signs = self.signs.iter();
        let signs = signs.filter(|(id, _)| **id != beat.node || beat.down_since.is_none());
        let own = self.known.get(&beat.node).and_then(|known| known.seen_at);
        let own = own.map(|seen| beat.down_since.map_or(seen, |since| seen.min(since)));
        others
            .chain(signs.map(|(_, at)| *at))
            .chain(alive_at)
            .chain(own)
            .max()
    }
}

impl Contents {
    pub(crate) fn join(&mut self, name: &str) -> NodeId {
        self.nodes.last += 1;
        let node = NodeId(self.nodes.last);
        let known = Known {
            name: name.to_owned(),
            seen_at: None,
            left_at: None,
        };
        self.nodes.known.insert(node, known);
        node
    }

    pub(crate) fn beat(&mut self, beat: Beat) -> Result<Pulse, Error> {
        let now = self.nodes.now();
        let own = self.nodes.known.get(&beat.node);
        let Some(own) = own.filter(|own| own.left_at.is_none()) else {
            let gone = "this node is not known any more";
            return Err(Error::Unavailable(gone.into()));
        };
        let is_first = own.seen_at.is_none() || beat.down_since.is_some();
        let is_alone = self.nodes.is_alone(beat.node);
        if let Some(last) = self.nodes.last_sign(beat, self.alive_at()) {
            let is_silent = now.since(last) >= SILENCE;
            if is_silent || (is_first && is_alone && now > last) {
                let outage = Outage {
                    down_since: last,
                    up_at: now,
                };
                self.note_outage(outage);
                self.nodes.outages.push(outage);
            }
        }
        if let Some(own) = self.nodes.known.get_mut(&beat.node) {
            own.seen_at = Some(now);
        }
        Ok(self.pulse(beat))
    }

    fn pulse(&self, beat: Beat) -> Pulse {
        let outages = (1..).zip(self.nodes.outages.iter().copied());
        let nodes = self.nodes.known.iter().filter_map(|(id, known)| {
            Some(Node {
                id: *id,
                name: known.name.clone(),
                seen_at: known.left_at.or(known.seen_at)?,
                has_left: known.left_at.is_some(),
            })
        });
        Pulse {
            at_us: self.nodes.now_us,
            nodes: nodes.collect(),
            revocations: self.revocations_since(beat.revocation),
            outages: outages.filter(|(n, _)| *n > beat.outage).collect(),
        }
    }

    pub(crate) fn depart(&mut self, node: NodeId, since: Timestamp) {
        if let Some(known) = self.nodes.known.get_mut(&node) {
            known.left_at.get_or_insert(since);
        }
    }

    pub(crate) fn current_of(
        &self,
        players: &[PlayerId],
        since: Timestamp,
    ) -> Vec<(PlayerId, TableId, u32)> {
        let mut found = Vec::new();
        for table in self.current(since) {
            let seats = self.seats_of(table);
            let theirs = players.iter().filter(|player| seats.contains(player));
            let version = self.version(table).unwrap_or(0);
            found.extend(theirs.map(|player| (*player, table, version)));
        }
        found
    }

    pub(crate) fn orphans(&self, live: &[NodeId]) -> Vec<Due> {
        let mut due = self.due();
        let writer = |table| self.nodes.writers.get(&table).copied().unwrap_or_default();
        due.retain(|due| !live.contains(&writer(due.table)));
        due
    }
}
