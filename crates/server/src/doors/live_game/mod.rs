//! The door of live-game-api, `/live`: standard chess with a clock, in the words of its
//! contract (`docs/live-game-api.md`).
//!
//! Ids are UUIDs: a game's has its number in it, an account's was given to it when it was
//! made. Other games (variants, correspondence, those without a clock) are not here.

mod asking;
mod error;
mod events;
mod games;
mod play;
mod request;
mod stream;
mod view;

use axum::Json;
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::http::described::{PLAYERS, about, open_to};
use crate::play::App;
use crate::problem::Problem;

/// Every call of this door.
pub fn routes() -> OpenApiRouter<App> {
    let reading = OpenApiRouter::new()
        .routes(routes!(health))
        .merge(games::routes())
        .merge(stream::routes())
        .merge(events::routes());
    about(
        "live-game-api",
        reading.merge(open_to(PLAYERS, play::routes())),
    )
}

/// What is refused before any call is reached, in the words of this door.
pub fn refusal(problem: Problem) -> Response {
    error::Error::from(problem).into_response()
}

/// How the service is.
#[derive(Serialize, ToSchema)]
#[schema(as = LiveHealth)]
struct Health {
    /// `ok`.
    status: &'static str,
    /// `live-game-api`.
    service: &'static str,
}

/// Whether live-game-api is alive
#[utoipa::path(
    get,
    path = "/live/health",
    operation_id = "live_health",
    security(()),
    responses((status = 200, description = "It is", body = Health)),
)]
async fn health() -> Json<Health> {
    Json(Health {
        status: "ok",
        service: "live-game-api",
    })
}
