//! Moving what is in the journal into the tables' rows, and idle tables out of memory.

use std::sync::atomic::Ordering;

use chess::Timestamp;
use chess::table::Table;
use store::{Folded, Row, TableId};

use crate::live::{Live, lock};
use crate::request::Reply;

/// Rows built and handed to the store at a time: by the thread that writes, so
/// not many.
const ROWS: usize = 128;

/// A run of the folder.
struct Run {
    /// The tables that are left, the last first.
    ids: Vec<TableId>,
    rows_max: usize,
    /// How far the journal may be forgotten once all rows are written; the
    /// store keeps what they do not have.
    trim: u64,
    /// A row that was refused on the way.
    refused: Option<store::Error>,
    reply: Reply<()>,
}

impl<T: Table> Live<T> {
    /// Writes the row of every table that has changed, in the order of their
    /// ids, then lets the store forget the journal up to here. One run at a
    /// time: a second is told at once that it has nothing to do.
    pub fn fold(&self, reply: Reply<()>) {
        self.fold_by(ROWS, reply);
    }

    /// Whether a run is under way.
    pub fn is_folding(&self) -> bool {
        self.inner.folding.load(Ordering::SeqCst)
    }

    /// As [`Live::fold`], with so many rows handed to the store at a time.
    pub fn fold_by(&self, rows_max: usize, reply: Reply<()>) {
        if self.inner.folding.swap(true, Ordering::SeqCst) {
            return reply(Ok(()));
        }
        self.load_unread();
        self.note_alive();
        // Every change up to this number has been applied, so it is in the
        // tables collected next.
        let seq = self.inner.seq.load(Ordering::SeqCst);
        let mut ids: Vec<TableId> = Vec::new();
        for shard in self.shards() {
            ids.extend(lock(shard).behind());
        }
        ids.sort_unstable_by(|a, b| b.cmp(a));
        self.fold_next(Run {
            ids,
            rows_max,
            trim: seq,
            refused: None,
            reply,
        });
    }

    /// Folds the next tables, then the rest.
    fn fold_next(&self, mut run: Run) {
        let left = run.ids.len().saturating_sub(run.rows_max);
        let chunk = run.ids.split_off(left).into_iter().rev();
        let rows: Vec<Row> = chunk.filter_map(|id| self.row(id)).collect();
        let versions: Vec<(TableId, u32)> = rows.iter().map(|r| (r.table, r.version)).collect();
        let trim = run.ids.is_empty().then_some(run.trim);
        let live = self.clone();
        let done = move |result: Result<Folded, store::Error>| {
            match result {
                Ok(Folded { stranded }) => {
                    for (id, version) in versions {
                        lock(live.shard(id)).folded(id, version);
                    }
                    for (id, version) in stranded {
                        lock(live.shard(id)).stranded(id, version);
                    }
                }
                // One row that cannot be written must not keep back all others.
                Err(error @ store::Error::Corrupt(_)) => {
                    tracing::error!(%error, "a table could not be folded");
                    run.refused = Some(error);
                }
                Err(error) => {
                    tracing::error!(%error, "tables could not be folded");
                    run.ids.clear();
                    run.refused = Some(error);
                }
            }
            if run.ids.is_empty() {
                live.inner.folding.store(false, Ordering::SeqCst);
                (run.reply)(run.refused.map_or(Ok(()), |error| Err(error.into())));
            } else {
                live.fold_next(run);
            }
        };
        self.inner.handles.store.fold(rows, trim, Box::new(done));
    }

    fn row(&self, id: TableId) -> Option<Row> {
        let unfolded = lock(self.shard(id)).unfolded(id)?;
        Some(unfolded.row())
    }

    /// Forgets tables that nobody has used for a while, and the longest unused
    /// beyond the number that may stay. What is not folded stays.
    pub fn evict(&self) -> usize {
        let now = self.now();
        let resident: usize = self.shards().iter().map(|shard| lock(shard).len()).sum();
        let surplus = resident.saturating_sub(self.inner.limits.resident_max);
        let is_old = |since: Timestamp| now.since(since) >= self.inner.limits.idle;
        let mut idle: Vec<_> = Vec::new();
        for shard in self.shards() {
            let shard = lock(shard);
            idle.extend(
                shard
                    .evictable()
                    .filter(|(at, _)| surplus > 0 || is_old(*at)),
            );
        }
        if surplus > 0 {
            idle.sort_unstable();
        }
        let go = idle.into_iter().enumerate();
        go.take_while(|(index, (since, _))| *index < surplus || is_old(*since))
            .filter(|(_, (_, id))| lock(self.shard(*id)).evict(*id))
            .count()
    }
}
