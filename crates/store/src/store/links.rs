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

    /// Links a registered account with somebody elsewhere, or with nobody any more; another
    /// registered account loses them. Whether it was done: not to an account that is gone or
    /// that came from outside, and not with somebody who has such an account.
    ///
    /// # Errors
    /// Why it may not be durable.
    pub async fn link_identity(
        &self,
        number: PlayerId,
        outside: Option<OutsideIdentity>,
    ) -> Result<bool, Error> {
        match &self.backend {
            Backend::Sqlite(sqlite) => {
                let outside = outside.clone();
                sqlite
                    .write(move |db| links::link(db, number, outside))
                    .await
            }
            Backend::Postgres(pg) => {
                pg.ask(move |mut db| async move {
                    postgres::links::link(&mut db, number, outside).await
                })
                .await
            }
            Backend::Memory(memory) => memory.with(|state| state.people.link(number, outside)),
        }
    }
}
