//! Many flags falling in one second among many running games, on a real
//! database: `make bench-flags`. Fails if one is noticed more than 100 ms
//! after its deadline.

mod games;

use std::time::{Duration, Instant};

use chess::clock::TimeControl;
use chess::game::Game;
use chess::tables::AnyTable;
use chess::{Millis, Timestamp};
use live::Live;
use server::clock::Clock;
use store::Store;

const FLAGS: u64 = 5_000;
const WITHIN: Millis = Millis(100);

fn main() {
    let running: u64 = std::env::var("GAMES")
        .ok()
        .and_then(|n| n.parse().ok())
        .unwrap_or(500_000);
    let directory = tempfile::tempdir().expect("a temporary directory");
    let url = format!("sqlite:{}", directory.path().join("flags.db").display());
    let store = Store::open(&url).expect("an empty database opens");
    let clock = Clock::start(None);
    let (_runtime, live) = games::start(&store, &clock);

    let begun = Instant::now();
    let now = clock.now();
    games::create(
        &live,
        (0..running).map(|n| (n, game(now, Millis::from_secs(10_800)))),
    );
    println!(
        "{running} games running after {:.1} s",
        begun.elapsed().as_secs_f64()
    );

    // All begin at one moment; their flags fall one after the other within a
    // second, once all of them are there.
    let start = clock.now();
    let flags = |n: u64| {
        (
            running + n,
            game(start, Millis(6_000 + (n * 1_000 / FLAGS) as u32)),
        )
    };
    games::create(&live, (0..FLAGS).map(flags));
    assert!(
        clock.now() < start + Millis(6_000),
        "too slow to create the games in time"
    );

    let ticker = live.clone();
    std::thread::spawn(move || {
        loop {
            ticker.tick();
            std::thread::sleep(Duration::from_millis(20));
        }
    });
    let mut late: Vec<u32> = (0..FLAGS)
        .map(|n| {
            let deadline = start + Millis(6_000 + (n * 1_000 / FLAGS) as u32);
            ended(&live, running + n).since(deadline).0
        })
        .collect();
    late.sort_unstable();
    let at = |share: usize| late[(late.len() - 1) * share / 100];
    println!(
        "flags noticed after the deadline, ms: p50 {} p99 {} max {}",
        at(50),
        at(99),
        at(100)
    );
    println!("resident games: {}", live.stats().resident);
    assert!(Millis(at(100)) <= WITHIN, "a flag fell late");
    store.close();
}

/// A game that began at `at`.
fn game(at: Timestamp, initial: Millis) -> Game {
    let increment = Millis::ZERO;
    games::begun(at, TimeControl::Fischer { initial, increment })
}

/// Waits for the end of a game and says when it was.
fn ended(live: &Live<AnyTable>, n: u64) -> Timestamp {
    loop {
        let (reply, answer) = std::sync::mpsc::channel();
        live.read(
            games::id(n),
            None,
            Box::new(move |game| drop(reply.send(game))),
        );
        let game = answer
            .recv()
            .expect("an answer")
            .expect("the game is there");
        if let Some(at) = game.table.chess().and_then(|game| game.ended_at()) {
            return at;
        }
        std::thread::sleep(Duration::from_millis(5));
    }
}
