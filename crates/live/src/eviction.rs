//! Moving idle tables out of memory.

use chess::Timestamp;
use chess::table::Table;

use crate::live::{Live, lock};

impl<T: Table> Live<T> {
    /// Forgets tables that nobody has used for a while, and the longest unused
    /// beyond the number that may stay. How many went.
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
                    .evictable(self.inner.limits.horizon)
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
