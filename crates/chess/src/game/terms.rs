//! What the players agree on before the first move.

use std::fmt;

use shakmaty::Color;

use crate::clock::{BadTimeControl, ClockStart, TimeControl};
use crate::rating::why_casual;
use crate::rules::{BadFen, Board, Start, Variant};
use crate::table::PlayerId;

/// Whether repetition and the fifty-move rule end the game by themselves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum DrawRule {
    /// Threefold repetition and fifty moves end the game.
    #[default]
    Automatic,
    /// As FIDE has it: claimed at three and fifty, automatic at five and seventy-five.
    Claim,
}

/// Which side the creator wants.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ColorChoice {
    /// White.
    #[default]
    White,
    /// Black.
    Black,
    /// Decided by chance when the opponent joins.
    Random,
    /// Decided by chance when the game was made, where both are to know it before.
    Tossed(Color),
}

impl ColorChoice {
    /// The creator's side, if it is decided already.
    pub fn decided(self) -> Option<Color> {
        match self {
            ColorChoice::White => Some(Color::White),
            ColorChoice::Black => Some(Color::Black),
            ColorChoice::Tossed(color) => Some(color),
            ColorChoice::Random => None,
        }
    }

    /// The stable code in stored games.
    pub(super) const fn code(self) -> u8 {
        match self {
            ColorChoice::White => 0,
            ColorChoice::Black => 1,
            ColorChoice::Random => 2,
            ColorChoice::Tossed(Color::White) => 3,
            ColorChoice::Tossed(Color::Black) => 4,
        }
    }

    /// The inverse of [`ColorChoice::code`].
    pub(super) const fn from_code(code: u8) -> Option<ColorChoice> {
        Some(match code {
            0 => ColorChoice::White,
            1 => ColorChoice::Black,
            2 => ColorChoice::Random,
            3 => ColorChoice::Tossed(Color::White),
            4 => ColorChoice::Tossed(Color::Black),
            _ => return None,
        })
    }
}

/// Who may speak in the room around a game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ChatRule {
    /// Everybody.
    #[default]
    All,
    /// Those who play; everybody hears them.
    Players,
    /// Nobody, but for a moderator's notice.
    Off,
}

impl ChatRule {
    /// All there are.
    pub const ALL: [ChatRule; 3] = [ChatRule::All, ChatRule::Players, ChatRule::Off];

    /// Its name on the wire.
    pub fn name(self) -> &'static str {
        match self {
            ChatRule::All => "all",
            ChatRule::Players => "players",
            ChatRule::Off => "off",
        }
    }
}

/// The room around a game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RoomTerms {
    /// Who may speak.
    pub chat: ChatRule,
    /// Whether only the server's members may enter, besides those who play and
    /// whom they invited.
    pub members_only: bool,
}

/// The terms that matter on every move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Terms {
    /// The clock.
    pub control: TimeControl,
    /// The rules.
    pub variant: Variant,
    /// How repetition and quiet moves draw.
    pub draw_rule: DrawRule,
    /// When the clocks begin to run.
    pub clock_start: ClockStart,
    /// Whether ratings change.
    pub rated: bool,
    /// Whether moves may be taken back by agreement; never in rated games.
    pub takebacks: bool,
    /// Whether only invited names may see the game.
    pub private: bool,
    /// The number of illegal attempts that loses the game; zero: none does.
    pub forfeit_after: u8,
    /// How far spectators lag behind, in seconds.
    pub spectator_delay: u16,
    /// The room around the game.
    pub room: RoomTerms,
}

/// Everything a new game is made from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Creation {
    /// Who made it.
    pub creator: PlayerId,
    /// The creator's side.
    pub color: ColorChoice,
    /// The only one who may join; `None`: anyone.
    pub opponent: Option<PlayerId>,
    /// Where the pieces stand.
    pub start: Start,
    /// The rest.
    pub terms: Terms,
    /// Who may see a private game besides the players.
    pub invited: Vec<PlayerId>,
    /// The game this is the rematch of, as the server numbers games.
    pub rematch_of: Option<u64>,
}

