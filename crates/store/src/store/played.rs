//! How many games somebody has played.

use super::{Backend, Store};
use crate::postgres;
use crate::sqlite::lists;
use crate::{Error, Played, PlayedQuery};

impl Store {
    /// How many finished games somebody has, by variant, by speed, and by whether they
    /// counted, in that order. It looks at all of them: ask seldom.
    ///
    /// # Errors
    /// Why they cannot be counted.
    pub async fn played(&self, query: PlayedQuery) -> Result<Vec<Played>, Error> {
        match &self.backend {
            Backend::Sqlite(sqlite) => sqlite.read(move |db| lists::played(db, &query)).await,
            Backend::Postgres(pg) => {
                pg.ask(move |db| async move { postgres::lists::played(&db, &query).await })
                    .await
            }
            Backend::Memory(memory) => memory.with(|state| state.played(&query)),
        }
    }
}
