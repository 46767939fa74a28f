//! What only the inside can bring about: a full disk, a transaction that
//! takes its time, the plans of queries.

mod damage;

use std::mem::ManuallyDrop;
use std::sync::atomic::Ordering;
use std::sync::{Arc, mpsc};
use std::time::{Duration, Instant};

use chess::Timestamp;
use chess::table::{PlayerId, State, Summary};

use super::fault::Fault;
use super::{Sqlite, file, lists};
use crate::list_sql::{self, Dialect};
use crate::{Change, Cursor, Error, ListQuery, Row, Stored, TableId, Upkeep};

fn open(directory: &tempfile::TempDir) -> Sqlite {
    Sqlite::open(&directory.path().join("arbiter.db"), upkeep()).unwrap()
}

fn told<T: Send + 'static>(ask: impl FnOnce(crate::Done<T>)) -> Result<T, Error> {
    let (tell, told) = mpsc::channel();
    ask(Box::new(move |result| tell.send(result).unwrap()));
    told.recv().unwrap()
}

fn pragma(sqlite: &Sqlite, sql: String) {
    told(|done| {
        sqlite.write_then(move |db| Ok(db.query_row(&sql, (), |_| Ok(()))?), done);
    })
    .unwrap();
}

fn id(number: u64) -> TableId {
    TableId::from_number(number).unwrap()
}

fn row(number: u64, version: u32, bytes: usize) -> Row {
    Row {
        table: id(number),
        kind: 0,
        version,
        history: vec![version as u8; bytes],
        deadline: None,
        join_code: None,
        summary: Summary {
            state: State::Waiting,
            creator: PlayerId::new(1).unwrap(),
            opponent: None,
            white: None,
            black: None,
            private: false,
            delay_ms: 0,
            invited: Vec::new(),
            variant: "standard",
            rated: false,
            speed: "blitz",
            initial_ms: None,
            increment_ms: None,
            white_clock_ms: None,
            black_clock_ms: None,
            side_to_move: 'w',
            ply: 0,
            fen: String::new(),
            result: None,
            reason: None,
            created_at: Timestamp(number),
            started_at: None,
            updated_at: Timestamp(number),
            ended_at: None,
        },
        moves: Vec::new(),
    }
}

fn created(number: u64) -> Change {
    Change {
        is_listed: true,
        ..journaled(number, 1, 1)
    }
}

fn journaled(number: u64, version: u32, bytes: usize) -> Change {
    Change {
        table: id(number),
        expected: version - 1,
        version,
        at: Timestamp(number),
        asked: Timestamp(number),
        node: crate::NodeId::ALONE,
        payload: vec![version as u8; bytes],
        is_listed: false,
        rates: None,
        after: Arc::new(row(number, version, bytes)),
        remember: None,
        begins: None,
        tells: crate::EventKinds::NONE,
    }
}

/// Everything goes to the journal, and stays there until somebody asks.
fn upkeep() -> Upkeep {
    Upkeep {
        fold_every: Duration::from_secs(3_600),
        fold_after: u32::MAX,
        ..Upkeep::default()
    }
}

fn load(sqlite: &Sqlite, number: u64) -> Option<Stored> {
    told(|done| sqlite.load(id(number), done)).unwrap()
}

#[test]
fn a_full_disk_is_told_and_survived() {
    let directory = tempfile::tempdir().unwrap();
    let sqlite = open(&directory);
    let commit = |change| told(|done| sqlite.commit(change, done));
    commit(created(1)).unwrap();
    commit(created(2)).unwrap();
    pragma(&sqlite, "PRAGMA max_page_count = 1".to_owned()); // no more than there are

    // Everything of one transaction fails together, what came before stays.
    let (tell, results) = mpsc::channel();
    let mut changes = vec![journaled(1, 2, 1)];
    changes.extend((2..200).map(|version| journaled(2, version, 4000)));
    let many = changes.len();
    for change in changes {
        let tell = tell.clone();
        sqlite.commit(change, Box::new(move |result| tell.send(result).unwrap()));
    }
    let results: Vec<_> = results.iter().take(many).collect();
    assert!(results.iter().any(is_full), "{results:?}");
    let mut others = (0..100).map(|number| commit(created(1_000 + number)));
    assert!(others.any(|result| is_full(&result)));
    assert!(sqlite.stats().failures >= 2);
    // Reading goes on.
    assert!(load(&sqlite, 1).unwrap().version <= 2);

    pragma(&sqlite, "PRAGMA max_page_count = 1000000".to_owned());
    for (number, others) in [(1, 1), (2, 4000)] {
        let version = load(&sqlite, number).unwrap().version;
        assert_eq!(
            commit(journaled(number, version, others)),
            Err(Error::Conflict)
        );
        commit(journaled(number, version + 1, others)).unwrap();
        assert_eq!(load(&sqlite, number).unwrap().version, version + 1);
    }
}

