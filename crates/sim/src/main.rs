//! `sim --seed N --steps M [--seeds K] [--trace]`: runs one seed, or K from N on.

use std::process::ExitCode;

use sim::{Counts, Options, run};

const USAGE: &str = "usage: sim [--seed N] [--seeds K] [--steps M] [--trace]";

fn main() -> ExitCode {
    let mut options = Options {
        seed: 1,
        steps: 1_000,
        trace: false,
        sabotage: None,
    };
    let mut seeds = 1;
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        if argument == "--trace" {
            options.trace = true;
            continue;
        }
        let value = arguments.next().and_then(|text| text.parse().ok());
        match (argument.as_str(), value) {
            ("--seed", Some(seed)) => options.seed = seed,
            ("--seeds", Some(many)) => seeds = many,
            ("--steps", Some(steps)) => options.steps = steps,
            _ => {
                eprintln!("{USAGE}");
                return ExitCode::FAILURE;
            }
        }
    }
    let first = options.seed;
    let mut counts = Counts::default();
    for seed in first..first.saturating_add(seeds) {
        options.seed = seed;
        match run(options) {
            Ok(report) => counts = counts + report.counts,
            Err(broken) => {
                println!("{broken}");
                return ExitCode::FAILURE;
            }
        }
    }
    println!("{counts:#?}");
    println!(
        "{seeds} seeds of {} steps: all invariants hold",
        options.steps
    );
    ExitCode::SUCCESS
}
