//! How strong players are: ratings, their history, and leaderboards.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use axum::Json;
use axum::extract::State;
use chess::Timestamp;
use chess::rating::Category;
use chess::table::PlayerId;
use serde::{Deserialize, Serialize};
use store::{LeaderboardQuery, Place, Played, PlayerRating, RatingProfile, RatingStep};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::{find, limit_of};
use crate::auth::Caller;
use crate::http::MaybeCaller;
use crate::http::{Path, Query};
use crate::play::names::Names;
use crate::play::{App, ratings};
use crate::problem::Problem;
use crate::text_time::rfc3339;

/// As many games of a rating's history as are told at once.
pub(crate) const POINTS_MAX: u32 = 1_000;

pub(super) fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(history))
        .routes(routes!(leaderboard))
}

/// A rating as it is now.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct RatingView {
    /// In whole points.
    rating: u32,
    /// How unsure it is, in whole points; it grows while its owner does not play.
    deviation: u32,
    /// Whether it is too unsure to be compared with others'.
    provisional: bool,
    #[serde(flatten)]
    counts: Counts,
    /// By how many points the last twelve rated games moved it.
    progress: i32,
    /// How many in a hundred of those whose rating is not provisional have less;
    /// left out if this one is.
    #[serde(skip_serializing_if = "Option::is_none")]
    percentile: Option<f64>,
}

/// Games, and how they came out.
#[derive(Clone, Copy, Debug, Default, Serialize, ToSchema)]
pub struct Counts {
    games: u32,
    wins: u32,
    draws: u32,
    losses: u32,
}

impl Counts {
    fn of(rating: &PlayerRating) -> Counts {
        Counts {
            games: rating.standing.games,
            wins: rating.wins,
            draws: rating.draws,
            losses: rating.losses,
        }
    }

    /// Finished games of all kinds together.
    pub(super) fn all(played: &[Played]) -> Counts {
        played.iter().fold(Counts::default(), |sum, some| Counts {
            games: sum.games + some.games,
            wins: sum.wins + some.wins,
            draws: sum.draws + some.draws,
            losses: sum.losses + (some.games - some.wins - some.draws),
        })
    }

    /// All of them together.
    pub(super) fn sum<'a>(ratings: impl Iterator<Item = &'a RatingView>) -> Counts {
        ratings.fold(Counts::default(), |sum, RatingView { counts, .. }| Counts {
            games: sum.games + counts.games,
            wins: sum.wins + counts.wins,
            draws: sum.draws + counts.draws,
            losses: sum.losses + counts.losses,
        })
    }
}

/// Somebody's ratings, by what they are for.
///
/// # Errors
/// `unavailable`: the store cannot say.
pub(crate) async fn of(
    app: &App,
    player: PlayerId,
    viewer: Option<PlayerId>,
) -> Result<BTreeMap<&'static str, RatingView>, Problem> {
    let now = app.now();
    let mut views = BTreeMap::new();
    for profile in ratings::profile(app, player, viewer).await? {
        let RatingProfile {
            rating: known,
            progress,
        } = profile;
        let (category, rating) = (known.category, known.standing.at(now));
        let view = RatingView {
            rating: rating.points(),
            deviation: rating.deviation(),
            provisional: rating.is_provisional(),
            counts: Counts::of(&known),
            progress,
            percentile: ratings::percentile(app, category, rating).await?,
        };
        views.insert(category.name(), view);
    }
    Ok(views)
}

/// Which history.
#[derive(Debug, Deserialize, IntoParams)]
struct Wanted {
    /// `ultra_bullet`, `bullet`, `blitz`, `rapid`, `classical`, `correspondence`, or a
    /// variant other than `standard`.
    speed: Option<String>,
    /// How many of the newest games, 1 to 1000; 1000 if left out.
    limit: Option<u32>,
}

/// How a rating came about.
#[derive(Debug, Serialize, ToSchema)]
struct History {
    /// One for each rated game, the oldest first.
    points: Vec<Point>,
}

