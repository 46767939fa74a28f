//! Numbers the store keeps for itself.

use rusqlite::{Connection, OptionalExtension};

use super::values::{Number, int};

/// The last moment the server is known to have been up.
pub(super) const ALIVE_AT: &str = "alive_at";
/// The journal was once trimmed up to here.
pub(super) const SEQ: &str = "seq";
/// The time was set back when the journal had come to here.
pub(super) const TIME_FROM: &str = "time_from";
/// How often somebody asked whether writing works.
pub(super) const PINGS: &str = "pings";

pub(super) fn get(db: &Connection, key: &str) -> Result<Option<u64>, rusqlite::Error> {
    db.prepare_cached("SELECT value FROM meta WHERE key = ?1")?
        .query_row((key,), |r| Ok(r.get::<_, Number>(0)?.0))
        .optional()
}

/// Makes a number larger, never smaller.
pub(super) fn raise(db: &Connection, key: &str, value: u64) -> Result<(), rusqlite::Error> {
    db.prepare_cached(
        "INSERT INTO meta (key, value) VALUES (?1, ?2)
         ON CONFLICT (key) DO UPDATE SET value = max(value, excluded.value)",
    )?
    .execute((key, int(value)))?;
    Ok(())
}

/// Counts one more.
pub(super) fn count(db: &Connection, key: &str) -> Result<(), rusqlite::Error> {
    db.prepare_cached(
        "INSERT INTO meta (key, value) VALUES (?1, 1)
         ON CONFLICT (key) DO UPDATE SET value = value + 1",
    )?
    .execute((key,))?;
    Ok(())
}
