//! Rooms: what was said, and who may not speak.

use chess::table::PlayerId;

use super::{Backend, Store};
use crate::postgres;
use crate::sqlite::chat;
use crate::{Ban, ChatFilter, ChatLine, ChatNumbering, Done, Error, NewChatLine, TableId};

impl Store {
    /// Gives a line its id and makes it durable; tells the id. One line of a table
    /// after the other, whichever server asks: the id is made of all that are
    /// durable, and by one clock for all who share the store, else by the time of
    /// the line. The callbacks of one table's lines are called in the order of
    /// asking, so whoever tells lines from there tells them in the order of their
    /// ids.
    ///
    /// Told [`Error::Conflict`] if the table has a line with that id.
    pub fn append_chat(&self, line: NewChatLine, numbering: ChatNumbering, done: Done<u64>) {
        match &self.backend {
            Backend::Sqlite(sqlite) => {
                sqlite.write_then(move |db| chat::append(db, &line, &numbering), done);
            }
            Backend::Postgres(pg) => pg.append_chat(line, numbering, done),
            Backend::Memory(memory) => {
                let said = memory.with(|state| state.chat.append(line, &numbering));
                done(said.flatten());
            }
        }
    }

    /// Which of the lines said at a table after that id the filter admits,
    /// oldest first; if there are more, the newest `limit` of them.
    ///
    /// # Errors
    /// Why it cannot be read.
    pub async fn chat_of(
        &self,
        table: TableId,
        filter: ChatFilter,
        after: Option<u64>,
        limit: u32,
    ) -> Result<Vec<ChatLine>, Error> {
        match &self.backend {
            Backend::Sqlite(sqlite) => {
                sqlite
                    .read(move |db| chat::of(db, table, filter, after, limit))
                    .await
            }
            Backend::Postgres(pg) => {
                pg.ask(move |db| async move {
                    postgres::chat::of(&db, table, filter, after, limit).await
                })
                .await
            }
            Backend::Memory(memory) => memory.with(|state| {
                let blocked = state.social.blocked_by(filter.reader);
                state.chat.of(table, filter, &blocked, after, limit)
            }),
        }
    }

    /// What somebody said at any table, in the order of tables and ids, after
    /// that place.
    ///
    /// # Errors
    /// Why it cannot be read.
    pub async fn chat_by(
        &self,
        account: PlayerId,
        after: Option<(TableId, u64)>,
        limit: u32,
    ) -> Result<Vec<ChatLine>, Error> {
        match &self.backend {
            Backend::Sqlite(sqlite) => {
                sqlite
                    .read(move |db| chat::by(db, account, after, limit))
                    .await
            }
            Backend::Postgres(pg) => {
                pg.ask(
                    move |db| async move { postgres::chat::by(&db, account, after, limit).await },
                )
                .await
            }
            Backend::Memory(memory) => memory.with(|state| state.chat.by(account, after, limit)),
        }
    }

    /// Bans somebody from a room, or changes how far their ban goes.
    ///
    /// # Errors
    /// Why it may not be durable.
    pub async fn ban(&self, ban: Ban) -> Result<(), Error> {
        match &self.backend {
            Backend::Sqlite(sqlite) => {
                sqlite.rare().will_ban(ban.table);
                sqlite.write(move |db| chat::ban(db, &ban)).await
            }
            Backend::Postgres(pg) => {
                pg.ask(move |db| async move { postgres::chat::ban(&db, &ban).await })
                    .await
            }
            Backend::Memory(memory) => memory.with(|state| state.chat.ban(ban)),
        }
    }

    /// Lifts a ban. Whether there was one.
    ///
    /// # Errors
    /// Why it may not be durable.
    pub async fn lift_ban(&self, table: TableId, account: PlayerId) -> Result<bool, Error> {
        match &self.backend {
            Backend::Sqlite(sqlite) => sqlite.write(move |db| chat::lift(db, table, account)).await,
            Backend::Postgres(pg) => {
                pg.ask(move |db| async move { postgres::chat::lift(&db, table, account).await })
                    .await
            }
            Backend::Memory(memory) => memory.with(|state| state.chat.lift(table, account)),
        }
    }

    /// How somebody is banned from the rooms of these tables, in the order of the tables.
    ///
    /// # Errors
    /// Why it cannot be read.
    pub async fn bans_at(&self, tables: &[TableId], account: PlayerId) -> Result<Vec<Ban>, Error> {
        match &self.backend {
            Backend::Sqlite(sqlite) if !sqlite.rare().may_ban(tables) => Ok(Vec::new()),
            Backend::Sqlite(sqlite) => {
                let tables = tables.to_vec();
                sqlite
                    .read(move |db| chat::bans_at(db, &tables, account))
                    .await
            }
            Backend::Postgres(pg) => {
                let tables = tables.to_vec();
                pg.ask(
                    move |db| async move { postgres::chat::bans_at(&db, &tables, account).await },
                )
                .await
            }
            Backend::Memory(memory) => memory.with(|state| state.chat.bans_at(tables, account)),
        }
    }

    /// Everybody who is banned from a room.
    ///
    /// # Errors
    /// Why it cannot be read.
    pub async fn bans_of(&self, table: TableId) -> Result<Vec<Ban>, Error> {
        match &self.backend {
            Backend::Sqlite(sqlite) => sqlite.read(move |db| chat::bans(db, table)).await,
            Backend::Postgres(pg) => {
                pg.ask(move |db| async move { postgres::chat::bans(&db, table).await })
                    .await
            }
            Backend::Memory(memory) => memory.with(|state| state.chat.bans(table)),
        }
    }
}
