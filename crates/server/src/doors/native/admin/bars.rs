//! Who is not let in: accounts that are barred, and outside identities that
//! are blocked.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use serde::{Deserialize, Serialize};
use store::OutsideIdentity;
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::Operator;
use super::accounts::find;
use crate::auth::jwt::IDENTITY_MAX;
use crate::http::{Body, Path, Query};
use crate::play::App;
use crate::problem::{Kind, Problem};
use crate::text_time::rfc3339;

/// Identities listed in one call.
const LIMIT_MAX: u32 = 500;

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
#[utoipa::path(post, path = "/v1/admin/accounts/{name}/bar", tag = "admin",
    params(("name" = String, Path, description = "The account")), request_body = Reason,
    responses((status = 204, description = "It is barred"),
        (status = 409, description = "`not_allowed`: nobody bars themselves")))]
async fn bar(
    State(app): State<App>,
    operator: Operator,
    Path(name): Path<String>,
    Body(Reason { reason }): Body<Reason>,
) -> Result<StatusCode, Problem> {
    let account = find(&app, &name).await?;
    if account.number == operator.caller.number() {
        let detail = "nobody bars themselves";
        return Err(Problem::new(Kind::Conflict, "not_allowed", detail));
    }
    app.auth.bar(account.number).await?;
    operator
        .audit(&app, "bar_account", &account.id, reason)
        .await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Let the owner of an account in again
#[utoipa::path(post, path = "/v1/admin/accounts/{name}/unbar", tag = "admin",
    params(("name" = String, Path, description = "The account")),
    responses((status = 204, description = "It is not barred")))]
async fn unbar(
    State(app): State<App>,
    operator: Operator,
    Path(name): Path<String>,
) -> Result<StatusCode, Problem> {
    let account = find(&app, &name).await?;
    app.auth.unbar(account.number).await?;
    operator
        .audit(&app, "unbar_account", &account.id, String::new())
        .await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Block somebody of an outside identity service, also before they ever came
///
/// Their tokens get 403 `barred`; an account that they have is barred.
#[utoipa::path(post, path = "/v1/admin/identities/block", tag = "admin", request_body = Identity,
    responses((status = 204, description = "They are blocked")))]
async fn block(
    State(app): State<App>,
    operator: Operator,
    Body(who): Body<Identity>,
) -> Result<StatusCode, Problem> {
    let who = checked(who)?;
    let target = named(&who);
    app.auth.block(who).await?;
    operator
        .audit(&app, "block_identity", &target, String::new())
        .await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Let them in again, to the account that they had
#[utoipa::path(post, path = "/v1/admin/identities/unblock", tag = "admin", request_body = Identity,
    responses((status = 204, description = "They are not blocked")))]
async fn unblock(
    State(app): State<App>,
    operator: Operator,
    Body(who): Body<Identity>,
) -> Result<StatusCode, Problem> {
    let who = checked(who)?;
    let target = named(&who);
    app.auth.unblock(who).await?;
    operator
        .audit(&app, "unblock_identity", &target, String::new())
        .await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Who is blocked
#[utoipa::path(get, path = "/v1/admin/identities/blocked", tag = "admin", params(After),
    responses((status = 200, description = "They", body = BlockedList)))]
async fn blocked(
    State(app): State<App>,
    _operator: Operator,
    Query(after): Query<After>,
) -> Result<Json<BlockedList>, Problem> {
    let after = OutsideIdentity {
        issuer: after.issuer.unwrap_or_default(),
        subject: after.subject.unwrap_or_default(),
    };
    let blocked = app.store.blocked_identities(after, LIMIT_MAX).await?;
    let identities = blocked.into_iter().map(|(who, at)| Blocked {
        issuer: who.issuer,
        subject: who.subject,
        since: rfc3339(at),
    });
    Ok(Json(BlockedList {
        identities: identities.collect(),
    }))
}

/// One who can be: a token with another is refused anyway.
fn checked(Identity { issuer, subject }: Identity) -> Result<OutsideIdentity, Problem> {
    let is_usable = |text: &str| text.len() <= IDENTITY_MAX && !text.contains('\0');
    for (field, text) in [("issuer", &issuer), ("subject", &subject)] {
        if text.is_empty() || !is_usable(text) {
            let detail = format!("{field}: must be 1 to {IDENTITY_MAX} bytes");
            return Err(Problem::bad_request(detail).with("field", field));
        }
    }
    Ok(OutsideIdentity { issuer, subject })
}

/// As the audit trail names them.
fn named(who: &OutsideIdentity) -> String {
    format!("{} {}", who.issuer, who.subject)
}
