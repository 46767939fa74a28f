//! What a backend with a journal does with it.

use chess::Timestamp;

use crate::support::*;

fn versions(store: &store::Store) -> Vec<(u64, u32)> {
    let journal = journal(store);
    journal
        .iter()
        .map(|r| (r.table.number(), r.version))
        .collect()
}

pub(crate) fn what_lists_show_is_a_row_at_once(home: &mut Home) {
    let store = home.store();
    commit(store, created(row(5, 2))).unwrap();
    commit(store, moved(5, 3)).unwrap();
    assert_eq!(
        (row_version(store, 5), versions(store)),
        (Some(2), vec![(5, 3)])
    );
    commit(store, changed(over(5, 4))).unwrap();
    assert_eq!(row_version(store, 5), Some(4));
}

/// A row is written as a whole, whatever was thought to have changed in it.
pub(crate) fn what_hangs_on_a_row_is_folded_with_it(home: &mut Home) {
    let store = home.store();
    let mut private = row(5, 2);
    private.summary.private = true;
    commit(store, created(private.clone())).unwrap();
    private.version = 3;
    private.summary.invited = vec![player(8)];
    let mut change = changed(private);
    change.is_listed = false;
    commit(store, change).unwrap();
    tidy(store);
    let query = store::ListQuery {
        viewer: Some(player(8)),
        limit: 9,
        ..Default::default()
    };
    assert_eq!(wait(store.list(query)).unwrap().len(), 1);
}

pub(crate) fn enough_changes_are_a_row(home: &mut Home) {
    let store = home.store();
    commit(store, created(row(5, 2))).unwrap();
    for version in 3..=65 {
        commit(store, moved(5, version)).unwrap();
    }
    assert_eq!(row_version(store, 5), Some(2));
    commit(store, moved(5, 66)).unwrap();
    assert_eq!(
        (row_version(store, 5), journal(store).len()),
        (Some(66), 63)
    );
    commit(store, moved(5, 67)).unwrap();
    assert_eq!(journal(store).len(), 64);
}

pub(crate) fn a_change_from_the_future_is_a_row(home: &mut Home) {
    let store = home.store();
    commit(store, created(row(5, 2))).unwrap();
    let mut change = moved(5, 3);
    change.at = Timestamp(900_000);
    commit(store, change).unwrap();
    assert_eq!(row_version(store, 5), Some(3));
    let past = wait(home.restart().past()).unwrap();
    assert_eq!(past.alive_at, Some(Timestamp(8)), "it does not count");
}

pub(crate) fn folding_moves_the_journal_into_the_rows(home: &mut Home) {
    let store = home.store();
    // More than one transaction takes.
    let changes = (0..700).flat_map(|number| [created(row(number, 2)), moved(number, 3)]);
    commit_all(store, changes);
    assert_eq!(journal(store).len(), 700);
    tidy(store);
    assert_eq!(journal(store), []);
    for number in [0, 350, 699] {
        assert_eq!(row_version(store, number), Some(3));
        assert_eq!(load(store, id(number)).unwrap().history, history(3));
    }
    commit(store, moved(5, 4)).unwrap();
    assert_eq!(versions(home.restart()), [(5, 4)]);
    // Numbers go on rising.
    let first = journal(home.store())[0].seq;
    commit(home.store(), moved(5, 5)).unwrap();
    assert!(journal(home.store())[1].seq > first);
    assert!(first > 1_400);
}

pub(crate) fn what_the_last_run_left_is_read_with_its_journal(home: &mut Home) {
    commit(home.store(), created(row(5, 2))).unwrap();
    commit(home.store(), moved(5, 3)).unwrap();
    let store = home.restart();
    assert_eq!(load(store, id(5)).unwrap().history, history(3));
    let due = wait(store.due()).unwrap();
    assert_eq!(due[0].at, Some(Timestamp(0)), "its row does not know");
    // Without the rules nobody can make a row of it.
    tidy(store);
    assert_eq!(
        (row_version(store, 5), versions(store)),
        (Some(2), vec![(5, 3)])
    );
    // The next change brings all of it.
    commit(store, moved(5, 4)).unwrap();
    tidy(store);
    assert_eq!((row_version(store, 5), versions(store)), (Some(4), vec![]));
}

pub(crate) fn a_row_newer_than_its_journal_counts(home: &mut Home) {
    commit(home.store(), created(row(5, 2))).unwrap();
    commit(home.store(), moved(5, 3)).unwrap();
    commit(home.store(), changed(row(5, 4))).unwrap();
    let store = home.restart();
    assert_eq!(load(store, id(5)).unwrap().history, history(4));
    assert_eq!(commit(store, moved(5, 4)), Err(store::Error::Conflict));
    commit(store, moved(5, 5)).unwrap();
    assert_eq!(load(store, id(5)).unwrap().history, history(5));
    assert_eq!(load(home.restart(), id(5)).unwrap().history, history(5));
}

pub(crate) fn what_is_forgotten_still_tells_when_the_server_was_up(home: &mut Home) {
    let store = home.store();
    commit(store, created(row(5, 2))).unwrap();
    let change = moved(5, 3);
    let at = change.at;
    commit(store, change).unwrap();
    tidy(store);
    assert_eq!(wait(home.restart().past()).unwrap().alive_at, Some(at));
}

pub(crate) fn no_record_is_forgotten_that_its_row_lacks(home: &mut Home) {
    let store = home.store();
    let changes = (0..30).flat_map(|number| [created(row(number, 2)), moved(number, 3)]);
    commit_all(store, changes);
    let store = home.restart();
    // These are known anew; of the others nobody can make rows.
    commit_all(store, [7, 8, 9].map(|number| moved(number, 4)));
    tidy(store);
    let left = versions(store);
    assert_eq!(left.len(), 27);
    assert!(left.iter().all(|(number, _)| ![7, 8, 9].contains(number)));
    for number in 0..30 {
        let version = load(store, id(number)).unwrap().version;
        assert_eq!(version, if [7, 8, 9].contains(&number) { 4 } else { 3 });
    }
}
