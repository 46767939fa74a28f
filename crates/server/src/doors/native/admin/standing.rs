//! What an account is on this server: its title, its rights, its end.

use axum::http::StatusCode;
use serde::Deserialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::Operator;
use crate::http::{Body, Path};
use crate::play::App;
use crate::problem::Problem;

pub(super) fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(give_title))
        .routes(routes!(set_rights))
        .routes(routes!(close))
}

/// A title to be given or taken.
#[derive(Deserialize, ToSchema)]
struct NewTitle {
    /// `GM`, `IM`, ..., `BOT`, or a role of this server's own: up to 16
    /// letters, digits, spaces and hyphens. `null` takes it away.
    title: Option<String>,
}

/// What an account may do.
#[derive(Deserialize, ToSchema)]
struct Rights {
    /// Whether it may hold tokens of scope `admin`.
    is_admin: bool,
}

/// Give an account a title, shown wherever its name is
#[utoipa::path(post, path = "/v1/admin/accounts/{name}/title",
    params(("name" = String, Path, description = "The account")), request_body = NewTitle,
    responses((status = 204, description = "It has it")))]
async fn give_title(
    operator: Operator,
    Path(name): Path<String>,
    Body(NewTitle { title }): Body<NewTitle>,
) -> Result<StatusCode, Problem> {
    operator.give_title(&name, title).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Make an account an administrator, or an ordinary one again
///
/// Whoever is no administrator any more is signed out everywhere.
#[utoipa::path(post, path = "/v1/admin/accounts/{name}/rights",
    params(("name" = String, Path, description = "The account")), request_body = Rights,
    responses((status = 204, description = "It is so")))]
async fn set_rights(
    operator: Operator,
    Path(name): Path<String>,
    Body(Rights { is_admin }): Body<Rights>,
) -> Result<StatusCode, Problem> {
    operator.set_rights(&name, is_admin).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Close an account: its games stay, its name goes, and no token of it holds
#[utoipa::path(post, path = "/v1/admin/accounts/{name}/close",
    params(("name" = String, Path, description = "The account")),
    responses((status = 204, description = "It is closed")))]
async fn close(operator: Operator, Path(name): Path<String>) -> Result<StatusCode, Problem> {
    operator.close_account(&name).await?;
    Ok(StatusCode::NO_CONTENT)
}
