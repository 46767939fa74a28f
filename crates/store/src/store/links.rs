//! Who an account is at an outside service, if its owner has linked the two.

use chess::table::PlayerId;

use super::{Backend, Store};
use crate::postgres;
use crate::sqlite::links;
use crate::{Error, OutsideIdentity};

impl Store {
    /// Who an account is elsewhere.
    ///
    /// # Errors
    /// Why it cannot be read.
    pub async fn outside_identity(
        &self,
        number: PlayerId,
    ) -> Result<Option<OutsideIdentity>, Error> {
        match &self.backend {
            Backend::Sqlite(sqlite) => sqlite.read(move |db| links::of(db, number)).await,
            Backend::Postgres(pg) => {
                pg.ask(move |db| async move { postgres::links::of(&db, number).await })
                    .await
            }
            Backend::Memory(memory) => memory.with(|state| state.people.outside_of(number)),
        }
    }

    /// How often the links of an account were changed.
    ///
    /// # Errors
    /// Why it cannot be read.
    pub async fn link_count(&self, number: PlayerId) -> Result<u64, Error> {
        match &self.backend {
            Backend::Sqlite(sqlite) => sqlite.read(move |db| links::count(db, number)).await,
            Backend::Postgres(pg) => {
                pg.ask(move |db| async move { postgres::links::count(&db, number).await })
                    .await
            }
            Backend::Memory(memory) => memory.with(|state| state.people.link_count(number)),
        }
    }

    /// Links a registered account with somebody elsewhere, or with nobody any more; another
    /// registered account loses them. Whether it was done: not to an account that is gone or
    /// that came from outside, not with somebody who has such an account, and not if its
    /// links were changed more or less often than `count` by now.
    ///
    /// # Errors
    /// Why it may not be durable.
    pub async fn link_identity(
        &self,
        number: PlayerId,
        outside: Option<OutsideIdentity>,
        count: u64,
    ) -> Result<bool, Error> {
        match &self.backend {
            Backend::Sqlite(sqlite) => {
                let outside = outside.clone();
                sqlite
                    .write(move |db| links::link(db, number, outside, count))
                    .await
            }
            Backend::Postgres(pg) => {
                pg.ask(move |mut db| async move {
                    postgres::links::link(&mut db, number, outside, count).await
                })
                .await
            }
            Backend::Memory(memory) => {
                memory.with(|state| state.people.link(number, outside, count))
            }
        }
    }
}
