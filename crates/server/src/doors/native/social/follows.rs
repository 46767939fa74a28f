//! Whose games somebody wants to hear of.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::auth::Caller;
use crate::http::Path;
use crate::play::App;
use crate::play::follows::{self, Followed};
use crate::problem::Problem;
use crate::text_time::rfc3339;

pub(super) fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(list))
        .routes(routes!(add, remove))
}

/// Whom somebody follows.
#[derive(Debug, Serialize, ToSchema)]
struct FollowList {
    /// In the order of their ids; 500 at most.
    follows: Vec<FollowedView>,
}

/// Somebody who is followed.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = FollowedPlayer)]
struct FollowedView {
    /// Their id.
    id: String,
    /// The name as its owner writes it.
    name: String,
    /// `GM`, `BOT`, ...
    title: Option<String>,
    /// Whether a stream of theirs is open: their own, or that of any game. Whoever only
    /// sends requests is not online.
    online: bool,
    /// The newest of the games that they play and anybody may see as it is: none that is
    /// private, for members, or shown with a delay.
    game_id: Option<String>,
    /// Since when you follow them.
    #[schema(format = DateTime)]
    since: String,
}

impl From<Followed> for FollowedView {
    fn from(followed: Followed) -> FollowedView {
        FollowedView {
            id: followed.person.id.clone(),
            name: followed.person.name.clone(),
            title: followed.person.title.clone(),
            online: followed.is_online,
            game_id: followed.plays.map(|id| id.to_string()),
            since: rfc3339(followed.since),
        }
    }
}

/// Whom you follow
///
/// Who of them is online, and what they play. Your own stream tells you with
/// `FOLLOWED_STARTED` when one of them begins a game that anybody may see.
#[utoipa::path(
    get,
    path = "/v1/me/follows",
    operation_id = "list_follows",
    responses((status = 200, description = "They", body = FollowList)),
)]
async fn list(State(app): State<App>, caller: Caller) -> Result<Json<FollowList>, Problem> {
    let follows = follows::list(&app, &caller).await?;
    let follows = follows.into_iter().map(FollowedView::from).collect();
    Ok(Json(FollowList { follows }))
}

/// Follow a player
#[utoipa::path(
    put,
    path = "/v1/me/follows/{name}",
    operation_id = "follow_player",
    params(("name" = String, Path, description = "The name, in whatever case")),
    responses(
        (status = 204, description = "Followed"),
        (status = 404, description = "`not_found`: there is no such player"),
        (status = 409, description = "`not_allowed`: nobody follows themselves"),
    ),
    security(("token" = ["play"])),
)]
async fn add(
    State(app): State<App>,
    caller: Caller,
    Path(name): Path<String>,
) -> Result<StatusCode, Problem> {
    follows::add(&app, &caller, &name).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Follow a player no longer
#[utoipa::path(
    delete,
    path = "/v1/me/follows/{name}",
    operation_id = "unfollow_player",
    params(("name" = String, Path, description = "The name, in whatever case")),
    responses(
        (status = 204, description = "Not followed"),
        (status = 404, description = "`not_found`: there is no such player"),
    ),
    security(("token" = ["play"])),
)]
async fn remove(
    State(app): State<App>,
    caller: Caller,
    Path(name): Path<String>,
) -> Result<StatusCode, Problem> {
    follows::remove(&app, &caller, &name).await?;
    Ok(StatusCode::NO_CONTENT)
}
