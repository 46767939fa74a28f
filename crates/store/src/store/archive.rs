//! Moving tables that are over out of the way.

use chess::Timestamp;

use super::{Backend, Store};
use crate::{Error, TableId, postgres};

/// What became of some tables that are over.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Archived {
    /// How many were moved.
    pub moved: u64,
    /// Where to go on; `None`: that was all.
    pub next: Option<TableId>,
}

impl Store {
    /// Moves up to so many tables that ended before a moment to the archive of the
    /// month of their end, in the order of their ids, after the given one. Nobody
    /// who uses the store notices.
    ///
    /// # Errors
    /// Why it may not be durable, or that this store has no archives.
    pub async fn archive(
        &self,
        before: Timestamp,
        after: Option<TableId>,
        limit: u32,
    ) -> Result<Archived, Error> {
        match &self.backend {
            Backend::Postgres(pg) => {
                pg.ask_patiently(move |mut db| async move {
                    postgres::archive::some(&mut db, before, after, limit).await
                })
                .await
            }
            Backend::Sqlite(_) | Backend::Memory(_) => Err(Error::Unavailable(
                "only a store in PostgreSQL has archives".into(),
            )),
        }
    }
}
