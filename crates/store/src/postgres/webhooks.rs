//! Webhooks: where events are sent to, and what became of each.

use std::collections::BTreeSet;

use chess::Timestamp;
use chess::table::PlayerId;
use deadpool_postgres::{GenericClient, Transaction};
use tokio_postgres::Row as SqlRow;
use tokio_postgres::types::ToSql;

use super::Db;
use super::fault::Fault;
use super::outbox;
use super::values::{Columns, at, int, who};
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
pub(crate) async fn add(db: &mut Db, new: NewWebhook, max: u32) -> Result<Option<Webhook>, Fault> {
    let transaction = db.transaction().await?;
    // Of two at once the second waits here, and counts the first.
    let hold = "SELECT 1 FROM accounts WHERE number = $1 FOR UPDATE";
    let hold = transaction.prepare_cached(hold).await?;
    transaction.execute(&hold, &[&who(new.account)]).await?;
    let count = "SELECT count(*) FROM webhooks WHERE account = $1";
    let count = transaction.prepare_cached(count).await?;
    let many = transaction.query_one(&count, &[&who(new.account)]).await?;
    if many.number(0)? >= u64::from(max) {
        return Ok(None);
    }
    let insert = transaction
        .prepare_cached(
            "INSERT INTO webhooks (account, url, kinds, everything, secret, created_at)
             VALUES ($1, $2, $3, $4, $5, $6) RETURNING id",
        )
        .await?;
    let made = transaction
        .query_one(
            &insert,
            &[
                &who(new.account),
                &new.url,
                &i64::from(new.kinds.bits()),
                &new.everything,
                &new.secret,
                &at(new.at),
            ],
        )
        .await?;
    let id = made.number(0)?;
    transaction.commit().await?;
    Ok(Some(new.numbered(id)))
}

/// Somebody's webhooks, oldest first.
pub(crate) async fn of(db: &Db, account: PlayerId) -> Result<Vec<Webhook>, Fault> {
    find(db, "account = $1 ORDER BY id", &[&who(account)]).await
}

/// Everybody's after that one, oldest first.
pub(crate) async fn of_all(db: &Db, after: u64, limit: u32) -> Result<Vec<Webhook>, Fault> {
    let place = "id > $1 ORDER BY id LIMIT $2";
    find(db, place, &[&int(after), &i64::from(limit)]).await
}

pub(crate) async fn by_id(db: &Db, id: u64) -> Result<Option<Webhook>, Fault> {
    Ok(find(db, "id = $1", &[&int(id)]).await?.pop())
}

async fn find(db: &Db, place: &str, of: &[&(dyn ToSql + Sync)]) -> Result<Vec<Webhook>, Fault> {
    let sql = format!("SELECT {WEBHOOK} FROM webhooks WHERE {place}");
    let select = db.prepare_cached(&sql).await?;
    db.query(&select, of).await?.iter().map(webhook).collect()
}

fn webhook(row: &SqlRow) -> Result<Webhook, Fault> {
    let old: Option<String> = row.col(6)?;
    let kinds: i64 = row.col(3)?;
    Ok(Webhook {
        id: row.number(0)?,
        account: row.who(1)?,
        url: row.col(2)?,
        kinds: EventKinds::from_bits(u8::try_from(kinds).unwrap_or(0)),
        everything: row.col(4)?,
        secret: row.col(5)?,
        old_secret: old.zip(row.at_or(7)?),
        created_at: row.at(8)?,
    })
}

/// Removes a webhook with its deliveries. Whether there was one.
pub(crate) async fn remove(db: &Db, account: PlayerId, id: u64) -> Result<bool, Fault> {
    let delete = db
        .prepare_cached("DELETE FROM webhooks WHERE id = $1 AND account = $2")
        .await?;
    let removed = db.execute(&delete, &[&int(id), &who(account)]).await?;
    Ok(removed > 0)
}

/// Forgets the webhooks of somebody who is gone.
pub(super) async fn forget(transaction: &Transaction<'_>, account: PlayerId) -> Result<(), Fault> {
    // In the order of those who put events in line, so that neither waits for the other.
    let lock = "SELECT 1 FROM webhooks WHERE account = $1 ORDER BY id FOR UPDATE";
    let lock = transaction.prepare_cached(lock).await?;
    transaction.execute(&lock, &[&who(account)]).await?;
    let delete = "DELETE FROM webhooks WHERE account = $1";
    let delete = transaction.prepare_cached(delete).await?;
    transaction.execute(&delete, &[&who(account)]).await?;
    Ok(())
}

