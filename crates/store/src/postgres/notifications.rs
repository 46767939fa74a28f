//! What is to be told, and was.

use chess::Timestamp;
use chess::table::PlayerId;
use tokio_postgres::Row as SqlRow;
use tokio_postgres::types::ToSql;

use super::fault::Fault;
use super::values::{Columns, at, int, table, who};
use super::{Db, revocations};
use crate::{Channel, NewNotification, Notification, OutboxStep, Revoked, Settled};

const COLUMNS: &str =
    "id, key, account, kind, channel, table_id, version, subscription, at, due_at, tries";

/// Where a reader of the outbox is, if that one may read now.
pub(crate) async fn take_cursor(
    db: &Db,
    name: &str,
    holder: u64,
    now: Timestamp,
    until: Timestamp,
) -> Result<Option<String>, Fault> {
    let take = db
        .prepare_cached(
            "INSERT INTO notify_cursors (name, place, holder, until) VALUES ($1, '', $2, $4)
             ON CONFLICT (name) DO UPDATE SET holder = excluded.holder, until = excluded.until
              WHERE notify_cursors.holder = excluded.holder OR notify_cursors.until <= $3
             RETURNING place",
        )
        .await?;
    let found = db
        .query_opt(&take, &[&name, &int(holder), &at(now), &at(until)])
        .await?;
    found.map(|row| row.col(0)).transpose()
}

/// Writes down what is to be told; with a step, only if that can be taken. Every node
/// with a stream of whom it is told in hears of it.
pub(crate) async fn add(
    db: &mut Db,
    step: Option<&OutboxStep>,
    new: &[NewNotification],
) -> Result<bool, Fault> {
    let transaction = db.transaction().await?;
    if let Some(step) = step {
        let go = transaction
            .prepare_cached(
                "UPDATE notify_cursors SET place = $4 WHERE name = $1 AND holder = $2 AND place = $3",
            )
            .await?;
        let holder = int(step.holder);
        let moved = transaction
            .execute(&go, &[&step.name, &holder, &step.from, &step.to])
            .await?;
        if moved == 0 {
            return Ok(false);
        }
    }
    let insert = transaction
        .prepare_cached(
            "INSERT INTO notifications (key, account, kind, channel, table_id, version, subscription,
                                        at, due_at, tries, claimed_until, done_at, outcome)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, 0, 0, $10, $11)
             ON CONFLICT (key) DO NOTHING",
        )
        .await?;
    let mut told = Vec::new();
    for new in new {
        let is_told = new.channel == Channel::Stream;
        let written = transaction
            .execute(
                &insert,
                &[
                    &new.key,
                    &who(new.account),
                    &new.kind,
                    &new.channel.name(),
                    &new.table.map(table),
                    &i64::from(new.version),
                    &new.subscription.map(int),
                    &at(new.at),
                    &at(new.due_at),
                    &is_told.then_some(at(new.at)),
                    &is_told.then_some("sent"),
                ],
            )
            .await?;
        if is_told && written > 0 {
            told.push(Revoked::Account(new.account));
        }
    }
    revocations::note(&transaction, &told).await?;
    transaction.commit().await?;
    Ok(true)
}

/// Those that are due, for whoever asks alone until then.
pub(crate) async fn claim(
    db: &Db,
    now: Timestamp,
    until: Timestamp,
    limit: u32,
) -> Result<Vec<Notification>, Fault> {
    let sql = format!(
        "UPDATE notifications SET claimed_until = $2, tries = tries + 1 WHERE id IN (
           SELECT id FROM notifications WHERE done_at IS NULL AND due_at <= $1 AND claimed_until <= $1
            ORDER BY due_at LIMIT $3 FOR UPDATE SKIP LOCKED) RETURNING {COLUMNS}"
    );
    several(db, &sql, &[&at(now), &at(until), &i64::from(limit)]).await
}

/// Everything else of that kind that waits for an account, due or not.
pub(crate) async fn claim_alike(
    db: &Db,
    account: PlayerId,
    kind: &str,
    channel: Channel,
    now: Timestamp,
    until: Timestamp,
) -> Result<Vec<Notification>, Fault> {
    let sql = format!(
        "UPDATE notifications SET claimed_until = $5, tries = tries + 1 WHERE id IN (
           SELECT id FROM notifications
            WHERE account = $1 AND kind = $2 AND channel = $3 AND done_at IS NULL AND claimed_until <= $4
            ORDER BY id FOR UPDATE SKIP LOCKED) RETURNING {COLUMNS}"
    );
    let channel = channel.name();
    let params: [&(dyn ToSql + Sync); 5] = [&who(account), &kind, &channel, &at(now), &at(until)];
    several(db, &sql, &params).await
}

