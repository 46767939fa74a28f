//! What the network takes from players, measured by the server itself.
//!
//! A move's way to the server and the opponent's move's way to the player both
//! pass on the player's clock. Where the operator allows it, that much is
//! given back per move, up to a quota: the round trip of a ping on the player's
//! own socket. The least of the last few counts, so that one late answer gains
//! nothing.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use chess::Millis;
use chess::table::PlayerId;
use store::TableId;

/// How many round trips are remembered.
const REMEMBERED: usize = 4;

/// The round trips of those who play.
pub struct Lags {
    quota: Millis,
    measured: Mutex<HashMap<(TableId, PlayerId), Vec<Millis>>>,
}

impl Lags {
    /// Nothing measured yet; so much is given back per move at most.
    pub fn new(quota: Millis) -> Lags {
        Lags {
            quota,
            measured: Mutex::default(),
        }
    }

    /// Whether anything is given back at all.
    pub fn are_compensated(&self) -> bool {
        self.quota > Millis::ZERO
    }

    /// Notes a round trip.
    pub fn note(&self, id: TableId, player: PlayerId, trip: Duration) {
        if !self.are_compensated() {
            return;
        }
        let trip = Millis(u32::try_from(trip.as_millis()).unwrap_or(u32::MAX));
        let mut measured = self.lock();
        let trips = measured.entry((id, player)).or_default();
        if trips.len() == REMEMBERED {
            trips.remove(0);
        }
        trips.push(trip);
    }

    /// What is given back for a move now.
    pub fn of(&self, id: TableId, player: PlayerId) -> Millis {
        if !self.are_compensated() {
            return Millis::ZERO;
        }
        let measured = self.lock();
        let trips = measured.get(&(id, player));
        let least = trips.and_then(|trips| trips.iter().min()).copied();
        least.unwrap_or(Millis::ZERO).min(self.quota)
    }

    /// The player has no socket there any more.
    pub fn forget(&self, id: TableId, player: PlayerId) {
        if self.are_compensated() {
            self.lock().remove(&(id, player));
        }
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<(TableId, PlayerId), Vec<Millis>>> {
        self.measured.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_least_of_the_last_trips_counts_up_to_the_quota() {
        let (id, player) = (TableId::from_random(7), PlayerId::new(1).unwrap());
        let lags = Lags::new(Millis(100));
        assert_eq!(lags.of(id, player), Millis::ZERO);
        for (trip, expected) in [
            (80, 80),
            (900, 80),
            (60, 60),
            (300, 60),
            (300, 60),
            (300, 60),
            (300, 100),
        ] {
            lags.note(id, player, Duration::from_millis(trip));
            assert_eq!(lags.of(id, player), Millis(expected), "after {trip}");
        }
        lags.forget(id, player);
        assert_eq!(lags.of(id, player), Millis::ZERO);
    }

    #[test]
    fn without_a_quota_nothing_is_given_back() {
        let (id, player) = (TableId::from_random(7), PlayerId::new(1).unwrap());
        let lags = Lags::new(Millis::ZERO);
        lags.note(id, player, Duration::from_millis(80));
        assert_eq!(lags.of(id, player), Millis::ZERO);
    }
}
