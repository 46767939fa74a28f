//! What is read from a replica, and what becomes of it when that is away or behind.

#[path = "contract/support.rs"]
#[expect(
    dead_code,
    reason = "shared with the contract tests, which use all of it"
)]
mod support;

use std::thread::sleep;
use std::time::{Duration, Instant};

use servers::{Postgres, Proxy};
use store::{Error, ListQuery, ReplicaStats, Store};
use support::*;
use tokio_postgres::NoTls;

/// The longest until a replica follows, or is found to be away.
const PATIENCE: Duration = Duration::from_secs(60);

/// A database, its replica, and ways to both that can be cut.
struct Two {
    store: Store,
    to_store: Proxy,
    to_replica: Proxy,
    replica_url: String,
    // The last to go.
    _server: Postgres,
}

impl Two {
    fn start() -> Option<Two> {
        let server = Postgres::start_own()?;
        let url = server.database();
        let (to_store, store_url) = Proxy::to_url(&url);
        let store = Store::open(&store_url).expect("the store opens");
        let replica_url = server.replica_url(&url);
        let (to_replica, through) = Proxy::to_url(&replica_url);
        let store = store.with_replica(&through).expect("a replica's URL");
        Some(Two {
            store,
            to_store,
            to_replica,
            replica_url,
            _server: server,
        })
    }

    fn replica(&self) -> ReplicaStats {
        self.store.stats().replica.expect("there is one")
    }

    /// Waits, while something is written as it is by every heartbeat.
    fn until(&self, is_so: impl Fn(ReplicaStats) -> bool) {
        let begun = Instant::now();
        while !is_so(self.replica()) {
            assert!(begun.elapsed() < PATIENCE, "{:?}", self.replica());
            drop(wait(self.store.ping()));
            sleep(Duration::from_millis(10));
        }
    }

    /// Waits until the replica has that version, and says so.
    fn until_it_has(&self, number: u64, version: u32) {
        self.until(|_| wait(self.store.glance(id(number), version)).is_some());
    }

    /// A list for nobody in particular, and how many questions the replica answered.
    fn listed(&self) -> (usize, u64) {
        let before = self.replica().reads;
        let page = wait(self.store.page(everybody())).expect("lists can be read");
        (page.len(), self.replica().reads - before)
    }

    fn run_on_replica(&self, sql: &str) {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .expect("a runtime for the test");
        runtime.block_on(async {
            let (client, connection) = tokio_postgres::connect(&self.replica_url, NoTls)
                .await
                .expect("the replica can be reached");
            tokio::spawn(connection);
            client.batch_execute(sql).await.expect("good SQL");
        });
    }
}

fn everybody() -> ListQuery {
    ListQuery {
        limit: 10,
        ..ListQuery::default()
    }
}

fn is_well(replica: ReplicaStats) -> bool {
    replica.lag_ms.is_some_and(|lag| lag < 1_000)
}

#[test]
fn lists_for_nobody_are_asked_of_the_replica_and_ones_own_never() {
    let Some(two) = Two::start() else {
        return;
    };
    commit(&two.store, created(row(5, 2))).expect("it is the first");
    two.until_it_has(5, 2);
    assert_eq!(two.listed(), (1, 1));
    let own = ListQuery {
        viewer: Some(player(1)),
        ..everybody()
    };
    let before = two.replica();
    assert_eq!(wait(two.store.page(own)).expect("a list").len(), 1);
    load(&two.store, id(5));
    assert_eq!(two.replica().reads, before.reads);
    assert_eq!(two.replica().misses, before.misses);
}

#[test]
fn a_replica_that_is_away_is_not_waited_for() {
    let Some(two) = Two::start() else {
        return;
    };
    commit(&two.store, created(row(5, 2))).expect("it is the first");
    two.until_it_has(5, 2);
    two.to_replica.cut();
    // The store answers, whether it is known by now or found out by asking.
    assert_eq!(two.listed(), (1, 0));
    assert_eq!(wait(two.store.glance(id(5), 0)), None);
    two.until(|replica| replica.lag_ms.is_none());
    two.to_replica.resume();
    two.until(is_well);
    assert_eq!(two.listed(), (1, 1));
    // One that hangs is found out by whoever is looking at it anyway.
    two.to_replica.stall();
    two.until(|replica| replica.lag_ms.is_none());
    assert_eq!(two.listed(), (1, 0));
}

#[test]
fn a_replica_that_is_behind_is_not_asked() {
    let Some(two) = Two::start() else {
        return;
    };
    commit(&two.store, created(row(5, 2))).expect("it is the first");
    two.until_it_has(5, 2);
    two.run_on_replica("SELECT pg_wal_replay_pause()");
    commit(&two.store, moved(5, 3)).expect("it has the version");
    let glanced = wait(two.store.glance(id(5), 2)).map(|stored| stored.version);
    assert_eq!(glanced, Some(2), "good enough for who knows no more");
    assert_eq!(wait(two.store.glance(id(5), 3)), None, "who has seen more");
    two.until(|replica| replica.lag_ms.is_some_and(|lag| lag > 2_000));
    assert_eq!(wait(two.store.glance(id(5), 0)), None);
    assert_eq!(two.listed(), (1, 0));
    two.run_on_replica("SELECT pg_wal_replay_resume()");
    two.until_it_has(5, 3);
}

#[test]
fn while_the_store_is_away_the_replica_says_what_it_knows() {
    let Some(two) = Two::start() else {
        return;
    };
    commit(&two.store, created(row(5, 2))).expect("it is the first");
    two.until_it_has(5, 2);
    two.to_store.cut();
    let refused = told(|done| two.store.load(id(5), done));
    assert!(matches!(refused, Err(Error::Unavailable(_))), "{refused:?}");
    let known = wait(two.store.last_known(id(5), 2)).map(|stored| stored.version);
    assert_eq!(known, Some(2));
    assert_eq!(wait(two.store.last_known(id(5), 3)), None);
    let nobody = wait(two.store.accounts_by_numbers(&[player(1)]));
    assert_eq!(nobody, Ok(Vec::new()), "the replica knows of none");
    two.to_store.resume();
    load(&two.store, id(5)).expect("it is there");
}

#[test]
fn only_postgresql_has_a_replica() {
    let store = Store::open("memory:").expect("the store opens");
    let refused = store.with_replica("postgres://localhost/x").err();
    assert!(
        matches!(&refused, Some(Error::Unavailable(why)) if why.contains("PostgreSQL")),
        "{refused:?}"
    );
}
