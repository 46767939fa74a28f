//! Times in which no move could be accepted, and the players' right to them.
//!
//! When the store fails, the gate shuts: nothing is decided, no flag falls, and
//! whoever asks for a change hears at once that it cannot be made. Meanwhile the
//! store is tried again and again, with the one write that must be durable
//! before anything else is decided: how long all this took. Once that is
//! written the gate opens, and every game whose clock ran gets the time back
//! before its next decision.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use chess::table::{Outage, Table};
use chess::{Millis, Timestamp};

use crate::live::{Live, lock};
use crate::mutant::Mutant;

/// How long after a failure the store is tried again, and how often. Also how
/// long the record of an outage may take to be written and still be exact.
const TRY_EVERY: Millis = Millis(100);

/// How long an outage is remembered, as in the store: longer than any clock runs unseen.
const REMEMBERED_MS: u64 = 400 * 86_400_000;

/// A store that takes longer for a change fails as far as players are concerned:
/// the next to move hears of a move that much late, with their clock running.
const STALLED_AFTER: Millis = Millis::from_secs(2);

/// Whether changes can be made, and when they could not.
pub(crate) struct Gate {
    /// Since when it is shut; zero while it is open. Looked at with every command.
    shut_since: AtomicU64,
    /// Since when it is shut for good; zero while the server is not stopping.
    closed_since: AtomicU64,
    /// When the last outage ended.
    last_up: AtomicU64,
    state: Mutex<State>,
}

struct State {
    /// Oldest first.
    outages: Arc<[Outage]>,
    /// Counts failures, to know whether one came while the store was tried.
    failures: u64,
    try_at: Timestamp,
    is_trying: bool,
    /// Whether the last attempt was written, if too late to be exact.
    was_written: bool,
}

/// What the gate says to a table that is about to decide something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Standing {
    /// Go on.
    Open,
    /// There may be time to give back first.
    Owed,
    /// Nothing can be decided: no change can be made, or what the clock shows
    /// is not what it should and cannot be mended now.
    Refused,
}

/// An attempt to end an outage.
struct Attempt {
    outage: Outage,
    failures: u64,
}

impl Gate {
    pub(crate) fn new(outages: Vec<Outage>) -> Gate {
        let last_up = outages.iter().map(|o| o.up_at).max().unwrap_or_default();
        Gate {
            shut_since: AtomicU64::new(0),
            closed_since: AtomicU64::new(0),
            last_up: AtomicU64::new(last_up.0),
            state: Mutex::new(State {
                outages: outages.into(),
                failures: 0,
                try_at: Timestamp(0),
                is_trying: false,
                was_written: false,
            }),
        }
    }

    /// Since when no change can be made, if none can.
    pub(crate) fn shut_since(&self) -> Option<Timestamp> {
        moment(&self.shut_since)
    }

    /// The server is stopping: no new work from now on.
    pub(crate) fn close(&self, now: Timestamp) {
        if self.closed_since().is_none() {
            self.closed_since.store(now.0.max(1), Ordering::SeqCst);
        }
    }

    /// Since when the server is stopping, if it is.
    pub(crate) fn closed_since(&self) -> Option<Timestamp> {
        moment(&self.closed_since)
    }

    /// How a table stands that last changed at `last_at`. One look for one
    /// decision, in this order: when the gate opens, the outage is known first.
    pub(crate) fn standing(&self, last_at: Timestamp) -> Standing {
        if self.shut_since().is_some() {
            return Standing::Refused;
        }
        let is_closed = self.closed_since().is_some();
        match self.last_up() > last_at {
            false => Standing::Open,
            // Whatever is recorded now would say that the server was there.
            true if is_closed => Standing::Refused,
            true => Standing::Owed,
        }
    }

    /// When the last outage ended; zero if there was none.
    fn last_up(&self) -> Timestamp {
        Timestamp(self.last_up.load(Ordering::SeqCst))
    }

    /// The outages that a table which last changed at `last_at` has not been
    /// given back yet.
    pub(crate) fn outages_since(&self, last_at: Timestamp) -> Vec<Outage> {
        let outages = Arc::clone(&lock(&self.state).outages);
        let since = outages.iter().filter(|o| o.up_at > last_at);
        if Mutant::CreditTwice.is_chosen() {
            return since.flat_map(|o| [before(o), *o]).collect();
        }
        since.copied().collect()
    }

    /// Something that was handed to the store at `since` failed. Whether this
    /// is news.
    fn shut(&self, since: Timestamp, now: Timestamp) -> bool {
        let mut state = lock(&self.state);
        state.failures += 1;
        let before = self.shut_since();
        // What was down before is another outage's.
        let since = since.max(self.last_up()).max(Timestamp(1));
        if before.is_none_or(|before| since < before) {
            self.shut_since.store(since.0, Ordering::SeqCst);
        }
        if before.is_none() {
            state.try_at = now + TRY_EVERY;
        }
        before.is_none()
    }

