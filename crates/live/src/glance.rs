//! Tables that nobody goes on with, for those who only look: from the store's replica,
//! if it has one.

use std::sync::Arc;

use chess::table::Table;
use store::{Stored, TableId};

use crate::live::{Live, lock};
use crate::snapshot::restore;

impl<T: Table> Live<T> {
    /// A table that is not in memory, as it was a moment ago, but not before that
    /// version; it stays out of memory. `None`: it is to be read as any other.
    pub async fn glance(&self, id: TableId, at_least: u32) -> Option<Arc<T>> {
        let known = lock(self.shard(id)).known_of(id)?;
        let store = &self.inner.handles.store;
        restored(&store.glance(id, at_least.max(known)).await?)
    }

    /// A table as the replica has it, after the store did not answer: other nodes may
    /// have made changes that this one did not hear of.
    pub async fn last_known(&self, id: TableId, at_least: u32) -> Option<Arc<T>> {
        let known = lock(self.shard(id)).known_of(id).unwrap_or(0);
        let store = &self.inner.handles.store;
        restored(&store.last_known(id, at_least.max(known)).await?)
    }
}

/// What is damaged says so to whoever reads it as any other.
fn restored<T: Table>(stored: &Stored) -> Option<Arc<T>> {
    restore(stored)?.ok().map(Arc::new)
}