/// Gives a webhook another secret; the one before counts until then.
pub(crate) async fn rotate(
    db: &Db,
    account: PlayerId,
    id: u64,
    secret: &str,
    old_until: Timestamp,
) -> Result<Option<Webhook>, Fault> {
    let update = db
        .prepare_cached(&format!(
            "UPDATE webhooks SET old_secret = secret, old_until = $4, secret = $3
              WHERE id = $1 AND account = $2 RETURNING {WEBHOOK}"
        ))
        .await?;
    let asked: [&(dyn ToSql + Sync); 4] = [&int(id), &who(account), &secret, &at(old_until)];
    let changed = db.query_opt(&update, &asked).await?;
    changed.map(|row| webhook(&row)).transpose()
}

/// Whose moves are to be told.
pub(crate) async fn want_moves(db: &Db) -> Result<MovesWanted, Fault> {
    let bit = EventKinds::NONE.with(EventKind::MovePlayed).bits();
    let select = db
        .prepare_cached("SELECT DISTINCT account, everything FROM webhooks WHERE kinds & $1 <> 0")
        .await?;
    let found = db.query(&select, &[&i64::from(bit)]).await?;
    let owner = |row: &SqlRow| Ok((row.who(0)?, row.col(1)?));
    found.iter().map(owner).collect()
}

/// Puts the next events in line for all who want them, and moves the cursor past them.
/// One does it at a time: the cursor is locked.
pub(crate) async fn fan_out(db: &mut Db, now: Timestamp, limit: u32) -> Result<FannedOut, Fault> {
    let transaction = db.transaction().await?;
    let lock = "SELECT xid, id FROM event_cursors WHERE name = $1 FOR UPDATE";
    let lock = transaction.prepare_cached(lock).await?;
    let Some(from) = transaction.query_opt(&lock, &[&CURSOR]).await? else {
        let begin = "INSERT INTO event_cursors (name, xid, id)
                     SELECT $1, coalesce(max(o.xid), 0), coalesce(max(o.id), 0) FROM (
                       SELECT xid, id FROM outbox WHERE xid < event_horizon()
                        ORDER BY xid DESC, id DESC LIMIT 1) AS o
                     ON CONFLICT DO NOTHING";
        let begin = transaction.prepare_cached(begin).await?;
        transaction.execute(&begin, &[&CURSOR]).await?;
        transaction.commit().await?;
        return Ok(FannedOut::default());
    };
    let (xid, id): (i64, i64) = (from.col(0)?, from.col(1)?);
    let page = "SELECT count(*), (max(ARRAY[p.xid, p.id]))[1], (max(ARRAY[p.xid, p.id]))[2] FROM (
                  SELECT xid, id FROM outbox WHERE (xid, id) > ($1, $2) AND xid < event_horizon()
                   ORDER BY xid, id LIMIT $3) AS p";
    let page = transaction.prepare_cached(page).await?;
    let page = transaction
        .query_one(&page, &[&xid, &id, &i64::from(limit)])
        .await?;
    let events = u32::try_from(page.number(0)?).unwrap_or(u32::MAX);
    if events == 0 {
        return Ok(FannedOut::default());
    }
    let to = EventPlace {
        xid: page.number(1)?,
        id: page.number(2)?,
    };
    let place: [&(dyn ToSql + Sync); 5] = [&xid, &id, &int(to.xid), &int(to.id), &at(now)];
    // Meanwhile nothing of theirs ends: a line that has a first keeps it until this is seen.
    let wanted = wanted_sql();
    let lock = format!(
        "{wanted} SELECT 1 FROM webhooks WHERE id IN (SELECT webhook FROM wanted)
          ORDER BY id FOR NO KEY UPDATE"
    );
    let lock = transaction.prepare_cached(&lock).await?;
    transaction.execute(&lock, &place[..4]).await?;
    let insert = transaction.prepare_cached(&fan_out_sql()).await?;
    let deliveries = transaction.execute(&insert, &place).await?;
    let update = "UPDATE event_cursors SET xid = $2, id = $3 WHERE name = $1";
    let update = transaction.prepare_cached(update).await?;
    transaction
        .execute(&update, &[&CURSOR, &int(to.xid), &int(to.id)])
        .await?;
    transaction.commit().await?;
    Ok(FannedOut { events, deliveries })
}

