//! Where to tell somebody something.

use chess::Timestamp;
use chess::table::PlayerId;

use super::{Backend, Store};
use crate::postgres;
use crate::sqlite::mail;
use crate::{Address, Error, MailToken, Subscription};

impl Store {
    /// What the servers of this store alone know under that name: what is known already,
    /// or this, from now on.
    ///
    /// # Errors
    /// Why it may not be durable.
    pub async fn server_secret(&self, name: &str, new: Vec<u8>) -> Result<Vec<u8>, Error> {
        match &self.backend {
            Backend::Sqlite(sqlite) => {
                let name = name.to_owned();
                sqlite.write(move |db| mail::secret(db, &name, &new)).await
            }
            Backend::Postgres(pg) => {
                let name = name.to_owned();
                pg.ask(move |db| async move { postgres::mail::secret(&db, &name, &new).await })
                    .await
            }
            Backend::Memory(memory) => memory.with(|state| state.told.secret(name, &new)),
        }
    }

    /// What is known of an account's address.
    ///
    /// # Errors
    /// Why it cannot be read.
    pub async fn address(&self, account: PlayerId) -> Result<Option<Address>, Error> {
        match &self.backend {
            Backend::Sqlite(sqlite) => sqlite.read(move |db| mail::address(db, account)).await,
            Backend::Postgres(pg) => {
                pg.ask(move |db| async move { postgres::mail::address(&db, account).await })
                    .await
            }
            Backend::Memory(memory) => memory.with(|state| state.told.address(account)),
        }
    }

    /// Says what is known of an account's address.
    ///
    /// # Errors
    /// Why it may not be durable.
    pub async fn set_address(&self, account: PlayerId, address: Address) -> Result<(), Error> {
        match &self.backend {
            Backend::Sqlite(sqlite) => {
                sqlite
                    .write(move |db| mail::set_address(db, account, &address))
                    .await
            }
            Backend::Postgres(pg) => {
                pg.ask(move |db| async move {
                    postgres::mail::set_address(&db, account, &address).await
                })
                .await
            }
            Backend::Memory(memory) => {
                memory.with(|state| state.told.set_address(account, address))
            }
        }
    }

    /// Whose confirmed address that is, in whatever case.
    ///
    /// # Errors
    /// Why it cannot be read.
    pub async fn accounts_at(&self, email: &str) -> Result<Vec<PlayerId>, Error> {
        match &self.backend {
            Backend::Sqlite(sqlite) => {
                let email = email.to_owned();
                sqlite.read(move |db| mail::confirmed_at(db, &email)).await
            }
            Backend::Postgres(pg) => {
                let email = email.to_owned();
                pg.ask(move |db| async move { postgres::mail::confirmed_at(&db, &email).await })
                    .await
            }
            Backend::Memory(memory) => memory.with(|state| {
                let is_theirs = |(who, email): &(PlayerId, String)| {
                    let account = state.people.by_number(*who);
                    account.is_some_and(|account| account.email.as_ref() == Some(email))
                };
                let found = state.told.confirmed_at(email);
                found
                    .into_iter()
                    .filter(is_theirs)
                    .map(|(who, _)| who)
                    .collect()
            }),
        }
    }

    /// Keeps what is sent by mail to be brought back.
    ///
    /// # Errors
    /// Why it may not be durable.
    pub async fn add_mail_token(&self, new: MailToken) -> Result<(), Error> {
        match &self.backend {
            Backend::Sqlite(sqlite) => sqlite.write(move |db| mail::add_token(db, &new)).await,
            Backend::Postgres(pg) => {
                pg.ask(move |db| async move { postgres::mail::add_token(&db, &new).await })
                    .await
            }
            Backend::Memory(memory) => memory.with(|state| state.told.add_token(new)),
        }
    }

    /// What was sent by mail, by its hash. It may have ended: see its `expires_at`.
    ///
    /// # Errors
    /// Why it cannot be read.
    pub async fn mail_token(&self, hash: [u8; 32]) -> Result<Option<MailToken>, Error> {
        match &self.backend {
            Backend::Sqlite(sqlite) => sqlite.read(move |db| mail::token(db, &hash)).await,
            Backend::Postgres(pg) => {
                pg.ask(move |db| async move { postgres::mail::token(&db, &hash).await })
                    .await
            }
            Backend::Memory(memory) => memory.with(|state| state.told.token(&hash)),
        }
    }