/// A rating after a game.
#[derive(Debug, Serialize, ToSchema)]
pub struct Point {
    /// When the game ended.
    #[schema(format = DateTime)]
    at: String,
    /// The rating after it, in whole points.
    rating: u32,
    /// How unsure that was, in whole points.
    deviation: u32,
    /// The game.
    game_id: String,
}

impl Point {
    fn of(step: &RatingStep) -> Point {
        Point {
            at: rfc3339(step.at),
            rating: step.change.after.points(),
            deviation: step.change.after.deviation(),
            game_id: step.table.to_string(),
        }
    }
}

/// The history of a rating
#[utoipa::path(
    get,
    path = "/v1/players/{name}/rating-history",
    operation_id = "rating_history",
    tag = "players",
    params(("name" = String, Path, description = "The name, in whatever case"), Wanted),
    responses(
        (status = 200, description = "Game by game", body = History),
        (status = 404, description = "`not_found`"),
    ),
    security((), ("token" = [])),
)]
async fn history(
    State(app): State<App>,
    MaybeCaller(caller): MaybeCaller,
    Path(name): Path<String>,
    Query(Wanted { speed, limit }): Query<Wanted>,
) -> Result<Json<History>, Problem> {
    let category = speed.as_deref().and_then(category_named);
    let category = category.ok_or_else(|| {
        let detail = "speed must be ultra_bullet, bullet, blitz, rapid, classical, \
                      correspondence, or a variant other than standard";
        Problem::bad_request(detail).with("field", "speed")
    })?;
    let limit = limit_of(limit, POINTS_MAX, POINTS_MAX)?;
    let account = find(&app, &name).await?;
    let viewer = caller.as_ref().map(Caller::number);
    Ok(Json(History {
        points: points(&app, account.number, category, limit, viewer).await?,
    }))
}

/// A player's rated games in one category, the oldest first.
///
/// # Errors
/// `unavailable`: the store cannot say.
pub(crate) async fn points(
    app: &App,
    player: PlayerId,
    category: Category,
    limit: u32,
    viewer: Option<PlayerId>,
) -> Result<Vec<Point>, Problem> {
    let ratings = app.store.ratings_of(&[player]).await?;
    let rating = ratings.iter().find(|rating| rating.category == category);
    let unknown = match rating {
        Some(rating) => ratings::unknown_to(app, viewer, rating).await?.len(),
        None => 0,
    };
    let wanted = limit.saturating_add(unknown as u32);
    let steps = app
        .store
        .rating_history(player, category, Timestamp(0), wanted)
        .await?;
    Ok(steps[unknown.min(steps.len())..]
        .iter()
        .rev()
        .map(Point::of)
        .collect())
}

/// Which part of a leaderboard.
#[derive(Debug, Deserialize, IntoParams)]
struct Part {
    /// `true`: those with the title `BOT`, who are on no other.
    bots: Option<bool>,
    /// Where the previous page ended: its `next_cursor`.
    cursor: Option<String>,
    /// How many, 1 to 100; 50 if left out.
    limit: Option<u32>,
}

/// A page of a leaderboard.
#[derive(Debug, Serialize, ToSchema)]
struct Leaderboard {
    /// The best first.
    players: Vec<Leader>,
    /// Where the next page begins; `null`: this was the last.
    next_cursor: Option<String>,
}

/// Somebody on a leaderboard.
#[derive(Debug, Serialize, ToSchema)]
struct Leader {
    /// The account's id.
    id: String,
    /// The name as its owner writes it.
    name: String,
    /// `GM`, `BOT`, ...
    title: Option<String>,
    /// In whole points.
    rating: u32,
    /// How unsure it is, in whole points.
    deviation: u32,
    #[serde(flatten)]
    counts: Counts,
}

