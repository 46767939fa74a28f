//! The mark on the target of a copy that is not finished: what it is a copy of.

use rusqlite::Connection;
use rusqlite::OptionalExtension;

use super::End;
use crate::Error;
use crate::postgres::Db;
use crate::postgres::fault::Fault as PgFault;
use crate::sqlite::fault::Fault as SqliteFault;

/// The number in `meta`.
const KEY: &str = "copy_of";

impl End {
    /// What this is an unfinished copy of, if it is one.
    pub(super) async fn mark(&self) -> Result<Option<i64>, Error> {
        match self {
            End::Sqlite(db) => db.read(read).await,
            End::Postgres(db) => db.ask(|db| async move { read_pg(&db).await }).await,
        }
    }

    pub(super) async fn set_mark(&self, source: i64) -> Result<(), Error> {
        match self {
            End::Sqlite(db) => {
                let sql = "INSERT INTO meta (key, value) VALUES (?1, ?2)";
                db.write(move |db| Ok(db.execute(sql, (KEY, source)).map(|_| ())?))
                    .await
            }
            End::Postgres(db) => {
                db.ask(move |db| async move {
                    let sql = "INSERT INTO meta (key, value) VALUES ($1, $2)";
                    Ok(db.execute(sql, &[&KEY, &source]).await.map(|_| ())?)
                })
                .await
            }
        }
    }

    pub(super) async fn remove_mark(&self) -> Result<(), Error> {
        match self {
            End::Sqlite(db) => {
                let sql = "DELETE FROM meta WHERE key = ?1";
                db.write(move |db| Ok(db.execute(sql, (KEY,)).map(|_| ())?))
                    .await
            }
            End::Postgres(db) => {
                db.ask(move |db| async move {
                    let sql = "DELETE FROM meta WHERE key = $1";
                    Ok(db.execute(sql, &[&KEY]).await.map(|_| ())?)
                })
                .await
            }
        }
    }
}

fn read(db: &Connection) -> Result<Option<i64>, SqliteFault> {
    let sql = "SELECT value FROM meta WHERE key = ?1";
    Ok(db.query_row(sql, (KEY,), |row| row.get(0)).optional()?)
}

async fn read_pg(db: &Db) -> Result<Option<i64>, PgFault> {
    let sql = "SELECT value FROM meta WHERE key = $1";
    Ok(db.query_opt(sql, &[&KEY]).await?.map(|row| row.get(0)))
}

/// A number for what a source consists of: another, whenever a server used it.
pub(super) fn number_of(what: &str) -> i64 {
    // FNV-1a: it need only differ, and be the same in every release.
    let hash = what.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    (hash >> 1).cast_signed()
}
