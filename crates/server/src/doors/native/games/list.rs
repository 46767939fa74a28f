//! Lists of games: the lobby, a player's games.

use axum::Json;
use axum::extract::State;
use chess::{Color, Timestamp, table};
use serde::{Deserialize, Serialize};
use store::{Cursor, PlayerOutcome};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::request::variant_named;
use super::view::{GameView, Shown};
use crate::auth::Caller;
use crate::http::MaybeCaller;
use crate::http::{Path, Query, SeenVersion};
use crate::play::lists::{self, Only, Page, Wanted};
use crate::play::names::{Names, people};
use crate::play::{App, Sight, ratings};
use crate::problem::Problem;
use crate::text_time::read_rfc3339;

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
    /// Only rated games, or only casual ones.
    rated: Option<bool>,
    /// With a player: only those that they have a `win`, a `draw` or a `loss` in; all are over.
    result: Option<String>,
    /// With a player: only those in which they have `white`, or `black`.
    color: Option<String>,
    /// Only those against this player.
    opponent: Option<String>,
    /// Only those made at or after this moment: a day such as `2026-01-31`, or a time such as
    /// `2026-01-31T18:05:09Z`.
    since: Option<String>,
    /// Only those made before this moment.
    until: Option<String>,
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
    show_page(app, lists::page(app, caller, filter.read()?).await?).await
}

/// A page as it is shown.
pub(crate) async fn show_page(app: &App, found: Page) -> Result<GamePage, Problem> {
    // Who they all are is asked at once.
    let named = found.games.iter().flat_map(|sight| people(&sight.game));
    let named: Vec<_> = named.collect();
    let names = Names::of(app, named).await?;
    let finished = found.games.iter().map(|sight| (sight.id, &*sight.game));
    // A list that a replica has is shown even if nothing else can be asked.
    let rated = ratings::of_games(app, finished).await.unwrap_or_default();
    let view = |sight: Sight| {
        let id = sight.id;
        Shown { app, sight }.with(&names, rated.get(&id))
    };
    Ok(GamePage {
        games: found.games.into_iter().map(view).collect(),
        next_cursor: found.next.as_ref().map(write_cursor),
    })
}

impl Filter {
    fn read(self) -> Result<Wanted, Problem> {
        let limit = limit(self.limit)?;
        let state = |name: &str| {
            let detail = "state must be WAITING, ACTIVE, PAUSED or COMPLETED";
            let wrong = || Problem::bad_request(detail).with("field", "state");
            table::State::named(name).ok_or_else(wrong)
        };
        let only = self.only()?;
        Ok(Wanted {
            only,
            state: self.state.as_deref().map(state).transpose()?,
            player: self.player,
            variant: self.variant.as_deref().map(variant_named).transpose()?,
            after: self.cursor.as_deref().map(read_cursor).transpose()?,
            oldest_first: false,
            limit,
        })
    }
}

impl Filter {
    /// What is asked for of a player's games.
    fn only(&self) -> Result<Only, Problem> {
        let wrong = |field: &'static str, detail: &'static str| {
            move || Problem::bad_request(detail).with("field", field)
        };
        let outcome = |name: &str| match name {
            "win" => Ok(PlayerOutcome::Won),
            "draw" => Ok(PlayerOutcome::Drawn),
            "loss" => Ok(PlayerOutcome::Lost),
            _ => Err(wrong("result", "result must be win, draw or loss")()),
        };
        let color = |name: &str| match name {
            "white" => Ok(Color::White),
            "black" => Ok(Color::Black),
            _ => Err(wrong("color", "color must be white or black")()),
        };
        let moment = |field: &'static str| {
            let detail = "since and until are a day such as 2026-01-31, or a time such as \
                          2026-01-31T18:05:09Z";
            move |text: &str| moment(text).ok_or_else(wrong(field, detail))
        };
        let is_about_somebody = self.result.is_some() || self.color.is_some();
        if is_about_somebody && self.player.is_none() {
            return Err(wrong("player", "player: whose result, or color?")());
        }
        Ok(Only {
            rated: self.rated,
            outcome: self.result.as_deref().map(outcome).transpose()?,
            color: self.color.as_deref().map(color).transpose()?,
            opponent: self.opponent.clone(),
            since: self.since.as_deref().map(moment("since")).transpose()?,
            until: self.until.as_deref().map(moment("until")).transpose()?,
        })
    }
}

/// A day, or a time.
fn moment(text: &str) -> Option<Timestamp> {
    read_rfc3339(text).or_else(|| read_rfc3339(&format!("{text}T00:00:00Z")))
}

/// How many are asked for.
pub(crate) fn limit(asked: Option<u32>) -> Result<u32, Problem> {
    let limit = asked.unwrap_or(20);
    match limit {
        1..=100 => Ok(limit),
        _ => Err(Problem::bad_request("limit must be from 1 to 100").with("field", "limit")),
    }
}

fn write_cursor(cursor: &Cursor) -> String {
    format!("{}-{}", cursor.created_at.0, cursor.table)
}

/// Where a page begins.
pub(crate) fn read_cursor(text: &str) -> Result<Cursor, Problem> {
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
