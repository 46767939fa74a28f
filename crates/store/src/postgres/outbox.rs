//! The outbox: written with a change, read by those who pass it on.

use chess::Timestamp;
use deadpool_postgres::Transaction;
use tokio_postgres::{Client, Row as SqlRow};

use super::Db;
use super::fault::Fault;
use super::steps::{Steps, value};
use super::values::{Columns, at, int, small, table, who};
use crate::{
    Change, EventKind, EventPlace, NewReport, OutboxEvent, OutboxPage, OutboxQuery, TableId,
};

/// Tells one thing of a change.
pub(super) const TELL: &str =
    "INSERT INTO outbox (at, type, table_id, version) VALUES ($1, $2, $3, $4)";

/// Places only ever rise, also where the numbers of transactions started over because a
/// dump was restored. Nobody else starts meanwhile.
pub(super) async fn go_on(client: &Client) -> Result<(), Fault> {
    client
        .batch_execute(
            "UPDATE outbox_base SET base = known.xid + 1 - pg_current_xact_id()::text::bigint
               FROM (SELECT greatest((SELECT max(xid) FROM outbox),
                                     (SELECT max(xid) FROM event_cursors), 0) AS xid) AS known
              WHERE known.xid > base + pg_current_xact_id()::text::bigint",
        )
        .await?;
    Ok(())
}

/// Tells what a change says is to be told.
pub(super) fn tell_all(steps: &mut Steps<'_>, change: &Change) {
    change
        .tells
        .iter()
        .for_each(|kind| tell(steps, change, kind));
}

/// Tells one thing of a change.
pub(super) fn tell(steps: &mut Steps<'_>, change: &Change, kind: EventKind) {
    steps.add(
        TELL,
        vec![
            value(at(change.at)),
            value(kind.name()),
            value(table(change.table)),
            value(small(change.version)),
        ],
    );
}

/// Tells once more what a change told.
pub(crate) async fn tell_again(
    db: &Db,
    kind: EventKind,
    id: TableId,
    version: u32,
    when: Timestamp,
) -> Result<(), Fault> {
    let insert = db.prepare_cached(TELL).await?;
    db.execute(
        &insert,
        &[&at(when), &kind.name(), &table(id), &small(version)],
    )
    .await?;
    Ok(())
}

/// Tells that somebody was reported.
pub(super) async fn tell_of_report(
    transaction: &Transaction<'_>,
    new: &NewReport,
    id: u64,
) -> Result<(), Fault> {
    let insert = transaction
        .prepare_cached(
            "INSERT INTO outbox (at, type, table_id, version, report) VALUES ($1, $2, $3, 0, $4)",
        )
        .await?;
    let kind = EventKind::PlayerReported.name();
    transaction
        .execute(
            &insert,
            &[&at(new.at), &kind, &new.table.map(table), &int(id)],
        )
        .await?;
    Ok(())
}

/// Events after a place.
pub(crate) async fn read(db: &Db, query: &OutboxQuery) -> Result<OutboxPage, Fault> {
    let select = db
        .prepare_cached(
            "SELECT o.xid, o.id, o.at, o.type, o.table_id, o.version, o.report,
                    $4::bigint = 0 OR EXISTS (SELECT 1 FROM seats s WHERE s.table_id = o.table_id
                                                 AND s.player = $4)
               FROM outbox o WHERE (o.xid, o.id) > ($1, $2) AND o.xid < event_horizon()
              ORDER BY o.xid, o.id LIMIT $3",
        )
        .await?;
    let player = query.player.map_or(0, who);
    let (xid, id) = (int(query.after.xid), int(query.after.id));
    let found = db
        .query(&select, &[&xid, &id, &i64::from(query.limit), &player])
        .await?;
    let one = |row: &SqlRow| Ok((event(row)?, row.col(7)?));
    let seen = found.iter().map(one).collect::<Result<_, Fault>>()?;
    Ok(OutboxPage::of(query, seen))
}

