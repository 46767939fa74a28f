//! Where events are sent to, and what became of each.

use std::collections::HashSet;

use chess::Timestamp;
use chess::table::PlayerId;

use crate::{EventKind, EventKinds, OutboxEvent};

/// An address that somebody wants events to be sent to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewWebhook {
    /// Whose.
    pub account: PlayerId,
    /// Where to.
    pub url: String,
    /// Which events.
    pub kinds: EventKinds,
    /// Of all games, and reports: as long as its owner is an administrator. Else of their
    /// own games.
    pub everything: bool,
    /// What deliveries are signed with.
    pub secret: String,
    /// When.
    pub at: Timestamp,
}

/// The same with its number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Webhook {
    /// Its number.
    pub id: u64,
    /// Whose.
    pub account: PlayerId,
    /// Where to.
    pub url: String,
    /// Which events.
    pub kinds: EventKinds,
    /// Of all games.
    pub everything: bool,
    /// What deliveries are signed with.
    pub secret: String,
    /// The secret before, and until when deliveries are signed with it too.
    pub old_secret: Option<(String, Timestamp)>,
    /// When it was made.
    pub created_at: Timestamp,
}

/// Whose moves webhooks want to be told of, one by one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MovesWanted {
    /// Of every game.
    pub of_all: bool,
    /// Of the games of these players.
    pub of: HashSet<PlayerId>,
}

impl FromIterator<(PlayerId, bool)> for MovesWanted {
    /// From the owners of webhooks, each with whether it is for everything.
    fn from_iter<I: IntoIterator<Item = (PlayerId, bool)>>(owners: I) -> MovesWanted {
        let mut wanted = MovesWanted::default();
        for (owner, everything) in owners {
            match everything {
                true => wanted.of_all = true,
                false => drop(wanted.of.insert(owner)),
            }
        }
        wanted
    }
}

impl NewWebhook {
    pub(crate) fn numbered(self, id: u64) -> Webhook {
        Webhook {
            id,
            account: self.account,
            url: self.url,
            kinds: self.kinds,
            everything: self.everything,
            secret: self.secret,
            old_secret: None,
            created_at: self.at,
        }
    }
}

/// Where a delivery stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DeliveryState {
    /// It is to be tried, for the first time or again.
    Waiting,
    /// The target took it.
    Delivered,
    /// It was tried often enough.
    Dead,
}

impl DeliveryState {
    /// Its name in the store and on the wire.
    pub const fn name(self) -> &'static str {
        match self {
            DeliveryState::Waiting => "waiting",
            DeliveryState::Delivered => "delivered",
            DeliveryState::Dead => "dead",
        }
    }

    pub(crate) fn named(name: &str) -> Option<DeliveryState> {
        let all = [
            DeliveryState::Waiting,
            DeliveryState::Delivered,
            DeliveryState::Dead,
        ];
        all.into_iter().find(|state| state.name() == name)
    }
}

/// An event on its way to a webhook.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Delivery {
    /// Its number: those of one webhook and table are sent in this order.
    pub id: u64,
    /// To which webhook.
    pub webhook: u64,
    /// What.
    pub event: OutboxEvent,
    /// Where it stands.
    pub state: DeliveryState,
    /// How often it was tried.
    pub tries: u32,
    /// When it is tried next. Behind others of its line it is when it was put there.
    pub next_at: Timestamp,
    /// Until when somebody tries it, if so: it is tried by one at a time.
    pub claimed_until: Timestamp,
    /// What the target answered last.
    pub status: Option<u16>,
    /// Why it gave no answer.
    pub error: Option<String>,
    /// When it was put in line.
    pub created_at: Timestamp,
    /// When it was delivered, or given up.
    pub ended_at: Option<Timestamp>,
}

impl Delivery {
    /// An event that is put in line.
    pub(crate) fn new(id: u64, webhook: u64, event: OutboxEvent, at: Timestamp) -> Delivery {
        Delivery {
            id,
            webhook,
            event,
            state: DeliveryState::Waiting,
            tries: 0,
            next_at: at,
            claimed_until: Timestamp(0),
            status: None,
            error: None,
            created_at: at,
            ended_at: None,
        }
    }
}

/// Which deliveries to take in hand, and for how long.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claim {
    /// Those that are due at this time.
    pub now: Timestamp,
    /// After that somebody else may.
    pub until: Timestamp,
    /// At most so many.
    pub limit: u32,
    /// At most so many of one webhook.
    pub per_webhook: u32,
    /// At most so many of the webhooks of one account, with those in hand.
    pub per_account: u32,
    /// The webhooks of those that whoever asks has in hand: one for each of these.
    pub in_hand: Vec<u64>,
    /// None of these webhooks.
    pub except: Vec<u64>,
}

/// What came of a try.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tried {
    /// The delivery, as it was claimed.
    pub delivery: u64,
    /// Its claim.
    pub claimed_until: Timestamp,
    /// When it ended.
    pub at: Timestamp,
    /// What the target answered.
    pub status: Option<u16>,
    /// Why it gave no answer.
    pub error: Option<String>,
    /// What becomes of it.
    pub then: Then,
}

/// What becomes of a delivery after a try.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Then {
    /// It was delivered.
    Delivered,
    /// It is tried again at that time.
    Again(Timestamp),
    /// Nothing was sent, for a reason that is ours: it is tried at that time, and this one
    /// does not count as a try.
    Postponed(Timestamp),
    /// It is given up.
    Dead,
}

impl Then {
    pub(crate) fn state(self) -> DeliveryState {
        match self {
            Then::Delivered => DeliveryState::Delivered,
            Then::Again(_) | Then::Postponed(_) => DeliveryState::Waiting,
            Then::Dead => DeliveryState::Dead,
        }
    }

    /// When it is tried next, if it is; nothing if it has ended.
    pub(crate) fn next_at(self) -> Option<Timestamp> {
        match self {
            Then::Again(next_at) | Then::Postponed(next_at) => Some(next_at),
            Then::Delivered | Then::Dead => None,
        }
    }

    /// So many tries are taken back.
    pub(crate) fn taken_back(self) -> u8 {
        u8::from(matches!(self, Then::Postponed(_)))
    }
}

/// What putting events in line came to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FannedOut {
    /// So many events were looked at.
    pub events: u32,
    /// So many deliveries came of them.
    pub deliveries: u64,
}

/// What is still to be delivered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Backlog {
    /// How many.
    pub waiting: u64,
    /// When the oldest of them was put in line.
    pub oldest: Option<Timestamp>,
}

/// The name of the cursor of those who put events in line.
pub(crate) const CURSOR: &str = "webhooks";

/// The line of what is about no table.
pub(crate) const NO_TABLE: i64 = -1;

/// When a delivery is due that is behind another of its line: only the first has a time, so
/// that those who look for what is due do not see all that waits.
pub(crate) const BEHIND: i64 = i64::MAX;

/// When a delivery is tried next, as others are shown it.
pub(crate) fn next_shown(next_at: Timestamp, created_at: Timestamp) -> Timestamp {
    match next_at.0 == BEHIND.unsigned_abs() {
        true => created_at,
        false => next_at,
    }
}

/// The bit of a row's kind, in SQL: `o.type` is its name.
pub(crate) fn bit_of_type() -> String {
    let bit = |kind: EventKind| {
        let bit = EventKinds::NONE.with(kind).bits();
        format!("WHEN '{kind}' THEN {bit}")
    };
    let cases: Vec<String> = EventKind::ALL.into_iter().map(bit).collect();
    format!("CASE o.type {} ELSE 0 END", cases.join(" "))
}
