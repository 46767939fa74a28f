//! Idempotency keys: answers that a repeated request must get again.

use chess::Timestamp;
use chess::table::PlayerId;

use super::Db;
use super::fault::Fault;
use super::steps::{Rows, Steps, value};
use super::values::{Columns, at, small, table, who};
use crate::Remembered;
use crate::tables::KEY_LIFETIME;

/// The answer kept under that key, if it is not too old.
pub(crate) async fn remembered(
    db: &Db,
    account: PlayerId,
    key: &str,
    now: Timestamp,
) -> Result<Option<Remembered>, Fault> {
    let select = db
        .prepare_cached(
            "SELECT request, table_id, version, at FROM idempotency_keys
              WHERE account = $1 AND key = $2",
        )
        .await?;
    let Some(row) = db.query_opt(&select, &[&who(account), &key]).await? else {
        return Ok(None);
    };
    let old = Remembered {
        account,
        key: key.to_owned(),
        request: row.bytes(0)?,
        table: row.table(1)?,
        version: row.small(2)?,
        at: row.at(3)?,
    };
    Ok(Some(old).filter(|old| old.is_alive(now)))
}

/// As `Remembered::is_alive`.
pub(super) const REMEMBER: &str = "INSERT INTO idempotency_keys AS old
  (account, key, request, table_id, version, at) VALUES ($1, $2, $3, $4, $5, $6)
 ON CONFLICT (account, key)
 DO UPDATE SET request = excluded.request, table_id = excluded.table_id,
               version = excluded.version, at = excluded.at
  WHERE old.at <= excluded.at - $7";

/// Keeps an answer, in place of one that is too old to count. If another request has
/// the key all is refused: of two at once, the second waits to see what becomes of
/// the first.
pub(super) fn remember<'a>(steps: &mut Steps<'a>, new: &'a Remembered) {
    let parameters = vec![
        value(who(new.account)),
        value(&new.key),
        value(new.request.as_slice()),
        value(table(new.table)),
        value(small(new.version)),
        value(at(new.at)),
        value(i64::from(KEY_LIFETIME.0)),
    ];
    steps.add_wanting(Rows::Some, REMEMBER, parameters);
}

/// Deletes some of the keys that were used before that moment. How many.
pub(crate) async fn purge(db: &Db, used_before: Timestamp, limit: u32) -> Result<u64, Fault> {
    let delete = db
        .prepare_cached(
            "WITH old AS (
               SELECT account, key FROM idempotency_keys WHERE at <= $1
                ORDER BY at LIMIT $2 FOR UPDATE SKIP LOCKED
             )
             DELETE FROM idempotency_keys WHERE (account, key) IN (SELECT account, key FROM old)",
        )
        .await?;
    let purged = db
        .execute(&delete, &[&at(used_before), &i64::from(limit)])
        .await?;
    Ok(purged)
}