/// Which webhooks want which of the events after a place, up to another. From the players of
/// each event to their webhooks, and from the webhooks for everything to the events: what it
/// costs is what comes of it, not how many webhooks there are.
fn wanted_sql() -> String {
    let bit = bit_of_type();
    format!(
        "WITH page AS MATERIALIZED (
           SELECT * FROM outbox o WHERE (o.xid, o.id) > ($1, $2) AND (o.xid, o.id) <= ($3, $4)
         ), wanted AS MATERIALIZED (
           SELECT w.id AS webhook, o.xid, o.id
             FROM page o CROSS JOIN LATERAL (
               SELECT DISTINCT player FROM seats WHERE table_id = o.table_id) AS s
             JOIN webhooks w ON w.account = s.player AND NOT w.everything
             JOIN accounts a ON a.number = w.account
            WHERE o.type <> 'PlayerReported' AND w.kinds & ({bit}) <> 0
              AND a.deleted_at IS NULL AND a.barred_at IS NULL
            UNION ALL
           SELECT w.id, o.xid, o.id
             FROM webhooks w JOIN accounts a ON a.number = w.account CROSS JOIN page o
            WHERE w.everything AND a.is_admin AND w.kinds & ({bit}) <> 0
              AND a.deleted_at IS NULL AND a.barred_at IS NULL)"
    )
}

fn fan_out_sql() -> String {
    let wanted = wanted_sql();
    format!(
        "{wanted}
         INSERT INTO deliveries (webhook, queue, xid, event, at, type, table_id, version, report,
                                 state, tries, next_at, claimed_until, created_at)
         SELECT l.webhook, l.queue, l.xid, l.id, l.at, l.type, l.table_id, l.version, l.report,
                'waiting', 0,
                CASE WHEN l.place > 1 OR EXISTS (SELECT 1 FROM deliveries e
                            WHERE e.webhook = l.webhook AND e.queue = l.queue
                              AND e.state = 'waiting') THEN {BEHIND} ELSE $5::bigint END,
                0, $5::bigint
           FROM (SELECT w.webhook, coalesce(o.table_id, {NO_TABLE}) AS queue, o.*,
                        row_number() OVER (PARTITION BY w.webhook, coalesce(o.table_id, {NO_TABLE})
                                           ORDER BY o.xid, o.id) AS place
                   FROM wanted w JOIN page o ON o.xid = w.xid AND o.id = w.id) AS l
          ORDER BY l.xid, l.id, l.webhook"
    )
}

/// The first of a line is due, now that what was before it is gone. Whoever calls this holds
/// the webhook, so that all that is put in line behind is seen.
async fn go_on(
    transaction: &Transaction<'_>,
    (webhook, queue): (i64, i64),
    now: Timestamp,
) -> Result<(), Fault> {
    let update = transaction
        .prepare_cached(&format!(
            "UPDATE deliveries SET next_at = $3 WHERE next_at = {BEHIND} AND id = (
               SELECT min(id) FROM deliveries
                WHERE webhook = $1 AND queue = $2 AND state = 'waiting')"
        ))
        .await?;
    transaction
        .execute(&update, &[&webhook, &queue, &at(now)])
        .await?;
    Ok(())
}

