//! Lists of games: the lobby, a player's games.

use axum::Json;
use axum::extract::State;
use chess::{Timestamp, table};
use serde::{Deserialize, Serialize};
use store::Cursor;
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::request::variant_named;
use super::view::{GameView, Shown};
use crate::auth::Caller;
use crate::http::MaybeCaller;
use crate::http::{Path, Query, SeenVersion};
use crate::play::App;
use crate::play::lists::{self, Wanted};
use crate::play::names::{Names, people};
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
    params(Filter),
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
    let found = lists::page(app, caller, filter.read()?).await?;
    // Who they all are is asked at once.
    let named = found.games.iter().flat_map(|sight| people(&sight.game));
    let named: Vec<_> = named.collect();
    let names = Names::of(app, named).await?;
    let view = |sight| Shown { app, sight }.with(&names);
    Ok(GamePage {
        games: found.games.into_iter().map(view).collect(),
        next_cursor: found.next.as_ref().map(write_cursor),
    })
}

impl Filter {
    fn read(self) -> Result<Wanted, Problem> {
        let limit = self.limit.unwrap_or(20);
        if !(1..=100).contains(&limit) {
            return Err(Problem::bad_request("limit must be from 1 to 100").with("field", "limit"));
        }
        let state = |name: &str| {
            let detail = "state must be WAITING, ACTIVE, PAUSED or COMPLETED";
            let wrong = || Problem::bad_request(detail).with("field", "state");
            table::State::named(name).ok_or_else(wrong)
        };
        Ok(Wanted {
            state: self.state.as_deref().map(state).transpose()?,
            player: self.player,
            variant: self.variant.as_deref().map(variant_named).transpose()?,
            after: self.cursor.as_deref().map(read_cursor).transpose()?,
            limit,
        })
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
