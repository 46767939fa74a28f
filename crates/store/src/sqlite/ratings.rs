//! Ratings: written with the change that ends a game, read by everybody.

use chess::rating::{Category, Change as Moved, Rating, Standing, Stored};
use chess::table::PlayerId;
use chess::{ByColor, Color, Timestamp};
use rusqlite::types::{FromSql, FromSqlError, FromSqlResult, ValueRef};
use rusqlite::{Connection, OptionalExtension, Row as SqlRow, params};

use super::fault::Fault;
use super::outbox;
use super::values::{At, Who};
use crate::ratings::{
    BOT, Known, PROGRESS_GAMES, SAME_OPPONENT, color_name, color_named, half_points, progress,
    score_of,
};
use crate::{
    Change, EventKind, LeaderboardQuery, PlayerRating, RatedGame, Rates, RatingProfile, RatingStep,
    TableId,
};

/// The columns of a rating, in the order that [`rating`] reads them in.
const RATING: &str = "r.account, r.category, r.points_milli, r.deviation_milli, r.volatility_nano,
    r.games, r.wins, r.draws, r.losses, r.rated_at, r.known_at";

/// The columns of a rated game, in the order that [`step`] reads them in.
const STEP: &str = "h.category, h.at, h.table_id, h.opponent, h.color, h.score,
    h.before_points_milli, h.before_deviation_milli, h.before_volatility_nano,
    h.after_points_milli, h.after_deviation_milli, h.after_volatility_nano, h.known_at";

/// A category as a column.
struct Of(Category);

impl FromSql for Of {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<Of> {
        let code = value.as_i64()?;
        u8::try_from(code)
            .ok()
            .and_then(Category::from_code)
            .map(Of)
            .ok_or(FromSqlError::OutOfRange(code))
    }
}

/// Changes the ratings of a game's players, if the change means anything for them.
pub(super) fn apply(db: &Connection, change: &Change, rates: &Rates) -> Result<(), Fault> {
    let known = known(db, change, rates)?;
    let Some(settled) = rates.settle(change.table, change.at, &known) else {
        return Ok(());
    };
    for rating in settled.ratings.iter().flatten() {
        write(db, rating)?;
    }
    db.prepare_cached("DELETE FROM rating_history WHERE table_id = ?1")?
        .execute((change.table,))?;
    if let Some(game) = &settled.game {
        keep(db, game)?;
    }
    outbox::tell(db, change, EventKind::RatingChanged)?;
    Ok(())
}

fn known(db: &Connection, change: &Change, rates: &Rates) -> Result<Known, Fault> {
    let outcome = rates.outcome();
    let of = |account: PlayerId| -> Result<Option<PlayerRating>, Fault> {
        let sql =
            format!("SELECT {RATING} FROM ratings r WHERE r.account = ?1 AND r.category = ?2");
        let mut select = db.prepare_cached(&sql)?;
        let found = select.query_row((Who(account), outcome.category.code()), rating);
        Ok(found.optional()?)
    };
    let (a, b) = (outcome.players.white, outcome.players.black);
    let since = Timestamp(change.at.0.saturating_sub(SAME_OPPONENT.0.into()));
    let lately = db
        .prepare_cached(
            "SELECT count(*) FROM rating_history
              WHERE account = ?1 AND opponent = ?2 AND at > ?3 AND account < opponent",
        )?
        .query_row((Who(a.min(b)), Who(a.max(b)), At(since)), |r| r.get(0))?;
    Ok(Known {
        ratings: ByColor {
            white: of(a)?,
            black: of(b)?,
        },
        game: game(db, change.table)?,
        lately,
    })
}

fn write(db: &Connection, rating: &PlayerRating) -> Result<(), rusqlite::Error> {
    let standing = &rating.standing;
    let stored = standing.rating.stored();
    db.prepare_cached(
        "INSERT INTO ratings (account, category, points_milli, deviation_milli, volatility_nano,
                              games, wins, draws, losses, rated_at, unsure_from, known_at)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)
         ON CONFLICT (account, category) DO UPDATE SET
           points_milli = ?3, deviation_milli = ?4, volatility_nano = ?5, games = ?6, wins = ?7,
           draws = ?8, losses = ?9, rated_at = ?10, unsure_from = ?11, known_at = ?12",
    )?
    .execute(params![
        Who(rating.account),
        rating.category.code(),
        stored.points_milli,
        stored.deviation_milli,
        stored.volatility_nano,
        standing.games,
        rating.wins,
        rating.draws,
        rating.losses,
        At(standing.rated_at.unwrap_or(Timestamp(0))),
        At(standing.provisional_from()),
        At(rating.known_at),
    ])?;
    Ok(())
}

