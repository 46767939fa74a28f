//! Tables that are over, for whoever takes all of them with them.

use super::{Backend, Store};
use crate::postgres;
use crate::{Error, Finished, FinishedQuery};

impl Store {
    /// A page of finished tables, in the order in which everybody may know of their end.
    /// What ends meanwhile comes after them; a replica may answer.
    ///
    /// # Errors
    /// Why it cannot be read.
    pub async fn finished(&self, query: FinishedQuery) -> Result<Vec<Finished>, Error> {
        if let Some(page) = self.replica_finished(&query).await {
            return Ok(page);
        }
        match &self.backend {
            Backend::Sqlite(sqlite) => sqlite.finished(query).await,
            Backend::Postgres(pg) => {
                pg.ask(move |db| async move { postgres::lists::finished(&db, &query).await })
                    .await
            }
            Backend::Memory(memory) => memory.finished(&query),
        }
    }
}
