//! Instructions of the core, counted by valgrind: the same on every machine
//! and in every run, so that a rise is a change of ours.
//!
//! `make bench-counts` runs it and fails if one of the works takes over 5 %
//! more than `bench/core.json` says, or if a change takes more in a long game
//! than in a short one; with `SAVE=1` it writes that file.

mod figures;
mod lengths;
#[path = "../core/sample.rs"]
#[expect(dead_code, reason = "the other benchmark uses more of it")]
mod sample;
mod work;

use std::env;
use std::process::{Command, ExitCode};

use figures::{Figures, PLAIN};

fn main() -> ExitCode {
    // Under valgrind: do one of the works.
    if let Ok(name) = env::var("COUNTED_WORK") {
        work::run(&name);
        return ExitCode::SUCCESS;
    }
    match compare() {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("{why}");
            ExitCode::FAILURE
        }
    }
}

fn compare() -> Result<(), String> {
    let mut figures = Figures::begin();
    let mut changes = Vec::new();
    for name in work::NAMES {
        let now = count(name)?;
        figures.note(name, now);
        if work::CHANGES.contains(&name) {
            changes.push(now as f64);
        }
    }
    let [short, long] = changes[..] else {
        return Err("a change is counted at two lengths".to_owned());
    };
    println!(
        "a change at 600 half-moves takes {:.3} of one at 40",
        long / short
    );
    if long > lengths::RATIO_MAX * short {
        return Err("a change must not cost more in a long game".to_owned());
    }
    figures.end()
}

/// Runs one of the works under valgrind, which counts only inside of it.
fn count(name: &str) -> Result<u64, String> {
    let myself = env::current_exe().map_err(|error| error.to_string())?;
    let output = Command::new("valgrind")
        .args(["--tool=callgrind", "--callgrind-out-file=/dev/null"])
        .arg(format!("--toggle-collect=*work*{name}*"))
        .arg(myself)
        .env("COUNTED_WORK", name)
        .env("GLIBC_TUNABLES", PLAIN)
        .output()
        .map_err(|error| format!("valgrind: {error}"))?;
    let said = String::from_utf8_lossy(&output.stderr);
    let line = said
        .lines()
        .find_map(|line| line.split_once("Collected : "));
    let count = line
        .and_then(|(_, number)| number.trim().parse().ok())
        .unwrap_or(0);
    if !output.status.success() || count == 0 {
        return Err(format!("{name}: valgrind counted nothing\n{said}"));
    }
    Ok(count)
}