/// Takes deliveries in hand: of each line the first, if it is due and nobody has it.
pub(crate) async fn claim(db: &Db, claim: &Claim) -> Result<Vec<Delivery>, Fault> {
    let update = db
        .prepare_cached(&format!(
            "WITH busy AS MATERIALIZED (
               SELECT w.account, count(*) AS many FROM unnest($7::bigint[]) AS i (webhook)
                 JOIN webhooks w ON w.id = i.webhook GROUP BY w.account)
             UPDATE deliveries d SET claimed_until = $2, tries = d.tries + 1
              WHERE d.state = 'waiting' AND d.claimed_until <= $1 AND d.id IN (
                SELECT id FROM (
                  SELECT h.id, h.next_at,
                         row_number() OVER (PARTITION BY w.account ORDER BY h.next_at, h.id)
                         + coalesce((SELECT many FROM busy WHERE busy.account = w.account), 0)
                         AS of_account
                    FROM (SELECT h.id, h.webhook, h.next_at,
                                 row_number() OVER (PARTITION BY h.webhook
                                                    ORDER BY h.next_at, h.id) AS place
                            FROM deliveries h
                           WHERE h.state = 'waiting' AND h.next_at <= $1
                             AND h.claimed_until <= $1 AND h.webhook <> ALL($5)
                             AND NOT EXISTS (SELECT 1 FROM deliveries e
                                              WHERE e.webhook = h.webhook AND e.queue = h.queue
                                                AND e.state = 'waiting' AND e.id < h.id)) AS h
                    JOIN webhooks w ON w.id = h.webhook
                   WHERE h.place <= $4) AS heads
                 WHERE of_account <= $6 ORDER BY next_at, id LIMIT $3)
             RETURNING {DELIVERY}"
        ))
        .await?;
    let list = |of: &[u64]| -> Vec<i64> { of.iter().map(|id| int(*id)).collect() };
    let found = db
        .query(
            &update,
            &[
                &at(claim.now),
                &at(claim.until),
                &i64::from(claim.limit),
                &i64::from(claim.per_webhook),
                &list(&claim.except),
                &i64::from(claim.per_account),
                &list(&claim.in_hand),
            ],
        )
        .await?;
    found.iter().map(delivery).collect()
}

/// Notes what came of a try. That it was delivered counts always; anything else only if
/// nobody else has it in hand by now. Whether it counted.
pub(crate) async fn settle(db: &mut Db, tried: &Tried) -> Result<bool, Fault> {
    let transaction = db.transaction().await?;
    let next_at = tried.then.next_at();
    if next_at.is_none() {
        // Nothing is put in line behind it meanwhile that would not be seen to be the next.
        let hold =
            "SELECT 1 FROM webhooks WHERE id = (SELECT webhook FROM deliveries WHERE id = $1)
                       FOR SHARE";
        let hold = transaction.prepare_cached(hold).await?;
        transaction.execute(&hold, &[&int(tried.delivery)]).await?;
    }
    let update = transaction
        .prepare_cached(
            "UPDATE deliveries SET state = $3, next_at = $4, claimed_until = 0, status = $5,
                    error = $6, ended_at = $7, tries = greatest(tries - $8, 0)
              WHERE id = $1 AND state = 'waiting' AND (claimed_until = $2 OR $3 = 'delivered')
             RETURNING webhook, queue",
        )
        .await?;
    let changed = transaction
        .query_opt(
            &update,
            &[
                &int(tried.delivery),
                &at(tried.claimed_until),
                &tried.then.state().name(),
                &at(next_at.unwrap_or(tried.at)),
                &tried.status.map(i32::from),
                &tried.error,
                &next_at.is_none().then_some(at(tried.at)),
                &i32::from(tried.then.taken_back()),
            ],
        )
        .await?;
    if let (Some(row), None) = (&changed, next_at) {
        go_on(&transaction, (row.col(0)?, row.col(1)?), tried.at).await?;
    }
    transaction.commit().await?;
    Ok(changed.is_some())
}

/// Lets go of everything that is in hand.
pub(crate) async fn release(db: &Db) -> Result<(), Fault> {
    let update =
        "UPDATE deliveries SET claimed_until = 0 WHERE state = 'waiting' AND claimed_until > 0";
    db.execute(update, &[]).await?;
    Ok(())
}

/// A webhook's deliveries from before that one, newest first.
pub(crate) async fn deliveries(
    db: &Db,
    webhook: u64,
    before: Option<u64>,
    limit: u32,
) -> Result<Vec<Delivery>, Fault> {
    let select = db
        .prepare_cached(&format!(
            "SELECT {DELIVERY} FROM deliveries WHERE webhook = $1 AND id < $2
              ORDER BY id DESC LIMIT $3"
        ))
        .await?;
    let before = before.map_or(i64::MAX, int);
    let found = db
        .query(&select, &[&int(webhook), &before, &i64::from(limit)])
        .await?;
    found.iter().map(delivery).collect()
}

