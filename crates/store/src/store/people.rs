//! Accounts, tokens and the audit trail.

use chess::Timestamp;
use chess::table::PlayerId;

use super::{Backend, Store};
use crate::postgres;
use crate::sqlite::{accounts, tokens, upkeep};
use crate::{
    Account, AuditEntry, Creation, Error, MailPurpose, NewAccount, NewToken, OutsideIdentity,
    ProfileChange, Token,
};

impl Store {
    /// Makes an account. Who is first to a name gets it; the others are told.
    ///
    /// # Errors
    /// [`Error::Conflict`] if the UUID is taken, or why it may not be durable.
    pub async fn create_account(&self, new: NewAccount) -> Result<Creation, Error> {
        match &self.backend {
            Backend::Sqlite(sqlite) => sqlite.write(move |db| accounts::create(db, new)).await,
            Backend::Postgres(pg) => {
                pg.ask(move |mut db| async move { postgres::accounts::create(&mut db, new).await })
                    .await
            }
            Backend::Memory(memory) => memory.with(|state| state.people.create(new)).flatten(),
        }
    }

    /// An account by its number.
    ///
    /// # Errors
    /// Why it cannot be read.
    pub async fn account_by_number(&self, number: PlayerId) -> Result<Option<Account>, Error> {
        match &self.backend {
            Backend::Sqlite(sqlite) => sqlite.read(move |db| accounts::by_number(db, number)).await,
            Backend::Postgres(pg) => {
                pg.ask(move |db| async move { postgres::accounts::by_number(&db, number).await })
                    .await
            }
            Backend::Memory(memory) => memory.with(|state| state.people.by_number(number)),
        }
    }

    /// Accounts by their numbers, in that order; those that do not exist are left out.
    ///
    /// # Errors
    /// Why it cannot be read.
    pub async fn accounts_by_numbers(&self, numbers: &[PlayerId]) -> Result<Vec<Account>, Error> {
        match &self.backend {
            Backend::Sqlite(sqlite) => {
                let numbers = numbers.to_vec();
                sqlite
                    .read(move |db| accounts::by_numbers(db, &numbers))
                    .await
            }
            Backend::Postgres(pg) => {
                let asked = numbers.to_vec();
                let found = pg
                    .ask(move |db| async move { postgres::accounts::by_numbers(&db, &asked).await })
                    .await;
                match found {
                    Err(Error::Unavailable(why)) => {
                        let known = self.replica_people(numbers).await;
                        known.ok_or(Error::Unavailable(why))
                    }
                    found => found,
                }
            }
            Backend::Memory(memory) => memory.with(|state| state.people.by_numbers(numbers)),
        }
    }

    /// An account by its id: its name, lower-cased.
    ///
    /// # Errors
    /// Why it cannot be read.
    pub async fn account_by_id(&self, id: &str) -> Result<Option<Account>, Error> {
        match &self.backend {
            Backend::Sqlite(sqlite) => {
                let id = id.to_owned();
                sqlite.read(move |db| accounts::by_id(db, &id)).await
            }
            Backend::Postgres(pg) => {
                let id = id.to_owned();
                pg.ask(move |db| async move { postgres::accounts::by_id(&db, &id).await })
                    .await
            }
            Backend::Memory(memory) => memory.with(|state| state.people.by_id(id)),
        }
    }

    /// Accounts by their ids, in that order, with one question; those that do
    /// not exist are left out.
    ///
    /// # Errors
    /// Why it cannot be read.
    pub async fn accounts_by_ids(&self, ids: Vec<String>) -> Result<Vec<Account>, Error> {
        match &self.backend {
            Backend::Sqlite(sqlite) => sqlite.read(move |db| accounts::by_ids(db, &ids)).await,
            Backend::Postgres(pg) => {
                pg.ask(move |db| async move { postgres::accounts::by_ids(&db, &ids).await })
                    .await
            }
            Backend::Memory(memory) => memory.with(|state| state.people.by_ids(&ids)),
        }
    }

    /// An account by its UUID.
    ///
    /// # Errors
    /// Why it cannot be read.
    pub async fn account_by_uuid(&self, uuid: [u8; 16]) -> Result<Option<Account>, Error> {
        match &self.backend {
            Backend::Sqlite(sqlite) => sqlite.read(move |db| accounts::by_uuid(db, uuid)).await,
            Backend::Postgres(pg) => {
                pg.ask(move |db| async move { postgres::accounts::by_uuid(&db, uuid).await })
                    .await
            }
            Backend::Memory(memory) => memory.with(|state| state.people.by_uuid(uuid)),
        }
    }

