//! What can happen to a match. Each event is one version.

use shakmaty::Color;

use super::{Behaviour, Ending, Skill, Square, Uuid};
use crate::Timestamp;
use crate::table::PlayerId;

/// An event and when it happened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// When, on the server's clock; never before the entry before it.
    pub at: Timestamp,
    /// What.
    pub event: Event,
}

/// Everything a new match is made from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Creation {
    /// Who made it, and plays White.
    pub host: PlayerId,
    /// Chance, as an argument: the ids of pieces, equipped skills and moves
    /// follow from it.
    pub seed: Uuid,
}

/// One accepted change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// The match exists and waits for an opponent.
    Created(Creation),
    /// The opponent is there and the draft begins.
    Joined {
        /// Who joined, and plays Black.
        player: PlayerId,
    },
    /// A player did something.
    Acted {
        /// Which player.
        by: Color,
        /// The client's name for it.
        action: Uuid,
        /// What.
        act: Act,
    },
    /// The match ended without the players.
    Ended(Ending),
}

/// What a player did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Act {
    /// Gave a skill to the piece on a square, or to none.
    Selected {
        /// Which.
        skill: &'static dyn Skill,
        /// Where the piece stands.
        square: Option<Square>,
    },
    /// Was done with the selection.
    Locked,
    /// Moved a piece.
    Moved {
        /// From where.
        from: Square,
        /// To where.
        to: Square,
        /// What the piece became.
        promotion: Option<&'static dyn Behaviour>,
        /// The skill that was used: its place among all that are equipped.
        skill: Option<u8>,
        /// The end, if this move is the last.
        ending: Option<Ending>,
    },
    /// Gave up.
    Resigned,
    /// Closed the room, which nobody had joined.
    Closed,
    /// Offered a draw.
    OfferedDraw,
    /// Agreed to the opponent's offer: the end.
    AgreedToDraw,
    /// Turned the opponent's offer down, or took their own back.
    DeclinedDraw,
}