#[test]
fn a_fold_that_fails_forgets_nothing() {
    let directory = tempfile::tempdir().unwrap();
    let sqlite = open(&directory);
    let commit = |change| told(|done| sqlite.commit(change, done));
    for number in 0..200 {
        commit(created(number)).unwrap();
        commit(journaled(number, 2, 1)).unwrap();
        commit(Change {
            after: Arc::new(row(number, 3, 4_000)),
            ..journaled(number, 3, 1)
        })
        .unwrap();
    }
    pragma(&sqlite, "PRAGMA max_page_count = 1".to_owned()); // no more than there are
    let fold = told(|done| sqlite.tidy(done));
    assert!(is_full(&fold), "{fold:?}");
    assert_eq!(load(&sqlite, 199).unwrap().version, 3);
    pragma(&sqlite, "PRAGMA max_page_count = 1000000".to_owned());
    told(|done| sqlite.tidy(done)).unwrap();
    assert_eq!(count(&sqlite, "SELECT count(*) FROM journal"), 0);
    assert_eq!(
        count(&sqlite, "SELECT count(*) FROM tables WHERE version = 3"),
        200
    );
}

fn count(sqlite: &Sqlite, sql: &'static str) -> u32 {
    let read = |done| sqlite.read_then(move |db| Ok(db.query_row(sql, (), |r| r.get(0))?), done);
    told(read).unwrap()
}

/// A table whose rules panic.
struct Bad;

impl crate::Snapshot for Bad {
    fn row(&self) -> Row {
        panic!("on purpose, in a test")
    }
}

#[test]
fn a_row_that_cannot_be_made_keeps_only_its_own_table_behind() {
    let directory = tempfile::tempdir().unwrap();
    let sqlite = open(&directory);
    let commit = |change| told(|done| sqlite.commit(change, done));
    for number in 1..=3 {
        commit(created(number)).unwrap();
        let mut change = journaled(number, 2, 1);
        if number == 2 {
            change.after = Arc::new(Bad);
        }
        commit(change).unwrap();
    }
    let fold = told(|done| sqlite.tidy(done));
    assert!(matches!(fold, Err(Error::Corrupt(_))), "{fold:?}");
    assert_eq!(
        count(&sqlite, "SELECT count(*) FROM tables WHERE version = 2"),
        2
    );
    assert_eq!(count(&sqlite, "SELECT table_id FROM journal"), 2);
    commit(journaled(2, 3, 1)).unwrap();
    told(|done| sqlite.tidy(done)).unwrap();
    assert_eq!(count(&sqlite, "SELECT count(*) FROM journal"), 0);
}

#[test]
fn rows_are_brought_up_to_date_in_time_and_after_a_start() {
    let directory = tempfile::tempdir().unwrap();
    let sqlite = open(&directory);
    for number in 1..=3 {
        told(|done| sqlite.commit(created(number), done)).unwrap();
        told(|done| sqlite.commit(journaled(number, 2, 1), done)).unwrap();
    }
    sqlite.close();
    let tables = |sqlite: &Sqlite, versions: &[u32]| {
        let patience = Instant::now() + Duration::from_secs(20);
        loop {
            let rows = told(|done| {
                let version = |r: &rusqlite::Row<'_>| r.get(0);
                let sql = "SELECT version FROM tables ORDER BY id";
                sqlite.read_then(
                    move |db| {
                        Ok(db
                            .prepare(sql)?
                            .query_map((), version)?
                            .collect::<Result<Vec<u32>, _>>()?)
                    },
                    done,
                );
            });
            let left = count(sqlite, "SELECT count(*) FROM journal WHERE table_id <> 2");
            if rows.unwrap() == versions && left == 0 {
                return;
            }
            assert!(Instant::now() < patience, "the rows stay behind");
            std::thread::sleep(Duration::from_millis(5));
        }
    };
    // The second is damaged, and keeps nobody else waiting.
    let to_row = |table: TableId, stored: Stored| match table.number() {
        2 => Err("damaged".to_owned()),
        number => Ok(row(number, stored.version, 2)),
    };
    let upkeep = Upkeep {
        fold_every: Duration::from_millis(10),
        to_row: Some(Arc::new(to_row)),
        ..upkeep()
    };
    let sqlite = Sqlite::open(&directory.path().join("arbiter.db"), upkeep).unwrap();
    tables(&sqlite, &[2, 1, 2]);
    assert_eq!(load(&sqlite, 2).unwrap().version, 2);
    told(|done| sqlite.commit(journaled(1, 3, 1), done)).unwrap();
    tables(&sqlite, &[3, 1, 2]);
}

