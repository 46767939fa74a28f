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
    /// The invited player declined, and may have said why.
    Declined(Option<DeclineReason>),
    /// Nobody joined in time.
    Expired,
    /// A first move was not made in time.
    NoFirstMove,
    /// A paused game was never resumed.
    Adjourned,
    /// The arbiter decided.
    Operator,
}

/// Why somebody does not want to play, in Lichess's words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DeclineReason {
    /// Not now, whatever it is.
    Generic,
    /// Ask again later.
    Later,
    /// A slower game, please.
    TooFast,
    /// A faster game, please.
    TooSlow,
    /// Another time control, please.
    TimeControl,
    /// A rated game, please.
    Rated,
    /// A casual game, please.
    Casual,
    /// Standard chess, please.
    Standard,
    /// Not this variant.
    Variant,
    /// No bots, please.
    NoBot,
    /// Only bots, please.
    OnlyBot,
}

impl DeclineReason {
    /// All of them, in the order of their codes: new ones come last.
    pub const ALL: [DeclineReason; 11] = [
        DeclineReason::Generic,
        DeclineReason::Later,
        DeclineReason::TooFast,
        DeclineReason::TooSlow,
        DeclineReason::TimeControl,
        DeclineReason::Rated,
        DeclineReason::Casual,
        DeclineReason::Standard,
        DeclineReason::Variant,
        DeclineReason::NoBot,
        DeclineReason::OnlyBot,
    ];

    /// The name on the wire.
    pub const fn name(self) -> &'static str {
        match self {
            DeclineReason::Generic => "generic",
            DeclineReason::Later => "later",
            DeclineReason::TooFast => "tooFast",
            DeclineReason::TooSlow => "tooSlow",
            DeclineReason::TimeControl => "timeControl",
            DeclineReason::Rated => "rated",
            DeclineReason::Casual => "casual",
            DeclineReason::Standard => "standard",
            DeclineReason::Variant => "variant",
            DeclineReason::NoBot => "noBot",
            DeclineReason::OnlyBot => "onlyBot",
        }
    }

    /// The reason of that name.
    pub fn named(name: &str) -> Option<DeclineReason> {
        let mut all = DeclineReason::ALL.into_iter();
        all.find(|reason| reason.name() == name)
    }
}

impl AbortReason {
    /// Whether the invited player declined, for whatever reason.
    pub const fn is_declined(self) -> bool {
        matches!(self, AbortReason::Declined(_))
    }

    /// What became of a game that nobody joined, and of any other: `aborted`.
    pub const fn name(self) -> &'static str {
        match self {
            AbortReason::Cancelled => "cancelled",
            AbortReason::Declined(_) => "declined",
            AbortReason::Expired => "expired",
            AbortReason::Player
            | AbortReason::NoFirstMove
            | AbortReason::Adjourned
            | AbortReason::Operator => "aborted",
        }
    }

    /// The place of its code.
    fn place(self) -> u8 {
        match self {
            AbortReason::Player => 0,
            AbortReason::Cancelled => 1,
            AbortReason::Declined(_) => 2,
            AbortReason::Expired => 3,
            AbortReason::NoFirstMove => 4,
            AbortReason::Adjourned => 5,
            AbortReason::Operator => 6,
        }
    }
}

impl Ending {
    /// Why the invited player declined, if they said so.
    pub fn decline_reason(self) -> Option<DeclineReason> {
        match self {
            Ending::Aborted {
                by: AbortReason::Declined(why),
            } => why,
            _ => None,
        }
    }

    /// Whether it was drawn by what had happened on the board.
    pub fn is_drawn_by_rule(self) -> bool {
        use DrawReason as By;
        let Ending::Drawn { by } = self else {
            return false;
        };
        match by {
            By::Stalemate | By::InsufficientMaterial | By::VariantEnd => true,
            By::Threefold | By::Fivefold | By::FiftyMoves | By::SeventyFiveMoves => true,
            By::Agreed | By::TimeoutVsInsufficientMaterial | By::Abandoned | By::Adjudicated => {
                false
            }
        }
    }

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
        AbortReason::Declined(None),
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
        let declined = DeclineReason::ALL.into_iter().map(declined);
        won.chain(drawn).chain(aborted).chain(declined)
    }

    /// The stable code in stored games: 0x0r and 0x1r for wins of White and
    /// Black, 0x2r for draws, 0x3r for aborted games, `r` the reason's place;
    /// 0x4r for those declined with a reason.
    pub(super) fn code(self) -> u8 {
        match self {
            Ending::Won { winner, by } => by as u8 | winner.fold_wb(0x00, 0x10),
            Ending::Drawn { by } => by as u8 | 0x20,
            Ending::Aborted {
                by: AbortReason::Declined(Some(why)),
            } => why as u8 | 0x40,
            Ending::Aborted { by } => by.place() | 0x30,
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
            0x40 => DeclineReason::ALL.get(reason).copied().map(declined),
            _ => None,
        }
    }
}

fn declined(why: DeclineReason) -> Ending {
    Ending::Aborted {
        by: AbortReason::Declined(Some(why)),
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

    /// Stored games have these: a code never changes its meaning.
    #[test]
    fn the_codes_of_aborted_games_stay_as_they_are() {
        let aborted = Ending::ABORTS.map(|by| Ending::Aborted { by }.code());
        assert_eq!(aborted, [0x30, 0x31, 0x32, 0x33, 0x34, 0x35, 0x36]);
        let declined = DeclineReason::ALL.map(|why| declined(why).code());
        let expected: Vec<u8> = (0x40..=0x4a).collect();
        assert_eq!(&declined[..], expected);
    }

    #[test]
    fn a_reason_to_decline_is_found_by_its_name() {
        for why in DeclineReason::ALL {
            assert_eq!(DeclineReason::named(why.name()), Some(why));
        }
        assert_eq!(DeclineReason::named("toofast"), None);
    }
}
