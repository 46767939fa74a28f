//! A game as this door's clients see it.

use chess::game::{Ending, Game, Offer};
use chess::table::{PlayerId, State, Table};
use chess::{Color, Millis};
use serde::Serialize;
use store::TableId;
use utoipa::ToSchema;
use uuid::Uuid;

use super::request::Clock;
use crate::auth::Names;
use crate::play::{App, Sight, match_ids};
use crate::problem::Problem;
use crate::text_time::rfc3339;

/// A game with all its moves.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = LiveGame)]
pub(super) struct GameState {
    #[schema(format = "uuid")]
    id: String,
    /// `waiting_for_opponent`, `in_progress` or `ended`.
    status: &'static str,
    rated: bool,
    /// `standard`.
    variant_code: &'static str,
    white: Side,
    black: Side,
    /// `w` or `b`.
    side_to_move: &'static str,
    fen: String,
    moves: Vec<MoveView>,
    /// `1-0`, `0-1`, `1/2-1/2`; `null` until it is over, and if it was aborted.
    result: Option<&'static str>,
    /// `checkmate`, `resignation`, `timeout`, `draw_agreed`, `aborted`, ...
    end_reason: Option<&'static str>,
    #[schema(format = DateTime)]
    created_at: String,
    #[schema(format = DateTime)]
    started_at: Option<String>,
    #[schema(format = DateTime)]
    ended_at: Option<String>,
    /// Only while a draw is on offer: whose offer it is, `w` or `b`.
    #[serde(skip_serializing_if = "Option::is_none")]
    draw_offer: Option<&'static str>,
}

/// One of the two.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = LiveSide)]
struct Side {
    /// `null` until somebody has joined.
    #[schema(format = "uuid")]
    account_id: Option<String>,
    /// What is left of the time, now.
    remaining_ms: u32,
}

/// A half-move.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = LiveMove)]
struct MoveView {
    /// From 1.
    ply: u32,
    /// One for White's and Black's.
    move_number: u32,
    /// `w` or `b`.
    color: &'static str,
    from: String,
    to: String,
    /// `q`, `r`, `b` or `n`.
    promotion: Option<String>,
    san: String,
    #[schema(format = DateTime)]
    played_at: String,
    /// What the mover took for it.
    elapsed_ms: u32,
}

/// A game without its moves, as it was made.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = LiveGameSummary)]
pub(super) struct GameSummary {
    #[schema(format = "uuid")]
    id: String,
    /// `waiting_for_opponent` or `in_progress`.
    status: &'static str,
    #[schema(format = "uuid")]
    creator_account_id: Option<String>,
    /// `null` until somebody has joined.
    #[schema(format = "uuid")]
    white_account_id: Option<String>,
    /// `null` until somebody has joined.
    #[schema(format = "uuid")]
    black_account_id: Option<String>,
    time_control: Clock,
    rated: bool,
    fen: String,
    /// `w` or `b`.
    side_to_move: &'static str,
    /// Against a bot: its id, such as `bot-easy-800`.
    #[serde(skip_serializing_if = "Option::is_none")]
    bot_id: Option<String>,
    /// Against a bot: its side, `white` or `black`.
    #[serde(skip_serializing_if = "Option::is_none")]
    bot_color: Option<&'static str>,
}

/// That a game is over.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = LiveGameEnded)]
pub(super) struct GameEnded {
    /// `GameEnded`.
    #[serde(rename = "type")]
    kind: &'static str,
    #[schema(format = "uuid")]
    game_id: String,
    #[schema(format = "uuid")]
    white_account_id: Option<String>,
    #[schema(format = "uuid")]
    black_account_id: Option<String>,
    /// `1-0`, `0-1`, `1/2-1/2`; `null` if it was aborted.
    result: Option<&'static str>,
    end_reason: Option<&'static str>,
    time_control: Clock,
}

impl GameState {
    /// The game as its viewer sees it.
    pub(super) async fn of(app: &App, sight: &Sight) -> Result<GameState, Problem> {
        let game = &*sight.game;
        let people = People::of(app, game).await?;
        let clocks = game.clocks(sight.clock_at()).unwrap_or_default();
        let side = |color: Color| Side {
            account_id: people.seat(color),
            remaining_ms: clocks.get(color).0,
        };
        Ok(GameState {
            id: game_id(sight.id),
            status: status(game),
            rated: game.terms().rated,
            variant_code: game.terms().variant.name(),
            white: side(Color::White),
            black: side(Color::Black),
            side_to_move: letter(game.turn()),
            fen: game.board().fen(),
            moves: moves(app, sight.id, game),
            result: game.ending().and_then(result),
            end_reason: game.ending().map(end_reason),
            created_at: rfc3339(game.created_at()),
            started_at: game.started_at().map(rfc3339),
            ended_at: game.ended_at().map(rfc3339),
            draw_offer: game.offer(Offer::Draw).map(letter),
        })
    }
}

