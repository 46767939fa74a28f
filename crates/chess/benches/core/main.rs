//! One full move through the core, against bare `shakmaty` doing the same
//! parts in the same run; and the bytes that a game takes.
//!
//! `make bench-core` runs it. It fails if a target is missed.
#![expect(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "a benchmark reads the clock"
)]

mod bare;
mod ours;
mod sample;

use std::hint::black_box;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use chess::game::Game;
use chess::table::Table;
use sample::Sample;

/// Each round measures both sides; the medians over all rounds are told.
const ROUNDS: usize = 61;
/// How often a round plays all games.
const REPEATS: u32 = 8;

const RATIO_MAX: f64 = 1.5;
const BYTES_MAX: usize = 500;

fn main() -> ExitCode {
    let samples = Sample::all();
    for sample in &samples {
        assert_eq!(
            ours::play(sample, &sample.joined()),
            bare::play(sample),
            "both sides must write the same SAN and FEN"
        );
    }
    let plies: usize = samples.iter().map(|s| s.moves.len()).sum();
    let moves = f64::from(REPEATS) * plies as f64;

    let (mut ours_ns, mut bare_ns, mut ratios) = (Vec::new(), Vec::new(), Vec::new());
    for round in 0..ROUNDS {
        // Whoever goes first finds the caches cold: take turns.
        let (ours, bare) = if round % 2 == 0 {
            let ours = time_ours(&samples);
            (ours, time_bare(&samples))
        } else {
            let bare = time_bare(&samples);
            (time_ours(&samples), bare)
        };
        ours_ns.push(ours.as_nanos() as f64 / moves);
        bare_ns.push(bare.as_nanos() as f64 / moves);
        ratios.push(ours.as_secs_f64() / bare.as_secs_f64());
    }
    let (ours_ns, bare_ns, ratio) = (median(ours_ns), median(bare_ns), median(ratios));

    let blitz: Vec<Game> = samples.iter().filter_map(Sample::forty_plies).collect();
    let bytes = blitz.iter().map(Game::footprint).max().unwrap_or(0);
    let log = blitz.iter().map(|g| g.encode().len()).max().unwrap_or(0);
    let decode_ns = median((0..ROUNDS).map(|_| time_decode(&blitz)).collect());

    println!("one move, median of {ROUNDS} rounds over {plies} half-moves of master games");
    println!("  our core                {ours_ns:>8.0} ns");
    println!("  bare shakmaty           {bare_ns:>8.0} ns");
    println!("  ratio                   {ratio:>8.2}      (at most {RATIO_MAX})");
    println!("one blitz game of 40 half-moves");
    println!("  in memory               {bytes:>8} bytes (at most {BYTES_MAX})");
    println!("    of these the struct   {:>8} bytes", size_of::<Game>());
    println!("  encoded                 {log:>8} bytes");
    println!("  decode                  {decode_ns:>8.0} ns");

    if ratio > RATIO_MAX || bytes > BYTES_MAX {
        eprintln!("a target was missed");
        return ExitCode::FAILURE;
    }
    ExitCode::SUCCESS
}

fn time_ours(samples: &[Sample]) -> Duration {
    let mut total = Duration::ZERO;
    for _ in 0..REPEATS {
        for sample in samples {
            let game = sample.joined();
            let start = Instant::now();
            black_box(ours::play(black_box(sample), &game));
            total += start.elapsed();
        }
    }
    total
}

fn time_bare(samples: &[Sample]) -> Duration {
    let mut total = Duration::ZERO;
    for _ in 0..REPEATS {
        for sample in samples {
            let start = Instant::now();
            black_box(bare::play(black_box(sample)));
            total += start.elapsed();
        }
    }
    total
}

fn time_decode(games: &[Game]) -> f64 {
    let start = Instant::now();
    for game in games {
        black_box(Game::decode(black_box(game.encode())).is_ok());
    }
    start.elapsed().as_nanos() as f64 / games.len() as f64
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}
