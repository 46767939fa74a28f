//! What players decide about each other.

use chess::Timestamp;
use chess::table::PlayerId;
use rusqlite::types::Type;
use rusqlite::{Connection, OptionalExtension};

use super::fault::Fault;
use super::values::{At, Who};
use crate::social::Accept;
use crate::{ChallengeRule, TableId};

/// Blocks somebody; whether they were not blocked before.
pub(crate) fn block(
    db: &Connection,
    account: PlayerId,
    blocked: PlayerId,
    at: Timestamp,
) -> Result<bool, Fault> {
    let sql =
        "INSERT INTO blocks (account, blocked, at) VALUES (?1, ?2, ?3) ON CONFLICT DO NOTHING";
    let written = db
        .prepare_cached(sql)?
        .execute((Who(account), Who(blocked), At(at)))?;
    Ok(written > 0)
}

/// Blocks them no longer; whether they were blocked.
pub(crate) fn unblock(
    db: &Connection,
    account: PlayerId,
    blocked: PlayerId,
) -> Result<bool, Fault> {
    let deleted = db
        .prepare_cached("DELETE FROM blocks WHERE account = ?1 AND blocked = ?2")?
        .execute((Who(account), Who(blocked)))?;
    Ok(deleted > 0)
}

/// Blocks these and nobody else. Who was blocked stays so since then.
pub(crate) fn set_blocks(
    db: &Connection,
    account: PlayerId,
    blocked: &[PlayerId],
    at: Timestamp,
) -> Result<(), Fault> {
    db.prepare_cached(
        "DELETE FROM blocks
          WHERE account = ?1 AND blocked NOT IN (SELECT value FROM json_each(?2))",
    )?
    .execute((Who(account), list(blocked)))?;
    for one in blocked {
        block(db, account, *one, at)?;
    }
    Ok(())
}

pub(crate) fn blocks_of(
    db: &Connection,
    account: PlayerId,
) -> Result<Vec<(PlayerId, Timestamp)>, Fault> {
    let sql = "SELECT blocked, at FROM blocks WHERE account = ?1 ORDER BY blocked";
    since(db, sql, account)
}

/// Blocks of which both are among these.
pub(crate) fn blocks_among(
    db: &Connection,
    players: &[PlayerId],
) -> Result<Vec<(PlayerId, PlayerId)>, Fault> {
    let found = db
        .prepare_cached(
            "SELECT account, blocked FROM blocks
              WHERE account IN (SELECT value FROM json_each(?1))
                AND blocked IN (SELECT value FROM json_each(?1)) ORDER BY account, blocked",
        )?
        .query_map((list(players),), |r| {
            Ok((r.get::<_, Who>(0)?.0, r.get::<_, Who>(1)?.0))
        })?
        .collect::<Result<_, _>>()?;
    Ok(found)
}

pub(crate) fn is_blocked_between(
    db: &Connection,
    one: PlayerId,
    other: PlayerId,
) -> Result<bool, Fault> {
    let is_blocked = db
        .prepare_cached(
            "SELECT 1 FROM blocks WHERE (account = ?1 AND blocked = ?2)
                                     OR (account = ?2 AND blocked = ?1)",
        )?
        .exists((Who(one), Who(other)))?;
    Ok(is_blocked)
}

/// Everybody who blocks somebody.
pub(crate) fn blockers_of(db: &Connection, blocked: PlayerId) -> Result<Vec<PlayerId>, Fault> {
    let found = db
        .prepare_cached("SELECT account FROM blocks WHERE blocked = ?1 ORDER BY account")?
        .query_map((Who(blocked),), |r| Ok(r.get::<_, Who>(0)?.0))?
        .collect::<Result<_, _>>()?;
    Ok(found)
}

/// Follows somebody; whether they were not followed before.
pub(crate) fn follow(
    db: &Connection,
    account: PlayerId,
    followed: PlayerId,
    at: Timestamp,
) -> Result<bool, Fault> {
    let sql =
        "INSERT INTO follows (account, followed, at) VALUES (?1, ?2, ?3) ON CONFLICT DO NOTHING";
    let written = db
        .prepare_cached(sql)?
        .execute((Who(account), Who(followed), At(at)))?;
    Ok(written > 0)
}

/// Follows them no longer; whether they were followed.
pub(crate) fn unfollow(
    db: &Connection,
    account: PlayerId,
    followed: PlayerId,
) -> Result<bool, Fault> {
    let deleted = db
        .prepare_cached("DELETE FROM follows WHERE account = ?1 AND followed = ?2")?
        .execute((Who(account), Who(followed)))?;
    Ok(deleted > 0)
}

