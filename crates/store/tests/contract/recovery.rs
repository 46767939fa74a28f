//! Folding, and what a start finds.

use chess::Timestamp;
use chess::table::Outage;
use store::{Recovery, Unfinished};

use crate::support::*;

pub(crate) fn a_new_store_has_nothing_to_recover(home: &mut Home) {
    assert_eq!(home.store().recover(), Ok(Recovery::default()));
}

pub(crate) fn what_was_acknowledged_is_there_after_a_restart(home: &mut Home) {
    let store = home.store();
    commit(store, written(row(5, 2))).unwrap();
    commit(store, written(waiting(6))).unwrap();
    commit(store, written(over(7, 9))).unwrap();
    let seq = commit(store, journaled(5, 3)).unwrap().seq;
    let store = home.restart();

    let recovery = store.recover().unwrap();
    assert_eq!((recovery.unfolded, recovery.seq), (vec![(id(5), 3)], seq));
    let journal = store.journal().unwrap();
    let [record] = &journal[..] else {
        panic!("one record: {journal:?}");
    };
    assert_eq!((record.seq, record.table, record.version), (seq, id(5), 3));
    assert_eq!((record.at, &record.payload), (Timestamp(8), &vec![3]));
    let unfinished = |number, deadline| Unfinished {
        table: id(number),
        deadline,
    };
    assert_eq!(
        recovery.unfinished,
        [
            unfinished(5, Some(Timestamp(300_005))),
            unfinished(6, Some(Timestamp(300_006)))
        ]
    );
    assert_eq!(load_unfolded(store, id(5)).unwrap().history, history(3));
    assert_eq!(commit(store, journaled(5, 3)), Err(store::Error::Conflict));
    commit(store, journaled(5, 4)).unwrap();
}

pub(crate) fn the_longest_overdue_are_found_by_their_rows(home: &mut Home) {
    let store = home.store();
    for number in [9, 3, 6] {
        commit(store, written(row(number, 2))).unwrap();
    }
    commit(store, written(over(2, 9))).unwrap();
    let overdue = |before, limit| wait(store.overdue(Timestamp(before), limit)).unwrap();
    assert_eq!(overdue(300_003, 10), []);
    assert_eq!(overdue(300_007, 10), [id(3), id(6)]);
    assert_eq!(overdue(400_000, 2), [id(3), id(6)]);
    // What the journal says is not asked for.
    commit(store, journaled(3, 3)).unwrap();
    assert_eq!(overdue(300_004, 10), [id(3)]);
}

pub(crate) fn folding_moves_the_journal_into_the_rows(home: &mut Home) {
    let store = home.store();
    let changes = (0..700).flat_map(|number| [written(row(number, 2)), journaled(number, 3)]);
    let seq = commit_all(store, changes);
    // Not in the order of their ids, and more than one transaction takes.
    let rows = (0..700).rev().map(|number| row(number, 3)).collect();
    fold(store, rows, Some(seq));
    assert_eq!(store.journal().unwrap(), []);
    for number in [0, 350, 699] {
        let stored = load(store, id(number)).unwrap();
        assert_eq!((stored.version, stored.history), (3, history(3)));
    }
    commit(store, journaled(5, 4)).unwrap();
}

pub(crate) fn folding_twice_does_no_harm(home: &mut Home) {
    let store = home.store();
    commit(store, written(row(5, 2))).unwrap();
    let seq = commit(store, journaled(5, 3)).unwrap().seq;
    // Written, and not trimmed: as after a crash in between.
    fold(store, vec![row(5, 3)], None);
    let store = home.restart();
    assert_eq!(store.journal().unwrap().len(), 1);
    let stored = load_unfolded(store, id(5)).unwrap();
    assert_eq!((stored.version, stored.folded), (3, 3));
    assert_eq!(stored.history, history(3));
    for _ in 0..2 {
        fold(store, vec![row(5, 3)], Some(seq));
        assert_eq!(store.journal().unwrap(), []);
        assert_eq!(load_unfolded(store, id(5)).unwrap().history, history(3));
    }
    fold(store, vec![], Some(seq));
    fold(store, vec![], None);
}

pub(crate) fn no_record_is_forgotten_that_its_row_lacks(home: &mut Home) {
    let store = home.store();
    let changes = (0..30).flat_map(|number| [written(row(number, 2)), journaled(number, 3)]);
    let seq = commit_all(store, changes);
    commit(store, journaled(9, 4)).unwrap();
    // The rows of three tables were never written, whoever says so.
    let rows = (0..30).filter(|n| ![7, 8, 9].contains(n));
    let stranded = fold(store, rows.map(|n| row(n, 3)).collect(), Some(seq + 1));
    assert_eq!(journaled_versions(store), [(7, 3), (8, 3), (9, 3), (9, 4)]);
    let newest = |number| {
        stranded
            .iter()
            .filter(move |(table, _)| *table == id(number))
    };
    assert_eq!(newest(9).map(|(_, version)| *version).max(), Some(4));
    assert_eq!(stranded.len(), 3);
    // Once they are, it is forgotten; and what is older than its row always was.
    let stranded = fold(store, vec![row(7, 3), row(8, 9), row(9, 3)], Some(seq + 1));
    assert_eq!(stranded, [(id(9), 4)]);
    assert_eq!(journaled_versions(home.restart()), [(9, 4)]);
}

