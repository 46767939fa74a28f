//! What is to be told, and was.

use chess::Timestamp;
use chess::table::PlayerId;

use super::{Backend, Store};
use crate::postgres;
use crate::sqlite::notifications;
use crate::{
    Channel, Error, Held, NewNotification, Notification, NotificationClaim, OutboxStep, Settled,
};

impl Store {
    /// Where that reader of the outbox is, if this node reads now: nobody else does until
    /// then. `None`: another does. At the beginning the place is empty.
    ///
    /// # Errors
    /// Why it may not be durable.
    pub async fn take_outbox_cursor(
        &self,
        name: &str,
        holder: u64,
        now: Timestamp,
        until: Timestamp,
    ) -> Result<Option<String>, Error> {
        match &self.backend {
            Backend::Sqlite(sqlite) => {
                let name = name.to_owned();
                sqlite
                    .write(move |db| notifications::take_cursor(db, &name, holder, now, until))
                    .await
            }
            Backend::Postgres(pg) => {
                let name = name.to_owned();
                pg.ask(move |db| async move {
                    postgres::notifications::take_cursor(&db, &name, holder, now, until).await
                })
                .await
            }
            Backend::Memory(memory) => {
                memory.with(|state| state.told.take_cursor(name, holder, now, until))
            }
        }
    }

    /// Writes down what is to be told, each key once; with a step of who reads the outbox,
    /// in one transaction. Whether it was written: not if somebody else took the step.
    ///
    /// # Errors
    /// Why it may not be durable.
    pub async fn add_notifications(
        &self,
        step: Option<OutboxStep>,
        new: Vec<NewNotification>,
    ) -> Result<bool, Error> {
        match &self.backend {
            Backend::Sqlite(sqlite) => {
                sqlite
                    .write(move |db| notifications::add(db, step.as_ref(), &new))
                    .await
            }
            Backend::Postgres(pg) => {
                pg.ask(move |mut db| async move {
                    postgres::notifications::add(&mut db, step.as_ref(), &new).await
                })
                .await
            }
            Backend::Memory(memory) => memory.with(|state| {
                let (is_written, told) = state.told.add(step.as_ref(), new);
                told.iter()
                    .for_each(|who| state.people.has_changed(*who, true));
                is_written
            }),
        }
    }

    /// Those that are due: for whoever asks alone until then. A try of each is counted.
    ///
    /// # Errors
    /// Why it may not be durable.
    pub async fn claim_notifications(
        &self,
        claim: NotificationClaim,
    ) -> Result<Vec<Notification>, Error> {
        match &self.backend {
            Backend::Sqlite(sqlite) => {
                sqlite
                    .write(move |db| notifications::claim(db, &claim))
                    .await
            }
            Backend::Postgres(pg) => {
                pg.ask(move |db| async move { postgres::notifications::claim(&db, &claim).await })
                    .await
            }
            Backend::Memory(memory) => memory.with(|state| state.told.claim(&claim)),
        }
    }

    /// Everything of that kind that waits for an account in that way, due or not: it comes
    /// along with what is tried, and no try of it is counted.
    ///
    /// # Errors
    /// Why it may not be durable.
    pub async fn claim_alike(
        &self,
        account: PlayerId,
        kind: &str,
        channel: Channel,
        now: Timestamp,
        until: Timestamp,
    ) -> Result<Vec<Notification>, Error> {
        match &self.backend {
            Backend::Sqlite(sqlite) => {
                let kind = kind.to_owned();
                sqlite
                    .write(move |db| {
                        notifications::claim_alike(db, account, &kind, channel, now, until)
                    })
                    .await
            }
            Backend::Postgres(pg) => {
                let kind = kind.to_owned();
                pg.ask(move |db| async move {
                    postgres::notifications::claim_alike(&db, account, &kind, channel, now, until)
                        .await
                })
                .await
            }
            Backend::Memory(memory) => {
                memory.with(|state| state.told.claim_alike(account, kind, channel, now, until))
            }
        }
    }

