//! Whom somebody does not want to meet, nor to hear.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::auth::Caller;
use crate::http::{Body, Path};
use crate::play::{App, blocks};
use crate::problem::Problem;

pub(super) fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(list, set))
        .routes(routes!(add, remove))
}

/// Whom somebody blocks.
#[derive(Debug, Deserialize, Serialize, ToSchema)]
struct BlockList {
    /// Their ids; 500 at most.
    names: Vec<String>,
}

/// Whom you block
///
/// You are not paired with them, neither of you joins or challenges the other, and what
/// they say around games does not reach you. They are not told.
#[utoipa::path(
    get,
    path = "/v1/me/blocks",
    operation_id = "list_blocks",
    responses((status = 200, description = "Their ids", body = BlockList)),
)]
async fn list(State(app): State<App>, caller: Caller) -> Result<Json<BlockList>, Problem> {
    let names = blocks::list(&app, &caller).await?;
    Ok(Json(BlockList { names }))
}

/// Block these players and nobody else
#[utoipa::path(
    put,
    path = "/v1/me/blocks",
    operation_id = "set_blocks",
    request_body = BlockList,
    responses(
        (status = 200, description = "Whom you block now", body = BlockList),
        (status = 404, description = "`not_found`: there is no such player"),
        (status = 409, description = "`not_allowed`: nobody blocks themselves"),
    ),
    security(("token" = ["play"])),
)]
async fn set(
    State(app): State<App>,
    caller: Caller,
    Body(new): Body<BlockList>,
) -> Result<Json<BlockList>, Problem> {
    blocks::set(&app, &caller, &new.names).await?;
    let names = blocks::list(&app, &caller).await?;
    Ok(Json(BlockList { names }))
}

/// Block a player
#[utoipa::path(
    put,
    path = "/v1/me/blocks/{name}",
    operation_id = "block_player",
    params(("name" = String, Path, description = "The name, in whatever case")),
    responses(
        (status = 204, description = "Blocked"),
        (status = 404, description = "`not_found`: there is no such player"),
        (status = 409, description = "`not_allowed`: nobody blocks themselves"),
    ),
    security(("token" = ["play"])),
)]
async fn add(
    State(app): State<App>,
    caller: Caller,
    Path(name): Path<String>,
) -> Result<StatusCode, Problem> {
    blocks::add(&app, &caller, &name).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Block a player no longer
#[utoipa::path(
    delete,
    path = "/v1/me/blocks/{name}",
    operation_id = "unblock_player",
    params(("name" = String, Path, description = "The name, in whatever case")),
    responses(
        (status = 204, description = "Not blocked"),
        (status = 404, description = "`not_found`: there is no such player"),
    ),
    security(("token" = ["play"])),
)]
async fn remove(
    State(app): State<App>,
    caller: Caller,
    Path(name): Path<String>,
) -> Result<StatusCode, Problem> {
    blocks::remove(&app, &caller, &name).await?;
    Ok(StatusCode::NO_CONTENT)
}
