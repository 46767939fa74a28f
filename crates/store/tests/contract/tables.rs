//! Committing and loading.

use std::sync::mpsc;
use std::sync::{Arc, Mutex};

use chess::Timestamp;
use store::{Error, Stored};

use crate::support::*;

pub(crate) fn a_row_is_loaded_as_it_was_committed(home: &mut Home) {
    let mut row = waiting(5);
    row.kind = 3;
    row.join_code = Some("K7M2QX".to_owned());
    commit(home.store(), created(row)).unwrap();
    let stored = Stored {
        kind: 3,
        version: 1,
        history: history(1),
        join_code: Some("K7M2QX".to_owned()),
    };
    assert_eq!(load(home.store(), id(5)), Some(stored));
    assert_eq!(load(home.store(), id(6)), None);
}

pub(crate) fn the_newest_state_is_loaded(home: &mut Home) {
    let store = home.store();
    commit(store, created(row(5, 2))).unwrap();
    for version in 3..=100 {
        commit(store, moved(5, version)).unwrap();
        assert_eq!(load(store, id(5)).unwrap().version, version);
    }
    assert_eq!(load(home.restart(), id(5)).unwrap().history, history(100));
}

pub(crate) fn a_change_of_another_version_is_refused(home: &mut Home) {
    let store = home.store();
    commit(store, created(row(5, 2))).unwrap();
    assert_eq!(commit(store, created(row(5, 2))), Err(Error::Conflict));
    assert_eq!(commit(store, created(row(5, 3))), Err(Error::Conflict));
    assert_eq!(commit(store, moved(5, 2)), Err(Error::Conflict));
    commit(store, moved(5, 3)).unwrap();
    assert_eq!(commit(store, moved(5, 3)), Err(Error::Conflict));
    assert_eq!(commit(store, changed(row(5, 3))), Err(Error::Conflict));
    assert_eq!(commit(store, changed(row(5, 5))), Err(Error::Conflict));
    assert_eq!(commit(store, moved(5, 5)), Err(Error::Conflict));
    commit(store, changed(row(5, 4))).unwrap();
    assert_eq!(load(store, id(5)).unwrap().history, history(4));
    assert_eq!(
        commit(store, moved(6, 2)),
        Err(Error::Conflict),
        "there is no such table"
    );
    let store = home.restart();
    assert_eq!(commit(store, moved(5, 4)), Err(Error::Conflict));
    assert_eq!(commit(store, moved(5, 6)), Err(Error::Conflict));
    assert_eq!(commit(store, created(row(5, 6))), Err(Error::Conflict));
    assert_eq!(load(store, id(5)).unwrap().version, 4);
    commit(store, moved(5, 5)).unwrap();
}

pub(crate) fn of_many_racing_for_one_version_one_wins(home: &mut Home) {
    let store = home.store();
    commit(store, created(row(5, 2))).unwrap();
    let (tell, told) = mpsc::channel();
    for i in 0..200 {
        let change = if i % 2 == 0 {
            moved(5, 3)
        } else {
            changed(row(5, 3))
        };
        let tell = tell.clone();
        store.commit(change, Box::new(move |result| tell.send(result).unwrap()));
    }
    drop(tell);
    let results: Vec<_> = told.iter().collect();
    assert_eq!(results.len(), 200);
    assert_eq!(results.iter().filter(|r| r.is_ok()).count(), 1);
    assert_eq!(load(store, id(5)).unwrap().history, history(3));
}

pub(crate) fn a_refused_change_does_not_harm_its_neighbours(home: &mut Home) {
    let store = home.store();
    let (tell, told) = mpsc::channel();
    for number in 1..=50 {
        for change in [created(waiting(number)), created(waiting(number))] {
            let tell = tell.clone();
            store.commit(
                change,
                Box::new(move |result| tell.send((number, result.is_ok())).unwrap()),
            );
        }
    }
    drop(tell);
    let mut told: Vec<_> = told.iter().collect();
    told.sort_by_key(|(number, _)| *number);
    let expected = (1..=50).flat_map(|number| [(number, true), (number, false)]);
    assert_eq!(told, expected.collect::<Vec<_>>());
    assert!((1..=50).all(|number| load(store, id(number)).is_some()));
}