    /// Writes down what became of them. That they were told counts always; anything else
    /// only of those that nobody else has in hand by now.
    ///
    /// # Errors
    /// Why it may not be durable.
    pub async fn settle_notifications(
        &self,
        held: Vec<Held>,
        settled: Settled,
    ) -> Result<(), Error> {
        match &self.backend {
            Backend::Sqlite(sqlite) => {
                sqlite
                    .write(move |db| notifications::settle(db, &held, settled))
                    .await
            }
            Backend::Postgres(pg) => {
                pg.ask(move |db| async move {
                    postgres::notifications::settle(&db, &held, settled).await
                })
                .await
            }
            Backend::Memory(memory) => memory.with(|state| state.told.settle(&held, settled)),
        }
    }

    /// What an account's stream was told after that one, in order.
    ///
    /// # Errors
    /// Why it cannot be read.
    pub async fn streamed_notifications(
        &self,
        account: PlayerId,
        after: u64,
        limit: u32,
    ) -> Result<Vec<Notification>, Error> {
        match &self.backend {
            Backend::Sqlite(sqlite) => {
                sqlite
                    .read(move |db| notifications::streamed(db, account, after, limit))
                    .await
            }
            Backend::Postgres(pg) => {
                pg.ask(move |db| async move {
                    postgres::notifications::streamed(&db, account, after, limit).await
                })
                .await
            }
            Backend::Memory(memory) => {
                memory.with(|state| state.told.streamed(account, after, limit))
            }
        }
    }

    /// The last that an account's stream was told; 0: nothing yet.
    ///
    /// # Errors
    /// Why it cannot be read.
    pub async fn last_streamed(&self, account: PlayerId) -> Result<u64, Error> {
        match &self.backend {
            Backend::Sqlite(sqlite) => {
                sqlite
                    .read(move |db| notifications::last_streamed(db, account))
                    .await
            }
            Backend::Postgres(pg) => {
                pg.ask(move |db| async move {
                    postgres::notifications::last_streamed(&db, account).await
                })
                .await
            }
            Backend::Memory(memory) => memory.with(|state| state.told.last_streamed(account)),
        }
    }

    /// When an account was last told something of that kind in that way.
    ///
    /// # Errors
    /// Why it cannot be read.
    pub async fn last_sent(
        &self,
        account: PlayerId,
        kind: &str,
        channel: Channel,
    ) -> Result<Option<Timestamp>, Error> {
        match &self.backend {
            Backend::Sqlite(sqlite) => {
                let kind = kind.to_owned();
                sqlite
                    .read(move |db| notifications::last_sent(db, account, &kind, channel))
                    .await
            }
            Backend::Postgres(pg) => {
                let kind = kind.to_owned();
                pg.ask(move |db| async move {
                    postgres::notifications::last_sent(&db, account, &kind, channel).await
                })
                .await
            }
            Backend::Memory(memory) => {
                memory.with(|state| state.told.last_sent(account, kind, channel))
            }
        }
    }

    /// Since when the oldest is due that is not told yet; it may be yet to come.
    ///
    /// # Errors
    /// Why it cannot be read.
    pub async fn oldest_notification(&self) -> Result<Option<Timestamp>, Error> {
        match &self.backend {
            Backend::Sqlite(sqlite) => sqlite.read(notifications::oldest_due).await,
            Backend::Postgres(pg) => {
                pg.ask(move |db| async move { postgres::notifications::oldest_due(&db).await })
                    .await
            }
            Backend::Memory(memory) => memory.with(|state| state.told.oldest_due()),
        }
    }

    /// Forgets up to so many that were told before that moment; how many there were.
    ///
    /// # Errors
    /// Why it may not be durable.
    pub async fn purge_notifications(&self, before: Timestamp, limit: u32) -> Result<u64, Error> {
        match &self.backend {
            Backend::Sqlite(sqlite) => {
                sqlite.write(move |db| notifications::purge(db, before, limit)).await
            }
            Backend::Postgres(pg) => {
                pg.ask(move |db| async move { postgres::notifications::purge(&db, before, limit).await }).await
            }
            Backend::Memory(memory) => memory.with(|state| state.told.purge(before)),
        }
    }

    /// Whoever was about to send something is gone: for a store that nobody else uses.
    ///
    /// # Errors
    /// Why it may not be durable.
    pub async fn release_notifications(&self) -> Result<(), Error> {
        match &self.backend {
            Backend::Sqlite(sqlite) => sqlite.write(notifications::release).await,
            // Another node may be about to: its claim ends by itself.
            Backend::Postgres(_) => Ok(()),
            Backend::Memory(memory) => memory.with(|state| state.told.release()),
        }
    }
}
