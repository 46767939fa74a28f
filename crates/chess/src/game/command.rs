//! What can be asked of a game.

use shakmaty::{ByColor, Color};

use super::{Ending, Offer};
use crate::table::{Outage, PlayerId};
use crate::{Millis, Timestamp};

/// A request. Who makes it is said beside it; whether it is granted is
/// [`Game::decide`](super::Game::decide)'s business.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// Take the empty seat.
    Join {
        /// The side the joiner gets if the creator left it to chance.
        toss: Color,
        /// Whether the joiner came with the code that the creator passed on.
        by_code: bool,
    },
    /// Refuse an invitation to play.
    Decline,
    /// Withdraw a game that nobody has joined.
    Cancel,
    /// Let more names see a private game.
    Invite(Vec<PlayerId>),
    /// Make a move.
    Move(MoveCommand),
    /// Give up.
    Resign,
    /// Call the game off before both have moved.
    Abort,
    /// Offer something to the opponent.
    Offer(Offer),
    /// Accept the opponent's offer.
    Accept(Offer),
    /// Turn down the opponent's offer.
    DeclineOffer(Offer),
    /// Claim a draw by repetition, by fifty moves, or because the opponent left.
    ClaimDraw {
        /// When the opponent was last seen; `None`: is here.
        opponent_seen: Option<Timestamp>,
    },
    /// Claim the win because the opponent left.
    ClaimWin {
        /// When the opponent was last seen; `None`: is here.
        opponent_seen: Option<Timestamp>,
    },
    /// Be ready to go on after a pause.
    Resume,
    /// Give the opponent time.
    AddTime(Millis),
    /// Look at the clock: whatever is due happens.
    Tick {
        /// When the one who waits for an opponent was last seen.
        host_seen: Timestamp,
    },
    /// The server was down, once or more often: give back what that cost the
    /// side to move. Earliest first.
    Credit(Vec<Outage>),
    /// An operator ends the game.
    Adjudicate(Ending),
    /// An operator sets both clocks.
    SetClock(ByColor<Millis>),
    /// An operator stops the clocks.
    Pause,
}

/// A move as the client sent it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MoveCommand {
    /// In any spelling [`Spelled::read`](crate::rules::Spelled::read) knows.
    pub text: String,
    /// The half-move this is meant to be; `None`: the next.
    pub ply: Option<u32>,
    /// The last version the client saw; matters after takebacks.
    pub version: Option<u32>,
    /// Offer a draw with the move.
    pub offer_draw: bool,
    /// What the network took, as the server measured it and is willing to
    /// give back. Nothing a client says.
    pub lag: Millis,
}

impl MoveCommand {
    /// The next move, in any spelling.
    pub fn new(text: &str) -> MoveCommand {
        MoveCommand {
            text: text.to_owned(),
            ..MoveCommand::default()
        }
    }
}
