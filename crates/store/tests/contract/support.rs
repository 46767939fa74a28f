//! Backends to test, and short ways to ask them.

use std::future::Future;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, mpsc};
use std::time::{Duration, Instant};

use chess::Timestamp;
use chess::table::{MoveRow, PlayerId, State, Summary};
use store::{
    Change, Error, EventPlace, JournalRecord, NewReport, OutboxEvent, OutboxQuery, Remembered,
    Reporting, Row, Store, Stored, TableId, Upkeep,
};

/// A store that can be stopped and started again.
pub(crate) struct Home {
    store: Option<Store>,
    start: Box<dyn FnMut() -> Store>,
}

pub(crate) fn sqlite() -> Option<Home> {
    let directory = tempfile::tempdir().expect("a directory for the test");
    Some(Home::new(move || {
        let path = directory.path().join("arbiter.db");
        Store::open(&format!("sqlite:{}", path.display())).expect("the store opens")
    }))
}

pub(crate) fn memory() -> Option<Home> {
    let (store, mut control) = Store::in_memory(Upkeep::default());
    let mut first = Some(store);
    Some(Home::new(move || {
        first.take().unwrap_or_else(|| control.crash())
    }))
}

pub(crate) fn postgres() -> Option<Home> {
    let url = servers::postgres()?;
    Some(Home::new(move || {
        Store::open(&url).expect("the store opens")
    }))
}

impl Home {
    fn new(mut start: impl FnMut() -> Store + 'static) -> Home {
        Home {
            store: Some(start()),
            start: Box::new(start),
        }
    }

    pub(crate) fn store(&self) -> &Store {
        self.store.as_ref().expect("it is running")
    }

    pub(crate) fn restart(&mut self) -> &Store {
        self.store = None;
        self.store = Some((self.start)());
        self.store()
    }
}

/// Waits for something that has no runtime of its own.
pub(crate) fn wait<T>(future: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread()
        .build()
        .expect("a runtime for the test")
        .block_on(future)
}

/// Waits for a callback.
pub(crate) fn told<T: Send + 'static>(ask: impl FnOnce(store::Done<T>)) -> Result<T, Error> {
    let (tell, told) = mpsc::channel();
    ask(Box::new(move |result| {
        tell.send(result).expect("the test waits")
    }));
    told.recv().expect("the callback is called")
}

pub(crate) fn commit(store: &Store, change: Change) -> Result<(), Error> {
    told(|done| store.commit(change, done))
}

/// Commits many at once; they share transactions.
pub(crate) fn commit_all(store: &Store, changes: impl IntoIterator<Item = Change>) {
    let (tell, told) = mpsc::channel();
    for change in changes {
        let tell = tell.clone();
        store.commit(
            change,
            Box::new(move |result| tell.send(result).expect("the test waits")),
        );
    }
    drop(tell);
    told.iter()
        .for_each(|result| result.expect("all are accepted"));
}

/// What others are told of everything until now. What is written at the same time
/// elsewhere in the database's cluster holds it back for a moment, so that is waited for:
/// until something that was written after all of it is told.
pub(crate) fn events(store: &Store) -> Vec<OutboxEvent> {
    const MARKER: &str = "marker";
    static MARKERS: AtomicU64 = AtomicU64::new(1);
    let marker = NewReport {
        reporter: player(901),
        reported: player(902),
        reason: MARKER.into(),
        table: Some(id(MARKERS.fetch_add(1, Ordering::Relaxed))),
        text: String::new(),
        at: Timestamp(1),
    };
    let Ok(Reporting::Made(marker)) = wait(store.report(marker, u32::MAX)) else {
        panic!("there is no such report yet");
    };
    let is_marker = |event: &OutboxEvent| {
        let report = event.report.map(|id| wait(store.report_by_id(id)).unwrap());
        report.is_some_and(|report| report.is_some_and(|report| report.reason == MARKER))
    };
    let end = Instant::now() + Duration::from_secs(60);
    loop {
        let all = OutboxQuery::after(EventPlace::START, 10_000);
        let mut found = wait(store.outbox(all)).expect("events can be read").events;
        if found.iter().any(|event| event.report == Some(marker.id)) {
            found.retain(|event| !is_marker(event));
            return found;
        }
        assert!(Instant::now() < end, "nothing is told");
        std::thread::yield_now();
    }
}

pub(crate) fn load(store: &Store, id: TableId) -> Option<Stored> {
    told(|done| store.load(id, done)).expect("tables can be read")
}

