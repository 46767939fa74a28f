//! Playing the computer.

use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::answer::whole;
use super::create::{located, new_view};
use super::idempotency::{IdempotencyKey, key};
use super::request::{ClockStartName, IllegalMoves, NewGame, Side, present};
use super::time_control::TimeControlJson;
use super::view::GameView;
use crate::auth::Caller;
use crate::http::Body;
use crate::http::extract::unreadable;
use crate::play::house::new;
use crate::play::{App, Asked};
use crate::problem::Problem;

pub(super) fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(play_the_computer))
}

/// A game against one of the server's own bots.
#[derive(Debug, Deserialize, ToSchema)]
#[schema(example = json!({
    "difficulty": "easy",
    "player_color": "white",
    "time_control": { "initial_seconds": 300, "increment_seconds": 3 },
}))]
struct NewBotGame {
    /// `beginner` (about 400), `easy` (800), `medium` (1200), `hard` (1600), `expert` (2000) or
    /// `master` (2400).
    difficulty: String,
    /// Your side: `white` (default), `black` or `random`.
    player_color: Option<Side>,
    /// The clock; `null` for none.
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = Option<TimeControlJson>, required)]
    time_control: Option<Option<serde_json::Value>>,
    /// As in `POST /v1/games`; `standard` if left out.
    variant: Option<String>,
    /// Where to begin.
    initial_fen: Option<String>,
    /// Which of the 960 starts; by chance if left out.
    #[schema(maximum = 959)]
    chess960_position: Option<u16>,
    /// Lose the game after so many illegal attempts; left out: they cost nothing.
    illegal_moves: Option<IllegalMoves>,
    /// As in `POST /v1/games`: `join` if left out.
    clock_start: Option<ClockStartName>,
    /// Always `false`: `true` is 422 `cannot_be_rated`.
    #[serde(default)]
    rated: bool,
}

impl NewBotGame {
    fn game(self) -> NewGame {
        NewGame {
            color: self.player_color,
            time_control: self.time_control,
            variant: self.variant,
            initial_fen: self.initial_fen,
            chess960_position: self.chess960_position,
            illegal_moves: self.illegal_moves,
            clock_start: self.clock_start,
            rated: self.rated,
            ..NewGame::default()
        }
    }
}

/// A game, and which of the players is the computer.
#[derive(Serialize, ToSchema)]
struct BotGameView {
    #[serde(flatten)]
    game: GameView,
    /// The bot's id, such as `bot-easy-800`.
    bot_id: String,
    /// `white` or `black`.
    bot_color: &'static str,
}

/// Play the computer
///
/// Starts at once, and is never rated; a bot with White moves by itself. Honours
/// `Idempotency-Key`. Bots also take challenges: `POST /v1/games` with one as `opponent_id`.
#[utoipa::path(
    post,
    path = "/v1/games/bot",
    params(IdempotencyKey),
    request_body = NewBotGame,
    security(("token" = ["play"]), ("token" = ["challenge"])),
    responses(
        (status = 201, description = "The game, started", body = BotGameView),
        (status = 400, description = "`bad_request`: an unknown `difficulty` is told which there are"),
        (status = 403, description = "`not_accepting`: you block this bot"),
        (status = 409, description = "`idempotency_mismatch`"),
        (status = 422, description = "`bad_time_control`, `bad_fen`, `bad_illegal_moves`, `cannot_be_rated`"),
        (status = 429, description = "`rate_limited`"),
    ),
)]
async fn play_the_computer(
    State(app): State<App>,
    caller: Caller,
    headers: HeaderMap,
    Body(body): Body<serde_json::Value>,
) -> Result<Response, Problem> {
    let key = key(&headers, &["POST", "/v1/games/bot", &body.to_string()])?;
    let request: NewBotGame =
        serde_path_to_error::deserialize(body).map_err(|error| unreadable(&error))?;
    let level = new::level_named(&request.difficulty)?;
    let asked = Asked {
        key,
        ..Asked::new(&app, &caller)
    };
    let made = new::make(&asked, level, request.game().read()?).await?;
    let id = made.sight.id;
    let is_here = |player: &str| player == caller.person.id || player == made.bot;
    let view = BotGameView {
        game: new_view(&app, made.sight, is_here).await?,
        bot_id: made.bot.clone(),
        bot_color: made.color.fold_wb("white", "black"),
    };
    let response = (StatusCode::CREATED, whole(view)).into_response();
    Ok(located(response, id))
}
