//! Limits that all servers count together.

use chess::Timestamp;
use tokio_postgres::types::ToSql;

use super::Db;
use super::fault::Fault;
use super::values::{Columns, int};
use crate::attempts::{Counting, Share};

/// For how many microseconds one more is too many; not more than zero if it is not.
pub(crate) async fn attempt(
    db: &Db,
    shares: &[Share],
    counting: Counting,
    now: Timestamp,
) -> Result<i64, Fault> {
    let sql = match counting {
        Counting::Look => {
            "SELECT coalesce(max(greatest(a.until, $4) - asked.slack - $4), 0)
               FROM unnest($1::bytea[], $2::bigint[], $3::bigint[]) AS asked (key, one, slack)
               JOIN attempts a ON a.key = asked.key"
        }
        Counting::IfAllowed => "SELECT attempt($1, $2, $3, $4)",
        Counting::Always => {
            "WITH counted AS (
               INSERT INTO attempts (key, until)
               SELECT key, $4 + one
                 FROM unnest($1::bytea[], $2::bigint[], $3::bigint[]) AS asked (key, one, slack)
                ORDER BY key
               ON CONFLICT (key) DO UPDATE
                  SET until = greatest(attempts.until, $4) + (excluded.until - $4)
             )
             SELECT 0::bigint"
        }
    };
    let ask = db.prepare_cached(sql).await?;
    let keys: Vec<&[u8]> = shares.iter().map(|share| share.key.as_slice()).collect();
    let ones: Vec<i64> = shares.iter().map(|share| int(share.one_us)).collect();
    let slacks: Vec<i64> = shares.iter().map(|share| int(share.slack_us())).collect();
    let now_us = int(now.0.saturating_mul(1_000));
    let params: [&(dyn ToSql + Sync); 4] = [&keys, &ones, &slacks, &now_us];
    db.query_one(&ask, &params).await?.col(0)
}
