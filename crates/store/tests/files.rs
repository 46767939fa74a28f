//! The embedded store's files, deleted or replaced while it has them open:
//! nothing is acknowledged that will not be there.
#![cfg(unix)]

#[path = "contract/support.rs"]
#[expect(
    dead_code,
    reason = "shared with the contract tests, which use all of it"
)]
mod support;

use std::fs::{self, OpenOptions};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use store::{Error, Loss, Store};
use support::*;
use tempfile::{TempDir, tempdir};

/// A store with one table, and its directory.
struct Place {
    directory: TempDir,
    store: Store,
}

impl Place {
    fn new() -> Place {
        let directory = tempdir().unwrap();
        let store = open(&directory.path().join("arbiter.db"));
        commit(&store, created(row(5, 2))).unwrap();
        Place { directory, store }
    }

    /// The database, or with a suffix a file beside it.
    fn file(&self, suffix: &str) -> PathBuf {
        self.directory.path().join(format!("arbiter.db{suffix}"))
    }

    /// Waits until something is known of the files, with nobody asking for anything.
    fn await_loss(&self, expected: Option<Loss>) {
        let patience = Instant::now() + Duration::from_secs(60);
        while self.store.stats().loss != expected {
            assert!(Instant::now() < patience, "{:?}", self.store.stats());
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    /// Whatever is asked for is refused for that reason.
    fn refuses(&self, loss: Loss) {
        let copy = self.directory.path().join("copy.db");
        let refusals = [
            commit(&self.store, moved(5, 99)).map(drop),
            told(|done| self.store.load(id(5), done)).map(drop),
            told(|done| self.store.tidy(done)),
            wait(self.store.ping()),
            wait(self.store.due()).map(drop),
            wait(self.store.past()).map(drop),
            self.store.backup(&copy, |_, _| {}),
        ];
        for refused in refusals {
            assert_eq!(refused, Err(Error::Unavailable(loss.to_string())));
        }
        assert_eq!(self.store.stats().loss, Some(loss));
        assert!(!copy.exists());
    }
}

fn open(path: &Path) -> Store {
    Store::open(&format!("sqlite:{}", path.display())).unwrap()
}

fn gone(suffix: &str) -> Loss {
    match suffix {
        "" => Loss::DatabaseGone,
        _ => Loss::LogGone,
    }
}

#[test]
fn a_write_into_a_deleted_file_is_not_acknowledged() {
    for suffix in ["", "-wal", "-shm"] {
        let place = Place::new();
        fs::remove_file(place.file(suffix)).unwrap();
        // The very first one after it.
        let outcome = commit(&place.store, moved(5, 3)).map(drop);
        let why = Err(Error::Unavailable(gone(suffix).to_string()));
        assert_eq!(outcome, why, "{suffix}");
        place.refuses(gone(suffix));
    }
}

#[test]
fn a_file_that_another_takes_the_place_of_is_missed() {
    for suffix in ["", "-wal", "-shm"] {
        let place = Place::new();
        let copy = place.file("-copy");
        fs::copy(place.file(suffix), &copy).unwrap();
        fs::rename(&copy, place.file(suffix)).unwrap();
        place.refuses(gone(suffix));
    }
}

#[test]
fn a_loss_is_noticed_while_nobody_writes() {
    for suffix in ["", "-wal", "-shm"] {
        let place = Place::new();
        fs::remove_file(place.file(suffix)).unwrap();
        place.await_loss(Some(gone(suffix)));
    }
}

#[test]
fn files_that_come_back_are_used_again() {
    for suffix in ["", "-wal", "-shm"] {
        let place = Place::new();
        let away = place.file("-away");
        fs::rename(place.file(suffix), &away).unwrap();
        assert!(commit(&place.store, moved(5, 3)).is_err());
        place.refuses(gone(suffix));
        fs::rename(&away, place.file(suffix)).unwrap();
        place.await_loss(None);
        // Whether the change was made had to be left open; the store knows.
        let version = load(&place.store, id(5)).unwrap().version;
        commit(&place.store, moved(5, version + 1)).unwrap();
        wait(place.store.ping()).unwrap();
        place.store.close();
        let store = open(&place.file(""));
        let stored = load(&store, id(5)).unwrap();
        assert_eq!(stored.history, history(version + 1), "{suffix}");
    }
}

#[test]
fn a_file_that_was_written_over_stays_refused() {
    let cut = |path: &Path, bytes| {
        let file = OpenOptions::new().write(true).open(path).unwrap();
        file.set_len(bytes).unwrap();
    };
    let put = |path: &Path, bytes: &[u8], at| {
        let file = OpenOptions::new().write(true).open(path).unwrap();
        file.write_all_at(bytes, at).unwrap();
    };
    type Deed<'a> = Box<dyn Fn(&Path) + 'a>;
    let deeds: [(&str, Loss, Deed<'_>); 6] = [
        ("", Loss::DatabaseDamaged, Box::new(|path| cut(path, 0))),
        ("", Loss::DatabaseDamaged, Box::new(|path| cut(path, 4096))),
        (
            "",
            Loss::DatabaseDamaged,
            Box::new(|path| put(path, b"a letter", 0)),
        ),
        // The change counter of an older state.
        (
            "",
            Loss::DatabaseDamaged,
            Box::new(|path| put(path, &[0; 4], 24)),
        ),
        ("-wal", Loss::LogDamaged, Box::new(|path| cut(path, 0))),
        ("-wal", Loss::LogDamaged, Box::new(|path| cut(path, 5000))),
    ];
    for (suffix, loss, deed) in deeds {
        let place = Place::new();
        // Closing brings everything into the database; the log begins anew.
        place.store.close();
        let place = Place {
            store: open(&place.file("")),
            ..place
        };
        for version in [3, 4] {
            commit(&place.store, moved(5, version)).unwrap();
        }
        deed(&place.file(suffix));
        place.await_loss(Some(loss));
        place.refuses(loss);
        place.store.close();
        assert_eq!(place.store.stats().loss, Some(loss));
    }
}

#[test]
fn what_a_deleted_log_held_is_brought_into_the_database() {
    let place = Place::new();
    for version in 3..50 {
        commit(&place.store, moved(5, version)).unwrap();
    }
    fs::remove_file(place.file("-wal")).unwrap();
    // Refused, and not refused before that is done.
    assert!(commit(&place.store, moved(5, 50)).is_err());
    // As after a crash: the database alone is left.
    let after = tempdir().unwrap();
    let path = after.path().join("arbiter.db");
    fs::copy(place.file(""), &path).unwrap();
    assert!(load(&open(&path), id(5)).unwrap().version >= 49);
    place.store.close();
    assert!(load(&open(&place.file("")), id(5)).unwrap().version >= 49);
}

#[test]
fn closing_deletes_nobody_elses_files() {
    for suffix in ["", "-wal", "-shm"] {
        let place = Place::new();
        fs::rename(place.file(suffix), place.file("-away")).unwrap();
        fs::write(place.file(suffix), "somebody else's").unwrap();
        place.await_loss(Some(gone(suffix)));
        place.store.close();
        let text = fs::read_to_string(place.file(suffix)).unwrap();
        assert_eq!(text, "somebody else's");
        // With everything in its place again, everything is there.
        fs::rename(place.file("-away"), place.file(suffix)).unwrap();
        let store = open(&place.file(""));
        assert_eq!(load(&store, id(5)).unwrap().version, 2, "{suffix}");
    }
}

#[test]
fn a_whole_database_that_was_moved_is_whole() {
    let place = Place::new();
    let elsewhere = tempdir().unwrap();
    for suffix in ["", "-wal", "-shm"] {
        let name = format!("arbiter.db{suffix}");
        fs::rename(place.file(suffix), elsewhere.path().join(name)).unwrap();
    }
    place.await_loss(Some(Loss::DatabaseGone));
    place.store.close();
    assert!(!place.file("").exists());
    let store = open(&elsewhere.path().join("arbiter.db"));
    assert_eq!(load(&store, id(5)).unwrap().version, 2);
}

#[test]
fn a_log_without_its_database_is_not_thrown_away() {
    let place = Place::new();
    let kept = fs::read(place.file("-wal")).unwrap();
    let directory = tempdir().unwrap();
    let path = directory.path().join("arbiter.db");
    let log = directory.path().join("arbiter.db-wal");
    fs::write(&log, &kept).unwrap();
    let refused = Store::open(&format!("sqlite:{}", path.display())).err();
    assert!(
        matches!(&refused, Some(Error::Unavailable(why)) if why.contains("its log")),
        "{refused:?}"
    );
    assert_eq!(fs::read(&log).unwrap(), kept);
    assert!(!path.exists());
    fs::remove_file(&log).unwrap();
    open(&path).close();
}
