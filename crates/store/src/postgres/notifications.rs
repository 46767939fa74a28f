//! What is to be told, and was.

use chess::Timestamp;
use chess::table::PlayerId;
use deadpool_postgres::Transaction;
use tokio_postgres::Row as SqlRow;
use tokio_postgres::types::ToSql;

use super::fault::Fault;
use super::values::{Columns, at, int, table, who};
use super::{Db, revocations};
use crate::{
    Channel, Held, NewNotification, Notification, NotificationClaim, OutboxStep, Revoked, Settled,
};

const COLUMNS: &str = "id, key, account, kind, channel, table_id, version, subscription, at, due_at, tries, \
                       claimed_until";

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
    hold_streams(&transaction, new).await?;
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

/// Of two who write to one account's stream at once the second waits here, and has the
/// larger ids: whoever reads on from the last they know would else miss those of the first.
async fn hold_streams(transaction: &Transaction<'_>, new: &[NewNotification]) -> Result<(), Fault> {
    let told = new.iter().filter(|new| new.channel == Channel::Stream);
    let told: Vec<i64> = told.map(|new| who(new.account)).collect();
    if told.is_empty() {
        return Ok(());
    }
    let hold = "SELECT 1 FROM accounts WHERE number = ANY($1) ORDER BY number FOR NO KEY UPDATE";
    let hold = transaction.prepare_cached(hold).await?;
    transaction.execute(&hold, &[&told]).await?;
    Ok(())
}

/// Those that are due, for whoever asks alone until then.
pub(crate) async fn claim(db: &Db, claim: &NotificationClaim) -> Result<Vec<Notification>, Fault> {
    // Which they are is found first, so that of two nodes at once neither takes what comes
    // after those that the other is about to have.
    let sql = format!(
        "UPDATE notifications SET claimed_until = $2, tries = tries + 1 WHERE id IN (
           SELECT id FROM notifications WHERE done_at IS NULL AND claimed_until <= $1 AND id IN (
             SELECT id FROM (
               SELECT h.id, h.due_at,
                      row_number() OVER (PARTITION BY h.account ORDER BY h.due_at, h.id)
                      + (SELECT count(*) FROM notifications c
                          WHERE c.account = h.account AND c.channel = $5 AND c.done_at IS NULL
                            AND c.claimed_until > $1) AS place
                 FROM notifications h
                WHERE h.done_at IS NULL AND h.due_at <= $1 AND h.claimed_until <= $1
                  AND h.channel = $5) AS due
              WHERE place <= $4 ORDER BY due_at, id LIMIT $3)
            FOR UPDATE SKIP LOCKED) RETURNING {COLUMNS}"
    );
    let params: [&(dyn ToSql + Sync); 5] = [
        &at(claim.now),
        &at(claim.until),
        &i64::from(claim.limit),
        &i64::from(claim.per_account),
        &claim.channel.name(),
    ];
    several(db, &sql, &params, true).await
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
        "UPDATE notifications SET claimed_until = $5 WHERE id IN (
           SELECT id FROM notifications
            WHERE account = $1 AND kind = $2 AND channel = $3 AND done_at IS NULL AND claimed_until <= $4
            ORDER BY id FOR UPDATE SKIP LOCKED) RETURNING {COLUMNS}"
    );
    let channel = channel.name();
    let params: [&(dyn ToSql + Sync); 5] = [&who(account), &kind, &channel, &at(now), &at(until)];
    several(db, &sql, &params, false).await
}

/// What became of them.
pub(crate) async fn settle(db: &Db, held: &[Held], settled: Settled) -> Result<(), Fault> {
    let ids: Vec<i64> = held.iter().map(|held| int(held.id)).collect();
    let until: Vec<i64> = held.iter().map(|held| at(held.until)).collect();
    match settled {
        Settled::Sent(when) => {
            let sent = "UPDATE notifications SET done_at = $2, outcome = 'sent'
                         WHERE id = ANY($1) AND done_at IS NULL";
            let sent = db.prepare_cached(sent).await?;
            db.execute(&sent, &[&ids, &at(when)]).await?;
        }
        Settled::Dropped(when) => {
            let dropped = "UPDATE notifications n SET done_at = $3, outcome = 'dropped'
                             FROM unnest($1::bigint[], $2::bigint[]) AS held (id, until)
                            WHERE n.id = held.id AND n.done_at IS NULL
                              AND n.claimed_until = held.until";
            let dropped = db.prepare_cached(dropped).await?;
            db.execute(&dropped, &[&ids, &until, &at(when)]).await?;
        }
        Settled::Later(when) | Settled::Put(when) => {
            let later = "UPDATE notifications n SET due_at = $4, claimed_until = 0,
                                tries = n.tries - held.untried
                           FROM unnest($1::bigint[], $2::bigint[], $3::bigint[])
                                AS held (id, until, untried)
                          WHERE n.id = held.id AND n.done_at IS NULL
                            AND n.claimed_until = held.until";
            let later = db.prepare_cached(later).await?;
            let is_put = matches!(settled, Settled::Put(_));
            let untried = held.iter().map(|held| i64::from(is_put && held.is_tried));
            let untried: Vec<i64> = untried.collect();
            db.execute(&later, &[&ids, &until, &untried, &at(when)])
                .await?;
        }
    }
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
    let params: [&(dyn ToSql + Sync); 3] = [&who(account), &int(after), &i64::from(limit)];
    several(db, &sql, &params, false).await
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
    is_tried: bool,
) -> Result<Vec<Notification>, Fault> {
    let statement = db.prepare_cached(sql).await?;
    let found = db.query(&statement, params).await?;
    let found = found.iter().map(|row| notification(row, is_tried));
    let mut found: Vec<Notification> = found.collect::<Result<_, _>>()?;
    found.sort_unstable_by_key(|found| found.id);
    Ok(found)
}

fn notification(row: &SqlRow, is_tried: bool) -> Result<Notification, Fault> {
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
        claimed_until: row.at(11)?,
        is_tried,
    })
}
