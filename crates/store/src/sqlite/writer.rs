//! The one thread that writes.
//!
//! Whatever is waiting goes into one transaction; when it is durable, each
//! submitter is told, in order. Rows are folded in between, a few at a time,
//! so that nobody's move waits long for housekeeping.

use std::sync::Arc;
use std::time::{Duration, Instant};

use rusqlite::{Connection, ffi};

use super::changes::{Batch, Ending, Noted, caught, panicked};
use super::fault::{told, unavailable};
use super::folding::Step;
use super::queue::{AskedFold, BUSY_FROM, Fold, Folding, Op, SLEEP};
use super::readers::Read;
use super::tails::Tails;
use super::versions::Versions;
use super::{Shared, checkpoint, file, folding, identity, meta, recovery};
use crate::callback::{tell, tell_all};
use crate::{Done, Error, TableId};

/// How often a busy writer takes a step of folding: often enough to be done
/// before the next fold, and seldom enough that moves hardly notice.
const FOLD_EVERY: Duration = Duration::from_millis(8);

pub(super) struct Writer {
    db: Connection,
    shared: Arc<Shared>,
    /// The last number given to a change.
    seq: u64,
    versions: Versions,
    fold: Option<Fold>,
    /// Somebody looks for what is to be folded.
    is_collecting: bool,
    folded_at: Instant,
    /// When rows are brought up to date the next time.
    fold_at: Instant,
    /// When the files were last looked at.
    looked_at: Instant,
    is_failing: bool,
    /// Whether every row is written so that it can be taken back by itself. That copies every
    /// page it touches, and is of use only where the database is damaged: so it begins once
    /// something of a row was refused, which costs everybody in that transaction.
    is_careful: bool,
}

impl Writer {
    /// Goes on where the last run ended.
    pub(super) fn new(db: Connection, versions: Versions, seq: u64, shared: Arc<Shared>) -> Writer {
        let now = Instant::now();
        Writer {
            db,
            fold_at: now + shared.upkeep.fold_every,
            shared,
            seq,
            versions,
            fold: None,
            is_collecting: false,
            folded_at: now,
            looked_at: now,
            is_failing: false,
            is_careful: false,
        }
    }

    /// Works until the queue is closed and empty.
    pub(super) fn run(mut self) {
        let mut batch_before = 0;
        loop {
            let work = self.shared.queue.next(batch_before, self.folding());
            batch_before = work.ops.len();
            if !work.ops.is_empty() {
                self.write(work.ops);
            }
            if let Some(asked) = work.asked_fold.or_else(|| self.fold_in_its_time()) {
                self.begin_fold(asked);
            }
            if work.fold.is_some() {
                self.is_collecting = false;
                self.fold = work.fold;
            }
            let is_time = batch_before < BUSY_FROM || self.folded_at.elapsed() >= FOLD_EVERY;
            if let Some(fold) = self.fold.take_if(|_| is_time) {
                self.fold = match self.shared.files.known() {
                    Ok(()) => self.fold_some(fold),
                    Err(why) => {
                        tell(|| (fold.done)(Err(why)));
                        None
                    }
                };
                self.folded_at = Instant::now();
            }
            if work.checkpoint {
                checkpoint::finish(&self.db, &self.shared);
            }
            if self.looked_at.elapsed() >= SLEEP {
                // Nobody waits for this; whoever comes next is told.
                drop(self.look());
            }
            if work.is_last && self.fold.is_none() && !self.is_collecting {
                break;
            }
        }
        self.shut();
    }

