//! The store in memory under its controller's hand.

#[path = "contract/rules.rs"]
mod rules;
#[path = "contract/support.rs"]
#[expect(
    dead_code,
    reason = "shared with the contract tests, which use all of it"
)]
mod support;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex};

use chess::Timestamp;
use rules::with_rules;
use store::memory::{Control, Fate, Turn};
use store::{Change, Error, Store};
use support::*;

/// What the callbacks said, in the order they were called.
#[derive(Clone, Default)]
struct Told(Arc<Mutex<Vec<(&'static str, bool)>>>);

impl Told {
    fn commit(&self, store: &Store, name: &'static str, change: Change) {
        let told = self.clone();
        store.commit(change, Box::new(move |r| told.note(name, r.is_ok())));
    }

    fn load(&self, store: &Store, name: &'static str, number: u64) {
        let told = self.clone();
        store.load(id(number), Box::new(move |r| told.note(name, r.is_ok())));
    }

    fn note(&self, name: &'static str, is_ok: bool) {
        self.0.lock().unwrap().push((name, is_ok));
    }

    fn take(&self) -> Vec<(&'static str, bool)> {
        std::mem::take(&mut *self.0.lock().unwrap())
    }
}

fn manual() -> (Store, Control, Told) {
    let (store, control) = Store::in_memory(store::Upkeep::default());
    commit(&store, created(row(5, 2))).unwrap();
    commit(&store, created(row(6, 2))).unwrap();
    control.set_manual(true);
    (store, control, Told::default())
}

/// The version a table has, once nothing is held back.
fn version(store: &Store, control: &Control, number: u64) -> u32 {
    control.set_manual(false);
    let stored = load(store, id(number)).unwrap();
    assert_eq!(stored.history, history(stored.version));
    control.set_manual(true);
    stored.version
}

#[test]
fn nothing_ends_until_the_controller_says_so() {
    let (store, control, told) = manual();
    told.commit(&store, "a", moved(5, 3));
    told.commit(&store, "b", moved(6, 3));
    told.commit(&store, "c", moved(5, 4));
    told.load(&store, "first", 5);
    told.load(&store, "second", 6);
    assert_eq!(
        (
            control.pending(),
            control.pending_writes(),
            control.pending_loads()
        ),
        (5, 3, 2)
    );
    assert_eq!(told.take(), []);

    assert_eq!(control.complete_next_batch(2), 2);
    assert_eq!(told.take(), [("a", true), ("b", true)]);
    assert!(control.complete_load(1), "in any order");
    assert!(control.fail_load(0));
    assert!(!control.complete_load(0));
    assert_eq!(told.take(), [("second", true), ("first", false)]);
    assert_eq!(control.complete_next_batch(9), 1);
    assert_eq!(told.take(), [("c", true)]);
    assert_eq!(control.pending(), 0);
    assert_eq!(control.complete_next_batch(9), 0);
}

#[test]
fn a_callback_that_panics_keeps_nobody_else_waiting() {
    let (store, control, told) = manual();
    store.commit(moved(5, 3), Box::new(|_| panic!("on purpose, in a test")));
    told.commit(&store, "same batch", moved(6, 3));
    let batch = catch_unwind(AssertUnwindSafe(|| control.complete_next_batch(2)));
    assert!(batch.is_err(), "whoever looks for panics finds it");
    assert_eq!(told.take(), [("same batch", true)]);
    told.commit(&store, "next batch", moved(6, 4));
    control.complete_next_batch(1);
    assert_eq!(told.take(), [("next batch", true)]);
}

#[test]
fn a_load_shows_what_is_durable_when_it_ends() {
    let (store, control, told) = manual();
    told.commit(&store, "a", moved(5, 3));
    let seen = Arc::new(Mutex::new(Vec::new()));
    for _ in 0..2 {
        let seen = Arc::clone(&seen);
        let note = move |r: Result<Option<store::Stored>, Error>| {
            seen.lock().unwrap().push(r.unwrap().unwrap().version);
        };
        store.load(id(5), Box::new(note));
    }
    control.complete_load(0);
    control.complete_next_batch(1);
    control.complete_load(0);
    assert_eq!(*seen.lock().unwrap(), [2, 3]);
}

#[test]
fn a_failed_batch_is_lost_or_applied_as_fate_will_have_it() {
    for (fate, now, after_crash) in [
        (Fate::Lost, 2, 2),
        (Fate::Applied, 3, 3),
        (Fate::AppliedByCrash, 2, 3),
    ] {
        let (store, mut control, told) = manual();
        told.commit(&store, "a", moved(5, 3));
        told.commit(&store, "b", moved(6, 3));
        assert_eq!(control.fail_next_batch(1, fate), 1);
        assert_eq!(told.take(), [("a", false)]);
        assert_eq!(control.pending(), 1);
        let again = control.crash();
        assert_eq!(version(&again, &control, 5), after_crash, "{fate:?}");

        let (store, control, told) = manual();
        told.commit(&store, "a", moved(5, 3));
        control.fail_next_batch(1, fate);
        assert_eq!(version(&store, &control, 5), now, "{fate:?}");
    }
}

#[test]
fn what_did_not_count_is_gone_after_the_next_write() {
    let (store, mut control, told) = manual();
    told.commit(&store, "a", moved(5, 3));
    control.fail_next_batch(1, Fate::AppliedByCrash);
    told.commit(&store, "b", moved(6, 3));
    control.complete_next_batch(1);
    let again = control.crash();
    assert_eq!(version(&again, &control, 5), 2);
    assert_eq!(version(&again, &control, 6), 3);
}

#[test]
fn a_crash_takes_what_waits_and_tells_nobody() {
    let (store, mut control, told) = manual();
    told.commit(&store, "a", moved(5, 3));
    told.commit(&store, "b", moved(6, 3));
    told.load(&store, "c", 5);
    control.complete_next_batch(1);
    assert_eq!(told.take(), [("a", true)]);
    let again = control.crash();
    assert_eq!(control.pending(), 0);
    // The old process is gone: it gets no answer any more.
    told.commit(&store, "d", moved(6, 3));
    told.load(&store, "e", 5);
    assert_eq!(told.take(), []);
    assert!(wait(store.ping()).is_err());
    assert_eq!(
        (version(&again, &control, 5), version(&again, &control, 6)),
        (3, 2)
    );
    assert_eq!(wait(again.past()).unwrap().alive_at, Some(Timestamp(8)));
}

#[test]
fn folds_and_heartbeats_wait_too() {
    let (store, mut control, told) = manual();
    told.commit(&store, "a", moved(5, 3));
    told.commit(&store, "b", moved(6, 3));
    control.complete_next_batch(2);
    store.heartbeat(Timestamp(9_000), Box::new(|r| r.unwrap()));
    control.set_fold_rows(1);
    store.tidy(Box::new(|r| r.unwrap()));
    assert_eq!(control.pending_writes(), 2);
    control.complete_next_batch(1);
    assert_eq!(control.complete_next_batch(9), 1, "one row at a time");
    let again = control.crash();
    assert_eq!(wait(again.past()).unwrap().alive_at, Some(Timestamp(9_000)));
    assert_eq!(row_version(&again, 5), Some(3));
    assert_eq!(row_version(&again, 6), Some(2));
    assert_eq!(control.journal().len(), 2);
    assert_eq!(version(&again, &control, 6), 3);
}

#[test]
fn what_the_last_run_left_is_folded_if_it_can_be_read() {
    let (store, mut control) = Store::in_memory(with_rules(64));
    for number in [5, 6] {
        commit(&store, created(row(number, 2))).unwrap();
        commit(&store, moved(number, 3)).unwrap();
    }
    control.damage_journal(id(6));
    let again = control.crash();
    tidy(&again);
    assert_eq!(row_version(&again, 5), Some(3));
    assert_eq!(row_version(&again, 6), Some(2));
    assert_eq!(control.journal().len(), 1);
}

#[test]
fn somebody_elses_change_comes_first() {
    let (store, control, told) = manual();
    told.commit(&store, "a", moved(5, 3));
    control.commit_first(moved(5, 3)).unwrap();
    assert_eq!(control.commit_first(moved(5, 3)), Err(Error::Conflict));
    control.complete_next_batch(1);
    assert_eq!(told.take(), [("a", false)]);
    assert_eq!(version(&store, &control, 5), 3);
}

#[test]
fn a_writer_may_come_first_in_the_middle_of_a_call() {
    let (store, control, told) = manual();
    control.set_turns(Some(Box::new(|waiting| match waiting.writes {
        0 => Turn::Wait,
        many => Turn::Write(many, Some(Fate::Lost)),
    })));
    told.commit(&store, "a", moved(5, 3));
    assert_eq!(told.take(), [("a", false)], "before the call returned");
    // While it is in a callback the writer does nothing else; a reader may.
    let again = store.clone();
    let inner = told.clone();
    store.commit(
        moved(5, 3),
        Box::new(move |_| {
            inner.commit(&again, "inner", moved(6, 3));
            inner.note("outer", true);
        }),
    );
    assert_eq!(told.take(), [("outer", true)]);
    control.set_turns(Some(Box::new(|_| Turn::Refuse)));
    told.load(&store, "refused", 5);
    assert_eq!(told.take(), [("refused", false)]);
    control.set_turns(None);
    assert_eq!(control.complete_next_batch(9), 1);
    assert_eq!(told.take(), [("inner", true)]);
}
