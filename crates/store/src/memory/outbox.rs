//! The outbox in memory.

use std::collections::BTreeMap;

use chess::Timestamp;

use super::contents::Contents;
use crate::{Change, EventKind, EventPlace, OutboxEvent, OutboxPage, OutboxQuery, Report, TableId};

#[derive(Clone, Default)]
pub(crate) struct Outbox {
    events: BTreeMap<u64, OutboxEvent>,
    /// How many there have been.
    many: u64,
    cursors: BTreeMap<String, EventPlace>,
    leases: BTreeMap<String, (u64, Timestamp)>,
}

impl Outbox {
    pub(crate) fn put(
        &mut self,
        kind: EventKind,
        at: Timestamp,
        table: Option<TableId>,
        version: u32,
    ) {
        self.many += 1;
        let event = OutboxEvent {
            place: EventPlace {
                xid: 0,
                id: self.many,
            },
            at,
            kind,
            table,
            version,
            report: None,
        };
        self.events.insert(self.many, event);
    }

    /// Tells that somebody was reported.
    pub(crate) fn tell_of_report(&mut self, report: &Report) {
        self.put(EventKind::PlayerReported, report.at, report.table, 0);
        if let Some(event) = self.events.get_mut(&self.many) {
            event.report = Some(report.id);
        }
    }

    /// Those after that number.
    pub(super) fn after(&self, id: u64) -> impl Iterator<Item = &OutboxEvent> {
        self.events
            .range(id.saturating_add(1)..)
            .map(|(_, event)| event)
    }

    pub(crate) fn end(&self) -> EventPlace {
        let newest = self.events.values().next_back();
        newest.map_or(EventPlace::START, |event| event.place)
    }

    pub(crate) fn cursor(&self, name: &str) -> Option<EventPlace> {
        self.cursors.get(name).copied()
    }

    pub(crate) fn move_cursor(
        &mut self,
        name: &str,
        from: Option<EventPlace>,
        to: EventPlace,
    ) -> bool {
        if self.cursor(name) != from {
            return false;
        }
        self.cursors.insert(name.to_owned(), to);
        true
    }

    pub(crate) fn lease(
        &mut self,
        name: &str,
        holder: u64,
        now: Timestamp,
        until: Timestamp,
    ) -> bool {
        let is_free = |(held_by, ends): &(u64, Timestamp)| *held_by == holder || *ends <= now;
        let is_ours = self.leases.get(name).is_none_or(is_free);
        if is_ours {
            self.leases.insert(name.to_owned(), (holder, until));
        }
        is_ours
    }

    pub(crate) fn purge(&mut self, before: Timestamp, limit: u32) -> u64 {
        let old = self.events.values().filter(|event| event.at < before);
        let old: Vec<u64> = old.map(|e| e.place.id).take(limit as usize).collect();
        for id in &old {
            self.events.remove(id);
        }
        old.len() as u64
    }
}

impl Contents {
    /// Tells what a change says is to be told, and changes ratings if it means anything
    /// for them.
    pub(super) fn tell(&mut self, change: &Change) {
        let mut put = |kind| {
            let table = Some(change.table);
            self.outbox.put(kind, change.at, table, change.version);
        };
        change.tells.iter().for_each(&mut put);
        let rates = change.rates.as_ref();
        if rates.is_some_and(|rates| self.ratings.apply(change, rates)) {
            put(EventKind::RatingChanged);
        }
    }

    pub(crate) fn outbox(&self, query: &OutboxQuery) -> OutboxPage {
        let is_theirs = |event: &OutboxEvent| {
            query.player.is_none_or(|player| {
                let seats = event.table.map(|table| self.seats_of(table));
                seats.is_some_and(|seats| seats.contains(&player))
            })
        };
        let after = match query.after.xid {
            0 => query.after.id,
            _ => u64::MAX,
        };
        let seen = self.outbox.after(after).take(query.limit as usize);
        let seen = seen.map(|event| (*event, is_theirs(event))).collect();
        OutboxPage::of(query, seen)
    }
}
