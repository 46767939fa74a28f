//! What waits for the writer.

use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use rusqlite::Connection;

use super::fault::Fault;
use crate::{Change, Done, Error, Row, TableId};

/// Changes that may wait. Only one per table ever does, so a server comes
/// near this only when the disk is stuck and every table has one.
const WAITING_MAX: usize = 1 << 20;
/// So many places to wait in are kept when nobody waits: a few megabytes.
const PLACES_KEPT: usize = 1 << 14;
/// Changes in one transaction.
const BATCH_MAX: usize = 4096;
/// As many as make further gathering pointless.
const GATHERED_ENOUGH: usize = 256;
/// How long a change waits for others at a busy writer, the time included in which that was
/// busy with those before it.
const GATHER: Duration = Duration::from_millis(1);
/// A batch from which on the writer counts as busy.
pub(super) const BUSY_FROM: usize = 4;
/// The longest the writer sleeps: somebody must see to the files.
pub(super) const SLEEP: Duration = Duration::from_secs(1);

/// One request to the writer; joins others in one transaction.
pub(super) enum Op {
    Commit(Commit),
    Task(Box<dyn Task>),
}

pub(super) struct Commit {
    pub(super) change: Change,
    /// How it is written, unless as a record of the journal. Made by whoever
    /// commits, because the writer has no time for it.
    pub(super) row: Option<Box<Row>>,
    pub(super) done: Done<()>,
    pub(super) asked: Instant,
}

/// Any other short write.
pub(super) trait Task: Send {
    /// Writes. An error takes back what this task wrote, and only that.
    fn run(&mut self, db: &Connection) -> Result<(), Fault>;
    /// Called once, when the transaction is durable or has failed.
    fn tell(self: Box<Self>, outcome: Result<(), Error>);
}

/// Somebody asks for rows to be brought up to date.
pub(super) struct AskedFold {
    /// Whether the journal is trimmed then.
    pub(super) trims: bool,
    pub(super) done: Done<()>,
}

/// Rows that are written when there is time, and what may then be forgotten.
pub(super) struct Fold {
    /// The tables that are left, the last first.
    pub(super) tables: Vec<TableId>,
    /// How far the journal may be forgotten.
    pub(super) trim: Option<u64>,
    /// How far it was gone through.
    pub(super) trimmed: u64,
    /// The tables of which it still has records all the same, with the newest version.
    pub(super) stranded: Vec<(TableId, u32)>,
    /// A row was refused on the way.
    pub(super) refused: Option<Error>,
    pub(super) done: Done<()>,
}

impl Fold {
    pub(super) fn new(tables: Vec<TableId>, trim: Option<u64>, done: Done<()>) -> Fold {
        Fold {
            tables,
            trim,
            trimmed: 0,
            stranded: Vec::new(),
            refused: None,
            done,
        }
    }

    /// Nothing is written, and that is why.
    pub(super) fn give_up(&mut self, why: Error) {
        self.tables.clear();
        self.trim = None;
        self.refused = Some(why);
    }
}

/// Whether rows are being brought up to date.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Folding {
    No,
    /// What is behind is being looked for.
    Soon,
    Yes,
}

/// What the writer does next.
pub(super) struct Work {
    pub(super) ops: Vec<Op>,
    pub(super) asked_fold: Option<AskedFold>,
    /// One that can begin.
    pub(super) fold: Option<Fold>,
    pub(super) checkpoint: bool,
    /// Nothing more will come after this.
    pub(super) is_last: bool,
}

pub(super) struct Queue {
    waiting_max: usize,
    state: Mutex<State>,
    wake: Condvar,
}

#[derive(Default)]
struct State {
    ops: VecDeque<Op>,
    folds: VecDeque<AskedFold>,
    fold: Option<Fold>,
    checkpoint: bool,
    closing: bool,
    /// Since when the first of them waits.
    since: Option<Instant>,
    /// How many operations wake the writer; `None` while it works anyway. A
    /// wake-up costs more than the operation itself.
    wakes_at: Option<usize>,
}

