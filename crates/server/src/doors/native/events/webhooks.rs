//! Webhooks: where events are sent to.

use axum::Json;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::{Deserialize, Serialize};
use store::{Delivery, DeliveryState, Webhook};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::kinds_named;
use crate::auth::Caller;
use crate::http::{Body, Path, Query};
use crate::play::App;
use crate::play::events::webhooks::{self, Wish, no_such};
use crate::problem::Problem;
use crate::text_time::rfc3339;

/// So many deliveries are in a page, unless fewer are asked for.
const LIMIT: u32 = 100;

pub(super) fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(list, create))
        .routes(routes!(remove))
        .routes(routes!(rotate))
        .routes(routes!(deliveries))
        .routes(routes!(redeliver))
}

/// A webhook to be made.
#[derive(Deserialize, ToSchema)]
#[schema(example = json!({ "url": "https://example.org/hook", "events": ["GameEnded"] }))]
struct NewWebhook {
    /// Where events are sent to, by POST.
    #[schema(max_length = 2048)]
    url: String,
    /// Which: `GameCreated`, `GameStarted`, `MovePlayed`, `GameEnded`, `RatingChanged`,
    /// `MatchEnded`; `PlayerReported` with `all_games`.
    #[schema(min_items = 1)]
    events: Vec<String>,
    /// What deliveries are signed with; left out: one is made.
    #[schema(min_length = 16, max_length = 128)]
    secret: Option<String>,
    /// Of all games, and not of your own: for administrators.
    #[serde(default)]
    all_games: bool,
}

/// Another secret.
#[derive(Deserialize, ToSchema)]
struct NewSecret {
    /// Left out: one is made.
    #[schema(min_length = 16, max_length = 128)]
    secret: Option<String>,
}

/// A webhook.
#[derive(Serialize, ToSchema)]
#[schema(as = Webhook)]
pub(crate) struct WebhookView {
    /// Its number.
    id: u64,
    /// Where to.
    url: String,
    /// Which events.
    events: Vec<&'static str>,
    /// Of all games.
    all_games: bool,
    #[schema(format = DateTime)]
    created_at: String,
    /// Until when deliveries are signed with the secret before, too.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(format = DateTime)]
    old_secret_until: Option<String>,
    /// Shown when it is made, and never again.
    #[serde(skip_serializing_if = "Option::is_none")]
    secret: Option<String>,
}

impl WebhookView {
    /// Without its secret.
    pub(crate) fn of(webhook: &Webhook) -> WebhookView {
        let old = webhook.old_secret.as_ref();
        WebhookView {
            id: webhook.id,
            url: webhook.url.clone(),
            events: webhook.kinds.iter().map(|kind| kind.name()).collect(),
            all_games: webhook.everything,
            created_at: rfc3339(webhook.created_at),
            old_secret_until: old.map(|(_, until)| rfc3339(*until)),
            secret: None,
        }
    }

    fn with_secret(webhook: Webhook) -> WebhookView {
        WebhookView {
            secret: Some(webhook.secret.clone()),
            ..WebhookView::of(&webhook)
        }
    }
}

/// Your webhooks.
#[derive(Serialize, ToSchema)]
#[schema(as = Webhooks)]
struct All {
    /// Oldest first.
    webhooks: Vec<WebhookView>,
}

/// An event that was sent, or is to be.
#[derive(Serialize, ToSchema)]
#[schema(as = Delivery)]
pub(crate) struct DeliveryView {
    /// Its number.
    id: u64,
    /// The event's `id`.
    event_id: String,
    /// The event's `type`.
    #[serde(rename = "type")]
    kind: &'static str,
    /// In which game.
    game_id: Option<String>,
    /// `waiting`, `delivered` or `dead`: tried often enough.
    state: &'static str,
    /// How often it was tried.
    tries: u32,
    /// The status with which the last try was answered.
    status: Option<u16>,
    /// Why it was not: `timed_out`, `unreachable`, `refused_address`, `bad_url`, `redirect`,
    /// `no_right`, `gone`.
    error: Option<String>,
    #[schema(format = DateTime)]
    created_at: String,
    /// When it is tried next, once those before it in the game are done.
    #[schema(format = DateTime)]
    next_at: Option<String>,
    /// When it was delivered or given up.
    #[schema(format = DateTime)]
    ended_at: Option<String>,
}

