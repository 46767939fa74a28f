//! What can happen to a game. Each event is one version.

use shakmaty::packed::PackedUciMove;
use shakmaty::{ByColor, Color};

use super::{Creation, Ending};
use crate::rating::Shown;
use crate::table::PlayerId;
use crate::{Millis, Timestamp};

/// An event and when it happened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// When, on the server's clock; never before the entry before it.
    pub at: Timestamp,
    /// What.
    pub event: Event,
}

/// One accepted change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// The game exists and waits for an opponent.
    Created(Box<Creation>),
    /// The opponent is there and the game begins.
    Joined {
        /// Who joined.
        player: PlayerId,
        /// The side of the one who joined.
        color: Color,
        /// How strong the two were then; nothing in records from before this was
        /// kept.
        ratings: ByColor<Option<Shown>>,
    },
    /// Names that may see a private game.
    Invited(Vec<PlayerId>),
    /// A move, with what it brought about.
    Moved {
        /// Castling as king takes rook.
        uci: PackedUciMove,
        /// Whether the mover offers a draw with it.
        offers_draw: bool,
        /// What the network took, as the server measured it: not counted
        /// against the mover's clock.
        lag: Millis,
        /// The end, if this move is the last.
        ending: Option<Ending>,
    },
    /// A try at an illegal move, in a game that counts them.
    IllegalAttempt {
        /// What was tried, in its plain spelling; empty in records from
        /// before this was kept.
        tried: Box<str>,
        /// The end, if this was one too many.
        ending: Option<Ending>,
    },
    /// The game ended otherwise than by a move.
    Ended {
        /// How.
        ending: Ending,
        /// Which player did it; `None`: the server or an operator.
        by: Option<Color>,
    },
    /// An operator changed the result of a game that was over.
    ResultChanged {
        /// To what.
        ending: Ending,
    },
    /// An offer to the opponent.
    Offered {
        /// What.
        offer: Offer,
        /// By whom.
        by: Color,
    },
    /// An offer was turned down.
    OfferDeclined {
        /// What.
        offer: Offer,
        /// Who turned it down.
        by: Color,
    },
    /// Moves were taken back by agreement.
    TakenBack {
        /// How many half-moves.
        plies: u16,
        /// Who agreed to it.
        by: Color,
        /// What the players had given each other since the turn it returns
        /// to: it stays given. Nothing in records from before this was kept.
        given: ByColor<Millis>,
    },
    /// The clocks stand still.
    Paused {
        /// Who agreed to the offer; `None`: an operator paused it.
        by: Option<Color>,
    },
    /// One of the players is ready to go on.
    ResumeAsked {
        /// Who.
        by: Color,
    },
    /// The game goes on.
    Resumed {
        /// The second to ask; `None`: an operator resumed it.
        by: Option<Color>,
    },
    /// A player gave the opponent time.
    TimeAdded {
        /// Who got it.
        to: Color,
        /// How much.
        gift: Millis,
    },
    /// The server gave back what its own downtime cost the side to move.
    TimeCredited {
        /// How much.
        credit: Millis,
    },
    /// A player is away: their clock stands still until then.
    VacationBegan {
        /// Who.
        by: Color,
        /// When it ends by itself.
        until: Timestamp,
    },
    /// A player is back before the time.
    VacationEnded {
        /// Who.
        by: Color,
    },
    /// An operator set both clocks.
    ClockSet {
        /// To what.
        left: ByColor<Millis>,
    },
    /// A place at the table is somebody else's from here on: a guest has become that
    /// account. With the same twice: who is there goes by another name now.
    Reseated {
        /// Who had it.
        from: PlayerId,
        /// Who has it.
        to: PlayerId,
    },
}

/// What one player can offer the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Offer {
    /// A draw.
    Draw,
    /// To take back the offerer's last move.
    Takeback,
    /// To stop the clocks.
    Pause,
}

impl Event {
    /// Who offers a draw by it; `turn` is whose move it is afterwards.
    pub(super) fn offers_draw(&self, turn: Color) -> Option<Color> {
        match self {
            Event::Offered {
                offer: Offer::Draw,
                by,
            } => Some(*by),
            Event::Moved {
                offers_draw: true, ..
            } => Some(!turn),
            _ => None,
        }
    }
}

impl Offer {
    /// All kinds, in the order of their codes.
    pub const ALL: [Offer; 3] = [Offer::Draw, Offer::Takeback, Offer::Pause];

    /// The name on the wire.
    pub const fn name(self) -> &'static str {
        match self {
            Offer::Draw => "draw",
            Offer::Takeback => "takeback",
            Offer::Pause => "pause",
        }
    }
}
