//! Events for services: pulled here, or sent to webhooks.

pub(crate) mod view;
pub(crate) mod webhooks;

use std::time::Duration;

use axum::Json;
use axum::extract::State;
use serde::{Deserialize, Serialize};
use store::{EventKind, EventKinds, EventPlace, OutboxEvent};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use self::view::EventView;
use crate::auth::Caller;
use crate::http::Query;
use crate::http::described::about;
use crate::play::App;
use crate::play::events::deliver::Written;
use crate::play::events::feed::{self, WAIT_MAX, Wanted};
use crate::problem::Problem;

/// So many events are in an answer, unless fewer are asked for.
const LIMIT: u32 = 100;

/// Every call about events.
pub fn routes() -> OpenApiRouter<App> {
    let calls = OpenApiRouter::new().routes(routes!(list));
    about("events", calls.merge(webhooks::routes()))
}

/// Which events.
#[derive(Debug, Default, Deserialize, IntoParams)]
struct Which {
    /// Where the previous page ended: its `next`. Left out: from the oldest that is kept.
    since: Option<String>,
    /// Types divided by commas, such as `GameEnded,RatingChanged`. Left out: all.
    types: Option<String>,
    /// Seconds, up to 30: if there is nothing yet, the answer comes when there is.
    wait: Option<u32>,
    /// At most so many, from 1 to 100.
    #[param(minimum = 1, maximum = 100)]
    limit: Option<u32>,
}

/// A page of events.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = EventPage)]
struct Page {
    /// In their order.
    events: Vec<EventView>,
    /// Where to read on: `since` of the next call, also if there were no events.
    next: String,
}

/// Read events
///
/// What happened in your own games; with a token of scope `service` or `admin` in all. Each
/// comes at least once, those of one game in order; `id` tells what is known already. They are
/// kept for thirty days, unless the operator decided otherwise.
#[utoipa::path(
    get,
    path = "/v1/events",
    operation_id = "list_events",
    params(Which),
    responses(
        (status = 200, description = "The next events", body = Page),
        (status = 403, description = "`missing_scope`: `PlayerReported` is for administrators"),
    ),
)]
async fn list(
    State(app): State<App>,
    caller: Caller,
    Query(which): Query<Which>,
) -> Result<Json<Page>, Problem> {
    let page = feed::page(&app, &caller, which.read()?).await?;
    let mut events = Vec::with_capacity(page.events.len());
    for event in &page.events {
        events.push(EventView::of(&app, event).await?);
    }
    let next = page.next.to_string();
    Ok(Json(Page { events, next }))
}

impl Which {
    fn read(self) -> Result<Wanted, Problem> {
        let bad = |field: &str, detail: &str| Problem::bad_request(detail).with("field", field);
        let since = match self.since.as_deref() {
            None | Some("") => EventPlace::START,
            Some(text) => text
                .parse()
                .map_err(|_| bad("since", "since is not one of ours"))?,
        };
        let wait = u64::from(self.wait.unwrap_or(0));
        if wait > WAIT_MAX.as_secs() {
            return Err(bad("wait", "wait must be from 0 to 30"));
        }
        let limit = self.limit.unwrap_or(LIMIT);
        if !(1..=LIMIT).contains(&limit) {
            return Err(bad("limit", "limit must be from 1 to 100"));
        }
        let types = self.types.as_deref().filter(|types| !types.is_empty());
        let kinds = types.map(|types| kinds_named("types", types.split(',')));
        Ok(Wanted {
            since,
            kinds: kinds.transpose()?,
            limit: limit as usize,
            wait: Duration::from_secs(wait),
        })
    }
}

/// The kinds of events that a client names.
pub(super) fn kinds_named<'a>(
    field: &str,
    names: impl IntoIterator<Item = &'a str>,
) -> Result<EventKinds, Problem> {
    let named = |name: &str| {
        EventKind::named(name.trim()).ok_or_else(|| {
            let known: Vec<&str> = EventKind::ALL.into_iter().map(EventKind::name).collect();
            let detail = format!("{field}: there is no {name:?}, only {}", known.join(", "));
            Problem::bad_request(detail).with("field", field)
        })
    };
    names.into_iter().map(named).collect()
}

/// An event in the words of this door, as webhooks are sent it.
pub fn body(app: App, event: OutboxEvent) -> Written {
    Box::pin(async move {
        let view = EventView::of(&app, &event).await?;
        let body = serde_json::to_vec(&view).map_err(|_| Problem::unavailable())?;
        Ok(view.has_data().then_some(body))
    })
}