    fn write(&mut self, ops: Vec<Op>) {
        if self.shared.files.is_lost()
            && let Err(why) = self.look()
        {
            self.shared.meter.failure();
            return ops
                .into_iter()
                .for_each(|op| tell(|| op.refuse(why.clone())));
        }
        let asked: Vec<Instant> = ops.iter().filter_map(Op::asked).collect();
        let mut ops = ops.into_iter();
        let mut endings = Vec::with_capacity(ops.len());
        match self.transact(&mut ops, &mut endings) {
            Ok(noted) => {
                self.settle(noted);
                // It is in the files that are open; are they those that are there?
                let lost = self.look().err();
                match lost {
                    None => {
                        self.shared.meter.batch(&asked);
                        self.note_recovery();
                    }
                    Some(_) => self.shared.meter.failure(),
                }
                let telling = self.shared.upkeep.telling;
                tell_all(telling, endings, |ending| ending.tell(lost.clone()));
            }
            Err(error) => {
                self.versions.undo();
                self.is_careful |= is_internal(&error);
                let why = self.lost(&error);
                let why = self.look().err().unwrap_or(why);
                for ending in endings {
                    tell(|| ending.tell(Some(why.clone())));
                }
                for op in ops {
                    tell(|| op.refuse(why.clone()));
                }
            }
        }
        self.shared.checkpoints.wake_if_due();
    }

    fn transact(
        &mut self,
        ops: &mut impl Iterator<Item = Op>,
        endings: &mut Vec<Ending>,
    ) -> Result<Vec<Noted>, rusqlite::Error> {
        let careful = self.is_careful;
        let mut batch = Batch::begin(&self.db, &mut self.versions, &mut self.seq, careful)?;
        for op in ops {
            batch.carry_out(op, endings)?;
        }
        batch.commit()
    }

    /// A transaction is durable: from now on whoever loads a table gets it so.
    fn settle(&mut self, noted: Vec<Noted>) {
        self.versions.settle();
        for Noted { change, is_row } in noted {
            let mut behind = self.shared.tails.of(change.table);
            if is_row {
                behind.wrote_row(change.table);
            } else {
                behind.journaled(change);
            }
        }
    }

    /// A fold that nobody has to ask for.
    fn fold_in_its_time(&mut self) -> Option<AskedFold> {
        if self.folding() != Folding::No || Instant::now() < self.fold_at {
            return None;
        }
        self.fold_at = Instant::now() + self.shared.upkeep.fold_every;
        Some(AskedFold {
            trims: true,
            // What cannot be folded is logged, and stays in the journal.
            done: Box::new(drop),
        })
    }

    /// Whatever has a smaller number than the next change is known by now. To look
    /// through all tables that are behind takes long, so a reader does it.
    fn begin_fold(&mut self, asked: AskedFold) {
        self.is_collecting = true;
        let shared = Arc::clone(&self.shared);
        let collecting = Collecting {
            shared: Arc::clone(&self.shared),
            trim: asked.trims.then_some(self.seq),
            done: Some(asked.done),
        };
        let collect: Read = Box::new(move |db| {
            collecting.end(db.map(|_| shared.tails.foldable()));
            recovery::go_on(&shared);
        });
        // If it is refused, it runs here.
        tell(|| self.shared.reads.push(collect));
    }

    fn folding(&self) -> Folding {
        match &self.fold {
            Some(_) => Folding::Yes,
            None if self.is_collecting => Folding::Soon,
            None => Folding::No,
        }
    }

    /// Writes a few rows or trims a piece of the journal. Gives the fold back
    /// if something is left of it.
    fn fold_some(&mut self, mut fold: Fold) -> Option<Fold> {
        let step = || {
            let step = folding::step(&self.db, &self.shared.tails, &mut fold)?;
            self.ended(step, &mut fold)
        };
        // After a panic it is given up: the next fold finds what is left of it.
        let step = caught(step, panicked);
        self.shared.checkpoints.wake_if_due();
        match step {
            Ok(Step::More) => Some(fold),
            Ok(Step::Done) => {
                self.note_recovery();
                tell(|| (fold.done)(fold.refused.map_or(Ok(()), Err)));
                None
            }
            Err(error) => {
                let why = self.lost(&error);
                tell(|| (fold.done)(Err(why)));
                None
            }
        }
    }

    /// After the last step, what was trimmed need not be known any more.
    fn ended(&mut self, step: Step, fold: &mut Fold) -> Result<Step, rusqlite::Error> {
        if let (Step::Done, Some(upto)) = (&step, fold.trim) {
            let stranded = std::mem::take(&mut fold.stranded);
            let stranded = folding::still_stranded(&self.db, stranded)?;
            self.versions.trimmed(upto, &stranded);
            for stranded in stranded {
                self.shared.tails.of(stranded.table).stranded(stranded);
            }
        }
        Ok(step)
    }