impl Queue {
    pub(super) fn new() -> Queue {
        Queue {
            waiting_max: WAITING_MAX,
            state: Mutex::default(),
            wake: Condvar::new(),
        }
    }

    /// Queues an operation, or tells its submitter why not.
    pub(super) fn push(&self, op: Op) {
        let mut state = self.lock();
        if let Err(why) = state.admits(self.waiting_max) {
            drop(state);
            return op.refuse(why);
        }
        if state.ops.is_empty() {
            state.since = Some(Instant::now());
        }
        state.ops.push_back(op);
        if state.wakes_at.is_some_and(|n| state.ops.len() >= n) {
            state.wakes_at = None;
            self.wake.notify_one();
        }
    }

    /// Asks for rows to be brought up to date when there is time.
    pub(super) fn fold(&self, fold: AskedFold) {
        let mut state = self.lock();
        if state.closing {
            drop(state);
            return (fold.done)(Err(closing()));
        }
        state.folds.push_back(fold);
        self.wake.notify_one();
    }

    /// Hands over what was found to be behind.
    pub(super) fn go_on_folding(&self, fold: Fold) {
        self.lock().fold = Some(fold);
        self.wake.notify_one();
    }

    /// Asks the writer to bring what is left of the log into the database.
    pub(super) fn ask_for_checkpoint(&self) {
        self.lock().checkpoint = true;
        self.wake.notify_one();
    }

    /// Lets nothing more in. What is waiting will be done.
    pub(super) fn close(&self) {
        self.lock().closing = true;
        self.wake.notify_one();
    }

    pub(super) fn waiting(&self) -> usize {
        self.lock().ops.len()
    }

    /// Waits for work and takes it. After a large batch it lets more gather:
    /// one fsync then serves many. While it folds there is work even if nothing
    /// waits. Comes back without work when nothing has come for a while.
    pub(super) fn next(&self, batch_before: usize, folding: Folding) -> Work {
        let mut state = self.lock();
        if folding != Folding::Yes {
            state.wakes_at = Some(1);
            state = self
                .wake
                .wait_timeout_while(state, SLEEP, |state| state.is_idle(folding))
                .unwrap_or_else(PoisonError::into_inner)
                .0;
        }
        if batch_before >= BUSY_FROM {
            state = self.gather(state);
        }
        state.wakes_at = None;
        let many = state.ops.len().min(BATCH_MAX);
        let ops = state.ops.drain(..many).collect();
        // Whatever is left has waited as long.
        state.since = state.since.filter(|_| !state.ops.is_empty());
        // A start may credit half a million games at once: that was a rare crowd.
        if state.ops.is_empty() && state.ops.capacity() > PLACES_KEPT {
            state.ops = VecDeque::new();
        }
        Work {
            ops,
            asked_fold: match folding {
                Folding::No => state.folds.pop_front(),
                Folding::Soon | Folding::Yes => None,
            },
            fold: state.fold.take(),
            checkpoint: std::mem::take(&mut state.checkpoint),
            is_last: state.closing && state.ops.is_empty() && state.folds.is_empty(),
        }
    }

    fn gather<'a>(&self, mut state: MutexGuard<'a, State>) -> MutexGuard<'a, State> {
        let until = state.since.unwrap_or_else(Instant::now) + GATHER;
        while !state.closing && (1..GATHERED_ENOUGH).contains(&state.ops.len()) {
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                break;
            }
            state.wakes_at = Some(GATHERED_ENOUGH);
            state = self
                .wake
                .wait_timeout(state, left)
                .unwrap_or_else(PoisonError::into_inner)
                .0;
        }
        state
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn admits(&self, waiting_max: usize) -> Result<(), Error> {
        if self.closing {
            return Err(closing());
        }
        if self.ops.len() >= waiting_max {
            return Err(Error::Unavailable("too many changes are waiting".into()));
        }
        Ok(())
    }

    fn is_idle(&self, folding: Folding) -> bool {
        let has_fold = match folding {
            Folding::No => !self.folds.is_empty(),
            Folding::Soon | Folding::Yes => self.fold.is_some(),
        };
        // Whoever closes waits for what is to be folded.
        let is_closing = self.closing && folding == Folding::No;
        self.ops.is_empty() && !has_fold && !self.checkpoint && !is_closing
    }
}

