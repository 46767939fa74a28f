//! Scenario `core`: the instructions of the pure core, counted by valgrind.

use std::process::Command;

use crate::report::Section;

/// The same changes in a short game and in a long one.
const CHANGES: [&str; 2] = ["change_at_40_plies", "change_at_600_plies"];

/// Runs the core's own counting benchmark and shows what it says.
pub(crate) fn run() -> Result<Section, String> {
    let mut section = Section::new("core", "instructions of the pure core");
    let output = Command::new("cargo")
        .args(["bench", "-q", "-p", "chess", "--bench", "counted"])
        .output()
        .map_err(|error| format!("cargo: {error}"))?;
    let said = String::from_utf8_lossy(&output.stdout);
    let mut rise = f64::MIN;
    let mut changes = [None; 2];
    for line in said.lines().skip(1) {
        let words: Vec<&str> = line.split_ascii_whitespace().collect();
        let [name, _, now, change] = words[..] else {
            continue;
        };
        let number = |text: &str| text.trim_end_matches('%').parse::<f64>();
        let (Ok(now), Ok(change)) = (number(now), number(change)) else {
            continue;
        };
        rise = rise.max(change);
        if let Some(at) = CHANGES.iter().position(|of| *of == name) {
            changes[at] = Some(now);
        }
        section.row(name.replace('_', " "), now, "instructions");
    }
    if rise == f64::MIN {
        section.left_out("instructions", &String::from_utf8_lossy(&output.stderr));
    } else {
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