/// A leaderboard
///
/// Those whose rating is not provisional, the best first.
#[utoipa::path(
    get,
    path = "/v1/leaderboards/{speed}",
    operation_id = "leaderboard",
    tag = "players",
    params(
        ("speed" = String, Path, description = "A speed, or a variant other than `standard`"),
        Part,
    ),
    responses(
        (status = 200, description = "A page", body = Leaderboard),
        (status = 404, description = "`not_found`: nobody is rated for that"),
    ),
    security((), ("token" = [])),
)]
async fn leaderboard(
    State(app): State<App>,
    MaybeCaller(caller): MaybeCaller,
    Path(speed): Path<String>,
    Query(part): Query<Part>,
) -> Result<Json<Leaderboard>, Problem> {
    let category = category_named(&speed)
        .ok_or_else(|| Problem::not_found("there is no such speed or variant"))?;
    let limit = limit_of(part.limit, 50, 100)?;
    let now = app.now();
    let query = LeaderboardQuery {
        category,
        bots: part.bots.unwrap_or(false),
        now,
        after: part.cursor.as_deref().map(read_cursor).transpose()?,
        limit,
    };
    let mut found = app.store.leaderboard(query).await?;
    let is_full = found.len() == limit as usize;
    let last = found.last().filter(|_| is_full).map(PlayerRating::place);
    let viewer = caller.as_ref().map(Caller::number);
    for rating in &mut found {
        // Nobody is on it whose rating was provisional a few minutes ago.
        let unknown = ratings::unknown_to(&app, viewer, rating).await?;
        *rating = rating.without(&unknown).unwrap_or(*rating);
    }
    found.sort_by_key(|rating| Reverse(rating.place().points_milli));
    let names = Names::of(&app, found.iter().map(|rating| rating.account)).await?;
    let leader = |rating: &PlayerRating| {
        let (account, shown) = (rating.account, rating.standing.at(now));
        Leader {
            id: names.id(account),
            name: names
                .get(account)
                .map_or_else(|| names.id(account), |person| person.name.clone()),
            title: names.title(account),
            rating: shown.points(),
            deviation: shown.deviation(),
            counts: Counts::of(rating),
        }
    };
    Ok(Json(Leaderboard {
        players: found.iter().map(leader).collect(),
        next_cursor: last.map(write_cursor),
    }))
}

fn write_cursor(place: Place) -> String {
    format!("{}-{}", place.points_milli, place.account.number())
}

fn read_cursor(text: &str) -> Result<Place, Problem> {
    let place = text.split_once('-').and_then(|(points, account)| {
        Some(Place {
            points_milli: points.parse().ok()?,
            account: PlayerId::new(account.parse().ok()?)?,
        })
    });
    place.ok_or_else(|| Problem::bad_request("cursor is not one of ours").with("field", "cursor"))
}

/// What ratings are for, by its name or as Lichess writes it: `ultraBullet`.
fn category_named(name: &str) -> Option<Category> {
    let mut plain = String::with_capacity(name.len() + 4);
    for c in name.chars() {
        if c.is_ascii_uppercase() {
            plain.push('_');
        }
        plain.push(c.to_ascii_lowercase());
    }
    Category::from_name(&plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_speed_may_be_written_as_lichess_does() {
        for name in ["ultra_bullet", "ultraBullet"] {
            assert_eq!(category_named(name), Some(Category::UltraBullet));
        }
        let hill = category_named("kingOfTheHill");
        assert_eq!(hill, Some(Category::KingOfTheHill));
        for name in ["", "standard", "Blitz", "fast"] {
            assert_eq!(category_named(name), None, "{name}");
        }
    }

    #[test]
    fn a_cursor_leads_back_to_its_place() {
        let place = Place {
            points_milli: 1_723_456,
            account: PlayerId::new(42).expect("not zero"),
        };
        assert_eq!(read_cursor(&write_cursor(place)).ok(), Some(place));
        for text in ["", "1", "1-0", "-5", "x-1", "1-2-3"] {
            assert!(read_cursor(text).is_err(), "{text}");
        }
    }
}
