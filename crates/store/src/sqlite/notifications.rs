//! What is to be told, and was.

use chess::Timestamp;
use chess::table::PlayerId;
use rusqlite::types::Type;
use rusqlite::{Connection, OptionalExtension, Params, Row as SqlRow};

use super::fault::Fault;
use super::values::{At, Number, Who, int};
use crate::{Channel, Held, NewNotification, Notification, NotificationClaim, OutboxStep, Settled};

const COLUMNS: &str = "id, key, account, kind, channel, table_id, version, subscription, at, due_at, tries, \
                       claimed_until";

/// Where a reader of the outbox is, if that one may read now.
pub(crate) fn take_cursor(
    db: &Connection,
    name: &str,
    holder: u64,
    now: Timestamp,
    until: Timestamp,
) -> Result<Option<String>, Fault> {
    let place = db
        .prepare_cached(
            "INSERT INTO notify_cursors (name, place, holder, until) VALUES (?1, '', ?2, ?4)
             ON CONFLICT (name) DO UPDATE SET holder = excluded.holder, until = excluded.until
              WHERE notify_cursors.holder = excluded.holder OR notify_cursors.until <= ?3
             RETURNING place",
        )?
        .query_row((name, int(holder), At(now), At(until)), |r| r.get(0))
        .optional()?;
    Ok(place)
}

/// Writes down what is to be told; with a step, only if that can be taken.
pub(crate) fn add(
    db: &Connection,
    step: Option<&OutboxStep>,
    new: &[NewNotification],
) -> Result<bool, Fault> {
    if let Some(step) = step {
        let moved = db
            .prepare_cached(
                "UPDATE notify_cursors SET place = ?4 WHERE name = ?1 AND holder = ?2 AND place = ?3",
            )?
            .execute((&step.name, int(step.holder), &step.from, &step.to))?;
        if moved == 0 {
            return Ok(false);
        }
    }
    let mut insert = db.prepare_cached(
        "INSERT INTO notifications (key, account, kind, channel, table_id, version, subscription,
                                    at, due_at, tries, claimed_until, done_at, outcome)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, 0, 0, ?10, ?11) ON CONFLICT (key) DO NOTHING",
    )?;
    for new in new {
        let is_told = new.channel == Channel::Stream;
        insert.execute((
            &new.key,
            Who(new.account),
            &new.kind,
            new.channel.name(),
            new.table,
            new.version,
            new.subscription.map(int),
            At(new.at),
            At(new.due_at),
            is_told.then_some(At(new.at)),
            is_told.then_some("sent"),
        ))?;
    }
    Ok(true)
}

/// Those that are due, for whoever asks alone until then.
pub(crate) fn claim(
    db: &Connection,
    claim: &NotificationClaim,
) -> Result<Vec<Notification>, Fault> {
    let sql = format!(
        "UPDATE notifications SET claimed_until = ?2, tries = tries + 1 WHERE id IN (
           SELECT id FROM (
             SELECT h.id, h.due_at,
                    row_number() OVER (PARTITION BY h.account ORDER BY h.due_at, h.id)
                    + (SELECT count(*) FROM notifications c
                        WHERE c.account = h.account AND c.channel = ?5 AND c.done_at IS NULL
                          AND c.claimed_until > ?1) AS place
               FROM notifications h INDEXED BY notifications_due
              WHERE h.done_at IS NULL AND h.due_at <= ?1 AND h.claimed_until <= ?1
                AND h.channel = ?5)
            WHERE place <= ?4 ORDER BY due_at, id LIMIT ?3) RETURNING {COLUMNS}"
    );
    let params = (
        At(claim.now),
        At(claim.until),
        claim.limit,
        claim.per_account,
        claim.channel.name(),
    );
    several(db, &sql, params, true)
}

/// Everything else of that kind that waits for an account, due or not.
pub(crate) fn claim_alike(
    db: &Connection,
    account: PlayerId,
    kind: &str,
    channel: Channel,
    now: Timestamp,
    until: Timestamp,
) -> Result<Vec<Notification>, Fault> {
    let sql = format!(
        "UPDATE notifications SET claimed_until = ?5
          WHERE account = ?1 AND kind = ?2 AND channel = ?3 AND done_at IS NULL AND claimed_until <= ?4
         RETURNING {COLUMNS}"
    );
    let params = (Who(account), kind, channel.name(), At(now), At(until));
    several(db, &sql, params, false)
}

/// What became of them.
pub(crate) fn settle(db: &Connection, held: &[Held], settled: Settled) -> Result<(), Fault> {
    for held in held {
        let (id, until) = (int(held.id), At(held.until));
        match settled {
            Settled::Sent(at) => db.prepare_cached(SENT)?.execute((id, At(at)))?,
            Settled::Dropped(at) => db.prepare_cached(DROPPED)?.execute((id, At(at), until))?,
            Settled::Later(at) => {
                let mut update = db.prepare_cached(LATER)?;
                update.execute((id, At(at), until, false))?
            }
            Settled::Put(at) => {
                let mut update = db.prepare_cached(LATER)?;
                update.execute((id, At(at), until, held.is_tried))?
            }
        };
    }
    Ok(())
}

