//! Who plays here.

use chess::Timestamp;
use chess::table::PlayerId;
use deadpool_postgres::{GenericClient, Transaction};
use tokio_postgres::Row as SqlRow;
use tokio_postgres::types::ToSql;

use super::fault::Fault;
use super::values::{Columns, at, can_be_stored, who};
use super::{Db, aliases, correspondence, mail, revocations, social, tokens, webhooks};
use crate::{
    Account, AccountKind, Creation, Error, MailPurpose, NewAccount, OutsideIdentity, ProfileChange,
    Revoked,
};

pub(super) const COLUMNS: &str = "number, uuid, id, name, kind, email, password_hash, title, is_admin, preferences, \
                       created_at, deleted_at, barred_at, alias_of, display_name";

/// Makes an account. The unique columns decide who is first to a name or an
/// identity, whichever server they ask. That the identity is looked up
/// beforehand spares a number if it is known.
pub(crate) async fn create(db: &mut Db, new: NewAccount) -> Result<Creation, Fault> {
    let transaction = db.transaction().await?;
    let outside = new.outside.clone();
    if is_known(&transaction, outside.as_ref()).await? {
        return Ok(Creation::IdentityTaken);
    }
    // The number is PostgreSQL's to choose; any will do until then.
    let mut account = new.numbered(PlayerId::new(1).expect("one is not zero"));
    let Some(number) = insert(&transaction, &account).await? else {
        // The name may be that of the same person, who asked twice at once.
        return Ok(match is_known(&transaction, outside.as_ref()).await? {
            true => Creation::IdentityTaken,
            false => Creation::NameTaken,
        });
    };
    account.number = number;
    if let Some(outside) = &outside
        && !identify(&transaction, outside, number).await?
    {
        // Nothing is committed: the account was never there.
        return Ok(Creation::IdentityTaken);
    }
    transaction.commit().await?;
    Ok(Creation::Created(account))
}

/// The number of the new account; `None` if its name is taken.
pub(super) async fn insert(
    transaction: &Transaction<'_>,
    account: &Account,
) -> Result<Option<PlayerId>, Fault> {
    let insert = transaction
        .prepare_cached(
            "INSERT INTO accounts (uuid, id, name, kind, email, password_hash, title, is_admin,
                                   preferences, created_at)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
             ON CONFLICT (id) DO NOTHING RETURNING number",
        )
        .await?;
    let made = transaction
        .query_opt(
            &insert,
            &[
                &account.uuid.as_slice(),
                &account.id,
                &account.name,
                &account.kind.name(),
                &account.email,
                &account.password_hash,
                &account.title,
                &account.is_admin,
                &account.preferences,
                &at(account.created_at),
            ],
        )
        .await?;
    made.map(|row| row.who(0)).transpose()
}

/// Says who the account is elsewhere; `false` if that one has another account.
async fn identify(
    transaction: &Transaction<'_>,
    outside: &OutsideIdentity,
    number: PlayerId,
) -> Result<bool, Fault> {
    let insert = transaction
        .prepare_cached(
            "INSERT INTO outside_identities (issuer, subject, account) VALUES ($1, $2, $3)
             ON CONFLICT (issuer, subject) DO NOTHING",
        )
        .await?;
    let written = transaction
        .execute(&insert, &[&outside.issuer, &outside.subject, &who(number)])
        .await?;
    Ok(written == 1)
}

async fn is_known(
    transaction: &Transaction<'_>,
    outside: Option<&OutsideIdentity>,
) -> Result<bool, Fault> {
    match outside {
        Some(outside) => Ok(by_outside(transaction, outside).await?.is_some()),
        None => Ok(false),
    }
}

pub(crate) async fn by_number(db: &Db, number: PlayerId) -> Result<Option<Account>, Fault> {
    find(db, "number = $1", &[&who(number)]).await
}

pub(crate) async fn by_numbers(db: &Db, numbers: &[PlayerId]) -> Result<Vec<Account>, Fault> {
    let numbers: Vec<i64> = numbers.iter().copied().map(who).collect();
    let select = db
        .prepare_cached(&format!(
            "SELECT {COLUMNS} FROM unnest($1::bigint[]) WITH ORDINALITY AS wanted (number, place)
               JOIN accounts USING (number) ORDER BY place"
        ))
        .await?;
    let found = db.query(&select, &[&numbers]).await?;
    found.iter().map(account).collect()
}