/// What became of them.
pub(crate) async fn settle(db: &Db, ids: &[u64], settled: Settled) -> Result<(), Fault> {
    let ids: Vec<i64> = ids.iter().copied().map(int).collect();
    let (when, outcome) = match settled {
        Settled::Sent(when) => (when, Some("sent")),
        Settled::Dropped(when) => (when, Some("dropped")),
        Settled::Later(when) | Settled::Put(when) => (when, None),
    };
    if let Some(outcome) = outcome {
        let done = db
            .prepare_cached(
                "UPDATE notifications SET done_at = $2, outcome = $3
                  WHERE id = ANY($1) AND done_at IS NULL",
            )
            .await?;
        db.execute(&done, &[&ids, &at(when), &outcome]).await?;
        return Ok(());
    }
    let later = db
        .prepare_cached(
            "UPDATE notifications SET due_at = $2, claimed_until = 0, tries = tries - $3
              WHERE id = ANY($1) AND done_at IS NULL",
        )
        .await?;
    let untried = i64::from(matches!(settled, Settled::Put(_)));
    db.execute(&later, &[&ids, &at(when), &untried]).await?;
    Ok(())
}

/// What an account's stream was told after that one, in order.
pub(crate) async fn streamed(
    db: &Db,
    account: PlayerId,
    after: u64,
    limit: u32,
) -> Result<Vec<Notification>, Fault> {
    let sql = format!(
        "SELECT {COLUMNS} FROM notifications
          WHERE account = $1 AND channel = 'stream' AND id > $2 ORDER BY id LIMIT $3"
    );
    several(db, &sql, &[&who(account), &int(after), &i64::from(limit)]).await
}

/// The last that an account's stream was told; 0: nothing yet.
pub(crate) async fn last_streamed(db: &Db, account: PlayerId) -> Result<u64, Fault> {
    let select = db
        .prepare_cached(
            "SELECT coalesce(max(id), 0) FROM notifications
              WHERE account = $1 AND channel = 'stream'",
        )
        .await?;
    db.query_one(&select, &[&who(account)]).await?.number(0)
}

/// When an account was last told something of that kind in that way.
pub(crate) async fn last_sent(
    db: &Db,
    account: PlayerId,
    kind: &str,
    channel: Channel,
) -> Result<Option<Timestamp>, Fault> {
    let select = db
        .prepare_cached(
            "SELECT max(done_at) FROM notifications
              WHERE account = $1 AND channel = $2 AND kind = $3 AND outcome = 'sent'",
        )
        .await?;
    let found = db
        .query_one(&select, &[&who(account), &channel.name(), &kind])
        .await?;
    found.at_or(0)
}

/// Since when the oldest is due that is not told yet.
pub(crate) async fn oldest_due(db: &Db) -> Result<Option<Timestamp>, Fault> {
    let select = db
        .prepare_cached("SELECT min(due_at) FROM notifications WHERE done_at IS NULL")
        .await?;
    db.query_one(&select, &[]).await?.at_or(0)
}

/// Forgets some that were told before that moment; how many.
pub(crate) async fn purge(db: &Db, before: Timestamp, limit: u32) -> Result<u64, Fault> {
    let delete = db
        .prepare_cached(
            "DELETE FROM notifications WHERE id IN (
               SELECT id FROM notifications WHERE done_at < $1
                ORDER BY id LIMIT $2 FOR UPDATE SKIP LOCKED)",
        )
        .await?;
    Ok(db
        .execute(&delete, &[&at(before), &i64::from(limit)])
        .await?)
}

async fn several(
    db: &Db,
    sql: &str,
    params: &[&(dyn ToSql + Sync)],
) -> Result<Vec<Notification>, Fault> {
    let statement = db.prepare_cached(sql).await?;
    let found = db.query(&statement, params).await?;
    let found = found.iter().map(notification);
    let mut found: Vec<Notification> = found.collect::<Result<_, _>>()?;
    found.sort_unstable_by_key(|found| found.id);
    Ok(found)
}

fn notification(row: &SqlRow) -> Result<Notification, Fault> {
    let table: Option<i64> = row.col(5)?;
    let subscription: Option<i64> = row.col(7)?;
    Ok(Notification {
        id: row.number(0)?,
        what: NewNotification {
            key: row.col(1)?,
            account: row.who(2)?,
            kind: row.col(3)?,
            channel: row.named(4, Channel::named)?,
            table: table.map(|_| row.table(5)).transpose()?,
            version: u32::try_from(row.number(6)?).unwrap_or(u32::MAX),
            subscription: subscription.map(|_| row.number(7)).transpose()?,
            at: row.at(8)?,
            due_at: row.at(9)?,
        },
        tries: u32::try_from(row.number(10)?).unwrap_or(u32::MAX),
    })
}
