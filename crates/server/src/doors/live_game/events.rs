//! What other services are told: that games are over.

use std::time::Duration;

use axum::Json;
use axum::extract::State;
use serde::{Deserialize, Serialize};
use store::{EventKind, EventPlace};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::asking::{is_here, table_id};
use super::error::{Error, ErrorView};
use super::view::GameEnded;
use crate::auth::{Caller, Scope};
use crate::http::{Path, Query};
use crate::play::App;
use crate::play::events::again;
use crate::play::events::feed::{self, WAIT_MAX, Wanted};
use crate::play::events::tables::{Then, then};
use crate::problem::Problem;

/// So many events are in an answer.
const LIMIT: usize = 100;

pub(super) fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(finalize))
        .routes(routes!(list))
}

/// Tell once more that a game is over
///
/// `GameEnded` again, to whoever reads or is sent events. The game stays as it is.
#[utoipa::path(
    post,
    path = "/live/internal/games/{game_id}/finalize",
    operation_id = "live_finalize_game",
    params(("game_id" = String, Path, description = "The game's UUID")),
    security(("token" = ["service"])),
    responses(
        (status = 200, description = "What is told", body = GameEnded),
        (status = 403, description = "`missing_scope`", body = ErrorView),
        (status = 404, description = "`game_not_found`", body = ErrorView),
        (status = 409, description = "`game_not_ended`", body = ErrorView),
    ),
)]
async fn finalize(
    State(app): State<App>,
    caller: Result<Caller, Problem>,
    path: Result<Path<String>, Problem>,
) -> Result<Json<GameEnded>, Error> {
    let (caller, Path(id)) = (caller?, path?);
    caller.require(Scope::Service)?;
    let id = table_id(&id)?;
    let game = app.games.newest(id).await?;
    if !is_here(&game) {
        return Err(Problem::game_not_found().into());
    }
    again::game_ended(&app, &caller, id, &game).await?;
    Ok(Json(GameEnded::of(&app, id, &game).await?))
}

/// Which events.
#[derive(Debug, Default, Deserialize, IntoParams)]
struct Which {
    /// Where the previous page ended: its `next`. Left out: from the oldest that is kept.
    since: Option<String>,
    /// Seconds, up to 30: if there is nothing yet, the answer comes when there is.
    wait: Option<u32>,
}

/// A page of events.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = LiveEventPage)]
struct Page {
    /// In their order.
    events: Vec<GameEnded>,
    /// Where to read on: `since` of the next call, also if there were no events.
    next: String,
}

/// Read which games are over
///
/// Each at least once, for thirty days unless the operator decided otherwise.
#[utoipa::path(
    get,
    path = "/live/internal/events",
    operation_id = "live_list_events",
    params(Which),
    security(("token" = ["service"])),
    responses(
        (status = 200, description = "The next events", body = Page),
        (status = 400, description = "`bad_request`", body = ErrorView),
        (status = 403, description = "`missing_scope`", body = ErrorView),
    ),
)]
async fn list(
    State(app): State<App>,
    caller: Result<Caller, Problem>,
    query: Result<Query<Which>, Problem>,
) -> Result<Json<Page>, Error> {
    let (caller, Query(which)) = (caller?, query?);
    caller.require(Scope::Service)?;
    let page = feed::page(&app, &caller, which.read()?).await?;
    let mut events = Vec::with_capacity(page.events.len());
    for event in &page.events {
        if let (Some(id), Some(Then::Game(game, _))) = (event.table, then(&app, event).await?)
            && is_here(&game)
        {
            events.push(GameEnded::of(&app, id, &game).await?);
        }
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
        let wait = Duration::from_secs(self.wait.unwrap_or(0).into());
        if wait > WAIT_MAX {
            return Err(bad("wait", "wait must be from 0 to 30"));
        }
        Ok(Wanted {
            since,
            kinds: Some([EventKind::GameEnded].into_iter().collect()),
            limit: LIMIT,
            wait,
        })
    }
}
