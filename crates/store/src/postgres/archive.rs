//! Moving tables that are over out of the way of those that are not: to a part
//! of `tables` for the month in which they ended.
//!
//! Nothing that a client sees changes by it. A table that is over never changes
//! again, so whoever plays elsewhere meanwhile has nothing to do with it.

use std::collections::BTreeSet;

use chess::Timestamp;
use deadpool_postgres::Transaction;

use super::Db;
use super::fault::Fault;
use super::values::{Columns, at, int};
use crate::{Archived, TableId};

/// Whoever makes a part meanwhile waits here.
const KEY: i64 = 0x61_7262_6974_6502;

/// Some that ended before a moment, after an id, and the month in which each ended.
/// What somebody is repairing right now is left where it is.
const OVER: &str = "
SELECT id, (extract(year FROM ended) * 100 + extract(month FROM ended))::integer
  FROM (SELECT id, to_timestamp(ended_at / 1000) AT TIME ZONE 'UTC' AS ended FROM tables
         WHERE archive = 0 AND id > $1 AND state = 'COMPLETED' AND ended_at < $2
         ORDER BY id LIMIT $3 FOR UPDATE SKIP LOCKED) AS found";

const MOVE: &str = "
UPDATE tables t SET archive = g.archive
  FROM unnest($1::bigint[], $2::integer[]) AS g (id, archive)
 WHERE t.id = g.id AND t.archive = 0";

/// Moves some tables, in the order of their ids.
pub(crate) async fn some(
    db: &mut Db,
    before: Timestamp,
    after: Option<TableId>,
    limit: u32,
) -> Result<Archived, Fault> {
    let after = after.map_or(-1, |id| int(id.number()));
    let transaction = db.transaction().await?;
    // Finding the next may mean looking at many that go on.
    transaction
        .batch_execute("SET LOCAL statement_timeout = 0")
        .await?;
    let found = transaction
        .query(OVER, &[&after, &at(before), &i64::from(limit)])
        .await?;
    let mut ids: Vec<i64> = Vec::with_capacity(found.len());
    let mut months: Vec<i32> = Vec::with_capacity(found.len());
    for row in &found {
        ids.push(row.col(0)?);
        months.push(row.col(1)?);
    }
    for month in months.iter().copied().collect::<BTreeSet<i32>>() {
        make(&transaction, month).await?;
    }
    let moved = transaction.execute(MOVE, &[&ids, &months]).await?;
    transaction.commit().await?;
    let last = found.last().map(|row| row.table(0)).transpose()?;
    Ok(Archived {
        moved,
        next: last.filter(|_| found.len() >= limit as usize),
    })
}

/// Makes the part for a month, unless it is there. It is made beside `tables` and
/// then attached, for which nobody who reads or writes has to wait.
async fn make(transaction: &Transaction<'_>, month: i32) -> Result<(), Fault> {
    let name = format!("tables_archive_{month}");
    let wait = "SELECT pg_advisory_xact_lock($1)";
    transaction.execute(wait, &[&KEY]).await?;
    let exists = "SELECT to_regclass($1) IS NOT NULL";
    if transaction.query_one(exists, &[&name]).await?.col(0)? {
        return Ok(());
    }
    transaction
        .batch_execute(&format!(
            "CREATE TABLE {name} (LIKE tables INCLUDING ALL);
             ALTER TABLE {name} ALTER COLUMN history SET STORAGE EXTERNAL;
             ALTER TABLE tables ATTACH PARTITION {name} FOR VALUES IN ({month})"
        ))
        .await?;
    Ok(())
}
