//! What can be asked of a game.

use shakmaty::{ByColor, Color};

use super::{DeclineReason, Ending, Offer};
use crate::rating::Shown;
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
        /// How strong the two are, to be kept with the game.
        ratings: StartRatings,
    },
    /// Refuse an invitation to play; perhaps say why.
    Decline(Option<DeclineReason>),
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
    /// An operator changes the result of a game that is over.
    ChangeResult(Ending),
    /// An operator sets both clocks.
    SetClock(ByColor<Millis>),
    /// An operator stops the clocks.
    Pause,
    /// The server notes that a player is away until then, or is back.
    Vacation {
        /// Who.
        of: PlayerId,
        /// Until when; `None`: no longer.
        until: Option<Timestamp>,
    },
    /// The server gives a guest's place to the account that the guest has become; with
    /// the same twice, notes that they go by another name.
    Reseat {
        /// Who has it.
        from: PlayerId,
        /// Who gets it.
        to: PlayerId,
    },
}

/// The ratings of those who begin to play, as everybody sees them; `None` for who
/// has none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StartRatings {
    /// Of the one who made the game.
    pub creator: Option<Shown>,
    /// Of the one who joins it.
    pub joiner: Option<Shown>,
}

impl StartRatings {
    /// By the sides they play, if the joiner plays this one.
    pub fn by_color(self, joiner: Color) -> ByColor<Option<Shown>> {
        ByColor::new_with(|color| match color == joiner {
            true => self.joiner,
            false => self.creator,
        })
    }
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
