//! What only operators ask for.

use super::{Backend, Store};
use crate::sqlite::{accounts, fair, setup, webhooks};
use crate::{
    Account, AuditEntry, Error, FirstAdmin, Installed, NewNotice, Sanction, Webhook, postgres,
};

impl Store {
    /// The code with which somebody may become the first administrator: the one there is, or
    /// else this, below 2^63. `None`: there is an administrator but for the one of that id,
    /// and a code of before is forgotten.
    ///
    /// # Errors
    /// Why it may not be durable.
    pub async fn setup_code(&self, new: u64, except: &str) -> Result<Option<u64>, Error> {
        let id = except.to_owned();
        match &self.backend {
            Backend::Sqlite(sqlite) => sqlite.write(move |db| setup::code(db, new, &id)).await,
            Backend::Postgres(pg) => {
                pg.ask(move |db| async move { postgres::setup::code(&db, new, &id).await })
                    .await
            }
            Backend::Memory(memory) => memory.with(|state| state.people.setup_code(new, except)),
        }
    }

    /// Whether somebody may still become the first administrator.
    ///
    /// # Errors
    /// Why it cannot be read.
    pub async fn needs_setup(&self, except: &str) -> Result<bool, Error> {
        let id = except.to_owned();
        match &self.backend {
            Backend::Sqlite(sqlite) => sqlite.read(move |db| setup::is_needed(db, &id)).await,
            Backend::Postgres(pg) => {
                pg.ask(move |db| async move { postgres::setup::is_needed(&db, &id).await })
                    .await
            }
            Backend::Memory(memory) => memory.with(|state| state.people.needs_setup(except)),
        }
    }

    /// Makes the first administrator of whoever knows the code. Of several at once one is.
    ///
    /// # Errors
    /// Why it may not be durable.
    pub async fn install(&self, first: FirstAdmin) -> Result<Installed, Error> {
        match &self.backend {
            Backend::Sqlite(sqlite) => sqlite.write(move |db| setup::install(db, first)).await,
            Backend::Postgres(pg) => {
                pg.ask(move |mut db| async move { postgres::setup::install(&mut db, first).await })
                    .await
            }
            Backend::Memory(memory) => memory.with(|state| state.people.install(first)).flatten(),
        }
    }

    /// Accounts of every kind whose id begins so, also those who are gone, in the order of
    /// their ids and after that one.
    ///
    /// # Errors
    /// Why it cannot be read.
    pub async fn all_accounts(
        &self,
        prefix: &str,
        after: &str,
        limit: u32,
    ) -> Result<Vec<Account>, Error> {
        let (begin, last) = (prefix.to_owned(), after.to_owned());
        match &self.backend {
            Backend::Sqlite(sqlite) => {
                sqlite
                    .read(move |db| accounts::of_all(db, &begin, &last, limit))
                    .await
            }
            Backend::Postgres(pg) => {
                pg.ask(move |db| async move {
                    postgres::accounts::of_all(&db, &begin, &last, limit).await
                })
                .await
            }
            Backend::Memory(memory) => {
                memory.with(|state| state.people.of_all(prefix, after, limit))
            }
        }
    }

    /// Everybody's webhooks after the one of that number, oldest first.
    ///
    /// # Errors
    /// Why it cannot be read.
    pub async fn all_webhooks(&self, after: u64, limit: u32) -> Result<Vec<Webhook>, Error> {
        match &self.backend {
            Backend::Sqlite(sqlite) => {
                sqlite
                    .read(move |db| webhooks::of_all(db, after, limit))
                    .await
            }
            Backend::Postgres(pg) => {
                pg.ask(move |db| async move { postgres::webhooks::of_all(&db, after, limit).await })
                    .await
            }
            Backend::Memory(memory) => memory.with(|state| state.webhooks.of_all(after, limit)),
        }
    }

    /// Decides about somebody without a report: what they may not do, what they are told
    /// and what is written down, all or nothing. All nodes hear that the account has changed.
    ///
    /// # Errors
    /// Why it may not be durable.
    pub async fn sanction(
        &self,
        sanction: Sanction,
        notice: NewNotice,
        audit: AuditEntry,
    ) -> Result<(), Error> {
        match &self.backend {
            Backend::Sqlite(sqlite) => {
                sqlite
                    .write(move |db| fair::sanction(db, &sanction, &notice, &audit))
                    .await
            }
            Backend::Postgres(pg) => {
                pg.ask(move |mut db| async move {
                    postgres::fair::sanction(&mut db, &sanction, &notice, &audit).await
                })
                .await
            }
            Backend::Memory(memory) => memory.with(|state| {
                state.people.has_changed(sanction.account, true);
                state.fair.impose(sanction);
                state.fair.give_notice(notice);
                state.people.audit(audit);
            }),
        }
    }
}
