//! Webhooks in memory.

use std::collections::BTreeMap;

use chess::Timestamp;
use chess::table::PlayerId;

use super::contents::Contents;
use crate::webhooks::{BEHIND, CURSOR, next_shown};
use crate::{
    Backlog, Claim, Delivery, DeliveryState, EventKind, EventPlace, FannedOut, MovesWanted,
    NewWebhook, OutboxEvent, TableId, Then, Tried, Webhook,
};

#[derive(Clone, Default)]
pub(crate) struct Webhooks {
    webhooks: BTreeMap<u64, Webhook>,
    deliveries: BTreeMap<u64, Delivery>,
    last_webhook: u64,
    last_delivery: u64,
}

/// What is sent one after the other: of one table to one webhook.
type Line = (u64, Option<TableId>);

fn line(delivery: &Delivery) -> Line {
    (delivery.webhook, delivery.event.table)
}

impl Webhooks {
    pub(crate) fn add(&mut self, new: NewWebhook, max: u32) -> Option<Webhook> {
        if self.of(new.account).len() >= max as usize {
            return None;
        }
        self.last_webhook += 1;
        let webhook = new.numbered(self.last_webhook);
        self.webhooks.insert(webhook.id, webhook.clone());
        Some(webhook)
    }

    pub(crate) fn of(&self, account: PlayerId) -> Vec<Webhook> {
        let all = self.webhooks.values();
        all.filter(|it| it.account == account).cloned().collect()
    }

    pub(crate) fn of_all(&self, after: u64, limit: u32) -> Vec<Webhook> {
        let all = self.webhooks.values().filter(|it| it.id > after);
        all.take(limit as usize).cloned().collect()
    }

    pub(crate) fn by_id(&self, id: u64) -> Option<Webhook> {
        self.webhooks.get(&id).cloned()
    }

    fn own(&mut self, account: PlayerId, id: u64) -> Option<&mut Webhook> {
        let found = self.webhooks.get_mut(&id);
        found.filter(|webhook| webhook.account == account)
    }

    pub(crate) fn remove(&mut self, account: PlayerId, id: u64) -> bool {
        if self.own(account, id).is_none() {
            return false;
        }
        self.webhooks.remove(&id);
        self.deliveries.retain(|_, delivery| delivery.webhook != id);
        true
    }

    pub(crate) fn forget(&mut self, account: PlayerId) {
        for webhook in self.of(account) {
            self.remove(account, webhook.id);
        }
    }

    pub(crate) fn rotate(
        &mut self,
        account: PlayerId,
        id: u64,
        secret: &str,
        old_until: Timestamp,
    ) -> Option<Webhook> {
        let webhook = self.own(account, id)?;
        let old = std::mem::replace(&mut webhook.secret, secret.to_owned());
        webhook.old_secret = Some((old, old_until));
        Some(webhook.clone())
    }

    pub(crate) fn want_moves(&self) -> MovesWanted {
        let all = self.webhooks.values();
        all.filter(|webhook| webhook.kinds.has(EventKind::MovePlayed))
            .map(|webhook| (webhook.account, webhook.everything))
            .collect()
    }

    fn put(&mut self, webhook: u64, event: OutboxEvent, at: Timestamp) -> Delivery {
        self.last_delivery += 1;
        let delivery = Delivery::new(self.last_delivery, webhook, event, at);
        let mut kept = delivery.clone();
        if self.first_of(line(&delivery)).is_some() {
            kept.next_at = Timestamp(BEHIND.unsigned_abs());
        }
        self.deliveries.insert(kept.id, kept);
        delivery
    }

    /// The first that waits in a line.
    fn first_of(&mut self, of: Line) -> Option<&mut Delivery> {
        let mut all = self.deliveries.values_mut();
        all.find(|it| it.state == DeliveryState::Waiting && line(it) == of)
    }

    /// The first of a line is due, now that what was before it is gone.
    fn go_on(&mut self, of: Line, at: Timestamp) {
        let first = self.first_of(of);
        if let Some(first) = first.filter(|it| it.next_at.0 == BEHIND.unsigned_abs()) {
            first.next_at = at;
        }
    }

    pub(crate) fn claim(&mut self, claim: &Claim) -> Vec<Delivery> {
        let mut heads: BTreeMap<Line, &Delivery> = BTreeMap::new();
        let waiting = self.deliveries.values();
        for it in waiting.filter(|it| it.state == DeliveryState::Waiting) {
            heads.entry(line(it)).or_insert(it);
        }
        let mut due: Vec<&Delivery> = heads
            .into_values()
            .filter(|it| it.next_at <= claim.now && it.claimed_until <= claim.now)
            .filter(|it| !claim.except.contains(&it.webhook))
            .collect();
        due.sort_by_key(|it| (it.next_at, it.id));
        let mut many: BTreeMap<u64, u32> = BTreeMap::new();
        due.retain(|it| {
            let many = many.entry(it.webhook).or_default();
            *many += 1;
            *many <= claim.per_webhook
        });
        let owner = |webhook: &u64| self.webhooks.get(webhook).map(|it| it.account);
        let mut busy: BTreeMap<PlayerId, u32> = BTreeMap::new();
        for account in claim.in_hand.iter().filter_map(owner) {
            *busy.entry(account).or_default() += 1;
        }
        due.retain(|it| {
            let Some(account) = owner(&it.webhook) else {
                return false;
            };
            let many = busy.entry(account).or_default();
            *many += 1;
            *many <= claim.per_account
        });
        let ids: Vec<u64> = due
            .iter()
            .take(claim.limit as usize)
            .map(|it| it.id)
            .collect();
        let take = |id: u64| {
            let delivery = self.deliveries.get_mut(&id)?;
            delivery.claimed_until = claim.until;
            delivery.tries += 1;
            Some(delivery.clone())
        };
        ids.into_iter().filter_map(take).collect()
    }

