//! The embedded store as a file: who may have it, what becomes of it.

#[path = "contract/support.rs"]
#[expect(
    dead_code,
    reason = "shared with the contract tests, which use all of it"
)]
mod support;

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use rusqlite::Connection;
use store::{Error, Lock, Store, schema};
use support::*;
use tempfile::{TempDir, tempdir};

fn place(directory: &TempDir) -> PathBuf {
    directory.path().join("arbiter.db")
}

fn open(path: &Path) -> Result<Store, Error> {
    Store::open(&format!("sqlite:{}", path.display()))
}

/// Why a store does not open.
fn refusal(url: &str) -> String {
    match Store::open(url) {
        Ok(_) => panic!("{url} opens"),
        Err(Error::Unavailable(why)) => why,
        Err(other) => panic!("{other:?}"),
    }
}

#[test]
fn a_url_is_understood_or_refused_by_name() {
    let directory = tempdir().unwrap();
    let path = place(&directory);
    open(&path).unwrap();
    Store::open(&format!("sqlite://{}", path.display())).unwrap();
    Store::open("memory:").unwrap();
    assert!(refusal("postgres://127.0.0.1:1/db").contains("cannot be reached"));
    assert!(refusal("postgresql://127.0.0.1").contains("names no database"));
    for other in ["mysql:db", "arbiter.db"] {
        assert!(refusal(other).contains("must be sqlite:PATH, postgres://... or memory:"));
    }
    assert!(refusal("sqlite::memory:").contains("memory:"));
    assert!(refusal("sqlite:").contains("sqlite:PATH"));
    let nowhere = format!(
        "sqlite:{}",
        directory.path().join("no/such/file.db").display()
    );
    assert!(refusal(&nowhere).contains("cannot be opened"));
    assert!(
        refusal(&format!("sqlite:{}", directory.path().display())).contains("cannot be opened")
    );
}

#[test]
fn a_second_server_on_one_file_is_refused() {
    let directory = tempdir().unwrap();
    let path = place(&directory);
    let first = open(&path).unwrap();
    let url = format!("sqlite:{}", path.display());
    assert!(refusal(&url).contains("another server is using"));
    #[cfg(unix)]
    {
        let alias = directory.path().join("alias.db");
        std::os::unix::fs::symlink(&path, &alias).unwrap();
        assert!(refusal(&format!("sqlite:{}", alias.display())).contains("another server"));
    }
    let second_handle = first.clone();
    drop(first);
    assert!(refusal(&url).contains("another server is using"));
    second_handle.close();
    open(&path).unwrap();
}

#[cfg(unix)]
#[test]
fn a_file_with_two_names_is_refused() {
    let directory = tempdir().unwrap();
    let (path, other) = (place(&directory), directory.path().join("other.db"));
    let store = open(&path).unwrap();
    commit(&store, created(row(5, 2))).unwrap();
    fs::hard_link(&path, &other).unwrap();
    for name in [&other, &path] {
        if name == &path {
            store.close();
        }
        let why = refusal(&format!("sqlite:{}", name.display()));
        assert!(why.contains("2 names (hard links)"), "{why}");
        assert!(why.contains("Remove the other names"), "{why}");
    }
    fs::remove_file(&other).unwrap();
    let store = open(&path).unwrap();
    assert_eq!(load(&store, id(5)).unwrap().version, 2);
}

#[cfg(target_os = "linux")]
#[test]
fn a_file_in_use_is_refused_by_any_name() {
    let directory = tempdir().unwrap();
    let (path, other) = (place(&directory), directory.path().join("other.db"));
    let store = open(&path).unwrap();
    fs::rename(&path, &other).unwrap();
    assert!(Lock::is_taken(&other));
    assert!(refusal(&format!("sqlite:{}", other.display())).contains("another server is using"));
    fs::rename(&other, &path).unwrap();
    // Without the file beside it, it is still in use.
    fs::remove_file(directory.path().join("arbiter.db.lock")).unwrap();
    assert!(refusal(&format!("sqlite:{}", path.display())).contains("another server is using"));
    store.close();
    assert!(!Lock::is_taken(&path));
    open(&path).unwrap();
}

