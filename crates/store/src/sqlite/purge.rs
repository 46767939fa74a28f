//! Forgetting what nobody needs any more, a few at a time: found by a reader,
//! deleted by the writer, who looks again.

use chess::Timestamp;
use chess::table::PlayerId;
use rusqlite::Connection;

use super::fault::Fault;
use super::values::{At, Number, Who};

/// Guests who never played and whom nothing refers to, made before ?1 and with
/// no token in force at ?2. The newest account stays, whoever it is: SQLite
/// numbers the next one by it, and a number is never used again.
const IDLE_GUESTS: &str = "a.kind = 'guest' AND a.created_at <= ?1 AND a.barred_at IS NULL
    AND a.alias_of IS NULL
    AND a.number < (SELECT max(number) FROM accounts)
    AND NOT EXISTS (SELECT 1 FROM seats s WHERE s.player = a.number)
    AND NOT EXISTS (SELECT 1 FROM chat c WHERE c.account = a.number)
    AND NOT EXISTS (SELECT 1 FROM tokens t WHERE t.account = a.number
                     AND (t.expires_at IS NULL OR t.expires_at > ?2))
    AND NOT EXISTS (SELECT 1 FROM reports r WHERE r.reporter = a.number OR r.reported = a.number)
    AND NOT EXISTS (SELECT 1 FROM sanctions x WHERE x.account = a.number)
    AND a.number NOT IN (SELECT account FROM invitations)
    AND a.number NOT IN (SELECT account FROM room_bans UNION SELECT by FROM room_bans)";

pub(crate) fn idle_guests(
    db: &Connection,
    before: Timestamp,
    now: Timestamp,
    limit: u32,
) -> Result<Vec<PlayerId>, Fault> {
    let sql = format!("SELECT a.number FROM accounts a WHERE {IDLE_GUESTS} LIMIT ?3");
    let guests = db
        .prepare(&sql)?
        .query_map((At(before), At(now), limit), |r| Ok(r.get::<_, Who>(0)?.0))?
        .collect::<Result<_, _>>()?;
    Ok(guests)
}

/// Deletes those of these who still are idle; tells which.
pub(crate) fn delete_guests(
    db: &Connection,
    guests: &[PlayerId],
    before: Timestamp,
    now: Timestamp,
) -> Result<Vec<PlayerId>, Fault> {
    let numbers = |guests: &[PlayerId]| {
        let numbers: Vec<_> = guests.iter().map(|g| g.number().to_string()).collect();
        format!("[{}]", numbers.join(","))
    };
    let sql = format!(
        "SELECT a.number FROM accounts a
          WHERE a.number IN (SELECT value FROM json_each(?3)) AND {IDLE_GUESTS}"
    );
    let idle: Vec<PlayerId> = db
        .prepare(&sql)?
        .query_map((At(before), At(now), numbers(guests)), |r| {
            Ok(r.get::<_, Who>(0)?.0)
        })?
        .collect::<Result<_, _>>()?;
    for (table, column) in [
        ("tokens", "account"),
        ("outside_identities", "account"),
        ("idempotency_keys", "account"),
        ("blocks", "account"),
        ("blocks", "blocked"),
        ("follows", "account"),
        ("follows", "followed"),
        ("challenge_rules", "account"),
        ("notices", "account"),
        ("addresses", "account"),
        ("mail_tokens", "account"),
        ("notification_settings", "account"),
        ("push_subscriptions", "account"),
        ("notifications", "account"),
        ("vacations", "account"),
        ("accounts", "number"),
    ] {
        let sql =
            format!("DELETE FROM {table} WHERE {column} IN (SELECT value FROM json_each(?1))");
        db.prepare(&sql)?.execute((numbers(&idle),))?;
    }
    Ok(idle)
}

pub(crate) fn ended_tokens(
    db: &Connection,
    before: Timestamp,
    limit: u32,
) -> Result<Vec<u64>, Fault> {
    let ids = db
        .prepare("SELECT id FROM tokens WHERE expires_at <= ?1 LIMIT ?2")?
        .query_map((At(before), limit), |r| Ok(r.get::<_, Number>(0)?.0))?
        .collect::<Result<_, _>>()?;
    Ok(ids)
}

