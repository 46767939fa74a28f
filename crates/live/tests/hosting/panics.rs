//! A table that panics costs nobody else anything.

use live::Outcome;

use crate::host::{Host, memory};
use crate::race::UNLUCKY;

#[test]
fn a_table_that_panics_when_it_is_due_keeps_no_other_from_being_looked_at() {
    let host = Host::start(&memory().0, 1_000);
    for id in 1..=9 {
        host.create(id).unwrap();
    }
    for points in [5, 5, UNLUCKY - 10] {
        host.add(4, 1, points).unwrap();
    }
    // All are due at once.
    host.at(61_100);
    assert_eq!(host.live.stats().panics, 1);
    for id in (1..=9).filter(|id| *id != 4) {
        assert!(matches!(host.add(id, 1, 1), Ok(Outcome::Refused { .. })));
    }
    // It is tried again, but not all the time.
    host.at(61_200);
    assert_eq!(host.live.stats().panics, 1);
    host.at(62_200);
    assert_eq!(host.live.stats().panics, 2);
    // It is still played, and once it can be looked at it has its deadline.
    host.add(4, 1, 1).unwrap();
    host.at(63_500);
    assert!(matches!(host.add(4, 1, 1), Ok(Outcome::Changed { .. })));
    host.at(200_000);
    assert!(matches!(host.add(4, 1, 1), Ok(Outcome::Refused { .. })));
    assert_eq!(host.live.stats().panics, 2);
}
