//! Those who wait for an opponent.

use chess::Timestamp;
use chess::rating::{Rating, Stored};
use chess::table::PlayerId;
use rusqlite::types::Type;
use rusqlite::{Connection, OptionalExtension, Params, Row as SqlRow};

use super::fault::Fault;
use super::values::{At, Number, Who, int};
use crate::tickets::{side, side_text, sides, sides_text};
use crate::{Begins, Queued, TableId, Ticket, TicketFate, Wish};

const COLUMNS: &str = "id, account, pool, is_real_time, points_milli, deviation_milli, volatility_nano, \
                       range_min, range_max, sides, last_opponent, since, seen_at, fate, table_id, ended_at, side";

/// A real-time game that somebody plays, other than that table.
const PLAYS: &str = "SELECT t.id FROM seats s JOIN tables t ON t.id = s.table_id
  WHERE s.player = ?1 AND s.over = 0 AND s.seated = 1 AND t.state = 'ACTIVE'
    AND t.speed <> 'correspondence' AND t.id <> ?2 LIMIT 1";

/// No table has this number.
const NO_TABLE: i64 = 0;

/// Lets somebody wait, unless they do already or play.
pub(crate) fn queue(db: &Connection, wish: Wish) -> Result<Queued, Fault> {
    if let Some(Number(id)) = db
        .prepare_cached("SELECT id FROM tickets WHERE account = ?1 AND fate = 'SEARCHING'")?
        .query_row((Who(wish.account),), |r| r.get(0))
        .optional()?
    {
        return Ok(Queued::AlreadyIn(id));
    }
    if wish.is_real_time
        && let Some(table) = plays(db, wish.account, NO_TABLE)?
    {
        return Ok(Queued::Plays(table));
    }
    let Stored {
        points_milli,
        deviation_milli,
        volatility_nano,
    } = wish.rating.stored();
    db.prepare_cached(
        "INSERT INTO tickets (account, pool, is_real_time, points_milli, deviation_milli, volatility_nano,
                              range_min, range_max, sides, last_opponent, since, seen_at, side, fate)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?11, ?12, 'SEARCHING')",
    )?
    .execute((
        Who(wish.account),
        &wish.pool,
        wish.is_real_time,
        points_milli,
        deviation_milli,
        volatility_nano,
        wish.range.as_ref().map(|range| *range.start()),
        wish.range.as_ref().map(|range| *range.end()),
        sides_text(&wish.sides),
        wish.last_opponent.map(Who),
        At(wish.since),
        side_text(wish.side),
    ))?;
    let id = u64::try_from(db.last_insert_rowid()).unwrap_or(0);
    Ok(Queued::Entered(wish.numbered(id)))
}

fn plays(db: &Connection, player: PlayerId, but: i64) -> Result<Option<TableId>, rusqlite::Error> {
    db.prepare_cached(PLAYS)?
        .query_row((Who(player), but), |r| r.get(0))
        .optional()
}

/// Whether a game may begin as far as those are concerned who waited for it: called
/// before anything of it is written.
pub(super) fn may_begin(db: &Connection, table: TableId, begins: &Begins) -> Result<bool, Fault> {
    for id in &begins.tickets {
        let is_searching = db
            .prepare_cached("SELECT 1 FROM tickets WHERE id = ?1 AND fate = 'SEARCHING'")?
            .exists((int(*id),))?;
        if !is_searching {
            return Ok(false);
        }
    }
    if begins.is_real_time && !begins.tickets.is_empty() {
        for player in begins.players {
            if plays(db, player, int(table.number()))?.is_some() {
                return Ok(false);
            }
        }
    }
    Ok(true)
}

/// The game has begun: nobody waits for it any more, nor for another in real time.
pub(super) fn began(
    db: &Connection,
    table: TableId,
    begins: &Begins,
    at: Timestamp,
) -> Result<(), rusqlite::Error> {
    for id in &begins.tickets {
        db.prepare_cached(
            "UPDATE tickets SET fate = 'MATCHED', table_id = ?2, ended_at = ?3 WHERE id = ?1",
        )?
        .execute((int(*id), table, At(at)))?;
    }
    if begins.is_real_time {
        for player in begins.players {
            db.prepare_cached(
                "UPDATE tickets SET fate = 'CANCELLED', table_id = ?2, ended_at = ?3
                  WHERE account = ?1 AND fate = 'SEARCHING' AND is_real_time = 1",
            )?
            .execute((Who(player), table, At(at)))?;
        }
    }
    Ok(())
}

