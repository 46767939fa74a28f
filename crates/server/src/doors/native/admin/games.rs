//! Interventions in a game.

use axum::Json;
use chess::game::{Ending, Game};
use chess::{ByColor, Color, Millis};
use serde::{Deserialize, Serialize};
use store::TableId;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::Operator;
use crate::http::{Body, Path};
use crate::play::App;
use crate::play::arbiter::{self, Ruling};
use crate::problem::Problem;

pub(super) fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(pause))
        .routes(routes!(resume))
        .routes(routes!(clock))
        .routes(routes!(result))
        .routes(routes!(abort))
}

/// What became of a game.
#[derive(Serialize, ToSchema)]
struct Settled {
    /// Which game.
    id: String,
    /// Its version now.
    version: u32,
    /// `WAITING`, `ACTIVE`, `PAUSED` or `COMPLETED`.
    state: &'static str,
    /// White's clock in milliseconds.
    white_ms: Option<u32>,
    /// Black's clock in milliseconds.
    black_ms: Option<u32>,
    /// `white_wins`, `black_wins`, `draw` or `aborted`.
    result: Option<&'static str>,
    /// Why it ended.
    reason: Option<&'static str>,
}

/// The clocks to set; one that is left out stays as it is.
#[derive(Deserialize, ToSchema)]
struct NewClocks {
    /// White's, in milliseconds.
    white_ms: Option<u32>,
    /// Black's, in milliseconds.
    black_ms: Option<u32>,
}

/// How the game ends.
#[derive(Deserialize, ToSchema)]
struct NewResult {
    /// `white_wins`, `black_wins` or `draw`.
    result: String,
}

/// Stop the clocks of a game
#[utoipa::path(post, path = "/v1/admin/games/{id}/pause",
    params(("id" = String, Path)),
    responses((status = 200, description = "What became of the game", body = Settled)))]
async fn pause(operator: Operator, Path(id): Path<String>) -> Result<Json<Settled>, Problem> {
    rule(&operator, &id, Ruling::Pause).await
}

/// Let the clocks of a game go on
#[utoipa::path(post, path = "/v1/admin/games/{id}/resume", operation_id = "admin_resume_game",
    params(("id" = String, Path)),
    responses((status = 200, description = "What became of the game", body = Settled)))]
async fn resume(operator: Operator, Path(id): Path<String>) -> Result<Json<Settled>, Problem> {
    rule(&operator, &id, Ruling::Resume).await
}

/// Set the clocks of a game
#[utoipa::path(post, path = "/v1/admin/games/{id}/clock",
    params(("id" = String, Path)), request_body = NewClocks,
    responses((status = 200, description = "What became of the game", body = Settled)))]
async fn clock(
    operator: Operator,
    Path(id): Path<String>,
    Body(new): Body<NewClocks>,
) -> Result<Json<Settled>, Problem> {
    if new.white_ms.is_none() && new.black_ms.is_none() {
        return Err(Problem::bad_request("white_ms or black_ms is needed"));
    }
    let clocks = ByColor {
        white: new.white_ms.map(Millis),
        black: new.black_ms.map(Millis),
    };
    rule(&operator, &id, Ruling::SetClocks(clocks)).await
}

/// Decide a game
///
/// Also one that is over: its result is changed, and if it is rated it is rated anew.
#[utoipa::path(post, path = "/v1/admin/games/{id}/result",
    params(("id" = String, Path)), request_body = NewResult,
    responses((status = 200, description = "What became of the game", body = Settled)))]
async fn result(
    operator: Operator,
    Path(id): Path<String>,
    Body(new): Body<NewResult>,
) -> Result<Json<Settled>, Problem> {
    let winner = match &*new.result {
        "white_wins" => Some(Color::White),
        "black_wins" => Some(Color::Black),
        "draw" => None,
        _ => {
            let detail = "result: must be white_wins, black_wins or draw";
            return Err(Problem::bad_request(detail).with("field", "result"));
        }
    };
    rule(&operator, &id, Ruling::Decide(winner)).await
}

/// Call a game off
///
/// Also one that was played to its end: it no longer counts.
#[utoipa::path(post, path = "/v1/admin/games/{id}/abort", operation_id = "admin_abort_game",
    params(("id" = String, Path)),
    responses((status = 200, description = "What became of the game", body = Settled)))]
async fn abort(operator: Operator, Path(id): Path<String>) -> Result<Json<Settled>, Problem> {
    rule(&operator, &id, Ruling::Abort).await
}

async fn rule(operator: &Operator, id: &str, ruling: Ruling) -> Result<Json<Settled>, Problem> {
    let app = operator.app();
    let game = arbiter::rule(app, operator.name(), table(id)?, ruling).await?;
    Ok(Json(settled(app, id, &game)))
}

fn settled(app: &App, id: &str, game: &Game) -> Settled {
    let clocks = game.clocks(game.ended_at().unwrap_or(app.now()));
    Settled {
        id: id.to_owned(),
        version: game.version(),
        state: game.phase().state().name(),
        white_ms: clocks.map(|c| c.white.0),
        black_ms: clocks.map(|c| c.black.0),
        result: game.ending().map(Ending::result),
        reason: game.ending().map(Ending::reason),
    }
}

pub(super) fn table(id: &str) -> Result<TableId, Problem> {
    id.parse().map_err(|_| Problem::game_not_found())
}
