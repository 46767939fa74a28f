//! What the players of slow games decide for days ahead.

use chess::Timestamp;
use chess::table::PlayerId;
use rusqlite::{Connection, Row};

use super::fault::Fault;
use super::values::{At, Who};
use crate::{Plan, TableId, Vacation};

const PLAN: &str = "p.table_id, p.account, p.version, p.ply, p.lines FROM conditional_moves p";

pub(crate) fn plans_of(db: &Connection, table: TableId) -> Result<Vec<Plan>, Fault> {
    let plans = db
        .prepare_cached(&format!(
            "SELECT {PLAN} WHERE p.table_id = ?1 ORDER BY p.account"
        ))?
        .query_map((table,), plan)?
        .collect::<Result<_, _>>()?;
    Ok(plans)
}

pub(crate) fn plans_by(db: &Connection, account: PlayerId) -> Result<Vec<Plan>, Fault> {
    let plans = db
        .prepare_cached(&format!(
            "SELECT {PLAN} WHERE p.account = ?1 ORDER BY p.table_id"
        ))?
        .query_map((Who(account),), plan)?
        .collect::<Result<_, _>>()?;
    Ok(plans)
}

/// Plans whose games have gone on or are over, as far as their rows say.
pub(crate) fn stale_plans(
    db: &Connection,
    after: Option<(TableId, PlayerId)>,
    limit: u32,
) -> Result<Vec<Plan>, Fault> {
    let (table, account) = match after {
        Some((table, account)) => (Some(table), i64::from(account.number())),
        None => (None, 0),
    };
    let plans = db
        .prepare_cached(&format!(
            "SELECT {PLAN} LEFT JOIN tables t ON t.id = p.table_id
              WHERE (?1 IS NULL OR (p.table_id, p.account) > (?1, ?2))
                AND (t.id IS NULL OR t.ply <> p.ply OR t.state = 'COMPLETED')
              ORDER BY p.table_id, p.account LIMIT ?3"
        ))?
        .query_map((table, account, limit), plan)?
        .collect::<Result<_, _>>()?;
    Ok(plans)
}

pub(crate) fn set_plan(db: &Connection, plan: &Plan) -> Result<(), Fault> {
    db.prepare_cached(
        "INSERT INTO conditional_moves (table_id, account, version, ply, lines)
         VALUES (?1, ?2, ?3, ?4, ?5)
         ON CONFLICT DO UPDATE SET version = excluded.version, ply = excluded.ply,
                                   lines = excluded.lines",
    )?
    .execute((
        plan.table,
        Who(plan.account),
        plan.version,
        plan.ply,
        &plan.lines,
    ))?;
    Ok(())
}

/// Replaces a plan or takes it away, unless it is another by now. Whether it was that.
pub(crate) fn change_plan(
    db: &Connection,
    before: &Plan,
    after: Option<&Plan>,
) -> Result<bool, Fault> {
    let deleted = db
        .prepare_cached(
            "DELETE FROM conditional_moves
              WHERE table_id = ?1 AND account = ?2 AND version = ?3 AND ply = ?4 AND lines = ?5",
        )?
        .execute((
            before.table,
            Who(before.account),
            before.version,
            before.ply,
            &before.lines,
        ))?;
    if let Some(after) = after.filter(|_| deleted > 0) {
        set_plan(db, after)?;
    }
    Ok(deleted > 0)
}

fn plan(row: &Row<'_>) -> Result<Plan, rusqlite::Error> {
    Ok(Plan {
        table: row.get(0)?,
        account: row.get::<_, Who>(1)?.0,
        version: row.get(2)?,
        ply: row.get(3)?,
        lines: row.get(4)?,
    })
}

const VACATION: &str = "SELECT account, began_at, ends_at, recorded FROM vacations";

/// Those of an account that end after that moment, the earliest first.
pub(crate) fn vacations_of(
    db: &Connection,
    account: PlayerId,
    after: Timestamp,
) -> Result<Vec<Vacation>, Fault> {
    let found = db
        .prepare_cached(&format!(
            "{VACATION} WHERE account = ?1 AND ends_at > ?2 ORDER BY began_at"
        ))?
        .query_map((Who(account), At(after)), vacation)?
        .collect::<Result<_, _>>()?;
    Ok(found)
}