#[cfg(unix)]
#[test]
fn the_files_are_their_owners_alone() {
    use std::os::unix::fs::PermissionsExt;
    let directory = tempdir().unwrap();
    let store = open(&place(&directory)).unwrap();
    commit(&store, created(row(5, 2))).unwrap();
    store
        .backup(&directory.path().join("copy.db"), |_, _| {})
        .unwrap();
    let mut names = Vec::new();
    for entry in fs::read_dir(directory.path()).unwrap() {
        let entry = entry.unwrap();
        let name = entry.file_name().into_string().unwrap();
        let mode = entry.metadata().unwrap().permissions().mode() & 0o777;
        assert_eq!(mode, 0o600, "{name}");
        names.push(name);
    }
    names.sort();
    let expected = [
        "arbiter.db",
        "arbiter.db-shm",
        "arbiter.db-wal",
        "arbiter.db.lock",
        "copy.db",
    ];
    assert_eq!(names, expected);
}

#[test]
fn an_empty_file_is_brought_up_to_date_once() {
    let directory = tempdir().unwrap();
    let path = place(&directory);
    fs::write(&path, "").unwrap();
    for _ in 0..2 {
        open(&path).unwrap();
        let db = Connection::open(&path).unwrap();
        let version: u32 = db
            .pragma_query_value(None, "user_version", |r| r.get(0))
            .unwrap();
        assert_eq!(version, schema::VERSION);
        let mode: String = db
            .pragma_query_value(None, "journal_mode", |r| r.get(0))
            .unwrap();
        assert_eq!(mode, "wal");
    }
}

/// The words of the condition were once others.
#[test]
fn a_state_is_checked_without_a_table_in_memory_for_each_row() {
    let directory = tempdir().unwrap();
    let path = place(&directory);
    let old = Connection::open(&path).unwrap();
    for step in &schema::MIGRATIONS[..19] {
        old.execute_batch(step).unwrap();
    }
    old.pragma_update(None, "application_id", schema::APPLICATION_ID)
        .unwrap();
    old.pragma_update(None, "user_version", 19).unwrap();
    let write = |state: &str| {
        format!(
            "INSERT INTO tables (id, kind, version, state, creator, private, variant, rated, speed,
                side_to_move, ply, created_at, updated_at, fen, history)
             VALUES (abs(random()), 0, 1, '{state}', 1, 0, 'standard', 0, 'blitz', 'w', 0, 0, 0, '', x'')"
        )
    };
    let steps = |db: &Connection| -> Vec<String> {
        let mut plan = db.prepare(&format!("EXPLAIN {}", write("ACTIVE"))).unwrap();
        let steps = plan.query_map((), |r| r.get(1)).unwrap();
        steps.collect::<Result<_, _>>().unwrap()
    };
    assert!(steps(&old).contains(&"OpenEphemeral".to_owned()));
    old.execute(&write("WAITING"), ()).unwrap();
    old.close().unwrap();
    open(&path).unwrap();
    let db = Connection::open(&path).unwrap();
    assert!(!steps(&db).contains(&"OpenEphemeral".to_owned()));
    for state in ["WAITING", "ACTIVE", "PAUSED", "COMPLETED"] {
        db.execute(&write(state), ()).unwrap();
    }
    for state in ["", "active", "OVER"] {
        assert!(db.execute(&write(state), ()).is_err(), "{state}");
    }
    let is_whole: String = db
        .query_row("PRAGMA integrity_check", (), |r| r.get(0))
        .unwrap();
    assert_eq!(is_whole, "ok");
}

#[test]
fn a_file_of_a_newer_release_is_refused() {
    let directory = tempdir().unwrap();
    let path = place(&directory);
    open(&path).unwrap();
    let newer = schema::VERSION + 1;
    Connection::open(&path)
        .unwrap()
        .pragma_update(None, "user_version", newer)
        .unwrap();
    let why = refusal(&format!("sqlite:{}", path.display()));
    assert!(
        why.contains(&format!(
            "schema version {newer}, written by a newer release"
        )),
        "{why}"
    );
    // And it is not held on to.
    let version = schema::VERSION;
    Connection::open(&path)
        .unwrap()
        .pragma_update(None, "user_version", version)
        .unwrap();
    open(&path).unwrap();
}

