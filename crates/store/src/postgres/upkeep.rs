//! What the server notes about itself.

use chess::Timestamp;
use chess::table::Outage;
use deadpool_postgres::GenericClient;
use tokio_postgres::Row as SqlRow;

use super::Db;
use super::fault::Fault;
use super::time::ALIVE_AT;
use super::values::{Columns, at, int};
use crate::AuditEntry;
use crate::tables::OUTAGE_LIFETIME_MS;

/// Notes a time in which nobody could play. One after the other: of two at once,
/// neither would see what it takes in.
pub(crate) async fn note_outage(db: &mut Db, outage: Outage) -> Result<(), Fault> {
    let (down_since, up_at) = (at(outage.down_since), at(outage.up_at));
    let oldest = int(outage.up_at.0.saturating_sub(OUTAGE_LIFETIME_MS));
    let transaction = db.transaction().await?;
    transaction
        .batch_execute("LOCK TABLE outages IN SHARE ROW EXCLUSIVE MODE")
        .await?;
    let take_in = transaction
        .prepare_cached("DELETE FROM outages WHERE down_since BETWEEN $1 AND $2")
        .await?;
    transaction
        .execute(&take_in, &[&down_since, &up_at])
        .await?;
    let insert = transaction
        .prepare_cached(
            "INSERT INTO outages (down_since, up_at) VALUES ($1, $2)
             ON CONFLICT (down_since) DO UPDATE SET up_at = excluded.up_at",
        )
        .await?;
    transaction.execute(&insert, &[&down_since, &up_at]).await?;
    let forget = transaction
        .prepare_cached("DELETE FROM outages WHERE up_at < $1")
        .await?;
    transaction.execute(&forget, &[&oldest]).await?;
    transaction.commit().await?;
    Ok(())
}

/// Notes that a server was up at that moment.
pub(crate) async fn heartbeat(db: &Db, up: Timestamp) -> Result<(), Fault> {
    let raise = db
        .prepare_cached(
            "INSERT INTO meta (key, value) VALUES ($1, $2)
             ON CONFLICT (key) DO UPDATE SET value = excluded.value
              WHERE meta.value < excluded.value",
        )
        .await?;
    db.execute(&raise, &[&ALIVE_AT, &at(up)]).await?;
    Ok(())
}

/// Whether reading and writing work: counts one more.
pub(crate) async fn ping(db: &Db) -> Result<(), Fault> {
    let count = db
        .prepare_cached(
            "INSERT INTO meta (key, value) VALUES ('pings', 1)
             ON CONFLICT (key) DO UPDATE SET value = meta.value + 1 RETURNING value",
        )
        .await?;
    db.query_one(&count, &[]).await?.number(0)?;
    Ok(())
}

pub(crate) async fn audit(db: &impl GenericClient, entry: &AuditEntry) -> Result<(), Fault> {
    let insert = db
        .prepare_cached(
            "INSERT INTO audit (at, actor, action, target, detail) VALUES ($1, $2, $3, $4, $5)",
        )
        .await?;
    db.execute(
        &insert,
        &[
            &at(entry.at),
            &entry.actor,
            &entry.action,
            &entry.target,
            &entry.detail,
        ],
    )
    .await?;
    Ok(())
}

/// Entries with their numbers, newest first.
pub(crate) async fn audit_log(
    db: &Db,
    before: Option<u64>,
    limit: u32,
) -> Result<Vec<(u64, AuditEntry)>, Fault> {
    let select = db
        .prepare_cached(
            "SELECT id, at, actor, action, target, detail FROM audit
              WHERE id < $1 ORDER BY id DESC LIMIT $2",
        )
        .await?;
    let before = before.map_or(i64::MAX, int);
    let found = db.query(&select, &[&before, &i64::from(limit)]).await?;
    let entry = |row: &SqlRow| {
        let entry = AuditEntry {
            at: row.at(1)?,
            actor: row.col(2)?,
            action: row.col(3)?,
            target: row.col(4)?,
            detail: row.col(5)?,
        };
        Ok((row.number(0)?, entry))
    };
    found.iter().map(entry).collect()
}
