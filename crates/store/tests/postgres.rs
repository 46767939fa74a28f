//! What only the shared store does.

#[path = "contract/support.rs"]
#[expect(
    dead_code,
    reason = "shared with the contract tests, which use all of it"
)]
mod support;

use std::time::{Duration, Instant};

use store::{Error, Store};
use support::*;
use tokio_postgres::NoTls;

/// Runs SQL past the store.
fn run(url: &str, sql: &str) {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .expect("a runtime for the test");
    runtime.block_on(async {
        let (client, connection) = tokio_postgres::connect(url, NoTls)
            .await
            .expect("the database can be reached");
        tokio::spawn(connection);
        client.batch_execute(sql).await.expect("good SQL");
    });
}

#[test]
fn servers_that_start_at_once_make_the_schema_once() {
    let Some(url) = servers::postgres() else {
        return;
    };
    let starts: Vec<_> = (0..4)
        .map(|_| {
            let url = url.clone();
            std::thread::spawn(move || Store::open(&url).map(|store| store.close()))
        })
        .collect();
    for start in starts {
        start.join().unwrap().expect("the store opens");
    }
}

#[test]
fn a_newer_release_says_which_older_ones_may_go_on() {
    let Some(url) = servers::postgres() else {
        return;
    };
    drop(Store::open(&url).expect("the store opens"));
    run(&url, "INSERT INTO arbiter.schema_version VALUES (98, 1)");
    drop(Store::open(&url).expect("it only added something"));
    run(&url, "INSERT INTO arbiter.schema_version VALUES (99, 99)");
    let refused = Store::open(&url).err();
    assert!(
        matches!(&refused, Some(Error::Unavailable(why)) if why.contains("newer release")),
        "{refused:?}"
    );
}

/// Every connection is cut, again and again, while changes are made: each is made
/// once or not at all, and its submitter is told so or told that nobody knows.
#[test]
fn cut_connections_lose_nothing_that_was_acknowledged() {
    let Some(url) = servers::postgres() else {
        return;
    };
    let cut = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                WHERE pid <> pg_backend_pid() AND datname = current_database()";
    let store = Store::open(&url).expect("the store opens");
    commit(&store, created(row(5, 2))).expect("it is the first");
    let end = Instant::now() + Duration::from_secs(20);
    let (mut version, mut cuts) = (2, 0);
    while version < 200 {
        assert!(Instant::now() < end, "at version {version}");
        if version % 40 == 0 && cuts < version / 40 {
            run(&url, cut);
            cuts += 1;
        }
        match commit(&store, moved(5, version + 1)) {
            Ok(()) => version += 1,
            // It is known only by looking, as soon as that is possible.
            Err(_) => {
                if let Ok(Some(stored)) = told(|done| store.load(id(5), done)) {
                    assert!(stored.version >= version, "acknowledged and lost");
                    assert!(stored.version <= version + 1, "made twice");
                    version = stored.version;
                }
            }
        }
    }
    assert_eq!(cuts, 4);
    assert_eq!(
        load(&store, id(5)).map(|stored| stored.history),
        Some(history(200))
    );
}
