//! The schema, as numbered steps from an empty file to today's.

use rusqlite::{Connection, TransactionBehavior};

use super::fault::unavailable;
use crate::Error;

/// The steps. The first makes version 1, and so on; a released step never
/// changes, a new one is added below it.
pub const MIGRATIONS: [&str; 20] = [
    include_str!("migrations/0001_first.sql"),
    include_str!("migrations/0002_chat.sql"),
    include_str!("migrations/0003_codes.sql"),
    include_str!("migrations/0004_lists.sql"),
    include_str!("migrations/0005_bars.sql"),
    include_str!("migrations/0006_tickets.sql"),
    include_str!("migrations/0007_ratings.sql"),
    include_str!("migrations/0008_social.sql"),
    include_str!("migrations/0009_correspondence.sql"),
    include_str!("migrations/0010_events.sql"),
    include_str!("migrations/0011_notifications.sql"),
    include_str!("migrations/0012_finished.sql"),
    include_str!("migrations/0013_analyses.sql"),
    include_str!("migrations/0014_live_game.sql"),
    include_str!("migrations/0015_aliases.sql"),
    include_str!("migrations/0016_console.sql"),
    include_str!("migrations/0017_links.sql"),
    include_str!("migrations/0018_sides.sql"),
    include_str!("migrations/0019_look.sql"),
    include_str!("migrations/0020_states.sql"),
];

/// The version this release reads and writes.
pub const VERSION: u32 = MIGRATIONS.len() as u32;

/// Marks a file as ours: "Arbi" in the header of the SQLite file.
pub const APPLICATION_ID: i32 = 0x4172_6269;

/// Brings a database to today's schema. Each step is one transaction, so a
/// crash between or within steps leaves a version that can be taken up again.
pub(super) fn migrate(db: &mut Connection) -> Result<(), Error> {
    let found = version(db)?;
    for (step, sql) in MIGRATIONS.iter().enumerate().skip(found as usize) {
        apply(db, step + 1, sql)
            .map_err(|e| unavailable("the schema could not be brought up to date", &e))?;
        tracing::info!(version = step + 1, "schema brought up to date");
    }
    Ok(())
}

/// The schema's version in a file that this release can use: 0 if it is empty.
pub(super) fn version(db: &Connection) -> Result<u32, Error> {
    let number = |pragma| db.pragma_query_value(None, pragma, |row| row.get::<_, i64>(0));
    let read = || -> Result<_, rusqlite::Error> {
        let objects: i64 = db.query_row("SELECT count(*) FROM sqlite_schema", (), |r| r.get(0))?;
        Ok((number("application_id")?, number("user_version")?, objects))
    };
    let (application, version, objects) =
        read().map_err(|e| unavailable("the database cannot be read", &e))?;
    let place = db.path().unwrap_or("the database");
    if application != i64::from(APPLICATION_ID) && (application, version, objects) != (0, 0, 0) {
        return Err(Error::Unavailable(format!(
            "{place} is a database of some other program"
        )));
    }
    u32::try_from(version)
        .ok()
        .filter(|version| *version <= VERSION)
        .ok_or_else(|| {
            Error::Unavailable(format!(
                "{place} has schema version {version}, written by a newer release; \
                 this one knows versions up to {VERSION}"
            ))
        })
}

fn apply(db: &mut Connection, version: usize, sql: &str) -> Result<(), rusqlite::Error> {
    let step = db.transaction_with_behavior(TransactionBehavior::Immediate)?;
    step.execute_batch(sql)?;
    step.pragma_update(None, "application_id", APPLICATION_ID)?;
    step.pragma_update(None, "user_version", version as i64)?;
    step.commit()
}
