//! A streaming replica, for those who may see what was a moment ago.
//!
//! It is looked at every second. While it is away or behind nobody waits for it: the
//! database itself is asked, as if there were none.

use std::future::Future;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Duration;

use deadpool_postgres::Pool;
use tokio::runtime::Handle;
use tokio::time::{sleep, timeout};

use super::fault::Fault;
use super::values::Columns;
use super::{Db, connect, loading};
use crate::callback::callback;
use crate::{Error, ReplicaStats};

const CONNECTIONS: usize = 8;
/// Between two looks at it.
const EVERY: Duration = Duration::from_secs(1);
/// How long anybody waits for it before the database itself is asked.
const PATIENCE: Duration = Duration::from_millis(500);
/// How far behind it may be.
const BEHIND_MAX_MS: u64 = 2_000;
/// In place of how far it is behind: it does not answer.
const AWAY: u64 = u64::MAX;

/// How old it is what it has. One that is no replica any more, as after it took the
/// primary's place, has the newest.
const LAG: &str = "SELECT CASE WHEN pg_is_in_recovery()
  THEN greatest(0, coalesce((extract(epoch FROM
         clock_timestamp() - pg_last_xact_replay_timestamp()) * 1000)::bigint, 0))
  ELSE 0 END";

/// Who asks.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Asking {
    /// Somebody for whom the database itself is asked if it is behind.
    Instead,
    /// Somebody whom the database did not answer.
    AtLast,
}

/// A handle on the replica.
#[derive(Clone)]
pub(crate) struct Replica {
    handle: Handle,
    pool: Pool,
    state: Arc<State>,
}

struct State {
    lag_ms: AtomicU64,
    reads: AtomicU64,
    misses: AtomicU64,
}

impl Replica {
    /// Begins to look at it; it need not be there.
    pub(super) fn follow(url: &str, handle: &Handle) -> Result<Replica, Error> {
        let way = connect::config(url)?;
        let replica = Replica {
            handle: handle.clone(),
            pool: connect::pool(&way, CONNECTIONS, vec![loading::LOAD_LIVE]),
            state: Arc::new(State {
                lag_ms: AtomicU64::new(AWAY),
                reads: AtomicU64::new(0),
                misses: AtomicU64::new(0),
            }),
        };
        handle.spawn(replica.clone().watch());
        Ok(replica)
    }

    /// What it answers; `None` if it is away, or behind and somebody else can be asked.
    pub(crate) async fn ask<T, F>(
        &self,
        asking: Asking,
        run: impl FnOnce(Db) -> F + Send + 'static,
    ) -> Option<T>
    where
        T: Send + 'static,
        F: Future<Output = Result<T, Fault>> + Send,
    {
        let is_used = match asking {
            Asking::Instead => self.state.lag_ms.load(Relaxed) <= BEHIND_MAX_MS,
            Asking::AtLast => true,
        };
        let found = match is_used {
            true => self.run(run).await,
            false => None,
        };
        let counted = match found {
            Some(_) => &self.state.reads,
            None => &self.state.misses,
        };
        counted.fetch_add(1, Relaxed);
        found
    }

    async fn run<T, F>(&self, run: impl FnOnce(Db) -> F + Send + 'static) -> Option<T>
    where
        T: Send + 'static,
        F: Future<Output = Result<T, Fault>> + Send,
    {
        let (done, told) = callback();
        let replica = self.clone();
        self.handle.spawn(async move {
            let asked = async { run(replica.pool.get().await?).await };
            let answer = timeout(PATIENCE, asked).await.unwrap_or(Err(Fault::Slow));
            if answer.is_err() {
                // Until the next look finds it well.
                replica.found(AWAY);
            }
            done(answer.map_err(Fault::into_error));
        });
        told.await.ok()?.ok()
    }

    async fn watch(self) {
        loop {
            let lag = async { lag(&self.pool.get().await?).await };
            let lag = timeout(PATIENCE, lag).await.unwrap_or(Err(Fault::Slow));
            self.found(lag.unwrap_or(AWAY));
            sleep(EVERY).await;
        }
    }

    /// Notes how far it is behind; says so if that makes a difference.
    fn found(&self, lag_ms: u64) {
        let before = self.state.lag_ms.swap(lag_ms, Relaxed);
        match (before <= BEHIND_MAX_MS, lag_ms <= BEHIND_MAX_MS) {
            (false, true) => tracing::info!(lag_ms, "the replica is asked"),
            (true, false) if lag_ms == AWAY => {
                tracing::warn!("the replica does not answer: the store is asked instead");
            }
            (true, false) => {
                tracing::warn!(lag_ms, "the replica is behind: the store is asked instead");
            }
            _ => {}
        }
    }

    pub(crate) fn stats(&self) -> ReplicaStats {
        let lag_ms = self.state.lag_ms.load(Relaxed);
        ReplicaStats {
            lag_ms: Some(lag_ms).filter(|lag_ms| *lag_ms != AWAY),
            reads: self.state.reads.load(Relaxed),
            misses: self.state.misses.load(Relaxed),
        }
    }
}

async fn lag(db: &Db) -> Result<u64, Fault> {
    let select = db.prepare_cached(LAG).await?;
    db.query_one(&select, &[]).await?.number(0)
}
