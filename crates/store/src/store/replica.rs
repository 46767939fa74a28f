//! What a replica may answer, which may be behind. Everything else is asked of the
//! store itself: these are all the exceptions.
//!
//! - A list for nobody in particular. Whoever has a name finds their own games in it, and
//!   one of games that wait is for those who join them.
//! - A glance at a table by somebody who does not play there, if it is not older than
//!   what they have seen.
//! - What is over, for whoever takes all of it with them.
//! - While the store does not answer: a table, and who people are.

use chess::table::PlayerId;

use super::{Backend, Store};
use crate::postgres::replica::{Asking, Replica};
use crate::postgres::{Db, accounts, lists, loading};
use crate::{Account, Cursor, Error, Finished, FinishedQuery, ListQuery, Listed, Stored, TableId};

impl Store {
    /// The same store with a replica, which need not be there yet.
    ///
    /// # Errors
    /// [`Error::Unavailable`] says what to change: only PostgreSQL has replicas, and
    /// the URL must be one of its.
    pub fn with_replica(self, url: &str) -> Result<Store, Error> {
        let Backend::Postgres(postgres) = &self.backend else {
            let why = "only a store in PostgreSQL has a replica";
            return Err(Error::Unavailable(why.into()));
        };
        let replica = Some(postgres.follow(url)?);
        Ok(Store { replica, ..self })
    }

    /// A table as the replica has it. `None`: the store itself is to be asked, since
    /// there is no replica, it is away or behind, or it has no such version.
    pub async fn glance(&self, table: TableId, at_least: u32) -> Option<Stored> {
        let stored = self.replica_has(Asking::Instead, table).await?;
        Some(stored).filter(|stored| stored.version >= at_least)
    }

    /// The same, however far the replica is behind: for when the store did not answer.
    pub async fn last_known(&self, table: TableId, at_least: u32) -> Option<Stored> {
        let stored = self.replica_has(Asking::AtLast, table).await?;
        Some(stored).filter(|stored| stored.version >= at_least)
    }

    async fn replica_has(&self, asking: Asking, table: TableId) -> Option<Stored> {
        let load = move |db: Db| async move { loading::load(&db, table).await };
        self.replica.as_ref()?.ask(asking, load).await?
    }

    pub(super) async fn replica_list(&self, query: &ListQuery) -> Option<Vec<Cursor>> {
        let (replica, query) = (self.replica_for(query)?, query.clone());
        let list = move |db: Db| async move { lists::list(&db, &query).await };
        replica.ask(Asking::Instead, list).await
    }

    pub(super) async fn replica_page(&self, query: &ListQuery) -> Option<Vec<Listed>> {
        let (replica, query) = (self.replica_for(query)?, query.clone());
        let page = move |db: Db| async move { lists::page(&db, &query).await };
        replica.ask(Asking::Instead, page).await
    }

    /// Whoever asks for what is over stays further behind than it may be.
    pub(super) async fn replica_finished(&self, query: &FinishedQuery) -> Option<Vec<Finished>> {
        let query = query.clone();
        let page = move |db: Db| async move { lists::finished(&db, &query).await };
        self.replica.as_ref()?.ask(Asking::Instead, page).await
    }

    fn replica_for(&self, query: &ListQuery) -> Option<&Replica> {
        let is_for_nobody = query.viewer.is_none() && query.is_addressed.is_none();
        self.replica.as_ref().filter(|_| is_for_nobody)
    }

    /// Who people are, if the store did not say.
    pub(super) async fn replica_people(&self, numbers: &[PlayerId]) -> Option<Vec<Account>> {
        let numbers = numbers.to_vec();
        let found = move |db: Db| async move { accounts::by_numbers(&db, &numbers).await };
        self.replica.as_ref()?.ask(Asking::AtLast, found).await
    }
}
