//! When which table is to be looked at, though nothing happens there.

use std::collections::{BTreeSet, HashMap};

use chess::Timestamp;
use store::TableId;

/// One time for each table: nobody has to go through all of them to find
/// those whose time has come.
#[derive(Default)]
pub struct Alarms {
    times: HashMap<TableId, Timestamp>,
    order: BTreeSet<(Timestamp, TableId)>,
}

impl Alarms {
    /// Looks at a table at that time, instead of at the time set before.
    pub fn set(&mut self, id: TableId, at: Timestamp) {
        self.forget(id);
        self.times.insert(id, at);
        self.order.insert((at, id));
    }

    /// Does not look at a table any more.
    pub fn forget(&mut self, id: TableId) {
        if let Some(at) = self.times.remove(&id) {
            self.order.remove(&(at, id));
        }
    }

    /// A table whose time has come; it has none any more.
    pub fn next(&mut self, now: Timestamp) -> Option<TableId> {
        let (_, id) = *self.order.first().filter(|(at, _)| *at <= now)?;
        self.forget(id);
        Some(id)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(number: u64) -> TableId {
        TableId::from_number(number).unwrap()
    }

    fn due(alarms: &mut Alarms, now: u64) -> Vec<TableId> {
        std::iter::from_fn(|| alarms.next(Timestamp(now))).collect()
    }

    #[test]
    fn each_table_comes_once_at_its_time() {
        let mut alarms = Alarms::default();
        for (number, at) in [(1, 30), (2, 10), (3, 20)] {
            alarms.set(table(number), Timestamp(at));
        }
        assert_eq!(due(&mut alarms, 9), []);
        assert_eq!(due(&mut alarms, 20), [table(2), table(3)]);
        assert_eq!(due(&mut alarms, 20), []);
        assert_eq!(due(&mut alarms, 99), [table(1)]);
    }

    #[test]
    fn the_last_time_that_was_set_counts() {
        let mut alarms = Alarms::default();
        alarms.set(table(1), Timestamp(10));
        alarms.set(table(1), Timestamp(30));
        alarms.set(table(2), Timestamp(30));
        alarms.set(table(2), Timestamp(10));
        alarms.set(table(3), Timestamp(10));
        alarms.forget(table(3));
        assert_eq!(due(&mut alarms, 29), [table(2)]);
        assert_eq!(due(&mut alarms, 30), [table(1)]);
        assert!(alarms.times.is_empty() && alarms.order.is_empty());
    }
}