impl DeliveryView {
    pub(crate) fn of(delivery: &Delivery) -> DeliveryView {
        let is_waiting = delivery.state == DeliveryState::Waiting;
        DeliveryView {
            id: delivery.id,
            event_id: delivery.event.place.to_string(),
            kind: delivery.event.kind.name(),
            game_id: delivery.event.table.map(|id| id.to_string()),
            state: delivery.state.name(),
            tries: delivery.tries,
            status: delivery.status,
            error: delivery.error.clone(),
            created_at: rfc3339(delivery.created_at),
            next_at: is_waiting.then(|| rfc3339(delivery.next_at)),
            ended_at: delivery.ended_at.map(rfc3339),
        }
    }
}

/// Deliveries of a webhook.
#[derive(Serialize, ToSchema)]
#[schema(as = Deliveries)]
pub(crate) struct DeliveryPage {
    /// Newest first.
    deliveries: Vec<DeliveryView>,
    /// For the next page; `null`: this was the last.
    next_cursor: Option<String>,
}

/// Which deliveries.
#[derive(Debug, Default, Deserialize, IntoParams)]
pub(crate) struct Which {
    /// Where the previous page ended: its `next_cursor`.
    cursor: Option<String>,
    /// At most so many, from 1 to 100.
    #[param(minimum = 1, maximum = 100)]
    limit: Option<u32>,
}

impl Which {
    /// Before which one, and how many.
    pub(crate) fn read(self) -> Result<(Option<u64>, u32), Problem> {
        let bad = |field: &str, detail: &str| Problem::bad_request(detail).with("field", field);
        let limit = self.limit.unwrap_or(LIMIT);
        if !(1..=LIMIT).contains(&limit) {
            return Err(bad("limit", "limit must be from 1 to 100"));
        }
        let before = self.cursor.map(|cursor| cursor.parse()).transpose();
        let before = before.map_err(|_| bad("cursor", "cursor is not one of ours"))?;
        Ok((before, limit))
    }
}

impl DeliveryPage {
    /// What was found, of so many that were asked for.
    pub(crate) fn of(found: &[Delivery], limit: u32) -> DeliveryPage {
        let is_full = found.len() == limit as usize;
        let last = found.last().filter(|_| is_full);
        DeliveryPage {
            next_cursor: last.map(|delivery| delivery.id.to_string()),
            deliveries: found.iter().map(DeliveryView::of).collect(),
        }
    }
}

/// Make a webhook
///
/// Events of your games are sent to it by POST, signed, each at least once, those of one game
/// in order: see the page on webhooks. An account has at most ten.
#[utoipa::path(
    post,
    path = "/v1/webhooks",
    operation_id = "create_webhook",
    request_body = NewWebhook,
    security(("token" = ["play"]), ("token" = ["service"]), ("token" = ["admin"])),
    responses(
        (status = 201, description = "The webhook, with its secret, shown this once", body = WebhookView),
        (status = 403, description = "`missing_scope`; `not_for_guests`"),
        (status = 409, description = "`too_many_webhooks`"),
        (status = 422, description = "`bad_url`: no https, or an address that is not asked"),
    ),
)]
async fn create(
    State(app): State<App>,
    caller: Caller,
    Body(new): Body<NewWebhook>,
) -> Result<Response, Problem> {
    let wish = Wish {
        kinds: kinds_named("events", new.events.iter().map(String::as_str))?,
        url: new.url,
        everything: new.all_games,
        secret: new.secret,
    };
    let made = webhooks::make(&app, &caller, wish).await?;
    let unkept = [(header::CACHE_CONTROL, "no-store")];
    let view = WebhookView::with_secret(made);
    Ok((StatusCode::CREATED, unkept, Json(view)).into_response())
}

