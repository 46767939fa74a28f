//! Everything measured so far on one page, and in the README.

use std::fs;
use std::path::Path;

use super::{Section, push};

/// The scenarios in the order they are shown.
const ORDER: [&str; 6] = ["moves", "watch", "mixed", "restart", "core", "peers"];
const BEGIN: &str = "bench: written by `make bench`";
const END: &str = "bench: end";

/// Reads what the scenarios left, prints it, and writes `results.md`,
/// `results.json`, the plots, and the README's part. Says whether every
/// target is met.
pub(crate) fn publish(results: &Path, readme: &Path) -> Result<bool, String> {
    let mut sections = Vec::new();
    for name in ORDER {
        let path = results.join(format!("{name}.json"));
        if path.exists() {
            sections.push(Section::load(&path)?);
        }
    }
    for plot in sections.iter().flat_map(|section| &section.plots) {
        write(&results.join(format!("{}.svg", plot.name)), &plot.svg())?;
    }
    let mut page = String::from(
        "# Results of the last run\n\nWritten by `make bench`; see docs/performance.md for what they mean.\n",
    );
    for section in &sections {
        page += &markdown(section, "");
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

fn markdown(section: &Section, plots_in: &str) -> String {
    let mut out = format!("\n## {}: {}\n\n", section.scenario, section.title);
    push(
        &mut out,
        format_args!("{}; {}.\n", section.at, section.machine),
    );
    out += "| | measured | target | |\n|---|---:|---:|---|\n";
    for row in &section.rows {
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
    for note in &section.notes {
        push(&mut out, format_args!("- {note}"));
    }
    for plot in &section.plots {
        push(
            &mut out,
            format_args!("\n![{}]({plots_in}{}.svg)", plot.title, plot.name),
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
