//! Those who wait for an opponent.
//!
//! Whoever lets somebody wait, or begins a game of somebody's, holds their accounts
//! first, in the order of their numbers: so of two that happen at once the second
//! sees what the first did.

use chess::Timestamp;
use chess::rating::{Rating, Stored};
use chess::table::PlayerId;
use tokio_postgres::Row as SqlRow;
use tokio_postgres::types::ToSql;

use super::Db;
use super::fault::Fault;
use super::steps::{Rows, Steps, value};
use super::values::{Columns, at, int, table, who};
use crate::tickets::{side, side_text, sides, sides_text};
use crate::{Begins, Error, Queued, TableId, Ticket, TicketFate, Wish};

const COLUMNS: &str = "id, account, pool, is_real_time, points_milli, deviation_milli, volatility_nano, \
                       range_min, range_max, sides, last_opponent, since, seen_at, fate, table_id, ended_at, side";

const HOLD: &str =
    "SELECT 1 FROM accounts WHERE number = ANY($1) ORDER BY number FOR NO KEY UPDATE";
const HOLD_TICKETS: &str =
    "SELECT 1 FROM tickets WHERE id = ANY($1) AND fate = 'SEARCHING' ORDER BY id FOR UPDATE";
const MATCH: &str = "UPDATE tickets SET fate = 'MATCHED', table_id = $2, ended_at = $3
  WHERE id = ANY($1)";
const CANCEL: &str = "UPDATE tickets SET fate = 'CANCELLED', table_id = $2, ended_at = $3
  WHERE account = ANY($1) AND fate = 'SEARCHING' AND is_real_time";
/// A real-time game that one of them plays, other than that table.
const PLAYS: &str = "SELECT t.id FROM seats s JOIN tables t ON t.id = s.table_id AND t.archive = 0
  WHERE s.player = ANY($1) AND NOT s.over AND s.seated AND t.state = 'ACTIVE'
    AND t.speed <> 'correspondence' AND t.id <> $2 LIMIT 1";

/// What a game that begins may need, to be prepared before anybody waits for it.
pub(super) const STATEMENTS: [&str; 5] = [HOLD, HOLD_TICKETS, MATCH, CANCEL, PLAYS];

/// No table has this number.
const NO_TABLE: i64 = 0;

/// A game begins, if those who waited for it still do and play no other.
pub(super) fn begin(steps: &mut Steps<'_>, id: TableId, begins: &Begins, now: Timestamp) {
    let players: Vec<i64> = begins.players.iter().copied().map(who).collect();
    let tickets: Vec<i64> = begins.tickets.iter().copied().map(int).collect();
    steps.add(HOLD, vec![value(players.clone())]);
    if !tickets.is_empty() {
        let all = Rows::Exactly(tickets.len() as u64);
        steps.add_wanting(all, HOLD_TICKETS, vec![value(tickets.clone())]);
        if begins.is_real_time {
            let parameters = vec![value(players.clone()), value(table(id))];
            steps.add_wanting(Rows::None, PLAYS, parameters);
        }
        steps.add(
            MATCH,
            vec![value(tickets), value(table(id)), value(at(now))],
        );
    }
    if begins.is_real_time {
        steps.add(
            CANCEL,
            vec![value(players), value(table(id)), value(at(now))],
        );
    }
}

/// Lets somebody wait, unless they do already or play.
pub(crate) async fn queue(db: &mut Db, wish: Wish) -> Result<Queued, Fault> {
    let account = who(wish.account);
    let transaction = db.transaction().await?;
    transaction.query(HOLD, &[&vec![account]]).await?;
    let already = "SELECT id FROM tickets WHERE account = $1 AND fate = 'SEARCHING'";
    if let Some(row) = transaction.query_opt(already, &[&account]).await? {
        return Ok(Queued::AlreadyIn(row.number(0)?));
    }
    if wish.is_real_time
        && let Some(row) = transaction
            .query_opt(PLAYS, &[&vec![account], &NO_TABLE])
            .await?
    {
        return Ok(Queued::Plays(row.table(0)?));
    }
    let Stored {
        points_milli,
        deviation_milli,
        volatility_nano,
    } = wish.rating.stored();
    let insert = "INSERT INTO tickets
      (account, pool, is_real_time, points_milli, deviation_milli, volatility_nano, range_min, range_max,
       sides, last_opponent, since, seen_at, side, fate)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $11, $12, 'SEARCHING') RETURNING id";
    let row = transaction
        .query_one(
            insert,
            &[
                &account,
                &wish.pool,
                &wish.is_real_time,
                &i64::from(points_milli),
                &i64::from(deviation_milli),
                &i64::from(volatility_nano),
                &wish.range.as_ref().map(|range| i64::from(*range.start())),
                &wish.range.as_ref().map(|range| i64::from(*range.end())),
                &sides_text(&wish.sides),
                &wish.last_opponent.map(who),
                &at(wish.since),
                &side_text(wish.side),
            ],
        )
        .await?;
    let id = row.number(0)?;
    transaction.commit().await?;
    Ok(Queued::Entered(wish.numbered(id)))
}

