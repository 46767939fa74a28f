//! Forgetting what nobody needs any more, a few at a time. What somebody else
//! has in hand is passed over: there is a next time.

use chess::Timestamp;
use chess::table::PlayerId;

use super::fault::Fault;
use super::values::{Columns, at};
use super::{Db, revocations};
use crate::Revoked;

/// Guests who never played and whom nothing refers to, made before $1 and with
/// no token in force at $2.
const IDLE: &str = "a.kind = 'guest' AND a.created_at <= $1 AND a.barred_at IS NULL
    AND a.alias_of IS NULL
    AND NOT EXISTS (SELECT 1 FROM seats s WHERE s.player = a.number)
    AND NOT EXISTS (SELECT 1 FROM chat c WHERE c.account = a.number)
    AND NOT EXISTS (SELECT 1 FROM tokens t WHERE t.account = a.number
                     AND (t.expires_at IS NULL OR t.expires_at > $2))
    AND NOT EXISTS (SELECT 1 FROM reports r WHERE r.reporter = a.number OR r.reported = a.number)
    AND NOT EXISTS (SELECT 1 FROM sanctions x WHERE x.account = a.number)
    AND NOT EXISTS (SELECT 1 FROM invitations i WHERE i.account = a.number)
    AND NOT EXISTS (SELECT 1 FROM room_bans b WHERE b.account = a.number)
    AND NOT EXISTS (SELECT 1 FROM room_bans b WHERE b.by = a.number)";

/// Deletes some idle guests; tells which.
///
/// They are held first, so that nobody gives them a token or an identity any
/// more, and looked at again by the statement that deletes them: it alone sees
/// what others did before they were held.
pub(crate) async fn guests(
    db: &mut Db,
    before: Timestamp,
    now: Timestamp,
    limit: u32,
) -> Result<Vec<PlayerId>, Fault> {
    let (before, now) = (at(before), at(now));
    let transaction = db.transaction().await?;
    let hold = transaction
        .prepare_cached(&format!(
            "SELECT a.number FROM accounts a WHERE {IDLE}
              ORDER BY a.number LIMIT $3 FOR UPDATE SKIP LOCKED"
        ))
        .await?;
    let held = transaction
        .query(&hold, &[&before, &now, &i64::from(limit)])
        .await?;
    let numbers = held.iter().map(|row| row.col(0));
    let held: Vec<i64> = numbers.collect::<Result<_, _>>()?;
    if held.is_empty() {
        return Ok(Vec::new());
    }
    let delete = transaction.prepare_cached(&deletion()).await?;
    let gone = transaction.query(&delete, &[&before, &now, &held]).await?;
    let guests = gone.iter().map(|row| row.who(0));
    let guests: Vec<PlayerId> = guests.collect::<Result<_, _>>()?;
    let forgotten = guests.iter().copied().map(Revoked::Account);
    revocations::note(&transaction, &forgotten.collect::<Vec<_>>()).await?;
    transaction.commit().await?;
    Ok(guests)
}

/// Deletes those of the accounts $3 that still are idle, and what is theirs alone.
fn deletion() -> String {
    format!(
        "WITH idle AS (
           SELECT a.number FROM accounts a WHERE a.number = ANY($3) AND {IDLE}
         ), ended AS (
           SELECT t.id FROM tokens t WHERE t.account IN (SELECT number FROM idle)
            ORDER BY t.id FOR UPDATE
         ), their_tokens AS (
           DELETE FROM tokens WHERE id IN (SELECT id FROM ended)
         ), their_identities AS (
           DELETE FROM outside_identities WHERE account IN (SELECT number FROM idle)
         ), their_keys AS (
           DELETE FROM idempotency_keys WHERE account IN (SELECT number FROM idle)
         ), their_blocks AS (
           DELETE FROM blocks WHERE account IN (SELECT number FROM idle)
                                 OR blocked IN (SELECT number FROM idle)
         ), their_follows AS (
           DELETE FROM follows WHERE account IN (SELECT number FROM idle)
                                  OR followed IN (SELECT number FROM idle)
         ), their_rules AS (
           DELETE FROM challenge_rules WHERE account IN (SELECT number FROM idle)
         ), their_notices AS (
           DELETE FROM notices WHERE account IN (SELECT number FROM idle)
         ), their_addresses AS (
           DELETE FROM addresses WHERE account IN (SELECT number FROM idle)
         ), their_mail_tokens AS (
           DELETE FROM mail_tokens WHERE account IN (SELECT number FROM idle)
         ), their_notification_settings AS (
           DELETE FROM notification_settings WHERE account IN (SELECT number FROM idle)
         ), their_push_subscriptions AS (
           DELETE FROM push_subscriptions WHERE account IN (SELECT number FROM idle)
         ), their_notifications AS (
           DELETE FROM notifications WHERE account IN (SELECT number FROM idle)
         ), their_vacations AS (
           DELETE FROM vacations WHERE account IN (SELECT number FROM idle)
         ), gone AS (
           DELETE FROM accounts WHERE number IN (SELECT number FROM idle) RETURNING number
         )
         SELECT number FROM gone ORDER BY number"
    )
}

/// Deletes some tokens that ended before that moment: one that has ended never
/// begins again. How many.
pub(crate) async fn tokens(db: &Db, ended_before: Timestamp, limit: u32) -> Result<u64, Fault> {
    let delete = db
        .prepare_cached(
            "WITH ended AS (
               SELECT id FROM tokens WHERE expires_at <= $1
                ORDER BY id LIMIT $2 FOR UPDATE SKIP LOCKED
             )
             DELETE FROM tokens WHERE id IN (SELECT id FROM ended)",
        )
        .await?;
    let deleted = db
        .execute(&delete, &[&at(ended_before), &i64::from(limit)])
        .await?;
    Ok(deleted)
}
