//! Instructions of the core, counted by valgrind: the same on every machine
//! and in every run, so that a rise is a change of ours.
//!
//! `make bench-counts` runs it and fails if one of the works takes over 5 %
//! more than `bench/core.json` says, or if a change takes more in a long game
//! than in a short one; with `SAVE=1` it writes that file.

mod lengths;
#[path = "../core/sample.rs"]
#[expect(dead_code, reason = "the other benchmark uses more of it")]
mod sample;
mod work;

use std::collections::BTreeMap;
use std::process::{Command, ExitCode};
use std::{env, fs};

const RISE_MAX: f64 = 0.05;
/// The C library copies memory as the processor at hand likes it best; here as
/// any of them can, so that counts do not depend on the machine.
const PLAIN: &str =
    "glibc.cpu.hwcaps=-AVX,-AVX2,-AVX512F,-AVX512VL,-AVX512BW,-ERMS,-FSRM,-AVX_Fast_Unaligned_Load";
const COMMITTED: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../bench/core.json");

fn main() -> ExitCode {
    // Under valgrind: do one of the works.
    if let Ok(name) = env::var("COUNTED_WORK") {
        work::run(&name);
        return ExitCode::SUCCESS;
    }
    match compare() {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => {
            eprintln!(
                "a work takes over {} % more instructions than before",
                RISE_MAX * 100.0
            );
            eprintln!(
                "if that is meant, run `make bench-counts SAVE=1` and commit bench/core.json"
            );
            ExitCode::FAILURE
        }
        Err(why) => {
            eprintln!("{why}");
            ExitCode::FAILURE
        }
    }
}

fn compare() -> Result<bool, String> {
    let committed = fs::read_to_string(COMMITTED)
        .map(|text| read(&text))
        .unwrap_or_default();
    let mut counts = BTreeMap::new();
    let mut is_fine = true;
    println!(
        "{:<28} {:>14} {:>14} {:>8}",
        "instructions", "committed", "now", "change"
    );
    for name in work::NAMES {
        let now = count(name)?;
        counts.insert(name, now);
        let Some(before) = committed.get(name) else {
            println!("{name:<28} {:>14} {now:>14}", "-");
            continue;
        };
        let change = now as f64 / *before as f64 - 1.0;
        println!(
            "{name:<28} {before:>14} {now:>14} {:>+7.2}%",
            change * 100.0
        );
        is_fine &= change <= RISE_MAX;
    }
    let [short, long] = work::CHANGES.map(|name| counts[name] as f64);
    println!(
        "a change at 600 half-moves takes {:.3} of one at 40",
        long / short
    );
    if long > lengths::RATIO_MAX * short {
        return Err("a change must not cost more in a long game".to_owned());
    }
    if env::var_os("SAVE").is_some() {
        fs::write(COMMITTED, write(&counts)).map_err(|error| format!("{COMMITTED}: {error}"))?;
        return Ok(true);
    }
    if committed.is_empty() {
        return Err(format!("{COMMITTED} has no figures: run with SAVE=1"));
    }
    Ok(is_fine)
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

/// The figures: one `"name": number` a line.
fn read(text: &str) -> BTreeMap<String, u64> {
    let pairs = text.lines().filter_map(|line| line.split_once(':'));
    let figure = |(name, number): (&str, &str)| {
        let number = number.trim().trim_end_matches(',').parse().ok()?;
        Some((name.trim().trim_matches('"').to_owned(), number))
    };
    pairs.filter_map(figure).collect()
}

fn write(counts: &BTreeMap<&str, u64>) -> String {
    let lines: Vec<String> = work::NAMES
        .iter()
        .map(|name| format!("  \"{name}\": {}", counts[name]))
        .collect();
    format!("{{\n{}\n}}\n", lines.join(",\n"))
}
