//! Games that are gone through after their end.

use chess::Timestamp;
use tokio_postgres::Row as SqlRow;

use super::Db;
use super::fault::Fault;
use super::values::{Columns, at, small, table as table_column, who};
use crate::analyses::ANALYSIS_ATTEMPTS_MAX;
use crate::{Analysis, AnalysisAsked, NewAnalysis, TableId};

const COLUMNS: &str = "table_id, asked_at, leased_until, attempt, done, total, result";

/// Whoever adds one holds this: so many are open and no more.
const KEY: i64 = 0x61_7262_6974_6502;

pub(crate) async fn ask(db: &mut Db, new: &NewAnalysis) -> Result<AnalysisAsked, Fault> {
    if let Some(there) = of(db, new.table).await? {
        return Ok(AnalysisAsked::There(there));
    }
    let transaction = db.transaction().await?;
    transaction
        .execute("SELECT pg_advisory_xact_lock($1)", &[&KEY])
        .await?;
    let count = "SELECT count(*), count(*) FILTER (WHERE asked_by = $1)
                   FROM analyses WHERE result IS NULL";
    let counted = transaction.query_one(count, &[&who(new.by)]).await?;
    if counted.number(0)? >= u64::from(new.all_max) {
        return Ok(AnalysisAsked::Full);
    }
    if counted.number(1)? >= u64::from(new.own_max) {
        return Ok(AnalysisAsked::TooManyOwn);
    }
    let insert = format!(
        "INSERT INTO analyses (table_id, asked_by, asked_at, attempt, done, total)
         VALUES ($1, $2, $3, 0, 0, $4) ON CONFLICT (table_id) DO NOTHING RETURNING {COLUMNS}"
    );
    let made = transaction
        .query_opt(
            &insert,
            &[
                &table_column(new.table),
                &who(new.by),
                &at(new.at),
                &small(new.total),
            ],
        )
        .await?;
    if let Some(row) = made {
        let made = analysis(&row)?;
        transaction.commit().await?;
        return Ok(AnalysisAsked::Queued(made));
    }
    // Somebody else was faster, unless it has just been given up: then there is room again.
    let select = format!("SELECT {COLUMNS} FROM analyses WHERE table_id = $1");
    let there = transaction
        .query_opt(&select, &[&table_column(new.table)])
        .await?;
    there.map_or(Ok(AnalysisAsked::Full), |there| {
        Ok(AnalysisAsked::There(analysis(&there)?))
    })
}

pub(crate) async fn of(db: &Db, table: TableId) -> Result<Option<Analysis>, Fault> {
    let select = db
        .prepare_cached(&format!(
            "SELECT {COLUMNS} FROM analyses WHERE table_id = $1"
        ))
        .await?;
    let found = db.query_opt(&select, &[&table_column(table)]).await?;
    found.as_ref().map(analysis).transpose()
}

/// Those of these whose analysis is done.
pub(crate) async fn done_among(db: &Db, tables: &[TableId]) -> Result<Vec<TableId>, Fault> {
    let select = "SELECT table_id FROM analyses WHERE table_id = ANY($1) AND result IS NOT NULL";
    let select = db.prepare_cached(select).await?;
    let tables: Vec<i64> = tables.iter().copied().map(table_column).collect();
    let found = db.query(&select, &[&tables]).await?;
    found.iter().map(|row| row.table(0)).collect()
}

pub(crate) async fn take(
    db: &mut Db,
    now: Timestamp,
    until: Timestamp,
) -> Result<Option<Analysis>, Fault> {
    let transaction = db.transaction().await?;
    let forget = "DELETE FROM analyses
        WHERE result IS NULL AND attempt >= $2 AND (leased_until IS NULL OR leased_until <= $1)";
    transaction
        .execute(forget, &[&at(now), &small(ANALYSIS_ATTEMPTS_MAX)])
        .await?;
    let update = format!(
        "UPDATE analyses SET leased_until = $2, attempt = attempt + 1, done = 0
          WHERE table_id = (SELECT table_id FROM analyses
                             WHERE result IS NULL AND (leased_until IS NULL OR leased_until <= $1)
                             ORDER BY asked_at, table_id LIMIT 1 FOR UPDATE SKIP LOCKED)
          RETURNING {COLUMNS}"
    );
    let taken = transaction
        .query_opt(&update, &[&at(now), &at(until)])
        .await?;
    let taken = taken.as_ref().map(analysis).transpose()?;
    transaction.commit().await?;
    Ok(taken)
}

pub(crate) async fn keep(
    db: &Db,
    table: TableId,
    attempt: u32,
    until: Option<Timestamp>,
    done: u32,
) -> Result<bool, Fault> {
    let update = "UPDATE analyses SET leased_until = $3, done = $4
                   WHERE table_id = $1 AND attempt = $2 AND result IS NULL";
    let update = db.prepare_cached(update).await?;
    let kept = db
        .execute(
            &update,
            &[
                &table_column(table),
                &small(attempt),
                &until.map(at),
                &small(done),
            ],
        )
        .await?;
    Ok(kept > 0)
}

pub(crate) async fn finish(
    db: &Db,
    table: TableId,
    attempt: u32,
    result: &str,
) -> Result<bool, Fault> {
    let update = "UPDATE analyses
                     SET result = $3, done = total, leased_until = NULL, asked_by = NULL
                   WHERE table_id = $1 AND attempt = $2 AND result IS NULL";
    let update = db.prepare_cached(update).await?;
    let done = db
        .execute(&update, &[&table_column(table), &small(attempt), &result])
        .await?;
    Ok(done > 0)
}

pub(crate) async fn free(db: &Db) -> Result<(), Fault> {
    let update = "UPDATE analyses SET leased_until = NULL WHERE result IS NULL";
    db.execute(update, &[]).await?;
    Ok(())
}

pub(crate) async fn open(db: &Db) -> Result<u64, Fault> {
    let count = "SELECT count(*) FROM analyses WHERE result IS NULL";
    let count = db.prepare_cached(count).await?;
    db.query_one(&count, &[]).await?.number(0)
}

fn analysis(row: &SqlRow) -> Result<Analysis, Fault> {
    Ok(Analysis {
        table: row.table(0)?,
        asked_at: row.at(1)?,
        leased_until: row.at_or(2)?,
        attempt: row.small(3)?,
        done: row.small(4)?,
        total: row.small(5)?,
        result: row.col(6)?,
    })
}
