//! Half a million deadlines without a task or timer object for any of them.
//!
//! Tables stand in buckets of 20 ms. A deadline that moves later (nearly all
//! do, with every move) leaves the table in its early bucket; when that comes
//! up, the table goes on to the bucket of its deadline by then. So re-arming
//! is one look-up, and there is about one bucket entry per table.

use std::collections::BTreeMap;

use chess::Timestamp;
use store::{IdMap, TableId};

const BUCKET_MS: u64 = 20;

#[derive(Default)]
pub(crate) struct Timers {
    armed: IdMap<TableId, Armed>,
    buckets: BTreeMap<u64, Vec<TableId>>,
}

struct Armed {
    deadline: Timestamp,
    bucket: u64,
}

impl Timers {
    /// Sets or clears the deadline of a table.
    pub(crate) fn arm(&mut self, table: TableId, deadline: Option<Timestamp>) {
        let Some(deadline) = deadline else {
            self.armed.remove(&table);
            return;
        };
        let bucket = bucket_of(deadline);
        match self.armed.get_mut(&table) {
            Some(armed) if armed.bucket <= bucket => armed.deadline = deadline,
            _ => {
                self.armed.insert(table, Armed { deadline, bucket });
                self.buckets.entry(bucket).or_default().push(table);
            }
        }
    }

    /// The same for a deadline that is only known from the store, which may be behind: one
    /// that is armed earlier stays.
    pub(crate) fn arm_no_later(&mut self, table: TableId, deadline: Timestamp) {
        if self
            .armed
            .get(&table)
            .is_none_or(|armed| deadline < armed.deadline)
        {
            self.arm(table, Some(deadline));
        }
    }

    /// Takes out every table whose deadline has come, with that deadline, the earliest bucket first.
    pub(crate) fn due(&mut self, now: Timestamp) -> Vec<(TableId, Timestamp)> {
        let mut due = Vec::new();
        while let Some(entry) = self.buckets.first_entry() {
            let bucket = *entry.key();
            if bucket > now.0 / BUCKET_MS {
                break;
            }
            for table in entry.remove() {
                // Another bucket may have taken over this table's deadline.
                let Some(armed) = self.armed.get_mut(&table).filter(|a| a.bucket == bucket) else {
                    continue;
                };
                if armed.deadline <= now {
                    due.push((table, armed.deadline));
                    self.armed.remove(&table);
                } else {
                    armed.bucket = bucket_of(armed.deadline);
                    self.buckets.entry(armed.bucket).or_default().push(table);
                }
            }
        }
        due
    }

    pub(crate) fn len(&self) -> usize {
        self.armed.len()
    }
}

/// The first bucket that comes up when the deadline has passed.
fn bucket_of(deadline: Timestamp) -> u64 {
    deadline.0.div_ceil(BUCKET_MS)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(n: u64) -> TableId {
        TableId::from_number(n).unwrap()
    }

    fn due(timers: &mut Timers, now: u64) -> Vec<u64> {
        timers
            .due(Timestamp(now))
            .into_iter()
            .map(|(t, _)| t.number())
            .collect()
    }

    #[test]
    fn a_deadline_comes_up_not_before_and_soon_after() {
        let mut timers = Timers::default();
        timers.arm(table(1), Some(Timestamp(1_005)));
        assert!(due(&mut timers, 1_004).is_empty());
        assert!(due(&mut timers, 1_019).is_empty());
        assert_eq!(due(&mut timers, 1_020), [1]);
        assert!(due(&mut timers, 9_999).is_empty());
    }

    #[test]
    fn a_deadline_that_moves_is_met_where_it_went() {
        let mut timers = Timers::default();
        timers.arm(table(1), Some(Timestamp(1_000)));
        timers.arm(table(1), Some(Timestamp(5_000)));
        timers.arm(table(2), Some(Timestamp(9_000)));
        timers.arm(table(2), Some(Timestamp(2_000)));
        timers.arm(table(3), Some(Timestamp(2_000)));
        timers.arm(table(3), None);
        assert!(due(&mut timers, 1_500).is_empty());
        assert_eq!(due(&mut timers, 2_000), [2]);
        assert!(due(&mut timers, 4_999).is_empty());
        assert_eq!(due(&mut timers, 5_000), [1]);
        assert!(due(&mut timers, 10_000).is_empty());
        assert_eq!(timers.len(), 0);
    }

    #[test]
    fn what_the_store_says_puts_nothing_off() {
        let mut timers = Timers::default();
        timers.arm(table(1), Some(Timestamp(1_000)));
        timers.arm_no_later(table(1), Timestamp(5_000));
        timers.arm_no_later(table(2), Timestamp(3_000));
        timers.arm_no_later(table(2), Timestamp(2_000));
        assert_eq!(due(&mut timers, 1_000), [1]);
        assert_eq!(due(&mut timers, 2_000), [2]);
        assert!(due(&mut timers, 9_000).is_empty());
    }

    #[test]
    fn moving_later_again_and_again_keeps_one_entry() {
        let mut timers = Timers::default();
        for move_ in 0..1_000 {
            timers.arm(table(1), Some(Timestamp(60_000 + move_ * 100)));
        }
        assert_eq!(timers.buckets.values().map(Vec::len).sum::<usize>(), 1);
        assert!(due(&mut timers, 60_000).is_empty());
        assert_eq!(due(&mut timers, 159_900), [1]);
    }
}
