//! Scenario `core`: the instructions of the pure core, and of the whole path of a move and
//! of making a game, counted by valgrind.

use std::process::Command;

use crate::report::Section;

/// The same changes in a short game and in a long one.
const CHANGES: [&str; 2] = ["change_at_40_plies", "change_at_600_plies"];

/// What counts them: the core by itself, and the server as the tests build it. The second
/// needs all packages, as in `scripts/counts`, or it would be another build.
const PROGRAMS: [(&str, &[&str]); 2] = [
    ("the core", &["-p", "chess", "--bench", "counted"]),
    (
        "whole moves",
        &["--workspace", "--profile", "dev", "--bench", "path"],
    ),
];

/// Runs the counting benchmarks and shows what they say.
pub(crate) fn run() -> Result<Section, String> {
    let mut section = Section::new("core", "instructions of the core and of whole moves");
    let mut rise = f64::MIN;
    let mut changes = [None; 2];
    for (what, program) in PROGRAMS {
        let output = Command::new("cargo")
            .args(["bench", "-q"])
            .args(program)
            .output()
            .map_err(|error| format!("cargo: {error}"))?;
        let rows = rows(&String::from_utf8_lossy(&output.stdout));
        if rows.is_empty() {
            section.left_out(what, &String::from_utf8_lossy(&output.stderr));
        }
        for (name, now, change) in rows {
            rise = rise.max(change.unwrap_or(f64::MIN));
            if let Some(at) = CHANGES.iter().position(|of| *of == name) {
                changes[at] = Some(now);
            }
            section.row(name.replace('_', " "), now, "instructions");
        }
    }
    if rise > f64::MIN {
        section
            .row("largest rise against the committed figures", rise, "%")
            .at_most(5.0);
    }
    if let [Some(short), Some(long)] = changes {
        section
            .row("a move at 600 half-moves over one at 40", long / short, "")
            .at_most(1.15);
    }
    Ok(section)
}

/// What was counted: its name, how many, and by how much per cent it has changed, unless it
/// is only shown.
fn rows(said: &str) -> Vec<(String, f64, Option<f64>)> {
    let number = |text: &str| text.trim_end_matches('%').parse::<f64>().ok();
    let row = |line: &str| {
        let words: Vec<&str> = line.split_ascii_whitespace().collect();
        match words[..] {
            [name, _, now, change] => Some((name.to_owned(), number(now)?, Some(number(change)?))),
            [name, "-", now] => Some((name.to_owned(), number(now)?, None)),
            _ => None,
        }
    };
    said.lines().filter_map(row).collect()
}