fn journaled_versions(store: &store::Store) -> Vec<(u64, u32)> {
    let journal = store.journal().unwrap();
    let version = |r: &store::JournalRecord| (r.table.number(), r.version);
    journal.iter().map(version).collect()
}

pub(crate) fn what_is_forgotten_still_tells_when_the_server_was_up(home: &mut Home) {
    let store = home.store();
    commit(store, written(row(5, 2))).unwrap();
    let change = journaled(5, 3);
    let at = change.at;
    let seq = commit(store, change).unwrap().seq;
    fold(store, vec![row(5, 3)], Some(seq));
    assert_eq!(home.restart().recover().unwrap().alive_at, Some(at));
}

pub(crate) fn an_outage_takes_in_those_that_began_within_it(home: &mut Home) {
    let outage = |down, up| Outage {
        down_since: Timestamp(down),
        up_at: Timestamp(up),
    };
    let store = home.store();
    for (down, up) in [(10, 20), (100, 120), (130, 140), (200, 210)] {
        store.note_outage(outage(down, up)).unwrap();
    }
    told(|done| store.note_outage_then(outage(90, 150), done)).unwrap();
    told(|done| store.note_outage_then(outage(90, 160), done)).unwrap();
    let known = [outage(10, 20), outage(90, 160), outage(200, 210)];
    assert_eq!(home.restart().recover().unwrap().outages, known);
}

pub(crate) fn an_old_row_does_not_replace_a_newer_one(home: &mut Home) {
    let store = home.store();
    commit(store, written(over(5, 9))).unwrap();
    fold(store, vec![row(5, 8)], None);
    assert_eq!(load(store, id(5)).unwrap().history, history(9));
    assert_eq!(store.recover().unwrap().unfinished, []);
}

pub(crate) fn what_came_after_a_fold_stays_in_the_journal(home: &mut Home) {
    let store = home.store();
    commit(store, written(row(5, 2))).unwrap();
    let seq = commit(store, journaled(5, 3)).unwrap().seq;
    let later = commit(store, journaled(5, 4)).unwrap().seq;
    fold(store, vec![row(5, 3)], Some(seq));
    let journal = home.restart().journal().unwrap();
    assert_eq!(
        journal
            .iter()
            .map(|r| (r.seq, r.version))
            .collect::<Vec<_>>(),
        [(later, 4)]
    );
    let stored = load_unfolded(home.store(), id(5)).unwrap();
    assert_eq!((stored.version, stored.folded), (4, 3));
    assert_eq!(stored.history, history(4));
}

pub(crate) fn numbers_go_on_rising_after_a_restart(home: &mut Home) {
    commit(home.store(), written(row(5, 2))).unwrap();
    let before = commit(home.store(), journaled(5, 3)).unwrap();
    fold(home.store(), vec![row(5, 3)], Some(before.seq));
    let after = commit(home.restart(), journaled(5, 4)).unwrap();
    assert!(after > before, "{before:?} {after:?}");
}

pub(crate) fn a_row_newer_than_its_journal_counts(home: &mut Home) {
    commit(home.store(), written(row(5, 2))).unwrap();
    commit(home.store(), journaled(5, 3)).unwrap();
    commit(home.store(), written(row(5, 4))).unwrap();
    let store = home.restart();
    assert_eq!(load_unfolded(store, id(5)).unwrap().history, history(4));
    assert_eq!(commit(store, journaled(5, 4)), Err(store::Error::Conflict));
    commit(store, journaled(5, 5)).unwrap();
    assert_eq!(load_unfolded(store, id(5)).unwrap().history, history(5));
}

pub(crate) fn the_last_sign_of_life_counts(home: &mut Home) {
    let beat =
        |store: &store::Store, at| told(|done| store.heartbeat(Timestamp(at), done)).unwrap();
    let alive_at = |store: &store::Store| store.recover().unwrap().alive_at.map(|at| at.0);
    beat(home.store(), 1_000);
    beat(home.store(), 900);
    assert_eq!(alive_at(home.restart()), Some(1_000));
    // Created at 2,000; version 2 was two milliseconds later.
    commit(home.store(), written(row(2_000, 2))).unwrap();
    assert_eq!(alive_at(home.restart()), Some(2_002));
    commit(home.store(), journaled(2_000, 3)).unwrap();
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
    home.store().note_outage(middle).unwrap();
    home.store().note_outage(old).unwrap();
    assert_eq!(home.restart().recover().unwrap().outages, [old, middle]);
    home.store().note_outage(new).unwrap();
    assert_eq!(home.restart().recover().unwrap().outages, [middle, new]);
}
