//! Webhooks: where events are sent to, and what became of each.

use chess::Timestamp;
use chess::table::PlayerId;

use super::{Backend, Store};
use crate::postgres;
use crate::sqlite::webhooks;
use crate::{Backlog, Claim, Delivery, Error, FannedOut, MovesWanted, NewWebhook, Tried, Webhook};

impl Store {
    /// Adds a webhook; nothing if its owner has so many already.
    ///
    /// # Errors
    /// Why it may not be durable.
    pub async fn add_webhook(&self, new: NewWebhook, max: u32) -> Result<Option<Webhook>, Error> {
        match &self.backend {
            Backend::Sqlite(sqlite) => sqlite.write(move |db| webhooks::add(db, new, max)).await,
            Backend::Postgres(pg) => {
                pg.ask(
                    move |mut db| async move { postgres::webhooks::add(&mut db, new, max).await },
                )
                .await
            }
            Backend::Memory(memory) => memory.with(|state| state.webhooks.add(new, max)),
        }
    }

    /// Somebody's webhooks, oldest first.
    ///
    /// # Errors
    /// Why it cannot be read.
    pub async fn webhooks_of(&self, account: PlayerId) -> Result<Vec<Webhook>, Error> {
        match &self.backend {
            Backend::Sqlite(sqlite) => sqlite.read(move |db| webhooks::of(db, account)).await,
            Backend::Postgres(pg) => {
                pg.ask(move |db| async move { postgres::webhooks::of(&db, account).await })
                    .await
            }
            Backend::Memory(memory) => memory.with(|state| state.webhooks.of(account)),
        }
    }

    /// A webhook by its number.
    ///
    /// # Errors
    /// Why it cannot be read.
    pub async fn webhook(&self, id: u64) -> Result<Option<Webhook>, Error> {
        match &self.backend {
            Backend::Sqlite(sqlite) => sqlite.read(move |db| webhooks::by_id(db, id)).await,
            Backend::Postgres(pg) => {
                pg.ask(move |db| async move { postgres::webhooks::by_id(&db, id).await })
                    .await
            }
            Backend::Memory(memory) => memory.with(|state| state.webhooks.by_id(id)),
        }
    }

    /// Removes a webhook of that owner, with its deliveries. Whether there was one.
    ///
    /// # Errors
    /// Why it may not be durable.
    pub async fn remove_webhook(&self, account: PlayerId, id: u64) -> Result<bool, Error> {
        match &self.backend {
            Backend::Sqlite(sqlite) => {
                sqlite
                    .write(move |db| webhooks::remove(db, account, id))
                    .await
            }
            Backend::Postgres(pg) => {
                pg.ask(move |db| async move { postgres::webhooks::remove(&db, account, id).await })
                    .await
            }
            Backend::Memory(memory) => memory.with(|state| state.webhooks.remove(account, id)),
        }
    }

    /// Gives a webhook of that owner another secret; the one before counts until then.
    ///
    /// # Errors
    /// Why it may not be durable.
    pub async fn rotate_webhook(
        &self,
        account: PlayerId,
        id: u64,
        secret: &str,
        old_until: Timestamp,
    ) -> Result<Option<Webhook>, Error> {
        let asked = secret.to_owned();
        match &self.backend {
            Backend::Sqlite(sqlite) => {
                sqlite
                    .write(move |db| webhooks::rotate(db, account, id, &asked, old_until))
                    .await
            }
            Backend::Postgres(pg) => {
                pg.ask(move |db| async move {
                    postgres::webhooks::rotate(&db, account, id, &asked, old_until).await
                })
                .await
            }
            Backend::Memory(memory) => {
                memory.with(|state| state.webhooks.rotate(account, id, secret, old_until))
            }
        }
    }

    /// Whose moves webhooks want to be told of.
    ///
    /// # Errors
    /// Why it cannot be read.
    pub async fn webhooks_want_moves(&self) -> Result<MovesWanted, Error> {
        match &self.backend {
            Backend::Sqlite(sqlite) => sqlite.read(webhooks::want_moves).await,
            Backend::Postgres(pg) => {
                pg.ask(move |db| async move { postgres::webhooks::want_moves(&db).await })
                    .await
            }
            Backend::Memory(memory) => memory.with(|state| state.webhooks.want_moves()),
        }
    }

    /// Puts the next events in line for all webhooks that want them, up to so many, and moves
    /// on past them: both or nothing, so that none is left out or put in line twice. The first
    /// time it begins with what comes next.
    ///
    /// # Errors
    /// Why it may not be durable.
    pub async fn fan_out(&self, now: Timestamp, limit: u32) -> Result<FannedOut, Error> {
        match &self.backend {
            Backend::Sqlite(sqlite) => {
                sqlite
                    .write(move |db| webhooks::fan_out(db, now, limit))
                    .await
            }
            Backend::Postgres(pg) => {
                pg.ask(move |mut db| async move {
                    postgres::webhooks::fan_out(&mut db, now, limit).await
                })
                .await
            }
            Backend::Memory(memory) => memory.with(|state| state.fan_out(now, limit)),
        }
    }

