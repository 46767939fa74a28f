//! How games end. An ending owns its winner, so that a mate without one
//! cannot be written down.

use shakmaty::Color;

/// The end of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// Somebody won.
    Won {
        /// Who.
        winner: Color,
        /// By what.
        by: WinReason,
    },
    /// Nobody won.
    Drawn {
        /// By what.
        by: DrawReason,
    },
    /// The game does not count.
    Aborted {
        /// Why.
        by: AbortReason,
    },
}

/// Ways to win.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WinReason {
    /// FIDE 5.1.1.
    Checkmate,
    /// FIDE 5.1.2.
    Resignation,
    /// FIDE 6.9: the opponent's flag fell.
    Timeout,
    /// The opponent left and the win was claimed.
    Abandoned,
    /// The variant's own way to win.
    VariantEnd,
    /// FIDE 7.5.5: the opponent tried too many illegal moves.
    IllegalMoves,
    /// The arbiter decided.
    Adjudicated,
}

/// Ways to draw.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DrawReason {
    /// FIDE 5.2.1.
    Stalemate,
    /// FIDE 5.2.3.
    Agreed,
    /// FIDE 9.2.
    Threefold,
    /// FIDE 9.6.1.
    Fivefold,
    /// FIDE 9.3.
    FiftyMoves,
    /// FIDE 9.6.2.
    SeventyFiveMoves,
    /// FIDE 5.2.2: a dead position.
    InsufficientMaterial,
    /// FIDE 6.9: the flag fell, but the opponent cannot mate.
    TimeoutVsInsufficientMaterial,
    /// The opponent left and a draw was claimed.
    Abandoned,
    /// The variant's own way to draw.
    VariantEnd,
    /// The arbiter decided.
    Adjudicated,
}

/// Ways not to count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AbortReason {
    /// A player aborted before both had moved.
    Player,
    /// The creator withdrew the invitation.
    Cancelled,
    /// The invited player declined.
    Declined,
    /// Nobody joined in time.
    Expired,
    /// A first move was not made in time.
    NoFirstMove,
    /// A paused game was never resumed.
    Adjourned,
    /// The arbiter decided.
    Operator,
}

impl Ending {
    /// Who won, if anyone.
    pub fn winner(self) -> Option<Color> {
        match self {
            Ending::Won { winner, .. } => Some(winner),
            Ending::Drawn { .. } | Ending::Aborted { .. } => None,
        }
    }

    /// `white_wins`, `black_wins`, `draw` or `aborted`.
    pub const fn result(self) -> &'static str {
        match self {
            Ending::Won {
                winner: Color::White,
                ..
            } => "white_wins",
            Ending::Won {
                winner: Color::Black,
                ..
            } => "black_wins",
            Ending::Drawn { .. } => "draw",
            Ending::Aborted { .. } => "aborted",
        }
    }

    /// The reason on the wire.
    pub const fn reason(self) -> &'static str {
        match self {
            Ending::Won { by, .. } => match by {
                WinReason::Checkmate => "checkmate",
                WinReason::Resignation => "resignation",
                WinReason::Timeout => "timeout",
                WinReason::Abandoned => "abandoned",
                WinReason::VariantEnd => "variant_end",
                WinReason::IllegalMoves | WinReason::Adjudicated => "adjudicated",
            },
            Ending::Drawn { by } => match by {
                DrawReason::Stalemate => "stalemate",
                DrawReason::Agreed => "draw_agreed",
                DrawReason::Threefold => "threefold_repetition",
                DrawReason::Fivefold => "fivefold_repetition",
                DrawReason::FiftyMoves => "fifty_moves",
                DrawReason::SeventyFiveMoves => "seventy_five_moves",
                DrawReason::InsufficientMaterial => "insufficient_material",
                DrawReason::TimeoutVsInsufficientMaterial => "timeout_vs_insufficient_material",
                DrawReason::Abandoned => "abandoned",
                DrawReason::VariantEnd => "variant_end",
                DrawReason::Adjudicated => "adjudicated",
            },
            Ending::Aborted { .. } => "aborted",
        }
    }

    /// The result in PGN.
    pub const fn score(self) -> &'static str {
        match self {
            Ending::Won {
                winner: Color::White,
                ..
            } => "1-0",
            Ending::Won {
                winner: Color::Black,
                ..
            } => "0-1",
            Ending::Drawn { .. } => "1/2-1/2",
            Ending::Aborted { .. } => "*",
        }
    }

    const WINS: [WinReason; 7] = [
        WinReason::Checkmate,
        WinReason::Resignation,
        WinReason::Timeout,
        WinReason::Abandoned,
        WinReason::VariantEnd,
        WinReason::IllegalMoves,
        WinReason::Adjudicated,
    ];
    const DRAWS: [DrawReason; 11] = [
        DrawReason::Stalemate,
        DrawReason::Agreed,
        DrawReason::Threefold,
        DrawReason::Fivefold,
        DrawReason::FiftyMoves,
        DrawReason::SeventyFiveMoves,
        DrawReason::InsufficientMaterial,
        DrawReason::TimeoutVsInsufficientMaterial,
        DrawReason::Abandoned,
        DrawReason::VariantEnd,
        DrawReason::Adjudicated,
    ];
    const ABORTS: [AbortReason; 7] = [
        AbortReason::Player,
        AbortReason::Cancelled,
        AbortReason::Declined,
        AbortReason::Expired,
        AbortReason::NoFirstMove,
        AbortReason::Adjourned,
        AbortReason::Operator,
    ];

    /// Every possible ending.
    pub fn all() -> impl Iterator<Item = Ending> {
        let won = Color::ALL.into_iter().flat_map(|winner| {
            Ending::WINS
                .into_iter()
                .map(move |by| Ending::Won { winner, by })
        });
        let drawn = Ending::DRAWS.into_iter().map(|by| Ending::Drawn { by });
        let aborted = Ending::ABORTS.into_iter().map(|by| Ending::Aborted { by });
        won.chain(drawn).chain(aborted)
    }

    /// The stable code in stored games: 0x0r and 0x1r for wins of White and
    /// Black, 0x2r for draws, 0x3r for aborted games, `r` the reason's place.
    pub(super) fn code(self) -> u8 {
        match self {
            Ending::Won { winner, by } => by as u8 | winner.fold_wb(0x00, 0x10),
            Ending::Drawn { by } => by as u8 | 0x20,
            Ending::Aborted { by } => by as u8 | 0x30,
        }
    }

    /// The inverse of [`Ending::code`].
    pub(super) fn from_code(code: u8) -> Option<Ending> {
        let reason = usize::from(code & 0x0f);
        match code & 0xf0 {
            0x00 | 0x10 => Ending::WINS.get(reason).map(|&by| Ending::Won {
                winner: if code & 0x10 == 0 {
                    Color::White
                } else {
                    Color::Black
                },
                by,
            }),
            0x20 => Ending::DRAWS.get(reason).map(|&by| Ending::Drawn { by }),
            0x30 => Ending::ABORTS.get(reason).map(|&by| Ending::Aborted { by }),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_ending_has_its_own_code() {
        let endings: Vec<Ending> = Ending::all().collect();
        for ending in &endings {
            assert_eq!(Ending::from_code(ending.code()), Some(*ending));
        }
        let readable = (0..=u8::MAX).filter_map(Ending::from_code).count();
        assert_eq!(readable, endings.len());
    }
}
