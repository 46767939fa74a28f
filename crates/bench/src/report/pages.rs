//! Everything measured so far on one page, and in the README.

use std::fs;
use std::path::Path;

use super::{Section, push};

/// The scenarios in the order they are shown.
const ORDER: [&str; 9] = [
    "moves", "watch", "xmpp", "mixed", "queue", "bots", "restart", "core", "peers",
];
const BEGIN: &str = "bench: written by `make bench`";
const END: &str = "bench: end";

/// Reads what the scenarios left, prints it, and writes `results.md`,
/// `results.json`, the plots, and the README's part. Says whether every
/// target is met.
pub(crate) fn publish(results: &Path, readme: &Path) -> Result<bool, String> {
    let sections = load(results)?;
    for plot in sections.iter().flat_map(|section| &section.plots) {
        write(&results.join(format!("{}.svg", plot.name)), &plot.svg())?;
    }
    let mut page = String::from(
        "# Results of the last run\n\nWritten by `make bench`; see docs/performance.md for what they mean.\n",
    );
    for setups in sections.chunk_by(|a, b| a.scenario == b.scenario) {
        page += &markdown(setups);
    }
    write(&results.join("results.md"), &page)?;
    let json = serde_json::to_string_pretty(&sections).map_err(|e| e.to_string())? + "\n";
    write(&results.join("results.json"), &json)?;
    update(readme, &sections)?;
    println!("{page}");
    let rows = sections.iter().flat_map(|section| &section.rows);
    let missed: Vec<_> = rows.filter(|row| row.is_met() == Some(false)).collect();
    for row in &missed {
        println!(
            "missed: {}: {} ({})",
            row.what,
            row.shown(),
            row.target_shown()
        );
    }
    Ok(missed.is_empty())
}

/// What the scenarios left, in order, each scenario's default before what else it ran on.
fn load(results: &Path) -> Result<Vec<Section>, String> {
    let wrong = |error| format!("{}: {error}", results.display());
    let mut names = Vec::new();
    for entry in fs::read_dir(results).map_err(wrong)? {
        names.extend(entry.map_err(wrong)?.file_name().into_string());
    }
    names.sort_unstable();
    let mut sections = Vec::new();
    for scenario in ORDER {
        let whole = format!("{scenario}.json");
        let begins = format!("{scenario}-");
        let is_other = |name: &&String| name.starts_with(&begins) && name.ends_with(".json");
        let default = names.iter().filter(|name| **name == whole);
        let others = names.iter().filter(is_other);
        for name in default.chain(others) {
            sections.push(Section::load(&results.join(name))?);
        }
    }
    Ok(sections)
}

/// One scenario as one table, whatever it ran on.
fn markdown(setups: &[Section]) -> String {
    let Some(first) = setups.first() else {
        return String::new();
    };
    let mut out = format!("\n## {}: {}\n\n", first.scenario, first.title);
    for section in setups {
        let setup = section.setup.as_ref();
        let setup = setup.map_or(String::new(), |setup| format!("{setup}: "));
        push(
            &mut out,
            format_args!("{setup}{}; {}.\n", section.at, section.machine),
        );
    }
    out += "| | measured | target | |\n|---|---:|---:|---|\n";
    for row in setups.iter().flat_map(|section| &section.rows) {
        let met = match row.is_met() {
            None => "",
            Some(true) => "met",
            Some(false) => "**missed**",
        };
        push(
            &mut out,
            format_args!(
                "| {} | {} | {} | {met} |",
                row.what,
                row.shown(),
                row.target_shown()
            ),
        );
    }
    out.push('\n');
    for note in setups.iter().flat_map(|section| &section.notes) {
        push(&mut out, format_args!("- {note}"));
    }
    for plot in setups.iter().flat_map(|section| &section.plots) {
        push(
            &mut out,
            format_args!("\n![{}]({}.svg)", plot.title, plot.name),
        );
    }
    out
}

/// Puts the figures that have targets, and the plots, between the marks.
fn update(readme: &Path, sections: &[Section]) -> Result<(), String> {
    let mut part = String::from("\n| | measured | target |\n|---|---:|---:|\n");
    for row in sections
        .iter()
        .flat_map(|s| &s.rows)
        .filter(|r| r.target.is_some())
    {
        let missed = if row.is_met() == Some(false) {
            " (missed)"
        } else {
            ""
        };
        push(
            &mut part,
            format_args!(
                "| {} | {}{missed} | {} |",
                row.what,
                row.shown(),
                row.target_shown()
            ),
        );
    }
    if let Some(section) = sections.first() {
        push(
            &mut part,
            format_args!("\nMeasured {} on {}.\n", section.at, section.machine),
        );
    }
    for plot in sections.iter().flat_map(|section| &section.plots) {
        push(
            &mut part,
            format_args!("![{}](bench/results/{}.svg)", plot.title, plot.name),
        );
    }
    put_between(readme, BEGIN, END, &part)
}

/// Puts a part of a page between its marks, which are comments of it.
pub(crate) fn put_between(page: &Path, begin: &str, end: &str, part: &str) -> Result<(), String> {
    let text = fs::read_to_string(page).map_err(|e| format!("{}: {e}", page.display()))?;
    let (begin, end) = (format!("<!-- {begin} -->"), format!("<!-- {end} -->"));
    let parts = text.split_once(&begin).and_then(|(before, rest)| {
        let (_, after) = rest.split_once(&end)?;
        Some((before, after))
    });
    let Some((before, after)) = parts else {
        return Err(format!(
            "{}: the marks for the results are missing",
            page.display()
        ));
    };
    write(page, &format!("{before}{begin}\n{part}{end}{after}"))
}

fn write(path: &Path, text: &str) -> Result<(), String> {
    fs::write(path, text).map_err(|error| format!("{}: {error}", path.display()))
}
