//! What everybody shares who plays on a cluster.

use std::time::Duration;

use rand::RngExt;
use rand::rngs::StdRng;
use tokio::sync::watch;
use tokio::time::timeout;

use crate::way::{Way, Ways};

/// The longest anything is waited for.
const PATIENCE: Duration = Duration::from_secs(120);

/// Who goes where.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Spread {
    /// Everybody by the load balancer or to any node.
    Anywhere,
    /// Of each pair, one plays and watches at the first node, one at the second.
    FirstAndSecond,
}

/// The ways in, and how far play has come.
pub(crate) struct Stage {
    pub(crate) ways: Ways,
    spread: Spread,
    /// Moves that were acknowledged.
    pub(crate) told: watch::Sender<u64>,
    /// Whether no new game is begun.
    pub(crate) is_closing: watch::Sender<bool>,
}

impl Stage {
    pub(crate) fn new(ways: Ways, spread: Spread) -> Stage {
        Stage {
            ways,
            spread,
            told: watch::Sender::new(0),
            is_closing: watch::Sender::new(false),
        }
    }

    /// A way for somebody, who sits there if anywhere.
    pub(crate) fn way(&self, seat: Option<usize>, rng: &mut StdRng) -> Way {
        let number = rng.random_range(0..=self.ways.count());
        match (self.spread, seat) {
            (Spread::FirstAndSecond, Some(seat)) => self.ways.node(seat),
            _ if number == 0 => self.ways.balanced(),
            _ => self.ways.node(number - 1),
        }
    }

    /// Waits until so many more moves are acknowledged.
    pub(crate) async fn more(&self, moves: u64) {
        let enough = *self.told.borrow() + moves;
        await_at_least(&self.told, enough, "moves").await;
    }
}

/// Waits until so many are counted.
pub(crate) async fn await_at_least<N: PartialOrd + Copy + std::fmt::Display>(
    counted: &watch::Sender<N>,
    enough: N,
    what: &str,
) {
    let mut counted = counted.subscribe();
    let is_late = timeout(PATIENCE, counted.wait_for(|n| *n >= enough))
        .await
        .is_err();
    if is_late {
        let now = *counted.borrow();
        panic!("there are never {enough} {what}, only {now}");
    }
}
