//! Interventions in a match of skill chess.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use chess::skill::{Command, Ending};
use chess::table::Actor;
use live::Outcome;
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::Operator;
use crate::app::App;
use crate::doors::collector::ids;
use crate::http::{ApiError, Path};

pub(super) fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(abort))
}

/// What became of a match.
#[derive(Serialize, ToSchema)]
struct MatchSettled {
    /// Which match: its UUID.
    id: String,
    /// Its version now, which its door calls the revision.
    version: u32,
    /// `waitingForPlayers`, `drafting`, `active` or `finished`.
    phase: &'static str,
    /// How it ended: `aborted`, ...
    outcome: Option<&'static str>,
}

/// Call a match of skill chess off
#[utoipa::path(post, path = "/v1/admin/matches/{id}/abort", tag = "admin",
    params(("id" = String, Path, description = "The match's UUID")),
    responses(
        (status = 200, description = "The match, called off", body = MatchSettled),
        (status = 404, description = "`game_not_found`"),
        (status = 409, description = "`game_not_active`: it is over already"),
    ))]
async fn abort(
    State(app): State<App>,
    operator: Operator,
    Path(id): Path<String>,
) -> Result<Json<MatchSettled>, ApiError> {
    let table = ids::table_of(&id).ok_or_else(ApiError::game_not_found)?;
    let outcome = app
        .matches
        .submit(table, Actor::Operator, Command::Abort, app.now(), None)
        .await?;
    let played = match outcome {
        Outcome::Changed { after, .. } => {
            operator.audit(&app, "abort", &id, String::new()).await?;
            after
        }
        Outcome::Already { table, .. } => table,
        Outcome::Refused { .. } => {
            let detail = "this match is over already";
            let code = "game_not_active";
            return Err(ApiError::new(StatusCode::CONFLICT, code, detail));
        }
    };
    Ok(Json(MatchSettled {
        id: ids::match_id(table).to_string(),
        version: played.version(),
        phase: played.phase().name(),
        outcome: played.ending().map(Ending::kind),
    }))
}