const SENT: &str =
    "UPDATE notifications SET done_at = ?2, outcome = 'sent' WHERE id = ?1 AND done_at IS NULL";
const DROPPED: &str = "UPDATE notifications SET done_at = ?2, outcome = 'dropped'
    WHERE id = ?1 AND done_at IS NULL AND claimed_until = ?3";
const LATER: &str = "UPDATE notifications SET due_at = ?2, claimed_until = 0, tries = tries - ?4
    WHERE id = ?1 AND done_at IS NULL AND claimed_until = ?3";

/// Whoever was about to send something is gone.
pub(crate) fn release(db: &Connection) -> Result<(), Fault> {
    db.execute(
        "UPDATE notifications SET claimed_until = 0 WHERE done_at IS NULL AND claimed_until > 0",
        (),
    )?;
    Ok(())
}

/// What an account's stream was told after that one, in order.
pub(crate) fn streamed(
    db: &Connection,
    account: PlayerId,
    after: u64,
    limit: u32,
) -> Result<Vec<Notification>, Fault> {
    let sql = format!(
        "SELECT {COLUMNS} FROM notifications
          WHERE account = ?1 AND channel = 'stream' AND id > ?2 ORDER BY id LIMIT ?3"
    );
    several(db, &sql, (Who(account), int(after), limit), false)
}

/// The last that an account's stream was told; 0: nothing yet.
pub(crate) fn last_streamed(db: &Connection, account: PlayerId) -> Result<u64, Fault> {
    let last = db
        .prepare_cached(
            "SELECT max(id) FROM notifications WHERE account = ?1 AND channel = 'stream'",
        )?
        .query_row((Who(account),), |r| r.get::<_, Option<Number>>(0))?;
    Ok(last.map_or(0, |id| id.0))
}

/// When an account was last told something of that kind in that way.
pub(crate) fn last_sent(
    db: &Connection,
    account: PlayerId,
    kind: &str,
    channel: Channel,
) -> Result<Option<Timestamp>, Fault> {
    let last = db
        .prepare_cached(
            "SELECT max(done_at) FROM notifications
              WHERE account = ?1 AND channel = ?2 AND kind = ?3 AND outcome = 'sent'",
        )?
        .query_row((Who(account), channel.name(), kind), |r| {
            r.get::<_, Option<At>>(0)
        })?;
    Ok(last.map(|at| at.0))
}

/// Since when the oldest is due that is not told yet.
pub(crate) fn oldest_due(db: &Connection) -> Result<Option<Timestamp>, Fault> {
    let oldest = db
        .prepare_cached("SELECT min(due_at) FROM notifications WHERE done_at IS NULL")?
        .query_row((), |r| r.get::<_, Option<At>>(0))?;
    Ok(oldest.map(|at| at.0))
}

/// Forgets some that were told before that moment; how many.
pub(crate) fn purge(db: &Connection, before: Timestamp, limit: u32) -> Result<u64, Fault> {
    let deleted = db
        .prepare_cached(
            "DELETE FROM notifications WHERE id IN (
               SELECT id FROM notifications WHERE done_at < ?1 LIMIT ?2)",
        )?
        .execute((At(before), limit))?;
    Ok(deleted as u64)
}

fn several(
    db: &Connection,
    sql: &str,
    params: impl Params,
    is_tried: bool,
) -> Result<Vec<Notification>, Fault> {
    let mut found: Vec<Notification> = db
        .prepare_cached(sql)?
        .query_map(params, |r| notification(r, is_tried))?
        .collect::<Result<_, _>>()?;
    found.sort_unstable_by_key(|found| found.id);
    Ok(found)
}

fn notification(r: &SqlRow<'_>, is_tried: bool) -> Result<Notification, rusqlite::Error> {
    let channel: String = r.get(4)?;
    Ok(Notification {
        id: r.get::<_, Number>(0)?.0,
        what: NewNotification {
            key: r.get(1)?,
            account: r.get::<_, Who>(2)?.0,
            kind: r.get(3)?,
            channel: Channel::named(&channel).ok_or(rusqlite::Error::InvalidColumnType(
                4,
                channel,
                Type::Text,
            ))?,
            table: r.get(5)?,
            version: r.get(6)?,
            subscription: r.get::<_, Option<Number>>(7)?.map(|id| id.0),
            at: r.get::<_, At>(8)?.0,
            due_at: r.get::<_, At>(9)?.0,
        },
        tries: r.get(10)?,
        claimed_until: r.get::<_, At>(11)?.0,
        is_tried,
    })
}
