//! The tables of a page, and the figures as JSON.

use std::fs;
use std::path::Path;

use serde::Serialize;

use super::outcome::shown;
use super::{KINDS, Kind, Outcome};
use crate::report::{describe, figure, now, put_between};

const MARK: &str = "attack: written by `make attack`";
const END: &str = "attack: end";

/// What is kept.
#[derive(Serialize)]
struct Kept<'a> {
    at: String,
    machine: String,
    seconds: u64,
    outcomes: &'a [Outcome],
}

/// Shows the tables; if every attack was made, also writes them into the page
/// and `attack.json` among the results. Says whether others were as well as they must be.
///
/// # Errors
/// Something cannot be written, or the page has no place for the tables.
pub fn publish(
    kinds: &[&Kind],
    outcomes: &[Outcome],
    seconds: u64,
    results: &Path,
    page: &Path,
) -> Result<bool, String> {
    let kept = Kept {
        at: now(),
        machine: describe(),
        seconds,
        outcomes,
    };
    let tables = tables(kinds, &kept);
    if kinds.len() == KINDS.len() {
        let json = serde_json::to_string_pretty(&kept).map_err(|e| e.to_string())? + "\n";
        let path = results.join("attack.json");
        let written = fs::create_dir_all(results).and_then(|()| fs::write(&path, json));
        written.map_err(|error| format!("{}: {error}", path.display()))?;
        put_between(page, MARK, END, &tables)?;
    }
    println!("{tables}");
    let mut is_well = true;
    for outcome in outcomes {
        for fault in outcome.faults() {
            println!("missed: {}: {fault}", outcome.attack);
            is_well = false;
        }
    }
    Ok(is_well)
}

fn tables(kinds: &[&Kind], kept: &Kept<'_>) -> String {
    let mut out =
        String::from("\n| attack | what the attacker does | what answers it |\n|---|---|---|\n");
    for kind in kinds {
        let Kind {
            name, what, answer, ..
        } = kind;
        out += &format!("| `{name}` | {what} | {answer} |\n");
    }
    let (at, machine, seconds) = (&kept.at, &kept.machine, kept.seconds);
    out += &format!("\nAttacks of {seconds} s each, {at}; {machine}.\n");
    out += "Milliseconds are the p99 of the honest, before → during.\n\n";
    let whats = kept.outcomes.first().map(|outcome| &outcome.measures);
    let whats = whats.into_iter().flatten().map(|measure| &*measure.what);
    let whats: Vec<&str> = whats.collect();
    out += &format!(
        "| attack | {} | errors | to the attacker: answered | refused | closed | memory MB, before → after (most) | \
         processors: server, all clients | |\n|---|",
        whats.join(" ms | ") + " ms"
    );
    out += &"---:|".repeat(whats.len() + 6);
    out += "---|\n";
    for outcome in kept.outcomes {
        out += &row(outcome);
    }
    out.push('\n');
    for outcome in kept.outcomes {
        for note in outcome.toll.notes.iter().chain(&outcome.faults()) {
            out += &format!("- `{}`: {note}\n", outcome.attack);
        }
    }
    out
}

fn row(outcome: &Outcome) -> String {
    let measures = outcome.measures.iter().map(shown);
    let measures: Vec<String> = measures.collect();
    let toll = &outcome.toll;
    let [before, after, most] = outcome.memory.map(|mb| figure(mb.round()));
    let [server, clients] = outcome.processors.map(|share| format!("{share:.2}"));
    let verdict = if outcome.faults().is_empty() {
        "within"
    } else {
        "**out of bounds**"
    };
    let [answered, refused, closed, errors] =
        [toll.answered, toll.refused, toll.closed, outcome.errors].map(|many| figure(many as f64));
    format!(
        "| `{}` | {} | {errors} | {answered} | {refused} | {closed} | {before} → {after} ({most}) | {server}, {clients} | {verdict} |\n",
        outcome.attack,
        measures.join(" | "),
    )
}
