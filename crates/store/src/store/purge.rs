//! Forgetting what nobody needs any more. A store in memory forgets everything
//! at its end, and nothing before.

use chess::Timestamp;
use chess::table::PlayerId;

use super::{Backend, Store};
use crate::Error;
use crate::postgres;
use crate::sqlite::{keys, purge};

impl Store {
    /// Deletes up to so many guests who were made before that moment, have no
    /// token in force, never played, and whom nothing else refers to. Tells who
    /// they were.
    ///
    /// # Errors
    /// Why it may not be durable.
    pub async fn purge_guests(
        &self,
        before: Timestamp,
        now: Timestamp,
        limit: u32,
    ) -> Result<Vec<PlayerId>, Error> {
        match &self.backend {
            Backend::Sqlite(sqlite) => {
                let found = sqlite.read(move |db| purge::idle_guests(db, before, now, limit));
                let guests = found.await?;
                if guests.is_empty() {
                    return Ok(guests);
                }
                sqlite
                    .write(move |db| purge::delete_guests(db, &guests, before, now))
                    .await
            }
            Backend::Postgres(pg) => {
                pg.ask(move |mut db| async move {
                    postgres::purge::guests(&mut db, before, now, limit).await
                })
                .await
            }
            Backend::Memory(_) => Ok(Vec::new()),
        }
    }

    /// Deletes up to so many tokens that ended before that moment. How many
    /// there were.
    ///
    /// # Errors
    /// Why it may not be durable.
    pub async fn purge_tokens(&self, ended_before: Timestamp, limit: u32) -> Result<u64, Error> {
        match &self.backend {
            Backend::Sqlite(sqlite) => {
                let found = sqlite.read(move |db| purge::ended_tokens(db, ended_before, limit));
                let ids = found.await?;
                if ids.is_empty() {
                    return Ok(0);
                }
                sqlite.write(move |db| purge::delete_tokens(db, &ids)).await
            }
            Backend::Postgres(pg) => {
                pg.ask(move |db| async move {
                    postgres::purge::tokens(&db, ended_before, limit).await
                })
                .await
            }
            Backend::Memory(_) => Ok(0),
        }
    }

    /// Deletes up to so many idempotency keys that were used before that
    /// moment; each counts for a day. How many there were.
    ///
    /// # Errors
    /// Why it may not be durable.
    pub async fn purge_keys(&self, used_before: Timestamp, limit: u32) -> Result<u64, Error> {
        match &self.backend {
            Backend::Sqlite(sqlite) => {
                sqlite
                    .write(move |db| keys::purge(db, used_before, limit))
                    .await
            }
            Backend::Postgres(pg) => {
                pg.ask(
                    move |db| async move { postgres::keys::purge(&db, used_before, limit).await },
                )
                .await
            }
            Backend::Memory(_) => Ok(0),
        }
    }
}
