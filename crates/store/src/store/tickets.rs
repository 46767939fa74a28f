//! Those who wait for an opponent.

use chess::Timestamp;
use chess::table::PlayerId;

use super::{Backend, Store};
use crate::postgres;
use crate::sqlite::tickets;
use crate::{Error, Queued, TableId, Ticket, TicketFate, Wish};

impl Store {
    /// Lets somebody wait for an opponent, unless they do already or, where that
    /// matters, play.
    ///
    /// # Errors
    /// Why it may not be durable.
    pub async fn queue(&self, wish: Wish) -> Result<Queued, Error> {
        match &self.backend {
            Backend::Sqlite(sqlite) => sqlite.write(move |db| tickets::queue(db, wish)).await,
            Backend::Postgres(pg) => {
                pg.ask(move |mut db| async move { postgres::tickets::queue(&mut db, wish).await })
                    .await
            }
            Backend::Memory(memory) => memory.with(|state| state.queue(wish)),
        }
    }

    /// Ends those of these tickets that still search; tells which did.
    ///
    /// # Errors
    /// Why it may not be durable.
    pub async fn end_tickets(
        &self,
        ids: Vec<u64>,
        fate: TicketFate,
        at: Timestamp,
    ) -> Result<Vec<u64>, Error> {
        match &self.backend {
            Backend::Sqlite(sqlite) => {
                sqlite
                    .write(move |db| tickets::end(db, &ids, fate, at))
                    .await
            }
            Backend::Postgres(pg) => {
                pg.ask(move |db| async move { postgres::tickets::end(&db, &ids, fate, at).await })
                    .await
            }
            Backend::Memory(memory) => memory.with(|state| state.tickets.end(&ids, fate, at)),
        }
    }

    /// Notes that the owners of these tickets were there.
    ///
    /// # Errors
    /// Why it may not be durable.
    pub async fn see_tickets(&self, ids: Vec<u64>, at: Timestamp) -> Result<(), Error> {
        match &self.backend {
            Backend::Sqlite(sqlite) => sqlite.write(move |db| tickets::see(db, &ids, at)).await,
            Backend::Postgres(pg) => {
                pg.ask(move |db| async move { postgres::tickets::see(&db, &ids, at).await })
                    .await
            }
            Backend::Memory(memory) => memory.with(|state| state.tickets.see(&ids, at)),
        }
    }

    /// A ticket, as long as it is remembered.
    ///
    /// # Errors
    /// Why it cannot be read.
    pub async fn ticket(&self, id: u64) -> Result<Option<Ticket>, Error> {
        match &self.backend {
            Backend::Sqlite(sqlite) => sqlite.read(move |db| tickets::by_id(db, id)).await,
            Backend::Postgres(pg) => {
                pg.ask(move |db| async move { postgres::tickets::by_id(&db, id).await })
                    .await
            }
            Backend::Memory(memory) => memory.with(|state| state.tickets.by_id(id)),
        }
    }

    /// The ticket of somebody that a game came of, as long as it is remembered.
    ///
    /// # Errors
    /// Why it cannot be read.
    pub async fn matched_ticket(
        &self,
        account: PlayerId,
        table: TableId,
    ) -> Result<Option<Ticket>, Error> {
        match &self.backend {
            Backend::Sqlite(sqlite) => {
                sqlite
                    .read(move |db| tickets::matched(db, account, table))
                    .await
            }
            Backend::Postgres(pg) => {
                pg.ask(
                    move |db| async move { postgres::tickets::matched(&db, account, table).await },
                )
                .await
            }
            Backend::Memory(memory) => memory.with(|state| state.tickets.matched(account, table)),
        }
    }

    /// All who wait, those first who have waited longest.
    ///
    /// # Errors
    /// Why it cannot be read.
    pub async fn searching_tickets(&self) -> Result<Vec<Ticket>, Error> {
        match &self.backend {
            Backend::Sqlite(sqlite) => sqlite.read(tickets::searching).await,
            Backend::Postgres(pg) => {
                pg.ask(|db| async move { postgres::tickets::searching(&db).await })
                    .await
            }
            Backend::Memory(memory) => memory.with(|state| state.tickets.searching()),
        }
    }

    /// The tickets that were paired since then, in that order.
    ///
    /// # Errors
    /// Why it cannot be read.
    pub async fn paired_tickets(&self, since: Timestamp) -> Result<Vec<Ticket>, Error> {
        match &self.backend {
            Backend::Sqlite(sqlite) => {
                sqlite
                    .read(move |db| tickets::paired_since(db, since))
                    .await
            }
            Backend::Postgres(pg) => {
                pg.ask(move |db| async move { postgres::tickets::paired_since(&db, since).await })
                    .await
            }
            Backend::Memory(memory) => memory.with(|state| state.tickets.paired_since(since)),
        }
    }

    /// Forgets up to so many tickets that ended before that moment. How many
    /// there were.
    ///
    /// # Errors
    /// Why it may not be durable.
    pub async fn purge_tickets(&self, ended_before: Timestamp, limit: u32) -> Result<u64, Error> {
        match &self.backend {
            Backend::Sqlite(sqlite) => {
                sqlite
                    .write(move |db| tickets::purge(db, ended_before, limit))
                    .await
            }
            Backend::Postgres(pg) => {
                pg.ask(move |db| async move {
                    postgres::tickets::purge(&db, ended_before, limit).await
                })
                .await
            }
            Backend::Memory(memory) => {
                memory.with(|state| state.tickets.purge(ended_before, limit))
            }
        }
    }
}
