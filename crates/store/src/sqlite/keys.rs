//! Idempotency keys: answers that a repeated request must get again.

use chess::Timestamp;
use chess::table::PlayerId;
use rusqlite::{Connection, OptionalExtension};

use super::fault::Fault;
use super::values::{At, Who};
use crate::Remembered;

/// Whether another request took the key meanwhile.
pub(super) fn is_used(db: &Connection, new: &Remembered) -> Result<bool, rusqlite::Error> {
    Ok(find(db, new.account, &new.key)?.is_some_and(|old| old.is_alive(new.at)))
}

/// The answer kept under that key, if it is not too old.
pub(crate) fn remembered(
    db: &Connection,
    account: PlayerId,
    key: &str,
    now: Timestamp,
) -> Result<Option<Remembered>, Fault> {
    Ok(find(db, account, key)?.filter(|old| old.is_alive(now)))
}

fn find(
    db: &Connection,
    account: PlayerId,
    key: &str,
) -> Result<Option<Remembered>, rusqlite::Error> {
    db.prepare_cached(
        "SELECT request, table_id, version, at FROM idempotency_keys WHERE account = ?1 AND key = ?2",
    )?
    .query_row((Who(account), key), |r| {
        Ok(Remembered {
            account,
            key: key.to_owned(),
            request: r.get(0)?,
            table: r.get(1)?,
            version: r.get(2)?,
            at: r.get::<_, At>(3)?.0,
        })
    })
    .optional()
}

/// Keeps an answer, in place of one that is too old to count.
pub(super) fn remember(db: &Connection, new: &Remembered) -> Result<(), rusqlite::Error> {
    db.prepare_cached(
        "INSERT OR REPLACE INTO idempotency_keys (account, key, request, table_id, version, at)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
    )?
    .execute((
        Who(new.account),
        &new.key,
        new.request,
        new.table,
        new.version,
        At(new.at),
    ))?;
    Ok(())
}

/// Deletes some of the keys that were used before that moment. How many.
pub(crate) fn purge(db: &Connection, used_before: Timestamp, limit: u32) -> Result<u64, Fault> {
    let purged = db
        .prepare_cached(
            "DELETE FROM idempotency_keys WHERE (account, key) IN
               (SELECT account, key FROM idempotency_keys WHERE at <= ?1 LIMIT ?2)",
        )?
        .execute((At(used_before), limit))?;
    Ok(purged as u64)
}
