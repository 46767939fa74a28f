//! What happens that others may want to be told: services, and players who are away.

use std::fmt;

/// A kind of event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Kind {
    /// A game was made: it waits for somebody, or begins at once.
    GameCreated,
    /// Two are there, and play.
    GameStarted,
    /// A half-move was made.
    MovePlayed,
    /// A game is over, whether it was ever begun or not; or an operator changed how it ended.
    GameEnded,
    /// A match of skill chess is over.
    MatchEnded,
    /// A game changed the ratings of its players.
    RatingChanged,
    /// Somebody reported a player: for administrators.
    PlayerReported,
}

impl Kind {
    /// All there are, in the order in which those of one change are told.
    pub const ALL: [Kind; 7] = [
        Kind::GameCreated,
        Kind::GameStarted,
        Kind::MovePlayed,
        Kind::GameEnded,
        Kind::MatchEnded,
        Kind::RatingChanged,
        Kind::PlayerReported,
    ];

    /// Its name on the wire and in the store.
    pub const fn name(self) -> &'static str {
        match self {
            Kind::GameCreated => "GameCreated",
            Kind::GameStarted => "GameStarted",
            Kind::MovePlayed => "MovePlayed",
            Kind::GameEnded => "GameEnded",
            Kind::MatchEnded => "MatchEnded",
            Kind::RatingChanged => "RatingChanged",
            Kind::PlayerReported => "PlayerReported",
        }
    }

    /// The kind of that name.
    pub fn named(name: &str) -> Option<Kind> {
        Kind::ALL.into_iter().find(|kind| kind.name() == name)
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Some kinds of events.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Kinds(u8);

impl Kinds {
    /// None of them.
    pub const NONE: Kinds = Kinds(0);
    /// All of them.
    pub const ALL: Kinds = Kinds((1 << Kind::ALL.len()) - 1);

    /// These and that one.
    #[must_use]
    pub const fn with(self, kind: Kind) -> Kinds {
        Kinds(self.0 | 1 << kind as u8)
    }

    /// These without that one.
    #[must_use]
    pub const fn without(self, kind: Kind) -> Kinds {
        Kinds(self.0 & !(1 << kind as u8))
    }

    /// Whether that one is among them.
    pub const fn has(self, kind: Kind) -> bool {
        self.0 & 1 << kind as u8 != 0
    }

    /// Whether there are none.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Each of them, in the order of telling.
    pub fn iter(self) -> impl Iterator<Item = Kind> {
        Kind::ALL.into_iter().filter(move |kind| self.has(*kind))
    }

    /// As a number, to be stored: a bit for each.
    pub const fn bits(self) -> u8 {
        self.0
    }

    /// The inverse of [`Kinds::bits`]; what is not known is left out.
    pub const fn from_bits(bits: u8) -> Kinds {
        Kinds(bits & Kinds::ALL.0)
    }
}

impl FromIterator<Kind> for Kinds {
    fn from_iter<I: IntoIterator<Item = Kind>>(kinds: I) -> Kinds {
        kinds.into_iter().fold(Kinds::NONE, Kinds::with)
    }
}
