//! Bearer tokens. One that is revoked is gone.
//!
//! Whoever locks several does so in the order of their ids, and after the account.

use chess::table::PlayerId;
use deadpool_postgres::Transaction;
use tokio_postgres::Row as SqlRow;
use tokio_postgres::types::ToSql;

use super::fault::Fault;
use super::values::{Columns, at, int, who};
use super::{Db, revocations};
use crate::{Error, NewToken, Revoked, Token, TokenKind};

const COLUMNS: &str = "id, hash, account, kind, name, scopes, created_at, expires_at";

/// Adds a token, and forgets those of its owner that have ended. What somebody
/// else is about to forget is left to them.
pub(crate) async fn add(db: &mut Db, new: NewToken) -> Result<Token, Fault> {
    let transaction = db.transaction().await?;
    let insert = transaction
        .prepare_cached(
            "INSERT INTO tokens (hash, account, kind, name, scopes, created_at, expires_at)
             VALUES ($1, $2, $3, $4, $5, $6, $7) RETURNING id",
        )
        .await?;
    let made = transaction
        .query_one(
            &insert,
            &[
                &new.hash.as_slice(),
                &who(new.account),
                &new.kind.name(),
                &new.name,
                &i64::from(new.scopes),
                &at(new.at),
                &new.expires_at.map(at),
            ],
        )
        .await?;
    let id = made.number(0)?;
    let forget = transaction
        .prepare_cached(
            "WITH ended AS (
               SELECT id FROM tokens WHERE account = $1 AND expires_at <= $2 AND id <> $3
                ORDER BY id FOR UPDATE SKIP LOCKED
             )
             DELETE FROM tokens WHERE id IN (SELECT id FROM ended)",
        )
        .await?;
    transaction
        .execute(&forget, &[&who(new.account), &at(new.at), &int(id)])
        .await?;
    transaction.commit().await?;
    Ok(new.numbered(id))
}

pub(crate) async fn by_hash(db: &Db, hash: &[u8; 32]) -> Result<Option<Token>, Fault> {
    let select = db
        .prepare_cached(&format!("SELECT {COLUMNS} FROM tokens WHERE hash = $1"))
        .await?;
    let found = db.query_opt(&select, &[&hash.as_slice()]).await?;
    found.as_ref().map(token).transpose()
}

/// An account's tokens, oldest first.
pub(crate) async fn of(db: &Db, account: PlayerId) -> Result<Vec<Token>, Fault> {
    let select = db
        .prepare_cached(&format!(
            "SELECT {COLUMNS} FROM tokens WHERE account = $1 ORDER BY id"
        ))
        .await?;
    let found = db.query(&select, &[&who(account)]).await?;
    found.iter().map(token).collect()
}

pub(crate) async fn revoke(
    db: &mut Db,
    account: PlayerId,
    id: u64,
) -> Result<Option<Token>, Fault> {
    revoke_where(db, "account = $1 AND id = $2", &[&who(account), &int(id)]).await
}

pub(crate) async fn revoke_by_hash(db: &mut Db, hash: &[u8; 32]) -> Result<Option<Token>, Fault> {
    revoke_where(db, "hash = $1", &[&hash.as_slice()]).await
}

async fn revoke_where(
    db: &mut Db,
    place: &str,
    params: &[&(dyn ToSql + Sync)],
) -> Result<Option<Token>, Fault> {
    let transaction = db.transaction().await?;
    let delete = transaction
        .prepare_cached(&format!(
            "DELETE FROM tokens WHERE {place} RETURNING {COLUMNS}"
        ))
        .await?;
    let gone = transaction.query_opt(&delete, params).await?;
    let gone = gone.as_ref().map(token).transpose()?;
    revocations::note(&transaction, &Revoked::tokens(gone.as_slice())).await?;
    transaction.commit().await?;
    Ok(gone)
}

/// Revokes every token of an account, oldest first.
pub(crate) async fn revoke_all(db: &mut Db, account: PlayerId) -> Result<Vec<Token>, Fault> {
    let transaction = db.transaction().await?;
    let gone = delete_all(&transaction, account).await?;
    revocations::note(&transaction, &Revoked::tokens(&gone)).await?;
    transaction.commit().await?;
    Ok(gone)
}

/// Deletes every token of an account; whoever does it notes that they ended.
pub(super) async fn delete_all(
    transaction: &Transaction<'_>,
    account: PlayerId,
) -> Result<Vec<Token>, Fault> {
    let delete = transaction
        .prepare_cached(&format!(
            "WITH theirs AS (
               SELECT id FROM tokens WHERE account = $1 ORDER BY id FOR UPDATE
             ), gone AS (
               DELETE FROM tokens WHERE id IN (SELECT id FROM theirs) RETURNING {COLUMNS}
             )
             SELECT {COLUMNS} FROM gone ORDER BY id"
        ))
        .await?;
    let gone = transaction.query(&delete, &[&who(account)]).await?;
    gone.iter().map(token).collect()
}

fn token(row: &SqlRow) -> Result<Token, Fault> {
    Ok(Token {
        id: row.number(0)?,
        hash: row.bytes(1)?,
        account: row.who(2)?,
        kind: row.named(3, TokenKind::named)?,
        name: row.col(4)?,
        scopes: scopes(row.number(5)?)?,
        created_at: row.at(6)?,
        expires_at: row.at_or(7)?,
    })
}

fn scopes(bits: u64) -> Result<u16, Fault> {
    u16::try_from(bits).map_err(|_| Error::Corrupt(format!("there are no scopes {bits}")).into())
}
