//! Webhooks: where events are sent to, and what became of each.

use std::collections::BTreeSet;

use chess::Timestamp;
use chess::table::PlayerId;
use rusqlite::{Connection, OptionalExtension, Params, Row as SqlRow, params};

use super::fault::Fault;
use super::outbox;
use super::values::{At, Number, Who, int};
use crate::webhooks::{BEHIND, CURSOR, NO_TABLE, bit_of_type, next_shown};
use crate::{
    Backlog, Claim, Delivery, DeliveryState, EventKind, EventKinds, EventPlace, FannedOut,
    MovesWanted, NewWebhook, Tried, Webhook,
};

const WEBHOOK: &str =
    "id, account, url, kinds, everything, secret, old_secret, old_until, created_at";
/// The event first, as [`outbox::event`] reads it.
const DELIVERY: &str = "xid, event, at, type, table_id, version, report, id, webhook, state, tries, \
                        next_at, claimed_until, status, error, created_at, ended_at";

/// Adds a webhook, unless its owner has so many.
pub(crate) fn add(db: &Connection, new: NewWebhook, max: u32) -> Result<Option<Webhook>, Fault> {
    let many: u32 = db
        .prepare_cached("SELECT count(*) FROM webhooks WHERE account = ?1")?
        .query_row((Who(new.account),), |r| r.get(0))?;
    if many >= max {
        return Ok(None);
    }
    db.prepare_cached(
        "INSERT INTO webhooks (account, url, kinds, everything, secret, created_at)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
    )?
    .execute((
        Who(new.account),
        &new.url,
        new.kinds.bits(),
        new.everything,
        &new.secret,
        At(new.at),
    ))?;
    let id = u64::try_from(db.last_insert_rowid()).unwrap_or(0);
    Ok(Some(new.numbered(id)))
}

/// Somebody's webhooks, oldest first.
pub(crate) fn of(db: &Connection, account: PlayerId) -> Result<Vec<Webhook>, Fault> {
    find(db, "account = ?1 ORDER BY id", (Who(account),))
}

/// Everybody's after that one, oldest first.
pub(crate) fn of_all(db: &Connection, after: u64, limit: u32) -> Result<Vec<Webhook>, Fault> {
    find(db, "id > ?1 ORDER BY id LIMIT ?2", (int(after), limit))
}

pub(crate) fn by_id(db: &Connection, id: u64) -> Result<Option<Webhook>, Fault> {
    Ok(find(db, "id = ?1", (int(id),))?.pop())
}

fn find(db: &Connection, place: &str, of: impl Params) -> Result<Vec<Webhook>, Fault> {
    let sql = format!("SELECT {WEBHOOK} FROM webhooks WHERE {place}");
    let found = db
        .prepare_cached(&sql)?
        .query_map(of, webhook)?
        .collect::<Result<_, _>>()?;
    Ok(found)
}

fn webhook(r: &SqlRow<'_>) -> Result<Webhook, rusqlite::Error> {
    let old: Option<String> = r.get(6)?;
    let until = r.get::<_, Option<At>>(7)?.map(|At(until)| until);
    Ok(Webhook {
        id: r.get::<_, Number>(0)?.0,
        account: r.get::<_, Who>(1)?.0,
        url: r.get(2)?,
        kinds: EventKinds::from_bits(r.get(3)?),
        everything: r.get(4)?,
        secret: r.get(5)?,
        old_secret: old.zip(until),
        created_at: r.get::<_, At>(8)?.0,
    })
}

/// Removes a webhook with its deliveries. Whether there was one.
pub(crate) fn remove(db: &Connection, account: PlayerId, id: u64) -> Result<bool, Fault> {
    db.prepare_cached(
        "DELETE FROM deliveries WHERE webhook IN
           (SELECT id FROM webhooks WHERE id = ?1 AND account = ?2)",
    )?
    .execute((int(id), Who(account)))?;
    let removed = db
        .prepare_cached("DELETE FROM webhooks WHERE id = ?1 AND account = ?2")?
        .execute((int(id), Who(account)))?;
    Ok(removed > 0)
}

/// Forgets the webhooks of somebody who is gone.
pub(super) fn forget(db: &Connection, account: PlayerId) -> Result<(), Fault> {
    for webhook in of(db, account)? {
        remove(db, account, webhook.id)?;
    }
    Ok(())
}

