//! Setting the store's time back, after the machine's clock was ahead.

use chess::Timestamp;
use rusqlite::{Connection, OptionalExtension};

use super::fault::Fault;
use super::meta;
use super::values::{At, Number, int};
use crate::{TableId, TimeReset};

/// The last moment the server is known to have been up. What the journal says
/// of it does not count up to where the time was last set back.
pub(super) fn alive_at(db: &Connection) -> Result<Option<Timestamp>, rusqlite::Error> {
    let from = meta::get(db, meta::TIME_FROM)?.unwrap_or(0);
    let newest: Option<At> = db
        .prepare("SELECT max(at) FROM journal WHERE seq > ?1")?
        .query_row((int(from),), |r| r.get(0))?;
    let heartbeat = meta::get(db, meta::ALIVE_AT)?.map(Timestamp);
    Ok(heartbeat.max(newest.map(|at| at.0)))
}

/// Sets the time back to `now`, and whatever is dated later. What the rules
/// recorded stays as it is: a game's own events only ever follow each other.
pub(crate) fn reset(db: &Connection, now: Timestamp) -> Result<TimeReset, Fault> {
    let before = alive_at(db)?.filter(|before| *before > now);
    let tables = later_tables(db, now)?;
    let last: Option<Number> = db
        .query_row("SELECT max(seq) FROM journal", (), |r| r.get(0))
        .optional()?
        .flatten();
    meta::raise(db, meta::TIME_FROM, last.map_or(0, |seq| seq.0))?;
    db.execute(
        "UPDATE meta SET value = min(value, ?2) WHERE key = ?1",
        (meta::ALIVE_AT, At(now)),
    )?;
    db.execute("DELETE FROM outages WHERE down_since >= ?1", (At(now),))?;
    db.execute("UPDATE outages SET up_at = ?1 WHERE up_at > ?1", (At(now),))?;
    db.execute(
        "UPDATE idempotency_keys SET at = ?1 WHERE at > ?1",
        (At(now),),
    )?;
    let accounts = db.execute(
        "UPDATE accounts SET created_at = ?1 WHERE created_at > ?1",
        (At(now),),
    )?;
    db.execute(
        "UPDATE accounts SET deleted_at = ?1 WHERE deleted_at > ?1",
        (At(now),),
    )?;
    // They last as long as they were meant to.
    let tokens = db.execute(
        "UPDATE tokens SET expires_at = expires_at - (created_at - ?1), created_at = ?1
          WHERE created_at > ?1",
        (At(now),),
    )?;
    Ok(TimeReset {
        before,
        accounts,
        tokens,
        tables,
    })
}

/// Tables that are not over and whose last event comes after that moment.
fn later_tables(db: &Connection, now: Timestamp) -> Result<Vec<TableId>, Fault> {
    let tables = db
        .prepare(
            "SELECT id FROM tables WHERE state IN ('WAITING', 'ACTIVE', 'PAUSED')
                AND (updated_at > ?1 OR id IN (SELECT table_id FROM journal WHERE at > ?1))
              ORDER BY id",
        )?
        .query_map((At(now),), |r| r.get(0))?
        .collect::<Result<_, _>>()?;
    Ok(tables)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sqlite::schema;

    #[test]
    fn what_is_dated_later_is_dated_now_but_for_the_games_themselves() {
        let mut db = Connection::open_in_memory().unwrap();
        schema::migrate(&mut db).unwrap();
        db.execute_batch(
            "INSERT INTO meta VALUES ('alive_at', 9000);
             INSERT INTO journal VALUES (7, 1, 2, 9500, x'00');
             INSERT INTO tables (id, kind, version, state, creator, private, variant, rated, speed,
                side_to_move, ply, created_at, updated_at, fen, history)
             VALUES (1, 1, 1, 'ACTIVE', 1, 0, 'standard', 0, 'blitz', 'w', 0, 1, 1, '', x''),
                    (2, 1, 1, 'ACTIVE', 1, 0, 'standard', 0, 'blitz', 'w', 0, 1, 9100, '', x''),
                    (3, 1, 1, 'ACTIVE', 1, 0, 'standard', 0, 'blitz', 'w', 0, 1, 1, '', x'');
             INSERT INTO outages VALUES (10, 20), (100, 8000), (8500, 8600);
             INSERT INTO accounts (uuid, id, name, kind, is_admin, preferences, created_at)
             VALUES (randomblob(16), 'a', 'A', 'guest', 0, '{}', 8000);
             INSERT INTO tokens (hash, account, kind, name, scopes, created_at, expires_at)
             VALUES (x'01', 1, 'session', 's', 1, 8000, 8900)",
        )
        .unwrap();
        assert_eq!(alive_at(&db).unwrap(), Some(Timestamp(9_500)));
        let reset = reset(&db, Timestamp(500)).unwrap();
        let tables: Vec<u64> = reset.tables.iter().map(|table| table.number()).collect();
        assert_eq!((reset.before, tables), (Some(Timestamp(9_500)), vec![1, 2]));
        assert_eq!((reset.accounts, reset.tokens), (1, 1));
        assert_eq!(alive_at(&db).unwrap(), Some(Timestamp(500)));
        let one = |sql| db.query_row(sql, (), |r| r.get::<_, i64>(0)).unwrap();
        assert_eq!(one("SELECT created_at FROM accounts"), 500);
        assert_eq!(one("SELECT expires_at FROM tokens"), 1_400);
        assert_eq!(one("SELECT at FROM journal"), 9_500);
        assert_eq!(one("SELECT count(*) FROM outages"), 2);
        assert_eq!(one("SELECT max(up_at) FROM outages"), 500);
        // What comes after it counts again.
        db.execute_batch("INSERT INTO journal VALUES (8, 3, 2, 700, x'00')")
            .unwrap();
        assert_eq!(alive_at(&db).unwrap(), Some(Timestamp(700)));
    }
}