    /// A transaction failed: takes back what is left of it, and says so once
    /// however long the trouble lasts.
    fn lost(&mut self, error: &rusqlite::Error) -> Error {
        if !self.db.is_autocommit()
            && let Err(error) = self.db.execute_batch("ROLLBACK")
        {
            tracing::error!(%error, "a failed transaction could not be rolled back");
        }
        self.shared.meter.failure();
        if !self.is_failing {
            self.is_failing = true;
            tracing::error!(%error, "writing to the database fails");
        }
        match told(error) {
            Error::Conflict => unavailable("a transaction failed", error),
            other => other,
        }
    }

    /// Looks whether the files are still there.
    fn look(&mut self) -> Result<(), Error> {
        self.looked_at = Instant::now();
        identity::look(&self.db, &self.shared)
    }

    fn note_recovery(&mut self) {
        if self.is_failing {
            self.is_failing = false;
            tracing::info!("writing to the database works again");
        }
    }

    /// Leaves one tidy file behind; if the files are gone, whatever is there.
    fn shut(mut self) {
        if self.look().is_ok() {
            if let Err(error) = meta::raise(&self.db, meta::SEQ, self.seq) {
                tracing::warn!(%error, "the last journal number could not be kept");
            }
            checkpoint::truncate(&self.db);
        } else if let Err(error) = file::leave_log(&self.db) {
            tracing::warn!(%error, "the log beside the database may be deleted");
        }
        if let Err((_, error)) = self.db.close() {
            tracing::warn!(%error, "the database was not closed cleanly");
        }
    }
}

/// Whether a transaction is lost for what one in it asked for.
fn is_internal(error: &rusqlite::Error) -> bool {
    let code = error.sqlite_error().map(|error| error.extended_code);
    code == Some(ffi::SQLITE_INTERNAL)
}

/// Somebody looks for what is behind. However that ends, the writer hears of it:
/// it waits for this, and whoever closes the store waits for the writer.
struct Collecting {
    shared: Arc<Shared>,
    trim: Option<u64>,
    /// Whom to tell of the fold, unless it was handed over.
    done: Option<Done<()>>,
}

impl Collecting {
    fn end(mut self, found: Result<Vec<TableId>, Error>) {
        self.hand_over(found);
    }

    fn hand_over(&mut self, found: Result<Vec<TableId>, Error>) {
        let Some(done) = self.done.take() else {
            return;
        };
        let mut fold = Fold::new(Vec::new(), self.trim, done);
        match found {
            Ok(tables) => fold.tables = tables,
            Err(why) => fold.give_up(why),
        }
        self.shared.queue.go_on_folding(fold);
    }
}

impl Drop for Collecting {
    fn drop(&mut self) {
        let why = "looking for what is behind panicked";
        self.hand_over(Err(Error::Unavailable(why.into())));
    }
}

impl Op {
    fn asked(&self) -> Option<Instant> {
        match self {
            Op::Commit(commit) => Some(commit.asked),
            Op::Task(_) => None,
        }
    }
}

impl Ending {
    /// Tells how it ended; `lost`: nothing of the transaction counts.
    fn tell(self, lost: Option<Error>) {
        match (self, lost) {
            (Ending::Commit(done, result), None) => done(result),
            (Ending::Commit(done, _), Some(why)) => done(Err(why)),
            (Ending::Task(task, result), None) => task.tell(result),
            (Ending::Task(task, _), Some(why)) => task.tell(Err(why)),
        }
    }
}

/// Where the last run ended: which version each table in the journal has, whose
/// row is behind, and the last number given to a change.
pub(super) fn where_it_ended(db: &Connection) -> Result<(Versions, Tails, u64), Error> {
    let read = || -> Result<_, rusqlite::Error> {
        let (versions, tails, last) = folding::read_versions(db)?;
        let seq = last.max(meta::get(db, meta::SEQ)?.unwrap_or(0));
        Ok((versions, tails, seq))
    };
    read().map_err(|e| told(&e))
}
