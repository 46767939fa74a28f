//! A copy from the beginning, or from where it was interrupted, to the end.

use std::time::Duration;

use chess::Timestamp;

use super::{CopyReport, CopyStep, End, KINDS, Kind, Record, mark};
use crate::callback::{callback, gone};
use crate::{Error, Store};

/// How often, and how long after the other, the journal is folded until it is empty.
const FOLDS: u32 = 600;
const BETWEEN_FOLDS: Duration = Duration::from_millis(100);

impl Store {
    /// Copies everything that is here to a store that is empty, or that has an
    /// unfinished copy of this one as it is; then compares all of it. No server may
    /// use either meanwhile. This one must be open as for a server, so that what its
    /// last run left in the journal is brought into the rows.
    ///
    /// What differs is told in the report, and then the copy counts as unfinished.
    ///
    /// # Errors
    /// [`Error::Unavailable`] if the target has something else in it, or either
    /// cannot be read or written: the copy can be gone on with.
    pub async fn copy_to(
        &self,
        target: &Store,
        mut progress: impl FnMut(CopyStep) + Send,
    ) -> Result<CopyReport, Error> {
        let (from, to) = (self.end()?, target.end()?);
        self.fold_all(&from).await?;
        let past = self.past().await?;
        let counts = counts(&from).await?;
        let source = mark::number_of(&format!("{:?} {counts:?}", past.alive_at));
        let is_resumed = begin(&to, source).await?;
        let mut copy = Copy {
            from,
            to,
            done: 0,
            total: counts.iter().map(|(_, count)| 2 * count).sum(),
            progress: &mut progress,
        };
        for (kind, (_, count)) in KINDS.iter().zip(&counts) {
            copy.all_of(kind, *count).await?;
        }
        let mut report = CopyReport {
            is_resumed,
            ..CopyReport::default()
        };
        for (kind, (_, count)) in KINDS.iter().zip(&counts) {
            copy.compare(kind, *count, &mut report).await?;
        }
        report.counts = counts;
        if report.wrong == 0 {
            copy.finish(target, past.alive_at).await?;
        }
        Ok(report)
    }

    /// Whether an unfinished copy is in here: then it is no store to be used yet.
    ///
    /// # Errors
    /// Why it cannot be read.
    pub async fn is_unfinished_copy(&self) -> Result<bool, Error> {
        match self.end() {
            Ok(end) => Ok(end.mark().await?.is_some()),
            Err(_) => Ok(false),
        }
    }

    /// Brings everything that the last run left in the journal into the rows.
    async fn fold_all(&self, end: &End) -> Result<(), Error> {
        let End::Sqlite(sqlite) = end else {
            return Ok(());
        };
        for _ in 0..FOLDS {
            let (done, told) = callback();
            self.tidy(done);
            told.await.unwrap_or_else(|_| Err(gone()))?;
            let left = "SELECT count(*) FROM journal";
            let count = move |db: &rusqlite::Connection| {
                Ok(db.query_row(left, (), |row| row.get::<_, u32>(0))?)
            };
            if sqlite.read(count).await? == 0 {
                return Ok(());
            }
            tokio::time::sleep(BETWEEN_FOLDS).await;
        }
        Err(Error::Corrupt(
            "the source has changes that cannot be brought into its games: `arbiter check` says which"
                .into(),
        ))
    }
}

async fn counts(end: &End) -> Result<Vec<(&'static str, u64)>, Error> {
    let mut counts = Vec::with_capacity(KINDS.len());
    for kind in &KINDS {
        counts.push((kind.name, end.count(kind).await?));
    }
    Ok(counts)
}

/// Marks the target as a copy of that source. Whether it was one before.
async fn begin(to: &End, source: i64) -> Result<bool, Error> {
    let refused = |why: &str| Err(Error::Unavailable(format!("the target {why}")));
    match to.mark().await? {
        Some(before) if before == source => return Ok(true),
        Some(_) => {
            return refused(
                "has an unfinished copy of something else, or of this before it changed: \
                 begin again with an empty one",
            );
        }
        None => {}
    }
    for kind in &KINDS {
        if to.last(kind).await?.is_some() {
            return refused(&format!("is not empty: it has {}", kind.name));
        }
    }
    to.set_mark(source).await?;
    Ok(false)
}

/// A copy under way.
pub(super) struct Copy<'a> {
    pub(super) from: End,
    pub(super) to: End,
    pub(super) done: u64,
    pub(super) total: u64,
    pub(super) progress: &'a mut (dyn FnMut(CopyStep) + Send),
}

impl Copy<'_> {
    /// Copies what is missing of one kind.
    async fn all_of(&mut self, kind: &'static Kind, count: u64) -> Result<(), Error> {
        let end = self.done + count;
        let mut after = self.to.last(kind).await?;
        if after.is_some() {
            self.done += self.to.count(kind).await?.min(count);
        }
        self.tell(kind, false);
        let mut rows = self.from.read(kind, after.take()).await?;
        while !rows.is_empty() {
            let written = rows.len() as u64;
            let is_last = written < u64::from(kind.page);
            after = rows.last().map(|row| key(kind, row));
            let writing = self.to.write(kind, rows);
            // The next are read while these are written.
            rows = match is_last {
                true => writing.await.map(|()| Vec::new())?,
                false => {
                    let (written, next) = both(writing, self.from.read(kind, after.take())).await;
                    written?;
                    next?
                }
            };
            self.done += written;
            self.tell(kind, false);
        }
        self.done = end;
        Ok(())
    }

    pub(super) fn tell(&mut self, kind: &Kind, is_check: bool) {
        (self.progress)(CopyStep {
            what: kind.name,
            is_check,
            done: self.done.min(self.total),
            total: self.total,
        });
    }

    /// What is left to do when everything is there and the same.
    async fn finish(&self, target: &Store, alive_at: Option<Timestamp>) -> Result<(), Error> {
        for kind in KINDS.iter().filter(|kind| kind.is_numbered()) {
            let highest = self.from.highest(kind).await?;
            self.to.go_on_after(kind, highest).await?;
        }
        // From then on nobody could play: the next start gives that time back.
        if let Some(alive_at) = alive_at {
            let (done, told) = callback();
            target.heartbeat(alive_at, done);
            told.await.unwrap_or_else(|_| Err(gone()))?;
        }
        self.to.remove_mark().await
    }
}

/// The key of a row.
pub(super) fn key(kind: &Kind, row: &Record) -> Record {
    row[..kind.key].to_vec()
}

/// Both, side by side.
pub(super) async fn both<A, B>(
    first: impl Future<Output = A>,
    second: impl Future<Output = B>,
) -> (A, B) {
    tokio::join!(first, second)
}