    /// The account of someone known through an outside identity service.
    ///
    /// # Errors
    /// Why it cannot be read.
    pub async fn account_by_outside(
        &self,
        outside: &OutsideIdentity,
    ) -> Result<Option<Account>, Error> {
        match &self.backend {
            Backend::Sqlite(sqlite) => {
                let outside = outside.clone();
                sqlite
                    .read(move |db| accounts::by_outside(db, &outside))
                    .await
            }
            Backend::Postgres(pg) => {
                let outside = outside.clone();
                pg.ask(move |db| async move { postgres::accounts::by_outside(&db, &outside).await })
                    .await
            }
            Backend::Memory(memory) => memory.with(|state| state.people.by_outside(outside)),
        }
    }

    /// Changes a profile and gives the account as it then is; `None` if there is
    /// no such account, or it was deleted.
    ///
    /// # Errors
    /// Why it may not be durable.
    pub async fn change_profile(
        &self,
        number: PlayerId,
        change: ProfileChange,
    ) -> Result<Option<Account>, Error> {
        match &self.backend {
            Backend::Sqlite(sqlite) => {
                sqlite
                    .write(move |db| accounts::change(db, number, change))
                    .await
            }
            Backend::Postgres(pg) => {
                pg.ask(move |mut db| async move {
                    postgres::accounts::change(&mut db, number, change).await
                })
                .await
            }
            Backend::Memory(memory) => memory.with(|state| {
                if change.password_hash.is_some() {
                    state.told.drop_tokens(number, MailPurpose::Reset);
                }
                state.people.change(number, change)
            }),
        }
    }

    /// Deletes an account: its name gives way to the replacement, everything
    /// personal is forgotten, its tokens are revoked; the games stay. Whether
    /// there was one to delete.
    ///
    /// # Errors
    /// [`Error::Conflict`] if somebody has the replacement name, or why it may not be durable.
    pub async fn delete_account(
        &self,
        number: PlayerId,
        at: Timestamp,
        replacement_name: &str,
    ) -> Result<bool, Error> {
        match &self.backend {
            Backend::Sqlite(sqlite) => {
                let replacement_name = replacement_name.to_owned();
                sqlite
                    .write(move |db| accounts::delete(db, number, at, &replacement_name))
                    .await
            }
            Backend::Postgres(pg) => {
                let replacement_name = replacement_name.to_owned();
                pg.ask(move |mut db| async move {
                    postgres::accounts::delete(&mut db, number, at, &replacement_name).await
                })
                .await
            }
            Backend::Memory(memory) => memory
                .with(|state| {
                    let deleted = state.people.delete(number, at, replacement_name);
                    if deleted == Ok(true) {
                        state.ratings.forget(number);
                        state.social.forget(number);
                        state.analyses.forget(number);
                        state.webhooks.forget(number);
                        state.correspondence.forget(number);
                        state.fair.forget(number);
                        state.tickets.forget(number);
                        state.told.forget(number);
                    }
                    deleted
                })
                .flatten(),
        }
    }

    /// Adds a token; those of the same owner that have ended are forgotten.
    ///
    /// # Errors
    /// [`Error::Conflict`] if the hash is known or the account is not, or why it may not be durable.
    pub async fn add_token(&self, new: NewToken) -> Result<Token, Error> {
        match &self.backend {
            Backend::Sqlite(sqlite) => sqlite.write(move |db| tokens::add(db, new)).await,
            Backend::Postgres(pg) => {
                pg.ask(move |mut db| async move { postgres::tokens::add(&mut db, new).await })
                    .await
            }
            Backend::Memory(memory) => memory.with(|state| state.people.add_token(new)).flatten(),
        }
    }

    /// A token by the hash of its secret. It may have ended: see its `expires_at`.
    ///
    /// # Errors
    /// Why it cannot be read.
    pub async fn token_by_hash(&self, hash: &[u8; 32]) -> Result<Option<Token>, Error> {
        match &self.backend {
            Backend::Sqlite(sqlite) => {
                let hash = *hash;
                sqlite.read(move |db| tokens::by_hash(db, &hash)).await
            }
            Backend::Postgres(pg) => {
                let hash = *hash;
                pg.ask(move |db| async move { postgres::tokens::by_hash(&db, &hash).await })
                    .await
            }
            Backend::Memory(memory) => memory.with(|state| state.people.by_hash(hash)),
        }
    }