pub(crate) fn commits_of_a_table_are_told_in_order(home: &mut Home) {
    let store = home.store();
    let (tell, told) = mpsc::channel();
    for number in 0..300 {
        for change in [created(row(number, 2)), moved(number, 3)] {
            let tell = tell.clone();
            let which = (number, change.version);
            store.commit(
                change,
                Box::new(move |result| tell.send((which, result)).unwrap()),
            );
        }
    }
    drop(tell);
    let mut told: Vec<_> = told.iter().collect();
    told.sort_by_key(|((number, _), _)| *number);
    let asked: Vec<_> = (0..300).flat_map(|n| [(n, 2), (n, 3)]).collect();
    assert_eq!(
        told.iter().map(|(which, _)| *which).collect::<Vec<_>>(),
        asked
    );
    assert!(told.iter().all(|(_, result)| result.is_ok()));
}

pub(crate) fn a_code_names_one_waiting_table(home: &mut Home) {
    let store = home.store();
    let with_code = |number| {
        let mut row = waiting(number);
        row.join_code = Some("K7M2QX".to_owned());
        row
    };
    commit(store, created(with_code(5))).unwrap();
    assert_eq!(commit(store, created(with_code(6))), Err(Error::Conflict));
    assert_eq!(load(store, id(6)), None);
    assert_eq!(wait(store.by_join_code("K7M2QX")), Ok(Some(id(5))));
    assert_eq!(wait(store.by_join_code("k7m2qx")), Ok(None));

    commit(store, changed(row(5, 2))).unwrap();
    assert_eq!(wait(store.by_join_code("K7M2QX")), Ok(None));
    commit(store, created(with_code(6))).unwrap();
    assert_eq!(wait(store.by_join_code("K7M2QX")), Ok(Some(id(6))));
}

pub(crate) fn the_score_sheet_is_kept_when_the_game_is_over(home: &mut Home) {
    let store = home.store();
    commit(store, created(row(5, 3))).unwrap();
    assert_eq!(wait(store.moves_of(id(5))), Ok(vec![]));
    commit(store, changed(over(5, 4))).unwrap();
    assert_eq!(wait(store.moves_of(id(5))), Ok(over(5, 4).moves));

    // A later change of a finished game brings no new moves.
    let mut later = over(5, 5);
    later.moves.clear();
    commit(store, changed(later)).unwrap();
    assert_eq!(wait(store.moves_of(id(5))), Ok(over(5, 4).moves));
}

pub(crate) fn rows_are_shown_column_by_column(home: &mut Home) {
    let store = home.store();
    let mut private = waiting(9);
    private.summary.private = true;
    private.summary.invited = vec![player(8), player(4), player(8)];
    private.summary.opponent = Some(player(3));
    private.summary.initial_ms = None;
    private.join_code = Some("AAAAAA".to_owned());
    let rows = [over(5, 4), row(7, 3), private];
    for row in &rows {
        commit(store, created(row.clone())).unwrap();
    }
    let stored = wait(store.each_table(None, 100)).unwrap();
    assert_eq!(stored.len(), 3);
    for (stored, row) in stored.iter().zip(&rows) {
        assert_eq!(stored.table, row.table);
        assert_eq!((stored.kind, stored.version), (row.kind, row.version));
        assert_eq!(stored.history, row.history);
        assert_eq!(
            (stored.deadline, &stored.join_code),
            (row.deadline, &row.join_code)
        );
        assert_eq!(stored.summary.differences(&row.summary), [""; 0]);
    }
    assert_eq!(stored[2].summary.invited, [player(4), player(8)]);
    let second = wait(store.each_table(Some(id(5)), 1)).unwrap();
    assert_eq!(second, stored[1..2]);
}

