//! Guests who become accounts.

use chess::table::PlayerId;

use super::{Backend, Store};
use crate::postgres;
use crate::sqlite::aliases;
use crate::{Account, Adopting, Adoption, Becoming, Error, GuestRegistration};

impl Store {
    /// A guest becomes an account: number and uuid stay, and so does all that is theirs.
    /// The id they had leads to them from here on.
    ///
    /// # Errors
    /// Why it may not be durable.
    pub async fn register_guest(
        &self,
        guest: PlayerId,
        new: GuestRegistration,
    ) -> Result<Becoming, Error> {
        match &self.backend {
            Backend::Sqlite(sqlite) => {
                sqlite
                    .write(move |db| aliases::register(db, guest, new))
                    .await
            }
            Backend::Postgres(pg) => {
                pg.ask(move |mut db| async move {
                    postgres::aliases::register(&mut db, guest, new).await
                })
                .await
            }
            Backend::Memory(memory) => memory.with(|state| state.people.register(guest, new)),
        }
    }

    /// An account takes a guest over: the guest is its alias, and the guest's tokens are
    /// dead. What tables say of the guest is for those to change who know the rules.
    ///
    /// # Errors
    /// Why it may not be durable.
    pub async fn adopt_guest(&self, adopting: Adopting) -> Result<Adoption, Error> {
        match &self.backend {
            Backend::Sqlite(sqlite) => sqlite.write(move |db| aliases::adopt(db, &adopting)).await,
            Backend::Postgres(pg) => {
                pg.ask(
                    move |mut db| async move { postgres::aliases::adopt(&mut db, adopting).await },
                )
                .await
            }
            Backend::Memory(memory) => memory.with(|state| state.adopt(&adopting)),
        }
    }

    /// An account's aliases, oldest first.
    ///
    /// # Errors
    /// Why it cannot be read.
    pub async fn aliases_of(&self, account: PlayerId) -> Result<Vec<Account>, Error> {
        match &self.backend {
            Backend::Sqlite(sqlite) => sqlite.read(move |db| aliases::of(db, account)).await,
            Backend::Postgres(pg) => {
                pg.ask(move |db| async move { postgres::aliases::of(&db, account).await })
                    .await
            }
            Backend::Memory(memory) => memory.with(|state| state.people.aliases_of(account)),
        }
    }

    /// The alias that was taken over with the token of that hash.
    ///
    /// # Errors
    /// Why it cannot be read.
    pub async fn alias_by_token(&self, token: [u8; 32]) -> Result<Option<Account>, Error> {
        match &self.backend {
            Backend::Sqlite(sqlite) => sqlite.read(move |db| aliases::by_token(db, &token)).await,
            Backend::Postgres(pg) => {
                pg.ask(move |db| async move { postgres::aliases::by_token(&db, &token).await })
                    .await
            }
            Backend::Memory(memory) => memory.with(|state| state.people.alias_by_token(&token)),
        }
    }

    /// Aliases that tables still know as players, and whose they are.
    ///
    /// # Errors
    /// Why it cannot be read.
    pub async fn unsettled_aliases(&self, limit: u32) -> Result<Vec<(PlayerId, PlayerId)>, Error> {
        match &self.backend {
            Backend::Sqlite(sqlite) => sqlite.read(move |db| aliases::unsettled(db, limit)).await,
            Backend::Postgres(pg) => {
                pg.ask(move |db| async move { postgres::aliases::unsettled(&db, limit).await })
                    .await
            }
            Backend::Memory(memory) => memory.with(|state| state.unsettled(limit)),
        }
    }
}