    /// An account's tokens, oldest first.
    ///
    /// # Errors
    /// Why it cannot be read.
    pub async fn tokens_of(&self, account: PlayerId) -> Result<Vec<Token>, Error> {
        match &self.backend {
            Backend::Sqlite(sqlite) => sqlite.read(move |db| tokens::of(db, account)).await,
            Backend::Postgres(pg) => {
                pg.ask(move |db| async move { postgres::tokens::of(&db, account).await })
                    .await
            }
            Backend::Memory(memory) => memory.with(|state| state.people.tokens_of(account)),
        }
    }

    /// Revokes a token of that account; gives it back, if there was one.
    ///
    /// # Errors
    /// Why it may not be durable.
    pub async fn revoke_token(&self, account: PlayerId, id: u64) -> Result<Option<Token>, Error> {
        match &self.backend {
            Backend::Sqlite(sqlite) => {
                sqlite
                    .write(move |db| tokens::revoke(db, account, id))
                    .await
            }
            Backend::Postgres(pg) => {
                pg.ask(move |mut db| async move { postgres::tokens::revoke(&mut db, account, id).await })
                    .await
            }
            Backend::Memory(memory) => memory.with(|state| state.people.revoke(account, id)),
        }
    }

    /// Revokes a token by the hash of its secret; gives it back, if there was one.
    ///
    /// # Errors
    /// Why it may not be durable.
    pub async fn revoke_token_by_hash(&self, hash: &[u8; 32]) -> Result<Option<Token>, Error> {
        match &self.backend {
            Backend::Sqlite(sqlite) => {
                let hash = *hash;
                sqlite
                    .write(move |db| tokens::revoke_by_hash(db, &hash))
                    .await
            }
            Backend::Postgres(pg) => {
                let hash = *hash;
                pg.ask(move |mut db| async move {
                    postgres::tokens::revoke_by_hash(&mut db, &hash).await
                })
                .await
            }
            Backend::Memory(memory) => memory.with(|state| state.people.revoke_by_hash(hash)),
        }
    }

    /// Revokes every token of an account and gives them back.
    ///
    /// # Errors
    /// Why it may not be durable.
    pub async fn revoke_all_tokens(&self, account: PlayerId) -> Result<Vec<Token>, Error> {
        match &self.backend {
            Backend::Sqlite(sqlite) => {
                sqlite
                    .write(move |db| tokens::revoke_all(db, account))
                    .await
            }
            Backend::Postgres(pg) => {
                pg.ask(move |mut db| async move { postgres::tokens::revoke_all(&mut db, account).await })
                    .await
            }
            Backend::Memory(memory) => memory.with(|state| state.people.revoke_all(account)),
        }
    }

    /// Writes down what somebody did.
    ///
    /// # Errors
    /// Why it may not be durable.
    pub async fn audit(&self, entry: AuditEntry) -> Result<(), Error> {
        match &self.backend {
            Backend::Sqlite(sqlite) => sqlite.write(move |db| upkeep::audit(db, &entry)).await,
            Backend::Postgres(pg) => {
                pg.ask(move |db| async move { postgres::upkeep::audit(&db, &entry).await })
                    .await
            }
            Backend::Memory(memory) => memory.with(|state| state.people.audit(entry)),
        }
    }

    /// What was written down, newest first, each with its number; only what came
    /// before the given number.
    ///
    /// # Errors
    /// Why it cannot be read.
    pub async fn audit_log(
        &self,
        before: Option<u64>,
        limit: u32,
    ) -> Result<Vec<(u64, AuditEntry)>, Error> {
        match &self.backend {
            Backend::Sqlite(sqlite) => {
                sqlite
                    .read(move |db| upkeep::audit_log(db, before, limit))
                    .await
            }
            Backend::Postgres(pg) => {
                pg.ask(
                    move |db| async move { postgres::upkeep::audit_log(&db, before, limit).await },
                )
                .await
            }
            Backend::Memory(memory) => memory.with(|state| state.people.audit_log(before, limit)),
        }
    }
}
