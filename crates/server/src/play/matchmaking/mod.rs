//! Waiting for an opponent, and being found one.
//!
//! Who waits has a ticket in the store ([`queue`]). Every node looks at those who
//! wait again and again (`rounds`); which two play each other is decided by
//! `chess::pairing`, and counts once the store has made their game of both tickets.
//! [`seeks`] are for those who wait for as long as they hold on.

mod candidates;
mod opening;
pub mod queue;
pub mod rounds;
pub(crate) mod seeks;
mod waits;

use std::collections::HashMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use chess::pairing::Policy;
use chess::{Millis, Timestamp};
use tokio::sync::{Notify, watch};

use self::seeks::Seeks;
use self::waits::Waits;
use crate::lock::lock;
use crate::settings::Settings;

/// For how long somebody counts as being there after their last request or stream.
const GONE_AFTER: Millis = Millis::from_secs(30);

/// What a node knows of those who wait, besides what the store does.
pub struct Matchmaker {
    /// What the pools promise.
    policy: Policy,
    /// Somebody new waits.
    wake: Notify,
    /// Something has become of some of them.
    rounds: watch::Sender<u64>,
    /// When this node was last asked for a ticket.
    asked: Mutex<HashMap<u64, Timestamp>>,
    /// How many waited at the last look.
    waiting: AtomicUsize,
    waits: Waits,
    seeks: Seeks,
}

impl Matchmaker {
    /// Nobody waits, as far as is known.
    pub fn new(settings: &Settings) -> Matchmaker {
        Matchmaker {
            policy: settings.pairing_policy(),
            wake: Notify::new(),
            rounds: watch::Sender::new(0),
            asked: Mutex::default(),
            waiting: AtomicUsize::new(0),
            waits: Waits::default(),
            seeks: Seeks::default(),
        }
    }

    /// How many wait for an opponent, as far as this node knows.
    pub fn waiting(&self) -> usize {
        self.waiting.load(Ordering::Relaxed)
    }

    /// The owner of a ticket was there.
    fn note(&self, ticket: u64, now: Timestamp) {
        let mut asked = lock(&self.asked);
        asked.retain(|_, at| now.since(*at) < GONE_AFTER);
        asked.insert(ticket, now);
    }

    /// When this node was last asked for a ticket.
    fn asked_at(&self, ticket: u64) -> Option<Timestamp> {
        lock(&self.asked).get(&ticket).copied()
    }

    /// Something has become of a ticket: whoever waits for an answer looks again.
    fn tell(&self) {
        self.rounds.send_modify(|round| *round += 1);
    }
}
