//! What players decide about each other.

use chess::Timestamp;
use chess::table::PlayerId;
use deadpool_postgres::Transaction;

use super::fault::Fault;
use super::values::{Columns, at, small, who};
use super::{Db, revocations};
use crate::social::Accept;
use crate::{ChallengeRule, Revoked, TableId};

/// Blocks somebody; whether they were not blocked before.
pub(crate) async fn block(
    db: &Db,
    account: PlayerId,
    blocked: PlayerId,
    since: Timestamp,
) -> Result<bool, Fault> {
    let sql =
        "INSERT INTO blocks (account, blocked, at) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING";
    let insert = db.prepare_cached(sql).await?;
    let written = db
        .execute(&insert, &[&who(account), &who(blocked), &at(since)])
        .await?;
    Ok(written > 0)
}

/// Blocks them no longer; whether they were blocked.
pub(crate) async fn unblock(db: &Db, account: PlayerId, blocked: PlayerId) -> Result<bool, Fault> {
    let delete = db
        .prepare_cached("DELETE FROM blocks WHERE account = $1 AND blocked = $2")
        .await?;
    let deleted = db.execute(&delete, &[&who(account), &who(blocked)]).await?;
    Ok(deleted > 0)
}

/// Blocks these and nobody else. Who was blocked stays so since then.
pub(crate) async fn set_blocks(
    db: &mut Db,
    account: PlayerId,
    blocked: &[PlayerId],
    since: Timestamp,
) -> Result<(), Fault> {
    let blocked = numbers(blocked);
    let transaction = db.transaction().await?;
    // Of two lists at once, one after the other.
    let hold = transaction
        .prepare_cached("SELECT number FROM accounts WHERE number = $1 FOR UPDATE")
        .await?;
    transaction.query(&hold, &[&who(account)]).await?;
    let delete = transaction
        .prepare_cached("DELETE FROM blocks WHERE account = $1 AND NOT blocked = ANY($2)")
        .await?;
    transaction
        .execute(&delete, &[&who(account), &blocked])
        .await?;
    let insert = transaction
        .prepare_cached(
            "INSERT INTO blocks (account, blocked, at)
             SELECT $1::bigint, blocked, $3::bigint FROM unnest($2::bigint[]) AS wanted (blocked)
             ON CONFLICT DO NOTHING",
        )
        .await?;
    transaction
        .execute(&insert, &[&who(account), &blocked, &at(since)])
        .await?;
    transaction.commit().await?;
    Ok(())
}

pub(crate) async fn blocks_of(
    db: &Db,
    account: PlayerId,
) -> Result<Vec<(PlayerId, Timestamp)>, Fault> {
    let sql = "SELECT blocked, at FROM blocks WHERE account = $1 ORDER BY blocked";
    since(db, sql, account).await
}

/// Blocks of which both are among these.
pub(crate) async fn blocks_among(
    db: &Db,
    players: &[PlayerId],
) -> Result<Vec<(PlayerId, PlayerId)>, Fault> {
    let select = db
        .prepare_cached(
            "SELECT account, blocked FROM blocks
              WHERE account = ANY($1) AND blocked = ANY($1) ORDER BY account, blocked",
        )
        .await?;
    let found = db.query(&select, &[&numbers(players)]).await?;
    found
        .iter()
        .map(|row| Ok((row.who(0)?, row.who(1)?)))
        .collect()
}

pub(crate) async fn is_blocked_between(
    db: &Db,
    one: PlayerId,
    other: PlayerId,
) -> Result<bool, Fault> {
    let select = db
        .prepare_cached(
            "SELECT 1 FROM blocks WHERE (account = $1 AND blocked = $2)
                                     OR (account = $2 AND blocked = $1)",
        )
        .await?;
    let found = db.query(&select, &[&who(one), &who(other)]).await?;
    Ok(!found.is_empty())
}

/// Everybody who blocks somebody.
pub(crate) async fn blockers_of(db: &Db, blocked: PlayerId) -> Result<Vec<PlayerId>, Fault> {
    let select = db
        .prepare_cached("SELECT account FROM blocks WHERE blocked = $1 ORDER BY account")
        .await?;
    let found = db.query(&select, &[&who(blocked)]).await?;
    found.iter().map(|row| row.who(0)).collect()
}

/// Follows somebody; whether they were not followed before. Every node with a stream
/// of that account hears of it.
pub(crate) async fn follow(
    db: &mut Db,
    account: PlayerId,
    followed: PlayerId,
    since: Timestamp,
) -> Result<bool, Fault> {
    let transaction = db.transaction().await?;
    let insert = transaction
        .prepare_cached(
            "INSERT INTO follows (account, followed, at) VALUES ($1, $2, $3)
             ON CONFLICT DO NOTHING",
        )
        .await?;
    let written = transaction
        .execute(&insert, &[&who(account), &who(followed), &at(since)])
        .await?;
    changed(&transaction, account, written).await?;
    transaction.commit().await?;
    Ok(written > 0)
}

/// Follows them no longer; whether they were followed.
pub(crate) async fn unfollow(
    db: &mut Db,
    account: PlayerId,
    followed: PlayerId,
) -> Result<bool, Fault> {
    let transaction = db.transaction().await?;
    let delete = transaction
        .prepare_cached("DELETE FROM follows WHERE account = $1 AND followed = $2")
        .await?;
    let deleted = transaction
        .execute(&delete, &[&who(account), &who(followed)])
        .await?;
    changed(&transaction, account, deleted).await?;
    transaction.commit().await?;
    Ok(deleted > 0)
}

