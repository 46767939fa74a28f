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
use std::time::Instant;

use chess::game::Game;
use chess::table::Table;
use sample::Sample;

/// How often each game is played by either side. They take turns game by
/// game, and medians are told: whatever disturbs the machine meanwhile hits
/// both sides alike, or too few games to matter.
const ROUNDS: usize = 501;

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
    let (mut ours_ns, mut bare_ns) = (0.0, 0.0);
    for sample in &samples {
        let (ours, bare) = measure(sample);
        ours_ns += ours / plies as f64;
        bare_ns += bare / plies as f64;
    }
    let ratio = ours_ns / bare_ns;

    let blitz: Vec<Game> = samples.iter().filter_map(Sample::forty_plies).collect();
    let bytes = blitz.iter().map(Game::footprint).max().unwrap_or(0);
    let log = blitz.iter().map(|g| g.encode().len()).max().unwrap_or(0);
    let decodes = blitz.iter().cycle().take(ROUNDS);
    let decode_ns = median(
        decodes
            .map(Game::encode)
            .map(|history| time(|| Game::decode(black_box(&history))))
            .collect(),
    );

    println!(
        "one move, over the {plies} half-moves of {} master games",
        samples.len()
    );
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

/// The nanoseconds that a game takes in our core, and on bare `shakmaty`.
fn measure(sample: &Sample) -> (f64, f64) {
    let joined = sample.joined();
    let (mut ours, mut bare) = (Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        ours.push(time(|| ours::play(black_box(sample), &joined)));
        bare.push(time(|| bare::play(black_box(sample))));
    }
    (median(ours), median(bare))
}

fn time<T>(work: impl FnOnce() -> T) -> f64 {
    let start = Instant::now();
    black_box(work());
    start.elapsed().as_nanos() as f64
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}
