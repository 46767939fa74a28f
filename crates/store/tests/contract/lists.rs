//! Finding tables.

use chess::Timestamp;
use chess::clock::Speed;
use chess::table::State;
use store::{Ban, BanKind, Cursor, ListQuery, Row, Store};

use crate::support::*;

/// The numbers of the tables that a query finds.
fn list(store: &Store, query: ListQuery) -> Vec<u64> {
    let page = wait(store.list(query)).unwrap();
    page.iter().map(|place| place.table.number()).collect()
}

fn all() -> ListQuery {
    ListQuery {
        limit: 100,
        ..ListQuery::default()
    }
}

fn add(store: &Store, row: Row) {
    let expected = load(store, row.table).map_or(0, |stored| stored.version);
    let mut change = changed(row);
    change.expected = expected;
    commit(store, change).unwrap();
}

pub(crate) fn the_newest_come_first(home: &mut Home) {
    let store = home.store();
    for number in [2, 9, 4] {
        add(store, row(number, 2));
    }
    add(store, waiting(7));
    add(store, over(5, 3));
    assert_eq!(list(store, all()), [9, 7, 5, 4, 2]);
    assert_eq!(list(store, ListQuery { limit: 2, ..all() }), [9, 7]);
    let place = wait(store.list(ListQuery { limit: 1, ..all() })).unwrap();
    let newest = Cursor {
        created_at: Timestamp(9),
        table: id(9),
    };
    assert_eq!(place, [newest]);
}

pub(crate) fn a_cursor_is_not_shifted_by_new_tables(home: &mut Home) {
    let store = home.store();
    for number in (0..40).map(|n| n * 10) {
        add(
            store,
            if number % 20 == 0 {
                row(number, 2)
            } else {
                waiting(number)
            },
        );
    }
    let mut seen = Vec::new();
    let mut after = None;
    loop {
        let page = wait(store.list(ListQuery {
            after,
            limit: 7,
            ..all()
        }))
        .unwrap();
        let Some(last) = page.last() else { break };
        after = Some(*last);
        seen.extend(page.iter().map(|place| place.table.number()));
        // Newer tables appear, and one that was shown goes on.
        let number = 1_000 + seen.len() as u64;
        add(store, row(number, 2));
        add(store, over(seen[0], 10 + number as u32));
    }
    assert_eq!(seen, (0..40).rev().map(|n| n * 10).collect::<Vec<_>>());
}

pub(crate) fn tables_of_one_moment_are_told_apart(home: &mut Home) {
    let store = home.store();
    for number in 1..=20 {
        let mut row = if number % 3 == 0 {
            waiting(number)
        } else {
            row(number, 2)
        };
        row.summary.created_at = Timestamp(500);
        add(store, row);
    }
    let mut seen = Vec::new();
    let mut after = None;
    while let Some(place) = wait(store.list(ListQuery {
        after,
        limit: 1,
        ..all()
    }))
    .unwrap()
    .first()
    {
        after = Some(*place);
        seen.push(place.table.number());
    }
    assert_eq!(seen, (1..=20).rev().collect::<Vec<_>>());
}

pub(crate) fn each_filter_filters(home: &mut Home) {
    let store = home.store();
    add(store, waiting(1));
    add(store, row(2, 2));
    add(store, over(3, 2));
    let mut other = row(4, 2);
    other.kind = 1;
    other.summary.variant = "skill";
    add(store, other);
    let mut paused = row(5, 2);
    paused.summary.state = State::Paused;
    add(store, paused);
    let state = |state: &str| ListQuery {
        state: State::named(state),
        ..all()
    };
    let variant = |variant: &str| ListQuery {
        variant: Some(variant.to_owned()),
        ..all()
    };
    assert_eq!(list(store, state("WAITING")), [1]);
    assert_eq!(list(store, state("ACTIVE")), [4, 2]);
    assert_eq!(list(store, state("PAUSED")), [5]);
    assert_eq!(list(store, state("COMPLETED")), [3]);
    assert_eq!(list(store, variant("skill")), [4]);
    assert_eq!(list(store, variant("standard")), [5, 3, 2, 1]);
    assert_eq!(
        list(
            store,
            ListQuery {
                kind: Some(1),
                ..all()
            }
        ),
        [4]
    );
    assert_eq!(
        list(
            store,
            ListQuery {
                kind: Some(0),
                ..state("ACTIVE")
            }
        ),
        [2]
    );
    let both = ListQuery {
        variant: Some("standard".to_owned()),
        ..state("ACTIVE")
    };
    assert_eq!(list(store, both), [2]);

    let mut casual = waiting(6);
    (casual.summary.rated, casual.summary.speed) = (false, "rapid");
    casual.summary.opponent = Some(player(3));
    add(store, casual);
    let those_that_wait = state("WAITING");
    for (rated, is_addressed, speed, found) in [
        (None, None, None, &[6, 1][..]),
        (Some(true), None, None, &[1]),
        (Some(false), None, None, &[6]),
        (None, Some(true), None, &[6]),
        (None, Some(false), None, &[1]),
        (None, None, Some(Speed::Rapid), &[6]),
        (Some(true), Some(true), Some(Speed::Rapid), &[]),
    ] {
        let query = ListQuery {
            rated,
            is_addressed,
            speed,
            ..those_that_wait.clone()
        };
        assert_eq!(list(store, query.clone()), found, "{query:?}");
    }
    add(store, over(6, 2));

    // A table moves from list to list.
    add(store, row(1, 2));
    assert_eq!(list(store, state("WAITING")), [0; 0]);
    assert_eq!(list(store, state("ACTIVE")), [4, 2, 1]);
}

