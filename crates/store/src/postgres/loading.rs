//! Reading tables.

use chess::Timestamp;
use chess::table::Outage;
use tokio_postgres::Row as SqlRow;

use super::Db;
use super::fault::Fault;
use super::time;
use super::values::{Columns, at, table};
use crate::{Due, Error, Past, Stored, TableId};

/// A table as the last durable change left it.
pub(crate) async fn load(db: &Db, id: TableId) -> Result<Option<Stored>, Fault> {
    // Few want one that is archived, or that is not there at all.
    for select in [LOAD_LIVE, LOAD_ANY] {
        let select = db.prepare_cached(select).await?;
        if let Some(row) = db.query_opt(&select, &[&table(id)]).await? {
            return stored(&row, 0).map(Some);
        }
    }
    Ok(None)
}

pub(super) const LOAD_LIVE: &str =
    "SELECT kind, version, history, join_code FROM tables WHERE id = $1 AND archive = 0";
const LOAD_ANY: &str = "SELECT kind, version, history, join_code FROM tables WHERE id = $1";

/// A table, from that column on.
pub(super) fn stored(row: &SqlRow, from: usize) -> Result<Stored, Fault> {
    Ok(Stored {
        kind: kind(row, from)?,
        version: row.small(from + 1)?,
        history: row.col(from + 2)?,
        join_code: row.col(from + 3)?,
    })
}

/// Which rules a table follows.
pub(super) fn kind(row: &SqlRow, index: usize) -> Result<u8, Fault> {
    let kind: i16 = row.col(index)?;
    u8::try_from(kind).map_err(|_| Error::Corrupt(format!("there are no rules {kind}")).into())
}

/// Every table that is not over, in the order of their ids.
pub(super) async fn due(db: &mut Db) -> Result<Vec<Due>, Fault> {
    let moment = db.transaction().await?;
    moment
        .batch_execute("SET LOCAL statement_timeout = 0")
        .await?;
    let found = moment
        .query(
            "SELECT id, deadline FROM tables
              WHERE archive = 0 AND state IN ('WAITING', 'ACTIVE', 'PAUSED') ORDER BY id",
            &[],
        )
        .await?;
    let due = |row: &SqlRow| {
        Ok(Due {
            table: row.table(0)?,
            at: row.at_or(1)?,
        })
    };
    found.iter().map(due).collect()
}

/// Tables with a deadline before that moment, after the given one, the earliest first.
/// No index has deadlines, since every move would have to touch it: all that is not over
/// is looked at, once in minutes.
pub(super) async fn due_before(
    db: &mut Db,
    before: Timestamp,
    after: Option<(Timestamp, TableId)>,
    limit: u32,
) -> Result<Vec<(Timestamp, TableId)>, Fault> {
    let moment = db.transaction().await?;
    moment
        .batch_execute("SET LOCAL statement_timeout = 0")
        .await?;
    let (since, id) = match after {
        Some((since, id)) => (at(since), table(id)),
        None => (i64::MIN, i64::MIN),
    };
    let found = moment
        .query(
            "SELECT deadline, id FROM tables
              WHERE archive = 0 AND state IN ('WAITING', 'ACTIVE', 'PAUSED')
                AND deadline < $1 AND (deadline, id) > ($2, $3)
              ORDER BY deadline, id LIMIT $4",
            &[&at(before), &since, &id, &i64::from(limit)],
        )
        .await?;
    let due = |row: &SqlRow| Ok((row.at(0)?, row.table(1)?));
    found.iter().map(due).collect()
}

/// What happened before this start.
pub(crate) async fn past(db: &Db) -> Result<Past, Fault> {
    let found = db
        .query(
            "SELECT down_since, up_at FROM outages ORDER BY down_since",
            &[],
        )
        .await?;
    let outage = |row: &SqlRow| {
        Ok(Outage {
            down_since: row.at(0)?,
            up_at: row.at(1)?,
        })
    };
    Ok(Past {
        alive_at: time::alive_at(db).await?,
        outages: found.iter().map(outage).collect::<Result<_, Fault>>()?,
    })
}
