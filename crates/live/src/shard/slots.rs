//! The tables of a shard, by their ids: a pointer each. A map has room for up to twice as
//! many as it holds, so that what is in it counts twice.

use chess::table::Table;
use store::{IdMap, TableId};

use super::Slot;

/// A slot for each table that is here, on its way, or set aside.
pub(super) struct Slots<T: Table>(IdMap<TableId, Box<Slot<T>>>);

impl<T: Table> Default for Slots<T> {
    fn default() -> Self {
        Slots(IdMap::default())
    }
}

impl<T: Table> Slots<T> {
    pub(super) fn get(&self, id: &TableId) -> Option<&Slot<T>> {
        self.0.get(id).map(Box::as_ref)
    }

    pub(super) fn get_mut(&mut self, id: &TableId) -> Option<&mut Slot<T>> {
        self.0.get_mut(id).map(Box::as_mut)
    }

    pub(super) fn contains_key(&self, id: &TableId) -> bool {
        self.0.contains_key(id)
    }

    pub(super) fn insert(&mut self, id: TableId, slot: Slot<T>) {
        self.0.insert(id, Box::new(slot));
    }

    pub(super) fn remove(&mut self, id: &TableId) -> Option<Slot<T>> {
        self.0.remove(id).map(|slot| *slot)
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = (TableId, &Slot<T>)> {
        self.0.iter().map(|(id, slot)| (*id, &**slot))
    }

    pub(super) fn values(&self) -> impl Iterator<Item = &Slot<T>> {
        self.0.values().map(Box::as_ref)
    }

    pub(super) fn len(&self) -> usize {
        self.0.len()
    }
}

#[cfg(test)]
mod tests {
    use chess::tables::AnyTable;

    use super::*;
    use crate::snapshot::TableSnapshot;

    /// Half a million of each may be in memory, and what an allocator gives for them goes in
    /// steps of sixteen bytes: one field more may cost eight megabytes.
    #[test]
    fn a_table_in_memory_takes_little() {
        assert!(size_of::<Slot<AnyTable>>() <= 80);
        assert!(size_of::<TableSnapshot<AnyTable>>() <= 32);
    }
}
