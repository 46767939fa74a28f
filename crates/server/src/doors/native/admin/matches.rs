//! Interventions in a match of skill chess.

use axum::Json;
use chess::skill::Ending;
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::Operator;
use crate::http::Path;
use crate::play::{App, match_ids, matches};
use crate::problem::Problem;

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
#[utoipa::path(post, path = "/v1/admin/matches/{id}/abort",
    params(("id" = String, Path, description = "The match's UUID")),
    responses(
        (status = 200, description = "The match, called off", body = MatchSettled),
        (status = 404, description = "`game_not_found`"),
        (status = 409, description = "`game_not_active`: it is over already"),
    ))]
async fn abort(operator: Operator, Path(id): Path<String>) -> Result<Json<MatchSettled>, Problem> {
    let table = match_ids::table_of(&id).ok_or_else(Problem::game_not_found)?;
    let played = matches::abort(operator.app(), operator.name(), table).await?;
    Ok(Json(MatchSettled {
        id: match_ids::match_id(table).to_string(),
        version: played.version(),
        phase: played.phase().name(),
        outcome: played.ending().map(Ending::kind),
    }))
}