    /// How often the store has failed so far.
    pub(crate) fn failures(&self) -> u64 {
        lock(&self.state).failures
    }

    /// A heartbeat of this node was written, and these outages are known now. If
    /// the store had failed, it works again, unless it failed since the heartbeat
    /// was sent. Whether the gate was opened.
    pub(crate) fn heard(&self, outages: &[Outage], failures: u64, now: Timestamp) -> bool {
        let mut state = lock(&self.state);
        self.learn(&mut state, outages, now);
        let is_open = self.shut_since().is_some() && state.failures == failures;
        if is_open {
            self.shut_since.store(0, Ordering::SeqCst);
        }
        is_open
    }

    /// Takes note of outages, which are given back from now on.
    fn learn(&self, state: &mut State, outages: &[Outage], now: Timestamp) {
        let Some(last) = outages.iter().map(|outage| outage.up_at).max() else {
            return;
        };
        let known = state.outages.iter().copied();
        let recent = known.filter(|o| o.up_at.0 + REMEMBERED_MS >= now.0);
        let mut all: Vec<Outage> = recent.chain(outages.iter().copied()).collect();
        // One that was written later may have begun earlier: what overlaps is counted once.
        all.sort_by_key(|o| (o.down_since, std::cmp::Reverse(o.up_at)));
        state.outages = all.into();
        self.last_up.fetch_max(last.0, Ordering::SeqCst);
    }

    /// Whether it is time for a node among several to try the store again.
    pub(crate) fn may_try(&self, now: Timestamp) -> bool {
        let mut state = lock(&self.state);
        let is_time = now >= state.try_at;
        if is_time {
            state.try_at = now + TRY_EVERY;
        }
        is_time
    }

    /// Whether it is time to try the store again.
    fn attempt(&self, now: Timestamp) -> Option<Attempt> {
        let mut state = lock(&self.state);
        let down_since = self.shut_since()?;
        if state.is_trying || now < state.try_at {
            return None;
        }
        state.is_trying = true;
        Some(Attempt {
            outage: Outage {
                down_since,
                up_at: now,
            },
            failures: state.failures,
        })
    }

    /// What came of an attempt. Whether the gate is open now.
    fn tried(&self, attempt: &Attempt, is_written: bool, now: Timestamp) -> bool {
        let mut state = lock(&self.state);
        state.is_trying = false;
        let Attempt { outage, failures } = attempt;
        let is_calm = is_written && state.failures == *failures;
        // After a hang the first record is much too short, and the second is not;
        // a disk that is always that slow works all the same.
        let is_exact = now.since(outage.up_at) < TRY_EVERY || state.was_written;
        let is_over = is_calm && is_exact;
        state.was_written = is_calm && !is_over;
        if !is_over {
            let pause = if is_written { Millis::ZERO } else { TRY_EVERY };
            state.try_at = now + pause;
            return false;
        }
        self.learn(&mut state, &[*outage], now);
        self.shut_since.store(0, Ordering::SeqCst);
        true
    }
}

/// As long a time right before an outage: for a mistake on purpose.
fn before(outage: &Outage) -> Outage {
    let lost = outage.up_at.since(outage.down_since);
    Outage {
        down_since: Timestamp(outage.down_since.0.saturating_sub(u64::from(lost.0))),
        up_at: outage.down_since,
    }
}

/// A moment that zero stands for the lack of.
fn moment(ms: &AtomicU64) -> Option<Timestamp> {
    match ms.load(Ordering::SeqCst) {
        0 => None,
        since => Some(Timestamp(since)),
    }
}

impl<T: Table> Live<T> {
    /// Since when no change can be made because the store fails, if so.
    pub fn refuses_since(&self) -> Option<Timestamp> {
        self.inner.gate.shut_since()
    }

    /// The store failed to do what it was given at `since`.
    pub(crate) fn store_failed(&self, since: Timestamp) {
        if self.inner.gate.shut(since, self.now()) {
            tracing::error!("the store fails: no change is accepted until it works again");
        }
    }

    /// A heartbeat that the store has had for long, and has said nothing to,
    /// tells that it hangs. Moves that wait behind it must not outlive it as
    /// if nothing had been.
    pub(crate) fn notice_a_hang(&self) {
        let Some(asked) = moment(&self.inner.heartbeat_since) else {
            return;
        };
        let now = self.now();
        let is_news = now.since(asked) >= STALLED_AFTER && self.inner.gate.shut(asked, now);
        if is_news {
            tracing::error!("the store hangs: no change is accepted until it works again");
        }
    }

