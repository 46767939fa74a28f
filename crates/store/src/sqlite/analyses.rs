//! Games that are gone through after their end.

use chess::Timestamp;
use rusqlite::{Connection, OptionalExtension, Row as SqlRow};

use super::fault::Fault;
use super::values::{At, Number, Who};
use crate::analyses::ANALYSIS_ATTEMPTS_MAX;
use crate::{Analysis, AnalysisAsked, NewAnalysis, TableId};

const COLUMNS: &str = "table_id, asked_at, leased_until, attempt, done, total, result";

pub(crate) fn ask(db: &Connection, new: &NewAnalysis) -> Result<AnalysisAsked, Fault> {
    if let Some(there) = of(db, new.table)? {
        return Ok(AnalysisAsked::There(there));
    }
    if open(db)? >= u64::from(new.all_max) {
        return Ok(AnalysisAsked::Full);
    }
    let own = "SELECT count(*) FROM analyses WHERE result IS NULL AND asked_by = ?1";
    let Number(own) = db
        .prepare_cached(own)?
        .query_row((Who(new.by),), |r| r.get(0))?;
    if own >= u64::from(new.own_max) {
        return Ok(AnalysisAsked::TooManyOwn);
    }
    let insert = format!(
        "INSERT INTO analyses (table_id, asked_by, asked_at, attempt, done, total)
         VALUES (?1, ?2, ?3, 0, 0, ?4) RETURNING {COLUMNS}"
    );
    let made = db
        .prepare_cached(&insert)?
        .query_row((new.table, Who(new.by), At(new.at), new.total), analysis)?;
    Ok(AnalysisAsked::Queued(made))
}

pub(crate) fn of(db: &Connection, table: TableId) -> Result<Option<Analysis>, Fault> {
    let select = format!("SELECT {COLUMNS} FROM analyses WHERE table_id = ?1");
    let found = db
        .prepare_cached(&select)?
        .query_row((table,), analysis)
        .optional()?;
    Ok(found)
}

/// Those of these whose analysis is done.
pub(crate) fn done_among(db: &Connection, tables: &[TableId]) -> Result<Vec<TableId>, Fault> {
    let select = "SELECT 1 FROM analyses WHERE table_id = ?1 AND result IS NOT NULL";
    let mut select = db.prepare_cached(select)?;
    let mut done = Vec::new();
    for table in tables {
        if select.exists((*table,))? {
            done.push(*table);
        }
    }
    Ok(done)
}

pub(crate) fn take(
    db: &Connection,
    now: Timestamp,
    until: Timestamp,
) -> Result<Option<Analysis>, Fault> {
    db.prepare_cached(
        "DELETE FROM analyses
          WHERE result IS NULL AND attempt >= ?2 AND (leased_until IS NULL OR leased_until <= ?1)",
    )?
    .execute((At(now), ANALYSIS_ATTEMPTS_MAX))?;
    let update = format!(
        "UPDATE analyses SET leased_until = ?2, attempt = attempt + 1, done = 0
          WHERE table_id = (SELECT table_id FROM analyses
                             WHERE result IS NULL AND (leased_until IS NULL OR leased_until <= ?1)
                             ORDER BY asked_at, table_id LIMIT 1)
          RETURNING {COLUMNS}"
    );
    let taken = db
        .prepare_cached(&update)?
        .query_row((At(now), At(until)), analysis)
        .optional()?;
    Ok(taken)
}

pub(crate) fn keep(
    db: &Connection,
    table: TableId,
    attempt: u32,
    until: Option<Timestamp>,
    done: u32,
) -> Result<bool, Fault> {
    let kept = db
        .prepare_cached(
            "UPDATE analyses SET leased_until = ?3, done = ?4
              WHERE table_id = ?1 AND attempt = ?2 AND result IS NULL",
        )?
        .execute((table, attempt, until.map(At), done))?;
    Ok(kept > 0)
}

pub(crate) fn finish(
    db: &Connection,
    table: TableId,
    attempt: u32,
    result: &str,
) -> Result<bool, Fault> {
    let done = db
        .prepare_cached(
            "UPDATE analyses SET result = ?3, done = total, leased_until = NULL, asked_by = NULL
              WHERE table_id = ?1 AND attempt = ?2 AND result IS NULL",
        )?
        .execute((table, attempt, result))?;
    Ok(done > 0)
}

pub(crate) fn free(db: &Connection) -> Result<(), Fault> {
    db.prepare_cached("UPDATE analyses SET leased_until = NULL WHERE result IS NULL")?
        .execute(())?;
    Ok(())
}

pub(crate) fn open(db: &Connection) -> Result<u64, Fault> {
    let Number(open) = db
        .prepare_cached("SELECT count(*) FROM analyses WHERE result IS NULL")?
        .query_row((), |r| r.get(0))?;
    Ok(open)
}

fn analysis(r: &SqlRow<'_>) -> Result<Analysis, rusqlite::Error> {
    Ok(Analysis {
        table: r.get(0)?,
        asked_at: r.get::<_, At>(1)?.0,
        leased_until: r.get::<_, Option<At>>(2)?.map(|at| at.0),
        attempt: r.get(3)?,
        done: r.get(4)?,
        total: r.get(5)?,
        result: r.get(6)?,
    })
}
