//! A server is killed at any moment, again and again; whatever it had
//! acknowledged is there.

#[path = "contract/rules.rs"]
mod rules;
#[path = "contract/support.rs"]
#[expect(
    dead_code,
    reason = "shared with the contract tests, which use all of it"
)]
mod support;

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use rules::with_rules;
use store::{Change, Store};
use support::*;

const ROUNDS: u64 = 12;
const TABLES: u64 = 40;
/// Tells the child where to write.
const PLACE: &str = "ARBITER_STORE_TEST_CRASH";

#[test]
fn nothing_acknowledged_is_lost_by_a_kill() {
    let directory = tempfile::tempdir().unwrap();
    let place = directory.path().join("arbiter.db");
    let mut acknowledged = vec![0; TABLES as usize];
    for round in 0..ROUNDS {
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "a_child_that_writes", "--nocapture"])
            .env(PLACE, &place)
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let output = child.stdout.take().unwrap();
        let reader = std::thread::spawn(move || {
            BufReader::new(output)
                .lines()
                .map_while(Result::ok)
                .collect::<Vec<_>>()
        });
        // Sooner and later: during migration, recovery, commits, folds.
        std::thread::sleep(Duration::from_millis(round * round * 7 % 400));
        child.kill().unwrap();
        child.wait().unwrap();
        for line in reader.join().unwrap() {
            let words: Vec<&str> = line.split(' ').collect();
            if let ["acknowledged", number, version, "."] = words[..] {
                acknowledged[number.parse::<usize>().unwrap()] = version.parse().unwrap();
            }
        }
        check(&place, &acknowledged, round);
    }
    assert!(
        acknowledged.iter().any(|version| *version > 2),
        "the child did something"
    );
}

fn check(place: &Path, acknowledged: &[u32], round: u64) {
    let store = Store::open(&format!("sqlite:{}", place.display())).unwrap();
    for (number, version) in (0..).zip(acknowledged) {
        let stored = load(&store, id(number));
        let found = stored.as_ref().map_or(0, |s| s.version);
        // At most the one change in flight was durable before it was told.
        assert!(
            (*version..=version + 1).contains(&found),
            "round {round}, table {number}: {found}, told {version}"
        );
        assert_eq!(
            stored.map_or(vec![], |s| s.history),
            history(found),
            "round {round}, table {number}"
        );
    }
    store.close();
    let sound: String = rusqlite::Connection::open(place)
        .unwrap()
        .query_row("PRAGMA integrity_check", (), |r| r.get(0))
        .unwrap();
    assert_eq!(sound, "ok", "round {round}");
}

/// One change in flight per table, rows now and then, folds all the time;
/// says what was acknowledged. Runs until it is killed.
#[test]
fn a_child_that_writes() {
    let Some(place) = std::env::var_os(PLACE) else {
        return;
    };
    let url = format!("sqlite:{}", Path::new(&place).display());
    let store = Store::open_for(&url, with_rules(64)).unwrap();
    let versions: Vec<u32> = (0..TABLES)
        .map(|number| load(&store, id(number)).map_or(0, |s| s.version))
        .collect();
    let versions = Arc::new(Mutex::new(versions));
    for number in 0..TABLES {
        go_on(store.clone(), Arc::clone(&versions), number);
    }
    loop {
        tidy(&store);
    }
}

fn go_on(store: Store, versions: Arc<Mutex<Vec<u32>>>, number: u64) {
    let version = versions.lock().unwrap()[number as usize] + 1;
    let change = Change {
        is_listed: version == 1 || version.is_multiple_of(17),
        ..moved(number, version)
    };
    let next = store.clone();
    store.commit(
        change,
        Box::new(move |result| {
            result.unwrap();
            versions.lock().unwrap()[number as usize] = version;
            // One write: a line is there as a whole or not at all.
            let line = format!("acknowledged {number} {version} .\n");
            std::io::stdout().write_all(line.as_bytes()).unwrap();
            go_on(next, versions, number);
        }),
    );
}