    /// The store did what it was given at `since`.
    pub(crate) fn store_took(&self, since: Timestamp) {
        let now = self.now();
        if now.since(since) >= STALLED_AFTER
            && !self.is_closing()
            && self.inner.gate.shut(since, now)
        {
            let took_ms = now.since(since).0;
            tracing::error!(took_ms, "the store is too slow: that time is given back");
        }
    }

    /// Tries to end an outage: by writing down that it was one.
    pub(crate) fn try_to_open(&self) {
        if let Some(membership) = &self.inner.membership {
            // Whether it was an outage is for all nodes together to say.
            if self.inner.gate.may_try(self.now()) {
                self.beat(membership);
            }
            return;
        }
        let Some(attempt) = self.inner.gate.attempt(self.now()) else {
            return;
        };
        let live = self.clone();
        self.inner.handles.store.note_outage_then(
            attempt.outage,
            Box::new(move |result| {
                if let Err(error) = &result {
                    tracing::warn!(%error, "the store still fails");
                }
                if live.inner.gate.tried(&attempt, result.is_ok(), live.now()) {
                    let lost = attempt.outage.up_at.since(attempt.outage.down_since);
                    tracing::warn!(
                        lost_ms = lost.0,
                        "the store works again; that time is given back"
                    );
                }
            }),
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(ms: u64) -> Timestamp {
        Timestamp(ms)
    }

    fn outage(down: u64, up: u64) -> Outage {
        Outage {
            down_since: at(down),
            up_at: at(up),
        }
    }

    #[test]
    fn a_failure_shuts_it_until_its_length_is_written_down() {
        let gate = Gate::new(vec![outage(10, 20)]);
        assert_eq!((gate.shut_since(), gate.last_up()), (None, at(20)));
        assert!(gate.attempt(at(900)).is_none());
        assert!(gate.shut(at(1_000), at(1_005)));
        assert!(!gate.shut(at(990), at(1_010)));
        assert_eq!(gate.shut_since(), Some(at(990)));
        assert!(gate.attempt(at(1_104)).is_none());
        let first = gate.attempt(at(1_105)).unwrap();
        assert!(gate.attempt(at(1_200)).is_none(), "one attempt at a time");
        assert!(!gate.tried(&first, false, at(1_106)));
        let second = gate.attempt(at(1_206)).unwrap();
        assert!(gate.tried(&second, true, at(1_207)));
        assert_eq!((gate.shut_since(), gate.last_up()), (None, at(1_206)));
        assert_eq!(gate.outages_since(at(20)), [outage(990, 1_206)]);
        assert_eq!(gate.outages_since(at(1_206)), []);
    }

    #[test]
    fn what_fails_meanwhile_or_takes_long_keeps_it_shut() {
        let gate = Gate::new(Vec::new());
        gate.shut(at(1_000), at(1_000));
        let late = gate.attempt(at(1_100)).unwrap();
        assert!(
            !gate.tried(&late, true, at(9_000)),
            "the record is too short"
        );
        let failed = gate.attempt(at(9_000)).unwrap();
        gate.shut(at(9_000), at(9_001));
        assert!(!gate.tried(&failed, true, at(9_002)));
        let last = gate.attempt(at(9_002)).unwrap();
        assert!(gate.tried(&last, true, at(9_003)));
        assert_eq!(gate.outages_since(at(0)), [outage(1_000, 9_002)]);
    }

    #[test]
    fn a_disk_that_is_always_slow_is_waited_for_once() {
        let gate = Gate::new(Vec::new());
        gate.shut(at(1_000), at(1_000));
        let first = gate.attempt(at(1_100)).unwrap();
        assert!(!gate.tried(&first, true, at(1_400)));
        let second = gate.attempt(at(1_400)).unwrap();
        assert!(gate.tried(&second, true, at(1_700)));
    }

    #[test]
    fn what_is_owed_is_given_back_before_anything_is_decided() {
        let gate = Gate::new(vec![outage(10, 500)]);
        assert_eq!(gate.standing(at(400)), Standing::Owed);
        assert_eq!(gate.standing(at(500)), Standing::Open);
        gate.shut(at(600), at(600));
        assert_eq!(gate.standing(at(550)), Standing::Refused);
        let attempt = gate.attempt(at(700)).unwrap();
        gate.tried(&attempt, true, at(701));
        assert_eq!(gate.standing(at(550)), Standing::Owed);
        gate.close(at(800));
        assert_eq!(gate.standing(at(550)), Standing::Refused);
        assert_eq!(gate.standing(at(750)), Standing::Open);
    }

    #[test]
    fn an_outage_does_not_reach_into_the_one_before() {
        let gate = Gate::new(vec![outage(10, 500)]);
        gate.shut(at(400), at(600));
        assert_eq!(gate.shut_since(), Some(at(500)));
    }
}
