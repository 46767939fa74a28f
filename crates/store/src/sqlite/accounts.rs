//! Who plays here.

use chess::Timestamp;
use chess::table::PlayerId;
use rusqlite::types::Type;
use rusqlite::{Connection, OptionalExtension, Params, Row as SqlRow, named_params};

use super::fault::Fault;
use super::values::{At, Who};
use super::{aliases, correspondence, mail, social, tokens, webhooks};
use crate::{
    Account, AccountKind, Creation, Error, MailPurpose, NewAccount, OutsideIdentity, ProfileChange,
};

pub(super) const COLUMNS: &str = "number, uuid, id, name, kind, email, password_hash, title, is_admin, preferences, \
                       created_at, deleted_at, barred_at, alias_of, display_name";

/// Makes an account. The unique name decides who is first; that the identity
/// is looked up beforehand does no harm, because one thread alone writes.
pub(crate) fn create(db: &Connection, new: NewAccount) -> Result<Creation, Fault> {
    if let Some(outside) = &new.outside
        && by_outside(db, outside)?.is_some()
    {
        return Ok(Creation::IdentityTaken);
    }
    let outside = new.outside.clone();
    // The number is SQLite's to choose; any will do until then.
    let mut account = new.numbered(PlayerId::new(1).expect("one is not zero"));
    let made = db
        .prepare_cached(
            "INSERT INTO accounts (uuid, id, name, kind, email, password_hash, title, is_admin, preferences, created_at)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)
             ON CONFLICT (id) DO NOTHING RETURNING number",
        )?
        .query_row(
            (
                account.uuid,
                &account.id,
                &account.name,
                account.kind.name(),
                &account.email,
                &account.password_hash,
                &account.title,
                account.is_admin,
                &account.preferences,
                At(account.created_at),
            ),
            |r| r.get::<_, Who>(0),
        )
        .optional()?;
    let Some(Who(number)) = made else {
        return Ok(Creation::NameTaken);
    };
    account.number = number;
    if let Some(OutsideIdentity { issuer, subject }) = outside {
        db.prepare_cached(
            "INSERT INTO outside_identities (issuer, subject, account) VALUES (?1, ?2, ?3)",
        )?
        .execute((issuer, subject, Who(number)))?;
    }
    Ok(Creation::Created(account))
}

pub(crate) fn by_number(db: &Connection, number: PlayerId) -> Result<Option<Account>, Fault> {
    find(db, "number = ?1", (Who(number),))
}

pub(crate) fn by_numbers(db: &Connection, numbers: &[PlayerId]) -> Result<Vec<Account>, Fault> {
    let mut accounts = Vec::with_capacity(numbers.len());
    for number in numbers {
        accounts.extend(by_number(db, *number)?);
    }
    Ok(accounts)
}

pub(crate) fn by_ids(db: &Connection, ids: &[String]) -> Result<Vec<Account>, Fault> {
    let mut accounts = Vec::with_capacity(ids.len());
    for id in ids {
        accounts.extend(find(db, "id = ?1", (id,))?);
    }
    Ok(accounts)
}

pub(crate) fn by_id(db: &Connection, id: &str) -> Result<Option<Account>, Fault> {
    // The name that somebody had leads to them.
    let place = "number = (SELECT coalesce(alias_of, number) FROM accounts WHERE id = ?1)";
    find(db, place, (id,))
}

pub(crate) fn by_uuid(db: &Connection, uuid: [u8; 16]) -> Result<Option<Account>, Fault> {
    let place = "number = (SELECT coalesce(alias_of, number) FROM accounts WHERE uuid = ?1)";
    find(db, place, (uuid,))
}

pub(crate) fn by_outside(
    db: &Connection,
    outside: &OutsideIdentity,
) -> Result<Option<Account>, Fault> {
    let place =
        "number = (SELECT account FROM outside_identities WHERE issuer = ?1 AND subject = ?2)";
    find(db, place, (&outside.issuer, &outside.subject))
}

/// Those whose id begins so, but guests and those who are gone or barred.
pub(crate) fn by_prefix(db: &Connection, prefix: &str, limit: u32) -> Result<Vec<Account>, Fault> {
    let sql = format!(
        "SELECT {COLUMNS} FROM accounts
          WHERE id >= ?1 AND id < ?2 AND kind <> 'guest' AND deleted_at IS NULL
            AND barred_at IS NULL ORDER BY id LIMIT ?3"
    );
    let accounts = db
        .prepare_cached(&sql)?
        .query_map((prefix, format!("{prefix}{}", char::MAX), limit), account)?
        .collect::<Result<_, _>>()?;
    Ok(accounts)
}

