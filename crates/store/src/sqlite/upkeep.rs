//! What the server notes about itself.

use chess::table::Outage;
use rusqlite::Connection;

use super::fault::Fault;
use super::values::{At, Number, int};
use crate::AuditEntry;
use crate::tables::OUTAGE_LIFETIME_MS;

pub(crate) fn note_outage(db: &Connection, outage: Outage) -> Result<(), Fault> {
    db.prepare_cached("DELETE FROM outages WHERE down_since BETWEEN ?1 AND ?2")?
        .execute((At(outage.down_since), At(outage.up_at)))?;
    db.prepare_cached("INSERT OR REPLACE INTO outages (down_since, up_at) VALUES (?1, ?2)")?
        .execute((At(outage.down_since), At(outage.up_at)))?;
    db.prepare_cached("DELETE FROM outages WHERE up_at < ?1")?
        .execute((int(outage.up_at.0.saturating_sub(OUTAGE_LIFETIME_MS)),))?;
    Ok(())
}

pub(crate) fn audit(db: &Connection, entry: &AuditEntry) -> Result<(), Fault> {
    db.prepare_cached(
        "INSERT INTO audit (at, actor, action, target, detail) VALUES (?1, ?2, ?3, ?4, ?5)",
    )?
    .execute((
        At(entry.at),
        &entry.actor,
        &entry.action,
        &entry.target,
        &entry.detail,
    ))?;
    Ok(())
}

/// Entries with their numbers, newest first.
pub(crate) fn audit_log(
    db: &Connection,
    before: Option<u64>,
    limit: u32,
) -> Result<Vec<(u64, AuditEntry)>, Fault> {
    let entries = db
        .prepare_cached(
            "SELECT id, at, actor, action, target, detail FROM audit
              WHERE id < ?1 ORDER BY id DESC LIMIT ?2",
        )?
        .query_map((before.map_or(i64::MAX, int), limit), |r| {
            let entry = AuditEntry {
                at: r.get::<_, At>(1)?.0,
                actor: r.get(2)?,
                action: r.get(3)?,
                target: r.get(4)?,
                detail: r.get(5)?,
            };
            Ok((r.get::<_, Number>(0)?.0, entry))
        })?
        .collect::<Result<_, _>>()?;
    Ok(entries)
}