pub(crate) fn follows_of(
    db: &Connection,
    account: PlayerId,
) -> Result<Vec<(PlayerId, Timestamp)>, Fault> {
    let sql = "SELECT followed, at FROM follows WHERE account = ?1 ORDER BY followed";
    since(db, sql, account)
}

pub(crate) fn is_following(
    db: &Connection,
    account: PlayerId,
    followed: PlayerId,
) -> Result<bool, Fault> {
    let is_following = db
        .prepare_cached("SELECT 1 FROM follows WHERE account = ?1 AND followed = ?2")?
        .exists((Who(account), Who(followed)))?;
    Ok(is_following)
}

/// The newest table that each of these plays at and anybody may see, without a delay.
pub(crate) fn playing(
    db: &Connection,
    players: &[PlayerId],
) -> Result<Vec<(PlayerId, TableId)>, Fault> {
    let mut select = db.prepare_cached(
        "SELECT s.table_id FROM seats s JOIN tables t ON t.id = s.table_id
          WHERE s.player = ?1 AND s.over = 0 AND s.sight = 0 AND s.seated
            AND t.state IN ('ACTIVE', 'PAUSED')
          ORDER BY s.created_at DESC, s.table_id DESC LIMIT 1",
    )?;
    let mut found = Vec::new();
    for player in players {
        let table = select.query_row((Who(*player),), |r| r.get(0)).optional()?;
        found.extend(table.map(|table| (*player, table)));
    }
    Ok(found)
}

pub(crate) fn challenge_rule(db: &Connection, account: PlayerId) -> Result<ChallengeRule, Fault> {
    let found = db
        .prepare_cached(
            "SELECT accept, rating_min, rating_max FROM challenge_rules WHERE account = ?1",
        )?
        .query_row((Who(account),), |r| {
            let name: String = r.get(0)?;
            let accept = Accept::named(&name);
            Ok(ChallengeRule {
                accept: accept.ok_or(rusqlite::Error::InvalidColumnType(0, name, Type::Text))?,
                rating_min: r.get(1)?,
                rating_max: r.get(2)?,
            })
        })
        .optional()?;
    Ok(found.unwrap_or_default())
}

pub(crate) fn set_challenge_rule(
    db: &Connection,
    account: PlayerId,
    rule: &ChallengeRule,
) -> Result<(), Fault> {
    db.prepare_cached(
        "INSERT OR REPLACE INTO challenge_rules (account, accept, rating_min, rating_max)
         VALUES (?1, ?2, ?3, ?4)",
    )?
    .execute((
        Who(account),
        rule.accept.name(),
        rule.rating_min,
        rule.rating_max,
    ))?;
    Ok(())
}

/// Forgets what an account decided about others, and others about it.
pub(super) fn forget(db: &Connection, account: PlayerId) -> Result<(), Fault> {
    for sql in [
        "DELETE FROM blocks WHERE account = ?1 OR blocked = ?1",
        "DELETE FROM follows WHERE account = ?1 OR followed = ?1",
        "DELETE FROM challenge_rules WHERE account = ?1",
        "DELETE FROM sanctions WHERE account = ?1",
        "DELETE FROM notices WHERE account = ?1",
        "DELETE FROM addresses WHERE account = ?1",
        "DELETE FROM mail_tokens WHERE account = ?1",
        "DELETE FROM notification_settings WHERE account = ?1",
        "DELETE FROM push_subscriptions WHERE account = ?1",
        "DELETE FROM notifications WHERE account = ?1",
        "UPDATE reports SET reporter = NULL WHERE reporter = ?1",
        "UPDATE analyses SET asked_by = NULL WHERE asked_by = ?1 AND result IS NULL",
    ] {
        db.prepare_cached(sql)?.execute((Who(account),))?;
    }
    Ok(())
}

/// Somebody else, and since when.
fn since(
    db: &Connection,
    sql: &str,
    account: PlayerId,
) -> Result<Vec<(PlayerId, Timestamp)>, Fault> {
    let found = db
        .prepare_cached(sql)?
        .query_map((Who(account),), |r| {
            Ok((r.get::<_, Who>(0)?.0, r.get::<_, At>(1)?.0))
        })?
        .collect::<Result<_, _>>()?;
    Ok(found)
}

/// Players as a JSON list.
pub(super) fn list(players: &[PlayerId]) -> String {
    let numbers: Vec<_> = players.iter().map(|p| p.number().to_string()).collect();
    format!("[{}]", numbers.join(","))
}
