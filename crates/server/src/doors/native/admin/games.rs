//! Interventions in a game.

use axum::Json;
use axum::extract::State;
use chess::game::{AbortReason, Command, DrawReason, Ending, Game, WinReason};
use chess::table::Actor;
use chess::{ByColor, Color, Millis};
use live::Outcome;
use serde::{Deserialize, Serialize};
use store::TableId;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::Operator;
use crate::http::{Body, Path};
use crate::play::App;
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
#[utoipa::path(post, path = "/v1/admin/games/{id}/pause", tag = "admin",
    params(("id" = String, Path)),
    responses((status = 200, description = "What became of the game", body = Settled)))]
async fn pause(
    State(app): State<App>,
    operator: Operator,
    Path(id): Path<String>,
) -> Result<Json<Settled>, Problem> {
    intervene(&app, &operator, &id, "pause", Command::Pause, String::new()).await
}

/// Let the clocks of a game go on
#[utoipa::path(post, path = "/v1/admin/games/{id}/resume", operation_id = "admin_resume_game",
    tag = "admin",
    params(("id" = String, Path)),
    responses((status = 200, description = "What became of the game", body = Settled)))]
async fn resume(
    State(app): State<App>,
    operator: Operator,
    Path(id): Path<String>,
) -> Result<Json<Settled>, Problem> {
    intervene(
        &app,
        &operator,
        &id,
        "resume",
        Command::Resume,
        String::new(),
    )
    .await
}

/// Set the clocks of a game
#[utoipa::path(post, path = "/v1/admin/games/{id}/clock", tag = "admin",
    params(("id" = String, Path)), request_body = NewClocks,
    responses((status = 200, description = "What became of the game", body = Settled)))]
async fn clock(
    State(app): State<App>,
    operator: Operator,
    Path(id): Path<String>,
    Body(new): Body<NewClocks>,
) -> Result<Json<Settled>, Problem> {
    if new.white_ms.is_none() && new.black_ms.is_none() {
        return Err(Problem::bad_request("white_ms or black_ms is needed"));
    }
    let game = app.games.read(table(&id)?, None).await?;
    let shown = game.clocks(app.now()).unwrap_or_default();
    let clocks = ByColor {
        white: new.white_ms.map_or(shown.white, Millis),
        black: new.black_ms.map_or(shown.black, Millis),
    };
    let detail = format!(
        "white {} (was {}), black {} (was {})",
        clocks.white, shown.white, clocks.black, shown.black
    );
    intervene(
        &app,
        &operator,
        &id,
        "set_clock",
        Command::SetClock(clocks),
        detail,
    )
    .await
}

/// Decide a game
#[utoipa::path(post, path = "/v1/admin/games/{id}/result", tag = "admin",
    params(("id" = String, Path)), request_body = NewResult,
    responses((status = 200, description = "What became of the game", body = Settled)))]
async fn result(
    State(app): State<App>,
    operator: Operator,
    Path(id): Path<String>,
    Body(new): Body<NewResult>,
) -> Result<Json<Settled>, Problem> {
    let won = |winner| Ending::Won {
        winner,
        by: WinReason::Adjudicated,
    };
    let ending = match &*new.result {
        "white_wins" => won(Color::White),
        "black_wins" => won(Color::Black),
        "draw" => Ending::Drawn {
            by: DrawReason::Adjudicated,
        },
        _ => {
            let detail = "result: must be white_wins, black_wins or draw";
            return Err(Problem::bad_request(detail).with("field", "result"));
        }
    };
    let command = Command::Adjudicate(ending);
    intervene(&app, &operator, &id, "adjudicate", command, new.result).await
}

/// Call a game off
#[utoipa::path(post, path = "/v1/admin/games/{id}/abort", operation_id = "admin_abort_game",
    tag = "admin",
    params(("id" = String, Path)),
    responses((status = 200, description = "What became of the game", body = Settled)))]
async fn abort(
    State(app): State<App>,
    operator: Operator,
    Path(id): Path<String>,
) -> Result<Json<Settled>, Problem> {
    let command = Command::Adjudicate(Ending::Aborted {
        by: AbortReason::Operator,
    });
    intervene(&app, &operator, &id, "abort", command, String::new()).await
}

/// Submits the operator's command; what changed something is written down.
async fn intervene(
    app: &App,
    operator: &Operator,
    id: &str,
    action: &str,
    command: Command,
    detail: String,
) -> Result<Json<Settled>, Problem> {
    let table = table(id)?;
    let outcome = app
        .games
        .submit(table, Actor::Operator, command, app.now(), None)
        .await?;
    let game = match outcome {
        Outcome::Changed { after, .. } => {
            operator.audit(app, action, id, detail).await?;
            after
        }
        Outcome::Already { table, .. } => table,
        Outcome::Refused { why, .. } => return Err(why.into()),
    };
    Ok(Json(settled(app, id, &game)))
}

fn settled(app: &App, id: &str, game: &Game) -> Settled {
    let clocks = game.clocks(game.ended_at().unwrap_or(app.now()));
    Settled {
        id: id.to_owned(),
        version: game.version(),
        state: game.phase().name(),
        white_ms: clocks.map(|c| c.white.0),
        black_ms: clocks.map(|c| c.black.0),
        result: game.ending().map(Ending::result),
        reason: game.ending().map(Ending::reason),
    }
}

pub(super) fn table(id: &str) -> Result<TableId, Problem> {
    id.parse().map_err(|_| Problem::game_not_found())
}