/// Writes what a game did, for each of its players.
fn keep(db: &Connection, game: &RatedGame) -> Result<(), rusqlite::Error> {
    let mut insert = db.prepare_cached(
        "INSERT INTO rating_history (account, category, at, table_id, opponent, color, score,
             before_points_milli, before_deviation_milli, before_volatility_nano,
             after_points_milli, after_deviation_milli, after_volatility_nano, known_at)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14)",
    )?;
    for color in Color::ALL {
        let step = game.step(color);
        let (before, after) = (step.change.before.stored(), step.change.after.stored());
        insert.execute(params![
            Who(*game.players.get(color)),
            game.category.code(),
            At(game.at),
            game.table,
            Who(step.opponent),
            color_name(color),
            half_points(step.score, color),
            before.points_milli,
            before.deviation_milli,
            before.volatility_nano,
            after.points_milli,
            after.deviation_milli,
            after.volatility_nano,
            At(game.known_at),
        ])?;
    }
    Ok(())
}

/// The ratings of these players, in the order of their numbers and categories.
pub(crate) fn of(db: &Connection, accounts: &[PlayerId]) -> Result<Vec<PlayerRating>, Fault> {
    let sql = format!(
        "SELECT {RATING} FROM ratings r WHERE r.account = ?1 AND r.games > 0 ORDER BY r.category"
    );
    let mut select = db.prepare_cached(&sql)?;
    let mut found = Vec::new();
    for account in sorted(accounts) {
        for rating in select.query_map((Who(account),), rating)? {
            found.push(rating?);
        }
    }
    Ok(found)
}

fn sorted(accounts: &[PlayerId]) -> Vec<PlayerId> {
    let mut sorted = accounts.to_vec();
    sorted.sort_unstable();
    sorted.dedup();
    sorted
}

/// Somebody's ratings, with where they were a few games ago.
pub(crate) fn profile(db: &Connection, account: PlayerId) -> Result<Vec<RatingProfile>, Fault> {
    let sql = format!(
        "SELECT {RATING}, (
           SELECT early.points FROM (
             SELECT h.before_points_milli AS points, h.at, h.table_id FROM rating_history h
              WHERE h.account = r.account AND h.category = r.category
              ORDER BY h.at DESC, h.table_id DESC LIMIT {PROGRESS_GAMES}
           ) early ORDER BY early.at, early.table_id LIMIT 1)
           FROM ratings r WHERE r.account = ?1 AND r.games > 0 ORDER BY r.category"
    );
    let found = db
        .prepare_cached(&sql)?
        .query_map((Who(account),), |r| {
            let rating = rating(r)?;
            let early: Option<u32> = r.get(11)?;
            let now = rating.standing.rating;
            Ok(RatingProfile {
                rating,
                progress: early.map_or(0, |early| progress(now, early)),
            })
        })?
        .collect::<Result<_, _>>()?;
    Ok(found)
}

/// What a game did to ratings.
fn game(db: &Connection, table: TableId) -> Result<Option<RatedGame>, rusqlite::Error> {
    let sql = format!("SELECT {STEP} FROM rating_history h WHERE h.table_id = ?1");
    let mut sides = ByColor::<Option<RatingStep>>::default();
    let mut category = None;
    let mut select = db.prepare_cached(&sql)?;
    for found in select.query_map((table,), step)? {
        let (of, step) = found?;
        category = Some(of);
        *sides.get_mut(step.color) = Some(step);
    }
    Ok(category.and_then(|category| RatedGame::of(category, sides.white, sides.black)))
}

/// What these games did to ratings; those that were not rated are left out.
pub(crate) fn games(db: &Connection, tables: &[TableId]) -> Result<Vec<RatedGame>, Fault> {
    let mut games = Vec::with_capacity(tables.len());
    for table in tables {
        games.extend(game(db, *table)?);
    }
    Ok(games)
}

