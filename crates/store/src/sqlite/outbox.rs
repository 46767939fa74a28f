//! The outbox: written with a change, read by those who pass it on.

use chess::Timestamp;
use rusqlite::{Connection, OptionalExtension, Row as SqlRow};

use super::fault::Fault;
use super::values::{At, Number, int};
use crate::{
    Change, EventKind, EventPlace, NewReport, OutboxEvent, OutboxPage, OutboxQuery, TableId,
};

const TELL: &str = "INSERT INTO outbox (at, type, table_id, version) VALUES (?1, ?2, ?3, ?4)";

/// Tells what a change says is to be told.
pub(super) fn tell_all(db: &Connection, change: &Change) -> Result<(), rusqlite::Error> {
    let mut kinds = change.tells.iter();
    kinds.try_for_each(|kind| tell(db, change, kind))
}

/// Tells one thing of a change.
pub(super) fn tell(
    db: &Connection,
    change: &Change,
    kind: EventKind,
) -> Result<(), rusqlite::Error> {
    db.prepare_cached(TELL)?
        .execute((At(change.at), kind.name(), change.table, change.version))?;
    Ok(())
}

/// Tells once more what a change told.
pub(crate) fn tell_again(
    db: &Connection,
    kind: EventKind,
    table: TableId,
    version: u32,
    at: Timestamp,
) -> Result<(), Fault> {
    db.prepare_cached(TELL)?
        .execute((At(at), kind.name(), table, version))?;
    Ok(())
}

/// Tells that somebody was reported.
pub(super) fn tell_of_report(db: &Connection, new: &NewReport, id: u64) -> Result<(), Fault> {
    db.prepare_cached(
        "INSERT INTO outbox (at, type, table_id, version, report) VALUES (?1, ?2, ?3, 0, ?4)",
    )?
    .execute((
        At(new.at),
        EventKind::PlayerReported.name(),
        new.table,
        int(id),
    ))?;
    Ok(())
}

/// Events after a place.
pub(crate) fn read(db: &Connection, query: &OutboxQuery) -> Result<OutboxPage, Fault> {
    let mut select = db.prepare_cached(
        "SELECT o.xid, o.id, o.at, o.type, o.table_id, o.version, o.report,
                ?3 = 0 OR EXISTS (SELECT 1 FROM tables t WHERE t.id = o.table_id
                                     AND ?3 IN (t.creator, t.opponent, t.white, t.black))
           FROM outbox o WHERE o.id > ?1 ORDER BY o.id LIMIT ?2",
    )?;
    let player = query.player.map_or(0, |player| i64::from(player.number()));
    let one = |r: &SqlRow<'_>| Ok((event(r)?, r.get(7)?));
    // A place of another store is one that nothing here comes after.
    let after = match query.after.xid {
        0 => int(query.after.id),
        _ => i64::MAX,
    };
    let asked = (after, query.limit, player);
    let seen = select.query_map(asked, one)?.collect::<Result<_, _>>()?;
    Ok(OutboxPage::of(query, seen))
}

/// An event in the first seven columns.
pub(super) fn event(r: &SqlRow<'_>) -> Result<OutboxEvent, rusqlite::Error> {
    let name: String = r.get(3)?;
    let kind = EventKind::named(&name);
    Ok(OutboxEvent {
        place: EventPlace {
            xid: r.get::<_, Number>(0)?.0,
            id: r.get::<_, Number>(1)?.0,
        },
        at: r.get::<_, At>(2)?.0,
        kind: kind.ok_or(rusqlite::Error::IntegralValueOutOfRange(3, 0))?,
        table: r.get(4)?,
        version: r.get(5)?,
        report: r.get::<_, Option<Number>>(6)?.map(|Number(id)| id),
    })
}

/// The place of the newest event.
pub(crate) fn end(db: &Connection) -> Result<EventPlace, Fault> {
    let newest = db
        .prepare_cached("SELECT xid, id FROM outbox ORDER BY id DESC LIMIT 1")?
        .query_row((), place)
        .optional()?;
    Ok(newest.unwrap_or(EventPlace::START))
}

fn place(r: &SqlRow<'_>) -> Result<EventPlace, rusqlite::Error> {
    Ok(EventPlace {
        xid: r.get::<_, Number>(0)?.0,
        id: r.get::<_, Number>(1)?.0,
    })
}

/// How far somebody has come who passes events on.
pub(crate) fn cursor(db: &Connection, name: &str) -> Result<Option<EventPlace>, Fault> {
    let found = db
        .prepare_cached("SELECT xid, id FROM event_cursors WHERE name = ?1")?
        .query_row((name,), place)
        .optional()?;
    Ok(found)
}

/// Moves a cursor on, unless somebody else did meanwhile. Whether it was moved.
pub(crate) fn move_cursor(
    db: &Connection,
    name: &str,
    from: Option<EventPlace>,
    to: EventPlace,
) -> Result<bool, Fault> {
    if cursor(db, name)? != from {
        return Ok(false);
    }
    db.prepare_cached("INSERT OR REPLACE INTO event_cursors (name, xid, id) VALUES (?1, ?2, ?3)")?
        .execute((name, int(to.xid), int(to.id)))?;
    Ok(true)
}

/// Takes a lease that nobody else has, or makes one's own longer. Whether it is ours.
pub(crate) fn lease(
    db: &Connection,
    name: &str,
    holder: u64,
    now: Timestamp,
    until: Timestamp,
) -> Result<bool, Fault> {
    let taken = db
        .prepare_cached(
            "INSERT INTO leases (name, holder, until) VALUES (?1, ?2, ?4)
             ON CONFLICT (name) DO UPDATE SET holder = ?2, until = ?4
               WHERE holder = ?2 OR until <= ?3",
        )?
        .execute((name, int(holder), At(now), At(until)))?;
    Ok(taken > 0)
}

/// Deletes some of the events from before that moment. How many.
pub(crate) fn purge(db: &Connection, before: Timestamp, limit: u32) -> Result<u64, Fault> {
    let deleted = db
        .prepare_cached(
            "DELETE FROM outbox WHERE id IN (SELECT id FROM outbox WHERE at < ?1 LIMIT ?2)",
        )?
        .execute((At(before), limit))?;
    Ok(deleted as u64)
}
