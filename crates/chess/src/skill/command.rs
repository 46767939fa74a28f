//! What can be asked of a match.

use super::{Position, Uuid};
use crate::Timestamp;
use crate::table::Outage;

/// A request. Who makes it is said beside it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// Take the black seat, with the room's code.
    Join,
    /// Do one of the things that players do.
    Act(Action),
    /// An operator ends the match.
    Abort,
    /// Look at the clock: whatever is due happens.
    Tick {
        /// When the one who waits for an opponent was last seen.
        host_seen: Timestamp,
    },
    /// The server was down. Nothing here runs out meanwhile, so it changes nothing.
    Credit(Vec<Outage>),
}

/// A player's action, in the envelope that all share.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Action {
    /// The client's name for it: the same action twice is done once.
    pub id: Uuid,
    /// The revision that the client saw.
    pub base_revision: u64,
    /// What to do.
    pub deed: Deed,
}

/// The things that players do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Deed {
    /// Be back at one's own seat.
    JoinMatch,
    /// Give a skill to the piece on a square, or to none.
    UpdateDraftSelection {
        /// Which.
        skill: String,
        /// Where the piece stands; `None`: take the skill back.
        position: Option<Position>,
    },
    /// Be done with the selection.
    LockDraft,
    /// Move a piece.
    MakeMove(MoveOrder),
    /// Offer a draw; against the opponent's offer: agree to it.
    OfferDraw,
    /// Agree to the opponent's offer.
    AcceptDraw,
    /// Turn the opponent's offer down, or take one's own back.
    DeclineDraw,
    /// Give up.
    Resign,
    /// Leave one's own seat for a while; a room that nobody has joined is closed.
    LeaveMatch,
}

/// A move as a client asks for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MoveOrder {
    /// From where.
    pub from: Position,
    /// To where.
    pub to: Position,
    /// The name of the piece to become.
    pub promotion: Option<String>,
    /// The skill to use: none works without being asked for.
    pub equipped_skill: Option<Uuid>,
}
