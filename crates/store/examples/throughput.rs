//! How fast changes become durable: `cargo run --release -p store --example throughput [TABLES [CHANGES]]`.
//!
//! Always 256 changes are under way, of tables drawn at random; then the same
//! while every table is folded.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::{Duration, Instant};

use chess::Timestamp;
use chess::table::{PlayerId, Summary};
use store::{Change, Row, Store, TableId, Upkeep};

const UNDER_WAY: usize = 256;

fn main() -> Result<(), store::Error> {
    let mut numbers = std::env::args()
        .skip(1)
        .map(|n| n.parse().expect("a number"));
    let tables: usize = numbers.next().unwrap_or(100_000);
    let changes: usize = numbers.next().unwrap_or(1_000_000);
    let directory = tempfile::tempdir_in(".").expect("a directory here, on a real disk");
    let path = directory.path().join("throughput.db");
    let upkeep = Upkeep {
        fold_every: Duration::from_secs(3_600),
        fold_after: u32::MAX,
        ..Upkeep::default()
    };
    let store = Store::open_for(&format!("sqlite:{}", path.display()), upkeep)?;
    let mut load = Load::new(store.clone(), tables);

    load.run("rows created", tables, |load, i| load.create(i));
    load.run("changes journaled", changes, |load, _| load.journal());
    let started = Instant::now();
    let (tell, told) = channel();
    store.tidy(Box::new(move |result| {
        tell.send((Instant::now(), result)).expect("it waits");
    }));
    load.run(
        "changes journaled while all is folded",
        changes / 2,
        |load, _| load.journal(),
    );
    let (folded, result) = told.recv().expect("the fold ends");
    result?;
    println!(
        "fold of {tables} rows and {changes} records: {:.1?}",
        folded - started
    );
    println!("{:?}", store.stats());
    let started = Instant::now();
    store.close();
    println!("closed in {:.1?}", started.elapsed());
    Ok(())
}

struct Load {
    store: Store,
    versions: Vec<u32>,
    chance: u64,
    tell: Sender<Duration>,
    told: Receiver<Duration>,
}

impl Load {
    fn new(store: Store, tables: usize) -> Load {
        let (tell, told) = channel();
        Load {
            store,
            versions: vec![0; tables],
            chance: 88172645463325252,
            tell,
            told,
        }
    }

    fn run(&mut self, what: &str, many: usize, mut next: impl FnMut(&mut Load, usize) -> Change) {
        let started = Instant::now();
        let mut latencies = Vec::with_capacity(many);
        for i in 0..many + UNDER_WAY {
            if i >= UNDER_WAY {
                latencies.push(self.told.recv().expect("one is under way"));
            }
            if i < many {
                let change = next(self, i);
                let (asked, tell) = (Instant::now(), self.tell.clone());
                self.store.commit(
                    change,
                    Box::new(move |result| {
                        result.expect("each is the next of its table");
                        tell.send(asked.elapsed()).expect("somebody counts");
                    }),
                );
            }
        }
        latencies.sort_unstable();
        let rate = many as f64 / started.elapsed().as_secs_f64() / 1000.0;
        let at = |part: f64| latencies[((many - 1) as f64 * part) as usize];
        println!(
            "{what}: {rate:.0} thousand/s; latency p50 {:.1?}, p99 {:.1?}, worst {:.1?}",
            at(0.5),
            at(0.99),
            at(1.0)
        );
    }

    fn create(&mut self, i: usize) -> Change {
        self.versions[i] = 2;
        Change {
            expected: 0,
            is_listed: true,
            ..self.change(i)
        }
    }

    fn journal(&mut self) -> Change {
        self.chance ^= self.chance << 13;
        self.chance ^= self.chance >> 7;
        self.chance ^= self.chance << 17;
        let i = (self.chance % self.versions.len() as u64) as usize;
        self.versions[i] += 1;
        self.change(i)
    }

    fn change(&self, i: usize) -> Change {
        Change {
            table: id(i),
            expected: self.versions[i] - 1,
            version: self.versions[i],
            at: Timestamp(1_700_000_000_000),
            asked: Timestamp(1_700_000_000_000),
            node: store::NodeId::ALONE,
            payload: vec![1, 2, 3, 4, 5, 6, 7, 8],
            is_listed: false,
            rates: None,
            after: Arc::new(self.row(i)),
            remember: None,
            begins: None,
            tells: store::EventKinds::NONE,
        }
    }

    fn row(&self, i: usize) -> Row {
        let player = |n| PlayerId::new(n).expect("not zero");
        let (white, black) = (
            player(1 + i as u32 % 5_000),
            player(6_000 + i as u32 % 4_999),
        );
        Row {
            table: id(i),
            kind: 0,
            version: self.versions[i],
            history: vec![7; 60 + 8 * self.versions[i] as usize],
            deadline: Some(Timestamp(1_800_000_000_000)),
            join_code: None,
            summary: Summary {
                state: chess::table::State::Active,
                creator: white,
                opponent: None,
                white: Some(white),
                black: Some(black),
                private: false,
                delay_ms: 0,
                invited: Vec::new(),
                variant: "standard",
                rated: true,
                speed: "blitz",
                initial_ms: Some(300_000),
                increment_ms: Some(0),
                white_clock_ms: Some(200_000),
                black_clock_ms: Some(200_000),
                side_to_move: 'w',
                ply: self.versions[i],
                fen: "r1bqkb1r/pppp1ppp/2n2n2/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 4 4"
                    .to_owned(),
                result: None,
                reason: None,
                created_at: Timestamp(1_700_000_000_000 + i as u64),
                started_at: Some(Timestamp(1_700_000_000_000)),
                updated_at: Timestamp(1_700_000_000_000),
                ended_at: None,
            },
            moves: Vec::new(),
        }
    }
}

/// Spread over all numbers, as random ids are.
fn id(i: usize) -> TableId {
    TableId::from_random((i as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 17)
}