    /// Takes deliveries in hand, and counts a try of each: of what a webhook is to be sent of
    /// one table only the first, if it is due and nobody has it in hand.
    ///
    /// # Errors
    /// Why it may not be durable.
    pub async fn claim_deliveries(&self, claim: Claim) -> Result<Vec<Delivery>, Error> {
        match &self.backend {
            Backend::Sqlite(sqlite) => {
                let now = claim.now;
                // Mostly there is nothing, and then nothing is written.
                match sqlite.read(move |db| webhooks::is_due(db, now)).await? {
                    true => sqlite.write(move |db| webhooks::claim(db, &claim)).await,
                    false => Ok(Vec::new()),
                }
            }
            Backend::Postgres(pg) => {
                pg.ask(move |db| async move { postgres::webhooks::claim(&db, &claim).await })
                    .await
            }
            Backend::Memory(memory) => memory.with(|state| state.webhooks.claim(&claim)),
        }
    }

    /// Notes what came of a try. That it was delivered counts always; anything else only if
    /// nobody else has it in hand by now. Whether it counted.
    ///
    /// # Errors
    /// Why it may not be durable.
    pub async fn settle_delivery(&self, tried: Tried) -> Result<bool, Error> {
        match &self.backend {
            Backend::Sqlite(sqlite) => sqlite.write(move |db| webhooks::settle(db, &tried)).await,
            Backend::Postgres(pg) => {
                pg.ask(
                    move |mut db| async move { postgres::webhooks::settle(&mut db, &tried).await },
                )
                .await
            }
            Backend::Memory(memory) => memory.with(|state| state.webhooks.settle(&tried)),
        }
    }

    /// Lets go of all deliveries that are in hand: for the one server of a store, when it
    /// starts. Its last run may have left some.
    ///
    /// # Errors
    /// Why it may not be durable.
    pub async fn release_deliveries(&self) -> Result<(), Error> {
        match &self.backend {
            Backend::Sqlite(sqlite) => sqlite.write(webhooks::release).await,
            Backend::Postgres(pg) => {
                pg.ask(|db| async move { postgres::webhooks::release(&db).await })
                    .await
            }
            Backend::Memory(memory) => memory.with(|state| state.webhooks.release()),
        }
    }

    /// A webhook's deliveries from before that one, newest first.
    ///
    /// # Errors
    /// Why it cannot be read.
    pub async fn deliveries_of(
        &self,
        webhook: u64,
        before: Option<u64>,
        limit: u32,
    ) -> Result<Vec<Delivery>, Error> {
        match &self.backend {
            Backend::Sqlite(sqlite) => {
                sqlite
                    .read(move |db| webhooks::deliveries(db, webhook, before, limit))
                    .await
            }
            Backend::Postgres(pg) => {
                pg.ask(move |db| async move {
                    postgres::webhooks::deliveries(&db, webhook, before, limit).await
                })
                .await
            }
            Backend::Memory(memory) => {
                memory.with(|state| state.webhooks.deliveries(webhook, before, limit))
            }
        }
    }

    /// Puts an event in line once more, behind what waits there.
    ///
    /// # Errors
    /// Why it may not be durable.
    pub async fn redeliver(
        &self,
        webhook: u64,
        delivery: u64,
        now: Timestamp,
    ) -> Result<Option<Delivery>, Error> {
        match &self.backend {
            Backend::Sqlite(sqlite) => {
                sqlite
                    .write(move |db| webhooks::redeliver(db, webhook, delivery, now))
                    .await
            }
            Backend::Postgres(pg) => {
                pg.ask(move |mut db| async move {
                    postgres::webhooks::redeliver(&mut db, webhook, delivery, now).await
                })
                .await
            }
            Backend::Memory(memory) => {
                memory.with(|state| state.webhooks.redeliver(webhook, delivery, now))
            }
        }
    }

    /// What is still to be delivered.
    ///
    /// # Errors
    /// Why it cannot be read.
    pub async fn delivery_backlog(&self) -> Result<Backlog, Error> {
        match &self.backend {
            Backend::Sqlite(sqlite) => sqlite.read(webhooks::backlog).await,
            Backend::Postgres(pg) => {
                pg.ask(move |db| async move { postgres::webhooks::backlog(&db).await })
                    .await
            }
            Backend::Memory(memory) => memory.with(|state| state.webhooks.backlog()),
        }
    }

    /// Deletes up to so many deliveries from before that moment. How many there were.
    ///
    /// # Errors
    /// Why it may not be durable.
    pub async fn purge_deliveries(&self, before: Timestamp, limit: u32) -> Result<u64, Error> {
        match &self.backend {
            Backend::Sqlite(sqlite) => {
                sqlite
                    .write(move |db| webhooks::purge(db, before, limit))
                    .await
            }
            Backend::Postgres(pg) => {
                pg.ask(move |mut db| async move {
                    postgres::webhooks::purge(&mut db, before, limit).await
                })
                .await
            }
            Backend::Memory(memory) => memory.with(|state| state.webhooks.purge(before, limit)),
        }
    }
}