fn is_full<T>(result: &Result<T, Error>) -> bool {
    matches!(result, Err(Error::Unavailable(why)) if why.contains("full"))
}

#[test]
fn reads_do_not_wait_for_a_long_write() {
    let directory = tempfile::tempdir().unwrap();
    let sqlite = open(&directory);
    told(|done| sqlite.commit(created(1), done)).unwrap();
    let (go, wait) = mpsc::channel::<()>();
    let (begun, has_begun) = mpsc::channel();
    let (tell, written) = mpsc::channel();
    sqlite.write_then(
        move |db| {
            db.execute("UPDATE tables SET ply = 77", ())?;
            begun.send(()).unwrap();
            wait.recv().unwrap();
            Ok(())
        },
        Box::new(move |result: Result<(), Error>| tell.send(result).unwrap()),
    );
    has_begun.recv().unwrap();
    assert!(load(&sqlite, 1).is_some());
    let due = |done| sqlite.read_then(super::loading::due, done);
    assert_eq!(told(due).unwrap().len(), 1);
    assert!(written.try_recv().is_err(), "it is still being written");
    go.send(()).unwrap();
    assert_eq!(written.recv().unwrap(), Ok(()));
}

#[test]
fn a_task_that_fails_or_panics_takes_back_only_what_it_wrote() {
    let directory = tempfile::tempdir().unwrap();
    let sqlite = open(&directory);
    told(|done| sqlite.commit(created(1), done)).unwrap();
    let fine: fn() -> Result<(), Fault> = || Ok(());
    let refused: fn() -> Result<(), Fault> = || Err(Fault::Refused(Error::Conflict));
    let panics: fn() -> Result<(), Fault> = || panic!("on purpose, in a test");
    let (tell, results) = mpsc::channel();
    // In one transaction, because the first of them holds up the writer.
    for (plies, end) in [(1, fine), (2, refused), (4, panics), (8, fine)] {
        let tell = tell.clone();
        sqlite.write_then(
            move |db| {
                std::thread::sleep(Duration::from_millis(10));
                db.execute("UPDATE tables SET ply = ply + ?1", (plies,))?;
                end()
            },
            Box::new(move |result: Result<(), Error>| tell.send(result).unwrap()),
        );
    }
    let next = || results.recv_timeout(Duration::from_secs(20)).unwrap();
    assert_eq!([next(), next()], [Ok(()), Err(Error::Conflict)]);
    assert!(matches!(next(), Err(Error::Unavailable(_))));
    assert_eq!(next(), Ok(()));
    assert_eq!(count(&sqlite, "SELECT ply FROM tables"), 9);
}

/// A table that panics when it is forgotten.
struct Clinging;

impl crate::Snapshot for Clinging {
    fn row(&self) -> Row {
        row(1, 2, 1)
    }
}

impl Drop for Clinging {
    fn drop(&mut self) {
        panic!("on purpose, in a test");
    }
}

#[test]
fn a_fold_that_panics_ends_alone() {
    let directory = tempfile::tempdir().unwrap();
    let sqlite = open(&directory);
    told(|done| sqlite.commit(created(1), done)).unwrap();
    let mut change = journaled(1, 2, 1);
    change.after = Arc::new(Clinging);
    told(|done| sqlite.commit(change, done)).unwrap();
    let fold = told(|done| sqlite.tidy(done));
    assert!(matches!(fold, Err(Error::Unavailable(_))), "{fold:?}");
    assert_eq!(sqlite.stats().failures, 1);
    told(|done| sqlite.commit(journaled(1, 3, 1), done)).unwrap();
    told(|done| sqlite.tidy(done)).unwrap();
    assert_eq!(count(&sqlite, "SELECT count(*) FROM journal"), 0);
}

#[test]
fn a_reader_that_panics_while_it_collects_costs_one_fold() {
    let directory = tempfile::tempdir().unwrap();
    // Were it wrong, closing would wait for ever.
    let sqlite = ManuallyDrop::new(open(&directory));
    told(|done| sqlite.commit(created(1), done)).unwrap();
    told(|done| sqlite.commit(journaled(1, 2, 1), done)).unwrap();
    let panics = &sqlite.inner.shared.reads.panics;
    panics.store(true, Ordering::SeqCst);
    let fold = told(|done| sqlite.tidy(done));
    assert!(matches!(fold, Err(Error::Unavailable(_))), "{fold:?}");
    told(|done| sqlite.tidy(done)).unwrap();
    assert_eq!(count(&sqlite, "SELECT count(*) FROM journal"), 0);
    sqlite.close();
}

