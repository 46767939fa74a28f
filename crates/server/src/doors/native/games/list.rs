//! Lists of games: the lobby, a player's games.

use axum::Json;
use axum::extract::State;
use chess::Timestamp;
use serde::{Deserialize, Serialize};
use store::{Cursor, ListQuery};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::answer::shown;
use super::names::find;
use super::sight::{as_seen_by, may_see};
use super::view::GameView;
use crate::app::App;
use crate::auth::{Caller, MaybeCaller, Scope};
use crate::http::{ApiError, Path, Query};

pub(super) fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(list))
        .routes(routes!(of_player))
}

/// Which games to list.
#[derive(Debug, Default, Deserialize, IntoParams)]
struct Filter {
    /// `WAITING`, `ACTIVE`, `PAUSED` or `COMPLETED`.
    state: Option<String>,
    /// Only games of this player.
    player: Option<String>,
    /// Only this variant.
    variant: Option<String>,
    /// Where the previous page ended: its `next_cursor`.
    cursor: Option<String>,
    /// How many, 1 to 100; 20 if left out.
    limit: Option<u32>,
}

/// A page of games, newest first.
#[derive(Debug, Serialize, ToSchema)]
pub struct GamePage {
    /// The games.
    pub games: Vec<GameView>,
    /// Where the next page begins; `null`: this was the last.
    pub next_cursor: Option<String>,
}

/// List games
///
/// Newest first. Private games only appear to those who may see them.
#[utoipa::path(
    get,
    path = "/v1/games",
    tag = "games",
    params(Filter),
    security((), ("token" = [])),
    responses((status = 200, description = "A page of games", body = GamePage)),
)]
async fn list(
    State(app): State<App>,
    MaybeCaller(caller): MaybeCaller,
    Query(filter): Query<Filter>,
) -> Result<Json<GamePage>, ApiError> {
    page(&app, caller.as_ref(), filter).await.map(Json)
}

/// List a player's games
#[utoipa::path(
    get,
    path = "/v1/players/{name}/games",
    tag = "players",
    params(("name" = String, Path, description = "The player"), Filter),
    security((), ("token" = [])),
    responses(
        (status = 200, description = "A page of games", body = GamePage),
        (status = 404, description = "`not_found`"),
    ),
)]
async fn of_player(
    State(app): State<App>,
    MaybeCaller(caller): MaybeCaller,
    Path(name): Path<String>,
    Query(filter): Query<Filter>,
) -> Result<Json<GamePage>, ApiError> {
    page(
        &app,
        caller.as_ref(),
        Filter {
            player: Some(name),
            ..filter
        },
    )
    .await
    .map(Json)
}

async fn page(app: &App, caller: Option<&Caller>, filter: Filter) -> Result<GamePage, ApiError> {
    let player = find(app, "player", filter.player.as_slice()).await?.pop();
    let limit = filter.limit.unwrap_or(20);
    if !(1..=100).contains(&limit) {
        return Err(ApiError::bad_request("limit must be from 1 to 100").with("field", "limit"));
    }
    if let Some(state) = &filter.state
        && !["WAITING", "ACTIVE", "PAUSED", "COMPLETED"].contains(&state.as_str())
    {
        let detail = "state must be WAITING, ACTIVE, PAUSED or COMPLETED";
        return Err(ApiError::bad_request(detail).with("field", "state"));
    }
    let viewer = caller.map(Caller::number);
    let found = app
        .store
        .list(ListQuery {
            state: filter.state,
            player: player.map(|person| person.number),
            variant: filter.variant,
            viewer,
            everything: caller.is_some_and(|c| c.scopes.contains(Scope::Admin)),
            after: filter.cursor.as_deref().map(read_cursor).transpose()?,
            limit,
            ..ListQuery::default()
        })
        .await?;
    let full = found.len() as u32 == limit;
    let next_cursor = found.last().filter(|_| full).map(write_cursor);
    let mut games = Vec::with_capacity(found.len());
    for place in found {
        let game = app.games.read(place.table, viewer).await?;
        if may_see(&game, caller) {
            let seen = as_seen_by(&game, viewer, app.now());
            games.push(shown(app, place.table, &seen, viewer).view().await?);
        }
    }
    Ok(GamePage { games, next_cursor })
}

fn write_cursor(cursor: &Cursor) -> String {
    format!("{}-{}", cursor.created_at.0, cursor.table)
}

fn read_cursor(text: &str) -> Result<Cursor, ApiError> {
    let parts = text.split_once('-');
    parts
        .and_then(|(at, id)| {
            Some(Cursor {
                created_at: Timestamp(at.parse().ok()?),
                table: id.parse().ok()?,
            })
        })
        .ok_or_else(|| ApiError::bad_request("cursor is not one of ours").with("field", "cursor"))
}