pub(crate) fn a_player_is_found_in_every_role(home: &mut Home) {
    let store = home.store();
    let mut challenge = waiting(1);
    challenge.summary.opponent = Some(player(9));
    add(store, challenge);
    let mut white = over(2, 2);
    white.summary.white = Some(player(9));
    add(store, white);
    let mut black = row(3, 2);
    black.summary.black = Some(player(9));
    add(store, black);
    let mut made = waiting(4);
    made.summary.creator = player(9);
    add(store, made);
    add(store, row(5, 2));
    let mine = ListQuery {
        player: Some(player(9)),
        ..all()
    };
    assert_eq!(list(store, mine.clone()), [4, 3, 2, 1]);
    let state = |state: &str| ListQuery {
        state: State::named(state),
        ..mine.clone()
    };
    assert_eq!(list(store, state("WAITING")), [4, 1]);
    assert_eq!(list(store, state("COMPLETED")), [2]);
    let after = Some(Cursor {
        created_at: Timestamp(3),
        table: id(3),
    });
    assert_eq!(
        list(
            store,
            ListQuery {
                after,
                limit: 1,
                ..mine.clone()
            }
        ),
        [2]
    );

    // Declined: nobody is asked any more.
    let mut declined = over(1, 2);
    declined.summary.white = None;
    declined.summary.black = None;
    add(store, declined);
    assert_eq!(list(store, mine), [4, 3, 2]);
}

pub(crate) fn private_tables_are_seen_by_those_concerned(home: &mut Home) {
    let store = home.store();
    add(store, row(1, 2));
    let mut private = row(2, 2);
    private.summary.private = true;
    private.summary.invited = vec![player(6), player(7)];
    add(store, private.clone());
    let mut challenge = waiting(3);
    challenge.summary.private = true;
    challenge.summary.opponent = Some(player(5));
    add(store, challenge);
    let seen_by = |number| {
        list(
            store,
            ListQuery {
                viewer: Some(player(number)),
                ..all()
            },
        )
    };
    assert_eq!(list(store, all()), [1]);
    assert_eq!(
        list(
            store,
            ListQuery {
                everything: true,
                ..all()
            }
        ),
        [3, 2, 1]
    );
    assert_eq!(seen_by(1), [3, 2, 1], "the creator of both");
    assert_eq!(seen_by(2), [2, 1], "Black");
    assert_eq!(seen_by(5), [3, 1], "challenged");
    assert_eq!(seen_by(6), [2, 1], "invited");
    assert_eq!(seen_by(8), [1], "a stranger");
    let of_a_player = ListQuery {
        player: Some(player(1)),
        viewer: Some(player(8)),
        ..all()
    };
    assert_eq!(list(store, of_a_player), [1]);

    // The invitations change with the row.
    private.version = 3;
    private.summary.invited = vec![player(8)];
    commit(store, changed(private.clone())).unwrap();
    assert_eq!(seen_by(6), [1]);
    assert_eq!(seen_by(8), [2, 1]);
    private.version = 4;
    private.summary.invited.clear();
    commit(store, changed(private)).unwrap();
    assert_eq!(seen_by(8), [1]);
}

/// Under a state, tables with a spectator delay are listed as far as those
/// who do not play there know of it.
pub(crate) fn a_list_by_state_does_not_outrun_the_delay(home: &mut Home) {
    let store = home.store();
    let delayed = |mut row: Row| {
        row.summary.delay_ms = 1_000;
        row
    };
    add(store, row(1, 2));
    add(store, delayed(row(2, 2)));
    add(store, delayed(waiting(3)));
    add(store, delayed(over(4, 10)));
    let mut private = delayed(row(5, 2));
    private.summary.private = true;
    private.summary.invited = vec![player(6)];
    add(store, private);
    let seen = |state: &str, viewer: u32, at: u64| {
        let query = ListQuery {
            state: State::named(state),
            viewer: (viewer > 0).then(|| player(viewer)),
            known_at: Some(Timestamp(at)),
            ..all()
        };
        let of_white = ListQuery {
            player: Some(player(1)),
            ..query.clone()
        };
        let found = list(store, query);
        assert_eq!(list(store, of_white), found, "all are White's");
        found
    };
    for stranger in [0, 9] {
        assert_eq!(seen("ACTIVE", stranger, 2_000), [1]);
        assert_eq!(seen("WAITING", stranger, 2_000), [3]);
        assert_eq!(seen("COMPLETED", stranger, 1_013), [0; 0]);
        assert_eq!(seen("COMPLETED", stranger, 1_014), [4], "a second later");
        assert_eq!(seen("", stranger, 0), [4, 3, 2, 1]);
    }
    assert_eq!(seen("ACTIVE", 6, 2_000), [1]);
    assert_eq!(seen("", 6, 2_000), [5, 4, 3, 2, 1], "invited");
    assert_eq!(seen("ACTIVE", 2, 0), [5, 2, 1], "Black knows");
    assert_eq!(seen("COMPLETED", 2, 0), [4]);
    let as_they_are = ListQuery {
        state: Some(State::Active),
        everything: true,
        ..all()
    };
    assert_eq!(list(store, as_they_are), [5, 2, 1]);

    // Who was removed from a private table has not been invited to it.
    let removed = Ban {
        table: id(5),
        account: player(6),
        kind: BanKind::Removed,
        by: player(1),
        at: Timestamp(7),
    };
    wait(store.ban(removed)).unwrap();
    assert_eq!(seen("", 6, 2_000), [4, 3, 2, 1]);
}

