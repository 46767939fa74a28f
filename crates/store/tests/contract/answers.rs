//! Idempotency keys.

use chess::Timestamp;
use store::{Change, Error, Remembered, Store};

use crate::support::*;

const DAY: u64 = 86_400_000;

fn with(change: Change, remember: Remembered) -> Change {
    Change {
        remember: Some(remember),
        ..change
    }
}

fn look(store: &Store, account: u32, key: &str, now: u64) -> Option<Remembered> {
    wait(store.remembered(player(account), key, Timestamp(now))).unwrap()
}

pub(crate) fn an_answer_is_remembered_for_a_day(home: &mut Home) {
    let answer = remembered(1, "once", 1_000);
    commit(home.store(), with(created(row(5, 2)), answer.clone())).unwrap();
    let store = home.restart();
    assert_eq!(look(store, 1, "once", 1_000), Some(answer.clone()));
    assert_eq!(look(store, 1, "once", 1_000 + DAY - 1), Some(answer));
    assert_eq!(look(store, 1, "once", 1_000 + DAY), None);
    assert_eq!(look(store, 1, "twice", 1_000), None);
}

pub(crate) fn a_key_is_used_once(home: &mut Home) {
    let store = home.store();
    commit(
        store,
        with(created(row(5, 2)), remembered(1, "once", 1_000)),
    )
    .unwrap();
    // Another request with the key, about another table: nothing of it happens.
    let second = with(created(row(6, 2)), remembered(1, "once", 2_000));
    assert_eq!(commit(store, second), Err(Error::Conflict));
    assert_eq!(load(store, id(6)), None);
    let third = with(moved(5, 3), remembered(1, "once", 2_000));
    assert_eq!(commit(store, third), Err(Error::Conflict));
    assert_eq!(load(store, id(5)).unwrap().version, 2);
    // After a day the key is as good as new.
    let later = remembered(1, "once", 1_000 + DAY);
    commit(store, with(moved(5, 3), later.clone())).unwrap();
    assert_eq!(look(store, 1, "once", 1_000 + DAY), Some(later));
}

pub(crate) fn a_refused_change_leaves_no_answer(home: &mut Home) {
    let store = home.store();
    commit(store, created(row(5, 2))).unwrap();
    for change in [moved(5, 2), created(row(5, 2))] {
        let refused = commit(store, with(change, remembered(1, "once", 1_000)));
        assert_eq!(refused, Err(Error::Conflict));
        assert_eq!(look(store, 1, "once", 1_000), None);
    }
    commit(store, with(moved(5, 3), remembered(1, "once", 1_000))).unwrap();
}

pub(crate) fn keys_belong_to_accounts(home: &mut Home) {
    let store = home.store();
    commit(
        store,
        with(created(row(5, 2)), remembered(1, "once", 1_000)),
    )
    .unwrap();
    commit(store, with(moved(5, 3), remembered(2, "once", 1_000))).unwrap();
    assert_eq!(look(store, 2, "once", 1_000).unwrap().account, player(2));
}
