//! Where to tell somebody something.

use chess::Timestamp;
use chess::table::PlayerId;
use deadpool_postgres::Transaction;

use super::Db;
use super::fault::Fault;
use super::values::{Columns, at, can_be_stored, int, who};
use crate::notifications::folded;
use crate::{Address, MailPurpose, MailToken, Subscription};

/// What the server alone knows under that name: what it knows already, or this.
pub(crate) async fn secret(db: &Db, name: &str, new: &[u8]) -> Result<Vec<u8>, Fault> {
    let insert = db
        .prepare_cached(
            "INSERT INTO server_secrets (name, value) VALUES ($1, $2) ON CONFLICT DO NOTHING",
        )
        .await?;
    db.execute(&insert, &[&name, &new]).await?;
    let select = db
        .prepare_cached("SELECT value FROM server_secrets WHERE name = $1")
        .await?;
    db.query_one(&select, &[&name]).await?.col(0)
}

pub(crate) async fn address(db: &Db, account: PlayerId) -> Result<Option<Address>, Fault> {
    let select = db
        .prepare_cached("SELECT email, confirmed_at, bounced_at FROM addresses WHERE account = $1")
        .await?;
    let found = db.query_opt(&select, &[&who(account)]).await?;
    let read = |row: tokio_postgres::Row| {
        Ok(Address {
            email: row.col(0)?,
            confirmed_at: row.at_or(1)?,
            bounced_at: row.at_or(2)?,
        })
    };
    found.map(read).transpose()
}

pub(crate) async fn set_address(
    db: &Db,
    account: PlayerId,
    address: &Address,
) -> Result<(), Fault> {
    let write = db
        .prepare_cached(
            "INSERT INTO addresses (account, email, folded, confirmed_at, bounced_at)
             VALUES ($1, $2, $3, $4, $5)
             ON CONFLICT (account) DO UPDATE SET email = excluded.email, folded = excluded.folded,
                    confirmed_at = excluded.confirmed_at, bounced_at = excluded.bounced_at",
        )
        .await?;
    db.execute(
        &write,
        &[
            &who(account),
            &address.email,
            &folded(&address.email),
            &address.confirmed_at.map(at),
            &address.bounced_at.map(at),
        ],
    )
    .await?;
    Ok(())
}

/// Whose confirmed address that is.
pub(crate) async fn confirmed_at(db: &Db, email: &str) -> Result<Vec<PlayerId>, Fault> {
    if !can_be_stored(email) {
        return Ok(Vec::new());
    }
    let select = db
        .prepare_cached(
            "SELECT d.account FROM addresses d JOIN accounts a ON a.number = d.account
              WHERE d.folded = $1 AND d.confirmed_at IS NOT NULL AND a.email = d.email
              ORDER BY d.account",
        )
        .await?;
    let found = db.query(&select, &[&folded(email)]).await?;
    found.iter().map(|row| row.who(0)).collect()
}

pub(crate) async fn add_token(db: &Db, new: &MailToken) -> Result<(), Fault> {
    let insert = db
        .prepare_cached(
            "INSERT INTO mail_tokens (hash, account, purpose, email, expires_at)
             VALUES ($1, $2, $3, $4, $5)",
        )
        .await?;
    db.execute(
        &insert,
        &[
            &new.hash.as_slice(),
            &who(new.account),
            &new.purpose.name(),
            &new.email,
            &at(new.expires_at),
        ],
    )
    .await?;
    Ok(())
}

pub(crate) async fn token(db: &Db, hash: &[u8; 32]) -> Result<Option<MailToken>, Fault> {
    let select = db
        .prepare_cached(
            "SELECT account, purpose, email, expires_at FROM mail_tokens WHERE hash = $1",
        )
        .await?;
    let found = db.query_opt(&select, &[&hash.as_slice()]).await?;
    let read = |row: tokio_postgres::Row| {
        Ok(MailToken {
            hash: *hash,
            account: row.who(0)?,
            purpose: row.named(1, MailPurpose::named)?,
            email: row.col(2)?,
            expires_at: row.at(3)?,
        })
    };
    found.map(read).transpose()
}

/// Uses a token up, and with it all of its account that are for the same. Whether it
/// was there: of two at once, one is told so.
pub(crate) async fn take_token(db: &mut Db, hash: &[u8; 32]) -> Result<bool, Fault> {
    let transaction = db.transaction().await?;
    let take = transaction
        .prepare_cached("DELETE FROM mail_tokens WHERE hash = $1 RETURNING account, purpose")
        .await?;
    let Some(row) = transaction.query_opt(&take, &[&hash.as_slice()]).await? else {
        return Ok(false);
    };
    drop_tokens(&transaction, row.who(0)?, row.named(1, MailPurpose::named)?).await?;
    transaction.commit().await?;
    Ok(true)
}

