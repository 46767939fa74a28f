//! `sim [--seed N] [--seeds K] [--steps M] [--trace] [--cluster]`: runs one seed, or K
//! from N on, of one node or of several.
//! Built with the feature `mutants`, `--mutant NAME` makes a mistake on purpose, and
//! `--mutants` lists them.

use std::process::ExitCode;

use sim::{Options, run_many};

const USAGE: &str =
    "usage: sim [--seed N] [--seeds K] [--steps M] [--trace] [--cluster] [--mutant NAME]";

/// How often a long run says how far it is.
const TELL_EVERY: u64 = 10_000;

fn main() -> ExitCode {
    if std::env::args().any(|argument| argument == "--mutants") {
        println!("{}", mutants().join("\n"));
        return ExitCode::SUCCESS;
    }
    match arguments() {
        Ok((options, seeds)) => simulate(options, seeds),
        Err(wrong) => {
            eprintln!("{wrong}\n{USAGE}");
            ExitCode::FAILURE
        }
    }
}

fn simulate(options: Options, seeds: u64) -> ExitCode {
    let progress = |done| {
        if done % TELL_EVERY == 0 && done < seeds {
            println!("{done} of {seeds} seeds");
        }
    };
    match run_many(options, seeds, progress) {
        Ok(counts) => {
            println!("{counts:#?}");
            let steps = options.steps;
            println!("{seeds} seeds of {steps} steps: all invariants hold");
            ExitCode::SUCCESS
        }
        Err(failures) => {
            println!("{}", failures.join("\n"));
            ExitCode::FAILURE
        }
    }
}

fn arguments() -> Result<(Options, u64), String> {
    let mut options = Options {
        seed: 1,
        steps: 1_000,
        trace: false,
        sabotage: None,
        is_cluster: false,
    };
    let mut seeds = 1;
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        if argument == "--trace" {
            options.trace = true;
            continue;
        }
        if argument == "--cluster" {
            options.is_cluster = true;
            continue;
        }
        let value = arguments.next().unwrap_or_default();
        let number = || {
            let wrong = |_| format!("{argument} wants a number, not '{value}'");
            value.parse::<u64>().map_err(wrong)
        };
        match argument.as_str() {
            "--seed" => options.seed = number()?,
            "--seeds" => seeds = number()?,
            "--steps" => options.steps = number()?,
            "--mutant" => options.is_cluster |= choose(&value)?,
            _ => return Err(format!("what is {argument}?")),
        }
    }
    Ok((options, seeds))
}

fn mutants() -> Vec<&'static str> {
    let all = live::Mutant::ALL.into_iter();
    all.map(live::Mutant::name).collect()
}

/// Chooses a mistake. Whether only several nodes can make it.
#[cfg(feature = "mutants")]
fn choose(name: &str) -> Result<bool, String> {
    let mutant = live::Mutant::by_name(name)
        .ok_or_else(|| format!("--mutant wants one of {}", mutants().join(", ")))?;
    mutant.choose();
    Ok(mutant.needs_several())
}

#[cfg(not(feature = "mutants"))]
fn choose(_: &str) -> Result<bool, String> {
    Err("--mutant needs the feature: cargo run -p sim --features mutants -- ...".into())
}
