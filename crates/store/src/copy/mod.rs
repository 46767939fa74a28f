//! Copying everything from one store to another.
//!
//! Both SQL stores keep the same things in nearly the same columns, so a copy walks
//! through each kind of row (`kinds`) in the order of its key, a page at a time, and
//! writes what it read. What is in the target of a kind is always the beginning of
//! what is in the source: a copy that was interrupted goes on after the last row that
//! is there, and can double nothing. The target is marked from the first page until
//! everything was compared, so that no server begins to use half of a store.

mod events;
mod kinds;
mod mark;
mod postgres;
mod run;
mod sqlite;
mod told;
mod value;
mod verify;

use self::kinds::{KINDS, Kind};
use self::value::Value;
use crate::Error;
use crate::postgres::Postgres;
use crate::sqlite::Sqlite;

/// How far a copy is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CopyStep {
    /// What is copied or compared now: `accounts`, `games`, ...
    pub what: &'static str,
    /// Whether it is compared.
    pub is_check: bool,
    /// Rows behind it, in all.
    pub done: u64,
    /// Rows to go through, in all: each is copied, and compared.
    pub total: u64,
}

/// What became of a copy.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CopyReport {
    /// What there is of each kind.
    pub counts: Vec<(&'static str, u64)>,
    /// What is not the same in both, for a person to read: the first few.
    pub differences: Vec<String>,
    /// How many differences there are.
    pub wrong: u64,
    /// Whether an earlier copy was gone on with.
    pub is_resumed: bool,
}

/// One row of any kind, column by column.
type Record = Vec<Value>;

/// A store that can be copied from and to.
#[derive(Clone)]
pub(crate) enum End {
    Sqlite(Sqlite),
    Postgres(Postgres),
}

impl End {
    /// Rows of a kind in the order of their keys, after that key.
    async fn read(&self, kind: &'static Kind, after: Option<Record>) -> Result<Vec<Record>, Error> {
        match self {
            End::Sqlite(db) => db.read(move |db| sqlite::read(db, kind, after)).await,
            End::Postgres(db) => {
                db.ask_patiently(move |db| async move { postgres::read(&db, kind, after).await })
                    .await
            }
        }
    }

    /// Writes rows that are not there, all or none.
    async fn write(&self, kind: &'static Kind, rows: Vec<Record>) -> Result<(), Error> {
        match self {
            End::Sqlite(db) => db.write(move |db| sqlite::write(db, kind, &rows)).await,
            End::Postgres(db) => {
                db.ask_patiently(move |db| async move { postgres::write(&db, kind, &rows).await })
                    .await
            }
        }
    }

    /// The key of the last row of a kind.
    async fn last(&self, kind: &'static Kind) -> Result<Option<Record>, Error> {
        match self {
            End::Sqlite(db) => db.read(move |db| sqlite::last(db, kind)).await,
            End::Postgres(db) => {
                db.ask_patiently(move |db| async move { postgres::last(&db, kind).await })
                    .await
            }
        }
    }

    async fn count(&self, kind: &'static Kind) -> Result<u64, Error> {
        match self {
            End::Sqlite(db) => db.read(move |db| sqlite::count(db, kind)).await,
            End::Postgres(db) => {
                db.ask_patiently(move |mut db| async move { postgres::count(&mut db, kind).await })
                    .await
            }
        }
    }
}

impl End {
    /// The highest number of a kind whose numbers the database chooses.
    async fn highest(&self, kind: &'static Kind) -> Result<i64, Error> {
        match self {
            End::Sqlite(db) => db.read(move |db| sqlite::highest(db, kind)).await,
            End::Postgres(db) => {
                db.ask(move |db| async move { postgres::highest(&db, kind).await })
                    .await
            }
        }
    }

    /// Lets the database choose only numbers after that one.
    async fn go_on_after(&self, kind: &'static Kind, highest: i64) -> Result<(), Error> {
        match self {
            End::Sqlite(db) => {
                db.write(move |db| sqlite::go_on_after(db, kind, highest))
                    .await
            }
            End::Postgres(db) => {
                db.ask(move |db| async move { postgres::go_on_after(&db, kind, highest).await })
                    .await
            }
        }
    }
}