/// Ends tickets that still search; those that did.
pub(crate) async fn end(
    db: &Db,
    ids: &[u64],
    fate: TicketFate,
    now: Timestamp,
) -> Result<Vec<u64>, Fault> {
    let update = db
        .prepare_cached(
            "WITH held AS (
               SELECT id FROM tickets WHERE id = ANY($1) AND fate = 'SEARCHING' ORDER BY id FOR UPDATE
             )
             UPDATE tickets t SET fate = $2, table_id = $3, ended_at = $4
               FROM held WHERE t.id = held.id RETURNING t.id",
        )
        .await?;
    let ids: Vec<i64> = ids.iter().copied().map(int).collect();
    let ended = db
        .query(
            &update,
            &[&ids, &fate.name(), &fate.table().map(table), &at(now)],
        )
        .await?;
    ended.iter().map(|row| row.number(0)).collect()
}

/// The owners of these were there. Whom somebody else has in hand is seen next time.
pub(crate) async fn see(db: &Db, ids: &[u64], now: Timestamp) -> Result<(), Fault> {
    let update = db
        .prepare_cached(
            "WITH held AS (
               SELECT id FROM tickets WHERE id = ANY($1) AND fate = 'SEARCHING'
                ORDER BY id FOR UPDATE SKIP LOCKED
             )
             UPDATE tickets t SET seen_at = greatest(t.seen_at, $2) FROM held WHERE t.id = held.id",
        )
        .await?;
    let ids: Vec<i64> = ids.iter().copied().map(int).collect();
    db.execute(&update, &[&ids, &at(now)]).await?;
    Ok(())
}

pub(crate) async fn by_id(db: &Db, id: u64) -> Result<Option<Ticket>, Fault> {
    Ok(find(db, "id = $1", &[&int(id)]).await?.pop())
}

/// The ticket of somebody that a game came of.
pub(crate) async fn matched(
    db: &Db,
    account: PlayerId,
    id: TableId,
) -> Result<Option<Ticket>, Fault> {
    let place = "table_id = $1 AND account = $2 AND fate = 'MATCHED'";
    Ok(find(db, place, &[&table(id), &who(account)]).await?.pop())
}

/// All who wait, those first who have waited longest.
pub(crate) async fn searching(db: &Db) -> Result<Vec<Ticket>, Fault> {
    find(db, "fate = 'SEARCHING' ORDER BY since, id", &[]).await
}

/// What was paired since then.
pub(crate) async fn paired_since(db: &Db, since: Timestamp) -> Result<Vec<Ticket>, Fault> {
    let place = "ended_at >= $1 AND fate = 'MATCHED' ORDER BY ended_at, id";
    find(db, place, &[&at(since)]).await
}

/// Forgets some that ended before that moment. How many.
pub(crate) async fn purge(db: &Db, ended_before: Timestamp, limit: u32) -> Result<u64, Fault> {
    let delete = db
        .prepare_cached(
            "DELETE FROM tickets WHERE id IN
               (SELECT id FROM tickets WHERE ended_at < $1 LIMIT $2 FOR UPDATE SKIP LOCKED)",
        )
        .await?;
    let parameters: [&(dyn ToSql + Sync); 2] = [&at(ended_before), &i64::from(limit)];
    Ok(db.execute(&delete, &parameters).await?)
}

async fn find(
    db: &Db,
    place: &str,
    parameters: &[&(dyn ToSql + Sync)],
) -> Result<Vec<Ticket>, Fault> {
    let select = db
        .prepare_cached(&format!("SELECT {COLUMNS} FROM tickets WHERE {place}"))
        .await?;
    let found = db.query(&select, parameters).await?;
    found.iter().map(ticket).collect()
}

fn ticket(row: &SqlRow) -> Result<Ticket, Fault> {
    let wrong = |column: &str| Fault::Refused(Error::Corrupt(format!("a ticket's {column}")));
    let part = |column| row.ms_or(column).map(Option::unwrap_or_default);
    let rating = Rating::from_stored(Stored {
        points_milli: part(4)?,
        deviation_milli: part(5)?,
        volatility_nano: part(6)?,
    });
    let range = row.ms_or(7)?.zip(row.ms_or(8)?);
    let table_id: Option<i64> = row.col(14)?;
    let table = table_id.map(|_| row.table(14)).transpose()?;
    Ok(Ticket {
        id: row.number(0)?,
        wish: Wish {
            account: row.who(1)?,
            pool: row.col(2)?,
            is_real_time: row.col(3)?,
            rating: rating.ok_or_else(|| wrong("rating"))?,
            range: range.map(|(least, most)| least..=most),
            side: side(row.col(16)?).ok_or_else(|| wrong("side"))?,
            sides: sides(row.col(9)?).ok_or_else(|| wrong("sides"))?,
            last_opponent: row.who_or(10)?,
            since: row.at(11)?,
        },
        seen_at: row.at(12)?,
        fate: row.named(13, |name| TicketFate::read(name, table))?,
        ended_at: row.at_or(15)?,
    })
}