impl GameSummary {
    /// A game that was made.
    pub(super) async fn of(app: &App, id: TableId, game: &Game) -> Result<GameSummary, Problem> {
        let people = People::of(app, game).await?;
        Ok(GameSummary {
            id: game_id(id),
            status: status(game),
            creator_account_id: people.uuid(game.creator()),
            white_account_id: people.seat(Color::White),
            black_account_id: people.seat(Color::Black),
            time_control: time_control(game),
            rated: game.terms().rated,
            fen: game.board().fen(),
            side_to_move: letter(game.turn()),
            bot_id: None,
            bot_color: None,
        })
    }

    /// The same against a bot.
    pub(super) fn against(self, bot: String, color: Color) -> GameSummary {
        GameSummary {
            bot_id: Some(bot),
            bot_color: Some(color.fold_wb("white", "black")),
            ..self
        }
    }
}

impl GameEnded {
    /// Of a game that is over.
    pub(super) async fn of(app: &App, id: TableId, game: &Game) -> Result<GameEnded, Problem> {
        let people = People::of(app, game).await?;
        Ok(GameEnded {
            kind: "GameEnded",
            game_id: game_id(id),
            white_account_id: people.seat(Color::White),
            black_account_id: people.seat(Color::Black),
            result: game.ending().and_then(result),
            end_reason: game.ending().map(end_reason),
            time_control: time_control(game),
        })
    }
}

/// Those of a game, by their UUIDs.
struct People<'a> {
    game: &'a Game,
    names: Names,
}

impl People<'_> {
    async fn of<'a>(app: &App, game: &'a Game) -> Result<People<'a>, Problem> {
        let seats = game.seats().iter().flatten().copied();
        let names = Names::of(app, seats.chain([game.creator()])).await?;
        Ok(People { game, names })
    }

    fn uuid(&self, player: PlayerId) -> Option<String> {
        let person = self.names.get(player)?;
        Some(Uuid::from_bytes(person.uuid).to_string())
    }

    /// Who has that side. Sides are told when somebody has joined, whatever was asked for.
    fn seat(&self, color: Color) -> Option<String> {
        self.game.started_at()?;
        self.uuid((*self.game.seats().get(color))?)
    }
}

fn moves(app: &App, id: TableId, game: &Game) -> Vec<MoveView> {
    let start = game.start_board();
    let first = start.move_number();
    let mut color = start.turn();
    // Black may have the first move of a position that was set up.
    let offset = color.fold_wb(0, 1);
    let (uci, san) = app.scores.of(id, game);
    let played = game.line();
    let mut shown = Vec::with_capacity(played.len());
    for (ply, ((uci, san), played)) in (1..).zip(uci.into_iter().zip(san).zip(played)) {
        let part = |range: std::ops::Range<usize>| uci.get(range).map(str::to_owned);
        shown.push(MoveView {
            ply,
            move_number: first + (ply - 1 + offset) / 2,
            color: letter(color),
            from: part(0..2).unwrap_or_default(),
            to: part(2..4).unwrap_or_default(),
            promotion: part(4..5),
            san,
            played_at: rfc3339(played.at),
            elapsed_ms: played.spent.0,
        });
        color = !color;
    }
    shown
}

fn game_id(id: TableId) -> String {
    match_ids::match_id(id).to_string()
}

fn status(game: &Game) -> &'static str {
    match game.state() {
        State::Waiting => "waiting_for_opponent",
        State::Active | State::Paused => "in_progress",
        State::Completed => "ended",
    }
}

fn result(ending: Ending) -> Option<&'static str> {
    match ending {
        Ending::Won { winner, .. } => Some(winner.fold_wb("1-0", "0-1")),
        Ending::Drawn { .. } => Some("1/2-1/2"),
        Ending::Aborted { .. } => None,
    }
}

fn end_reason(ending: Ending) -> &'static str {
    match ending {
        Ending::Aborted { .. } => "aborted",
        ending => ending.reason(),
    }
}

fn letter(color: Color) -> &'static str {
    color.fold_wb("w", "b")
}

/// What each clock starts with, and what each move adds at first.
fn time_control(game: &Game) -> Clock {
    let summary = game.summary();
    let seconds = |ms: Option<u32>| ms.map_or(0, |ms| Millis(ms).as_secs());
    Clock {
        initial_seconds: seconds(summary.initial_ms),
        increment_seconds: seconds(summary.increment_ms),
    }
}