impl Op {
    /// Tells the submitter that nothing was done.
    pub(super) fn refuse(self, why: Error) {
        match self {
            Op::Commit(commit) => (commit.done)(Err(why)),
            Op::Task(task) => task.tell(Err(why)),
        }
    }
}

/// A closure as a [`Task`].
pub(super) struct Job<T, F> {
    pub(super) run: Option<F>,
    pub(super) value: Option<T>,
    pub(super) done: Done<T>,
}

impl<T: Send, F: FnOnce(&Connection) -> Result<T, Fault> + Send> Task for Job<T, F> {
    fn run(&mut self, db: &Connection) -> Result<(), Fault> {
        let run = self.run.take().expect("a task runs once");
        self.value = Some(run(db)?);
        Ok(())
    }

    fn tell(self: Box<Self>, outcome: Result<(), Error>) {
        let Job { value, done, .. } = *self;
        done(outcome.map(|()| value.expect("a task that succeeded has run")));
    }
}

pub(super) fn closing() -> Error {
    Error::Unavailable("the store is closing".into())
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use super::*;

    /// A queue for so many, and a way to push something that reports its end.
    fn queue(waiting_max: usize) -> (Queue, impl Fn(&Queue), mpsc::Receiver<Result<(), Error>>) {
        let queue = Queue {
            waiting_max,
            ..Queue::new()
        };
        let (tell, told) = mpsc::channel();
        let push = move |queue: &Queue| {
            let tell = tell.clone();
            queue.push(Op::Task(Box::new(Job {
                run: Some(|_: &Connection| Ok(())),
                value: None,
                done: Box::new(move |result| tell.send(result).unwrap()),
            })));
        };
        (queue, push, told)
    }

    #[test]
    fn one_more_than_may_wait_is_refused() {
        let (queue, push, told) = queue(2);
        push(&queue);
        push(&queue);
        assert!(told.try_recv().is_err());
        push(&queue);
        assert!(matches!(told.try_recv(), Ok(Err(Error::Unavailable(_)))));
        assert_eq!(queue.next(0, Folding::No).ops.len(), 2);
        push(&queue);
        assert_eq!(queue.waiting(), 1);
    }

    #[test]
    fn a_batch_has_a_limit_and_nothing_is_left_behind() {
        let (queue, push, _told) = queue(WAITING_MAX);
        for _ in 0..BATCH_MAX + 10 {
            push(&queue);
        }
        queue.close();
        let first = queue.next(BUSY_FROM, Folding::No);
        assert_eq!((first.ops.len(), first.is_last), (BATCH_MAX, false));
        let second = queue.next(first.ops.len(), Folding::No);
        assert_eq!((second.ops.len(), second.is_last), (10, true));
    }

    #[test]
    fn the_places_of_a_crowd_are_given_back() {
        let (queue, push, _told) = queue(WAITING_MAX);
        for _ in 0..PLACES_KEPT * 2 {
            push(&queue);
        }
        assert!(queue.lock().ops.capacity() > PLACES_KEPT);
        while queue.waiting() > 0 {
            queue.next(0, Folding::No);
        }
        assert!(queue.lock().ops.capacity() <= PLACES_KEPT);
    }

    #[test]
    fn only_a_busy_writer_lets_changes_gather() {
        let (queue, push, _told) = queue(WAITING_MAX);
        let waited = |batch_before| {
            let started = Instant::now();
            push(&queue);
            assert_eq!(queue.next(batch_before, Folding::No).ops.len(), 1);
            started.elapsed()
        };
        assert!(waited(BUSY_FROM) >= GATHER);
        // A machine may be slow, but not every time.
        assert!((0..20).any(|_| waited(BUSY_FROM - 1) < GATHER));
        for _ in 0..GATHERED_ENOUGH {
            push(&queue);
        }
        assert_eq!(
            queue.next(BUSY_FROM, Folding::No).ops.len(),
            GATHERED_ENOUGH
        );
    }
}
