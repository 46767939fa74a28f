//! Whom to tell, where, and what was told, in memory.

use std::collections::BTreeMap;

use chess::Timestamp;
use chess::table::PlayerId;

use crate::notifications::folded;
use crate::{
    Address, Channel, Held, MailPurpose, MailToken, NewNotification, Notification,
    NotificationClaim, OutboxStep, Settled, Subscription,
};

#[derive(Clone, Default)]
pub(crate) struct Told {
    secrets: BTreeMap<String, Vec<u8>>,
    addresses: BTreeMap<PlayerId, Address>,
    tokens: BTreeMap<[u8; 32], MailToken>,
    settings: BTreeMap<PlayerId, String>,
    subscriptions: BTreeMap<u64, Subscription>,
    last_subscription: u64,
    records: BTreeMap<u64, Record>,
    last_record: u64,
    cursors: BTreeMap<String, Reader>,
}

#[derive(Clone)]
struct Record {
    known: Notification,
    done_at: Option<Timestamp>,
    is_sent: bool,
}

#[derive(Clone)]
struct Reader {
    place: String,
    holder: u64,
    until: Timestamp,
}

impl Told {
    pub(crate) fn secret(&mut self, name: &str, new: &[u8]) -> Vec<u8> {
        let known = self.secrets.entry(name.to_owned());
        known.or_insert_with(|| new.to_vec()).clone()
    }

    pub(crate) fn address(&self, account: PlayerId) -> Option<Address> {
        self.addresses.get(&account).cloned()
    }

    pub(crate) fn set_address(&mut self, account: PlayerId, address: Address) {
        self.addresses.insert(account, address);
    }

    /// Whose address that was when it was confirmed.
    pub(crate) fn confirmed_at(&self, email: &str) -> Vec<(PlayerId, String)> {
        let is_it =
            |known: &Address| known.confirmed_at.is_some() && folded(&known.email) == folded(email);
        let found = self.addresses.iter().filter(|(_, known)| is_it(known));
        found
            .map(|(who, known)| (*who, known.email.clone()))
            .collect()
    }

    pub(crate) fn add_token(&mut self, new: MailToken) {
        self.tokens.insert(new.hash, new);
    }

    pub(crate) fn token(&self, hash: &[u8; 32]) -> Option<MailToken> {
        self.tokens.get(hash).cloned()
    }

    pub(crate) fn take_token(&mut self, hash: &[u8; 32]) -> bool {
        let Some(taken) = self.tokens.remove(hash) else {
            return false;
        };
        self.drop_tokens(taken.account, taken.purpose);
        true
    }

    pub(crate) fn drop_tokens(&mut self, account: PlayerId, purpose: MailPurpose) {
        self.tokens
            .retain(|_, token| (token.account, token.purpose) != (account, purpose));
    }

    pub(crate) fn settings(&self, account: PlayerId) -> Option<String> {
        self.settings.get(&account).cloned()
    }

    pub(crate) fn set_settings(&mut self, account: PlayerId, text: String) {
        self.settings.insert(account, text);
    }

    pub(crate) fn subscribe(&mut self, new: Subscription, most: u32) -> u64 {
        let known = self.subscriptions.values_mut();
        let same = known.into_iter().find(|some| some.endpoint == new.endpoint);
        let account = new.account;
        let id = match same {
            Some(known) => {
                (known.account, known.p256dh, known.auth) = (new.account, new.p256dh, new.auth);
                known.id
            }
            None => {
                self.last_subscription += 1;
                let id = self.last_subscription;
                self.subscriptions.insert(id, Subscription { id, ..new });
                id
            }
        };
        let theirs = self.subscriptions(account);
        let too_many = theirs.len().saturating_sub(most as usize);
        let others = theirs.iter().filter(|some| some.id != id);
        for old in others.take(too_many) {
            self.subscriptions.remove(&old.id);
        }
        id
    }

