//! Where to tell somebody something.

use chess::Timestamp;
use chess::table::PlayerId;
use rusqlite::types::Type;
use rusqlite::{Connection, OptionalExtension};

use super::fault::Fault;
use super::values::{At, Number, Who, int};
use crate::notifications::folded;
use crate::{Address, MailPurpose, MailToken, Subscription};

/// What the server alone knows under that name: what it knows already, or this.
pub(crate) fn secret(db: &Connection, name: &str, new: &[u8]) -> Result<Vec<u8>, Fault> {
    let known = db
        .prepare_cached("SELECT value FROM server_secrets WHERE name = ?1")?
        .query_row((name,), |r| r.get(0))
        .optional()?;
    if let Some(known) = known {
        return Ok(known);
    }
    db.prepare_cached("INSERT INTO server_secrets (name, value) VALUES (?1, ?2)")?
        .execute((name, new))?;
    Ok(new.to_vec())
}

pub(crate) fn address(db: &Connection, account: PlayerId) -> Result<Option<Address>, Fault> {
    let found = db
        .prepare_cached("SELECT email, confirmed_at, bounced_at FROM addresses WHERE account = ?1")?
        .query_row((Who(account),), |r| {
            Ok(Address {
                email: r.get(0)?,
                confirmed_at: r.get::<_, Option<At>>(1)?.map(|at| at.0),
                bounced_at: r.get::<_, Option<At>>(2)?.map(|at| at.0),
            })
        })
        .optional()?;
    Ok(found)
}

pub(crate) fn set_address(
    db: &Connection,
    account: PlayerId,
    address: &Address,
) -> Result<(), Fault> {
    db.prepare_cached(
        "INSERT OR REPLACE INTO addresses (account, email, folded, confirmed_at, bounced_at)
         VALUES (?1, ?2, ?3, ?4, ?5)",
    )?
    .execute((
        Who(account),
        &address.email,
        folded(&address.email),
        address.confirmed_at.map(At),
        address.bounced_at.map(At),
    ))?;
    Ok(())
}

/// Whose confirmed address that is.
pub(crate) fn confirmed_at(db: &Connection, email: &str) -> Result<Vec<PlayerId>, Fault> {
    let found = db
        .prepare_cached(
            "SELECT d.account FROM addresses d JOIN accounts a ON a.number = d.account
              WHERE d.folded = ?1 AND d.confirmed_at IS NOT NULL AND a.email = d.email
              ORDER BY d.account",
        )?
        .query_map((folded(email),), |r| Ok(r.get::<_, Who>(0)?.0))?
        .collect::<Result<_, _>>()?;
    Ok(found)
}

pub(crate) fn add_token(db: &Connection, new: &MailToken) -> Result<(), Fault> {
    db.prepare_cached(
        "INSERT INTO mail_tokens (hash, account, purpose, email, expires_at)
         VALUES (?1, ?2, ?3, ?4, ?5)",
    )?
    .execute((
        new.hash,
        Who(new.account),
        new.purpose.name(),
        &new.email,
        At(new.expires_at),
    ))?;
    Ok(())
}

pub(crate) fn token(db: &Connection, hash: &[u8; 32]) -> Result<Option<MailToken>, Fault> {
    let found = db
        .prepare_cached(
            "SELECT account, purpose, email, expires_at FROM mail_tokens WHERE hash = ?1",
        )?
        .query_row((hash,), |r| {
            let purpose: String = r.get(1)?;
            Ok(MailToken {
                hash: *hash,
                account: r.get::<_, Who>(0)?.0,
                purpose: MailPurpose::named(&purpose).ok_or(rusqlite::Error::InvalidColumnType(
                    1,
                    purpose,
                    Type::Text,
                ))?,
                email: r.get(2)?,
                expires_at: r.get::<_, At>(3)?.0,
            })
        })
        .optional()?;
    Ok(found)
}

