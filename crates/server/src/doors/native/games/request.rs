//! What a client asks a new game to be.

use chess::clock::ClockStart;
use chess::game::{ChatRule, ColorChoice, DrawRule, RoomTerms, Terms};
use chess::rules::{Start, Variant};
use serde::{Deserialize, Deserializer};
use utoipa::ToSchema;

use super::time_control::{TimeControlJson, time_control};
use crate::play::terms::{self, Players};
use crate::problem::{Kind, Problem};

/// A game to be made.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[schema(example = json!({
    "time_control": { "initial_seconds": 300, "increment_seconds": 2 },
    "variant": "standard",
    "color": "random",
}))]
pub(crate) struct NewGame {
    /// The clock; `null` for none. A field that does not belong to its form is 422.
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = Option<TimeControlJson>, required)]
    pub(crate) time_control: Option<Option<serde_json::Value>>,
    /// `standard` (default), `chess960`, `crazyhouse`, `antichess`, `atomic`,
    /// `horde`, `king_of_the_hill`, `racing_kings`, `three_check`.
    pub(crate) variant: Option<String>,
    /// Where to begin; only in casual games. After fifty moves without capture or pawn
    /// move only with the draw rule `claim`.
    pub(crate) initial_fen: Option<String>,
    /// Which of the 960 starts; by chance if left out. Only in casual games.
    #[schema(maximum = 959)]
    pub(crate) chess960_position: Option<u16>,
    /// Whom the game is meant for; `null`: anyone may join. A game with a clock expires a day
    /// after it was made, one for anyone a minute after its creator was last seen; days per
    /// move or no clock: after 14 days.
    pub(crate) opponent_id: Option<String>,
    /// `white` (default), `black` or `random`.
    pub(crate) color: Option<Side>,
    /// Another name of `color`.
    pub(crate) color_preference: Option<Side>,
    /// Whether ratings change: not with a guest, without a clock, or from a start of one's own.
    #[serde(default)]
    pub(crate) rated: bool,
    /// `automatic` (default): the third occurrence of a position and fifty moves without
    /// capture or pawn move draw by themselves; `claim`: they may be claimed, and the
    /// fifth and seventy-five draw.
    pub(crate) draw_rule: Option<DrawRuleName>,
    /// `join` (default): White's clock runs from the join. `second_ply`: no clock and no
    /// increment before the second half-move; a first move not made within 15 (ultra-bullet),
    /// 20 (bullet), 25 (blitz), 30 (rapid) or 35 seconds (classical) aborts the game.
    pub(crate) clock_start: Option<ClockStartName>,
    /// `public` (default), `private`, or `members`: for the server's members alone, who
    /// open it by its address; lists show it to its players and those invited.
    pub(crate) visibility: Option<Visibility>,
    /// Who may speak: `all` (default), `players` or `off`.
    pub(crate) chat: Option<ChatName>,
    /// Who may see a private game; at most 200.
    #[serde(default)]
    pub(crate) invited: Vec<String>,
    /// Whether moves may be taken back; default: in casual games.
    pub(crate) takebacks: Option<bool>,
    /// How far spectators lag behind.
    #[serde(default)]
    #[schema(maximum = 900)]
    pub(crate) spectator_delay_seconds: u16,
    /// Lose the game after so many illegal attempts; left out: they cost nothing.
    pub(crate) illegal_moves: Option<IllegalMoves>,
    /// With scope `service`: who plays White.
    pub(crate) white: Option<String>,
    /// With scope `service`: who plays Black.
    pub(crate) black: Option<String>,
    /// With scope `service`: start at once.
    #[serde(default)]
    pub(crate) start: bool,
}

/// Which side the creator wants.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Side {
    White,
    Black,
    Random,
}

/// How repetition and quiet moves draw.
#[derive(Clone, Copy, Debug, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum DrawRuleName {
    Automatic,
    Claim,
}

/// When the clocks begin to run.
#[derive(Clone, Copy, Debug, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum ClockStartName {
    Join,
    SecondPly,
}

/// Who may see the game.
#[derive(Clone, Copy, Debug, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Visibility {
    Public,
    Private,
    Members,
}

/// Who may speak.
#[derive(Clone, Copy, Debug, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum ChatName {
    All,
    Players,
    Off,
}