pub(crate) fn tidy(store: &Store) {
    told(|done| store.tidy(done)).expect("the store works");
}

/// The version of a table's row, which may be behind.
pub(crate) fn row_version(store: &Store, number: u64) -> Option<u32> {
    let row = wait(store.inspector().row(id(number)));
    row.expect("rows can be read").map(|row| row.version)
}

/// The changes that are in no row yet.
pub(crate) fn journal(store: &Store) -> Vec<JournalRecord> {
    let journal = wait(store.inspector().journal(Timestamp(u64::MAX >> 1)));
    journal.expect("the journal can be read").records
}

pub(crate) fn id(number: u64) -> TableId {
    TableId::from_number(number).expect("a table's number")
}

pub(crate) fn player(number: u32) -> PlayerId {
    PlayerId::new(number).expect("a player's number")
}

/// What a table with that version has been through: a byte per change.
pub(crate) fn history(version: u32) -> Vec<u8> {
    (1..=version).map(|v| v as u8).collect()
}

/// A table that player 1 made and player 2 joined, created at its number.
pub(crate) fn row(number: u64, version: u32) -> Row {
    Row {
        table: id(number),
        kind: 0,
        version,
        history: history(version),
        deadline: Some(Timestamp(number + 300_000)),
        join_code: None,
        summary: Summary {
            state: State::Active,
            creator: player(1),
            opponent: None,
            white: Some(player(1)),
            black: Some(player(2)),
            private: false,
            delay_ms: 0,
            invited: Vec::new(),
            variant: "standard",
            rated: true,
            speed: "blitz",
            initial_ms: Some(300_000),
            increment_ms: Some(2_000),
            white_clock_ms: Some(299_000),
            black_clock_ms: Some(300_000),
            side_to_move: 'b',
            ply: version.saturating_sub(2),
            fen: "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1".to_owned(),
            result: None,
            reason: None,
            created_at: Timestamp(number),
            started_at: Some(Timestamp(number + 1)),
            updated_at: Timestamp(number + u64::from(version)),
            ended_at: None,
        },
        moves: Vec::new(),
    }
}

/// The same table waiting for somebody.
pub(crate) fn waiting(number: u64) -> Row {
    let mut row = row(number, 1);
    row.summary.state = State::Waiting;
    row.summary.white = None;
    row.summary.black = None;
    row.summary.started_at = None;
    row
}

/// The same table when it is over, with its moves.
pub(crate) fn over(number: u64, version: u32) -> Row {
    let mut row = row(number, version);
    row.deadline = None;
    row.summary.state = State::Completed;
    row.summary.result = Some("white_wins");
    row.summary.reason = Some("checkmate");
    row.summary.ended_at = Some(row.summary.updated_at);
    row.moves = vec![
        half_move(1, 'w', "e2e4", "e4"),
        half_move(2, 'b', "a7a8q", "a8=Q"),
    ];
    row
}

fn half_move(ply: u32, color: char, uci: &str, san: &str) -> MoveRow {
    MoveRow {
        ply,
        move_number: ply.div_ceil(2),
        color,
        uci: uci.to_owned(),
        san: san.to_owned(),
        fen_after: format!("position after {ply}"),
        played_at: Timestamp(1_000 + u64::from(ply)),
        elapsed_ms: 5_000,
        white_clock_ms: Some(295_000),
        black_clock_ms: None,
    }
}

/// The change that makes a table.
pub(crate) fn created(row: Row) -> Change {
    Change {
        expected: 0,
        ..changed(row)
    }
}

/// A change that lists must show.
pub(crate) fn changed(row: Row) -> Change {
    Change {
        table: row.table,
        expected: row.version.saturating_sub(1),
        version: row.version,
        at: row.summary.updated_at,
        asked: row.summary.updated_at,
        node: store::NodeId::ALONE,
        payload: vec![row.version as u8],
        is_listed: true,
        rates: None,
        after: Arc::new(row),
        remember: None,
        begins: None,
        tells: store::EventKinds::NONE,
    }
}

/// A change that lists need not show at once.
pub(crate) fn moved(number: u64, version: u32) -> Change {
    Change {
        is_listed: false,
        ..changed(row(number, version))
    }
}

pub(crate) fn remembered(account: u32, key: &str, at: u64) -> Remembered {
    Remembered {
        account: player(account),
        key: key.to_owned(),
        request: [7; 32],
        table: id(5),
        version: 2,
        at: Timestamp(at),
    }
}
