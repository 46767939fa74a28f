//! Deadlines far ahead: of a game with days per move nothing is in memory while nobody
//! looks at it, not even when it is due.
//!
//! The timers have what comes up within the horizon. Whatever is later only the store
//! knows, and long before it is due a sweep finds it there, a page at a time; so does one
//! after a start what came up while nobody was there. Among several nodes each takes its
//! share, and whoever comes first is first.

use chess::table::Table;
use chess::{Millis, Timestamp};
use store::{Due, TableId, Upcoming};
use tokio::sync::oneshot;

use crate::live::{Live, lock};
use crate::shard::RETRY_AFTER;

/// How many tables that came up while nobody was there are looked at in a
/// millisecond: those that somebody asks for must not wait behind all the others.
const OVERDUE_PER_MS: u32 = 10;

/// Rows in a page.
const PAGE: u32 = 1_000;

/// A start looks at all that comes up before it goes on, in larger pages. So does a shared
/// store always: it looks through all that is not over for each of them.
const LARGE_PAGE: u32 = 65_536;

/// Deadlines armed in one go, so that no clock waits for all of them.
const ARMED_AT_ONCE: usize = 1_000;

/// How far the look at what comes up has come.
#[derive(Default)]
pub(crate) struct Sweep {
    /// When it goes on, or begins again.
    next_at: Timestamp,
    /// The last row that was looked at, in the middle of it.
    after: Option<(Timestamp, TableId)>,
    is_asking: bool,
    /// Whether anything is due beyond the horizon, as far as is known.
    has_more: bool,
}

impl<T: Table> Live<T> {
    /// Arms a table's deadline if it is near; else the sweep will find it.
    pub(crate) fn arm(&self, id: TableId, deadline: Option<Timestamp>, now: Timestamp) {
        let near = deadline.filter(|deadline| *deadline <= now + self.inner.limits.horizon);
        lock(&self.inner.timers).arm(id, near);
        if deadline.is_some() && near.is_none() {
            lock(&self.inner.sweep).has_more = true;
        }
    }

    /// What is due, and when. What came up while nobody was there is looked at
    /// little by little; whether it gets that time back is decided on loading.
    pub(crate) fn arm_all(&self, due: &[Due]) {
        let now = self.now();
        let membership = self.inner.membership.as_ref();
        let delay = membership.map_or(Millis::ZERO, |membership| membership.member.flag_delay);
        let horizon = now + self.inner.limits.horizon;
        let mut overdue = 0;
        for some in due.chunks(ARMED_AT_ONCE) {
            let mut timers = lock(&self.inner.timers);
            for Due { table, at } in some {
                let Some(at) = at.filter(|at| *at <= horizon) else {
                    continue;
                };
                let deadline = if at > now {
                    at + delay
                } else {
                    overdue += 1;
                    now + Millis(overdue / OVERDUE_PER_MS)
                };
                timers.arm_no_later(*table, deadline);
            }
        }
    }

    /// Whether a clock may run whose deadline is not armed.
    pub(crate) fn has_far_deadlines(&self) -> bool {
        lock(&self.inner.sweep).has_more
    }

    /// Takes up all that comes up soon, and what did while nobody was there.
    ///
    /// # Errors
    /// What the store says.
    pub(crate) async fn take_up(&self) -> Result<(), store::Error> {
        let now = self.now();
        let mut after = None;
        loop {
            let page = self.page(now + self.inner.limits.horizon, after, LARGE_PAGE);
            let Upcoming { due, next } = page.await?;
            self.arm_all(&due);
            after = next;
            if after.is_none() {
                break;
            }
        }
        let any = self.page(Timestamp(u64::MAX >> 1), None, 1).await?;
        let mut sweep = lock(&self.inner.sweep);
        sweep.has_more = !any.due.is_empty();
        sweep.next_at = now + self.sweep_every();
        Ok(())
    }

    async fn page(
        &self,
        before: Timestamp,
        after: Option<(Timestamp, TableId)>,
        limit: u32,
    ) -> Result<Upcoming, store::Error> {
        let (tell, told) = oneshot::channel();
        let done = Box::new(move |found| drop(tell.send(found)));
        let store = &self.inner.handles.store;
        store.due_before(before, after, limit, done);
        let gone = || store::Error::Unavailable("the store is closing".into());
        told.await.unwrap_or_else(|_| Err(gone()))
    }

    /// Several sweeps fit into the horizon: one may fail, and nothing is missed.
    fn sweep_every(&self) -> Millis {
        Millis(self.inner.limits.horizon.0 / 5)
    }

    /// Rows in a page of a sweep.
    fn page_size(&self) -> u32 {
        match self.inner.handles.store.is_shared() {
            true => LARGE_PAGE,
            false => PAGE,
        }
    }

    /// Looks for what comes up within the horizon, a page at a time, if it is time to.
    pub(crate) fn sweep(&self, now: Timestamp) {
        let after = {
            let mut sweep = lock(&self.inner.sweep);
            if sweep.is_asking || now < sweep.next_at {
                return;
            }
            sweep.is_asking = true;
            sweep.after
        };
        let live = self.clone();
        let done = Box::new(move |found| live.swept(found));
        let before = now + self.inner.limits.horizon;
        self.inner
            .handles
            .store
            .due_before(before, after, self.page_size(), done);
    }

    /// A page was found, or it could not be looked for.
    fn swept(&self, found: Result<Upcoming, store::Error>) {
        let now = self.now();
        let (mut due, next, pause) = match found {
            Ok(Upcoming { due, next }) => {
                let pause = match next {
                    // As many as are looked at in that time.
                    Some(_) => Millis(self.page_size() / OVERDUE_PER_MS),
                    None => self.sweep_every(),
                };
                (due, next, pause)
            }
            Err(error) => {
                tracing::warn!(%error, "what comes up could not be looked for");
                (Vec::new(), None, RETRY_AFTER)
            }
        };
        due.retain(|due| self.falls_to_us(due.table));
        self.arm_all(&due);
        let mut sweep = lock(&self.inner.sweep);
        sweep.is_asking = false;
        sweep.after = next;
        sweep.next_at = now + pause;
    }
}
