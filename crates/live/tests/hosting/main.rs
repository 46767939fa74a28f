//! Hosting knows nothing of chess: here it hosts a race to 21.

mod conflicts;
mod host;
mod lists;
mod panics;
mod presence;
mod race;
mod set_aside;

use host::{Host, memory, tidy};
use live::{Failure, Limits, Outcome};
use race::TooMuch;

#[test]
fn a_table_is_created_changed_and_read() {
    let host = Host::start(&memory().0, 1_000);
    host.create(7).unwrap();
    assert!(matches!(host.add(7, 1, 5), Ok(Outcome::Changed { after, .. }) if after.total == 5));
    assert!(matches!(
        host.add(7, 2, 9),
        Ok(Outcome::Refused { why: TooMuch, .. })
    ));
    assert_eq!(host.total(7), Ok(5));
    assert_eq!(host.total(8), Err(Failure::NotFound));
    assert!(matches!(host.create(7), Err(Failure::Taken)));
}

#[test]
fn a_restart_knows_every_change_folded_or_not() {
    let (store, _control) = memory();
    let host = Host::start(&store, 1_000);
    host.create(7).unwrap();
    for _ in 0..3 {
        host.add(7, 1, 2).unwrap();
    }
    assert_eq!(Host::start(&store, 2_000).total(7), Ok(6));
    tidy(&store);
    host.add(7, 2, 1).unwrap();
    assert_eq!(Host::start(&store, 3_000).total(7), Ok(7));
}

#[test]
fn many_changes_write_the_row_by_themselves() {
    let (store, control) = memory();
    let host = Host::start(&store, 1_000);
    host.create(7).unwrap();
    for _ in 0..10 {
        host.add(7, 1, 1).unwrap();
    }
    // Versions 5 and 9 are rows.
    let journal: Vec<u32> = control.journal().iter().map(|r| r.version).collect();
    assert_eq!(journal, [2, 3, 4, 6, 7, 8, 10, 11]);
    assert_eq!(Host::start(&store, 2_000).total(7), Ok(10));
}

#[test]
fn deadlines_come_up_also_after_eviction_and_restart() {
    let (store, _control) = memory();
    let limits = Limits {
        idle: chess::Millis(100),
        ..Limits::default()
    };
    let host = Host::start_with(&store, 1_000, limits);
    host.create(7).unwrap();
    host.add(7, 1, 5).unwrap();
    tidy(&store);
    host.at(2_000);
    assert_eq!(host.live.evict(), 1);
    assert_eq!(host.live.stats().resident, 0);
    // A race of which nothing is heard for a minute is over.
    host.at(60_900);
    assert_eq!(host.live.stats().resident, 0);
    host.at(61_100);
    assert!(matches!(host.add(7, 1, 1), Ok(Outcome::Refused { .. })));

    host.create(8).unwrap();
    let again = Host::start(&store, 61_200);
    again.at(200_000);
    assert!(matches!(again.add(8, 1, 1), Ok(Outcome::Refused { .. })));
}

#[test]
fn what_nobody_uses_is_forgotten_folded_or_not() {
    let limits = Limits {
        resident_max: 2,
        ..Limits::default()
    };
    let host = Host::start_with(&memory().0, 1_000, limits);
    for id in 1..=5 {
        host.create(id).unwrap();
    }
    host.add(1, 1, 1).unwrap();
    assert_eq!(host.live.evict(), 3);
    assert_eq!(host.live.stats().resident, 2);
    host.add(1, 1, 1).unwrap();
    assert_eq!(host.live.evict(), 1);
    for id in 1..=5 {
        assert_eq!(host.total(id), Ok(if id == 1 { 2 } else { 0 }));
    }
}

#[test]
fn a_server_that_stops_refuses_new_work_and_still_reads() {
    let host = Host::start(&memory().0, 1_000);
    host.create(7).unwrap();
    host.live.close();
    assert!(matches!(host.add(7, 1, 1), Err(Failure::Unavailable(_))));
    assert!(matches!(host.create(8), Err(Failure::Unavailable(_))));
    assert_eq!(host.total(7), Ok(0));
}