pub(crate) fn unfinished_tables_are_counted(home: &mut Home) {
    let store = home.store();
    let count = |number| wait(store.count_unfinished(player(number))).unwrap();
    assert_eq!(count(1), 0);
    add(store, row(1, 2));
    let mut challenge = waiting(2);
    challenge.summary.opponent = Some(player(3));
    add(store, challenge);
    assert_eq!(
        [count(1), count(2), count(3)],
        [2, 1, 0],
        "being asked is no game"
    );
    let mut joined = row(2, 2);
    joined.summary.opponent = Some(player(3));
    joined.summary.black = Some(player(3));
    add(store, joined);
    assert_eq!([count(1), count(2), count(3)], [2, 1, 1]);
    add(store, over(1, 3));
    assert_eq!([count(1), count(2), count(3)], [1, 0, 1]);
}

pub(crate) fn a_list_of_nothing_is_empty(home: &mut Home) {
    let store = home.store();
    assert_eq!(list(store, all()), [0; 0]);
    add(store, row(1, 2));
    assert_eq!(list(store, ListQuery { limit: 0, ..all() }), [0; 0]);
    let variant = Some("'; DROP TABLE tables; --".to_owned());
    assert_eq!(list(store, ListQuery { variant, ..all() }), [0; 0]);
    assert_eq!(list(store, all()), [1]);
}

pub(crate) fn a_page_has_the_newest_state_of_its_tables(home: &mut Home) {
    let store = home.store();
    let mut with_code = waiting(3);
    with_code.kind = 7;
    with_code.join_code = Some("K7M2QX".to_owned());
    add(store, with_code);
    for number in [1, 2] {
        add(store, row(number, 2));
    }
    commit(store, moved(2, 3)).unwrap();
    let query = ListQuery { limit: 2, ..all() };
    let page = wait(store.page(query.clone())).unwrap();
    let places: Vec<Cursor> = page.iter().map(|listed| listed.place).collect();
    assert_eq!(Ok(places), wait(store.list(query)));
    let stored = |index: usize| page[index].stored.clone().unwrap();
    assert_eq!((stored(0).kind, stored(0).version), (7, 1));
    assert_eq!(stored(0).join_code.as_deref(), Some("K7M2QX"));
    assert_eq!(stored(1).history, history(3), "its row is behind");
    let rest = ListQuery {
        after: Some(page[1].place),
        ..all()
    };
    let rest = wait(store.page(rest)).unwrap();
    assert_eq!(rest.len(), 1);
    assert_eq!(rest[0].stored.clone().unwrap().history, history(2));
}

/// Also of one player, among private ones, and page by page.
pub(crate) fn the_oldest_come_first_if_asked_for(home: &mut Home) {
    let store = home.store();
    for number in [2, 9, 4] {
        add(store, row(number, 2));
    }
    add(store, waiting(7));
    add(store, over(5, 3));
    let mut private = row(6, 2);
    private.summary.private = true;
    private.summary.invited = vec![player(3)];
    add(store, private);
    let oldest = |query: ListQuery| ListQuery {
        oldest_first: true,
        ..query
    };
    assert_eq!(list(store, oldest(all())), [2, 4, 5, 7, 9]);
    for viewer in [1, 3] {
        let seen = ListQuery {
            viewer: Some(player(viewer)),
            player: Some(player(1)),
            ..all()
        };
        assert_eq!(list(store, oldest(seen)), [2, 4, 5, 6, 7, 9]);
    }
    let mut seen = Vec::new();
    let mut after = None;
    loop {
        let page = ListQuery {
            after,
            limit: 2,
            ..oldest(all())
        };
        let page = wait(store.list(page)).unwrap();
        let Some(last) = page.last() else { break };
        after = Some(*last);
        seen.extend(page.iter().map(|place| place.table.number()));
    }
    assert_eq!(seen, [2, 4, 5, 7, 9]);
}
