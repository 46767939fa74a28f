//! The liveliest public games.

use std::sync::Arc;

use axum::extract::State;
use axum::{Extension, Json};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::view::{GameView, Shown};
use crate::http::MaybeCaller;
use crate::http::Query;
use crate::play::App;
use crate::play::tv::{Programme, SHOWN_MAX};
use crate::problem::Problem;

pub(super) fn routes() -> OpenApiRouter<App> {
    let programme = Extension(Arc::new(Programme::<GameView>::default()));
    OpenApiRouter::new().routes(routes!(tv)).layer(programme)
}

/// How much to show.
#[derive(Debug, Deserialize, IntoParams)]
struct Filter {
    /// How many, 1 to 20; 10 if left out.
    limit: Option<usize>,
}

/// Games worth watching.
#[derive(Debug, Serialize, ToSchema)]
struct Broadcast {
    /// The one to be shown large, which is the first of `games`: of those in which both
    /// sides have moved and both players are there, by liveliness and rating. It stays for a
    /// while. `null`: there is none.
    featured: Option<String>,
    /// The others by liveliness.
    games: Vec<GameView>,
}

/// Watch the liveliest games
///
/// Public games that are being played: the featured one, then those with a running clock,
/// the latest move first. At most a second old. A game with a spectator delay is not
/// among them: that it left would tell that it is over.
#[utoipa::path(
    get,
    path = "/v1/tv",
    params(Filter),
    responses(
        (status = 200, description = "The games", body = Broadcast),
        (status = 400, description = "`bad_request`: the limit is not 1 to 20"),
    ),
)]
async fn tv(
    State(app): State<App>,
    Extension(programme): Extension<Arc<Programme<GameView>>>,
    MaybeCaller(_): MaybeCaller,
    Query(filter): Query<Filter>,
) -> Result<Json<Broadcast>, Problem> {
    let limit = filter.limit.unwrap_or(10);
    if !(1..=SHOWN_MAX).contains(&limit) {
        return Err(Problem::bad_request("limit must be from 1 to 20").with("field", "limit"));
    }
    let view = |sight| Shown { app: &app, sight }.view();
    let (featured, games) = programme.games(&app, limit, view).await?;
    Ok(Json(Broadcast {
        featured: featured.map(|id| id.to_string()),
        games,
    }))
}