/// Gives a webhook another secret; the one before counts until then.
pub(crate) fn rotate(
    db: &Connection,
    account: PlayerId,
    id: u64,
    secret: &str,
    old_until: Timestamp,
) -> Result<Option<Webhook>, Fault> {
    let changed = db
        .prepare_cached(
            "UPDATE webhooks SET old_secret = secret, old_until = ?4, secret = ?3
              WHERE id = ?1 AND account = ?2",
        )?
        .execute((int(id), Who(account), secret, At(old_until)))?;
    match changed {
        0 => Ok(None),
        _ => by_id(db, id),
    }
}

/// Whose moves are to be told.
pub(crate) fn want_moves(db: &Connection) -> Result<MovesWanted, Fault> {
    let bit = EventKinds::NONE.with(EventKind::MovePlayed).bits();
    let wanted = db
        .prepare_cached("SELECT DISTINCT account, everything FROM webhooks WHERE kinds & ?1 <> 0")?
        .query_map((bit,), |r| Ok((r.get::<_, Who>(0)?.0, r.get(1)?)))?
        .collect::<Result<_, _>>()?;
    Ok(wanted)
}

/// Puts the next events in line for all who want them, and moves the cursor past them.
pub(crate) fn fan_out(db: &Connection, now: Timestamp, limit: u32) -> Result<FannedOut, Fault> {
    let Some(from) = outbox::cursor(db, CURSOR)? else {
        let end = outbox::end(db)?;
        outbox::move_cursor(db, CURSOR, None, end)?;
        return Ok(FannedOut::default());
    };
    let (events, last): (u32, Option<Number>) = db
        .prepare_cached(
            "SELECT count(*), max(id) FROM
               (SELECT id FROM outbox WHERE id > ?1 ORDER BY id LIMIT ?2)",
        )?
        .query_row((int(from.id), limit), |r| Ok((r.get(0)?, r.get(1)?)))?;
    let Some(Number(last)) = last else {
        return Ok(FannedOut::default());
    };
    let sql = fan_out_sql();
    let made = db
        .prepare_cached(&sql)?
        .execute((int(from.id), int(last), At(now)))?;
    let to = EventPlace { xid: 0, id: last };
    outbox::move_cursor(db, CURSOR, Some(from), to)?;
    Ok(FannedOut {
        events,
        deliveries: made as u64,
    })
}

/// From the players of each event to their webhooks, and from the webhooks for everything to
/// the events: what it costs is what comes of it, not how many webhooks there are.
fn fan_out_sql() -> String {
    let bit = bit_of_type();
    format!(
        "WITH wanted (webhook, event) AS (
           SELECT w.id, o.id FROM outbox o CROSS JOIN tables t ON t.id = o.table_id
            CROSS JOIN webhooks w ON w.account IN (t.creator, t.opponent, t.white, t.black)
            CROSS JOIN accounts a ON a.number = w.account
            WHERE o.id > ?1 AND o.id <= ?2 AND o.type <> 'PlayerReported' AND w.everything = 0
              AND w.kinds & ({bit}) <> 0 AND a.deleted_at IS NULL AND a.barred_at IS NULL
            UNION ALL
           SELECT w.id, o.id FROM webhooks w CROSS JOIN accounts a ON a.number = w.account
            CROSS JOIN outbox o
            WHERE o.id > ?1 AND o.id <= ?2 AND w.everything = 1 AND a.is_admin
              AND w.kinds & ({bit}) <> 0 AND a.deleted_at IS NULL AND a.barred_at IS NULL)
         INSERT INTO deliveries (webhook, queue, xid, event, at, type, table_id, version, report,
                                 state, tries, next_at, claimed_until, created_at)
         SELECT l.webhook, l.queue, l.xid, l.id, l.at, l.type, l.table_id, l.version, l.report,
                'waiting', 0,
                CASE WHEN l.place > 1 OR EXISTS (SELECT 1 FROM deliveries e
                            WHERE e.webhook = l.webhook AND e.queue = l.queue
                              AND e.state = 'waiting') THEN {BEHIND} ELSE ?3 END, 0, ?3
           FROM (SELECT w.webhook, coalesce(o.table_id, {NO_TABLE}) AS queue, o.*,
                        row_number() OVER (PARTITION BY w.webhook, coalesce(o.table_id, {NO_TABLE})
                                           ORDER BY o.id) AS place
                   FROM wanted w JOIN outbox o ON o.id = w.event) AS l
          ORDER BY l.id, l.webhook"
    )
}