/// Those whose id begins so, of every kind, also those who are gone; after that id.
pub(crate) fn of_all(
    db: &Connection,
    prefix: &str,
    after: &str,
    limit: u32,
) -> Result<Vec<Account>, Fault> {
    let sql = format!(
        "SELECT {COLUMNS} FROM accounts
          WHERE id >= ?1 AND id < ?2 AND id > ?3 AND alias_of IS NULL ORDER BY id LIMIT ?4"
    );
    let end = format!("{prefix}{}", char::MAX);
    let accounts = db
        .prepare_cached(&sql)?
        .query_map((prefix, end, after, limit), account)?
        .collect::<Result<_, _>>()?;
    Ok(accounts)
}

/// Changes what its owner may change. `None`: there is no such account, or no longer.
pub(crate) fn change(
    db: &Connection,
    number: PlayerId,
    change: ProfileChange,
) -> Result<Option<Account>, Fault> {
    let Some(mut account) = by_number(db, number)?.filter(|a| a.deleted_at.is_none()) else {
        return Ok(None);
    };
    let is_new_password = change.password_hash.is_some();
    change.apply(&mut account);
    write(db, &account)?;
    if is_new_password {
        mail::drop_tokens(db, number, MailPurpose::Reset)?;
    }
    Ok(Some(account))
}

/// Forgets who it was. Whether there was something to forget.
pub(crate) fn delete(
    db: &Connection,
    number: PlayerId,
    at: Timestamp,
    replacement_name: &str,
) -> Result<bool, Fault> {
    let Some(mut account) = by_number(db, number)?.filter(|a| a.deleted_at.is_none()) else {
        return Ok(false);
    };
    account.delete(at, replacement_name);
    write(db, &account)?;
    aliases::forget(db, number, at, replacement_name)?;
    db.prepare_cached("DELETE FROM outside_identities WHERE account = ?1")?
        .execute((Who(number),))?;
    // What a game did to ratings stays with the game.
    db.prepare_cached("DELETE FROM ratings WHERE account = ?1")?
        .execute((Who(number),))?;
    social::forget(db, number)?;
    webhooks::forget(db, number)?;
    correspondence::forget(db, number)?;
    db.prepare_cached("DELETE FROM tickets WHERE account = ?1")?
        .execute((Who(number),))?;
    tokens::revoke_all(db, number)?;
    Ok(true)
}

/// A name that is taken makes this a [`Error::Conflict`].
pub(super) fn write(db: &Connection, account: &Account) -> Result<(), Fault> {
    let written = db
        .prepare_cached(
            "UPDATE accounts SET id = :id, name = :name, email = :email, password_hash = :password_hash,
                    title = :title, is_admin = :is_admin, preferences = :preferences, deleted_at = :deleted_at,
                    barred_at = :barred_at, kind = :kind, alias_of = :alias_of,
                    display_name = :display_name
              WHERE number = :number",
        )?
        .execute(named_params! {
            ":number": Who(account.number),
            ":id": account.id,
            ":name": account.name,
            ":email": account.email,
            ":password_hash": account.password_hash,
            ":title": account.title,
            ":is_admin": account.is_admin,
            ":preferences": account.preferences,
            ":deleted_at": account.deleted_at.map(At),
            ":barred_at": account.barred_at.map(At),
            ":kind": account.kind.name(),
            ":alias_of": account.alias_of.map(Who),
            ":display_name": account.display_name,
        })?;
    match written {
        1 => Ok(()),
        _ => Err(Error::Conflict.into()),
    }
}

pub(super) fn find(
    db: &Connection,
    place: &str,
    params: impl Params,
) -> Result<Option<Account>, Fault> {
    let found = db
        .prepare_cached(&format!("SELECT {COLUMNS} FROM accounts WHERE {place}"))?
        .query_row(params, account)
        .optional()?;
    Ok(found)
}

pub(super) fn account(r: &SqlRow<'_>) -> Result<Account, rusqlite::Error> {
    let kind: String = r.get(4)?;
    Ok(Account {
        number: r.get::<_, Who>(0)?.0,
        uuid: r.get(1)?,
        id: r.get(2)?,
        name: r.get(3)?,
        kind: AccountKind::named(&kind).ok_or(rusqlite::Error::InvalidColumnType(
            4,
            kind,
            Type::Text,
        ))?,
        email: r.get(5)?,
        password_hash: r.get(6)?,
        title: r.get(7)?,
        is_admin: r.get(8)?,
        preferences: r.get(9)?,
        created_at: r.get::<_, At>(10)?.0,
        deleted_at: r.get::<_, Option<At>>(11)?.map(|at| at.0),
        barred_at: r.get::<_, Option<At>>(12)?.map(|at| at.0),
        alias_of: r.get::<_, Option<Who>>(13)?.map(|who| who.0),
        display_name: r.get(14)?,
    })
}
