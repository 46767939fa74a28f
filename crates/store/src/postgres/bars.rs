//! Outside identities that are not let in.

use chess::Timestamp;
use tokio_postgres::Row as SqlRow;

use super::fault::Fault;
use super::values::{Columns, at};
use super::{Db, revocations};
use crate::{OutsideIdentity, Revoked};

/// Blocks one; whether it was not blocked before.
pub(crate) async fn block(
    db: &mut Db,
    who: &OutsideIdentity,
    since: Timestamp,
) -> Result<bool, Fault> {
    let transaction = db.transaction().await?;
    let insert = transaction
        .prepare_cached(
            "INSERT INTO blocked_identities (issuer, subject, at) VALUES ($1, $2, $3)
             ON CONFLICT DO NOTHING",
        )
        .await?;
    let written = transaction
        .execute(&insert, &[&who.issuer, &who.subject, &at(since)])
        .await?;
    // Also if it was blocked: whoever asks again may not know whether it worked.
    revocations::note(&transaction, &[Revoked::from(who)]).await?;
    transaction.commit().await?;
    Ok(written > 0)
}

/// Lets one in again; whether it was blocked.
pub(crate) async fn unblock(db: &mut Db, who: &OutsideIdentity) -> Result<bool, Fault> {
    let transaction = db.transaction().await?;
    let delete = transaction
        .prepare_cached("DELETE FROM blocked_identities WHERE issuer = $1 AND subject = $2")
        .await?;
    let deleted = transaction
        .execute(&delete, &[&who.issuer, &who.subject])
        .await?;
    revocations::note(&transaction, &[Revoked::from(who)]).await?;
    transaction.commit().await?;
    Ok(deleted > 0)
}

pub(crate) async fn is_blocked(db: &Db, who: &OutsideIdentity) -> Result<bool, Fault> {
    let select = db
        .prepare_cached("SELECT 1 FROM blocked_identities WHERE issuer = $1 AND subject = $2")
        .await?;
    let found = db.query_opt(&select, &[&who.issuer, &who.subject]).await?;
    Ok(found.is_some())
}

/// Those that are blocked, with when, in the order of their names: byte by byte,
/// whatever order of words the database was made for.
pub(crate) async fn blocked(
    db: &Db,
    after: &OutsideIdentity,
    limit: u32,
) -> Result<Vec<(OutsideIdentity, Timestamp)>, Fault> {
    let select = db
        .prepare_cached(
            r#"SELECT issuer, subject, at FROM blocked_identities
                WHERE (issuer COLLATE "C", subject COLLATE "C") > ($1, $2)
                ORDER BY issuer COLLATE "C", subject COLLATE "C" LIMIT $3"#,
        )
        .await?;
    let found = db
        .query(&select, &[&after.issuer, &after.subject, &i64::from(limit)])
        .await?;
    let one = |row: &SqlRow| {
        let who = OutsideIdentity {
            issuer: row.col(0)?,
            subject: row.col(1)?,
        };
        Ok((who, row.at(2)?))
    };
    found.iter().map(one).collect()
}
