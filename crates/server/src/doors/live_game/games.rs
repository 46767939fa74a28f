//! Making games and looking at them.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::asking::Asking;
use super::error::{Error, ErrorView};
use super::request::{NewBotGame, NewGame};
use super::view::{GameState, GameSummary};
use crate::auth::{Caller, Scope};
use crate::http::Body;
use crate::play::house::new;
use crate::play::look::look;
use crate::play::{App, Asked, create, match_ids, names};
use crate::problem::Problem;

pub(super) fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(create_game))
        .routes(routes!(create_bot_game))
        .routes(routes!(game))
}

/// Make a game (challenge)
///
/// Meant for one account, or for whoever joins. Sides are assigned at the join.
#[utoipa::path(
    post,
    path = "/live/v1/games",
    operation_id = "live_create_game",
    request_body = NewGame,
    security(("token" = ["play"]), ("token" = ["challenge"])),
    responses(
        (status = 201, description = "The game, waiting", body = GameSummary),
        (status = 400, description = "`bad_request`", body = ErrorView),
        (status = 403, description = "`not_accepting`, `barred`, `missing_scope`", body = ErrorView),
        (status = 404, description = "`not_found`: there is no such account", body = ErrorView),
        (status = 422, description = "`bad_time_control`, `cannot_be_rated`", body = ErrorView),
    ),
)]
async fn create_game(
    State(app): State<App>,
    caller: Result<Caller, Problem>,
    body: Result<Body<NewGame>, Problem>,
) -> Result<(StatusCode, Json<GameSummary>), Error> {
    let (caller, Body(new)) = (caller?, body?);
    // Before it is said whether there is such an account.
    caller.require_any(&[Scope::Play, Scope::Challenge])?;
    let opponent = match new.opponent_account_id.as_deref() {
        Some(text) => Some(account(&app, text).await?),
        None => None,
    };
    let made = create::make(&Asked::new(&app, &caller), new.read(opponent)).await?;
    let view = GameSummary::of(&app, made.id, &made.game).await?;
    Ok((StatusCode::CREATED, Json(view)))
}

/// The id of the account with that UUID.
async fn account(app: &App, text: &str) -> Result<String, Problem> {
    let field = "opponent_account_id";
    let uuid = match_ids::uuid(text).ok_or_else(|| {
        let detail = format!("{field} must be a UUID");
        Problem::bad_request(detail).with("field", field)
    })?;
    let person = names::by_uuid(app, field, uuid.0).await?;
    Ok(person.id.clone())
}

/// Make a game against a bot
///
/// It starts at once, and is never rated; a bot with White moves by itself.
#[utoipa::path(
    post,
    path = "/live/v1/games/bot",
    operation_id = "live_create_bot_game",
    request_body = NewBotGame,
    security(("token" = ["play"]), ("token" = ["challenge"])),
    responses(
        (status = 201, description = "The game, in progress, with `bot_id` and `bot_color`", body = GameSummary),
        (status = 400, description = "`bad_request`", body = ErrorView),
        (status = 403, description = "`not_accepting`, `missing_scope`", body = ErrorView),
        (status = 422, description = "`bad_time_control`", body = ErrorView),
    ),
)]
async fn create_bot_game(
    State(app): State<App>,
    caller: Result<Caller, Problem>,
    body: Result<Body<NewBotGame>, Problem>,
) -> Result<(StatusCode, Json<GameSummary>), Error> {
    let (caller, Body(new_game)) = (caller?, body?);
    let level = new::level_named(&new_game.difficulty)?;
    let made = new::make(&Asked::new(&app, &caller), level, new_game.read()).await?;
    let view = GameSummary::of(&app, made.sight.id, &made.sight.game).await?;
    Ok((
        StatusCode::CREATED,
        Json(view.against(made.bot, made.color)),
    ))
}

/// Get a game
#[utoipa::path(
    get,
    path = "/live/v1/games/{game_id}",
    operation_id = "live_get_game",
    params(("game_id" = String, Path, description = "The game's UUID")),
    responses(
        (status = 200, description = "The game, as it is now", body = GameState),
        (status = 404, description = "`game_not_found`", body = ErrorView),
    ),
)]
async fn game(asking: Asking) -> Result<Json<GameState>, Error> {
    let Asking {
        app, caller, id, ..
    } = &asking;
    let sight = look(app, *id, Some(caller)).await?;
    Ok(Json(GameState::of(app, &sight).await?))
}
