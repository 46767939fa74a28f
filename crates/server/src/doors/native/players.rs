//! Players, as everyone sees them.

use axum::Json;
use axum::extract::State;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::accounts::view::Profile;
use crate::auth::names::NAME_MAX;
use crate::http::MaybeCaller;
use crate::http::Path;
use crate::play::App;
use crate::problem::Problem;

/// The calls of this file.
pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(show))
}

/// A player's profile
#[utoipa::path(
    get,
    path = "/v1/players/{name}",
    operation_id = "show_player",
    tag = "players",
    params(("name" = String, Path, description = "The name, in whatever case")),
    responses(
        (status = 200, description = "What everyone may see", body = Profile),
        (status = 404, description = "`not_found`"),
    ),
    security((), ("token" = [])),
)]
async fn show(
    State(app): State<App>,
    _caller: MaybeCaller,
    Path(name): Path<String>,
) -> Result<Json<Profile>, Problem> {
    let nobody = || Problem::not_found("there is no such player");
    if name.len() > NAME_MAX {
        return Err(nobody());
    }
    let account = app.store.account_by_id(&name.to_ascii_lowercase()).await?;
    let account = account
        .filter(|account| account.deleted_at.is_none())
        .ok_or_else(nobody)?;
    Ok(Json(Profile::of(&account)))
}