#[test]
fn a_file_of_another_program_is_refused() {
    let directory = tempdir().unwrap();
    let path = place(&directory);
    Connection::open(&path)
        .unwrap()
        .execute_batch("CREATE TABLE songs (title)")
        .unwrap();
    let url = format!("sqlite:{}", path.display());
    assert!(refusal(&url).contains("some other program"));
    fs::write(&path, "This is a letter, not a database. ".repeat(100)).unwrap();
    assert!(refusal(&url).contains("not a database"));
}

#[test]
fn what_was_acknowledged_survives_a_crash() {
    let directory = tempdir().unwrap();
    let store = open(&place(&directory)).unwrap();
    commit(&store, created(row(5, 2))).unwrap();
    commit(&store, moved(5, 3)).unwrap();
    tidy(&store);
    commit(&store, moved(5, 4)).unwrap();
    // The files as they are at this moment, with nobody closing them.
    let after = tempdir().unwrap();
    for name in ["arbiter.db", "arbiter.db-wal"] {
        fs::copy(directory.path().join(name), after.path().join(name)).unwrap();
    }
    let again = open(&place(&after)).unwrap();
    assert_eq!(load(&again, id(5)).unwrap().history, history(4));
    assert_eq!(journal(&again).len(), 1);
}

#[test]
fn a_backup_taken_while_writing_is_one_moment() {
    let directory = tempdir().unwrap();
    let store = open(&place(&directory)).unwrap();
    for number in 0..20 {
        commit(&store, created(row(number, 2))).unwrap();
    }
    let acknowledged = AtomicU64::new(2);
    let is_over = AtomicBool::new(false);
    let copy = directory.path().join("copy.db");
    let (before, reports) = std::thread::scope(|scope| {
        scope.spawn(|| {
            // Every table has the same version, or the first ones one more.
            for version in 3.. {
                for number in 0..20 {
                    commit(&store, moved(number, version)).unwrap();
                }
                acknowledged.store(u64::from(version), Ordering::SeqCst);
                if version % 5 == 0 {
                    tidy(&store);
                }
                if is_over.load(Ordering::SeqCst) {
                    break;
                }
            }
        });
        while acknowledged.load(Ordering::SeqCst) < 7 {
            std::thread::yield_now();
        }
        let before = acknowledged.load(Ordering::SeqCst);
        let mut reports = Vec::new();
        store
            .backup(&copy, |done, total| reports.push((done, total)))
            .unwrap();
        is_over.store(true, Ordering::SeqCst);
        (before, reports)
    });
    let (done, total) = reports.last().copied().unwrap();
    assert!(done == total && total > 0, "{reports:?}");

    let sound: String = Connection::open(&copy)
        .unwrap()
        .query_row("PRAGMA integrity_check", (), |r| r.get(0))
        .unwrap();
    assert_eq!(sound, "ok");
    let backup = open(&copy).unwrap();
    let versions: Vec<u32> = (0..20)
        .map(|n| load(&backup, id(n)).unwrap().version)
        .collect();
    assert!(versions.is_sorted_by(|a, b| a >= b), "{versions:?}");
    assert!(versions[0] - versions[19] <= 1, "{versions:?}");
    assert!(u64::from(versions[19]) >= before, "{versions:?} {before}");
}

#[test]
fn a_backup_overwrites_nothing_and_is_restored() {
    let directory = tempdir().unwrap();
    let store = open(&place(&directory)).unwrap();
    commit(&store, created(over(5, 4))).unwrap();
    let copy = directory.path().join("copy.db");
    store.backup(&copy, |_, _| {}).unwrap();
    assert!(matches!(
        store.backup(&copy, |_, _| {}),
        Err(Error::Unavailable(_))
    ));
    let (in_memory, _control) = Store::in_memory(store::Upkeep::default());
    assert!(
        in_memory
            .backup(&directory.path().join("m.db"), |_, _| {})
            .is_err()
    );

    let target = directory.path().join("again.db");
    let url = format!("sqlite:{}", target.display());
    Store::restore(&copy, &url, |_, _| {}).unwrap();
    assert!(Store::restore(&copy, &url, |_, _| {}).is_err(), "it exists");
    let restored = open(&target).unwrap();
    assert_eq!(wait(restored.moves_of(id(5))), Ok(over(5, 4).moves));

    let other = format!("sqlite:{}", directory.path().join("other.db").display());
    let mut damaged = fs::read(&copy).unwrap();
    let middle = damaged.len() / 2;
    damaged[middle..].fill(0xAA);
    fs::write(directory.path().join("damaged.db"), damaged).unwrap();
    let refused = Store::restore(&directory.path().join("damaged.db"), &other, |_, _| {});
    assert!(refused.is_err());
    assert!(!directory.path().join("other.db").exists());
    assert!(Store::restore(&directory.path().join("none.db"), &other, |_, _| {}).is_err());
}