    /// Uses it up, and with it all of its account that are for the same. Whether it was there.
    ///
    /// # Errors
    /// Why it may not be durable.
    pub async fn take_mail_token(&self, hash: [u8; 32]) -> Result<bool, Error> {
        match &self.backend {
            Backend::Sqlite(sqlite) => sqlite.write(move |db| mail::take_token(db, &hash)).await,
            Backend::Postgres(pg) => {
                pg.ask(
                    move |mut db| async move { postgres::mail::take_token(&mut db, &hash).await },
                )
                .await
            }
            Backend::Memory(memory) => memory.with(|state| state.told.take_token(&hash)),
        }
    }

    /// Forgets up to so many that ended before that moment; how many there were.
    ///
    /// # Errors
    /// Why it may not be durable.
    pub async fn purge_mail_tokens(&self, before: Timestamp, limit: u32) -> Result<u64, Error> {
        match &self.backend {
            Backend::Sqlite(sqlite) => {
                sqlite
                    .write(move |db| mail::purge_tokens(db, before, limit))
                    .await
            }
            Backend::Postgres(pg) => {
                pg.ask(
                    move |db| async move { postgres::mail::purge_tokens(&db, before, limit).await },
                )
                .await
            }
            Backend::Memory(memory) => memory.with(|state| state.told.purge_tokens(before)),
        }
    }

    /// What an account wants to be told of, as it was given.
    ///
    /// # Errors
    /// Why it cannot be read.
    pub async fn notification_settings(&self, account: PlayerId) -> Result<Option<String>, Error> {
        match &self.backend {
            Backend::Sqlite(sqlite) => sqlite.read(move |db| mail::settings(db, account)).await,
            Backend::Postgres(pg) => {
                pg.ask(move |db| async move { postgres::mail::settings(&db, account).await })
                    .await
            }
            Backend::Memory(memory) => memory.with(|state| state.told.settings(account)),
        }
    }

    /// Says what an account wants to be told of.
    ///
    /// # Errors
    /// Why it may not be durable.
    pub async fn set_notification_settings(
        &self,
        account: PlayerId,
        settings: String,
    ) -> Result<(), Error> {
        match &self.backend {
            Backend::Sqlite(sqlite) => {
                sqlite
                    .write(move |db| mail::set_settings(db, account, &settings))
                    .await
            }
            Backend::Postgres(pg) => {
                pg.ask(move |db| async move {
                    postgres::mail::set_settings(&db, account, &settings).await
                })
                .await
            }
            Backend::Memory(memory) => {
                memory.with(|state| state.told.set_settings(account, settings))
            }
        }
    }

    /// Keeps a browser in which an account wants to be told, whoever had it before; beyond
    /// `most` the oldest go. Its id.
    ///
    /// # Errors
    /// Why it may not be durable.
    pub async fn subscribe(&self, new: Subscription, most: u32) -> Result<u64, Error> {
        match &self.backend {
            Backend::Sqlite(sqlite) => {
                sqlite.write(move |db| mail::subscribe(db, &new, most)).await
            }
            Backend::Postgres(pg) => {
                pg.ask(move |mut db| async move { postgres::mail::subscribe(&mut db, &new, most).await }).await
            }
            Backend::Memory(memory) => memory.with(|state| state.told.subscribe(new, most)),
        }
    }

    /// A browser is not to be told anything any more; only that account's, if one is named.
    /// Whether it was there.
    ///
    /// # Errors
    /// Why it may not be durable.
    pub async fn unsubscribe(&self, account: Option<PlayerId>, id: u64) -> Result<bool, Error> {
        match &self.backend {
            Backend::Sqlite(sqlite) => {
                sqlite
                    .write(move |db| mail::unsubscribe(db, account, id))
                    .await
            }
            Backend::Postgres(pg) => {
                pg.ask(move |db| async move { postgres::mail::unsubscribe(&db, account, id).await })
                    .await
            }
            Backend::Memory(memory) => memory.with(|state| state.told.unsubscribe(account, id)),
        }
    }

    /// The browsers in which an account wants to be told.
    ///
    /// # Errors
    /// Why it cannot be read.
    pub async fn subscriptions_of(&self, account: PlayerId) -> Result<Vec<Subscription>, Error> {
        match &self.backend {
            Backend::Sqlite(sqlite) => {
                sqlite
                    .read(move |db| mail::subscriptions(db, account))
                    .await
            }
            Backend::Postgres(pg) => {
                pg.ask(move |db| async move { postgres::mail::subscriptions(&db, account).await })
                    .await
            }
            Backend::Memory(memory) => memory.with(|state| state.told.subscriptions(account)),
        }
    }
}