    pub(crate) fn unsubscribe(&mut self, account: Option<PlayerId>, id: u64) -> bool {
        let is_theirs = |known: &Subscription| account.is_none_or(|who| who == known.account);
        match self.subscriptions.get(&id).is_some_and(is_theirs) {
            true => self.subscriptions.remove(&id).is_some(),
            false => false,
        }
    }

    pub(crate) fn subscriptions(&self, account: PlayerId) -> Vec<Subscription> {
        let all = self.subscriptions.values();
        all.filter(|some| some.account == account)
            .cloned()
            .collect()
    }

    pub(crate) fn take_cursor(
        &mut self,
        name: &str,
        holder: u64,
        now: Timestamp,
        until: Timestamp,
    ) -> Option<String> {
        let reader = self.cursors.entry(name.to_owned()).or_insert(Reader {
            place: String::new(),
            holder,
            until,
        });
        if reader.holder != holder && reader.until > now {
            return None;
        }
        (reader.holder, reader.until) = (holder, until);
        Some(reader.place.clone())
    }

    /// Whether it was written, and whose streams have something new.
    pub(crate) fn add(
        &mut self,
        step: Option<&OutboxStep>,
        new: Vec<NewNotification>,
    ) -> (bool, Vec<PlayerId>) {
        if let Some(step) = step {
            let reader = self.cursors.get_mut(&step.name);
            match reader.filter(|r| r.holder == step.holder && r.place == step.from) {
                Some(reader) => reader.place.clone_from(&step.to),
                None => return (false, Vec::new()),
            }
        }
        let mut told = Vec::new();
        for what in new {
            if self.records.values().any(|r| r.known.what.key == what.key) {
                continue;
            }
            self.last_record += 1;
            let is_told = what.channel == Channel::Stream;
            told.extend(is_told.then_some(what.account));
            let record = Record {
                done_at: is_told.then_some(what.at),
                is_sent: is_told,
                known: Notification {
                    id: self.last_record,
                    what,
                    tries: 0,
                    claimed_until: Timestamp(0),
                    is_tried: false,
                },
            };
            self.records.insert(self.last_record, record);
        }
        (true, told)
    }

    pub(crate) fn claim(&mut self, claim: &NotificationClaim) -> Vec<Notification> {
        let all = self.records.values();
        let told_so: Vec<&Record> = all
            .filter(|record| record.known.what.channel == claim.channel)
            .collect();
        let mut many: BTreeMap<PlayerId, u32> = BTreeMap::new();
        for busy in told_so.iter().filter(|record| record.is_busy(claim.now)) {
            *many.entry(busy.known.what.account).or_default() += 1;
        }
        let due = told_so.iter().filter_map(|record| record.due(claim.now));
        let mut due: Vec<(Timestamp, u64, PlayerId)> = due.collect();
        due.sort_unstable();
        due.retain(|(_, _, account)| {
            let many = many.entry(*account).or_default();
            *many += 1;
            *many <= claim.per_account
        });
        due.truncate(claim.limit as usize);
        let ids: Vec<u64> = due.into_iter().map(|(_, id, _)| id).collect();
        self.claim_these(ids, claim.until, true)
    }

    pub(crate) fn claim_alike(
        &mut self,
        account: PlayerId,
        kind: &str,
        channel: Channel,
        now: Timestamp,
        until: Timestamp,
    ) -> Vec<Notification> {
        let is_alike = |record: &&Record| {
            let what = &record.known.what;
            record.is_free(now)
                && (what.account, &*what.kind, what.channel) == (account, kind, channel)
        };
        let ids = self.records.values().filter(is_alike).map(|r| r.known.id);
        self.claim_these(ids.collect(), until, false)
    }

    fn claim_these(
        &mut self,
        mut ids: Vec<u64>,
        until: Timestamp,
        is_tried: bool,
    ) -> Vec<Notification> {
        ids.sort_unstable();
        let mut claimed = Vec::with_capacity(ids.len());
        for id in ids {
            if let Some(record) = self.records.get_mut(&id) {
                record.known.claimed_until = until;
                record.known.tries += u32::from(is_tried);
                claimed.push(Notification {
                    is_tried,
                    ..record.known.clone()
                });
            }
        }
        claimed
    }

