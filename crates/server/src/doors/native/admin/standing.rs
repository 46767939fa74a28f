//! What an account is on this server: its title, its rights, its end.

use axum::extract::State;
use axum::http::StatusCode;
use serde::Deserialize;
use store::ProfileChange;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::Operator;
use super::accounts::find;
use crate::http::{Body, Path};
use crate::play::App;
use crate::problem::Problem;

/// The longest title.
const TITLE_MAX: usize = 16;

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
#[utoipa::path(post, path = "/v1/admin/accounts/{name}/title", tag = "admin",
    params(("name" = String, Path, description = "The account")), request_body = NewTitle,
    responses((status = 204, description = "It has it")))]
async fn give_title(
    State(app): State<App>,
    operator: Operator,
    Path(name): Path<String>,
    Body(NewTitle { title }): Body<NewTitle>,
) -> Result<StatusCode, Problem> {
    let account = find(&app, &name).await?;
    let title = title.map(checked).transpose()?;
    let detail = title.clone().unwrap_or_else(|| "none".into());
    let change = ProfileChange {
        title: Some(title),
        ..ProfileChange::default()
    };
    app.store.change_profile(account.number, change).await?;
    app.auth.forget_person(account.number);
    operator
        .audit(&app, "give_title", &account.id, detail)
        .await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Make an account an administrator, or an ordinary one again
///
/// Whoever is no administrator any more is signed out everywhere.
#[utoipa::path(post, path = "/v1/admin/accounts/{name}/rights", tag = "admin",
    params(("name" = String, Path, description = "The account")), request_body = Rights,
    responses((status = 204, description = "It is so")))]
async fn set_rights(
    State(app): State<App>,
    operator: Operator,
    Path(name): Path<String>,
    Body(Rights { is_admin }): Body<Rights>,
) -> Result<StatusCode, Problem> {
    let account = find(&app, &name).await?;
    let change = ProfileChange {
        is_admin: Some(is_admin),
        ..ProfileChange::default()
    };
    app.store.change_profile(account.number, change).await?;
    app.auth.forget_person(account.number);
    if account.is_admin && !is_admin {
        app.auth.revoke_all(account.number).await?;
    }
    let action = if is_admin { "promote" } else { "demote" };
    operator
        .audit(&app, action, &account.id, String::new())
        .await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Close an account: its games stay, its name goes, and no token of it holds
#[utoipa::path(post, path = "/v1/admin/accounts/{name}/close", tag = "admin",
    params(("name" = String, Path, description = "The account")),
    responses((status = 204, description = "It is closed")))]
async fn close(
    State(app): State<App>,
    operator: Operator,
    Path(name): Path<String>,
) -> Result<StatusCode, Problem> {
    let account = find(&app, &name).await?;
    // Written down first: afterwards nobody knows who it was.
    operator
        .audit(&app, "close_account", &account.id, String::new())
        .await?;
    app.auth.delete_account(account.number).await?;
    Ok(StatusCode::NO_CONTENT)
}

fn checked(title: String) -> Result<String, Problem> {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || c == ' ' || c == '-';
    let is_right = (1..=TITLE_MAX).contains(&title.len())
        && title.chars().all(is_plain)
        && title.trim() == title;
    if is_right {
        return Ok(title);
    }
    let detail = format!("title: must be 1 to {TITLE_MAX} letters, digits, spaces and hyphens");
    Err(Problem::bad_request(detail).with("field", "title"))
}