    pub(crate) fn settle(&mut self, tried: &Tried) -> bool {
        let Some(delivery) = self.deliveries.get_mut(&tried.delivery) else {
            return false;
        };
        let is_ours = delivery.claimed_until == tried.claimed_until;
        if delivery.state != DeliveryState::Waiting || !(is_ours || tried.then == Then::Delivered) {
            return false;
        }
        delivery.state = tried.then.state();
        delivery.claimed_until = Timestamp(0);
        delivery.status = tried.status;
        delivery.error.clone_from(&tried.error);
        delivery.tries -= u32::from(tried.then.taken_back()).min(delivery.tries);
        delivery.next_at = tried.then.next_at().unwrap_or(tried.at);
        if tried.then.next_at().is_none() {
            delivery.ended_at = Some(tried.at);
            let of = line(delivery);
            self.go_on(of, tried.at);
        }
        true
    }

    pub(crate) fn release(&mut self) {
        let all = self.deliveries.values_mut();
        all.for_each(|delivery| delivery.claimed_until = Timestamp(0));
    }

    pub(crate) fn deliveries(
        &self,
        webhook: u64,
        before: Option<u64>,
        limit: u32,
    ) -> Vec<Delivery> {
        let before = self.deliveries.range(..before.unwrap_or(u64::MAX));
        let newest = before.rev().map(|(_, delivery)| delivery);
        let theirs = newest.filter(|delivery| delivery.webhook == webhook);
        let shown = theirs.map(|delivery| Delivery {
            next_at: next_shown(delivery.next_at, delivery.created_at),
            ..delivery.clone()
        });
        shown.take(limit as usize).collect()
    }

    pub(crate) fn redeliver(&mut self, webhook: u64, id: u64, now: Timestamp) -> Option<Delivery> {
        let before = self.deliveries.get(&id)?;
        let event = (before.webhook == webhook).then_some(before.event)?;
        Some(self.put(webhook, event, now))
    }

    pub(crate) fn backlog(&self) -> Backlog {
        let all = self.deliveries.values();
        let waiting = all.filter(|it| it.state == DeliveryState::Waiting);
        let at: Vec<Timestamp> = waiting.map(|it| it.created_at).collect();
        Backlog {
            waiting: at.len() as u64,
            oldest: at.into_iter().min(),
        }
    }

    pub(crate) fn purge(&mut self, before: Timestamp, limit: u32) -> u64 {
        let old = self.deliveries.values().filter(|it| it.created_at < before);
        let old: Vec<u64> = old.map(|it| it.id).take(limit as usize).collect();
        for id in &old {
            if let Some(gone) = self.deliveries.remove(id) {
                self.go_on(line(&gone), before);
            }
        }
        old.len() as u64
    }
}

impl Contents {
    pub(crate) fn fan_out(&mut self, now: Timestamp, limit: u32) -> FannedOut {
        let Some(from) = self.outbox.cursor(CURSOR) else {
            let end = self.outbox.end();
            self.outbox.move_cursor(CURSOR, None, end);
            return FannedOut::default();
        };
        let events = self.outbox.after(from.id).take(limit as usize);
        let events: Vec<OutboxEvent> = events.copied().collect();
        let mut fanned = FannedOut {
            events: events.len() as u32,
            deliveries: 0,
        };
        let mut to: EventPlace = from;
        for event in events {
            to = event.place;
            let all = self.webhooks.webhooks.values();
            let wanting = all.filter(|webhook| self.is_for(webhook, &event));
            let wanting: Vec<u64> = wanting.map(|webhook| webhook.id).collect();
            for webhook in wanting {
                self.webhooks.put(webhook, event, now);
                fanned.deliveries += 1;
            }
        }
        self.outbox.move_cursor(CURSOR, Some(from), to);
        fanned
    }

    fn is_for(&self, webhook: &Webhook, event: &OutboxEvent) -> bool {
        let owner = self.people.by_number(webhook.account);
        let owner = owner.filter(|it| it.deleted_at.is_none() && it.barred_at.is_none());
        let is_theirs = || {
            let seats = event.table.map(|table| self.seats_of(table));
            event.kind != EventKind::PlayerReported
                && seats.is_some_and(|seats| seats.contains(&webhook.account))
        };
        owner.is_some_and(|owner| {
            webhook.kinds.has(event.kind)
                && match webhook.everything {
                    true => owner.is_admin,
                    false => is_theirs(),
                }
        })
    }
}
