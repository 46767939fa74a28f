//! Forgetting what nobody needs any more. A store in memory forgets everything
//! at its end, and nothing before.

use chess::Timestamp;
use chess::table::PlayerId;

use super::{Backend, Store};
use crate::Error;
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
        let Backend::Sqlite(sqlite) = &self.backend else {
            return Ok(Vec::new());
        };
        let found = sqlite.read(move |db| purge::idle_guests(db, before, now, limit));
        let guests = found.await?;
        if guests.is_empty() {
            return Ok(guests);
        }
        sqlite
            .write(move |db| purge::delete_guests(db, &guests, before, now))
            .await
    }

    /// Deletes up to so many tokens that ended before that moment. How many
    /// there were.
    ///
    /// # Errors
    /// Why it may not be durable.
    pub async fn purge_tokens(&self, ended_before: Timestamp, limit: u32) -> Result<u64, Error> {
        let Backend::Sqlite(sqlite) = &self.backend else {
            return Ok(0);
        };
        let found = sqlite.read(move |db| purge::ended_tokens(db, ended_before, limit));
        let ids = found.await?;
        if ids.is_empty() {
            return Ok(0);
        }
        sqlite.write(move |db| purge::delete_tokens(db, &ids)).await
    }

    /// Deletes up to so many idempotency keys that were used before that
    /// moment; each counts for a day. How many there were.
    ///
    /// # Errors
    /// Why it may not be durable.
    pub async fn purge_keys(&self, used_before: Timestamp, limit: u32) -> Result<u64, Error> {
        let Backend::Sqlite(sqlite) = &self.backend else {
            return Ok(0);
        };
        sqlite
            .write(move |db| keys::purge(db, used_before, limit))
            .await
    }
}
