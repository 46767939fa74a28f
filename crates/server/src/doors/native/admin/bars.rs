//! Who is not let in: accounts that are barred, and outside identities that
//! are blocked.

use axum::Json;
use axum::http::StatusCode;
use serde::{Deserialize, Serialize};
use store::OutsideIdentity;
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::Operator;
use crate::http::{Body, Path, Query};
use crate::play::App;
use crate::problem::Problem;
use crate::text_time::rfc3339;

pub(super) fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(bar))
        .routes(routes!(unbar))
        .routes(routes!(block))
        .routes(routes!(unblock))
        .routes(routes!(blocked))
}

/// Why an account is barred.
#[derive(Deserialize, ToSchema)]
struct Reason {
    /// For the audit trail.
    #[serde(default)]
    reason: String,
}

/// Someone of an outside identity service.
#[derive(Deserialize, Serialize, ToSchema)]
struct Identity {
    /// The `iss` of their tokens.
    issuer: String,
    /// The `sub` of their tokens.
    subject: String,
}

/// Someone who is blocked.
#[derive(Serialize, ToSchema)]
struct Blocked {
    /// The `iss` of their tokens.
    issuer: String,
    /// The `sub` of their tokens.
    subject: String,
    /// Since when.
    since: String,
}

/// Those who are blocked.
#[derive(Serialize, ToSchema)]
struct BlockedList {
    /// In the order of issuer and subject; 500 at most.
    identities: Vec<Blocked>,
}

/// Where a list goes on.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct After {
    /// The last `issuer` of the page before.
    issuer: Option<String>,
    /// The last `subject` of the page before.
    subject: Option<String>,
}

/// Bar an account: nobody signs in to it, its tokens die, its streams end
///
/// The account stays, so that nobody else gets its name; its games stay too, and its clocks run.
#[utoipa::path(post, path = "/v1/admin/accounts/{name}/bar",
    params(("name" = String, Path, description = "The account")), request_body = Reason,
    responses((status = 204, description = "It is barred"),
        (status = 409, description = "`not_allowed`: nobody bars themselves")))]
async fn bar(
    operator: Operator,
    Path(name): Path<String>,
    Body(Reason { reason }): Body<Reason>,
) -> Result<StatusCode, Problem> {
    operator.bar(&name, reason).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Let the owner of an account in again
#[utoipa::path(post, path = "/v1/admin/accounts/{name}/unbar",
    params(("name" = String, Path, description = "The account")),
    responses((status = 204, description = "It is not barred")))]
async fn unbar(operator: Operator, Path(name): Path<String>) -> Result<StatusCode, Problem> {
    operator.unbar(&name).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Block somebody of an outside identity service, also before they ever came
///
/// Their tokens get 403 `barred`; an account that they have is barred.
#[utoipa::path(post, path = "/v1/admin/identities/block", request_body = Identity,
    responses((status = 204, description = "They are blocked")))]
async fn block(operator: Operator, Body(who): Body<Identity>) -> Result<StatusCode, Problem> {
    operator.block(who.issuer, who.subject).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Let them in again, to the account that they had
#[utoipa::path(post, path = "/v1/admin/identities/unblock", request_body = Identity,
    responses((status = 204, description = "They are not blocked")))]
async fn unblock(operator: Operator, Body(who): Body<Identity>) -> Result<StatusCode, Problem> {
    operator.unblock(who.issuer, who.subject).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Who is blocked
#[utoipa::path(get, path = "/v1/admin/identities/blocked", params(After),
    responses((status = 200, description = "They", body = BlockedList)))]
async fn blocked(
    operator: Operator,
    Query(after): Query<After>,
) -> Result<Json<BlockedList>, Problem> {
    let after = OutsideIdentity {
        issuer: after.issuer.unwrap_or_default(),
        subject: after.subject.unwrap_or_default(),
    };
    let blocked = operator.blocked(after).await?;
    let identities = blocked.into_iter().map(|(who, at)| Blocked {
        issuer: who.issuer,
        subject: who.subject,
        since: rfc3339(at),
    });
    Ok(Json(BlockedList {
        identities: identities.collect(),
    }))
}
