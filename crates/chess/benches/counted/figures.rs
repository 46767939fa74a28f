//! What was counted and what was committed, in `bench/core.json`: one `"name": number`
//! a line.

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
    is_fine: bool,
}

impl Figures {
    /// Nothing was counted yet.
    pub(crate) fn begin() -> Figures {
        println!(
            "{:<28} {:>14} {:>14} {:>8}",
            "instructions", "committed", "now", "change"
        );
        let committed = fs::read_to_string(COMMITTED);
        Figures {
            committed: committed.map(|text| read(&text)).unwrap_or_default(),
            counted: Vec::new(),
            is_fine: true,
        }
    }

    /// Says how it compares.
    pub(crate) fn note(&mut self, name: &str, now: u64) {
        self.counted.push((name.to_owned(), now));
        let before = self.committed.iter().find(|(of, _)| of == name);
        let Some((_, before)) = before else {
            println!("{name:<28} {:>14} {now:>14}", "-");
            return;
        };
        let change = now as f64 / *before as f64 - 1.0;
        println!(
            "{name:<28} {before:>14} {now:>14} {:>+7.2}%",
            change * 100.0
        );
        self.is_fine &= change <= RISE_MAX;
    }

    /// Keeps what was counted if that is asked for; else it must not have risen.
    pub(crate) fn end(mut self) -> Result<(), String> {
        if env::var_os("SAVE").is_none() {
            return match self.is_fine {
                true => Ok(()),
                false => Err(format!(
                    "a work takes over {} % more instructions than before\n\
                     if that is meant, run `make bench-counts SAVE=1` and commit bench/core.json",
                    RISE_MAX * 100.0
                )),
            };
        }
        // Others keep figures there, too.
        for (name, now) in self.counted {
            match self.committed.iter_mut().find(|(of, _)| *of == name) {
                Some((_, figure)) => *figure = now,
                None => self.committed.push((name, now)),
            }
        }
        let text = write(&self.committed);
        fs::write(COMMITTED, text).map_err(|error| format!("{COMMITTED}: {error}"))
    }
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
