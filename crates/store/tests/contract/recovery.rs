//! What a start finds.

use chess::Timestamp;
use chess::table::Outage;
use store::{Due, Past};

use crate::support::*;

pub(crate) fn a_new_store_knows_of_nothing(home: &mut Home) {
    assert_eq!(wait(home.store().past()), Ok(Past::default()));
    assert_eq!(wait(home.store().due()), Ok(vec![]));
}

pub(crate) fn what_was_acknowledged_is_there_after_a_restart(home: &mut Home) {
    let store = home.store();
    commit(store, created(row(5, 2))).unwrap();
    commit(store, created(waiting(6))).unwrap();
    commit(store, created(over(7, 9))).unwrap();
    commit(store, created(row(8, 2))).unwrap();
    commit(store, moved(5, 3)).unwrap();
    let store = home.restart();

    let due = wait(store.due()).unwrap();
    let tables: Vec<_> = due.iter().map(|due| due.table.number()).collect();
    assert_eq!(tables, [5, 6, 8]);
    let at = |number| Some(Timestamp(300_000 + number));
    // A table is looked at when it is due, or earlier.
    assert!(due[0].at <= at(5));
    let exact = |number| Due {
        table: id(number),
        at: at(number),
    };
    assert_eq!(due[1..], [exact(6), exact(8)]);
    assert_eq!(load(store, id(5)).unwrap().history, history(3));
    assert_eq!(commit(store, moved(5, 3)), Err(store::Error::Conflict));
    commit(store, moved(5, 4)).unwrap();
}

pub(crate) fn tidying_changes_nothing_for_those_who_ask(home: &mut Home) {
    let store = home.store();
    commit(store, created(row(5, 2))).unwrap();
    commit(store, moved(5, 3)).unwrap();
    for _ in 0..2 {
        tidy(store);
        assert_eq!(load(store, id(5)).unwrap().history, history(3));
    }
    commit(store, moved(5, 4)).unwrap();
    assert_eq!(load(home.restart(), id(5)).unwrap().history, history(4));
}

pub(crate) fn the_longest_overdue_are_found_by_their_rows(home: &mut Home) {
    let store = home.store();
    for number in [9, 3, 6] {
        commit(store, created(row(number, 2))).unwrap();
    }
    commit(store, created(over(2, 9))).unwrap();
    let overdue = |before, limit| wait(store.overdue(Timestamp(before), limit)).unwrap();
    assert_eq!(overdue(300_003, 10), []);
    assert_eq!(overdue(300_007, 10), [id(3), id(6)]);
    assert_eq!(overdue(400_000, 2), [id(3), id(6)]);
    // A row may be behind.
    commit(store, moved(3, 3)).unwrap();
    assert_eq!(overdue(300_004, 10), [id(3)]);
}

pub(crate) fn an_outage_takes_in_those_that_began_within_it(home: &mut Home) {
    let outage = |down, up| Outage {
        down_since: Timestamp(down),
        up_at: Timestamp(up),
    };
    let store = home.store();
    for (down, up) in [(10, 20), (100, 120), (130, 140), (200, 210)] {
        wait(store.note_outage(outage(down, up))).unwrap();
    }
    told(|done| store.note_outage_then(outage(90, 150), done)).unwrap();
    told(|done| store.note_outage_then(outage(90, 160), done)).unwrap();
    let known = [outage(10, 20), outage(90, 160), outage(200, 210)];
    assert_eq!(wait(home.restart().past()).unwrap().outages, known);
}

pub(crate) fn the_last_sign_of_life_counts(home: &mut Home) {
    let beat =
        |store: &store::Store, at| told(|done| store.heartbeat(Timestamp(at), done)).unwrap();
    let alive_at = |store: &store::Store| wait(store.past()).unwrap().alive_at.map(|at| at.0);
    beat(home.store(), 1_000);
    beat(home.store(), 900);
    assert_eq!(alive_at(home.restart()), Some(1_000));
    // Created at 2,000; version 2 was two milliseconds later.
    commit(home.store(), created(row(2_000, 2))).unwrap();
    assert_eq!(alive_at(home.restart()), Some(2_002));
    commit(home.store(), moved(2_000, 3)).unwrap();
    assert_eq!(alive_at(home.restart()), Some(2_003));
    beat(home.store(), 5_000);
    assert_eq!(alive_at(home.restart()), Some(5_000));
}

pub(crate) fn outages_are_kept_for_four_hundred_days(home: &mut Home) {
    let day = 86_400_000;
    let outage = |down_since, up_at| Outage {
        down_since: Timestamp(down_since),
        up_at: Timestamp(up_at),
    };
    let (old, middle, new) = (
        outage(day, day + 5),
        outage(20 * day, 20 * day + 5),
        outage(410 * day, 410 * day + 7),
    );
    wait(home.store().note_outage(middle)).unwrap();
    wait(home.store().note_outage(old)).unwrap();
    assert_eq!(wait(home.restart().past()).unwrap().outages, [old, middle]);
    wait(home.store().note_outage(new)).unwrap();
    assert_eq!(wait(home.restart().past()).unwrap().outages, [middle, new]);
}
