//! Somebody else changes a table that is in memory here: what was decided on the
//! old state is decided again.

use std::sync::{Arc, Mutex};

use chess::Timestamp;
use chess::table::{Actor, Table};
use live::{Failure, Outcome, Submission};
use store::memory::Control;
use store::{Change, Store};

use crate::host::{Host, memory, player, row_of, table};
use crate::race::{Add, Added, Race};

type Told = Arc<Mutex<Option<Result<Outcome<Race>, Failure>>>>;

/// Another node adds points to race 7, which is at `total` by single points.
pub(crate) fn elsewhere(control: &Control, total: u32, points: u32) {
    let mut race = Race::new(Timestamp(1_000), player(1), player(2));
    for _ in 0..total {
        race.evolve(Timestamp(1_000), &Added::Points(1));
    }
    let (expected, before) = (race.version(), race.encode().len());
    race.evolve(Timestamp(1_500), &Added::Points(points));
    let change = Change {
        table: table(7),
        expected,
        version: race.version(),
        at: race.last_at(),
        asked: race.last_at(),
        node: store::NodeId::ALONE,
        payload: race.encode()[before..].to_vec(),
        is_listed: false,
        rates: None,
        after: Arc::new(row_of(table(7), &race)),
        remember: None,
        begins: None,
        tells: store::EventKinds::NONE,
    };
    control.commit_first(change).expect("it comes first");
}

fn submit(host: &Host, points: u32) -> Told {
    let told = Told::default();
    let slot = Arc::clone(&told);
    let submission = Submission {
        who: Actor::Player(player(1)),
        command: Add::Points(points),
        received: Timestamp(1_000),
        with: live::With::default(),
    };
    let reply = Box::new(move |result| *slot.lock().unwrap() = Some(result));
    host.live.submit(table(7), submission, reply);
    told
}

pub(crate) fn begun() -> (Store, Control, Host) {
    let (store, control) = memory();
    let host = Host::start(&store, 1_000);
    host.create(7).unwrap();
    (store, control, host)
}

#[test]
fn a_change_that_comes_second_is_decided_again_as_it_was_received() {
    let (_store, control, host) = begun();
    control.set_manual(true);
    let first = submit(&host, 3);
    let second = submit(&host, 2);
    elsewhere(&control, 0, 5);
    host.at(2_000);
    control.complete_next_batch(1);
    assert!(
        first.lock().unwrap().is_none(),
        "nobody is told anything yet"
    );
    control.set_manual(false);
    let Some(Ok(Outcome::Changed { before, after, .. })) = first.lock().unwrap().take() else {
        panic!("it was not decided again");
    };
    assert_eq!((before.total, after.total), (5, 8));
    assert_eq!(
        after.last_at(),
        Timestamp(1_000),
        "its first receipt counts"
    );
    let second = second.lock().unwrap().take();
    assert!(matches!(second, Some(Ok(Outcome::Changed { after, .. })) if after.total == 10));
    assert_eq!(host.live.stats().conflicts, 1);
}

#[test]
fn what_is_not_allowed_any_more_is_refused() {
    let (_store, control, host) = begun();
    for _ in 0..20 {
        host.add(7, 1, 1).unwrap();
    }
    elsewhere(&control, 20, 1);
    assert!(matches!(host.add(7, 1, 1), Ok(Outcome::Refused { .. })));
    assert_eq!(host.total(7), Ok(21));
}

#[test]
fn whoever_always_comes_second_is_told_so() {
    let (_store, control, host) = begun();
    control.set_manual(true);
    let unlucky = submit(&host, 1);
    for total in 0..4 {
        assert!(unlucky.lock().unwrap().is_none());
        elsewhere(&control, total, 1);
        control.complete_next_batch(1);
        control.complete_load(0);
    }
    let told = unlucky.lock().unwrap().take();
    assert!(matches!(told, Some(Err(Failure::Unavailable(_)))));
    control.set_manual(false);
    assert_eq!(host.total(7), Ok(4));
    assert!(matches!(host.add(7, 1, 1), Ok(Outcome::Changed { .. })));
}

#[test]
fn a_deadline_that_somebody_else_has_moved_is_not_lost() {
    let (_store, control, host) = begun();
    control.set_manual(true);
    host.at(61_100);
    elsewhere(&control, 0, 5);
    control.complete_next_batch(1);
    control.set_manual(false);
    assert_eq!(host.total(7), Ok(5));
    // Decided again on what is there now, it is over all the same.
    host.at(62_000);
    assert!(matches!(host.add(7, 1, 1), Ok(Outcome::Refused { .. })));
}
