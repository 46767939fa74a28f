//! Ratings: written with the change that ends a game, read by everybody.

use chess::rating::{Category, Change as Moved, Rating, Standing, Stored};
use chess::table::PlayerId;
use chess::{ByColor, Color, Timestamp};
use deadpool_postgres::GenericClient;
use futures_util::future::join4;
use tokio_postgres::{Row as SqlRow, Statement};

use super::Db;
use super::fault::Fault;
use super::outbox;
use super::steps::{Steps, value};
use super::values::{Columns, at, small, table, who};
use crate::ratings::{
    BOT, Known, PROGRESS_GAMES, SAME_OPPONENT, Settled, color_name, color_named, half_points,
    progress, score_of,
};
use crate::{
    Change, Error, EventKind, LeaderboardQuery, PlayerRating, RatedGame, Rates, RatingProfile,
    RatingStep, TableId,
};

/// Rows to be locked, for those who have none: two who end their first game at once
/// wait for each other here. Everybody locks in the order of the accounts.
const PREPARE: &str = "INSERT INTO ratings
  (account, category, points_milli, deviation_milli, volatility_nano, games, wins, draws, losses,
   rated_at, unsure_from, known_at)
 SELECT account, $2::smallint, 1500000, 350000, 60000000, 0, 0, 0, 0, 0, 0, 0
   FROM unnest($1::bigint[]) AS account ORDER BY account
 ON CONFLICT DO NOTHING";
const LOCK: &str = "SELECT r.account, r.category, r.points_milli, r.deviation_milli,
   r.volatility_nano, r.games, r.wins, r.draws, r.losses, r.rated_at, r.known_at
   FROM ratings r WHERE r.account = ANY($1) AND r.category = $2 ORDER BY r.account FOR UPDATE";
const GAMES: &str = "SELECT h.category, h.at, h.table_id, h.opponent, h.color, h.score,
   h.before_points_milli, h.before_deviation_milli, h.before_volatility_nano,
   h.after_points_milli, h.after_deviation_milli, h.after_volatility_nano, h.known_at
   FROM rating_history h WHERE h.table_id = ANY($1)";
const LATELY: &str = "SELECT count(*)::integer FROM rating_history
  WHERE account = $1 AND opponent = $2 AND at > $3 AND account < opponent";
const WRITE: &str = "UPDATE ratings SET points_milli = $3, deviation_milli = $4,
   volatility_nano = $5, games = $6, wins = $7, draws = $8, losses = $9, rated_at = $10,
   unsure_from = $11, known_at = $12
 WHERE account = $1 AND category = $2";
const FORGET: &str = "DELETE FROM rating_history WHERE table_id = $1";
const KEEP: &str = "INSERT INTO rating_history (account, category, at, table_id, opponent, color,
   score, before_points_milli, before_deviation_milli, before_volatility_nano,
   after_points_milli, after_deviation_milli, after_volatility_nano, known_at)
 VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)";

/// What rating a game needs, to be prepared before anybody waits for it.
pub(super) const STATEMENTS: [&str; 7] = [PREPARE, LOCK, GAMES, LATELY, WRITE, FORGET, KEEP];

/// The columns of a rating, in the order that [`rating`] reads them in.
const RATING: &str = "r.account, r.category, r.points_milli, r.deviation_milli, r.volatility_nano,
    r.games, r.wins, r.draws, r.losses, r.rated_at, r.known_at";

/// What is asked of the database before a game can be rated, prepared.
pub(super) struct Question<'a> {
    change: &'a Change,
    rates: Rates,
    prepared: [Statement; 4],
}

impl<'a> Question<'a> {
    pub(super) async fn prepare(
        db: &impl GenericClient,
        change: &'a Change,
        rates: Rates,
    ) -> Result<Question<'a>, Fault> {
        let prepared = [
            db.prepare_cached(PREPARE).await?,
            db.prepare_cached(LOCK).await?,
            db.prepare_cached(GAMES).await?,
            db.prepare_cached(LATELY).await?,
        ];
        Ok(Question {
            change,
            rates,
            prepared,
        })
    }

    /// Locks the ratings and asks for what is known. All leave together, in their order.
    pub(super) async fn ask(&self, db: &impl GenericClient) -> Result<Known, Fault> {
        let outcome = self.rates.outcome();
        let (a, b) = (outcome.players.white, outcome.players.black);
        let (first, second) = (who(a.min(b)), who(a.max(b)));
        let accounts = vec![first, second];
        let category = i16::from(outcome.category.code());
        let tables = vec![table(self.change.table)];
        let since = at(Timestamp(
            self.change.at.0.saturating_sub(SAME_OPPONENT.0.into()),
        ));
        let [prepare, lock, games, lately] = &self.prepared;
        let (made, locked, game, lately) = join4(
            db.execute(prepare, &[&accounts, &category]),
            db.query(lock, &[&accounts, &category]),
            db.query(games, &[&tables]),
            db.query_one(lately, &[&first, &second, &since]),
        )
        .await;
        made?;
        let mut ratings = ByColor::default();
        for row in &locked? {
            let rating = rating(row)?;
            let color = if rating.account == a {
                Color::White
            } else {
                Color::Black
            };
            *ratings.get_mut(color) = Some(rating);
        }
        Ok(Known {
            ratings,
            game: games_of(&game?)?.pop(),
            lately: lately?.small(0)?,
        })
    }
}