/// The first of a line is due, now that what was before it is gone.
fn go_on(db: &Connection, (webhook, queue): (i64, i64), at: Timestamp) -> Result<(), Fault> {
    let sql = format!(
        "UPDATE deliveries SET next_at = ?3 WHERE next_at = {BEHIND} AND id =
           (SELECT min(id) FROM deliveries WHERE webhook = ?1 AND queue = ?2 AND state = 'waiting')"
    );
    db.prepare_cached(&sql)?.execute((webhook, queue, At(at)))?;
    Ok(())
}

/// Whether something may be claimed.
pub(crate) fn is_due(db: &Connection, now: Timestamp) -> Result<bool, Fault> {
    let found = db
        .prepare_cached(
            "SELECT EXISTS (SELECT 1 FROM deliveries INDEXED BY deliveries_due
              WHERE state = 'waiting' AND next_at <= ?1 AND claimed_until <= ?1)",
        )?
        .query_row((At(now),), |r| r.get(0))?;
    Ok(found)
}

/// Takes deliveries in hand: of each line the first, if it is due and nobody has it.
pub(crate) fn claim(db: &Connection, claim: &Claim) -> Result<Vec<Delivery>, Fault> {
    let list = |of: &[u64]| {
        let of: Vec<String> = of.iter().map(u64::to_string).collect();
        format!("[{}]", of.join(","))
    };
    let sql = format!(
        "WITH busy AS MATERIALIZED (
           SELECT w.account, count(*) AS many FROM json_each(?7) AS i
             JOIN webhooks w ON w.id = i.value GROUP BY w.account)
         UPDATE deliveries SET claimed_until = ?2, tries = tries + 1 WHERE id IN (
           SELECT id FROM (
             SELECT h.id, h.next_at,
                    row_number() OVER (PARTITION BY w.account ORDER BY h.next_at, h.id)
                    + coalesce((SELECT many FROM busy WHERE busy.account = w.account), 0)
                    AS of_account
               FROM (SELECT h.id, h.webhook, h.next_at,
                            row_number() OVER (PARTITION BY h.webhook ORDER BY h.next_at, h.id)
                            AS place
                       FROM deliveries h INDEXED BY deliveries_due
                      WHERE h.state = 'waiting' AND h.next_at <= ?1 AND h.claimed_until <= ?1
                        AND h.webhook NOT IN (SELECT value FROM json_each(?5))
                        AND NOT EXISTS (SELECT 1 FROM deliveries e WHERE e.webhook = h.webhook
                                           AND e.queue = h.queue AND e.state = 'waiting'
                                           AND e.id < h.id)) AS h
               JOIN webhooks w ON w.id = h.webhook
              WHERE h.place <= ?4)
            WHERE of_account <= ?6 ORDER BY next_at, id LIMIT ?3)
         RETURNING {DELIVERY}"
    );
    let found = db
        .prepare_cached(&sql)?
        .query_map(
            (
                At(claim.now),
                At(claim.until),
                claim.limit,
                claim.per_webhook,
                list(&claim.except),
                claim.per_account,
                list(&claim.in_hand),
            ),
            delivery,
        )?
        .collect::<Result<Vec<_>, _>>()?;
    Ok(found)
}

/// Notes what came of a try. That it was delivered counts always; anything else only if
/// nobody else has it in hand by now. Whether it counted.
pub(crate) fn settle(db: &Connection, tried: &Tried) -> Result<bool, Fault> {
    let next_at = tried.then.next_at();
    let line = db
        .prepare_cached(
            "UPDATE deliveries SET state = ?3, next_at = ?4, claimed_until = 0, status = ?5,
                    error = ?6, ended_at = ?7, tries = max(tries - ?8, 0)
              WHERE id = ?1 AND state = 'waiting' AND (claimed_until = ?2 OR ?3 = 'delivered')
             RETURNING webhook, queue",
        )?
        .query_row(
            params![
                int(tried.delivery),
                At(tried.claimed_until),
                tried.then.state().name(),
                At(next_at.unwrap_or(tried.at)),
                tried.status,
                &tried.error,
                next_at.is_none().then_some(At(tried.at)),
                tried.then.taken_back(),
            ],
            |r| Ok((r.get(0)?, r.get(1)?)),
        )
        .optional()?;
    if let (Some(line), None) = (line, next_at) {
        go_on(db, line, tried.at)?;
    }
    Ok(line.is_some())
}

