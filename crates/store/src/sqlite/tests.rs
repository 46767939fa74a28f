//! What only the inside can bring about: a full disk, a transaction that
//! takes its time, the plans of queries.

use std::sync::mpsc;
use std::time::{Duration, Instant};

use chess::Timestamp;
use chess::table::{PlayerId, Summary};

use super::fault::Fault;
use super::{Sqlite, file, list_sql, lists};
use crate::{Change, Cursor, Error, ListQuery, Row, TableId, Written};

fn open(directory: &tempfile::TempDir) -> Sqlite {
    Sqlite::open(&directory.path().join("arbiter.db")).unwrap()
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

fn created(number: u64) -> Change {
    let row = Row {
        table: id(number),
        kind: 0,
        version: 1,
        history: vec![1],
        deadline: None,
        join_code: None,
        summary: Summary {
            state: "WAITING",
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
    };
    Change {
        written: Written::Row(Box::new(row)),
        ..journaled(number, 1, 1)
    }
}

fn journaled(number: u64, version: u32, bytes: usize) -> Change {
    Change {
        table: id(number),
        version,
        at: Timestamp(number),
        payload: vec![version as u8; bytes],
        written: Written::Journal,
        remember: None,
    }
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
    let fold = told(|done| sqlite.fold((0..500).map(row_of).collect(), Some(1_000), done));
    assert!(is_full(&fold), "{fold:?}");
    assert!(sqlite.stats().failures >= 2);
    // Reading goes on.
    let stored = told(|done| sqlite.load(id(1), true, done))
        .unwrap()
        .unwrap();
    assert!(stored.version <= 2);

    pragma(&sqlite, "PRAGMA max_page_count = 1000000".to_owned());
    for (number, others) in [(1, 0), (2, 4000)] {
        let version = told(|done| sqlite.load(id(number), true, done))
            .unwrap()
            .unwrap()
            .version;
        assert_eq!(
            commit(journaled(number, version, others)),
            Err(Error::Conflict)
        );
        commit(journaled(number, version + 1, others)).unwrap();
        let stored = told(|done| sqlite.load(id(number), true, done))
            .unwrap()
            .unwrap();
        assert_eq!(stored.version, version + 1);
    }
}

fn is_full<T>(result: &Result<T, Error>) -> bool {
    matches!(result, Err(Error::Unavailable(why)) if why.contains("full"))
}

fn row_of(number: u64) -> Row {
    match created(number).written {
        Written::Row(row) => Row {
            version: 9,
            history: vec![9; 4000],
            ..*row
        },
        Written::Journal => unreachable!("it was created"),
    }
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
    assert!(
        told(|done| sqlite.load(id(1), false, done))
            .unwrap()
            .is_some()
    );
    assert!(
        told(|done| sqlite.load(id(1), true, done))
            .unwrap()
            .is_some()
    );
    assert_eq!(sqlite.recover().unwrap().unfinished.len(), 1);
    assert!(written.try_recv().is_err(), "it is still being written");
    go.send(()).unwrap();
    assert_eq!(written.recv().unwrap(), Ok(()));
}

#[test]
fn a_task_that_fails_takes_back_only_what_it_wrote() {
    let directory = tempfile::tempdir().unwrap();
    let sqlite = open(&directory);
    told(|done| sqlite.commit(created(1), done)).unwrap();
    let (tell, results) = mpsc::channel();
    // In one transaction, because the first of them holds up the writer.
    for (play, fails) in [(1, false), (2, true), (3, false)] {
        let tell = tell.clone();
        sqlite.write_then(
            move |db| {
                std::thread::sleep(Duration::from_millis(10));
                db.execute("UPDATE tables SET ply = ply + ?1", (play,))?;
                if fails {
                    Err(Fault::Refused(Error::Conflict))
                } else {
                    Ok(())
                }
            },
            Box::new(move |result: Result<(), Error>| tell.send(result).unwrap()),
        );
    }
    let results: Vec<_> = results.iter().take(3).collect();
    assert_eq!(results, [Ok(()), Err(Error::Conflict), Ok(())]);
    let ply: u32 = told(|done| {
        sqlite.read_then(
            |db| Ok(db.query_row("SELECT ply FROM tables", (), |r| r.get(0))?),
            done,
        );
    })
    .unwrap();
    assert_eq!(ply, 4);
}

#[test]
fn a_callback_that_panics_harms_nobody_else() {
    let directory = tempfile::tempdir().unwrap();
    let sqlite = open(&directory);
    sqlite.commit(created(1), Box::new(|_| panic!("on purpose, in a test")));
    sqlite.load(id(1), false, Box::new(|_| panic!("on purpose, in a test")));
    told(|done| sqlite.commit(created(2), done)).unwrap();
    told(|done| sqlite.load(id(2), false, done)).unwrap();
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
    while Sqlite::open(&directory.path().join("arbiter.db")).is_err() {
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
    let texts = [
        None,
        Some("ACTIVE".to_owned()),
        Some("COMPLETED".to_owned()),
    ];
    let players = [None, PlayerId::new(1)];
    for state in &texts {
        for variant in [None, Some("standard".to_owned())] {
            for player in players {
                for viewer in players {
                    let query = ListQuery {
                        state: state.clone(),
                        variant: variant.clone(),
                        player,
                        viewer,
                        after,
                        limit: 10,
                        ..ListQuery::default()
                    };
                    let plan = plan(&db, &list_sql::sql(&query));
                    assert!(!plan.contains("SCAN t"), "{query:?}\n{plan}");
                    // Only what a viewer was invited to is put in order.
                    let sorts = plan.matches("TEMP B-TREE").count();
                    assert_eq!(sorts, usize::from(viewer.is_some()), "{query:?}\n{plan}");
                    assert!(lists::list(&db, &query).is_ok());
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
