//! Those who want to know of every game that begins and that anybody may see as it is.

use std::sync::Mutex;

use chess::table::PlayerId;
use store::TableId;
use tokio::sync::broadcast::{Receiver, Sender};

use super::Rooms;
use crate::lock::lock;

/// Beginnings that a reader may be behind.
const LANE: usize = 256;

/// A game has begun, between these two.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Begun {
    pub(crate) id: TableId,
    pub(crate) players: [PlayerId; 2],
}

/// Who listens; nobody any more once the server stops.
pub(super) struct Beginnings(Mutex<Option<Sender<Begun>>>);

impl Default for Beginnings {
    fn default() -> Beginnings {
        Beginnings(Mutex::new(Some(Sender::new(LANE))))
    }
}

impl Beginnings {
    pub(super) fn are_heard(&self) -> bool {
        let lane = lock(&self.0);
        lane.as_ref().is_some_and(|lane| lane.receiver_count() > 0)
    }

    pub(super) fn tell(&self, id: TableId, players: [PlayerId; 2]) {
        if let Some(lane) = &*lock(&self.0) {
            // That nobody listens is as good.
            drop(lane.send(Begun { id, players }));
        }
    }

    fn hear(&self) -> Receiver<Begun> {
        let lane = lock(&self.0);
        let closed = || Sender::new(1).subscribe();
        lane.as_ref().map_or_else(closed, Sender::subscribe)
    }

    /// Those who listen hear that it is over.
    pub(super) fn close(&self) {
        drop(lock(&self.0).take());
    }
}

impl Rooms {
    /// Every game that begins from now on, at any node. It is a hint: whoever is behind,
    /// or finds nothing, asks the store.
    pub(crate) fn beginnings(&self) -> Receiver<Begun> {
        self.0.beginnings.hear()
    }
}

#[cfg(test)]
mod tests {
    use tokio::sync::broadcast::error::TryRecvError;

    use super::*;

    #[test]
    fn who_listens_is_told_until_the_server_stops() {
        let beginnings = Beginnings::default();
        let players = [1, 2].map(|number| PlayerId::new(number).unwrap());
        let id = TableId::from_random(7);
        assert!(!beginnings.are_heard());
        beginnings.tell(id, players);
        let mut heard = beginnings.hear();
        assert!(beginnings.are_heard());
        assert_eq!(
            heard.try_recv(),
            Err(TryRecvError::Empty),
            "that was before"
        );
        beginnings.tell(id, players);
        assert_eq!(heard.try_recv(), Ok(Begun { id, players }));
        beginnings.close();
        for mut heard in [heard, beginnings.hear()] {
            assert_eq!(heard.try_recv(), Err(TryRecvError::Closed));
        }
    }
}
