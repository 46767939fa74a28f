//! How strong players are, as games and profiles show it.
//!
//! Ratings change in the store, with the change that ends a game. Here they are
//! looked up: what players had when a game began, what a finished game did to
//! them, and where somebody stands among all.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use chess::game::{Game, StartRatings};
use chess::rating::{Category, Outcome, Rating, Shown, Standing};
use chess::table::PlayerId;
use chess::{Millis, Timestamp};
use store::{
    PROGRESS_GAMES, Played, PlayedQuery, PlayerRating, RatedGame, RatingProfile, RatingStep,
    TableId,
};

use super::App;
use super::create::is_guest;
use super::look::Sight;
use crate::lock::lock;
use crate::problem::Problem;

/// So many finished games are remembered.
const GAMES_MAX: usize = 4_096;
/// The longest that spectators are kept behind a game.
const DELAY_MAX: Millis = Millis::from_secs(900);
/// As many games as somebody ends in that time.
const LATELY_MAX: u32 = 1_000;
/// How long the spread of all ratings counts: it looks at all of them.
const SPREAD_AGE: Millis = Millis::from_secs(60);
/// How long it counts how many games somebody has.
const PLAYED_AGE: Millis = Millis::from_secs(5);

/// What was looked up lately.
#[derive(Default)]
pub struct Ratings {
    /// By game and version, which says how it ended; none if it did not count.
    games: Mutex<HashMap<(TableId, u32), Option<RatedGame>>>,
    /// How many have how many points, and when that was counted.
    spreads: Mutex<HashMap<Category, (Timestamp, Spread)>>,
    /// How many games somebody has played, and when that was counted.
    played: Mutex<HashMap<PlayerId, (Timestamp, Counted)>>,
}

/// Somebody's games, counted.
type Counted = Arc<Vec<Played>>;

/// How many established players have how many points, the fewest points first.
type Spread = Arc<Vec<(u32, u32)>>;

/// The ratings with which two begin a game of that category.
///
/// # Errors
/// `unavailable`: the store cannot say.
pub(crate) async fn at_start(
    app: &App,
    creator: PlayerId,
    joiner: PlayerId,
    category: Category,
) -> Result<StartRatings, Problem> {
    let both = [creator, joiner];
    let people = app.auth.people(&both).await?;
    let is_rated = |player: &PlayerId| {
        let person = people.get(player);
        person.is_some_and(|person| !is_guest(person))
    };
    if !both.iter().any(is_rated) {
        return Ok(StartRatings::default());
    }
    let known = app.store.ratings_of(&both).await?;
    let now = app.now();
    let shown = |player: PlayerId| {
        is_rated(&player).then(|| Shown::from(standing(&known, player, category).at(now)))
    };
    Ok(StartRatings {
        creator: shown(creator),
        joiner: shown(joiner),
    })
}

/// Somebody's rating, as it is now.
///
/// # Errors
/// `unavailable`: the store cannot say.
pub(crate) async fn of(app: &App, player: PlayerId, category: Category) -> Result<Rating, Problem> {
    let known = app.store.ratings_of(&[player]).await?;
    Ok(standing(&known, player, category).at(app.now()))
}

/// Somebody's standing among these, which is that of a newcomer if there is none.
pub(crate) fn standing(known: &[PlayerRating], player: PlayerId, category: Category) -> Standing {
    let mut known = known.iter();
    let found = known.find(|rating| (rating.account, rating.category) == (player, category));
    found.map_or(Standing::NEW, |rating| rating.standing)
}

/// What a game did to the ratings of its players; nothing unless it is over and
/// counts.
///
/// # Errors
/// The store cannot say.
pub(crate) async fn of_game(
    app: &App,
    id: TableId,
    game: &Game,
) -> Result<Option<RatedGame>, store::Error> {
    // Most who are told of a game are told of one that goes on.
    if Outcome::of(game).is_none() {
        return Ok(None);
    }
    Ok(of_games(app, [(id, game)]).await?.remove(&id))
}

/// The same of a game as somebody sees it. If the store could not even say how the
/// game stands, they do without.
///
/// # Errors
/// `unavailable`: the store cannot say.
pub(crate) async fn of_sight(app: &App, sight: &Sight) -> Result<Option<RatedGame>, Problem> {
    match of_game(app, sight.id, &sight.game).await {
        Err(_) if sight.is_stale => Ok(None),
        found => Ok(found?),
    }
}

/// The same of many, asked at once.
///
/// # Errors
/// The store cannot say.
pub(crate) async fn of_games<'a>(
    app: &App,
    games: impl IntoIterator<Item = (TableId, &'a Game)>,
) -> Result<HashMap<TableId, RatedGame>, store::Error> {
    let mut found = HashMap::new();
    let mut unknown = HashMap::new();
    {
        let known = lock(&app.ratings.games);
        for (id, game) in games {
            if Outcome::of(game).is_none() {
                continue;
            }
            match known.get(&(id, game.version())) {
                Some(rated) => found.extend(rated.map(|rated| (id, rated))),
                None => drop(unknown.insert(id, game.version())),
            }
        }
    }
    if unknown.is_empty() {
        return Ok(found);
    }
    let asked: Vec<TableId> = unknown.keys().copied().collect();
    let rated = app.store.rated_games(&asked).await?;
    found.extend(rated.iter().map(|game| (game.table, *game)));
    let mut known = lock(&app.ratings.games);
    if known.len() + unknown.len() > GAMES_MAX {
        known.clear();
    }
    let looked_up = unknown.into_iter();
    known.extend(looked_up.map(|(id, version)| ((id, version), found.get(&id).copied())));
    Ok(found)
}

