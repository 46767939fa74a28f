//! Somebody who waits for an opponent.

use std::ops::RangeInclusive;

use shakmaty::Color;

use super::{Colors, Policy};
use crate::Timestamp;
use crate::game::ColorChoice;
use crate::rating::Rating;
use crate::table::PlayerId;

/// Where a wish to play comes from. Ids are those of whoever asks for a round;
/// within a pool no two tickets, and no two games, have the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// A ticket of the queue.
    Ticket(u64),
    /// An open game of the lobby: to be paired is to be joined. Its creator's
    /// side may be decided, and its time to live is its own affair.
    OpenGame {
        /// Which game.
        id: u64,
        /// The creator's side.
        color: ColorChoice,
    },
}

/// One wish to play. A player may have several (open games, and one ticket), of
/// which a round grants one at most.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Seeker {
    /// Where it comes from.
    pub origin: Origin,
    /// Whose it is.
    pub player: PlayerId,
    /// The rating as it is at the time of the round.
    pub rating: Rating,
    /// Since when they wait.
    pub since: Timestamp,
    /// The points that an opponent must have, if it was asked for.
    pub range: Option<RangeInclusive<u32>>,
    /// The side that a ticket's owner asked for; an open game says its own.
    pub side: Option<Color>,
    /// The sides they had.
    pub colors: Colors,
    /// Whom they played last.
    pub last_opponent: Option<PlayerId>,
}

impl Seeker {
    /// Whoever comes first in this order has waited longest. No two are equal.
    pub(super) fn rank(&self) -> (Timestamp, u8, u64) {
        match self.origin {
            Origin::Ticket(id) => (self.since, 0, id),
            Origin::OpenGame { id, .. } => (self.since, 1, id),
        }
    }

    pub(super) fn is_ticket(&self) -> bool {
        matches!(self.origin, Origin::Ticket(_))
    }

    /// The side its owner has chosen, or has to get.
    pub(super) fn due(&self) -> Option<Color> {
        self.chosen().or(self.colors.due())
    }

    /// The side its owner has chosen.
    pub(super) fn chosen(&self) -> Option<Color> {
        match self.origin {
            Origin::Ticket(_) => self.side,
            Origin::OpenGame { color, .. } => color.decided(),
        }
    }

    pub(super) fn is_out_of_time(&self, policy: &Policy, now: Timestamp) -> bool {
        self.is_ticket() && now.since(self.since) >= policy.timeout
    }

    /// The points of those this seeker would play: within `window`, and within
    /// what was asked for.
    pub(super) fn accepts(&self, window: u32) -> Accepts {
        let points = self.rating.points();
        let near = Accepts {
            least: points.saturating_sub(window),
            most: points.saturating_add(window),
        };
        match &self.range {
            None => near,
            Some(range) => Accepts {
                least: near.least.max(*range.start()),
                most: near.most.min(*range.end()),
            },
        }
    }
}

/// The points of those whom somebody would play; nobody if `least > most`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Accepts {
    pub(super) least: u32,
    pub(super) most: u32,
}

impl Accepts {
    /// Nobody at all.
    pub(super) const NOBODY: Accepts = Accepts {
        least: u32::MAX,
        most: 0,
    };

    pub(super) fn includes(self, points: u32) -> bool {
        (self.least..=self.most).contains(&points)
    }

    /// Whoever is accepted by one of the two, and perhaps some in between.
    pub(super) fn or(self, other: Accepts) -> Accepts {
        Accepts {
            least: self.least.min(other.least),
            most: self.most.max(other.most),
        }
    }
}
