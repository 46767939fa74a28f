//! Who an account is at an outside service, if its owner has linked the two.

use chess::table::PlayerId;
use rusqlite::{Connection, OptionalExtension};

use super::accounts::{by_number, by_outside};
use super::fault::Fault;
use super::values::Who;
use crate::{AccountKind, OutsideIdentity};

pub(crate) fn of(db: &Connection, number: PlayerId) -> Result<Option<OutsideIdentity>, Fault> {
    let found = db
        .prepare_cached("SELECT issuer, subject FROM outside_identities WHERE account = ?1")?
        .query_row((Who(number),), |row| {
            Ok(OutsideIdentity {
                issuer: row.get(0)?,
                subject: row.get(1)?,
            })
        })
        .optional()?;
    Ok(found)
}

/// How often its links were changed; never, of an account that there is not.
pub(crate) fn count(db: &Connection, number: PlayerId) -> Result<u64, Fault> {
    let found = db
        .prepare_cached("SELECT links FROM accounts WHERE number = ?1")?
        .query_row((Who(number),), |row| row.get::<_, i64>(0))
        .optional()?;
    Ok(found.map_or(0, i64::cast_unsigned))
}

/// Whether it was done.
pub(crate) fn link(
    db: &Connection,
    number: PlayerId,
    outside: Option<OutsideIdentity>,
    count: u64,
) -> Result<bool, Fault> {
    let account = by_number(db, number)?.filter(|account| account.deleted_at.is_none());
    if account.is_none_or(|account| account.kind != AccountKind::Registered) {
        return Ok(false);
    }
    if let Some(outside) = &outside
        && by_outside(db, outside)?.is_some_and(|owner| owner.kind == AccountKind::Outside)
    {
        return Ok(false);
    }
    let counted = db
        .prepare_cached("UPDATE accounts SET links = links + 1 WHERE number = ?1 AND links = ?2")?
        .execute((Who(number), count.cast_signed()))?;
    if counted == 0 {
        return Ok(false);
    }
    db.prepare_cached("DELETE FROM outside_identities WHERE account = ?1")?
        .execute((Who(number),))?;
    if let Some(OutsideIdentity { issuer, subject }) = outside {
        db.prepare_cached(
            "INSERT INTO outside_identities (issuer, subject, account) VALUES (?1, ?2, ?3)
             ON CONFLICT (issuer, subject) DO UPDATE SET account = ?3",
        )?
        .execute((issuer, subject, Who(number)))?;
    }
    Ok(true)
}