/// An event in the first seven columns.
pub(super) fn event(row: &SqlRow) -> Result<OutboxEvent, Fault> {
    let has_table = row.col::<Option<i64>>(4)?.is_some();
    let has_report = row.col::<Option<i64>>(6)?.is_some();
    Ok(OutboxEvent {
        place: place(row)?,
        at: row.at(2)?,
        kind: row.named(3, EventKind::named)?,
        table: has_table.then(|| row.table(4)).transpose()?,
        version: row.small(5)?,
        report: has_report.then(|| row.number(6)).transpose()?,
    })
}

fn place(row: &SqlRow) -> Result<EventPlace, Fault> {
    Ok(EventPlace {
        xid: row.number(0)?,
        id: row.number(1)?,
    })
}

/// The place of the newest event that can be read.
pub(crate) async fn end(db: &Db) -> Result<EventPlace, Fault> {
    let select = db
        .prepare_cached(
            "SELECT xid, id FROM outbox WHERE xid < event_horizon()
              ORDER BY xid DESC, id DESC LIMIT 1",
        )
        .await?;
    let newest = db.query_opt(&select, &[]).await?;
    newest.map_or(Ok(EventPlace::START), |row| place(&row))
}

/// How far somebody has come who passes events on.
pub(crate) async fn cursor(db: &Db, name: &str) -> Result<Option<EventPlace>, Fault> {
    let select = db
        .prepare_cached("SELECT xid, id FROM event_cursors WHERE name = $1")
        .await?;
    let found = db.query_opt(&select, &[&name]).await?;
    found.map(|row| place(&row)).transpose()
}

/// Moves a cursor on, unless somebody else did meanwhile. Whether it was moved.
pub(crate) async fn move_cursor(
    db: &Db,
    name: &str,
    from: Option<EventPlace>,
    to: EventPlace,
) -> Result<bool, Fault> {
    let (xid, id) = (int(to.xid), int(to.id));
    let moved = match from {
        None => {
            let insert = db
                .prepare_cached(
                    "INSERT INTO event_cursors (name, xid, id) VALUES ($1, $2, $3)
                     ON CONFLICT DO NOTHING",
                )
                .await?;
            db.execute(&insert, &[&name, &xid, &id]).await?
        }
        Some(from) => {
            let update = db
                .prepare_cached(
                    "UPDATE event_cursors SET xid = $2, id = $3
                      WHERE name = $1 AND xid = $4 AND id = $5",
                )
                .await?;
            let (was_xid, was_id) = (int(from.xid), int(from.id));
            db.execute(&update, &[&name, &xid, &id, &was_xid, &was_id])
                .await?
        }
    };
    Ok(moved > 0)
}

/// Takes a lease that nobody else has, or makes one's own longer. Whether it is ours.
pub(crate) async fn lease(
    db: &Db,
    name: &str,
    holder: u64,
    now: Timestamp,
    until: Timestamp,
) -> Result<bool, Fault> {
    let take = db
        .prepare_cached(
            "INSERT INTO leases (name, holder, until) VALUES ($1, $2, $4)
             ON CONFLICT (name) DO UPDATE SET holder = $2, until = $4
               WHERE leases.holder = $2 OR leases.until <= $3",
        )
        .await?;
    let taken = db
        .execute(&take, &[&name, &int(holder), &at(now), &at(until)])
        .await?;
    Ok(taken > 0)
}

/// Deletes some of the events from before that moment. How many.
pub(crate) async fn purge(db: &Db, before: Timestamp, limit: u32) -> Result<u64, Fault> {
    let delete = db
        .prepare_cached(
            "DELETE FROM outbox WHERE id IN (
               SELECT id FROM outbox WHERE at < $1 ORDER BY id LIMIT $2 FOR UPDATE SKIP LOCKED)",
        )
        .await?;
    let deleted = db
        .execute(&delete, &[&at(before), &i64::from(limit)])
        .await?;
    Ok(deleted)
}
