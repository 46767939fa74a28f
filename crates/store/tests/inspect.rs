//! Looking for damage: every kind of it is in `crates/server/tests/damage`,
//! here is how one looks.

#[path = "contract/support.rs"]
#[expect(
    dead_code,
    reason = "shared with the contract tests, which use all of it"
)]
mod support;

use std::path::{Path, PathBuf};

use chess::Timestamp;
use rusqlite::Connection;
use store::{Error, Flaw, Inspector, Store, schema};
use support::*;
use tempfile::{TempDir, tempdir};

const NOW: Timestamp = Timestamp(2_000_000);

fn place(directory: &TempDir) -> PathBuf {
    directory.path().join("arbiter.db")
}

fn url(path: &Path) -> String {
    format!("sqlite:{}", path.display())
}

/// What is wrong with references, and in how many pages that was found.
fn walked(inspector: &Inspector, limit: u32) -> (Vec<Flaw>, usize) {
    let (mut flaws, mut pages, mut after) = (Vec::new(), 0, None);
    loop {
        let page = wait(inspector.references(after, limit, NOW)).unwrap();
        let page = page.expect("the place is one the walk named");
        flaws.extend(page.flaws);
        pages += 1;
        after = page.next;
        if after.is_none() {
            return (flaws, pages);
        }
    }
}

/// Tables whose players have no accounts, so that every row has a flaw.
fn strangers(store: &Store) {
    for number in 1..=7 {
        commit(store, created(row(number, 2))).unwrap();
        let mut change = moved(number, 3);
        change.remember = Some(remembered(1, &format!("key {number}"), 5));
        commit(store, change).unwrap();
    }
}

#[test]
fn small_steps_find_what_one_large_step_finds() {
    let directory = tempdir().unwrap();
    let store = Store::open(&url(&place(&directory))).unwrap();
    strangers(&store);
    let (all, pages) = walked(&store.inspector(), 1_000);
    // Of each table: creator, White and Black, two seats, one answer.
    assert_eq!(all.len(), 7 * 6, "{all:?}");
    let (same, steps) = walked(&store.inspector(), 1);
    assert_eq!(same, all);
    assert!(steps > 2 * pages, "{steps} and {pages}");

    let mut ids = Vec::new();
    let mut after = None;
    loop {
        let page = wait(store.inspector().rows(after, 2)).unwrap();
        assert_eq!(page.flaws, []);
        ids.extend(page.rows.into_iter().map(|row| row.table.number()));
        after = page.next;
        if after.is_none() {
            break;
        }
    }
    assert_eq!(ids, [1, 2, 3, 4, 5, 6, 7]);
}

#[test]
fn only_places_that_the_walk_named_are_known() {
    let directory = tempdir().unwrap();
    let store = Store::open(&url(&place(&directory))).unwrap();
    for bad in ["", "songs", "seats~i1", "accounts~x", "accounts~i1~i2"] {
        let page = wait(store.inspector().references(Some(bad.to_owned()), 9, NOW));
        assert_eq!(page, Ok(None), "{bad}");
    }
}

#[test]
fn a_sound_file_has_no_flaws_and_is_its_users_alone() {
    let directory = tempdir().unwrap();
    let path = place(&directory);
    let store = Store::open(&url(&path)).unwrap();
    strangers(&store);
    assert_eq!(store.inspector().file().unwrap().flaws, []);
    let refused = Inspector::open(&url(&path)).err();
    assert!(
        matches!(&refused, Some(Error::Unavailable(why)) if why.contains("another server")),
        "{refused:?}"
    );
    store.close();
    let inspector = Inspector::open(&url(&path)).unwrap();
    assert_eq!(inspector.file().unwrap().flaws, []);
    assert_eq!(wait(inspector.journal(NOW)).unwrap().records.len(), 7);
    assert!(Store::open(&url(&path)).is_err(), "it is being looked at");
    let nowhere = directory.path().join("none.db");
    assert!(Inspector::open(&url(&nowhere)).is_err());
    assert!(!nowhere.exists());
}

#[test]
fn a_file_of_an_older_release_is_brought_up_to_date() {
    let directory = tempdir().unwrap();
    let path = place(&directory);
    let db = Connection::open(&path).unwrap();
    db.execute_batch(schema::MIGRATIONS[0]).unwrap();
    db.pragma_update(None, "application_id", schema::APPLICATION_ID)
        .unwrap();
    db.pragma_update(None, "user_version", 1).unwrap();
    drop(db);
    let inspector = Inspector::open(&url(&path)).unwrap();
    assert_eq!(inspector.file().unwrap().flaws, []);
    assert_eq!(walked(&inspector, 9).0, []);
}

#[test]
fn nothing_is_wrong_with_what_no_disk_has_seen() {
    let store = Store::open("memory:").unwrap();
    strangers(&store);
    let inspector = store.inspector();
    assert_eq!(inspector.file().unwrap().flaws, []);
    assert_eq!(walked(&inspector, 9), (Vec::new(), 1));
    assert_eq!(wait(inspector.rows(None, 9)).unwrap().looked_at, 7);
    assert_eq!(wait(inspector.row(id(3))).unwrap().unwrap().table, id(3));
    assert_eq!(wait(inspector.row(id(9))), Ok(None));
    assert_eq!(wait(inspector.journal(NOW)).unwrap().records, []);
}
