//! Which sides a player had, so that both come as often.

use shakmaty::Color;

/// How much more often than the other a player may have had one side.
const SURPLUS_MAX: i8 = 2;
const MINUS_MAX: i8 = -SURPLUS_MAX;

/// What a player's last games say about the side of the next.
///
/// More than one beyond the limit is not remembered: whoever has chosen White
/// fifty times in games of their own need not play Black fifty times for it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Colors {
    /// Games as White less games as Black.
    surplus: i8,
    last: Option<Color>,
}

impl Colors {
    /// Of a player's last games, the oldest first. Some twenty are plenty.
    pub fn of(games: impl IntoIterator<Item = Color>) -> Colors {
        games.into_iter().fold(Colors::default(), Colors::and)
    }

    /// After one more game.
    #[must_use]
    pub fn and(self, color: Color) -> Colors {
        let most = SURPLUS_MAX + 1;
        Colors {
            surplus: (self.surplus + color.fold_wb(1, -1)).clamp(-most, most),
            last: Some(color),
        }
    }

    /// Games as White less games as Black, as far as it is remembered.
    pub fn surplus(self) -> i8 {
        self.surplus
    }

    /// The side this player has to get, after the other too often.
    pub(super) fn due(self) -> Option<Color> {
        match self.surplus {
            SURPLUS_MAX.. => Some(Color::Black),
            i8::MIN..=MINUS_MAX => Some(Color::White),
            _ => None,
        }
    }

    /// The first one's side in a game of two: White is for whoever had it less
    /// often, then for whoever did not have it last, then by the toss.
    pub(super) fn first_among(self, other: Colors, toss: Color) -> Color {
        let whites = |colors: Colors| (colors.surplus, colors.last == Some(Color::White));
        match whites(self).cmp(&whites(other)) {
            std::cmp::Ordering::Less => Color::White,
            std::cmp::Ordering::Greater => Color::Black,
            std::cmp::Ordering::Equal => toss,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Color::{Black, White};

    #[test]
    fn white_is_for_whoever_had_it_less_often() {
        let (often, seldom) = (Colors::of([White, White]), Colors::of([White]));
        assert_eq!(often.first_among(seldom, White), Black);
        assert_eq!(seldom.first_among(often, Black), White);
    }

    #[test]
    fn sides_alternate_between_two_who_had_them_as_often() {
        let (one, other) = (Colors::of([White, Black]), Colors::of([Black, White]));
        assert_eq!(one.first_among(other, Black), White);
        assert_eq!(other.first_among(one, White), Black);
        for toss in [White, Black] {
            assert_eq!(one.first_among(one, toss), toss);
        }
    }

    #[test]
    fn after_two_more_of_one_side_the_other_is_due() {
        assert_eq!(Colors::of([White]).due(), None);
        assert_eq!(Colors::of([White, White]).due(), Some(Black));
        assert_eq!(Colors::of([Black, White, Black, Black]).due(), Some(White));
    }

    #[test]
    fn whoever_chose_one_side_fifty_times_owes_a_few_games_of_the_other() {
        let chosen = Colors::of([White; 50]);
        assert_eq!(chosen.surplus(), 3);
        assert_eq!(chosen.and(Black).and(Black).due(), None);
    }
}
