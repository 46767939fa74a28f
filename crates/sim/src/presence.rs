//! Who was there for certain, if several nodes share a store: nobody who was loses a
//! game for having left, nor does a table of theirs expire.

use chess::game::{Entry, Event, Game};
use chess::table::{Actor, PlayerId};
use chess::{Millis, Timestamp};
use store::TableId;

use crate::book::{Book, What};
use crate::invariants::is_abandoned;
use crate::rules::{Checked, ensure};
use crate::sharing::SKEW;

/// Longer than anybody may be out of sight before something can be claimed or expires.
const KEPT: Millis = Millis::from_secs(600);
/// Moments as close as that need not all be kept.
const CLOSE: Millis = Millis(200);

/// A player was there, as is known since then.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sighting {
    at: Timestamp,
    noted: Timestamp,
}

impl Book {
    /// A player was certainly at a table, at a node that all others know of.
    pub(crate) fn sighted(
        &mut self,
        id: TableId,
        player: PlayerId,
        at: Timestamp,
        noted: Timestamp,
    ) {
        let Some(shared) = &mut self.shared else {
            return;
        };
        let sightings = shared.sightings.entry((id, player)).or_default();
        let last = sightings.last();
        if last.is_none_or(|last| last.at + CLOSE < at) {
            sightings.retain(|sighting| sighting.at + KEPT >= noted);
            sightings.push(Sighting { at, noted });
        }
    }

    /// Whoever is served was there.
    pub(crate) fn sighted_by(&mut self, id: TableId, what: &What, at: Timestamp, now: Timestamp) {
        let (player, at) = match what {
            What::Create(attempt) => (Some(attempt.creator), at),
            What::Submit(question) => match question.who {
                Actor::Player(player) => (Some(player), question.received),
                Actor::Server | Actor::Operator => (None, at),
            },
            What::Read { viewer } => (*viewer, at),
            What::Fold => (None, at),
        };
        if let Some(player) = player {
            self.sighted(id, player, at, now);
        }
    }

    /// When a player was last there for certain, of what every node could say at that
    /// moment.
    pub(crate) fn last_sighting(
        &self,
        id: TableId,
        player: PlayerId,
        before: Timestamp,
    ) -> Option<Timestamp> {
        let shared = self.shared.as_ref().filter(|_| self.keeps_tables)?;
        let sightings = shared.sightings.get(&(id, player))?;
        let is_sure = |sighting: &&Sighting| sighting.at.max(sighting.noted) + SKEW <= before;
        sightings.iter().filter(is_sure).map(|s| s.at).max()
    }

    /// Nobody who was there loses a game for having left.
    pub(crate) fn really_left(&self, id: TableId, before: &Game, entry: &Entry) -> Checked {
        let Event::Ended { by, .. } = &entry.event else {
            return Ok(());
        };
        let opponent = by.and_then(|seat| *before.seats().get(!seat));
        let grace = before.terms().control.speed().grace();
        let (true, Some(opponent), Some(grace)) = (is_abandoned(&entry.event), opponent, grace)
        else {
            return Ok(());
        };
        if let Some(seen) = self.last_sighting(id, opponent, entry.at) {
            ensure!(
                entry.at.since(seen) + SKEW >= grace,
                ReallyLeft,
                id,
                "{opponent:?} was there at {}, and lost the game at {} for having left",
                seen.0,
                entry.at.0
            );
        }
        Ok(())
    }
}
