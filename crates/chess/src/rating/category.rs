//! Which games are rated together.

use crate::clock::Speed;
use crate::game::Terms;
use crate::rules::Variant;

/// What a player has one rating for: standard chess by its speed, every other
/// variant at whatever speed, since few would have several ratings in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Category {
    /// Standard chess of under half a minute.
    UltraBullet,
    /// Of under three minutes.
    Bullet,
    /// Of under eight minutes.
    Blitz,
    /// Of under 25 minutes.
    Rapid,
    /// Slower, with a clock.
    Classical,
    /// Days per move.
    Correspondence,
    /// Chess960.
    Chess960,
    /// Crazyhouse.
    Crazyhouse,
    /// Antichess.
    Antichess,
    /// Atomic chess.
    Atomic,
    /// Horde.
    Horde,
    /// King of the hill.
    KingOfTheHill,
    /// Racing kings.
    RacingKings,
    /// Three-check.
    ThreeCheck,
}

impl Category {
    /// All of them, in the order of their stored codes.
    pub const ALL: [Category; 14] = [
        Category::UltraBullet,
        Category::Bullet,
        Category::Blitz,
        Category::Rapid,
        Category::Classical,
        Category::Correspondence,
        Category::Chess960,
        Category::Crazyhouse,
        Category::Antichess,
        Category::Atomic,
        Category::Horde,
        Category::KingOfTheHill,
        Category::RacingKings,
        Category::ThreeCheck,
    ];

    /// The category of a game of these rules and this speed.
    pub const fn new(variant: Variant, speed: Speed) -> Category {
        match variant {
            Variant::Standard => match speed {
                Speed::UltraBullet => Category::UltraBullet,
                Speed::Bullet => Category::Bullet,
                Speed::Blitz => Category::Blitz,
                Speed::Rapid => Category::Rapid,
                Speed::Classical => Category::Classical,
                Speed::Correspondence => Category::Correspondence,
            },
            Variant::Chess960 => Category::Chess960,
            Variant::Crazyhouse => Category::Crazyhouse,
            Variant::Antichess => Category::Antichess,
            Variant::Atomic => Category::Atomic,
            Variant::Horde => Category::Horde,
            Variant::KingOfTheHill => Category::KingOfTheHill,
            Variant::RacingKings => Category::RacingKings,
            Variant::ThreeCheck => Category::ThreeCheck,
        }
    }

    /// The category of a game with these terms.
    pub fn of(terms: &Terms) -> Category {
        Category::new(terms.variant, terms.control.speed())
    }

    /// The stable code used in stored ratings: the position in [`Category::ALL`].
    pub const fn code(self) -> u8 {
        self as u8
    }

    /// The inverse of [`Category::code`].
    pub fn from_code(code: u8) -> Option<Category> {
        Category::ALL.get(usize::from(code)).copied()
    }

    /// The name on the wire: that of the speed, or of the variant.
    pub const fn name(self) -> &'static str {
        match self {
            Category::UltraBullet => Speed::UltraBullet.name(),
            Category::Bullet => Speed::Bullet.name(),
            Category::Blitz => Speed::Blitz.name(),
            Category::Rapid => Speed::Rapid.name(),
            Category::Classical => Speed::Classical.name(),
            Category::Correspondence => Speed::Correspondence.name(),
            Category::Chess960 => Variant::Chess960.name(),
            Category::Crazyhouse => Variant::Crazyhouse.name(),
            Category::Antichess => Variant::Antichess.name(),
            Category::Atomic => Variant::Atomic.name(),
            Category::Horde => Variant::Horde.name(),
            Category::KingOfTheHill => Variant::KingOfTheHill.name(),
            Category::RacingKings => Variant::RacingKings.name(),
            Category::ThreeCheck => Variant::ThreeCheck.name(),
        }
    }

    /// The category of that wire name.
    pub fn from_name(name: &str) -> Option<Category> {
        Category::ALL.into_iter().find(|c| c.name() == name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Millis;
    use crate::clock::TimeControl;

    fn fischer(initial: u32, increment: u32) -> Terms {
        Terms::casual(TimeControl::Fischer {
            initial: Millis::from_secs(initial),
            increment: Millis::from_secs(increment),
        })
    }

    #[test]
    fn standard_games_are_rated_by_what_forty_moves_would_take() {
        for (initial, increment, category) in [
            (29, 0, "ultra_bullet"),
            (30, 0, "bullet"),
            (0, 1, "bullet"),
            (179, 0, "bullet"),
            (180, 0, "blitz"),
            (60, 3, "blitz"),
            (479, 0, "blitz"),
            (180, 8, "rapid"),
            (480, 0, "rapid"),
            (1499, 0, "rapid"),
            (900, 15, "classical"),
            (1500, 0, "classical"),
        ] {
            let name = Category::of(&fischer(initial, increment)).name();
            assert_eq!(name, category, "{initial}+{increment}");
        }
        let days = Terms::casual(TimeControl::Correspondence { days: 1 });
        assert_eq!(Category::of(&days), Category::Correspondence);
    }

    #[test]
    fn a_variant_has_one_rating_at_every_speed() {
        for control in [
            fischer(15, 0).control,
            TimeControl::Correspondence { days: 3 },
        ] {
            for variant in Variant::ALL.into_iter().skip(1) {
                let mut terms = Terms::casual(control.clone());
                terms.variant = variant;
                assert_eq!(Category::of(&terms).name(), variant.name());
            }
        }
    }

    #[test]
    fn codes_and_names_lead_back_to_their_category() {
        for category in Category::ALL {
            assert_eq!(Category::from_code(category.code()), Some(category));
            assert_eq!(Category::from_name(category.name()), Some(category));
        }
        assert_eq!(Category::from_code(14), None);
        assert_eq!(Category::from_name("standard"), None);
    }
}
