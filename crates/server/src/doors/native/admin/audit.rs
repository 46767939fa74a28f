//! What operators did.

use axum::Json;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::Operator;
use crate::http::Query;
use crate::play::App;
use crate::problem::Problem;
use crate::text_time::rfc3339;

const LIMIT_MAX: u32 = 500;

pub(super) fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(list))
}

/// Which entries.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct Wanted {
    /// Only what came before the entry of that number.
    before: Option<u64>,
    /// At most so many; 50 if not told, 500 at most.
    limit: Option<u32>,
}

/// The audit trail, newest first.
#[derive(Serialize, ToSchema)]
struct Trail {
    /// What was done.
    entries: Vec<Entry>,
}

/// Something that was done.
#[derive(Serialize, ToSchema)]
struct Entry {
    /// Its number.
    id: u64,
    /// When.
    at: String,
    /// Who: an account's id, `cli`, or `server`.
    actor: String,
    /// What.
    action: String,
    /// To what: a game's or an account's id.
    target: String,
    /// The rest.
    detail: String,
}

/// What operators did, newest first
#[utoipa::path(get, path = "/v1/admin/audit", operation_id = "admin_list_audit",
    params(Wanted),
    responses((status = 200, description = "The entries", body = Trail)))]
async fn list(operator: Operator, Query(wanted): Query<Wanted>) -> Result<Json<Trail>, Problem> {
    let limit = wanted.limit.unwrap_or(50).clamp(1, LIMIT_MAX);
    let entries = operator.app().store.audit_log(wanted.before, limit).await?;
    let entries = entries.into_iter().map(|(id, entry)| Entry {
        id,
        at: rfc3339(entry.at),
        actor: entry.actor,
        action: entry.action,
        target: entry.target,
        detail: entry.detail,
    });
    Ok(Json(Trail {
        entries: entries.collect(),
    }))
}