/// Lets go of everything that is in hand.
pub(crate) fn release(db: &Connection) -> Result<(), Fault> {
    db.prepare_cached(
        "UPDATE deliveries SET claimed_until = 0 WHERE state = 'waiting' AND claimed_until > 0",
    )?
    .execute(())?;
    Ok(())
}

/// A webhook's deliveries from before that one, newest first.
pub(crate) fn deliveries(
    db: &Connection,
    webhook: u64,
    before: Option<u64>,
    limit: u32,
) -> Result<Vec<Delivery>, Fault> {
    let sql = format!(
        "SELECT {DELIVERY} FROM deliveries WHERE webhook = ?1 AND id < ?2 ORDER BY id DESC LIMIT ?3"
    );
    let before = before.map_or(i64::MAX, int);
    let found = db
        .prepare_cached(&sql)?
        .query_map((int(webhook), before, limit), delivery)?
        .collect::<Result<_, _>>()?;
    Ok(found)
}

/// Puts an event in line once more, behind what waits there.
pub(crate) fn redeliver(
    db: &Connection,
    webhook: u64,
    id: u64,
    now: Timestamp,
) -> Result<Option<Delivery>, Fault> {
    let sql = format!(
        "INSERT INTO deliveries (webhook, queue, xid, event, at, type, table_id, version, report,
                                 state, tries, next_at, claimed_until, created_at)
         SELECT webhook, queue, xid, event, at, type, table_id, version, report,
                'waiting', 0,
                CASE WHEN EXISTS (SELECT 1 FROM deliveries e WHERE e.webhook = d.webhook
                                     AND e.queue = d.queue AND e.state = 'waiting')
                     THEN {BEHIND} ELSE ?3 END, 0, ?3
           FROM deliveries d WHERE id = ?2 AND webhook = ?1
         RETURNING {DELIVERY}"
    );
    let made = db
        .prepare_cached(&sql)?
        .query_row((int(webhook), int(id), At(now)), delivery)
        .optional()?;
    Ok(made)
}

/// What is still to be delivered.
pub(crate) fn backlog(db: &Connection) -> Result<Backlog, Fault> {
    let found = db
        .prepare_cached("SELECT count(*), min(created_at) FROM deliveries WHERE state = 'waiting'")?
        .query_row((), |r| {
            Ok(Backlog {
                waiting: r.get::<_, Number>(0)?.0,
                oldest: r.get::<_, Option<At>>(1)?.map(|At(oldest)| oldest),
            })
        })?;
    Ok(found)
}

/// Deletes some of the deliveries from before that moment. How many.
pub(crate) fn purge(db: &Connection, before: Timestamp, limit: u32) -> Result<u64, Fault> {
    let deleted: Vec<(i64, i64, bool)> = db
        .prepare_cached(
            "DELETE FROM deliveries WHERE id IN
               (SELECT id FROM deliveries WHERE created_at < ?1 LIMIT ?2)
             RETURNING webhook, queue, state = 'waiting'",
        )?
        .query_map((At(before), limit), |r| {
            Ok((r.get(0)?, r.get(1)?, r.get(2)?))
        })?
        .collect::<Result<_, _>>()?;
    let cut: BTreeSet<(i64, i64)> = deleted
        .iter()
        .filter_map(|(webhook, queue, waited)| waited.then_some((*webhook, *queue)))
        .collect();
    for line in cut {
        go_on(db, line, before)?;
    }
    Ok(deleted.len() as u64)
}

fn delivery(r: &SqlRow<'_>) -> Result<Delivery, rusqlite::Error> {
    let state: String = r.get(9)?;
    let state = DeliveryState::named(&state);
    let created_at = r.get::<_, At>(15)?.0;
    Ok(Delivery {
        event: outbox::event(r)?,
        id: r.get::<_, Number>(7)?.0,
        webhook: r.get::<_, Number>(8)?.0,
        state: state.ok_or(rusqlite::Error::IntegralValueOutOfRange(9, 0))?,
        tries: r.get(10)?,
        next_at: next_shown(r.get::<_, At>(11)?.0, created_at),
        claimed_until: r.get::<_, At>(12)?.0,
        status: r.get(13)?,
        error: r.get(14)?,
        created_at,
        ended_at: r.get::<_, Option<At>>(16)?.map(|At(at)| at),
    })
}