/// Puts an event in line once more, behind what waits there.
pub(crate) async fn redeliver(
    db: &mut Db,
    webhook: u64,
    id: u64,
    now: Timestamp,
) -> Result<Option<Delivery>, Fault> {
    let transaction = db.transaction().await?;
    let lock = "SELECT 1 FROM webhooks WHERE id = $1 FOR NO KEY UPDATE";
    let lock = transaction.prepare_cached(lock).await?;
    transaction.execute(&lock, &[&int(webhook)]).await?;
    let insert = transaction
        .prepare_cached(&format!(
            "INSERT INTO deliveries (webhook, queue, xid, event, at, type, table_id, version, report,
                                     state, tries, next_at, claimed_until, created_at)
             SELECT webhook, queue, xid, event, at, type, table_id, version, report,
                    'waiting', 0,
                    CASE WHEN EXISTS (SELECT 1 FROM deliveries e WHERE e.webhook = d.webhook
                                         AND e.queue = d.queue AND e.state = 'waiting')
                         THEN {BEHIND} ELSE $3::bigint END, 0, $3::bigint
               FROM deliveries d WHERE id = $2 AND webhook = $1
             RETURNING {DELIVERY}"
        ))
        .await?;
    let asked: [&(dyn ToSql + Sync); 3] = [&int(webhook), &int(id), &at(now)];
    let made = transaction.query_opt(&insert, &asked).await?;
    transaction.commit().await?;
    made.map(|row| delivery(&row)).transpose()
}

/// What is still to be delivered.
pub(crate) async fn backlog(db: &Db) -> Result<Backlog, Fault> {
    let select = db
        .prepare_cached("SELECT count(*), min(created_at) FROM deliveries WHERE state = 'waiting'")
        .await?;
    let found = db.query_one(&select, &[]).await?;
    Ok(Backlog {
        waiting: found.number(0)?,
        oldest: found.at_or(1)?,
    })
}

/// Deletes some of the deliveries from before that moment. How many.
pub(crate) async fn purge(db: &mut Db, before: Timestamp, limit: u32) -> Result<u64, Fault> {
    let transaction = db.transaction().await?;
    let select = "SELECT id, webhook FROM deliveries WHERE created_at < $1
                   ORDER BY created_at LIMIT $2";
    let select = transaction.prepare_cached(select).await?;
    let old = transaction
        .query(&select, &[&at(before), &i64::from(limit)])
        .await?;
    let ids = old.iter().map(|row| row.col(0));
    let ids = ids.collect::<Result<Vec<i64>, _>>()?;
    let webhooks = old.iter().map(|row| row.col(1));
    let webhooks = webhooks.collect::<Result<BTreeSet<i64>, _>>()?;
    let webhooks: Vec<i64> = webhooks.into_iter().collect();
    let lock = "SELECT 1 FROM webhooks WHERE id = ANY($1) ORDER BY id FOR NO KEY UPDATE";
    let lock = transaction.prepare_cached(lock).await?;
    transaction.execute(&lock, &[&webhooks]).await?;
    let delete = transaction
        .prepare_cached(
            "DELETE FROM deliveries WHERE id IN (
               SELECT id FROM deliveries WHERE id = ANY($1) FOR UPDATE SKIP LOCKED)
             RETURNING webhook, queue, state = 'waiting'",
        )
        .await?;
    let deleted = transaction.query(&delete, &[&ids]).await?;
    let mut cut: BTreeSet<(i64, i64)> = BTreeSet::new();
    for row in &deleted {
        if row.col(2)? {
            cut.insert((row.col(0)?, row.col(1)?));
        }
    }
    for line in cut {
        go_on(&transaction, line, before).await?;
    }
    transaction.commit().await?;
    Ok(deleted.len() as u64)
}

fn delivery(row: &SqlRow) -> Result<Delivery, Fault> {
    let status: Option<i32> = row.col(13)?;
    let created_at = row.at(15)?;
    Ok(Delivery {
        event: outbox::event(row)?,
        id: row.number(7)?,
        webhook: row.number(8)?,
        state: row.named(9, DeliveryState::named)?,
        tries: row.small(10)?,
        next_at: next_shown(row.at(11)?, created_at),
        claimed_until: row.at(12)?,
        status: status.and_then(|status| u16::try_from(status).ok()),
        error: row.col(14)?,
        created_at,
        ended_at: row.at_or(16)?,
    })
}
