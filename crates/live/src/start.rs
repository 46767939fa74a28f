//! Starting again where the last run ended, and bringing tables in.

use std::sync::atomic::Ordering;

use chess::Millis;
use chess::table::{Outage, Table};
use store::{Due, Past, Stored, TableId};

use crate::live::{Handles, Limits, Live, lock};
use crate::request::Failure;
use crate::shard::Loaded;
use crate::snapshot::restore;

/// How many tables that came up while nobody was there are looked at in a
/// millisecond: those that somebody asks for must not wait behind all the others.
const OVERDUE_PER_MS: u32 = 10;

impl<T: Table> Live<T> {
    /// Takes up everything the store knows: re-arms every clock, and notes how
    /// long nobody was there.
    ///
    /// # Errors
    /// What the store says.
    pub async fn start(handles: Handles<T>, limits: Limits) -> Result<Live<T>, store::Error> {
        let past = handles.store.past().await?;
        Live::resume(handles, limits, past).await
    }

    /// The same, with what happened before already read.
    ///
    /// # Errors
    /// What the store says.
    pub async fn resume(
        handles: Handles<T>,
        limits: Limits,
        past: Past,
    ) -> Result<Live<T>, store::Error> {
        let now = (handles.now)();
        let mut outages = past.outages;
        // A machine's clock that was set back must not stop the players' clocks.
        for outage in &mut outages {
            outage.up_at = outage.up_at.min(now);
        }
        if let Some(down_since) = past.alive_at.filter(|alive| *alive < now) {
            let outage = Outage {
                down_since,
                up_at: now,
            };
            handles.store.note_outage(outage).await?;
            // A start that nobody was told of before it ended belongs to this
            // outage: no time is given back twice.
            outages.retain(|earlier| earlier.down_since < down_since);
            outages.push(outage);
        }
        let due = handles.store.due().await?;
        let live = Live::new(handles, limits, outages);
        live.arm_all(&due);
        Ok(live)
    }

    /// Tries the tables again that nobody could go on with: perhaps they can be
    /// read by now.
    pub fn retry_set_aside(&self) {
        for (id, _) in self.set_aside() {
            self.step(id, |shard, step| shard.fetch_aside(step));
        }
    }

    /// What is due, and when. What came up while nobody was there is looked at
    /// little by little; whether it gets that time back is decided on loading.
    fn arm_all(&self, due: &[Due]) {
        let mut timers = lock(&self.inner.timers);
        let mut overdue = 0;
        for Due { table, at } in due {
            let deadline = at.map(|at| {
                if at > self.inner.started {
                    return at;
                }
                overdue += 1;
                self.inner.started + Millis(overdue / OVERDUE_PER_MS)
            });
            timers.arm(*table, deadline);
        }
    }

    pub(crate) fn load(&self, id: TableId) {
        let live = self.clone();
        let asked = self.now();
        self.inner.handles.store.load(
            id,
            Box::new(move |result| {
                let loaded = match result {
                    Ok(None) => Ok(None),
                    Ok(Some(stored)) => decode::<T>(id, stored),
                    Err(error) => Err(Failure::from(error)),
                };
                if let Err(failure) = &loaded {
                    tracing::error!(table = %id, %failure, "a table could not be loaded");
                    // Whoever is to move there cannot.
                    if matches!(failure, Failure::Unavailable(_)) && !live.is_closing() {
                        live.store_failed(asked);
                    }
                }
                let started = live.inner.started;
                live.step(id, |shard, step| shard.arrived(loaded, started, step));
            }),
        );
    }

    /// Tells the store that the server is up, while there is a clock to credit.
    pub fn heartbeat(&self) {
        if lock(&self.inner.timers).len() > 0 {
            self.note_alive();
        }
    }

    /// Tells the store that the server is up; one that refuses changes is not, as
    /// far as players are concerned.
    pub fn note_alive(&self) {
        let asked = self.now();
        let since = &self.inner.heartbeat_since;
        let order = Ordering::SeqCst;
        // One at a time: those that wait behind a hanging one would say afterwards
        // that the server was up all the while.
        if self.refuses_since().is_some()
            || since
                .compare_exchange(0, asked.0.max(1), order, order)
                .is_err()
        {
            return;
        }
        let at = self.inner.gate.closed_since().unwrap_or(asked);
        let live = self.clone();
        self.inner.handles.store.heartbeat(
            at,
            Box::new(move |result| {
                live.inner.heartbeat_since.store(0, order);
                match result {
                    Ok(()) => live.store_took(asked),
                    Err(error) => {
                        tracing::error!(%error, "the heartbeat could not be written");
                        live.store_failed(asked);
                    }
                }
            }),
        );
    }
}

fn decode<T: Table>(id: TableId, stored: Stored) -> Loaded<T> {
    let table = restore(&stored).ok_or(Failure::NotFound)?;
    let table = table.map_err(|why| Failure::Corrupt(format!("table {id}: {why}")))?;
    Ok(Some((table, stored.join_code)))
}
