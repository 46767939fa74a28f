//! Lists: one look at the store, and what is newer in memory.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use chess::table::Table;
use store::{Cursor, ListQuery, TableId};

use crate::live::{Live, lock};
use crate::snapshot::restore;

/// A table in a list.
#[derive(Clone, Debug)]
pub struct Listed<T> {
    /// Where; the next page begins after the last.
    pub place: Cursor,
    /// The table; `None` if it cannot be shown, because what is stored is damaged.
    pub table: Option<Arc<T>>,
    /// The code by which a friend joins, as long as it leads here.
    pub join_code: Option<String>,
}

impl<T: Table> Live<T> {
    /// A page of a list, newest first: no table is brought into memory for it, and
    /// nobody has been seen by it.
    ///
    /// # Errors
    /// What the store says.
    pub async fn list(&self, query: ListQuery) -> Result<Vec<Listed<T>>, store::Error> {
        let page = self.inner.handles.store.page(query).await?;
        Ok(page.into_iter().map(|found| self.listed(found)).collect())
    }

    fn listed(&self, found: store::Listed) -> Listed<T> {
        let place = found.place;
        let shown = match lock(self.shard(place.table)).peek(place.table) {
            Some(shown) => shown,
            None => self.restored(place.table, found.stored),
        };
        let (table, join_code) = match shown {
            Ok((table, join_code)) => (Some(table), join_code),
            Err(why) => {
                self.inner.unlisted.fetch_add(1, Ordering::Relaxed);
                tracing::warn!(table = %place.table, why, "left out of a list");
                (None, None)
            }
        };
        Listed {
            place,
            table,
            join_code,
        }
    }

    fn restored(
        &self,
        id: TableId,
        stored: Result<store::Stored, store::Error>,
    ) -> Result<Shown<T>, String> {
        let stored = stored.map_err(|error| error.to_string())?;
        let table = restore(&stored).ok_or("of unknown rules")?;
        let table = table.map_err(|why| format!("table {id}: {why}"))?;
        Ok((Arc::new(table), stored.join_code))
    }
}

/// A table and its code.
pub(crate) type Shown<T> = (Arc<T>, Option<String>);