/// Begins one, unless one is running. Whether it began.
pub(crate) fn begin_vacation(
    db: &Connection,
    account: PlayerId,
    began_at: Timestamp,
    ends_at: Timestamp,
) -> Result<bool, Fault> {
    let written = db
        .prepare_cached(
            "INSERT INTO vacations (account, began_at, ends_at, recorded)
             SELECT ?1, ?2, ?3, 0
              WHERE NOT EXISTS (SELECT 1 FROM vacations WHERE account = ?1 AND ends_at > ?2)
             ON CONFLICT DO NOTHING",
        )?
        .execute((Who(account), At(began_at), At(ends_at)))?;
    Ok(written > 0)
}

/// Gives one another end, unless it has another by now. Whether it was so.
pub(crate) fn change_vacation(
    db: &Connection,
    before: &Vacation,
    ends_at: Timestamp,
) -> Result<bool, Fault> {
    let written = db
        .prepare_cached(
            "UPDATE vacations SET ends_at = ?4, recorded = 0
              WHERE account = ?1 AND began_at = ?2 AND ends_at = ?3",
        )?
        .execute((
            Who(before.account),
            At(before.began_at),
            At(before.ends_at),
            At(ends_at),
        ))?;
    Ok(written > 0)
}

/// The games were told of one as it is here: what is older counts no more, and what is newer
/// or has another end by now is to be told again.
pub(crate) fn vacation_told(db: &Connection, told: &Vacation, all_know: bool) -> Result<(), Fault> {
    db.prepare_cached(
        "UPDATE vacations
            SET recorded = began_at < ?2 OR (began_at = ?2 AND ends_at = ?3 AND ?4)
          WHERE account = ?1
            AND recorded <> (began_at < ?2 OR (began_at = ?2 AND ends_at = ?3 AND ?4))",
    )?
    .execute((
        Who(told.account),
        At(told.began_at),
        At(told.ends_at),
        all_know,
    ))?;
    Ok(())
}

/// Those that not all games may know of, unless there is a newer one of the same account.
pub(crate) fn vacations_to_record(db: &Connection, limit: u32) -> Result<Vec<Vacation>, Fault> {
    let found = db
        .prepare_cached(&format!(
            "{VACATION} v WHERE recorded = 0
                AND NOT EXISTS (SELECT 1 FROM vacations newer
                                 WHERE newer.account = v.account AND newer.began_at > v.began_at)
              ORDER BY account, began_at LIMIT ?1"
        ))?
        .query_map((limit,), vacation)?
        .collect::<Result<_, _>>()?;
    Ok(found)
}

/// Those that are running are recorded once more; those from long ago are forgotten.
pub(crate) fn recheck_vacations(
    db: &Connection,
    now: Timestamp,
    before: Timestamp,
) -> Result<(), Fault> {
    db.prepare_cached("UPDATE vacations SET recorded = 0 WHERE ends_at > ?1")?
        .execute((At(now),))?;
    db.prepare_cached("DELETE FROM vacations WHERE ends_at < ?1")?
        .execute((At(before),))?;
    Ok(())
}

/// Forgets what an account decided.
pub(super) fn forget(db: &Connection, account: PlayerId) -> Result<(), Fault> {
    for sql in [
        "DELETE FROM conditional_moves WHERE account = ?1",
        "DELETE FROM vacations WHERE account = ?1",
    ] {
        db.prepare_cached(sql)?.execute((Who(account),))?;
    }
    Ok(())
}

fn vacation(row: &Row<'_>) -> Result<Vacation, rusqlite::Error> {
    Ok(Vacation {
        account: row.get::<_, Who>(0)?.0,
        began_at: row.get::<_, At>(1)?.0,
        ends_at: row.get::<_, At>(2)?.0,
        is_recorded: row.get(3)?,
    })
}
