//! Players, as everyone sees them.

pub mod ratings;

use std::collections::BTreeMap;

use axum::Json;
use axum::extract::State;
use serde::{Deserialize, Serialize};
use store::Account;
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use self::ratings::{Counts, RatingView};
use super::accounts::view::Profile;
use crate::auth::Caller;
use crate::auth::names::NAME_MAX;
use crate::http::MaybeCaller;
use crate::http::{Path, Query};
use crate::play::App;
use crate::play::ratings::{between, played};
use crate::problem::Problem;

/// The calls of this file, and those about ratings.
pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(search))
        .routes(routes!(show))
        .merge(ratings::routes())
}

/// A player, with how strong they are.
#[derive(Debug, Serialize, ToSchema)]
struct RatedPlayer {
    #[serde(flatten)]
    public: Profile,
    /// By speed (`blitz`, ...) or, for anything but standard chess, by variant; only those
    /// in which rated games were played.
    ratings: BTreeMap<&'static str, RatingView>,
    /// All rated games together.
    counts: Counts,
    /// All finished games that everybody may see, rated or not; may be a few seconds old.
    played: Counts,
    /// Of these, the ones against you: your wins, draws and losses. Left out without a
    /// token, and of yourself.
    #[serde(skip_serializing_if = "Option::is_none")]
    against_you: Option<Counts>,
}

/// A player's profile
#[utoipa::path(
    get,
    path = "/v1/players/{name}",
    operation_id = "show_player",
    tag = "players",
    params(("name" = String, Path, description = "The name, in whatever case")),
    responses(
        (status = 200, description = "What everyone may see", body = RatedPlayer),
        (status = 404, description = "`not_found`"),
    ),
    security((), ("token" = [])),
)]
async fn show(
    State(app): State<App>,
    MaybeCaller(caller): MaybeCaller,
    Path(name): Path<String>,
) -> Result<Json<RatedPlayer>, Problem> {
    let account = find(&app, &name).await?;
    let viewer = caller.as_ref().map(Caller::number);
    let ratings = ratings::of(&app, account.number, viewer).await?;
    let played = played(&app, account.number).await?;
    let against_you = match viewer.filter(|viewer| *viewer != account.number) {
        Some(viewer) => Some(between(&app, viewer, account.number).await?),
        None => None,
    };
    Ok(Json(RatedPlayer {
        public: Profile::of(&account),
        counts: Counts::sum(ratings.values()),
        played: Counts::all(&played),
        against_you: against_you.as_deref().map(Counts::all),
        ratings,
    }))
}

/// The account of that name.
async fn find(app: &App, name: &str) -> Result<Account, Problem> {
    let nobody = || Problem::not_found("there is no such player");
    if name.len() > NAME_MAX {
        return Err(nobody());
    }
    let account = app.store.account_by_id(&name.to_ascii_lowercase()).await?;
    account
        .filter(|account| account.deleted_at.is_none())
        .ok_or_else(nobody)
}

/// Whom to look for.
#[derive(Debug, Deserialize, IntoParams)]
struct Search {
    /// How the name begins, in whatever case: 1 to 20 letters, digits, `_` and `-`. May
    /// also be called `search`.
    #[serde(alias = "search")]
    prefix: String,
    /// How many, 1 to 100; 20 if left out.
    limit: Option<u32>,
}

/// Players that were found.
#[derive(Debug, Serialize, ToSchema)]
struct Found {
    /// In the order of their ids.
    players: Vec<Profile>,
}

/// Search players
///
/// By the beginning of their names. Guests are not found.
#[utoipa::path(
    get,
    path = "/v1/players",
    operation_id = "search_players",
    tag = "players",
    params(Search),
    responses((status = 200, description = "Those whose name begins so", body = Found)),
    security((), ("token" = [])),
)]
async fn search(
    State(app): State<App>,
    _caller: MaybeCaller,
    Query(Search { prefix, limit }): Query<Search>,
) -> Result<Json<Found>, Problem> {
    let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    if !(1..=NAME_MAX).contains(&prefix.len()) || !prefix.chars().all(is_name) {
        let detail = "prefix must be 1 to 20 letters, digits, _ and -";
        return Err(Problem::bad_request(detail).with("field", "prefix"));
    }
    let limit = limit_of(limit, 20, 100)?;
    let prefix = prefix.to_ascii_lowercase();
    let found = app.store.players_by_prefix(&prefix, limit).await?;
    Ok(Json(Found {
        players: found.iter().map(Profile::of).collect(),
    }))
}

/// How many are wanted.
fn limit_of(limit: Option<u32>, usual: u32, most: u32) -> Result<u32, Problem> {
    let limit = limit.unwrap_or(usual);
    if (1..=most).contains(&limit) {
        return Ok(limit);
    }
    let detail = format!("limit must be from 1 to {most}");
    Err(Problem::bad_request(detail).with("field", "limit"))
}