/// Writes what becomes of the ratings.
pub(super) fn write(steps: &mut Steps<'_>, change: &Change, settled: &Settled) {
    for rating in settled.ratings.iter().flatten() {
        write_rating(steps, rating);
    }
    steps.add(FORGET, vec![value(table(change.table))]);
    if let Some(game) = &settled.game {
        Color::ALL
            .into_iter()
            .for_each(|color| keep(steps, game, color));
    }
    outbox::tell(steps, change, EventKind::RatingChanged);
}

fn write_rating(steps: &mut Steps<'_>, rating: &PlayerRating) {
    let standing = &rating.standing;
    let stored = standing.rating.stored();
    let number = |number: u32| value(small(number));
    steps.add(
        WRITE,
        vec![
            value(who(rating.account)),
            value(i16::from(rating.category.code())),
            number(stored.points_milli),
            number(stored.deviation_milli),
            number(stored.volatility_nano),
            number(standing.games),
            number(rating.wins),
            number(rating.draws),
            number(rating.losses),
            value(at(standing.rated_at.unwrap_or(Timestamp(0)))),
            value(at(standing.provisional_from())),
            value(at(rating.known_at)),
        ],
    );
}

fn keep(steps: &mut Steps<'_>, game: &RatedGame, color: Color) {
    let step = game.step(color);
    let (before, after) = (step.change.before.stored(), step.change.after.stored());
    let number = |number: u32| value(small(number));
    steps.add(
        KEEP,
        vec![
            value(who(*game.players.get(color))),
            value(i16::from(game.category.code())),
            value(at(game.at)),
            value(table(game.table)),
            value(who(step.opponent)),
            value(color_name(color)),
            value(i16::from(half_points(step.score, color))),
            number(before.points_milli),
            number(before.deviation_milli),
            number(before.volatility_nano),
            number(after.points_milli),
            number(after.deviation_milli),
            number(after.volatility_nano),
            value(at(game.known_at)),
        ],
    );
}

/// The ratings of these players, in the order of their numbers and categories.
pub(crate) async fn of(db: &Db, accounts: &[PlayerId]) -> Result<Vec<PlayerRating>, Fault> {
    let numbers: Vec<i64> = accounts.iter().copied().map(who).collect();
    let select = db
        .prepare_cached(&format!(
            "SELECT {RATING} FROM ratings r WHERE r.account = ANY($1) AND r.games > 0
              ORDER BY r.account, r.category"
        ))
        .await?;
    let found = db.query(&select, &[&numbers]).await?;
    found.iter().map(rating).collect()
}

/// Somebody's ratings, with where they were a few games ago.
pub(crate) async fn profile(db: &Db, account: PlayerId) -> Result<Vec<RatingProfile>, Fault> {
    let select = db
        .prepare_cached(&format!(
            "SELECT {RATING}, (
               SELECT early.points FROM (
                 SELECT h.before_points_milli AS points, h.at, h.table_id FROM rating_history h
                  WHERE h.account = r.account AND h.category = r.category
                  ORDER BY h.at DESC, h.table_id DESC LIMIT {PROGRESS_GAMES}
               ) early ORDER BY early.at, early.table_id LIMIT 1)
               FROM ratings r WHERE r.account = $1 AND r.games > 0 ORDER BY r.category"
        ))
        .await?;
    let found = db.query(&select, &[&who(account)]).await?;
    let one = |row: &SqlRow| {
        let rating = rating(row)?;
        let now = rating.standing.rating;
        let early = row.small_or(11)?;
        Ok(RatingProfile {
            rating,
            progress: early.map_or(0, |early| progress(now, early)),
        })
    };
    found.iter().map(one).collect()
}

/// What these games did to ratings; those that were not rated are left out.
pub(crate) async fn games(db: &Db, tables: &[TableId]) -> Result<Vec<RatedGame>, Fault> {
    let numbers: Vec<i64> = tables.iter().copied().map(table).collect();
    let select = db.prepare_cached(GAMES).await?;
    let mut games = games_of(&db.query(&select, &[&numbers]).await?)?;
    let place = |game: &RatedGame| tables.iter().position(|table| *table == game.table);
    games.sort_by_key(place);
    Ok(games)
}

fn games_of(rows: &[SqlRow]) -> Result<Vec<RatedGame>, Fault> {
    let steps: Vec<_> = rows.iter().map(step).collect::<Result<_, Fault>>()?;
    let side = |wanted: TableId, color| {
        let mut all = steps.iter().map(|(_, step)| *step);
        all.find(|step| step.table == wanted && step.color == color)
    };
    let whites = steps.iter().filter(|(_, step)| step.color == Color::White);
    let game = |(category, white): &(Category, RatingStep)| {
        RatedGame::of(*category, Some(*white), side(white.table, Color::Black))
    };
    Ok(whites.filter_map(game).collect())
}

