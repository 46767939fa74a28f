//! `sim [--seed N] [--seeds K] [--steps M] [--trace] [--cluster | --pool [--players N]]`:
//! runs one seed, or K from N on, of one node, of several, or of several with a pool of
//! those who wait: a few for whom nothing goes well, or N with forty games each.
//! Built with the feature `mutants`, `--mutant NAME` makes a mistake on purpose, and
//! `--mutants` lists them.

use std::fmt::Debug;
use std::process::ExitCode;

use sim::{Options, PoolOptions, run_many, run_pool, run_pools};

const USAGE: &str = "usage: sim [--seed N] [--seeds K] [--steps M] [--trace] \
                     [--cluster | --pool [--players N]] [--mutant NAME]";

/// How often a long run says how far it is.
const TELL_EVERY: u64 = 10_000;

/// What to simulate.
struct Wanted {
    options: Options,
    seeds: u64,
    is_pool: bool,
    /// How many play in a large pool.
    players: Option<u32>,
}

fn main() -> ExitCode {
    if std::env::args().any(|argument| argument == "--mutants") {
        println!("{}", mutants().join("\n"));
        return ExitCode::SUCCESS;
    }
    match arguments() {
        Ok(wanted) => simulate(&wanted),
        Err(wrong) => {
            eprintln!("{wrong}\n{USAGE}");
            ExitCode::FAILURE
        }
    }
}

fn simulate(wanted: &Wanted) -> ExitCode {
    let Wanted { options, seeds, .. } = *wanted;
    let progress = |done| {
        if done % TELL_EVERY == 0 && done < seeds {
            println!("{done} of {seeds} seeds");
        }
    };
    let Options { seed, trace, .. } = options;
    if !wanted.is_pool {
        let of = format!("{seeds} seeds of {} steps", options.steps);
        return tell(run_many(options, seeds, progress), &of);
    }
    match wanted.players {
        Some(players) => {
            let large = PoolOptions {
                trace,
                ..PoolOptions::large(seed, players)
            };
            let result = run_pool(large).map_err(|broken| vec![broken.to_string()]);
            tell(result, &format!("seed {seed} of {players} players"))
        }
        None => {
            let hostile = PoolOptions {
                trace,
                ..PoolOptions::hostile(seed)
            };
            let of = format!("{seeds} seeds of pools");
            tell(run_pools(hostile, seeds, progress), &of)
        }
    }
}

fn tell<R: Debug>(result: Result<R, Vec<String>>, of: &str) -> ExitCode {
    match result {
        Ok(report) => {
            println!("{report:#?}");
            println!("{of}: all invariants hold");
            ExitCode::SUCCESS
        }
        Err(failures) => {
            println!("{}", failures.join("\n"));
            ExitCode::FAILURE
        }
    }
}

fn arguments() -> Result<Wanted, String> {
    let mut wanted = Wanted {
        options: Options {
            seed: 1,
            steps: 1_000,
            trace: false,
            sabotage: None,
            is_cluster: false,
        },
        seeds: 1,
        is_pool: false,
        players: None,
    };
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        let options = &mut wanted.options;
        let flag = match argument.as_str() {
            "--trace" => Some(&mut options.trace),
            "--cluster" => Some(&mut options.is_cluster),
            "--pool" => Some(&mut wanted.is_pool),
            _ => None,
        };
        if let Some(flag) = flag {
            *flag = true;
            continue;
        }
        let value = arguments.next().unwrap_or_default();
        let number = || {
            let wrong = |_| format!("{argument} wants a number, not '{value}'");
            value.parse::<u64>().map_err(wrong)
        };
        match argument.as_str() {
            "--seed" => options.seed = number()?,
            "--seeds" => wanted.seeds = number()?,
            "--steps" => options.steps = number()?,
            "--players" => wanted.players = Some(number()?.try_into().unwrap_or(u32::MAX)),
            "--mutant" => choose(&value, &mut wanted)?,
            _ => return Err(format!("what is {argument}?")),
        }
    }
    Ok(wanted)
}

fn mutants() -> Vec<&'static str> {
    let all = live::Mutant::ALL.into_iter();
    all.map(live::Mutant::name).collect()
}

/// Chooses a mistake, and where it can be made.
#[cfg(feature = "mutants")]
fn choose(name: &str, wanted: &mut Wanted) -> Result<(), String> {
    let mutant = live::Mutant::by_name(name)
        .ok_or_else(|| format!("--mutant wants one of {}", mutants().join(", ")))?;
    mutant.choose();
    wanted.options.is_cluster |= mutant.needs_several();
    wanted.is_pool |= mutant.needs_pool();
    Ok(())
}

#[cfg(not(feature = "mutants"))]
fn choose(_: &str, _: &mut Wanted) -> Result<(), String> {
    Err("--mutant needs the feature: cargo run -p sim --features mutants -- ...".into())
}
