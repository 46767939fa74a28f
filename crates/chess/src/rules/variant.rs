//! The nine sets of rules a game may be played under.

use shakmaty::variant::Variant as Rules;

/// A variant as clients name it. Chess960 has standard rules and another start.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Variant {
    /// Chess as FIDE has it.
    #[default]
    Standard,
    /// Standard rules from one of 960 starting positions.
    Chess960,
    /// Captured pieces may be dropped back by their captor.
    Crazyhouse,
    /// Captures are forced and losing all pieces wins.
    Antichess,
    /// A capture explodes everything around it but pawns.
    Atomic,
    /// White has 36 pawns and no king.
    Horde,
    /// A king in the centre wins.
    KingOfTheHill,
    /// First king on the eighth rank wins; checks are forbidden.
    RacingKings,
    /// The third check wins.
    ThreeCheck,
}

impl Variant {
    /// All of them, in the order of their stored codes.
    pub const ALL: [Variant; 9] = [
        Variant::Standard,
        Variant::Chess960,
        Variant::Crazyhouse,
        Variant::Antichess,
        Variant::Atomic,
        Variant::Horde,
        Variant::KingOfTheHill,
        Variant::RacingKings,
        Variant::ThreeCheck,
    ];

    /// The stable code used in stored games: the position in [`Variant::ALL`].
    pub const fn code(self) -> u8 {
        self as u8
    }

    /// The inverse of [`Variant::code`].
    pub fn from_code(code: u8) -> Option<Variant> {
        Variant::ALL.get(usize::from(code)).copied()
    }

    /// The name on the wire.
    pub const fn name(self) -> &'static str {
        match self {
            Variant::Standard => "standard",
            Variant::Chess960 => "chess960",
            Variant::Crazyhouse => "crazyhouse",
            Variant::Antichess => "antichess",
            Variant::Atomic => "atomic",
            Variant::Horde => "horde",
            Variant::KingOfTheHill => "king_of_the_hill",
            Variant::RacingKings => "racing_kings",
            Variant::ThreeCheck => "three_check",
        }
    }

    /// The variant of that wire name.
    pub fn from_name(name: &str) -> Option<Variant> {
        Variant::ALL.into_iter().find(|v| v.name() == name)
    }

    /// The name in a PGN `Variant` tag, as chess programs know it.
    pub const fn title(self) -> &'static str {
        match self {
            Variant::Standard => "Standard",
            Variant::Chess960 => "Chess960",
            Variant::Crazyhouse => "Crazyhouse",
            Variant::Antichess => "Antichess",
            Variant::Atomic => "Atomic",
            Variant::Horde => "Horde",
            Variant::KingOfTheHill => "King of the Hill",
            Variant::RacingKings => "Racing Kings",
            Variant::ThreeCheck => "Three-check",
        }
    }

    /// The rules `shakmaty` plays it by.
    pub(crate) const fn rules(self) -> Rules {
        match self {
            Variant::Standard | Variant::Chess960 => Rules::Chess,
            Variant::Crazyhouse => Rules::Crazyhouse,
            Variant::Antichess => Rules::Antichess,
            Variant::Atomic => Rules::Atomic,
            Variant::Horde => Rules::Horde,
            Variant::KingOfTheHill => Rules::KingOfTheHill,
            Variant::RacingKings => Rules::RacingKings,
            Variant::ThreeCheck => Rules::ThreeCheck,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_and_names_lead_back_to_their_variant() {
        for variant in Variant::ALL {
            assert_eq!(Variant::from_code(variant.code()), Some(variant));
            assert_eq!(Variant::from_name(variant.name()), Some(variant));
        }
        assert_eq!(Variant::from_code(9), None);
        assert_eq!(Variant::from_name("Standard"), None);
    }
}