impl ChatName {
    fn rule(self) -> ChatRule {
        match self {
            ChatName::All => ChatRule::All,
            ChatName::Players => ChatRule::Players,
            ChatName::Off => ChatRule::Off,
        }
    }
}

/// What illegal attempts cost.
#[derive(Clone, Copy, Debug, Deserialize, ToSchema)]
pub(crate) struct IllegalMoves {
    /// The attempt that loses, or draws if the opponent cannot mate. The same
    /// attempt counts once in a turn, and a text that could be several legal moves never.
    #[schema(minimum = 1, maximum = 100)]
    pub(crate) forfeit_after: u32,
}

impl IllegalMoves {
    fn checked(self) -> Result<u8, Problem> {
        match u8::try_from(self.forfeit_after) {
            Ok(attempts @ 1..=100) => Ok(attempts),
            _ => {
                let field = "illegal_moves.forfeit_after";
                let detail = format!("{field} must be from 1 to 100");
                Err(Problem::new(Kind::Impossible, "bad_illegal_moves", detail)
                    .with("field", field))
            }
        }
    }
}

/// Tells a field that is `null` from one that is not there.
pub(crate) fn present<'de, D: Deserializer<'de>>(
    reader: D,
) -> Result<Option<Option<serde_json::Value>>, D::Error> {
    Option::deserialize(reader).map(Some)
}

impl NewGame {
    /// What is asked for.
    pub(super) fn read(self) -> Result<terms::NewGame, Problem> {
        let variant = match self.variant.as_deref() {
            None => Variant::Standard,
            Some(name) => variant_named(name)?,
        };
        Ok(terms::NewGame {
            players: self.players()?,
            start: match (self.initial_fen, self.chess960_position) {
                (Some(fen), _) => Some(Start::Fen(fen.into())),
                (None, number) => number.map(Start::Chess960),
            },
            terms: Terms {
                control: time_control(self.time_control)?,
                variant,
                draw_rule: match self.draw_rule {
                    Some(DrawRuleName::Claim) => DrawRule::Claim,
                    Some(DrawRuleName::Automatic) | None => DrawRule::Automatic,
                },
                clock_start: match self.clock_start {
                    Some(ClockStartName::SecondPly) => ClockStart::SecondPly,
                    Some(ClockStartName::Join) | None => ClockStart::Join,
                },
                rated: self.rated,
                takebacks: !self.rated && self.takebacks.unwrap_or(true),
                private: matches!(self.visibility, Some(Visibility::Private)),
                forfeit_after: match self.illegal_moves {
                    Some(counted) => counted.checked()?,
                    None => 0,
                },
                spectator_delay: self.spectator_delay_seconds,
                room: RoomTerms {
                    chat: self.chat.map_or(ChatRule::All, ChatName::rule),
                    members_only: matches!(self.visibility, Some(Visibility::Members)),
                },
            },
            invited: self.invited,
        })
    }

    fn players(&self) -> Result<Players, Problem> {
        let color = self.color_choice()?;
        match (&self.white, &self.black, self.start) {
            (Some(white), Some(black), true) => Ok(Players::Named {
                white: white.clone(),
                black: black.clone(),
            }),
            (None, None, false) => Ok(Players::Own {
                color,
                opponent: self.opponent_id.clone(),
            }),
            _ => {
                let detail = "a service names white and black and says start: true";
                Err(Problem::bad_request(detail).with("field", "start"))
            }
        }
    }

    fn color_choice(&self) -> Result<ColorChoice, Problem> {
        let color = match (self.color, self.color_preference) {
            (Some(one), Some(other)) if one != other => {
                let detail = "color_preference is another name of color, and says something else";
                return Err(Problem::bad_request(detail).with("field", "color_preference"));
            }
            (color, preference) => color.or(preference),
        };
        Ok(match color {
            None | Some(Side::White) => ColorChoice::White,
            Some(Side::Black) => ColorChoice::Black,
            Some(Side::Random) => ColorChoice::Random,
        })
    }
}

/// The variant of that name.
///
/// # Errors
/// 400 with all the names there are.
pub(crate) fn variant_named(name: &str) -> Result<Variant, Problem> {
    Variant::from_name(name).ok_or_else(|| {
        let all: Vec<&str> = Variant::ALL.iter().map(|v| v.name()).collect();
        let detail = format!("variant must be one of {}", all.join(", "));
        Problem::bad_request(detail).with("field", "variant")
    })
}
