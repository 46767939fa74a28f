//! What was acknowledged never comes back older: whatever the store does, a
//! table either goes on where it was or is set aside, loudly, and alone.

use chess::Timestamp;
use chess::table::{Actor, Table};
use live::{Failure, Limits, Submission};
use store::memory::{Control, Turn};
use store::{Remembered, Store, StoredRow};

use crate::host::{Host, at_once, memory, player, row_of, table, tidy};
use crate::race::{Add, Race};

/// Nothing stays in memory.
fn forgetful() -> Limits {
    Limits {
        resident_max: 0,
        ..Limits::default()
    }
}

fn begun(id: u64) -> (Store, Control, Host) {
    let (store, control) = memory();
    let host = Host::start_with(&store, 1_000, forgetful());
    host.create(id).unwrap();
    host.add(id, 1, 1).unwrap();
    (store, control, host)
}

fn stored(store: &Store, id: u64) -> StoredRow {
    let rows = at_once(store.each_table(None, 100));
    rows.into_iter().find(|row| row.table == table(id)).unwrap()
}

/// Replaces the row of a race by what its first versions were.
fn set_back(store: &Store, right: &StoredRow, version: u32) {
    let history = right.history[..12 * version as usize].to_vec();
    let race = Race::restore(right.kind, &history).unwrap().unwrap();
    at_once(store.replace_row(row_of(right.table, &race)));
}

fn is_refused(result: Result<u32, Failure>) -> bool {
    matches!(result, Err(Failure::Corrupt(why)) if why.contains("acknowledged"))
}

#[test]
fn a_table_is_never_loaded_older_than_it_was_acknowledged() {
    let (store, _control, host) = begun(7);
    host.add(7, 2, 2).unwrap();
    tidy(&store);
    assert_eq!(host.live.evict(), 1);
    let right = stored(&store, 7);
    set_back(&store, &right, 2);

    assert!(is_refused(host.total(7)));
    assert!(is_refused(host.add(7, 1, 1).map(|_| 0)));
    let aside = host.live.set_aside();
    assert_eq!((aside.len(), aside[0].0), (1, table(7)));
    assert_eq!(host.live.stats().set_aside, 1);
    // Others go on, and nothing is written over it.
    host.create(8).unwrap();
    tidy(&store);
    assert_eq!(stored(&store, 7).version, 2);

    // Once the store has what it should, so has the table.
    set_back(&store, &right, 3);
    host.live.retry_set_aside();
    assert_eq!(host.total(7), Ok(3));
    assert_eq!(host.live.stats().set_aside, 0);
}

#[test]
fn a_row_that_is_not_there_after_all_costs_no_record_of_the_journal() {
    let (store, control, host) = begun(7);
    host.create(8).unwrap();
    host.add(8, 1, 1).unwrap();
    // One row at a time: the first is durable before the journal is trimmed.
    control.set_manual(true);
    control.set_fold_rows(1);
    tidy(&store);
    control.complete_next_batch(1);
    let right = stored(&store, 7);
    assert_eq!(right.version, 2);
    set_back(&store, &right, 1);
    control.set_manual(false);

    let journal = control.journal();
    let kept: Vec<_> = journal.iter().map(|r| (r.table, r.version)).collect();
    assert_eq!(kept, [(table(7), 2)]);
    // The store still has it, so the next fold writes the row again.
    host.live.evict();
    assert_eq!(host.total(7), Ok(1));
    tidy(&store);
    assert_eq!(stored(&store, 7).version, 2);
    assert_eq!(control.journal(), []);
}

#[test]
fn one_damaged_record_keeps_only_its_own_table_waiting() {
    let (store, mut control, host) = begun(7);
    host.create(8).unwrap();
    host.add(8, 1, 1).unwrap();
    assert!(control.damage_journal(table(7)));
    drop(host);
    let store = {
        drop(store);
        control.crash()
    };
    let host = Host::start_with(&store, 2_000, forgetful());
    host.add(8, 2, 3).unwrap();
    tidy(&store);
    tidy(&store);

    let journal = control.journal();
    let kept: Vec<_> = journal.iter().map(|r| (r.table, r.version)).collect();
    assert_eq!(kept, [(table(7), 2)], "all that is not damaged is trimmed");
    assert_eq!(stored(&store, 8).version, 3);
    assert!(matches!(host.total(7), Err(Failure::Corrupt(_))));
    let aside = host.live.set_aside();
    assert_eq!((aside.len(), aside[0].0), (1, table(7)));
}

#[test]
fn a_commit_that_fails_while_its_table_is_loaded_loses_nothing() {
    let (store, control, host) = begun(7);
    tidy(&store);
    let submit = |n, key: Option<&str>| {
        let remember = key.map(|key| Remembered {
            account: player(1),
            key: key.into(),
            request: [0; 32],
            table: table(7),
            version: 0,
            at: Timestamp(1_000),
        });
        let submission = Submission {
            who: Actor::Player(player(1)),
            command: Add::Points(n),
            received: Timestamp(1_000),
            with: remember.into(),
        };
        host.live.submit(table(7), submission, Box::new(|_| {}));
    };
    // Version 3 is in the journal alone.
    submit(2, Some("a key"));
    assert_eq!(host.total(7), Ok(3));
    // The key is taken, so this fails and the table is dropped. The next waits
    // until it is loaded and fails for the same reason, on the writer's thread,
    // before the loader's callback is through. Then reading fails too.
    control.set_manual(true);
    submit(1, Some("a key"));
    submit(1, Some("a key"));
    control.complete_next_batch(1);
    control.set_turns(Some(Box::new(|waiting| match waiting.writes {
        0 => Turn::Wait,
        many => Turn::Write(many, None),
    })));
    control.complete_load(0);
    control.set_turns(None);
    assert!(control.fail_load(0));
    control.set_manual(false);

    assert_eq!(host.total(7), Ok(3));
    tidy(&store);
    assert_eq!((host.total(7), stored(&store, 7).version), (Ok(3), 3));
}