pub(crate) async fn by_ids(db: &Db, ids: &[String]) -> Result<Vec<Account>, Fault> {
    let select = db
        .prepare_cached(&format!(
            "SELECT {COLUMNS} FROM unnest($1::text[]) WITH ORDINALITY AS wanted (id, place)
               JOIN accounts USING (id) ORDER BY place"
        ))
        .await?;
    let ids: Vec<&String> = ids.iter().filter(|id| can_be_stored(id)).collect();
    let found = db.query(&select, &[&ids]).await?;
    found.iter().map(account).collect()
}

pub(crate) async fn by_id(db: &Db, id: &str) -> Result<Option<Account>, Fault> {
    if !can_be_stored(id) {
        return Ok(None);
    }
    // The name that somebody had leads to them.
    let place = "number = (SELECT coalesce(alias_of, number) FROM accounts WHERE id = $1)";
    find(db, place, &[&id]).await
}

pub(crate) async fn by_uuid(db: &Db, uuid: [u8; 16]) -> Result<Option<Account>, Fault> {
    let place = "number = (SELECT coalesce(alias_of, number) FROM accounts WHERE uuid = $1)";
    find(db, place, &[&uuid.as_slice()]).await
}

pub(crate) async fn by_outside(
    db: &impl GenericClient,
    outside: &OutsideIdentity,
) -> Result<Option<Account>, Fault> {
    let place =
        "number = (SELECT account FROM outside_identities WHERE issuer = $1 AND subject = $2)";
    find(db, place, &[&outside.issuer, &outside.subject]).await
}

/// Those whose id begins so, but guests and those who are gone or barred.
pub(crate) async fn by_prefix(db: &Db, prefix: &str, limit: u32) -> Result<Vec<Account>, Fault> {
    if !can_be_stored(prefix) {
        return Ok(Vec::new());
    }
    let select = db
        .prepare_cached(&format!(
            "SELECT {COLUMNS} FROM accounts
              WHERE id ~>=~ $1 AND id ~<~ $2 AND kind <> 'guest' AND deleted_at IS NULL
                AND barred_at IS NULL ORDER BY id USING ~<~ LIMIT $3"
        ))
        .await?;
    let end = format!("{prefix}{}", char::MAX);
    let found = db
        .query(&select, &[&prefix, &end, &i64::from(limit)])
        .await?;
    found.iter().map(account).collect()
}

/// Those whose id begins so, of every kind, also those who are gone; after that id.
pub(crate) async fn of_all(
    db: &Db,
    prefix: &str,
    after: &str,
    limit: u32,
) -> Result<Vec<Account>, Fault> {
    if !can_be_stored(prefix) || !can_be_stored(after) {
        return Ok(Vec::new());
    }
    let select = db
        .prepare_cached(&format!(
            "SELECT {COLUMNS} FROM accounts
              WHERE id ~>=~ $1 AND id ~<~ $2 AND id ~>~ $3 AND alias_of IS NULL
              ORDER BY id USING ~<~ LIMIT $4"
        ))
        .await?;
    let end = format!("{prefix}{}", char::MAX);
    let found = db
        .query(&select, &[&prefix, &end, &after, &i64::from(limit)])
        .await?;
    found.iter().map(account).collect()
}

/// Changes what its owner may change. `None`: there is no such account, or no longer.
pub(crate) async fn change(
    db: &mut Db,
    number: PlayerId,
    change: ProfileChange,
) -> Result<Option<Account>, Fault> {
    let transaction = db.transaction().await?;
    let Some(mut account) = held(&transaction, number).await? else {
        return Ok(None);
    };
    let is_new_password = change.password_hash.is_some();
    change.apply(&mut account);
    write(&transaction, &account).await?;
    if is_new_password {
        mail::drop_tokens(&transaction, number, MailPurpose::Reset).await?;
    }
    revocations::note(&transaction, &[Revoked::Account(number)]).await?;
    transaction.commit().await?;
    Ok(Some(account))
}