/// List your webhooks
#[utoipa::path(
    get,
    path = "/v1/webhooks",
    operation_id = "list_webhooks",
    responses((status = 200, description = "Webhooks, without their secrets", body = All)),
)]
async fn list(State(app): State<App>, caller: Caller) -> Result<Json<All>, Problem> {
    let found = webhooks::list(&app, &caller).await?;
    let webhooks = found.iter().map(WebhookView::of).collect();
    Ok(Json(All { webhooks }))
}

/// Remove a webhook
///
/// What was to be sent to it is forgotten.
#[utoipa::path(
    delete,
    path = "/v1/webhooks/{id}",
    operation_id = "remove_webhook",
    params(("id" = u64, Path, description = "The webhook's id")),
    security(("token" = ["play"]), ("token" = ["service"]), ("token" = ["admin"])),
    responses(
        (status = 204, description = "Removed"),
        (status = 404, description = "`not_found`"),
    ),
)]
async fn remove(
    State(app): State<App>,
    caller: Caller,
    Path(id): Path<String>,
) -> Result<StatusCode, Problem> {
    webhooks::remove(&app, &caller, number(&id)?).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Change a webhook's secret
///
/// For a day deliveries are signed with the one before, too: the header has two `v1`.
#[utoipa::path(
    post,
    path = "/v1/webhooks/{id}/rotate",
    operation_id = "rotate_webhook",
    params(("id" = u64, Path, description = "The webhook's id")),
    request_body = NewSecret,
    security(("token" = ["play"]), ("token" = ["service"]), ("token" = ["admin"])),
    responses(
        (status = 200, description = "The webhook, with its new secret, shown this once", body = WebhookView),
        (status = 404, description = "`not_found`"),
    ),
)]
async fn rotate(
    State(app): State<App>,
    caller: Caller,
    Path(id): Path<String>,
    Body(new): Body<NewSecret>,
) -> Result<Response, Problem> {
    let rotated = webhooks::rotate(&app, &caller, number(&id)?, new.secret).await?;
    let unkept = [(header::CACHE_CONTROL, "no-store")];
    Ok((unkept, Json(WebhookView::with_secret(rotated))).into_response())
}

/// List what was sent to a webhook
#[utoipa::path(
    get,
    path = "/v1/webhooks/{id}/deliveries",
    operation_id = "list_deliveries",
    params(("id" = u64, Path, description = "The webhook's id"), Which),
    responses(
        (status = 200, description = "Deliveries, newest first", body = DeliveryPage),
        (status = 404, description = "`not_found`"),
    ),
)]
async fn deliveries(
    State(app): State<App>,
    caller: Caller,
    Path(id): Path<String>,
    Query(which): Query<Which>,
) -> Result<Json<DeliveryPage>, Problem> {
    let (before, limit) = which.read()?;
    let found = webhooks::deliveries(&app, &caller, number(&id)?, before, limit).await?;
    Ok(Json(DeliveryPage::of(&found, limit)))
}

/// Send something again
///
/// It is put in line behind what waits for the same game.
#[utoipa::path(
    post,
    path = "/v1/webhooks/{id}/deliveries/{delivery}/redeliver",
    operation_id = "redeliver",
    params(
        ("id" = u64, Path, description = "The webhook's id"),
        ("delivery" = u64, Path, description = "The delivery's id"),
    ),
    security(("token" = ["play"]), ("token" = ["service"]), ("token" = ["admin"])),
    responses(
        (status = 202, description = "The new delivery", body = DeliveryView),
        (status = 404, description = "`not_found`"),
    ),
)]
async fn redeliver(
    State(app): State<App>,
    caller: Caller,
    Path((id, delivery)): Path<(String, String)>,
) -> Result<(StatusCode, Json<DeliveryView>), Problem> {
    let delivery = number(&delivery)?;
    let again = webhooks::redeliver(&app, &caller, number(&id)?, delivery).await?;
    Ok((StatusCode::ACCEPTED, Json(DeliveryView::of(&again))))
}

pub(crate) fn number(text: &str) -> Result<u64, Problem> {
    text.parse().map_err(|_| no_such())
}
