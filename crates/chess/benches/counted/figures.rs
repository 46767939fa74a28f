//! What was counted and what was committed, in `bench/core.json`: one `"name": number`
//! a line. Two programs keep their figures there, this one's core and the server's path; each
//! looks at its own.

use std::{env, fs};

/// How much more than committed a figure may be.
const RISE_MAX: f64 = 0.05;
/// The C library copies memory as the processor at hand likes it best; here as
/// any of them can, so that counts do not depend on the machine.
pub(crate) const PLAIN: &str =
    "glibc.cpu.hwcaps=-AVX,-AVX2,-AVX512F,-AVX512VL,-AVX512BW,-ERMS,-FSRM,-AVX_Fast_Unaligned_Load";
const COMMITTED: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../bench/core.json");

/// What was counted so far.
pub(crate) struct Figures {
    committed: Vec<(String, u64)>,
    counted: Vec<(String, u64)>,
    /// What has risen too far.
    risen: Vec<String>,
}

impl Figures {
    /// Nothing was counted yet.
    pub(crate) fn begin() -> Figures {
        println!(
            "{:<28} {:>14} {:>14} {:>8}",
            "instructions", "committed", "now", "change"
        );
        Figures {
            committed: committed(),
            counted: Vec::new(),
            risen: Vec::new(),
        }
    }

    /// Says how it compares.
    pub(crate) fn note(&mut self, name: &str, now: u64) {
        self.counted.push((name.to_owned(), now));
        let before = self.committed.iter().find(|(of, _)| of == name);
        let Some((_, before)) = before else {
            return self.show(name, now);
        };
        let change = now as f64 / *before as f64 - 1.0;
        println!(
            "{name:<28} {before:>14} {now:>14} {:>+7.2}%",
            change * 100.0
        );
        if change > RISE_MAX {
            self.risen.push(name.to_owned());
        }
    }

    /// Says what is held to nothing, and not kept.
    pub(crate) fn show(&self, name: &str, now: u64) {
        println!("{name:<28} {:>14} {now:>14}", "-");
    }

    /// Keeps what was counted if that is asked for; else it must not have risen.
    pub(crate) fn end(self) -> Result<(), String> {
        if env::var_os("SAVE").is_some() {
            let text = write(&merged(committed(), self.counted));
            return fs::write(COMMITTED, text).map_err(|error| format!("{COMMITTED}: {error}"));
        }
        match &self.risen[..] {
            [] => Ok(()),
            risen => Err(format!(
                "over {} % more instructions than bench/core.json says: {}\n\
                 if that is meant, run `make bench-counts SAVE=1` and commit bench/core.json",
                RISE_MAX * 100.0,
                risen.join(", ")
            )),
        }
    }
}

fn committed() -> Vec<(String, u64)> {
    let text = fs::read_to_string(COMMITTED);
    text.map(|text| read(&text)).unwrap_or_default()
}

/// What was committed with what was counted in its place; what another program counts
/// stays as it is.
fn merged(mut committed: Vec<(String, u64)>, counted: Vec<(String, u64)>) -> Vec<(String, u64)> {
    for (name, now) in counted {
        match committed.iter_mut().find(|(of, _)| *of == name) {
            Some((_, figure)) => *figure = now,
            None => committed.push((name, now)),
        }
    }
    committed
}

fn read(text: &str) -> Vec<(String, u64)> {
    let pairs = text.lines().filter_map(|line| line.split_once(':'));
    let figure = |(name, number): (&str, &str)| {
        let number = number.trim().trim_end_matches(',').parse().ok()?;
        Some((name.trim().trim_matches('"').to_owned(), number))
    };
    pairs.filter_map(figure).collect()
}

fn write(figures: &[(String, u64)]) -> String {
    let lines = figures
        .iter()
        .map(|(name, figure)| format!("  \"{name}\": {figure}"));
    let lines: Vec<String> = lines.collect();
    format!("{{\n{}\n}}\n", lines.join(",\n"))
}
