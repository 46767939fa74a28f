//! One round of pairing among ten thousand who wait.
//!
//! `make bench-pairing` runs it. It fails if a pool takes longer than its target.
#![expect(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "a benchmark reads the clock"
)]

use std::hint::black_box;
use std::process::ExitCode;
use std::time::Instant;

use chess::pairing::{Blocks, Colors, Origin, Policy, Seeker, pair};
use chess::rating::Rating;
use chess::table::PlayerId;
use chess::{Color, Timestamp};

const WAITING: u32 = 10_000;
const ROUNDS: usize = 21;
const MS_MAX: f64 = 50.0;
const NOW: Timestamp = Timestamp(1_790_000_000_000);

fn main() -> ExitCode {
    let pools = [
        ("tickets of a busy minute", busy()),
        ("all at once, all newcomers", newcomers()),
        ("nobody near enough for anybody", lonely()),
        ("long-waiting, each with a range", choosy()),
    ];
    let blocks = Blocks::new((1..WAITING).map(|n| (player(n), player(n + 1))));
    println!("one round among {WAITING} who wait (at most {MS_MAX} ms)");
    let mut worst = 0.0_f64;
    for (name, pool) in &pools {
        let mut paired = 0;
        let mut took: Vec<f64> = (0..ROUNDS)
            .map(|_| {
                let start = Instant::now();
                let round = pair(black_box(pool), &blocks, &Policy::default(), NOW, 1);
                let took = start.elapsed().as_secs_f64() * 1e3;
                paired = round.pairs.len();
                took
            })
            .collect();
        took.sort_by(f64::total_cmp);
        let median = took[ROUNDS / 2];
        println!("  {name:<32} {median:>7.2} ms, {paired:>5} pairs");
        worst = worst.max(median);
    }
    if worst > MS_MAX {
        eprintln!("a target was missed");
        return ExitCode::FAILURE;
    }
    ExitCode::SUCCESS
}

fn player(number: u32) -> PlayerId {
    PlayerId::new(number).expect("not zero")
}

/// Numbers without a pattern, the same in every run.
fn scattered(number: u32, below: u32) -> u32 {
    let mixed = u64::from(number).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    ((mixed ^ mixed >> 29) >> 7) as u32 % below
}

fn pool(make: impl Fn(u32, Seeker) -> Seeker) -> Vec<Seeker> {
    let ticket = |number| Seeker {
        origin: Origin::Ticket(u64::from(number)),
        player: player(number),
        rating: Rating::INITIAL,
        since: NOW,
        range: None,
        side: None,
        colors: Colors::default(),
        last_opponent: None,
    };
    (1..=WAITING).map(|n| make(n, ticket(n))).collect()
}

fn since(secs: u32) -> Timestamp {
    Timestamp(NOW.0 - u64::from(secs) * 1000)
}

/// Ratings that pile up in the middle, waits of up to a minute, sides as they come.
fn busy() -> Vec<Seeker> {
    pool(|n, ticket| {
        let points: u32 = (0..6).map(|part| scattered(6 * n + part, 400)).sum();
        let sides = (0..scattered(n, 4)).map(|game| Color::from_white(scattered(n + game, 2) == 0));
        Seeker {
            rating: Rating::new(f64::from(points) + 400.0, 60.0, 0.06),
            since: since(scattered(n, 60)),
            colors: Colors::of(sides),
            ..ticket
        }
    })
}

fn newcomers() -> Vec<Seeker> {
    pool(|_, ticket| ticket)
}

/// Everybody has waited long, everybody asks for somebody much stronger.
fn lonely() -> Vec<Seeker> {
    pool(|n, ticket| Seeker {
        rating: Rating::new(f64::from(1000 + scattered(n, 1000)), 60.0, 0.06),
        since: since(120 + scattered(n, 60)),
        range: Some(2400..=2500),
        ..ticket
    })
}

/// Everybody has waited long; half ask for stronger, half for weaker opponents.
fn choosy() -> Vec<Seeker> {
    pool(|n, ticket| {
        let points = 1000 + scattered(n, 1000);
        let range = if n % 2 == 0 {
            points + 50..=4000
        } else {
            0..=points - 50
        };
        Seeker {
            rating: Rating::new(f64::from(points), 60.0, 0.06),
            since: since(120 + scattered(n, 60)),
            range: Some(range),
            ..ticket
        }
    })
}
