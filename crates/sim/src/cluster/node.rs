//! One of several nodes: the real live core, with a clock, rooms and a way to the store
//! of its own.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, Waker};

use chess::Millis;
use chess::tables::AnyTable;
use live::{Handles, Limits, Live, Member};
use store::memory::Control;
use store::{NodeId, Store};

use super::bus::{Around, Outbox};
use super::clock::{Clock, Truth};
use super::wire::{Link, Wire};
use crate::audience::Audience;
use crate::mail::Inbox;
use crate::node::at_once;
use crate::rng::Rng;
use crate::stage::Stage;

/// After so long every node that decides anything has heard of one that is there.
const KNOWN_AFTER_US: u64 = 1_500_000;

/// How often a node says that it is there.
pub(crate) const BEAT_US: u64 = 300_000;

/// A node that is there, or on its way up.
pub(crate) struct Node {
    pub(crate) id: NodeId,
    pub(crate) life: Life,
    pub(crate) wire: Wire,
    /// The store, over that wire.
    pub(crate) store: Store,
    pub(crate) clock: Arc<Clock>,
    pub(crate) stage: Arc<Stage>,
    pub(crate) inbox: Inbox,
    pub(crate) audience: Audience,
    /// Until then it does nothing at all.
    pub(crate) stalled_until: u64,
    pub(crate) next_beat: u64,
    pub(crate) next_look: u64,
    /// Since when nothing keeps it from making changes.
    pub(crate) able_since: Option<u64>,
    /// Since when the others can know that it is there, and ask it.
    pub(crate) known_since: Option<u64>,
    /// Since when it stops.
    pub(crate) stops_since: Option<u64>,
}

type Starting = Pin<Box<dyn Future<Output = Result<Live<AnyTable>, store::Error>>>>;

pub(crate) enum Life {
    Starting(Starting),
    Up(Live<AnyTable>),
}

impl Node {
    pub(crate) fn start(
        control: &Control,
        truth: &Truth,
        outbox: &Outbox,
        limits: Limits,
        rng: &mut Rng,
    ) -> Node {
        let (store, line) = control.another();
        let id = at_once(store.join("a node"));
        let clock = Arc::new(Clock::new(truth, rng.pick(&[-40, -5, 0, 5, 40])));
        let stage = Arc::new(Stage::new(rng.pick(&[4, 64]), rng.pick(&[3, 100])));
        let around = Around {
            node: id,
            stage: Arc::clone(&stage),
            sent: outbox.clone(),
        };
        let time = Arc::clone(&clock);
        let handles = Handles {
            store: store.clone(),
            now: Arc::new(move || time.now()),
            around: Arc::new(around),
            member: Some(Member {
                node: id,
                time: Arc::<Clock>::clone(&clock),
                flag_delay: Millis(300),
            }),
        };
        Node {
            id,
            life: Life::Starting(Box::pin(Live::start(handles, limits))),
            wire: Wire::new(line),
            store,
            clock,
            stage,
            inbox: Inbox::default(),
            audience: Audience::new(rng),
            stalled_until: 0,
            next_beat: 0,
            next_look: 0,
            able_since: None,
            known_since: None,
            stops_since: None,
        }
    }

    /// Goes on with its start. Whether that failed.
    pub(crate) fn poll(&mut self) -> bool {
        let Life::Starting(starting) = &mut self.life else {
            return false;
        };
        let mut context = Context::from_waker(Waker::noop());
        match starting.as_mut().poll(&mut context) {
            Poll::Pending => false,
            Poll::Ready(Ok(live)) => {
                self.life = Life::Up(live);
                false
            }
            Poll::Ready(Err(_)) => true,
        }
    }

    pub(crate) fn live(&self) -> Option<&Live<AnyTable>> {
        match &self.life {
            Life::Starting(_) => None,
            Life::Up(live) => Some(live),
        }
    }

    pub(crate) fn is_stalled(&self, now_us: u64) -> bool {
        now_us < self.stalled_until
    }

    /// Whether nothing keeps it from making changes.
    pub(crate) fn is_able(&self, now_us: u64) -> bool {
        self.live().is_some()
            && self.stops_since.is_none()
            && !self.is_stalled(now_us)
            && self.wire.link() == Link::Good
    }

    /// Whether every node that decides something knows that it is there.
    pub(crate) fn is_known(&self, now_us: u64) -> bool {
        let since = self.known_since;
        since.is_some_and(|since| since + KNOWN_AFTER_US < now_us)
    }

    /// Whether it certainly cannot make any, nor say that it is there.
    pub(crate) fn is_out(&self, now_us: u64) -> bool {
        self.stops_since.is_some() || self.is_stalled(now_us) || self.wire.is_out()
    }

    /// Whether something is on its way to the store or back.
    pub(crate) fn is_busy(&self) -> bool {
        self.wire.is_busy()
    }
}