pub(crate) fn a_wrong_row_is_found_and_replaced(home: &mut Home) {
    let store = home.store();
    let right = over(5, 4);
    let mut wrong = over(5, 4);
    wrong.summary.fen = "nonsense".to_owned();
    wrong.summary.result = None;
    wrong.summary.white = Some(player(77));
    wrong.moves.pop();
    commit(store, created(wrong)).unwrap();
    let stored = wait(store.each_table(None, 1)).unwrap();
    assert_eq!(
        stored[0].summary.differences(&right.summary),
        ["white", "fen", "result"]
    );

    wait(store.replace_row(right.clone())).unwrap();
    let stored = wait(store.each_table(None, 1)).unwrap();
    assert_eq!(stored[0].summary.differences(&right.summary), [""; 0]);
    assert_eq!(wait(store.moves_of(id(5))), Ok(right.moves));
    let of_77 = store::ListQuery {
        player: Some(player(77)),
        limit: 9,
        ..Default::default()
    };
    assert_eq!(wait(store.list(of_77)), Ok(vec![]));
}

pub(crate) fn loading_many_tables_at_once(home: &mut Home) {
    let store = home.store();
    commit_all(
        store,
        (0..100).flat_map(|number| [created(row(number, 2)), moved(number, 3)]),
    );
    let (tell, told) = mpsc::channel();
    for number in (0..200).chain(0..10) {
        let tell = tell.clone();
        store.load(
            id(number),
            Box::new(move |result| tell.send((number, result.unwrap())).unwrap()),
        );
    }
    drop(tell);
    let all: Vec<_> = told.iter().collect();
    assert_eq!(all.len(), 210);
    for (number, stored) in all {
        assert_eq!(
            stored.map(|s| s.history),
            (number < 100).then(|| history(3)),
            "{number}"
        );
    }
}

pub(crate) fn a_callback_may_use_the_store(home: &mut Home) {
    let store = home.store();
    let order = Arc::new(Mutex::new(Vec::new()));
    let (tell, told) = mpsc::channel();
    let (again, seen) = (store.clone(), Arc::clone(&order));
    store.commit(
        created(row(5, 2)),
        Box::new(move |result| {
            result.unwrap();
            let then = Arc::clone(&seen);
            again.commit(
                moved(5, 3),
                Box::new(move |result| {
                    result.unwrap();
                    then.lock().unwrap().push("second");
                    tell.send(()).unwrap();
                }),
            );
            seen.lock().unwrap().push("first");
        }),
    );
    told.recv().unwrap();
    assert_eq!(*order.lock().unwrap(), ["first", "second"]);
}

pub(crate) fn a_closed_store_refuses_everything(home: &mut Home) {
    let store = home.store();
    let (tell, told_) = mpsc::channel();
    for number in 0..100 {
        let tell = tell.clone();
        store.commit(
            created(row(number, 2)),
            Box::new(move |result| tell.send(result).unwrap()),
        );
    }
    drop(tell);
    store.close();
    assert!(
        told_.iter().all(|r| r.is_ok()),
        "what was asked for is finished"
    );
    let is_refused = |error: Option<Error>| matches!(error, Some(Error::Unavailable(_)));
    assert!(is_refused(commit(store, moved(5, 3)).err()));
    assert!(is_refused(told(|done| store.load(id(5), done)).err()));
    assert!(is_refused(told(|done| store.tidy(done)).err()));
    assert!(is_refused(wait(store.due()).err()));
    assert!(is_refused(wait(store.past()).err()));
    assert!(is_refused(
        told(|done| store.heartbeat(Timestamp(1), done)).err()
    ));
    assert!(is_refused(wait(store.account_by_id("x")).err()));
    assert!(is_refused(wait(store.ping()).err()));
    store.close();
    assert!(load(home.restart(), id(99)).is_some());
}
