//! What a new game is to be.

use chess::clock::BadTimeControl;
use chess::game::{BadTerms, ColorChoice, Creation, Terms};
use chess::rules::{Start, Variant};
use chess::table::PlayerId;
use rand::RngExt;

use crate::problem::{Kind, Problem};

/// A game to be made.
pub(crate) struct NewGame {
    /// Who is to play it.
    pub(crate) players: Players,
    /// Where it begins; `None`: as usual, in Chess960 by chance.
    pub(crate) start: Option<Start>,
    pub(crate) terms: Terms,
    /// The names of those who may see a private game.
    pub(crate) invited: Vec<String>,
}

/// Who is to play a new game.
pub(crate) enum Players {
    /// The caller, and whom they name, or anyone. The game waits.
    Own {
        color: ColorChoice,
        opponent: Option<String>,
    },
    /// Two whom a service names. The game begins at once.
    Named { white: String, black: String },
}

impl NewGame {
    /// The creation that is asked for, once the names are known.
    pub(super) fn creation(
        self,
        creator: PlayerId,
        opponent: Option<PlayerId>,
        invited: Vec<PlayerId>,
    ) -> Result<Creation, Problem> {
        let NewGame { start, terms, .. } = self;
        if terms.rated && matches!(start, Some(Start::Chess960(_))) {
            let detail = "chess960_position is for casual games: a rated one starts by chance";
            return Err(cannot_be_rated(detail).with("field", "chess960_position"));
        }
        let start = start.unwrap_or_else(|| match terms.variant {
            Variant::Chess960 => Start::Chess960(rand::rng().random_range(0..960)),
            _ => Start::Usual,
        });
        Ok(Creation {
            creator,
            color: match self.players {
                Players::Own { color, .. } => color,
                Players::Named { .. } => ColorChoice::White,
            },
            opponent,
            start,
            terms,
            invited,
            rematch_of: None,
        })
    }
}

/// Such a game cannot count.
pub(super) fn cannot_be_rated(why: &str) -> Problem {
    Problem::new(Kind::Impossible, "cannot_be_rated", why)
}

/// A clock that cannot be played with.
pub(crate) fn bad_time_control(bad: &BadTimeControl) -> Problem {
    let field = match bad.field {
        "" => "time_control".to_owned(),
        field => format!("time_control.{field}"),
    };
    Problem::new(Kind::Impossible, "bad_time_control", bad.why).with("field", field)
}

impl From<BadTerms> for Problem {
    fn from(bad: BadTerms) -> Problem {
        match bad {
            BadTerms::TimeControl(e) => bad_time_control(&e),
            BadTerms::Fen(e) => Problem::new(Kind::Impossible, "bad_fen", e.0),
            BadTerms::CannotBeRated(field, why) => cannot_be_rated(why).with("field", field),
            BadTerms::Field(field, why) => {
                Problem::bad_request(format!("{field} {why}")).with("field", field)
            }
        }
    }
}