/// Forgets an account's tokens that are for that.
pub(super) async fn drop_tokens(
    transaction: &Transaction<'_>,
    account: PlayerId,
    purpose: MailPurpose,
) -> Result<(), Fault> {
    let delete = transaction
        .prepare_cached("DELETE FROM mail_tokens WHERE account = $1 AND purpose = $2")
        .await?;
    transaction
        .execute(&delete, &[&who(account), &purpose.name()])
        .await?;
    Ok(())
}

/// Forgets tokens that ended before that moment; how many.
pub(crate) async fn purge_tokens(db: &Db, before: Timestamp, limit: u32) -> Result<u64, Fault> {
    let delete = db
        .prepare_cached(
            "DELETE FROM mail_tokens WHERE hash IN (
               SELECT hash FROM mail_tokens WHERE expires_at < $1
                ORDER BY hash LIMIT $2 FOR UPDATE SKIP LOCKED)",
        )
        .await?;
    Ok(db
        .execute(&delete, &[&at(before), &i64::from(limit)])
        .await?)
}

pub(crate) async fn settings(db: &Db, account: PlayerId) -> Result<Option<String>, Fault> {
    let select = db
        .prepare_cached("SELECT settings FROM notification_settings WHERE account = $1")
        .await?;
    let found = db.query_opt(&select, &[&who(account)]).await?;
    found.map(|row| row.col(0)).transpose()
}

pub(crate) async fn set_settings(db: &Db, account: PlayerId, text: &str) -> Result<(), Fault> {
    let write = db
        .prepare_cached(
            "INSERT INTO notification_settings (account, settings) VALUES ($1, $2)
             ON CONFLICT (account) DO UPDATE SET settings = excluded.settings",
        )
        .await?;
    db.execute(&write, &[&who(account), &text]).await?;
    Ok(())
}

/// Keeps a browser, whoever had it before; beyond `most` of an account the oldest go.
pub(crate) async fn subscribe(db: &mut Db, new: &Subscription, most: u32) -> Result<u64, Fault> {
    let transaction = db.transaction().await?;
    let write = transaction
        .prepare_cached(
            "INSERT INTO push_subscriptions (account, endpoint, p256dh, auth, created_at)
             VALUES ($1, $2, $3, $4, $5)
             ON CONFLICT (endpoint) DO UPDATE SET account = excluded.account,
                    p256dh = excluded.p256dh, auth = excluded.auth
             RETURNING id",
        )
        .await?;
    let made = transaction
        .query_one(
            &write,
            &[
                &who(new.account),
                &new.endpoint,
                &new.p256dh,
                &new.auth,
                &at(new.created_at),
            ],
        )
        .await?;
    let id = made.number(0)?;
    let trim = transaction
        .prepare_cached(
            "DELETE FROM push_subscriptions WHERE account = $1 AND id <> $3 AND id NOT IN (
               SELECT id FROM push_subscriptions WHERE account = $1 ORDER BY id DESC LIMIT $2)",
        )
        .await?;
    transaction
        .execute(&trim, &[&who(new.account), &i64::from(most), &int(id)])
        .await?;
    transaction.commit().await?;
    Ok(id)
}

/// A browser that is not to be told anything any more; of that account, if one is named.
/// Whether it was there.
pub(crate) async fn unsubscribe(
    db: &Db,
    account: Option<PlayerId>,
    id: u64,
) -> Result<bool, Fault> {
    let delete = db
        .prepare_cached(
            "DELETE FROM push_subscriptions
              WHERE id = $1 AND ($2::bigint IS NULL OR account = $2)",
        )
        .await?;
    let deleted = db.execute(&delete, &[&int(id), &account.map(who)]).await?;
    Ok(deleted > 0)
}

pub(crate) async fn subscriptions(db: &Db, account: PlayerId) -> Result<Vec<Subscription>, Fault> {
    let select = db
        .prepare_cached(
            "SELECT id, endpoint, p256dh, auth, created_at FROM push_subscriptions
              WHERE account = $1 ORDER BY id",
        )
        .await?;
    let found = db.query(&select, &[&who(account)]).await?;
    let read = |row: &tokio_postgres::Row| {
        Ok(Subscription {
            id: row.number(0)?,
            account,
            endpoint: row.col(1)?,
            p256dh: row.col(2)?,
            auth: row.col(3)?,
            created_at: row.at(4)?,
        })
    };
    found.iter().map(read).collect()
}
