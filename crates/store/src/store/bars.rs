//! Outside identities that are not let in.

use chess::Timestamp;

use super::{Backend, Store};
use crate::postgres;
use crate::sqlite::bars;
use crate::{Error, OutsideIdentity};

impl Store {
    /// Blocks an outside identity, whether or not it has an account. Whether
    /// it was not blocked before.
    ///
    /// # Errors
    /// Why it may not be durable.
    pub async fn block_identity(&self, who: OutsideIdentity, at: Timestamp) -> Result<bool, Error> {
        match &self.backend {
            Backend::Sqlite(sqlite) => sqlite.write(move |db| bars::block(db, &who, at)).await,
            Backend::Postgres(pg) => {
                pg.ask(move |mut db| async move { postgres::bars::block(&mut db, &who, at).await })
                    .await
            }
            Backend::Memory(memory) => memory.with(|state| state.people.block(who, at)),
        }
    }

    /// Lets it in again. Whether it was blocked.
    ///
    /// # Errors
    /// Why it may not be durable.
    pub async fn unblock_identity(&self, who: OutsideIdentity) -> Result<bool, Error> {
        match &self.backend {
            Backend::Sqlite(sqlite) => sqlite.write(move |db| bars::unblock(db, &who)).await,
            Backend::Postgres(pg) => {
                pg.ask(move |mut db| async move { postgres::bars::unblock(&mut db, &who).await })
                    .await
            }
            Backend::Memory(memory) => memory.with(|state| state.people.unblock(&who)),
        }
    }

    /// Whether it is blocked.
    ///
    /// # Errors
    /// Why it cannot be read.
    pub async fn is_identity_blocked(&self, who: &OutsideIdentity) -> Result<bool, Error> {
        match &self.backend {
            Backend::Sqlite(sqlite) => {
                let who = who.clone();
                sqlite.read(move |db| bars::is_blocked(db, &who)).await
            }
            Backend::Postgres(pg) => {
                let who = who.clone();
                pg.ask(move |db| async move { postgres::bars::is_blocked(&db, &who).await })
                    .await
            }
            Backend::Memory(memory) => memory.with(|state| state.people.is_blocked(who)),
        }
    }

    /// Those that are blocked and since when, in the order of their names,
    /// after that one.
    ///
    /// # Errors
    /// Why it cannot be read.
    pub async fn blocked_identities(
        &self,
        after: OutsideIdentity,
        limit: u32,
    ) -> Result<Vec<(OutsideIdentity, Timestamp)>, Error> {
        match &self.backend {
            Backend::Sqlite(sqlite) => {
                sqlite
                    .read(move |db| bars::blocked(db, &after, limit))
                    .await
            }
            Backend::Postgres(pg) => {
                pg.ask(move |db| async move { postgres::bars::blocked(&db, &after, limit).await })
                    .await
            }
            Backend::Memory(memory) => memory.with(|state| state.people.blocked(&after, limit)),
        }
    }
}
