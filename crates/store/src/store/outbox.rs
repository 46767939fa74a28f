//! What happened and others may want to be told: see [`crate::Change::tells`].

use chess::Timestamp;

use super::{Backend, Store};
use crate::postgres;
use crate::sqlite::outbox;
use crate::{Error, EventKind, EventPlace, OutboxPage, OutboxQuery, TableId};

impl Store {
    /// Events after a place, in their order. None is skipped, whatever is written
    /// meanwhile: an event is not shown before everything that comes before it.
    ///
    /// # Errors
    /// Why they cannot be read.
    pub async fn outbox(&self, query: OutboxQuery) -> Result<OutboxPage, Error> {
        match &self.backend {
            Backend::Sqlite(sqlite) => sqlite.read(move |db| outbox::read(db, &query)).await,
            Backend::Postgres(pg) => {
                pg.ask(move |db| async move { postgres::outbox::read(&db, &query).await })
                    .await
            }
            Backend::Memory(memory) => memory.with(|state| state.outbox(&query)),
        }
    }

    /// Tells once more what a change told, for whoever lost it: nothing else is written.
    ///
    /// # Errors
    /// Why it may not be durable.
    pub async fn tell_again(
        &self,
        kind: EventKind,
        table: TableId,
        version: u32,
        at: Timestamp,
    ) -> Result<(), Error> {
        match &self.backend {
            Backend::Sqlite(sqlite) => {
                sqlite
                    .write(move |db| outbox::tell_again(db, kind, table, version, at))
                    .await
            }
            Backend::Postgres(pg) => {
                pg.ask(move |db| async move {
                    postgres::outbox::tell_again(&db, kind, table, version, at).await
                })
                .await
            }
            Backend::Memory(memory) => {
                memory.with(|state| state.outbox.put(kind, at, Some(table), version))
            }
        }
    }

    /// The place of the newest event that can be read.
    ///
    /// # Errors
    /// Why it cannot be read.
    pub async fn outbox_end(&self) -> Result<EventPlace, Error> {
        match &self.backend {
            Backend::Sqlite(sqlite) => sqlite.read(outbox::end).await,
            Backend::Postgres(pg) => {
                pg.ask(|db| async move { postgres::outbox::end(&db).await })
                    .await
            }
            Backend::Memory(memory) => memory.with(|state| state.outbox.end()),
        }
    }

    /// How far somebody has come who passes events on; nothing if they never began.
    ///
    /// # Errors
    /// Why it cannot be read.
    pub async fn event_cursor(&self, name: &'static str) -> Result<Option<EventPlace>, Error> {
        match &self.backend {
            Backend::Sqlite(sqlite) => sqlite.read(move |db| outbox::cursor(db, name)).await,
            Backend::Postgres(pg) => {
                pg.ask(move |db| async move { postgres::outbox::cursor(&db, name).await })
                    .await
            }
            Backend::Memory(memory) => memory.with(|state| state.outbox.cursor(name)),
        }
    }

    /// Moves a cursor on, unless it is not where it was any more. Whether it was moved.
    ///
    /// # Errors
    /// Why it may not be durable.
    pub async fn move_event_cursor(
        &self,
        name: &'static str,
        from: Option<EventPlace>,
        to: EventPlace,
    ) -> Result<bool, Error> {
        match &self.backend {
            Backend::Sqlite(sqlite) => {
                sqlite
                    .write(move |db| outbox::move_cursor(db, name, from, to))
                    .await
            }
            Backend::Postgres(pg) => {
                pg.ask(move |db| async move {
                    postgres::outbox::move_cursor(&db, name, from, to).await
                })
                .await
            }
            Backend::Memory(memory) => {
                memory.with(|state| state.outbox.move_cursor(name, from, to))
            }
        }
    }

    /// Takes a lease that nobody has at this time, or makes one's own longer: of all
    /// nodes one does something. Whether it is the holder's.
    ///
    /// # Errors
    /// Why it may not be durable.
    pub async fn lease(
        &self,
        name: &'static str,
        holder: u64,
        now: Timestamp,
        until: Timestamp,
    ) -> Result<bool, Error> {
        match &self.backend {
            Backend::Sqlite(sqlite) => {
                sqlite
                    .write(move |db| outbox::lease(db, name, holder, now, until))
                    .await
            }
            Backend::Postgres(pg) => {
                pg.ask(move |db| async move {
                    postgres::outbox::lease(&db, name, holder, now, until).await
                })
                .await
            }
            Backend::Memory(memory) => {
                memory.with(|state| state.outbox.lease(name, holder, now, until))
            }
        }
    }

    /// Deletes up to so many events from before that moment. How many there were.
    ///
    /// # Errors
    /// Why it may not be durable.
    pub async fn purge_outbox(&self, before: Timestamp, limit: u32) -> Result<u64, Error> {
        match &self.backend {
            Backend::Sqlite(sqlite) => {
                sqlite
                    .write(move |db| outbox::purge(db, before, limit))
                    .await
            }
            Backend::Postgres(pg) => {
                pg.ask(move |db| async move { postgres::outbox::purge(&db, before, limit).await })
                    .await
            }
            Backend::Memory(memory) => memory.with(|state| state.outbox.purge(before, limit)),
        }
    }
}