/// Why a game was not created.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BadTerms {
    /// The time control breaks a bound.
    TimeControl(BadTimeControl),
    /// The starting position is impossible.
    Fen(BadFen),
    /// The game cannot count for ratings; the field that forbids it, and a sentence.
    CannotBeRated(&'static str, &'static str),
    /// Some other term; the field's name and what is wrong with it.
    Field(&'static str, &'static str),
}

impl fmt::Display for BadTerms {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BadTerms::TimeControl(e) => e.fmt(f),
            BadTerms::Fen(e) => e.fmt(f),
            BadTerms::CannotBeRated(_, why) => f.write_str(why),
            BadTerms::Field(field, why) => write!(f, "{field} {why}"),
        }
    }
}

impl std::error::Error for BadTerms {}

/// The most names a game may invite.
pub(super) const INVITED_MAX: usize = 200;

impl Terms {
    /// Casual standard chess with this clock and every default of the contract.
    pub fn casual(control: TimeControl) -> Terms {
        Terms {
            control,
            variant: Variant::Standard,
            draw_rule: DrawRule::Automatic,
            clock_start: ClockStart::Join,
            rated: false,
            takebacks: true,
            private: false,
            forfeit_after: 0,
            spectator_delay: 0,
            room: RoomTerms::default(),
        }
    }

    /// Whether anybody may see the game.
    pub fn is_public(&self) -> bool {
        !self.private && !self.room.members_only
    }
}

impl Creation {
    /// An open game with White for the creator.
    pub fn open(creator: PlayerId, terms: Terms) -> Creation {
        Creation {
            creator,
            color: ColorChoice::White,
            opponent: None,
            start: Start::Usual,
            terms,
            invited: Vec::new(),
            rematch_of: None,
        }
    }

    /// Checks the terms and sets up the board.
    ///
    /// # Errors
    /// [`BadTerms`] names what is wrong.
    pub(super) fn check(&self) -> Result<Board, BadTerms> {
        let terms = &self.terms;
        terms.control.check().map_err(BadTerms::TimeControl)?;
        if terms.rated
            && let Some((field, why)) = why_casual(terms, &self.start)
        {
            return Err(BadTerms::CannotBeRated(field, why));
        }
        if self.opponent == Some(self.creator) {
            return Err(BadTerms::Field("opponent_id", "must be somebody else"));
        }
        if terms.spectator_delay > 900 {
            return Err(BadTerms::Field(
                "spectator_delay_seconds",
                "must be at most 900",
            ));
        }
        if terms.forfeit_after > 100 {
            return Err(BadTerms::Field(
                "illegal_moves",
                "forfeit_after must be from 1 to 100",
            ));
        }
        if self.invited.len() > INVITED_MAX {
            return Err(BadTerms::Field("invited", "may hold at most 200 names"));
        }
        let board = Board::start(terms.variant, &self.start).map_err(BadTerms::Fen)?;
        // Where draws are claimed, nobody may have claimed this one.
        if terms.draw_rule == DrawRule::Automatic && board.quiet_plies() >= 100 {
            let why = "the halfmove clock says that fifty moves have already passed";
            return Err(BadTerms::Fen(BadFen(why.into())));
        }
        Ok(board)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_choice_is_read_as_it_is_stored() {
        let choices = [
            ColorChoice::White,
            ColorChoice::Black,
            ColorChoice::Random,
            ColorChoice::Tossed(Color::White),
            ColorChoice::Tossed(Color::Black),
        ];
        for (code, choice) in (0..).zip(choices) {
            assert_eq!(choice.code(), code);
            assert_eq!(ColorChoice::from_code(code), Some(choice));
        }
        assert_eq!(ColorChoice::from_code(5), None);
        assert_eq!(choices[4].decided(), Some(Color::Black));
        assert_eq!(choices[2].decided(), None);
    }
}
