//! What only the shared store does.

#[path = "contract/support.rs"]
#[expect(
    dead_code,
    reason = "shared with the contract tests, which use all of it"
)]
mod support;

use std::time::{Duration, Instant};

use store::{Change, Error, EventKind, EventKinds, EventPlace, OutboxQuery, Store};
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
    let end = Instant::now() + Duration::from_secs(60);
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

/// The numbers of the tables that were told of, in that order.
fn told_after(store: &Store, after: EventPlace) -> (Vec<u64>, EventPlace) {
    let page = wait(store.outbox(OutboxQuery::after(after, 100))).expect("events can be read");
    let tables = page.events.iter().filter_map(|event| event.table);
    (tables.map(|table| table.number()).collect(), page.next)
}

fn tell_of(store: &Store, number: u64) {
    let change = Change {
        tells: EventKinds::NONE.with(EventKind::GameCreated),
        ..created(row(number, 1))
    };
    commit(store, change).expect("it is new");
}

/// A transaction takes its number, and ends long after others that took theirs later: who
/// reads meanwhile does not get past it, and misses nothing.
#[test]
fn who_reads_events_waits_for_transactions_that_end_late() {
    let Some(url) = servers::postgres() else {
        return;
    };
    let store = Store::open(&url).expect("the store opens");
    tell_of(&store, 1);
    let first = *events(&store).last().expect("it is told");
    let place = wait(store.outbox_end()).expect("events can be read");
    assert_eq!(first.table, Some(id(1)));
    let runtime = tokio::runtime::Runtime::new().expect("a runtime for the test");
    let late = runtime.block_on(async {
        let (client, connection) = tokio_postgres::connect(&url, NoTls)
            .await
            .expect("the database can be reached");
        tokio::spawn(connection);
        let begin = "BEGIN; INSERT INTO arbiter.outbox (at, type, table_id, version)
                     VALUES (1, 'GameCreated', 2, 1)";
        client.batch_execute(begin).await.expect("good SQL");
        client
    });
    tell_of(&store, 3);
    tell_of(&store, 4);
    assert_eq!(told_after(&store, place), (Vec::new(), place));
    assert_eq!(wait(store.outbox_end()), Ok(place));
    runtime
        .block_on(late.batch_execute("COMMIT"))
        .expect("it can still end");
    assert_eq!(events(&store).len(), 4);
    assert_eq!(told_after(&store, place).0[..3], [2, 3, 4]);
}

/// A dump that is restored elsewhere comes to a database whose transactions have smaller
/// numbers: places go on all the same.
#[test]
fn places_rise_where_the_numbers_of_transactions_started_over() {
    let Some(url) = servers::postgres() else {
        return;
    };
    let store = Store::open(&url).expect("the store opens");
    tell_of(&store, 1);
    drop(store);
    run(&url, "UPDATE arbiter.outbox SET xid = xid + 1000000000");
    let store = Store::open(&url).expect("the store opens again");
    let restored = *events(&store)
        .last()
        .expect("what was restored can be read");
    tell_of(&store, 2);
    let next = *events(&store).last().expect("it is told");
    assert_eq!((restored.table, next.table), (Some(id(1)), Some(id(2))));
    assert!(restored.place < next.place);
}
