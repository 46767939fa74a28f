//! Who an account is at an outside service, if its owner has linked the two.

use chess::table::PlayerId;

use super::Db;
use super::accounts::{by_outside, held};
use super::fault::Fault;
use super::revocations;
use super::values::who;
use crate::{AccountKind, OutsideIdentity, Revoked};

pub(crate) async fn of(db: &Db, number: PlayerId) -> Result<Option<OutsideIdentity>, Fault> {
    let select = db
        .prepare_cached("SELECT issuer, subject FROM outside_identities WHERE account = $1")
        .await?;
    let found = db.query_opt(&select, &[&who(number)]).await?;
    let identity = found.map(|row| {
        Ok(OutsideIdentity {
            issuer: row.try_get(0)?,
            subject: row.try_get(1)?,
        })
    });
    identity.transpose()
}

/// How often its links were changed; never, of an account that there is not.
pub(crate) async fn count(db: &Db, number: PlayerId) -> Result<u64, Fault> {
    let select = db
        .prepare_cached("SELECT links FROM accounts WHERE number = $1")
        .await?;
    let found = db.query_opt(&select, &[&who(number)]).await?;
    let count = found.map(|row| row.try_get::<_, i64>(0)).transpose()?;
    Ok(count.map_or(0, i64::cast_unsigned))
}

/// Whether it was done.
pub(crate) async fn link(
    db: &mut Db,
    number: PlayerId,
    outside: Option<OutsideIdentity>,
    count: u64,
) -> Result<bool, Fault> {
    let transaction = db.transaction().await?;
    let account = held(&transaction, number).await?;
    if account.is_none_or(|account| account.kind != AccountKind::Registered) {
        return Ok(false);
    }
    if let Some(outside) = &outside {
        let owner = by_outside(&transaction, outside).await?;
        if owner.is_some_and(|owner| owner.kind == AccountKind::Outside) {
            return Ok(false);
        }
    }
    let count_one = transaction
        .prepare_cached("UPDATE accounts SET links = links + 1 WHERE number = $1 AND links = $2")
        .await?;
    let counted = transaction
        .execute(&count_one, &[&who(number), &count.cast_signed()])
        .await?;
    if counted == 0 {
        return Ok(false);
    }
    let forget = transaction
        .prepare_cached("DELETE FROM outside_identities WHERE account = $1")
        .await?;
    transaction.execute(&forget, &[&who(number)]).await?;
    if let Some(OutsideIdentity { issuer, subject }) = &outside {
        let insert = transaction
            .prepare_cached(
                "INSERT INTO outside_identities (issuer, subject, account) VALUES ($1, $2, $3)
                 ON CONFLICT (issuer, subject) DO UPDATE SET account = $3",
            )
            .await?;
        transaction
            .execute(&insert, &[issuer, subject, &who(number)])
            .await?;
    }
    // The node whose rooms they are in hears that a JID may be somebody else now.
    revocations::note(&transaction, &[Revoked::Account(number)]).await?;
    transaction.commit().await?;
    Ok(true)
}