async fn changed(transaction: &Transaction<'_>, account: PlayerId, rows: u64) -> Result<(), Fault> {
    let told = [Revoked::Account(account)];
    let told = if rows > 0 { &told[..] } else { &[] };
    revocations::note(transaction, told).await
}

pub(crate) async fn follows_of(
    db: &Db,
    account: PlayerId,
) -> Result<Vec<(PlayerId, Timestamp)>, Fault> {
    let sql = "SELECT followed, at FROM follows WHERE account = $1 ORDER BY followed";
    since(db, sql, account).await
}

pub(crate) async fn is_following(
    db: &Db,
    account: PlayerId,
    followed: PlayerId,
) -> Result<bool, Fault> {
    let select = db
        .prepare_cached("SELECT 1 FROM follows WHERE account = $1 AND followed = $2")
        .await?;
    let found = db.query(&select, &[&who(account), &who(followed)]).await?;
    Ok(!found.is_empty())
}

/// The newest table that each of these plays at and anybody may see, without a delay.
pub(crate) async fn playing(
    db: &Db,
    players: &[PlayerId],
) -> Result<Vec<(PlayerId, TableId)>, Fault> {
    let select = db
        .prepare_cached(
            "SELECT wanted.player, newest.table_id
               FROM unnest($1::bigint[]) WITH ORDINALITY AS wanted (player, place)
               CROSS JOIN LATERAL (
                 SELECT s.table_id FROM seats s
                   JOIN tables t ON t.id = s.table_id AND t.archive = 0
                  WHERE s.player = wanted.player AND NOT s.over AND s.sight = 0 AND s.seated
                    AND t.state IN ('ACTIVE', 'PAUSED')
                  ORDER BY s.created_at DESC, s.table_id DESC LIMIT 1) AS newest
              ORDER BY wanted.place",
        )
        .await?;
    let found = db.query(&select, &[&numbers(players)]).await?;
    found
        .iter()
        .map(|row| Ok((row.who(0)?, row.table(1)?)))
        .collect()
}

pub(crate) async fn challenge_rule(db: &Db, account: PlayerId) -> Result<ChallengeRule, Fault> {
    let select = db
        .prepare_cached(
            "SELECT accept, rating_min, rating_max FROM challenge_rules WHERE account = $1",
        )
        .await?;
    let Some(row) = db.query_opt(&select, &[&who(account)]).await? else {
        return Ok(ChallengeRule::default());
    };
    Ok(ChallengeRule {
        accept: row.named(0, Accept::named)?,
        rating_min: row.small_or(1)?,
        rating_max: row.small_or(2)?,
    })
}

pub(crate) async fn set_challenge_rule(
    db: &Db,
    account: PlayerId,
    rule: &ChallengeRule,
) -> Result<(), Fault> {
    let write = db
        .prepare_cached(
            "INSERT INTO challenge_rules (account, accept, rating_min, rating_max)
             VALUES ($1, $2, $3, $4)
             ON CONFLICT (account) DO UPDATE SET accept = excluded.accept,
                    rating_min = excluded.rating_min, rating_max = excluded.rating_max",
        )
        .await?;
    let (min, max) = (rule.rating_min.map(small), rule.rating_max.map(small));
    db.execute(&write, &[&who(account), &rule.accept.name(), &min, &max])
        .await?;
    Ok(())
}

/// Forgets what an account decided about others, and others about it.
pub(super) async fn forget(transaction: &Transaction<'_>, account: PlayerId) -> Result<(), Fault> {
    for sql in [
        "DELETE FROM blocks WHERE account = $1 OR blocked = $1",
        "DELETE FROM follows WHERE account = $1 OR followed = $1",
        "DELETE FROM challenge_rules WHERE account = $1",
        "DELETE FROM sanctions WHERE account = $1",
        "DELETE FROM notices WHERE account = $1",
        "DELETE FROM addresses WHERE account = $1",
        "DELETE FROM mail_tokens WHERE account = $1",
        "DELETE FROM notification_settings WHERE account = $1",
        "DELETE FROM push_subscriptions WHERE account = $1",
        "DELETE FROM notifications WHERE account = $1",
        "UPDATE reports SET reporter = NULL WHERE reporter = $1",
        "UPDATE analyses SET asked_by = NULL WHERE asked_by = $1 AND result IS NULL",
    ] {
        let forget = transaction.prepare_cached(sql).await?;
        transaction.execute(&forget, &[&who(account)]).await?;
    }
    Ok(())
}

/// Somebody else, and since when.
async fn since(db: &Db, sql: &str, account: PlayerId) -> Result<Vec<(PlayerId, Timestamp)>, Fault> {
    let select = db.prepare_cached(sql).await?;
    let found = db.query(&select, &[&who(account)]).await?;
    found
        .iter()
        .map(|row| Ok((row.who(0)?, row.at(1)?)))
        .collect()
}

pub(super) fn numbers(players: &[PlayerId]) -> Vec<i64> {
    players.iter().copied().map(who).collect()
}