#[test]
fn a_backup_that_is_called_off_leaves_nothing_and_takes_nobodys_name() {
    let directory = tempdir().unwrap();
    let store = open(&place(&directory)).unwrap();
    commit(&store, created(over(5, 4))).unwrap();
    let copy = directory.path().join("copy.db");
    let partial = directory.path().join("copy.db.partial");
    let mut saw_target = None;
    let called_off = store.backup_while(&copy, |_, _| {
        saw_target = Some((copy.exists(), partial.exists()));
        false
    });
    assert!(matches!(called_off, Err(Error::Unavailable(_))));
    assert_eq!(saw_target, Some((false, true)), "no empty file meanwhile");
    assert!(!copy.exists() && !partial.exists());

    fs::write(&partial, "somebody's").unwrap();
    assert!(store.backup(&copy, |_, _| {}).is_err());
    assert_eq!(fs::read(&partial).unwrap(), b"somebody's");
    assert!(!copy.exists());
    fs::remove_file(&partial).unwrap();
    store.backup(&copy, |_, _| {}).unwrap();
    #[cfg(unix)]
    {
        let mode =
            std::os::unix::fs::PermissionsExt::mode(&fs::metadata(&copy).unwrap().permissions());
        assert_eq!(mode & 0o777, 0o600);
    }
}

#[test]
fn the_columns_of_the_live_game_api_can_be_asked_for() {
    let directory = tempdir().unwrap();
    let store = open(&place(&directory)).unwrap();
    commit(&store, created(over(5, 4))).unwrap();
    drop(store);
    let db = Connection::open(place(&directory)).unwrap();
    let moves: Vec<(String, String, Option<String>)> = db
        .prepare("SELECT from_square, to_square, promotion FROM moves ORDER BY ply")
        .unwrap()
        .query_map((), |r| Ok((r.get(0)?, r.get(1)?, r.get(2)?)))
        .unwrap()
        .collect::<Result<_, _>>()
        .unwrap();
    let text = |s: &str| s.to_owned();
    assert_eq!(
        moves,
        [
            (text("e2"), text("e4"), None),
            (text("a7"), text("a8"), Some(text("q")))
        ]
    );
    db.execute("UPDATE moves SET uci = 'N@f3' WHERE ply = 1", ())
        .unwrap();
    let drop: (Option<String>, String) = db
        .query_row(
            "SELECT from_square, to_square FROM moves WHERE ply = 1",
            (),
            |r| Ok((r.get(0)?, r.get(1)?)),
        )
        .unwrap();
    assert_eq!(drop, (None, text("f3")));
}

#[test]
fn a_damaged_row_is_told_of_and_keeps_no_other_from_a_page() {
    let directory = tempdir().unwrap();
    let store = open(&place(&directory)).unwrap();
    for number in 1..=3 {
        commit(&store, created(row(number, 2))).unwrap();
    }
    let db = Connection::open(place(&directory)).unwrap();
    db.execute_batch(
        "PRAGMA ignore_check_constraints = 1; UPDATE tables SET version = -1 WHERE id = 2",
    )
    .unwrap();
    let query = store::ListQuery {
        limit: 9,
        ..Default::default()
    };
    let page = wait(store.page(query)).unwrap();
    let is_there: Vec<bool> = page.iter().map(|listed| listed.stored.is_ok()).collect();
    assert_eq!(is_there, [true, false, true]);
    assert_eq!(page[1].place.table, id(2));
    assert!(matches!(page[1].stored, Err(Error::Corrupt(_))));
}
