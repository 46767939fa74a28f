//! What others are told: services that pull events, and webhooks they are sent to.
//!
//! An event is written in the transaction of the change (`store::Change::tells`), so whatever
//! happened is told, whenever the server stops. [`watch`] looks what is new and puts it in line
//! for webhooks; [`deliver`] sends it, [`stream`] puts it on a stream of NATS; [`feed`] answers those who pull, [`again`] tells once more. What an event says of
//! its game is made when it is read ([`tables`]), in the words of a door.

pub(crate) mod again;
pub mod deliver;
pub(crate) mod feed;
mod schedule;
mod sign;
pub mod stream;
pub(crate) mod tables;
pub mod watch;
pub(crate) mod webhooks;

use std::sync::Arc;
use std::sync::atomic::AtomicU64;

use live::EveryMove;
use live::bus::Bus;
use store::EventPlace;
use tokio::sync::{Notify, watch as channel};

/// What this server knows of events.
pub struct Events {
    /// Whose moves are told: shared with the games.
    pub every_move: Arc<EveryMove>,
    /// The newest event that can be read.
    head: channel::Sender<EventPlace>,
    /// Something was put in line.
    in_line: Notify,
    /// The way to the other nodes, if there is one.
    bus: Option<Bus>,
    /// What became of deliveries.
    pub counts: Counts,
}

/// What became of deliveries, since the start.
#[derive(Default)]
pub struct Counts {
    /// Targets took them.
    pub delivered: AtomicU64,
    /// Tries that failed, after which there is another.
    pub failed: AtomicU64,
    /// Deliveries that were given up.
    pub dead: AtomicU64,
    /// How many there are to be made, at all nodes, as of the last look.
    pub waiting: AtomicU64,
    /// When the oldest of them was put in line; zero if there is none.
    pub oldest_ms: AtomicU64,
}

impl Events {
    /// With what the games go by, and the bus if there is one.
    pub fn new(every_move: Arc<EveryMove>, bus: Option<Bus>) -> Events {
        Events {
            every_move,
            head: channel::Sender::new(EventPlace::START),
            in_line: Notify::new(),
            bus,
            counts: Counts::default(),
        }
    }

    /// Says when there is something new to be read.
    pub fn news(&self) -> channel::Receiver<EventPlace> {
        self.head.subscribe()
    }
}