/// Deletes these: a token that has ended never begins again.
pub(crate) fn delete_tokens(db: &Connection, ids: &[u64]) -> Result<u64, Fault> {
    let numbers: Vec<_> = ids.iter().map(u64::to_string).collect();
    let deleted = db
        .prepare("DELETE FROM tokens WHERE id IN (SELECT value FROM json_each(?1))")?
        .execute((format!("[{}]", numbers.join(",")),))?;
    Ok(deleted as u64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sqlite::{keys, schema};

    /// Accounts 1 to 9 made at 1,000; all but 2 and 9 guests; the clock is at 5,000.
    const PEOPLE: &str = "
        WITH RECURSIVE n (n) AS (VALUES (1) UNION ALL SELECT n + 1 FROM n WHERE n < 9)
        INSERT INTO accounts (number, uuid, id, name, kind, is_admin, preferences, created_at)
        SELECT n, randomblob(16), 'g' || n, 'G' || n,
               CASE WHEN n IN (2, 9) THEN 'registered' ELSE 'guest' END, 0, '{}', 1000 FROM n;
        UPDATE accounts SET barred_at = 1500 WHERE number = 3;
        UPDATE accounts SET created_at = 4000 WHERE number = 4;
        INSERT INTO chat VALUES (77, 1, 1200, 5, 'observer', 'room', 0, 'hello');
        INSERT INTO tokens (hash, account, kind, name, scopes, created_at, expires_at) VALUES
            (x'01', 6, 'session', 's', 1, 1000, 9000), (x'02', 7, 'session', 's', 1, 1000, 1100),
            (x'03', 2, 'personal', 'p', 1, 1000, NULL), (x'04', 2, 'session', 's', 1, 1000, 3000);
        INSERT INTO outside_identities VALUES ('door', 'x', 7);
        INSERT INTO idempotency_keys VALUES (2, 'a', x'00', 1, 1, 1000), (2, 'b', x'00', 1, 1, 4000)";

    fn store() -> Connection {
        let mut db = Connection::open_in_memory().unwrap();
        db.pragma_update(None, "foreign_keys", true).unwrap();
        schema::migrate(&mut db).unwrap();
        db.execute_batch(PEOPLE).unwrap();
        db
    }

    fn numbers(db: &Connection, sql: &str) -> Vec<i64> {
        let mut select = db.prepare(sql).unwrap();
        let found = select.query_map((), |r| r.get(0)).unwrap();
        found.collect::<Result<_, _>>().unwrap()
    }

    #[test]
    fn only_guests_are_forgotten_whom_nothing_refers_to() {
        let db = store();
        let (before, now) = (Timestamp(2_000), Timestamp(5_000));
        let found = idle_guests(&db, before, now, 100).unwrap();
        let as_numbers =
            |guests: &[PlayerId]| guests.iter().map(|g| g.number()).collect::<Vec<_>>();
        // Barred (3), too young (4), spoke (5) and signed in (6) are not.
        assert_eq!(as_numbers(&found), [1, 7, 8]);
        assert_eq!(idle_guests(&db, before, now, 2).unwrap().len(), 2);
        // One of them begins to play in between.
        db.execute_batch(
            "INSERT INTO tables (id, kind, version, state, creator, private, variant, rated, speed,
                side_to_move, ply, created_at, updated_at, fen, history)
             VALUES (1, 1, 1, 'WAITING', 8, 0, 'standard', 0, 'blitz', 'w', 0, 1, 1, '', x'');
             INSERT INTO seats VALUES (8, 0, 0, 1, 1, 1)",
        )
        .unwrap();
        let gone = delete_guests(&db, &found, before, now).unwrap();
        assert_eq!(as_numbers(&gone), [1, 7]);
        let left = numbers(&db, "SELECT number FROM accounts ORDER BY number");
        assert_eq!(left, [2, 3, 4, 5, 6, 8, 9]);
        assert_eq!(numbers(&db, "SELECT count(*) FROM outside_identities"), [0]);
    }

    #[test]
    fn the_newest_account_stays_since_its_number_is_the_last() {
        let db = store();
        db.execute_batch("DELETE FROM accounts WHERE number = 9")
            .unwrap();
        let found = idle_guests(&db, Timestamp(2_000), Timestamp(5_000), 100).unwrap();
        assert!(found.iter().all(|guest| guest.number() < 8), "{found:?}");
    }

    #[test]
    fn tokens_and_keys_are_forgotten_by_their_age() {
        let db = store();
        let ids = ended_tokens(&db, Timestamp(2_000), 100).unwrap();
        assert_eq!(delete_tokens(&db, &ids).unwrap(), 1);
        let left = numbers(&db, "SELECT account FROM tokens ORDER BY id");
        assert_eq!(left, [6, 2, 2]);
        assert_eq!(keys::purge(&db, Timestamp(2_000), 100).unwrap(), 1);
        assert_eq!(numbers(&db, "SELECT at FROM idempotency_keys"), [4_000]);
    }
}
