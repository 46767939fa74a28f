//! Guests who become accounts.

use chess::Timestamp;
use chess::table::PlayerId;
use rusqlite::{Connection, OptionalExtension};

use super::accounts::{COLUMNS, account, by_number, find, write};
use super::fault::Fault;
use super::values::{At, Who};
use super::{correspondence, social, tokens, webhooks};
use crate::accounts::id_of;
use crate::aliases::{MOVED, SHARED, UNSETTLED, deleted_alias};
use crate::{Account, Adopting, Adoption, Becoming, GuestRegistration};

/// A guest becomes an account.
pub(crate) fn register(
    db: &Connection,
    guest: PlayerId,
    new: GuestRegistration,
) -> Result<Becoming, Fault> {
    let Some(guest) = by_number(db, guest)?.filter(Account::is_free_guest) else {
        return Ok(Becoming::NotAGuest);
    };
    if find(db, "id = ?1", (id_of(&new.name),))?.is_some() {
        return Ok(Becoming::NameTaken);
    }
    let (registered, alias) = guest.registered(new);
    write(db, &registered)?;
    db.prepare_cached(
        "INSERT INTO accounts (uuid, id, name, kind, is_admin, preferences, created_at, alias_of)
         VALUES (?1, ?2, ?3, ?4, 0, ?5, ?6, ?7)",
    )?
    .execute((
        alias.uuid,
        &alias.id,
        &alias.name,
        alias.kind.name(),
        &alias.preferences,
        At(alias.created_at),
        alias.alias_of.map(Who),
    ))?;
    Ok(Becoming::Became(registered))
}

/// An account takes a guest over.
pub(crate) fn adopt(db: &Connection, adopting: &Adopting) -> Result<Adoption, Fault> {
    let Adopting { guest, by, token } = *adopting;
    let is_free = by_number(db, guest)?.is_some_and(|guest| guest.is_free_guest());
    let is_there = |account: Account| account.deleted_at.is_none() && account.alias_of.is_none();
    if !is_free || guest == by || !by_number(db, by)?.is_some_and(is_there) {
        return Ok(Adoption::NotAGuest);
    }
    let both = (Who(guest), Who(by));
    let shared = db.prepare_cached(SHARED)?.exists((Who(guest), Who(by)))?;
    if shared {
        return Ok(Adoption::OwnGame);
    }
    db.prepare_cached(
        "UPDATE accounts SET alias_of = ?2, alias_token = ?3, email = NULL, preferences = '{}',
                display_name = NULL
          WHERE number = ?1",
    )?
    .execute((both.0, both.1, token))?;
    for sql in MOVED {
        db.prepare_cached(sql)?.execute((Who(guest), Who(by)))?;
    }
    social::forget(db, guest)?;
    webhooks::forget(db, guest)?;
    correspondence::forget(db, guest)?;
    for sql in [
        "DELETE FROM outside_identities WHERE account = ?1",
        "DELETE FROM tickets WHERE account = ?1",
    ] {
        db.prepare_cached(sql)?.execute((Who(guest),))?;
    }
    tokens::revoke_all(db, guest)?;
    Ok(Adoption::Adopted)
}

/// An account's aliases, oldest first.
pub(crate) fn of(db: &Connection, number: PlayerId) -> Result<Vec<Account>, Fault> {
    let sql = format!("SELECT {COLUMNS} FROM accounts WHERE alias_of = ?1 ORDER BY number");
    let aliases = db
        .prepare_cached(&sql)?
        .query_map((Who(number),), account)?
        .collect::<Result<_, _>>()?;
    Ok(aliases)
}

/// The alias that was taken over with that token.
pub(crate) fn by_token(db: &Connection, token: &[u8; 32]) -> Result<Option<Account>, Fault> {
    let sql = format!("SELECT {COLUMNS} FROM accounts WHERE alias_token = ?1 LIMIT 1");
    let alias = db.prepare_cached(&sql)?.query_row((token,), account);
    Ok(alias.optional()?)
}

pub(crate) fn unsettled(db: &Connection, limit: u32) -> Result<Vec<(PlayerId, PlayerId)>, Fault> {
    let aliases = db
        .prepare_cached(UNSETTLED)?
        .query_map((limit,), |r| {
            Ok((r.get::<_, Who>(0)?.0, r.get::<_, Who>(1)?.0))
        })?
        .collect::<Result<_, _>>()?;
    Ok(aliases)
}

/// The account was deleted: so are the names that led to it.
pub(super) fn forget(
    db: &Connection,
    number: PlayerId,
    at: Timestamp,
    replacement_name: &str,
) -> Result<(), Fault> {
    for mut alias in of(db, number)? {
        if alias.deleted_at.is_none() {
            alias.delete(at, &deleted_alias(replacement_name, alias.number));
            write(db, &alias)?;
        }
    }
    db.prepare_cached("UPDATE accounts SET alias_token = NULL WHERE alias_of = ?1")?
        .execute((Who(number),))?;
    Ok(())
}