/// Ends tickets that still search; those that did.
pub(crate) fn end(
    db: &Connection,
    ids: &[u64],
    fate: TicketFate,
    at: Timestamp,
) -> Result<Vec<u64>, Fault> {
    let mut ended = Vec::new();
    for id in ids {
        let changed = db
            .prepare_cached(
                "UPDATE tickets SET fate = ?2, table_id = ?3, ended_at = ?4
                  WHERE id = ?1 AND fate = 'SEARCHING'",
            )?
            .execute((int(*id), fate.name(), fate.table(), At(at)))?;
        if changed > 0 {
            ended.push(*id);
        }
    }
    Ok(ended)
}

/// The owners of these were there.
pub(crate) fn see(db: &Connection, ids: &[u64], at: Timestamp) -> Result<(), Fault> {
    for id in ids {
        db.prepare_cached(
            "UPDATE tickets SET seen_at = max(seen_at, ?2) WHERE id = ?1 AND fate = 'SEARCHING'",
        )?
        .execute((int(*id), At(at)))?;
    }
    Ok(())
}

pub(crate) fn by_id(db: &Connection, id: u64) -> Result<Option<Ticket>, Fault> {
    Ok(find(db, "id = ?1", (int(id),))?.pop())
}

/// The ticket of somebody that a game came of.
pub(crate) fn matched(
    db: &Connection,
    account: PlayerId,
    table: TableId,
) -> Result<Option<Ticket>, Fault> {
    let place = "table_id = ?1 AND account = ?2 AND fate = 'MATCHED'";
    Ok(find(db, place, (table, Who(account)))?.pop())
}

/// All who wait, those first who have waited longest.
pub(crate) fn searching(db: &Connection) -> Result<Vec<Ticket>, Fault> {
    find(db, "fate = 'SEARCHING' ORDER BY since, id", ())
}

/// What was paired since then.
pub(crate) fn paired_since(db: &Connection, since: Timestamp) -> Result<Vec<Ticket>, Fault> {
    let place = "ended_at >= ?1 AND fate = 'MATCHED' ORDER BY ended_at, id";
    find(db, place, (At(since),))
}

/// Forgets some that ended before that moment. How many.
pub(crate) fn purge(db: &Connection, ended_before: Timestamp, limit: u32) -> Result<u64, Fault> {
    let purged = db
        .prepare_cached(
            "DELETE FROM tickets WHERE id IN
               (SELECT id FROM tickets WHERE ended_at < ?1 LIMIT ?2)",
        )?
        .execute((At(ended_before), limit))?;
    Ok(purged as u64)
}

fn find(db: &Connection, place: &str, params: impl Params) -> Result<Vec<Ticket>, Fault> {
    let found = db
        .prepare_cached(&format!("SELECT {COLUMNS} FROM tickets WHERE {place}"))?
        .query_map(params, ticket)?
        .collect::<Result<_, _>>()?;
    Ok(found)
}

fn ticket(r: &SqlRow<'_>) -> Result<Ticket, rusqlite::Error> {
    let wrong = |column| rusqlite::Error::InvalidColumnType(column, "tickets".into(), Type::Text);
    let rating = Rating::from_stored(Stored {
        points_milli: r.get(4)?,
        deviation_milli: r.get(5)?,
        volatility_nano: r.get(6)?,
    });
    let range = r.get::<_, Option<u32>>(7)?.zip(r.get::<_, Option<u32>>(8)?);
    let fate: String = r.get(13)?;
    let wanted: Option<String> = r.get(16)?;
    Ok(Ticket {
        id: r.get::<_, Number>(0)?.0,
        wish: Wish {
            account: r.get::<_, Who>(1)?.0,
            pool: r.get(2)?,
            is_real_time: r.get(3)?,
            rating: rating.ok_or_else(|| wrong(4))?,
            range: range.map(|(least, most)| least..=most),
            side: side(wanted.as_deref()).ok_or_else(|| wrong(16))?,
            sides: sides(&r.get::<_, String>(9)?).ok_or_else(|| wrong(9))?,
            last_opponent: r.get::<_, Option<Who>>(10)?.map(|who| who.0),
            since: r.get::<_, At>(11)?.0,
        },
        seen_at: r.get::<_, At>(12)?.0,
        fate: TicketFate::read(&fate, r.get(14)?).ok_or_else(|| wrong(13))?,
        ended_at: r.get::<_, Option<At>>(15)?.map(|at| at.0),
    })
}