/// Uses a token up, and with it all of its account that are for the same. Whether it
/// was there.
pub(crate) fn take_token(db: &Connection, hash: &[u8; 32]) -> Result<bool, Fault> {
    let Some(token) = token(db, hash)? else {
        return Ok(false);
    };
    drop_tokens(db, token.account, token.purpose)?;
    Ok(true)
}

/// Forgets an account's tokens that are for that.
pub(super) fn drop_tokens(
    db: &Connection,
    account: PlayerId,
    purpose: MailPurpose,
) -> Result<(), Fault> {
    db.prepare_cached("DELETE FROM mail_tokens WHERE account = ?1 AND purpose = ?2")?
        .execute((Who(account), purpose.name()))?;
    Ok(())
}

/// Forgets tokens that ended before that moment; how many.
pub(crate) fn purge_tokens(db: &Connection, before: Timestamp, limit: u32) -> Result<u64, Fault> {
    let deleted = db
        .prepare_cached(
            "DELETE FROM mail_tokens WHERE hash IN (
               SELECT hash FROM mail_tokens WHERE expires_at < ?1 LIMIT ?2)",
        )?
        .execute((At(before), limit))?;
    Ok(deleted as u64)
}

pub(crate) fn settings(db: &Connection, account: PlayerId) -> Result<Option<String>, Fault> {
    let found = db
        .prepare_cached("SELECT settings FROM notification_settings WHERE account = ?1")?
        .query_row((Who(account),), |r| r.get(0))
        .optional()?;
    Ok(found)
}

pub(crate) fn set_settings(db: &Connection, account: PlayerId, text: &str) -> Result<(), Fault> {
    db.prepare_cached(
        "INSERT OR REPLACE INTO notification_settings (account, settings) VALUES (?1, ?2)",
    )?
    .execute((Who(account), text))?;
    Ok(())
}

/// Keeps a browser, whoever had it before; beyond `most` of an account the oldest go.
pub(crate) fn subscribe(db: &Connection, new: &Subscription, most: u32) -> Result<u64, Fault> {
    let id = db
        .prepare_cached(
            "INSERT INTO push_subscriptions (account, endpoint, p256dh, auth, created_at)
             VALUES (?1, ?2, ?3, ?4, ?5)
             ON CONFLICT (endpoint) DO UPDATE SET account = excluded.account,
                    p256dh = excluded.p256dh, auth = excluded.auth
             RETURNING id",
        )?
        .query_row(
            (
                Who(new.account),
                &new.endpoint,
                &new.p256dh,
                &new.auth,
                At(new.created_at),
            ),
            |r| r.get::<_, Number>(0),
        )?;
    db.prepare_cached(
        "DELETE FROM push_subscriptions WHERE account = ?1 AND id <> ?3 AND id NOT IN (
           SELECT id FROM push_subscriptions WHERE account = ?1 ORDER BY id DESC LIMIT ?2)",
    )?
    .execute((Who(new.account), most, int(id.0)))?;
    Ok(id.0)
}

/// A browser that is not to be told anything any more; of that account, if one is named.
/// Whether it was there.
pub(crate) fn unsubscribe(
    db: &Connection,
    account: Option<PlayerId>,
    id: u64,
) -> Result<bool, Fault> {
    let deleted = db
        .prepare_cached(
            "DELETE FROM push_subscriptions WHERE id = ?1 AND (?2 IS NULL OR account = ?2)",
        )?
        .execute((int(id), account.map(Who)))?;
    Ok(deleted > 0)
}

pub(crate) fn subscriptions(
    db: &Connection,
    account: PlayerId,
) -> Result<Vec<Subscription>, Fault> {
    let found = db
        .prepare_cached(
            "SELECT id, endpoint, p256dh, auth, created_at FROM push_subscriptions
              WHERE account = ?1 ORDER BY id",
        )?
        .query_map((Who(account),), |r| {
            Ok(Subscription {
                id: r.get::<_, Number>(0)?.0,
                account,
                endpoint: r.get(1)?,
                p256dh: r.get(2)?,
                auth: r.get(3)?,
                created_at: r.get::<_, At>(4)?.0,
            })
        })?
        .collect::<Result<_, _>>()?;
    Ok(found)
}
