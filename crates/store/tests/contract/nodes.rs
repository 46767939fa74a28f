//! What nodes ask for on behalf of those who follow something there.

use chess::Timestamp;
use chess::table::PlayerId;
use store::{Standing, Store, TableId};

use crate::support::*;

fn current_of(store: &Store, of: &[u32], since: u64) -> Vec<(PlayerId, TableId, u32)> {
    let players = of.iter().map(|number| player(*number)).collect();
    let found = wait(store.current_of(players, Timestamp(since)));
    let mut found = found.expect("they can be read");
    found.sort();
    found
}

/// One that began and ended between two looks is not missed.
pub(crate) fn what_is_played_or_was_made_lately_is_current(home: &mut Home) {
    let store = home.store();
    commit(store, created(row(5, 2))).unwrap();
    commit(store, created(over(6, 4))).unwrap();
    commit(store, moved(5, 3)).unwrap();
    // Tables are made at the time that is their number.
    let playing = (player(1), id(5), 3);
    assert_eq!(current_of(store, &[1], 7), [playing]);
    let both = [playing, (player(1), id(6), 4)];
    assert_eq!(current_of(store, &[1], 6), both);
    assert_eq!(current_of(store, &[1, 2], 6).len(), 4);
    assert_eq!(current_of(store, &[77], 6), []);
}

pub(crate) fn how_far_tables_have_come_is_told_of_those_that_are_there(home: &mut Home) {
    let store = home.store();
    commit(store, created(row(5, 2))).unwrap();
    commit(store, moved(5, 3)).unwrap();
    let standing = Standing {
        table: id(5),
        version: 3,
        chat: 0,
    };
    let found = wait(store.standings(vec![id(5), id(6)]));
    assert_eq!(found, Ok(vec![standing]));
}
