//! Starting again where the last run ended, and bringing tables in.

use std::sync::atomic::Ordering;

use chess::Timestamp;
use chess::table::{Outage, Table};
use store::{Past, Stored, TableId};
use tokio::sync::oneshot;

use crate::live::{Handles, Limits, Live, lock};
use crate::request::Failure;
use crate::shard::Loaded;
use crate::snapshot::restore;

impl<T: Table> Live<T> {
    /// Takes up everything the store knows: re-arms every clock, and notes how
    /// long nobody was there.
    ///
    /// # Errors
    /// What the store says.
    pub async fn start(handles: Handles<T>, limits: Limits) -> Result<Live<T>, store::Error> {
        if handles.member.is_some() {
            return Live::join(handles, limits).await;
        }
        let past = handles.store.past().await?;
        Live::resume(handles, limits, past).await
    }

    /// The same for the one server of its store, with what happened before already
    /// read.
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
        let live = Live::new(handles, limits, outages, None);
        live.take_up().await?;
        Ok(live)
    }

    /// The same for a node among several: of what is due it takes up what no other
    /// node watches. Its first heartbeat notes how long nobody was there, if so.
    async fn join(handles: Handles<T>, limits: Limits) -> Result<Live<T>, store::Error> {
        let membership = handles.introduce().await?;
        let past = handles.store.past().await?;
        let live = Live::new(handles, limits, past.outages, membership);
        let (tell, told) = oneshot::channel();
        let store = &live.inner.handles.store;
        store.orphans(live.nodes(), Box::new(move |found| drop(tell.send(found))));
        let gone = || store::Error::Unavailable("the store is closing".into());
        let mut due = told.await.unwrap_or_else(|_| Err(gone()))?;
        due.retain(|due| live.falls_to_us(due.table));
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
                live.step(id, |shard, step| {
                    shard.arrived(loaded, asked, started, step)
                });
            }),
        );
    }

    /// Tells the store that the server is up, while there is a clock to credit.
    pub fn heartbeat(&self) {
        if let Some(membership) = &self.inner.membership {
            if !self.is_closing() {
                self.beat(membership);
            }
            return;
        }
        if lock(&self.inner.timers).len() > 0 || self.has_far_deadlines() {
            self.note_alive();
        }
    }

    /// Tells the store that the server is up; one that refuses changes is not, as
    /// far as players are concerned.
    pub fn note_alive(&self) {
        if self.inner.membership.is_some() || self.refuses_since().is_some() {
            return;
        }
        let asked = self.now();
        if !self.begin_beat(asked) {
            return;
        }
        let at = self.inner.gate.closed_since().unwrap_or(asked);
        let live = self.clone();
        self.inner.handles.store.heartbeat(
            at,
            Box::new(move |result| {
                live.end_beat();
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

    /// One heartbeat at a time: those that wait behind a hanging one would say
    /// afterwards that the server was up all the while. Whether this is the one.
    pub(crate) fn begin_beat(&self, asked: Timestamp) -> bool {
        let order = Ordering::SeqCst;
        let since = &self.inner.heartbeat_since;
        since
            .compare_exchange(0, asked.0.max(1), order, order)
            .is_ok()
    }

    pub(crate) fn end_beat(&self) {
        self.inner.heartbeat_since.store(0, Ordering::SeqCst);
    }
}

fn decode<T: Table>(id: TableId, stored: Stored) -> Loaded<T> {
    let table = restore(&stored).ok_or(Failure::NotFound)?;
    let table = table.map_err(|why| Failure::Corrupt(format!("table {id}: {why}")))?;
    Ok(Some((table, stored.join_code)))
}
