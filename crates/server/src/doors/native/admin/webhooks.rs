//! Everybody's webhooks, and what became of deliveries.

use axum::Json;
use axum::http::StatusCode;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::Operator;
use crate::doors::native::events::webhooks::{
    DeliveryPage, DeliveryView, WebhookView, Which, number,
};
use crate::http::{Path, Query};
use crate::play::App;
use crate::play::names::Names;
use crate::problem::Problem;

/// Webhooks of a page.
const LIMIT_MAX: u32 = 200;

pub(super) fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(list))
        .routes(routes!(remove))
        .routes(routes!(deliveries))
        .routes(routes!(redeliver))
}

/// Which webhooks.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct Wanted {
    /// The `next_cursor` of the page before.
    cursor: Option<u64>,
    /// At most so many; 50 if not told, 200 at most.
    limit: Option<u32>,
}

/// Everybody's webhooks, oldest first.
#[derive(Serialize, ToSchema)]
struct AllWebhooks {
    webhooks: Vec<Owned>,
    /// Where the next page begins; `null`: this was the last.
    next_cursor: Option<u64>,
}

/// A webhook with its owner.
#[derive(Serialize, ToSchema)]
#[schema(as = OwnedWebhook)]
struct Owned {
    /// Whose.
    account: String,
    #[serde(flatten)]
    webhook: WebhookView,
}

/// Everybody's webhooks
#[utoipa::path(get, path = "/v1/admin/webhooks", operation_id = "admin_list_webhooks",
    params(Wanted),
    responses((status = 200, description = "Webhooks, without their secrets", body = AllWebhooks)))]
async fn list(
    operator: Operator,
    Query(wanted): Query<Wanted>,
) -> Result<Json<AllWebhooks>, Problem> {
    let limit = wanted.limit.unwrap_or(50).clamp(1, LIMIT_MAX);
    let found = operator.webhooks(wanted.cursor.unwrap_or(0), limit).await?;
    let is_full = found.len() == limit as usize;
    let owners: Vec<_> = found.iter().map(|webhook| webhook.account).collect();
    let names = Names::of(operator.app(), owners).await?;
    let webhooks = found.iter().map(|webhook| Owned {
        account: names.id(webhook.account),
        webhook: WebhookView::of(webhook),
    });
    Ok(Json(AllWebhooks {
        webhooks: webhooks.collect(),
        next_cursor: found.last().map(|webhook| webhook.id).filter(|_| is_full),
    }))
}

/// Remove somebody's webhook
#[utoipa::path(delete, path = "/v1/admin/webhooks/{id}", operation_id = "admin_remove_webhook",
    params(("id" = u64, Path, description = "The webhook's id")),
    responses((status = 204, description = "Removed"),
        (status = 404, description = "`not_found`")))]
async fn remove(operator: Operator, Path(id): Path<String>) -> Result<StatusCode, Problem> {
    operator.remove_webhook(number(&id)?).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// List what was sent to a webhook
#[utoipa::path(get, path = "/v1/admin/webhooks/{id}/deliveries",
    operation_id = "admin_list_deliveries",
    params(("id" = u64, Path, description = "The webhook's id"), Which),
    responses((status = 200, description = "Deliveries, newest first", body = DeliveryPage),
        (status = 404, description = "`not_found`")))]
async fn deliveries(
    operator: Operator,
    Path(id): Path<String>,
    Query(which): Query<Which>,
) -> Result<Json<DeliveryPage>, Problem> {
    let (before, limit) = which.read()?;
    let found = operator.deliveries(number(&id)?, before, limit).await?;
    Ok(Json(DeliveryPage::of(&found, limit)))
}

/// Send something again
#[utoipa::path(post, path = "/v1/admin/webhooks/{id}/deliveries/{delivery}/redeliver",
    operation_id = "admin_redeliver",
    params(("id" = u64, Path, description = "The webhook's id"),
        ("delivery" = u64, Path, description = "The delivery's id")),
    responses((status = 202, description = "The new delivery", body = DeliveryView),
        (status = 404, description = "`not_found`")))]
async fn redeliver(
    operator: Operator,
    Path((id, delivery)): Path<(String, String)>,
) -> Result<(StatusCode, Json<DeliveryView>), Problem> {
    let again = operator.redeliver(number(&id)?, number(&delivery)?);
    Ok((StatusCode::ACCEPTED, Json(DeliveryView::of(&again.await?))))
}