/// Forgets who it was. Whether there was something to forget.
///
/// The account comes first and its tokens after it, as with a new token: two
/// who wait for each other would wait in vain.
pub(crate) async fn delete(
    db: &mut Db,
    number: PlayerId,
    when: Timestamp,
    replacement_name: &str,
) -> Result<bool, Fault> {
    let transaction = db.transaction().await?;
    let Some(mut account) = held(&transaction, number).await? else {
        return Ok(false);
    };
    account.delete(when, replacement_name);
    write(&transaction, &account).await?;
    let aliases = aliases::forget(&transaction, number, when, replacement_name).await?;
    let forget = transaction
        .prepare_cached("DELETE FROM outside_identities WHERE account = $1")
        .await?;
    transaction.execute(&forget, &[&who(number)]).await?;
    // What a game did to ratings stays with the game.
    let forget = transaction
        .prepare_cached("DELETE FROM ratings WHERE account = $1")
        .await?;
    transaction.execute(&forget, &[&who(number)]).await?;
    social::forget(&transaction, number).await?;
    webhooks::forget(&transaction, number).await?;
    correspondence::forget(&transaction, number).await?;
    let forget = transaction
        .prepare_cached("DELETE FROM tickets WHERE account = $1")
        .await?;
    transaction.execute(&forget, &[&who(number)]).await?;
    let gone = tokens::delete_all(&transaction, number).await?;
    let mut ended = Revoked::tokens(&gone);
    ended.push(Revoked::Account(number));
    ended.extend(aliases.into_iter().map(Revoked::Account));
    revocations::note(&transaction, &ended).await?;
    transaction.commit().await?;
    Ok(true)
}

/// An account that is not deleted, which nobody else changes, and nobody gives a
/// token, until the transaction is over.
pub(super) async fn held(
    transaction: &Transaction<'_>,
    number: PlayerId,
) -> Result<Option<Account>, Fault> {
    let place = "number = $1 AND deleted_at IS NULL FOR UPDATE";
    find(transaction, place, &[&who(number)]).await
}

/// A name that is taken makes this a [`Error::Conflict`].
pub(super) async fn write(transaction: &Transaction<'_>, account: &Account) -> Result<(), Fault> {
    let update = transaction
        .prepare_cached(
            "UPDATE accounts SET id = $2, name = $3, email = $4, password_hash = $5, title = $6,
                    is_admin = $7, preferences = $8, deleted_at = $9, barred_at = $10, kind = $11,
                    alias_of = $12, display_name = $13
              WHERE number = $1",
        )
        .await?;
    let written = transaction
        .execute(
            &update,
            &[
                &who(account.number),
                &account.id,
                &account.name,
                &account.email,
                &account.password_hash,
                &account.title,
                &account.is_admin,
                &account.preferences,
                &account.deleted_at.map(at),
                &account.barred_at.map(at),
                &account.kind.name(),
                &account.alias_of.map(who),
                &account.display_name,
            ],
        )
        .await?;
    match written {
        1 => Ok(()),
        _ => Err(Error::Conflict.into()),
    }
}

pub(super) async fn find(
    db: &impl GenericClient,
    place: &str,
    params: &[&(dyn ToSql + Sync)],
) -> Result<Option<Account>, Fault> {
    let select = db
        .prepare_cached(&format!("SELECT {COLUMNS} FROM accounts WHERE {place}"))
        .await?;
    let found = db.query_opt(&select, params).await?;
    found.as_ref().map(account).transpose()
}

pub(super) fn account(row: &SqlRow) -> Result<Account, Fault> {
    Ok(Account {
        number: row.who(0)?,
        uuid: row.bytes(1)?,
        id: row.col(2)?,
        name: row.col(3)?,
        kind: row.named(4, AccountKind::named)?,
        email: row.col(5)?,
        password_hash: row.col(6)?,
        title: row.col(7)?,
        is_admin: row.col(8)?,
        preferences: row.col(9)?,
        created_at: row.at(10)?,
        deleted_at: row.at_or(11)?,
        barred_at: row.at_or(12)?,
        alias_of: row.who_or(13)?,
        display_name: row.col(14)?,
    })
}