    pub(crate) fn settle(&mut self, held: &[Held], settled: Settled) {
        for held in held {
            let record = self.records.get_mut(&held.id);
            let is_told = matches!(settled, Settled::Sent(_));
            let is_ours = |record: &Record| record.known.claimed_until == held.until;
            let counts =
                |record: &&mut Record| record.done_at.is_none() && (is_told || is_ours(record));
            let Some(record) = record.filter(counts) else {
                continue;
            };
            match settled {
                Settled::Sent(at) => (record.done_at, record.is_sent) = (Some(at), true),
                Settled::Dropped(at) => record.done_at = Some(at),
                Settled::Later(at) | Settled::Put(at) => {
                    record.known.what.due_at = at;
                    record.known.claimed_until = Timestamp(0);
                    let is_put = matches!(settled, Settled::Put(_));
                    record.known.tries -= u32::from(is_put && held.is_tried);
                }
            }
        }
    }

    pub(crate) fn release(&mut self) {
        let waiting = self.records.values_mut().filter(|r| r.done_at.is_none());
        waiting.for_each(|record| record.known.claimed_until = Timestamp(0));
    }

    pub(crate) fn streamed(&self, account: PlayerId, after: u64, limit: u32) -> Vec<Notification> {
        let told = self.streams(account).filter(|known| known.id > after);
        told.take(limit as usize).cloned().collect()
    }

    pub(crate) fn last_streamed(&self, account: PlayerId) -> u64 {
        self.streams(account).last().map_or(0, |known| known.id)
    }

    fn streams(&self, account: PlayerId) -> impl Iterator<Item = &Notification> {
        let known = self.records.values().map(|record| &record.known);
        known.filter(move |k| k.what.account == account && k.what.channel == Channel::Stream)
    }

    pub(crate) fn last_sent(
        &self,
        account: PlayerId,
        kind: &str,
        channel: Channel,
    ) -> Option<Timestamp> {
        let is_it = |record: &&Record| {
            let what = &record.known.what;
            record.is_sent && (what.account, &*what.kind, what.channel) == (account, kind, channel)
        };
        let sent = self.records.values().filter(is_it);
        sent.filter_map(|record| record.done_at).max()
    }

    pub(crate) fn oldest_due(&self) -> Option<Timestamp> {
        let waiting = self.records.values().filter(|r| r.done_at.is_none());
        waiting.map(|record| record.known.what.due_at).min()
    }

    pub(crate) fn purge(&mut self, before: Timestamp) -> u64 {
        let known = self.records.len();
        self.records
            .retain(|_, record| record.done_at.is_none_or(|at| at >= before));
        (known - self.records.len()) as u64
    }

    pub(crate) fn purge_tokens(&mut self, before: Timestamp) -> u64 {
        let known = self.tokens.len();
        self.tokens.retain(|_, token| token.expires_at >= before);
        (known - self.tokens.len()) as u64
    }

    /// The account was deleted.
    pub(crate) fn forget(&mut self, who: PlayerId) {
        self.addresses.remove(&who);
        self.settings.remove(&who);
        self.tokens.retain(|_, token| token.account != who);
        self.subscriptions.retain(|_, some| some.account != who);
        self.records.retain(|_, r| r.known.what.account != who);
    }
}

impl Record {
    fn is_free(&self, now: Timestamp) -> bool {
        self.done_at.is_none() && self.known.claimed_until <= now
    }

    fn is_busy(&self, now: Timestamp) -> bool {
        self.done_at.is_none() && self.known.claimed_until > now
    }

    fn due(&self, now: Timestamp) -> Option<(Timestamp, u64, PlayerId)> {
        let (due_at, account) = (self.known.what.due_at, self.known.what.account);
        (self.is_free(now) && due_at <= now).then_some((due_at, self.known.id, account))
    }
}
