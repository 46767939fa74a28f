//! Guests who become accounts.

use chess::Timestamp;
use chess::table::PlayerId;
use deadpool_postgres::{GenericClient, Transaction};
use tokio_postgres::types::Type;

use super::accounts::{COLUMNS, account, find, held, write};
use super::fault::Fault;
use super::values::{Columns, at, can_be_stored, who};
use super::{Db, correspondence, revocations, social, tokens, webhooks};
use crate::accounts::id_of;
use crate::aliases::{MOVED, SHARED, UNSETTLED, deleted_alias};
use crate::list_sql::Dialect;
use crate::{Account, Adopting, Adoption, Becoming, Error, GuestRegistration, Revoked};

/// A guest becomes an account. The unique name decides who is first.
pub(crate) async fn register(
    db: &mut Db,
    guest: PlayerId,
    new: GuestRegistration,
) -> Result<Becoming, Fault> {
    let transaction = db.transaction().await?;
    let guest = held(&transaction, guest).await?;
    let Some(guest) = guest.filter(Account::is_free_guest) else {
        return Ok(Becoming::NotAGuest);
    };
    let id = id_of(&new.name);
    if !can_be_stored(&id) || find(&transaction, "id = $1", &[&id]).await?.is_some() {
        return Ok(Becoming::NameTaken);
    }
    let (registered, alias) = guest.registered(new);
    match write(&transaction, &registered).await {
        Ok(()) => {}
        Err(fault) => {
            return match fault.into_error() {
                Error::Conflict => Ok(Becoming::NameTaken),
                error => Err(error.into()),
            };
        }
    }
    let insert = transaction
        .prepare_cached(
            "INSERT INTO accounts (uuid, id, name, kind, is_admin, preferences, created_at, alias_of)
             VALUES ($1, $2, $3, $4, FALSE, $5, $6, $7)",
        )
        .await?;
    transaction
        .execute(
            &insert,
            &[
                &alias.uuid.as_slice(),
                &alias.id,
                &alias.name,
                &alias.kind.name(),
                &alias.preferences,
                &at(alias.created_at),
                &alias.alias_of.map(who),
            ],
        )
        .await?;
    revocations::note(&transaction, &[Revoked::Account(registered.number)]).await?;
    transaction.commit().await?;
    Ok(Becoming::Became(registered))
}

/// An account takes a guest over. Both are held, in the order of their numbers.
pub(crate) async fn adopt(db: &mut Db, adopting: Adopting) -> Result<Adoption, Fault> {
    let Adopting { guest, by, token } = adopting;
    let transaction = db.transaction().await?;
    let first = held(&transaction, guest.min(by)).await?;
    let second = held(&transaction, guest.max(by)).await?;
    let (is_free, is_there) = {
        let of = |number: PlayerId| {
            let both = [&first, &second].into_iter().flatten();
            both.into_iter().find(|account| account.number == number)
        };
        (
            of(guest).is_some_and(Account::is_free_guest),
            of(by).is_some_and(|account| account.alias_of.is_none()),
        )
    };
    if !is_free || guest == by || !is_there {
        return Ok(Adoption::NotAGuest);
    }
    let both = [Type::INT8, Type::INT8];
    let say = |sql| Dialect::Postgres.say(sql);
    let shared = transaction
        .prepare_typed_cached(&say(SHARED), &both)
        .await?;
    let (guest_number, by_number) = (who(guest), who(by));
    let found = transaction
        .query_opt(&shared, &[&guest_number, &by_number])
        .await?;
    if found.is_some() {
        return Ok(Adoption::OwnGame);
    }
    let alias = transaction
        .prepare_cached(
            "UPDATE accounts SET alias_of = $2, alias_token = $3, email = NULL, preferences = '{}',
                    display_name = NULL
              WHERE number = $1",
        )
        .await?;
    transaction
        .execute(&alias, &[&guest_number, &by_number, &token.as_slice()])
        .await?;
    for sql in MOVED {
        let moved = transaction.prepare_typed_cached(&say(sql), &both).await?;
        transaction
            .execute(&moved, &[&guest_number, &by_number])
            .await?;
    }
    social::forget(&transaction, guest).await?;
    webhooks::forget(&transaction, guest).await?;
    correspondence::forget(&transaction, guest).await?;
    for sql in [
        "DELETE FROM outside_identities WHERE account = $1",
        "DELETE FROM tickets WHERE account = $1",
    ] {
        let forget = transaction.prepare_cached(sql).await?;
        transaction.execute(&forget, &[&guest_number]).await?;
    }
    let gone = tokens::delete_all(&transaction, guest).await?;
    let mut ended = Revoked::tokens(&gone);
    ended.extend([Revoked::Account(guest), Revoked::Account(by)]);
    revocations::note(&transaction, &ended).await?;
    transaction.commit().await?;
    Ok(Adoption::Adopted)
}

/// An account's aliases, oldest first.
pub(crate) async fn of(db: &impl GenericClient, number: PlayerId) -> Result<Vec<Account>, Fault> {
    let select = db
        .prepare_cached(&format!(
            "SELECT {COLUMNS} FROM accounts WHERE alias_of = $1 ORDER BY number"
        ))
        .await?;
    let found = db.query(&select, &[&who(number)]).await?;
    found.iter().map(account).collect()
}

/// The alias that was taken over with that token.
pub(crate) async fn by_token(db: &Db, token: &[u8; 32]) -> Result<Option<Account>, Fault> {
    find(db, "alias_token = $1 LIMIT 1", &[&token.as_slice()]).await
}

pub(crate) async fn unsettled(db: &Db, limit: u32) -> Result<Vec<(PlayerId, PlayerId)>, Fault> {
    let sql = Dialect::Postgres.say(UNSETTLED);
    let select = db.prepare_typed_cached(&sql, &[Type::INT8]).await?;
    let found = db.query(&select, &[&i64::from(limit)]).await?;
    found
        .iter()
        .map(|row| Ok((row.who(0)?, row.who(1)?)))
        .collect()
}

/// The account was deleted: so are the names that led to it. Tells which.
pub(super) async fn forget(
    transaction: &Transaction<'_>,
    number: PlayerId,
    when: Timestamp,
    replacement_name: &str,
) -> Result<Vec<PlayerId>, Fault> {
    let aliases = of(transaction, number).await?;
    for alias in &aliases {
        let mut alias = alias.clone();
        if alias.deleted_at.is_none() {
            alias.delete(when, &deleted_alias(replacement_name, alias.number));
            write(transaction, &alias).await?;
        }
    }
    let forget = transaction
        .prepare_cached("UPDATE accounts SET alias_token = NULL WHERE alias_of = $1")
        .await?;
    transaction.execute(&forget, &[&who(number)]).await?;
    Ok(aliases.into_iter().map(|alias| alias.number).collect())
}
