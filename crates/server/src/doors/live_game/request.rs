//! What a client asks a new game to be, and a move.

use chess::Millis;
use chess::clock::{ClockStart, TimeControl};
use chess::game::{ChatRule, ColorChoice, DrawRule, RoomTerms, Terms};
use chess::rules::{Square, Variant};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::play::terms::{self, Players};
use crate::problem::Problem;

/// A game to be made.
#[derive(Debug, Deserialize, ToSchema)]
#[schema(as = LiveNewGame, example = json!({
    "opponent_account_id": null,
    "color_preference": "white",
    "time_control": { "initial_seconds": 300, "increment_seconds": 0 },
    "rated": true,
}))]
pub(super) struct NewGame {
    /// The account that the game is meant for; `null`: whoever joins.
    #[schema(format = "uuid")]
    pub(super) opponent_account_id: Option<String>,
    /// Your side: `white` (default), `black` or `random`. It is assigned at the join.
    color_preference: Option<Color>,
    time_control: Clock,
    /// Whether ratings change; `true` if left out. Guests play unrated games.
    rated: Option<bool>,
}

/// A game against one of the server's own bots.
#[derive(Debug, Deserialize, ToSchema)]
#[schema(as = LiveNewBotGame, example = json!({
    "difficulty": "easy",
    "player_color": "white",
    "time_control": { "initial_seconds": 300, "increment_seconds": 0 },
    "rated": false,
}))]
pub(super) struct NewBotGame {
    /// `beginner`, `easy`, `medium`, `hard`, `expert` or `master`.
    pub(super) difficulty: String,
    /// Your side: `white` (default), `black` or `random`.
    player_color: Option<Color>,
    time_control: Clock,
    /// Passed over: games against bots are never rated.
    #[serde(rename = "rated")]
    _rated: Option<bool>,
}

/// The clock of a game.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, ToSchema)]
#[schema(as = LiveTimeControl)]
pub(super) struct Clock {
    /// What each clock starts with.
    #[schema(maximum = 43200)]
    pub(super) initial_seconds: u32,
    /// What each move adds.
    #[serde(default)]
    #[schema(maximum = 600, default = 0)]
    pub(super) increment_seconds: u32,
}

/// A side that is asked for.
#[derive(Clone, Copy, Debug, Deserialize, ToSchema)]
#[schema(as = LiveColor)]
#[serde(rename_all = "snake_case")]
pub(super) enum Color {
    White,
    Black,
    Random,
}

/// A move to be made.
#[derive(Debug, Deserialize, ToSchema)]
#[schema(as = LiveNewMove, example = json!({ "from": "e2", "to": "e4" }))]
pub(super) struct NewMove {
    from: String,
    to: String,
    /// What a pawn becomes: `q`, `r`, `b` or `n`. Passed over where none promotes.
    promotion: Option<String>,
}

impl NewGame {
    /// What is asked for, against whoever has that id.
    pub(super) fn read(&self, opponent: Option<String>) -> terms::NewGame {
        let rated = self.rated.unwrap_or(true);
        new_game(self.color_preference, opponent, self.time_control, rated)
    }
}

impl NewBotGame {
    pub(super) fn read(&self) -> terms::NewGame {
        new_game(self.player_color, None, self.time_control, false)
    }
}

fn new_game(
    color: Option<Color>,
    opponent: Option<String>,
    clock: Clock,
    rated: bool,
) -> terms::NewGame {
    let color = match color {
        None | Some(Color::White) => ColorChoice::White,
        Some(Color::Black) => ColorChoice::Black,
        Some(Color::Random) => ColorChoice::Random,
    };
    terms::NewGame {
        players: Players::Own { color, opponent },
        start: None,
        terms: Terms {
            control: TimeControl::Fischer {
                initial: Millis::from_secs(clock.initial_seconds),
                increment: Millis::from_secs(clock.increment_seconds),
            },
            variant: Variant::Standard,
            draw_rule: DrawRule::Automatic,
            clock_start: ClockStart::Join,
            rated,
            takebacks: !rated,
            private: false,
            forfeit_after: 0,
            spectator_delay: 0,
            room: RoomTerms {
                chat: ChatRule::All,
                members_only: false,
            },
        },
        invited: Vec::new(),
    }
}

impl NewMove {
    /// From where, to where, and what a pawn would become.
    pub(super) fn read(&self) -> Result<(Square, Square, Option<char>), Problem> {
        let square = |field: &str, text: &str| {
            let read = Square::from_ascii(text.as_bytes());
            read.map_err(|_| bad(field, "is a square, such as e4"))
        };
        let promotion = match self.promotion.as_deref() {
            None | Some("") => None,
            Some("q" | "Q") => Some('q'),
            Some("r" | "R") => Some('r'),
            Some("b" | "B") => Some('b'),
            Some("n" | "N") => Some('n'),
            Some(_) => return Err(bad("promotion", "is q, r, b or n")),
        };
        let (from, to) = (square("from", &self.from)?, square("to", &self.to)?);
        Ok((from, to, promotion))
    }
}

fn bad(field: &str, what: &str) -> Problem {
    Problem::bad_request(format!("{field} {what}")).with("field", field)
}