/// The games in a rating's history that the viewer may not know of yet, newest first:
/// from the first whose end spectators are not told of, since all later ones begin
/// where that one ended.
///
/// # Errors
/// `unavailable`: the store cannot say.
pub(crate) async fn unknown_to(
    app: &App,
    viewer: Option<PlayerId>,
    rating: &PlayerRating,
) -> Result<Vec<RatingStep>, Problem> {
    let now = app.now();
    let player = rating.account;
    if rating.known_at <= now || viewer == Some(player) {
        return Ok(Vec::new());
    }
    let since = Timestamp(now.0.saturating_sub(DELAY_MAX.0.into()));
    let mut steps = app
        .store
        .rating_history(player, rating.category, since, LATELY_MAX)
        .await?;
    let is_unknown = |step: &RatingStep| step.known_at > now && viewer != Some(step.opponent);
    let first = steps.iter().rposition(is_unknown);
    steps.truncate(first.map_or(0, |first| first + 1));
    Ok(steps)
}

/// By how many points the twelve games before the newest `unknown` moved a rating.
///
/// # Errors
/// `unavailable`: the store cannot say.
async fn progress_before(app: &App, rating: &PlayerRating, unknown: usize) -> Result<i32, Problem> {
    let (player, category) = (rating.account, rating.category);
    let limit = PROGRESS_GAMES.saturating_add(unknown as u32);
    let steps = app
        .store
        .rating_history(player, category, Timestamp(0), limit)
        .await?;
    let known = steps.get(unknown..).unwrap_or_default();
    let moved = known.first().zip(known.last()).map(|(newest, oldest)| {
        newest.change.after.points() as i32 - oldest.change.before.points() as i32
    });
    Ok(moved.unwrap_or(0))
}

/// Somebody's ratings, and how they moved lately, as far as that viewer may know.
///
/// # Errors
/// `unavailable`: the store cannot say.
pub(crate) async fn profile(
    app: &App,
    player: PlayerId,
    viewer: Option<PlayerId>,
) -> Result<Vec<RatingProfile>, Problem> {
    let mut known = Vec::new();
    for RatingProfile { rating, progress } in app.store.rating_profile(player).await? {
        let unknown = unknown_to(app, viewer, &rating).await?;
        let Some(shown) = rating.without(&unknown) else {
            continue;
        };
        let progress = match unknown.len() {
            0 => progress,
            // It is told of as many games, which are others.
            _ => progress_before(app, &rating, unknown.len()).await?,
        };
        known.push(RatingProfile {
            rating: shown,
            progress,
        });
    }
    Ok(known)
}

/// How many games somebody has played, rated or not, as far as everybody may know; a
/// few seconds old, since all of them are looked at.
///
/// # Errors
/// `unavailable`: the store cannot say.
pub(crate) async fn played(app: &App, player: PlayerId) -> Result<Counted, Problem> {
    let now = app.now();
    let known = lock(&app.ratings.played).get(&player).cloned();
    if let Some((_, played)) = known.filter(|(at, _)| now.since(*at) < PLAYED_AGE) {
        return Ok(played);
    }
    let query = PlayedQuery {
        kind: Game::KIND,
        player,
        known_at: now,
        against: None,
    };
    let played = Arc::new(app.store.played(query).await?);
    let mut known = lock(&app.ratings.played);
    if known.len() >= GAMES_MAX {
        known.clear();
    }
    known.insert(player, (now, Arc::clone(&played)));
    Ok(played)
}

/// How the finished games between two came out for the first, as far as everybody may know.
///
/// # Errors
/// `unavailable`: the store cannot say.
pub(crate) async fn between(
    app: &App,
    player: PlayerId,
    other: PlayerId,
) -> Result<Vec<Played>, Problem> {
    let query = PlayedQuery {
        kind: Game::KIND,
        player,
        known_at: app.now(),
        against: Some(other),
    };
    Ok(app.store.played(query).await?)
}

/// How many in a hundred of those with an established rating have less than this
/// one; `None` if it is provisional itself.
///
/// # Errors
/// `unavailable`: the store cannot say.
pub(crate) async fn percentile(
    app: &App,
    category: Category,
    rating: Rating,
) -> Result<Option<f64>, Problem> {
    if rating.is_provisional() {
        return Ok(None);
    }
    let spread = spread(app, category).await?;
    Ok(share_below(&spread, rating.points()))
}

async fn spread(app: &App, category: Category) -> Result<Spread, Problem> {
    let now = app.now();
    let known = lock(&app.ratings.spreads).get(&category).cloned();
    if let Some((_, spread)) = known.filter(|(at, _)| now.since(*at) < SPREAD_AGE) {
        return Ok(spread);
    }
    let spread = Arc::new(app.store.rating_spread(category, now).await?);
    let counted = (now, Arc::clone(&spread));
    lock(&app.ratings.spreads).insert(category, counted);
    Ok(spread)
}

/// In percent, to a tenth.
fn share_below(spread: &[(u32, u32)], points: u32) -> Option<f64> {
    let count = |some: &[(u32, u32)]| some.iter().map(|(_, count)| u64::from(*count)).sum();
    let all: u64 = count(spread);
    let below: u64 = count(&spread[..spread.partition_point(|(have, _)| *have < points)]);
    (all > 0).then(|| ((below * 1_000) as f64 / all as f64).round() / 10.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_share_is_told_of_those_who_have_less() {
        let spread = [(1400, 2), (1500, 1), (1700, 5)];
        assert_eq!(share_below(&spread, 1400), Some(0.0));
        assert_eq!(share_below(&spread, 1500), Some(25.0));
        assert_eq!(share_below(&spread, 1701), Some(100.0));
        assert_eq!(share_below(&spread, 1600), Some(37.5));
        assert_eq!(share_below(&[], 1600), None);
    }
}