/// The rated games of a player since then, the newest first.
pub(crate) async fn history(
    db: &Db,
    account: PlayerId,
    category: Category,
    since: Timestamp,
    limit: u32,
) -> Result<Vec<RatingStep>, Fault> {
    let select = db
        .prepare_cached(
            "SELECT h.category, h.at, h.table_id, h.opponent, h.color, h.score,
                    h.before_points_milli, h.before_deviation_milli, h.before_volatility_nano,
                    h.after_points_milli, h.after_deviation_milli, h.after_volatility_nano,
                    h.known_at
               FROM rating_history h WHERE h.account = $1 AND h.category = $2 AND h.at >= $3
              ORDER BY h.at DESC, h.table_id DESC LIMIT $4",
        )
        .await?;
    let category = i16::from(category.code());
    let found = db
        .query(
            &select,
            &[&who(account), &category, &at(since), &i64::from(limit)],
        )
        .await?;
    found.iter().map(|row| Ok(step(row)?.1)).collect()
}

/// A page of a leaderboard.
pub(crate) async fn leaderboard(
    db: &Db,
    query: &LeaderboardQuery,
) -> Result<Vec<PlayerRating>, Fault> {
    let title = if query.bots { "=" } else { "IS DISTINCT FROM" };
    let select = db
        .prepare_cached(&format!(
            "SELECT {RATING} FROM ratings r JOIN accounts a ON a.number = r.account
              WHERE r.category = $1 AND r.unsure_from > 0 AND r.unsure_from > $2
                AND a.title {title} '{BOT}' AND a.deleted_at IS NULL AND a.barred_at IS NULL
                AND r.points_milli <= $3 AND (r.points_milli < $3 OR r.account > $4)
              ORDER BY r.points_milli DESC, r.account LIMIT $5"
        ))
        .await?;
    let (points, account) = query
        .after
        .map_or((i32::MAX, 0), |p| (small(p.points_milli), who(p.account)));
    let category = i16::from(query.category.code());
    let found = db
        .query(
            &select,
            &[
                &category,
                &at(query.now),
                &points,
                &account,
                &i64::from(query.limit),
            ],
        )
        .await?;
    found.iter().map(rating).collect()
}

/// How many established players have how many whole points, the fewest points first.
pub(crate) async fn spread(
    db: &Db,
    category: Category,
    now: Timestamp,
) -> Result<Vec<(u32, u32)>, Fault> {
    let select = db
        .prepare_cached(
            "SELECT (points_milli + 500) / 1000 AS points, count(*)::integer FROM ratings
              WHERE category = $1 AND unsure_from > 0 AND unsure_from > $2
              GROUP BY points ORDER BY points",
        )
        .await?;
    let category = i16::from(category.code());
    let found = db.query(&select, &[&category, &at(now)]).await?;
    let one = |row: &SqlRow| Ok((row.small(0)?, row.small(1)?));
    found.iter().map(one).collect()
}

fn rating(row: &SqlRow) -> Result<PlayerRating, Fault> {
    let games = row.small(5)?;
    Ok(PlayerRating {
        account: row.who(0)?,
        category: category(row, 1)?,
        standing: Standing {
            rating: value_of(row, 2)?,
            games,
            rated_at: (games > 0).then_some(row.at(9)?),
        },
        wins: row.small(6)?,
        draws: row.small(7)?,
        losses: row.small(8)?,
        known_at: row.at(10)?,
    })
}

fn step(row: &SqlRow) -> Result<(Category, RatingStep), Fault> {
    let color = row.named(4, color_named)?;
    let half_points: i16 = row.col(5)?;
    let score = u8::try_from(half_points)
        .ok()
        .and_then(|half_points| score_of(half_points, color));
    let step = RatingStep {
        at: row.at(1)?,
        table: row.table(2)?,
        opponent: row.who(3)?,
        color,
        score: score.ok_or_else(|| corrupt("score", half_points.into()))?,
        change: Moved {
            before: value_of(row, 6)?,
            after: value_of(row, 9)?,
        },
        known_at: row.at(12)?,
    };
    Ok((category(row, 0)?, step))
}

fn category(row: &SqlRow, column: usize) -> Result<Category, Fault> {
    let code: i16 = row.col(column)?;
    let category = u8::try_from(code).ok().and_then(Category::from_code);
    category.ok_or_else(|| corrupt("category", code.into()))
}

/// A rating, in three columns from this one on.
fn value_of(row: &SqlRow, column: usize) -> Result<Rating, Fault> {
    let stored = Stored {
        points_milli: row.small(column)?,
        deviation_milli: row.small(column + 1)?,
        volatility_nano: row.small(column + 2)?,
    };
    Rating::from_stored(stored).ok_or_else(|| corrupt("rating", stored.points_milli.into()))
}

fn corrupt(what: &str, found: i64) -> Fault {
    Fault::Refused(Error::Corrupt(format!("there is no {what} {found}")))
}
