//! Setting the store's time back, after the machine's clock was ahead.

use chess::Timestamp;
use deadpool_postgres::{GenericClient, Transaction};

use super::Db;
use super::fault::Fault;
use super::values::{Columns, at};
use crate::{TableId, TimeReset};

/// The number by which `meta` knows the last heartbeat.
pub(super) const ALIVE_AT: &str = "alive_at";

/// The last moment a server is known to have been up: by its heartbeats, or by
/// what it wrote. A writer that never wrote has its sign of life at zero.
pub(super) async fn alive_at(db: &impl GenericClient) -> Result<Option<Timestamp>, Fault> {
    let select = db
        .prepare_cached(
            "SELECT greatest((SELECT value FROM meta WHERE key = $1),
                             (SELECT max(at) FROM signs_of_life WHERE at > 0),
                             (SELECT max(coalesce(left_at, seen_at)) FROM nodes))",
        )
        .await?;
    db.query_one(&select, &[&ALIVE_AT]).await?.at_or(0)
}

/// Sets the time back to `now`, and whatever is dated later. What the rules
/// recorded stays as it is: a game's own events only ever follow each other.
pub(crate) async fn reset(db: &mut Db, now: Timestamp) -> Result<TimeReset, Fault> {
    let transaction = db.transaction().await?;
    let before = alive_at(&transaction).await?;
    let reset = TimeReset {
        before: before.filter(|before| *before > now),
        tables: later_tables(&transaction, now).await?,
        ..set_back(&transaction, now).await?
    };
    transaction.commit().await?;
    Ok(reset)
}

/// Counts the accounts and tokens that were dated later.
async fn set_back(transaction: &Transaction<'_>, now: Timestamp) -> Result<TimeReset, Fault> {
    for sql in [
        "UPDATE meta SET value = $1 WHERE key = 'alive_at' AND value > $1",
        "UPDATE signs_of_life SET at = $1 WHERE at > $1",
        "DELETE FROM outages WHERE down_since >= $1",
        "UPDATE outages SET up_at = $1 WHERE up_at > $1",
        "UPDATE idempotency_keys SET at = $1 WHERE at > $1",
        "UPDATE accounts SET deleted_at = $1 WHERE deleted_at > $1",
    ] {
        date(transaction, sql, now).await?;
    }
    let accounts = "UPDATE accounts SET created_at = $1 WHERE created_at > $1";
    // They last as long as they were meant to.
    let tokens = "UPDATE tokens SET expires_at = expires_at - (created_at - $1), created_at = $1
                   WHERE created_at > $1";
    Ok(TimeReset {
        accounts: date(transaction, accounts, now).await?,
        tokens: date(transaction, tokens, now).await?,
        ..TimeReset::default()
    })
}

/// Changes what is dated later; how much that was.
async fn date(transaction: &Transaction<'_>, sql: &str, now: Timestamp) -> Result<usize, Fault> {
    let update = transaction.prepare_cached(sql).await?;
    let changed = transaction.execute(&update, &[&at(now)]).await?;
    Ok(usize::try_from(changed).unwrap_or(usize::MAX))
}

/// Tables that are not over and whose last event comes after that moment.
async fn later_tables(
    transaction: &Transaction<'_>,
    now: Timestamp,
) -> Result<Vec<TableId>, Fault> {
    let select = transaction
        .prepare_cached(
            "SELECT id FROM tables
              WHERE state IN ('WAITING', 'ACTIVE', 'PAUSED') AND updated_at > $1 ORDER BY id",
        )
        .await?;
    let found = transaction.query(&select, &[&at(now)]).await?;
    found.iter().map(|row| row.table(0)).collect()
}
