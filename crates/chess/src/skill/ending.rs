//! Where in its life a match is, and how it can end.

use crate::table::State;
use shakmaty::Color;

/// Where in its life a match is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// Created, waiting for an opponent.
    Waiting,
    /// Skills are being selected.
    Drafting,
    /// Being played.
    Active,
    /// Over.
    Over(Ending),
}

impl Phase {
    /// The phase on the wire.
    pub const fn name(self) -> &'static str {
        match self {
            Phase::Waiting => "waitingForPlayers",
            Phase::Drafting => "drafting",
            Phase::Active => "active",
            Phase::Over(_) => "finished",
        }
    }

    /// The state of the table.
    pub(super) const fn state(self) -> State {
        match self {
            Phase::Waiting => State::Waiting,
            Phase::Drafting | Phase::Active => State::Active,
            Phase::Over(_) => State::Completed,
        }
    }
}

/// How a match ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// A king cannot be saved.
    Checkmate {
        /// Who attacked it.
        winner: Color,
    },
    /// The side to move is not in check and cannot move: a draw.
    Stalemate,
    /// One player gave up.
    Resignation {
        /// The other.
        winner: Color,
    },
    /// An operator ended it, or its host before anybody had joined.
    Aborted,
    /// Nobody joined in time.
    Expired,
    /// The players agreed on a draw.
    Agreement,
}

impl Ending {
    /// Every possible ending, in the order of their codes.
    pub const ALL: [Ending; 8] = [
        Ending::Checkmate {
            winner: Color::White,
        },
        Ending::Checkmate {
            winner: Color::Black,
        },
        Ending::Stalemate,
        Ending::Resignation {
            winner: Color::White,
        },
        Ending::Resignation {
            winner: Color::Black,
        },
        Ending::Aborted,
        Ending::Expired,
        Ending::Agreement,
    ];

    /// The kind on the wire.
    pub const fn kind(self) -> &'static str {
        match self {
            Ending::Checkmate { .. } => "checkmate",
            Ending::Stalemate => "stalemate",
            Ending::Resignation { .. } => "resignation",
            Ending::Aborted | Ending::Expired => "aborted",
            Ending::Agreement => "agreement",
        }
    }

    /// Who won, if anyone.
    pub const fn winner(self) -> Option<Color> {
        match self {
            Ending::Checkmate { winner } | Ending::Resignation { winner } => Some(winner),
            Ending::Stalemate | Ending::Agreement | Ending::Aborted | Ending::Expired => None,
        }
    }

    /// `white_wins`, `black_wins`, `draw` or `aborted`, as lists have it.
    pub const fn result(self) -> &'static str {
        match (self, self.winner()) {
            (_, Some(Color::White)) => "white_wins",
            (_, Some(Color::Black)) => "black_wins",
            (Ending::Stalemate | Ending::Agreement, None) => "draw",
            (_, None) => "aborted",
        }
    }
}

/// What is on the board, as clients show it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Status {
    /// `active`, `checkmate` or `stalemate`.
    pub kind: &'static str,
    /// Whose move it is, unless there are no moves any more.
    pub turn: Option<Color>,
    /// Whether that side is in check.
    pub in_check: Option<bool>,
    /// Who won, also by resignation.
    pub winner: Option<Color>,
}
