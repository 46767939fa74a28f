//! Outside identities that are not let in.

use chess::Timestamp;
use rusqlite::Connection;

use super::fault::Fault;
use super::values::At;
use crate::OutsideIdentity;

/// Blocks one; whether it was not blocked before.
pub(crate) fn block(db: &Connection, who: &OutsideIdentity, at: Timestamp) -> Result<bool, Fault> {
    let written = db
        .prepare_cached(
            "INSERT INTO blocked_identities (issuer, subject, at) VALUES (?1, ?2, ?3)
             ON CONFLICT DO NOTHING",
        )?
        .execute((&who.issuer, &who.subject, At(at)))?;
    Ok(written > 0)
}

/// Lets one in again; whether it was blocked.
pub(crate) fn unblock(db: &Connection, who: &OutsideIdentity) -> Result<bool, Fault> {
    let deleted = db
        .prepare_cached("DELETE FROM blocked_identities WHERE issuer = ?1 AND subject = ?2")?
        .execute((&who.issuer, &who.subject))?;
    Ok(deleted > 0)
}

pub(crate) fn is_blocked(db: &Connection, who: &OutsideIdentity) -> Result<bool, Fault> {
    let is_blocked = db
        .prepare_cached("SELECT 1 FROM blocked_identities WHERE issuer = ?1 AND subject = ?2")?
        .exists((&who.issuer, &who.subject))?;
    Ok(is_blocked)
}

/// Those that are blocked, with when, in the order of their names.
pub(crate) fn blocked(
    db: &Connection,
    after: &OutsideIdentity,
    limit: u32,
) -> Result<Vec<(OutsideIdentity, Timestamp)>, Fault> {
    let blocked = db
        .prepare_cached(
            "SELECT issuer, subject, at FROM blocked_identities
              WHERE (issuer, subject) > (?1, ?2) ORDER BY issuer, subject LIMIT ?3",
        )?
        .query_map((&after.issuer, &after.subject, limit), |r| {
            let who = OutsideIdentity {
                issuer: r.get(0)?,
                subject: r.get(1)?,
            };
            Ok((who, r.get::<_, At>(2)?.0))
        })?
        .collect::<Result<_, _>>()?;
    Ok(blocked)
}
