//! Lists of games: the lobby, a player's games.

use axum::Json;
use axum::extract::State;
use chess::Timestamp;
use chess::game::Game;
use chess::table::{PlayerId, Table};
use serde::{Deserialize, Serialize};
use store::{Cursor, ListQuery};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::answer::shown;
use super::request::variant_named;
use super::view::GameView;
use crate::auth::{Caller, Scope};
use crate::http::MaybeCaller;
use crate::http::{Path, Query, SeenVersion};
use crate::play::App;
use crate::play::names::find;
use crate::play::sight::{as_seen_by, may_see_it};
use crate::problem::Problem;

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

/// The store is asked so often for one page at most. A page that is short
/// even then has a cursor like any other.
const LOOKS_MAX: u32 = 3;

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
/// Newest first. Private games only appear to those who may see them. Games
/// with a spectator delay appear with `state` only while they wait and once their
/// spectators know that they are over.
#[utoipa::path(
    get,
    path = "/v1/games",
    operation_id = "list_games",
    tag = "games",
    params(Filter),
    security((), ("token" = [])),
    responses((status = 200, description = "A page of games", body = GamePage)),
)]
async fn list(
    State(app): State<App>,
    MaybeCaller(caller): MaybeCaller,
    _: SeenVersion,
    Query(filter): Query<Filter>,
) -> Result<Json<GamePage>, Problem> {
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
) -> Result<Json<GamePage>, Problem> {
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

async fn page(app: &App, caller: Option<&Caller>, filter: Filter) -> Result<GamePage, Problem> {
    let player = find(app, "player", filter.player.as_slice()).await?.pop();
    let limit = filter.limit.unwrap_or(20);
    if !(1..=100).contains(&limit) {
        return Err(Problem::bad_request("limit must be from 1 to 100").with("field", "limit"));
    }
    if let Some(state) = &filter.state
        && !["WAITING", "ACTIVE", "PAUSED", "COMPLETED"].contains(&state.as_str())
    {
        let detail = "state must be WAITING, ACTIVE, PAUSED or COMPLETED";
        return Err(Problem::bad_request(detail).with("field", "state"));
    }
    let variant = filter.variant.as_deref().map(variant_named).transpose()?;
    let viewer = caller.map(Caller::number);
    let mut query = ListQuery {
        kind: Some(Game::KIND),
        state: filter.state,
        player: player.map(|person| person.number),
        variant: variant.map(|variant| variant.name().to_owned()),
        viewer,
        everything: caller.is_some_and(|c| c.scopes.contains(Scope::Admin)),
        known_at: Some(app.now()),
        after: filter.cursor.as_deref().map(read_cursor).transpose()?,
        limit,
    };
    let mut games = Vec::new();
    // The store leaves out what the caller may not know. What is left out here
    // changed since it was asked, is damaged, or has a row that does not say yet
    // how far spectators are behind: a second look fills the page.
    for _ in 0..LOOKS_MAX {
        query.limit = limit - games.len() as u32;
        let found = app.store.list(query.clone()).await?;
        let is_all = (found.len() as u32) < query.limit;
        for place in found {
            query.after = Some(place);
            let Some(game) = app.games.listed(place.table, viewer).await? else {
                continue;
            };
            let seen = as_seen_by(&game, viewer, app.now());
            if may_see_it(app, place.table, &game, caller).await?
                && is_listed(&seen, viewer, query.state.as_deref())
            {
                games.push(shown(app, place.table, &seen, viewer).view().await?);
            }
        }
        if is_all {
            query.after = None;
        }
        if is_all || games.len() as u32 == limit {
            break;
        }
    }
    Ok(GamePage {
        games,
        next_cursor: query.after.as_ref().map(write_cursor),
    })
}

/// Whether a game that has a certain state is shown under it. One with a
/// spectator delay is found among the finished once its spectators know that it
/// is, and not among the running: that it left these would tell.
fn is_listed(seen: &Game, viewer: Option<PlayerId>, state: Option<&str>) -> bool {
    let is_delayed =
        seen.terms().spectator_delay > 0 && !viewer.is_some_and(|viewer| seen.is_player(viewer));
    match state {
        Some(state @ ("WAITING" | "COMPLETED")) if is_delayed => seen.state() == state,
        Some(_) => !is_delayed,
        None => true,
    }
}

fn write_cursor(cursor: &Cursor) -> String {
    format!("{}-{}", cursor.created_at.0, cursor.table)
}

fn read_cursor(text: &str) -> Result<Cursor, Problem> {
    let parts = text.split_once('-');
    parts
        .and_then(|(at, id)| {
            Some(Cursor {
                created_at: Timestamp(at.parse().ok()?),
                table: id.parse().ok()?,
            })
        })
        .ok_or_else(|| Problem::bad_request("cursor is not one of ours").with("field", "cursor"))
}
