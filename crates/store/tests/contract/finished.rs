//! Finished tables, for whoever takes all of them with them.

use chess::Timestamp;
use store::{Finished, FinishedPlace, FinishedQuery, Row, Store};

use crate::support::*;

fn all() -> FinishedQuery {
    FinishedQuery {
        kind: 0,
        player: None,
        since: Timestamp(0),
        until: Timestamp(1_000_000),
        after: None,
        limit: 100,
    }
}

fn page(store: &Store, query: FinishedQuery) -> Vec<Finished> {
    wait(store.finished(query)).unwrap()
}

/// The numbers of the tables that a query finds.
fn found(store: &Store, query: FinishedQuery) -> Vec<u64> {
    let page = page(store, query);
    page.iter()
        .map(|found| found.place.table.number())
        .collect()
}

/// A table that is over, and ended then.
fn ended(number: u64, at: u64) -> Row {
    let mut row = over(number, 3);
    row.summary.updated_at = Timestamp(at);
    row.summary.ended_at = Some(Timestamp(at));
    row
}

fn add(store: &Store, row: Row) {
    let mut change = changed(row);
    change.expected = 0;
    commit(store, change).unwrap();
}

pub(crate) fn what_ended_comes_in_the_order_of_its_end(home: &mut Home) {
    let store = home.store();
    for (number, at) in [(1, 900), (2, 500), (3, 700), (5, 500), (4, 500)] {
        add(store, ended(number, at));
    }
    add(store, row(6, 2));
    add(store, waiting(7));
    assert_eq!(found(store, all()), [2, 4, 5, 3, 1]);
    let first = &page(store, all())[0];
    let place = FinishedPlace {
        known_at: Timestamp(500),
        table: id(2),
    };
    assert_eq!(first.place, place);
    let stored = first.stored.as_ref().unwrap();
    assert_eq!((stored.version, &stored.history), (3, &history(3)));
    let since = |at| FinishedQuery {
        since: Timestamp(at),
        ..all()
    };
    assert_eq!(found(store, since(500)), [2, 4, 5, 3, 1]);
    assert_eq!(found(store, since(501)), [3, 1]);
    assert_eq!(found(store, since(901)), []);
    home.restart();
    assert_eq!(found(home.store(), all()), [2, 4, 5, 3, 1]);
}

/// Whoever goes on from a place is told of everything once, whatever ends meanwhile.
pub(crate) fn a_page_goes_on_where_the_last_one_ended(home: &mut Home) {
    let store = home.store();
    for number in 0..25 {
        // Three at a time.
        add(store, ended(100 - number, 1_000 + number / 3));
    }
    let (mut seen, mut after, mut later) = (Vec::new(), None, 0);
    loop {
        let query = FinishedQuery {
            after,
            limit: 4,
            ..all()
        };
        let page = page(store, query);
        let Some(last) = page.last() else { break };
        after = Some(last.place);
        seen.extend(page.iter().map(|found| found.place));
        if later < 3 {
            later += 1;
            add(store, ended(200 + later, 2_000 + later));
        }
    }
    assert_eq!(seen.len(), 28);
    assert!(seen.is_sorted(), "{seen:?}");
    let mut tables: Vec<_> = seen.iter().map(|place| place.table).collect();
    tables.sort();
    tables.dedup();
    assert_eq!(tables.len(), 28);
    // A place and a time: the later counts.
    let both = FinishedQuery {
        since: Timestamp(2_002),
        after: seen.first().copied(),
        ..all()
    };
    assert_eq!(found(store, both), [202, 203]);
}

pub(crate) fn only_what_anybody_may_know_is_told(home: &mut Home) {
    let store = home.store();
    let mut private = ended(1, 500);
    private.summary.private = true;
    let mut delayed = ended(2, 500);
    delayed.summary.delay_ms = 300;
    let mut aborted = ended(3, 500);
    aborted.summary.result = Some("aborted");
    let mut of_others = ended(4, 500);
    of_others.kind = 1;
    for row in [private, delayed, aborted, of_others, ended(5, 600)] {
        add(store, row);
    }
    assert_eq!(found(store, all()), [5, 2]);
    let until = |at| FinishedQuery {
        until: Timestamp(at),
        ..all()
    };
    assert_eq!(found(store, until(799)), [5]);
    assert_eq!(found(store, until(800)), [5, 2]);
    assert_eq!(page(store, until(800))[1].place.known_at, Timestamp(800));
}

pub(crate) fn a_player_s_are_found_among_them(home: &mut Home) {
    let store = home.store();
    for (number, black) in [(1, 2), (2, 3), (3, 2), (4, 4)] {
        let mut row = ended(number, 1_000 - number);
        row.summary.black = Some(player(black));
        if number == 3 {
            row.summary.private = true;
        }
        add(store, row);
    }
    let of = |number| FinishedQuery {
        player: Some(player(number)),
        ..all()
    };
    assert_eq!(found(store, of(1)), [4, 2, 1]);
    assert_eq!(found(store, of(2)), [1]);
    assert_eq!(found(store, of(9)), []);
    let rest = FinishedQuery {
        after: Some(FinishedPlace {
            known_at: Timestamp(996),
            table: id(4),
        }),
        ..of(1)
    };
    assert_eq!(found(store, rest), [2, 1]);
}

pub(crate) fn the_present_is_left_out(home: &mut Home) {
    let store = home.store();
    add(store, ended(1, 500));
    add(store, ended(2, 501));
    let until = FinishedQuery {
        until: Timestamp(500),
        ..all()
    };
    assert_eq!(found(store, until), [1]);
    let nothing = FinishedQuery { limit: 0, ..all() };
    assert_eq!(found(store, nothing), []);
}