/// The rated games of a player since then, the newest first.
pub(crate) fn history(
    db: &Connection,
    account: PlayerId,
    category: Category,
    since: Timestamp,
    limit: u32,
) -> Result<Vec<RatingStep>, Fault> {
    let sql = format!(
        "SELECT {STEP} FROM rating_history h WHERE h.account = ?1 AND h.category = ?2 AND h.at >= ?3
          ORDER BY h.at DESC, h.table_id DESC LIMIT ?4"
    );
    let found = db
        .prepare_cached(&sql)?
        .query_map((Who(account), category.code(), At(since), limit), |r| {
            Ok(step(r)?.1)
        })?
        .collect::<Result<_, _>>()?;
    Ok(found)
}

/// A page of a leaderboard. Of programs there are few: they are found by their
/// title, everybody else by their points.
pub(crate) fn leaderboard(
    db: &Connection,
    query: &LeaderboardQuery,
) -> Result<Vec<PlayerRating>, Fault> {
    let (first, then, title) = match query.bots {
        true => ("accounts a", "ratings r ON r.account = a.number", "="),
        false => ("ratings r", "accounts a ON a.number = r.account", "IS NOT"),
    };
    let sql = format!(
        "SELECT {RATING} FROM {first} CROSS JOIN {then}
          WHERE r.category = ?1 AND r.unsure_from > 0 AND r.unsure_from > ?2
            AND a.title {title} '{BOT}' AND a.deleted_at IS NULL AND a.barred_at IS NULL
            AND r.points_milli <= ?3 AND (r.points_milli < ?3 OR r.account > ?4)
          ORDER BY r.points_milli DESC, r.account LIMIT ?5"
    );
    let (points, account) = query
        .after
        .map_or((u32::MAX, 0), |p| (p.points_milli, p.account.number()));
    let found = db
        .prepare_cached(&sql)?
        .query_map(
            (
                query.category.code(),
                At(query.now),
                points,
                account,
                query.limit,
            ),
            rating,
        )?
        .collect::<Result<_, _>>()?;
    Ok(found)
}

/// How many established players have how many whole points, the fewest points first.
pub(crate) fn spread(
    db: &Connection,
    category: Category,
    now: Timestamp,
) -> Result<Vec<(u32, u32)>, Fault> {
    let found = db
        .prepare_cached(
            "SELECT (points_milli + 500) / 1000 AS points, count(*) FROM ratings
              WHERE category = ?1 AND unsure_from > 0 AND unsure_from > ?2
              GROUP BY points ORDER BY points",
        )?
        .query_map((category.code(), At(now)), |r| Ok((r.get(0)?, r.get(1)?)))?
        .collect::<Result<_, _>>()?;
    Ok(found)
}

fn rating(r: &SqlRow<'_>) -> Result<PlayerRating, rusqlite::Error> {
    Ok(PlayerRating {
        account: r.get::<_, Who>(0)?.0,
        category: r.get::<_, Of>(1)?.0,
        standing: Standing {
            rating: value(r, 2)?,
            games: r.get(5)?,
            rated_at: Some(r.get::<_, At>(9)?.0),
        },
        wins: r.get(6)?,
        draws: r.get(7)?,
        losses: r.get(8)?,
        known_at: r.get::<_, At>(10)?.0,
    })
}

fn step(r: &SqlRow<'_>) -> Result<(Category, RatingStep), rusqlite::Error> {
    let name: String = r.get(4)?;
    let out_of_range = |column| rusqlite::Error::IntegralValueOutOfRange(column, 0);
    let color = color_named(&name).ok_or_else(|| out_of_range(4))?;
    let step = RatingStep {
        at: r.get::<_, At>(1)?.0,
        table: r.get(2)?,
        opponent: r.get::<_, Who>(3)?.0,
        color,
        score: score_of(r.get(5)?, color).ok_or_else(|| out_of_range(5))?,
        change: Moved {
            before: value(r, 6)?,
            after: value(r, 9)?,
        },
        known_at: r.get::<_, At>(12)?.0,
    };
    Ok((r.get::<_, Of>(0)?.0, step))
}

/// A rating, in three columns from this one on.
fn value(r: &SqlRow<'_>, column: usize) -> Result<Rating, rusqlite::Error> {
    let stored = Stored {
        points_milli: r.get(column)?,
        deviation_milli: r.get(column + 1)?,
        volatility_nano: r.get(column + 2)?,
    };
    let points = i64::from(stored.points_milli);
    Rating::from_stored(stored).ok_or(rusqlite::Error::IntegralValueOutOfRange(column, points))
}
