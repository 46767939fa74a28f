//! What the servers that share a store learn of each other by it.

use chess::Timestamp;
use chess::table::PlayerId;

use super::{Backend, Store};
use crate::{Beat, Done, Due, Error, NodeId, Pulse, Standing, TableId, postgres};

impl Store {
    /// Makes this server one of those that share the store. Nobody hears of it
    /// before its first heartbeat.
    ///
    /// # Errors
    /// Why it may not be durable.
    pub async fn join(&self, name: &str) -> Result<NodeId, Error> {
        match &self.backend {
            Backend::Sqlite(_) => Ok(NodeId::ALONE),
            Backend::Postgres(pg) => {
                let name = name.to_owned();
                pg.ask(move |mut db| async move { postgres::nodes::join(&mut db, &name).await })
                    .await
            }
            Backend::Memory(memory) => memory.with(|state| state.join(name)),
        }
    }

    /// A number that no other store is likely to have: it tells the nodes of this
    /// one from others on the same bus.
    ///
    /// # Errors
    /// Why it cannot be read.
    pub async fn space(&self) -> Result<u64, Error> {
        match &self.backend {
            Backend::Sqlite(_) | Backend::Memory(_) => Ok(0),
            Backend::Postgres(pg) => {
                pg.ask(|db| async move { postgres::nodes::space(&db).await })
                    .await
            }
        }
    }

    /// A heartbeat of a node, and what it hears. If no node gave a sign of life
    /// for [`crate::SILENCE`], or this is the first and there is no other, that was
    /// an outage, and is written down with it.
    pub fn beat(&self, beat: Beat, done: Done<Pulse>) {
        match &self.backend {
            Backend::Sqlite(_) => done(Err(alone())),
            Backend::Postgres(pg) => pg.beat(beat, done),
            Backend::Memory(memory) => memory.beat(beat, done),
        }
    }

    /// A node makes no change any more, since that moment.
    ///
    /// # Errors
    /// Why it may not be durable.
    pub async fn depart(&self, node: NodeId, since: Timestamp) -> Result<(), Error> {
        match &self.backend {
            Backend::Sqlite(_) => Ok(()),
            Backend::Postgres(pg) => {
                pg.ask(move |db| async move { postgres::nodes::depart(&db, node, since).await })
                    .await
            }
            Backend::Memory(memory) => memory.with(|state| state.depart(node, since)),
        }
    }

    /// The tables that are not over and whose last change was made by none of
    /// these, in the order of their ids.
    pub fn orphans(&self, live: Vec<NodeId>, done: Done<Vec<Due>>) {
        match &self.backend {
            Backend::Sqlite(_) => done(Err(alone())),
            Backend::Postgres(pg) => pg.orphans(live, done),
            Backend::Memory(memory) => memory.orphans(&live, done),
        }
    }

    /// Which version a table has, from the moment of asking on; 0 if there is none.
    pub fn confirm(&self, table: TableId, done: Done<u32>) {
        match &self.backend {
            Backend::Postgres(pg) => pg.confirm(table, done),
            Backend::Sqlite(_) | Backend::Memory(_) => self.load(
                table,
                Box::new(move |found| {
                    done(found.map(|found| found.map_or(0, |stored| stored.version)));
                }),
            ),
        }
    }

    /// The tables of these players that are not over, or were made since then, and how
    /// far each has come.
    ///
    /// # Errors
    /// Why it cannot be read.
    pub async fn current_of(
        &self,
        players: Vec<PlayerId>,
        since: Timestamp,
    ) -> Result<Vec<(PlayerId, TableId, u32)>, Error> {
        match &self.backend {
            Backend::Sqlite(_) => Err(alone()),
            Backend::Postgres(pg) => {
                pg.ask(move |db| async move {
                    postgres::nodes::current_of(&db, &players, since).await
                })
                .await
            }
            Backend::Memory(memory) => memory.with(|state| state.current_of(&players, since)),
        }
    }

    /// How far these tables and their rooms have come; what is not there is left out.
    ///
    /// # Errors
    /// Why it cannot be read.
    pub async fn standings(&self, tables: Vec<TableId>) -> Result<Vec<Standing>, Error> {
        match &self.backend {
            Backend::Sqlite(_) => Err(alone()),
            Backend::Postgres(pg) => {
                pg.ask(move |db| async move { postgres::nodes::standings(&db, &tables).await })
                    .await
            }
            Backend::Memory(memory) => memory.standings(&tables),
        }
    }
}

fn alone() -> Error {
    Error::Unavailable("this store is for one server".into())
}