#[test]
fn a_callback_that_panics_harms_nobody_else() {
    let directory = tempfile::tempdir().unwrap();
    let sqlite = open(&directory);
    sqlite.commit(created(1), Box::new(|_| panic!("on purpose, in a test")));
    sqlite.load(id(1), Box::new(|_| panic!("on purpose, in a test")));
    told(|done| sqlite.commit(created(2), done)).unwrap();
    assert!(load(&sqlite, 2).is_some());
}

#[test]
fn the_log_stays_short_under_constant_writing() {
    let directory = tempfile::tempdir().unwrap();
    let sqlite = open(&directory);
    told(|done| sqlite.commit(created(1), done)).unwrap();
    let (tell, results) = mpsc::channel();
    let many = 12_000;
    // 96 MB in all, always 64 under way.
    for version in 2..many + 2 {
        let tell = tell.clone();
        sqlite.commit(
            journaled(1, version, 8_000),
            Box::new(move |result| tell.send(result.is_ok()).unwrap()),
        );
        if version > 64 {
            assert!(results.recv().unwrap());
        }
    }
    let before_close = sqlite.stats();
    assert!(before_close.wal_bytes < 64 << 20, "{before_close:?}");
    assert!(before_close.batches > 50, "{before_close:?}");
    assert_eq!(before_close.loss, None);
    sqlite.close();
    assert_eq!(sqlite.stats().wal_bytes, 0);
}

#[test]
fn the_last_handle_may_go_in_a_callback() {
    let directory = tempfile::tempdir().unwrap();
    let sqlite = open(&directory);
    let (tell, told_) = mpsc::channel();
    let last = sqlite.clone();
    let (go, wait) = mpsc::channel::<()>();
    sqlite.commit(
        created(1),
        Box::new(move |result| {
            wait.recv().unwrap();
            drop(last);
            tell.send(result.is_ok()).unwrap();
        }),
    );
    drop(sqlite);
    go.send(()).unwrap();
    assert!(told_.recv().unwrap());
    // The writer ends by itself a little later.
    let patience = Instant::now() + Duration::from_secs(10);
    while Sqlite::open(&directory.path().join("arbiter.db"), upkeep()).is_err() {
        assert!(Instant::now() < patience, "the file is still in use");
        std::thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn a_page_of_a_list_costs_what_it_shows() {
    let directory = tempfile::tempdir().unwrap();
    drop(open(&directory));
    let db = file::open_reader(&directory.path().join("arbiter.db")).unwrap();
    let after = Some(Cursor {
        created_at: Timestamp(5),
        table: id(5),
    });
    let states = [None, Some(State::Active), Some(State::Completed)];
    let players = [None, PlayerId::new(1)];
    for state in states {
        for variant in [None, Some("standard".to_owned())] {
            for player in players {
                for viewer in players {
                    let query = ListQuery {
                        state,
                        variant: variant.clone(),
                        player,
                        viewer,
                        after,
                        limit: 10,
                        ..ListQuery::default()
                    };
                    let plan = plan(&db, &list_sql::sql(&query, Dialect::Sqlite));
                    assert!(!plan.contains("SCAN t"), "{query:?}\n{plan}");
                    // Only what a viewer was invited to is put in order.
                    let sorts = plan.matches("TEMP B-TREE").count();
                    assert_eq!(sorts, usize::from(viewer.is_some()), "{query:?}\n{plan}");
                    assert!(lists::list(&db, &query).is_ok());
                    // A page with its tables sorts no more than it shows.
                    let whole = self::plan(&db, &list_sql::with_tables(&query, Dialect::Sqlite));
                    assert!(!whole.contains("SCAN t"), "{query:?}\n{whole}");
                    assert!(lists::page(&db, &query).is_ok());
                }
            }
        }
    }
}

fn plan(db: &rusqlite::Connection, sql: &str) -> String {
    let mut explain = db.prepare(&format!("EXPLAIN QUERY PLAN {sql}")).unwrap();
    for i in 1..=explain.parameter_count() {
        explain.raw_bind_parameter(i, 1).unwrap();
    }
    let mut rows = explain.raw_query();
    let mut plan = String::new();
    while let Some(row) = rows.next().unwrap() {
        plan += &row.get::<_, String>(3).unwrap();
        plan.push('\n');
    }
    plan
}
