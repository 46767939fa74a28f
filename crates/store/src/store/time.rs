//! The store's time, which never goes back by itself.

use chess::Timestamp;

use super::{Backend, Store};
use crate::postgres;
use crate::sqlite::time;
use crate::{Error, TimeReset};

impl Store {
    /// Sets the last moment the server is known to have been up, and what is
    /// dated later, back to `now`: after the machine's clock was ahead. For a
    /// store that no server uses.
    ///
    /// # Errors
    /// Why it may not be durable, or that the store is in memory.
    pub async fn reset_time(&self, now: Timestamp) -> Result<TimeReset, Error> {
        match &self.backend {
            Backend::Sqlite(sqlite) => sqlite.write(move |db| time::reset(db, now)).await,
            Backend::Postgres(pg) => {
                pg.ask(move |mut db| async move { postgres::time::reset(&mut db, now).await })
                    .await
            }
            Backend::Memory(_) => Err(Error::Unavailable("a store in memory has no file".into())),
        }
    }
}
