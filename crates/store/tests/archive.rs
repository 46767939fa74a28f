//! Tables that are over, moved out of the way of those that are not.

#[path = "contract/support.rs"]
#[expect(
    dead_code,
    reason = "shared with the contract tests, which use all of it"
)]
mod support;

use chess::Timestamp;
use store::{Error, ListQuery, Row, Store};
use support::*;

const DAY: u64 = 86_400_000;

/// Over since so many days after 1970.
fn over_on(number: u64, day: u64) -> Row {
    let mut row = over(number, 4);
    row.summary.ended_at = Some(Timestamp(day * DAY));
    row
}

/// Archives everything that ended before that day, two at a time.
fn archive(store: &Store, day: u64) -> u64 {
    let (mut moved, mut after) = (0, None);
    loop {
        let some = wait(store.archive(Timestamp(day * DAY), after, 2)).expect("it can be moved");
        moved += some.moved;
        match some.next {
            Some(next) => after = Some(next),
            None => return moved,
        }
    }
}

#[test]
fn what_is_archived_is_found_as_before() {
    let Some(home) = postgres() else {
        return;
    };
    let store = home.store();
    commit(store, created(row(1, 1))).expect("it is new");
    for (number, day) in [(2, 3), (3, 40), (4, 41), (5, 90)] {
        commit(store, created(over_on(number, day))).expect("it is new");
    }
    let everything = || {
        let query = ListQuery {
            limit: 10,
            ..ListQuery::default()
        };
        let rows = wait(store.each_table(None, 10)).expect("rows can be read");
        let page = wait(store.page(query)).expect("lists can be read");
        let moves = wait(store.moves_of(id(3))).expect("moves can be read");
        let loaded: Vec<_> = (1..=6).map(|number| load(store, id(number))).collect();
        (rows, page, moves, loaded)
    };
    let before = everything();
    assert_eq!(archive(store, 60), 3);
    assert_eq!(everything(), before);
    assert_eq!(archive(store, 60), 0, "they have been moved already");
    assert_eq!(archive(store, 91), 1, "a month that had no part yet");
    assert_eq!(everything(), before);
    let flaws = wait(store.inspector().references(None, 10, Timestamp(0)));
    assert_eq!(flaws.expect("it can be looked at").unwrap().flaws, []);
}

#[test]
fn an_archived_id_stays_taken_and_its_row_can_be_repaired() {
    let Some(home) = postgres() else {
        return;
    };
    let store = home.store();
    commit(store, created(over_on(2, 3))).expect("it is new");
    assert_eq!(archive(store, 60), 1);
    let taken = commit(store, created(row(2, 1)));
    assert_eq!(taken, Err(Error::Conflict));
    let mut right = over_on(2, 3);
    right.summary.reason = Some("resignation");
    wait(store.replace_row(right)).expect("it can be written");
    let rows = wait(store.each_table(None, 10)).expect("rows can be read");
    assert_eq!(rows.len(), 1, "it is there once");
    assert_eq!(rows[0].summary.reason.as_deref(), Some("resignation"));
    assert_eq!(archive(store, 60), 1, "and is moved again");
}

#[test]
fn a_file_has_no_archives() {
    let home = sqlite().expect("there is always a file");
    let refused = wait(home.store().archive(Timestamp(DAY), None, 2));
    assert!(
        matches!(&refused, Err(Error::Unavailable(why)) if why.contains("PostgreSQL")),
        "{refused:?}"
    );
}
