//! What was measured, kept as JSON, and shown as a table, Markdown and plots.

mod chart;
mod machine;
mod pages;

use std::fs;
use std::path::Path;

use serde::{Deserialize, Serialize};

pub(crate) use self::chart::{Plot, Series};
pub(crate) use self::machine::{describe, now};
pub(crate) use self::pages::{publish, put_between};
use crate::venue::Setup;

/// One scenario's results.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Section {
    /// Its name on the command line.
    pub(crate) scenario: String,
    /// What it ran on, if not on the default; its figures say so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) setup: Option<String>,
    /// What it is, in a few words.
    pub(crate) title: String,
    /// When it ended, and on what machine.
    pub(crate) at: String,
    pub(crate) machine: String,
    pub(crate) rows: Vec<Row>,
    pub(crate) plots: Vec<Plot>,
    /// What a reader has to know.
    pub(crate) notes: Vec<String>,
}

/// One figure.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Row {
    pub(crate) what: String,
    pub(crate) value: f64,
    pub(crate) unit: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) target: Option<Target>,
}

/// What a figure has to be.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Target {
    AtMost(f64),
    AtLeast(f64),
}

impl Section {
    pub(crate) fn new(scenario: &str, title: &str) -> Section {
        Section {
            scenario: scenario.into(),
            setup: None,
            title: title.into(),
            at: String::new(),
            machine: machine::describe(),
            rows: Vec::new(),
            plots: Vec::new(),
            notes: Vec::new(),
        }
    }

    /// The same scenario on something else than the default.
    pub(crate) fn on(mut self, setup: Setup) -> Section {
        self.setup = setup.name();
        self
    }

    /// Adds a figure.
    pub(crate) fn row(&mut self, what: impl Into<String>, value: f64, unit: &str) -> &mut Row {
        let what = what.into();
        self.rows.push(Row {
            what: match &self.setup {
                Some(setup) => format!("{setup}: {what}"),
                None => what,
            },
            value,
            unit: unit.into(),
            target: None,
        });
        let row = self.rows.last_mut().expect("it was just added");
        eprintln!("  {:<72} {}", row.what, row.shown());
        row
    }

    /// Says what could not be measured: a target that nobody looked at is not met.
    pub(crate) fn left_out(&mut self, what: &str, why: &str) {
        self.row(format!("{what}: left out"), 1.0, "").at_most(0.0);
        self.note(format!("{what} was left out: {why}"));
    }

    pub(crate) fn note(&mut self, note: impl Into<String>) {
        let note = note.into();
        let note = match &self.setup {
            Some(setup) => format!("{setup}: {note}"),
            None => note,
        };
        eprintln!("  note: {note}");
        self.notes.push(note);
    }

    /// Keeps it as JSON beside the others.
    pub(crate) fn save(mut self, results: &Path) -> Result<(), String> {
        self.at = machine::now();
        let path = results.join(self.file());
        let text = serde_json::to_string_pretty(&self).map_err(|e| e.to_string())? + "\n";
        fs::create_dir_all(results)
            .and_then(|()| fs::write(&path, text))
            .map_err(|error| format!("{}: {error}", path.display()))
    }

    /// Where it is kept: each setup beside the others, so that none is lost by another run.
    fn file(&self) -> String {
        let setup = self.setup.as_deref().map_or(String::new(), |setup| {
            let words = setup.split(|c: char| !c.is_ascii_alphanumeric());
            let words = words.filter(|word| !word.is_empty());
            words.fold(String::new(), |all, word| all + "-" + &word.to_lowercase())
        });
        format!("{}{setup}.json", self.scenario)
    }

    /// Reads what was kept.
    pub(crate) fn load(path: &Path) -> Result<Section, String> {
        let text = fs::read_to_string(path).map_err(|e| format!("{}: {e}", path.display()))?;
        serde_json::from_str(&text).map_err(|e| format!("{}: {e}", path.display()))
    }
}

impl Row {
    pub(crate) fn at_most(&mut self, limit: f64) {
        self.target = Some(Target::AtMost(limit));
    }

    pub(crate) fn at_least(&mut self, limit: f64) {
        self.target = Some(Target::AtLeast(limit));
    }

    /// Value and unit for a person.
    pub(crate) fn shown(&self) -> String {
        format!("{} {}", figure(self.value), self.unit)
            .trim()
            .to_owned()
    }

    /// Whether the target is met, if there is one.
    pub(crate) fn is_met(&self) -> Option<bool> {
        Some(match self.target? {
            Target::AtMost(limit) => self.value <= limit,
            Target::AtLeast(limit) => self.value >= limit,
        })
    }

    pub(crate) fn target_shown(&self) -> String {
        match self.target {
            None => String::new(),
            Some(Target::AtMost(limit)) => format!("at most {}", figure(limit)),
            Some(Target::AtLeast(limit)) => format!("at least {}", figure(limit)),
        }
    }
}

/// A count with its thousands apart.
pub(crate) fn count(many: usize) -> String {
    figure(many as f64)
}

/// Adds a line.
fn push(text: &mut String, line: std::fmt::Arguments<'_>) {
    text.push_str(&line.to_string());
    text.push('\n');
}

/// A number with as many digits as mean something.
pub(crate) fn figure(value: f64) -> String {
    let digits = match value.abs() {
        v if v == v.trunc() && v < 1e6 || v >= 100.0 => 0,
        v if v >= 10.0 => 1,
        _ => 2,
    };
    let plain = format!("{value:.digits$}");
    let (whole, rest) = plain
        .split_once('.')
        .map_or((&*plain, None), |(w, r)| (w, Some(r)));
    let (sign, whole) = whole.strip_prefix('-').map_or(("", whole), |w| ("-", w));
    let mut grouped = String::new();
    for (index, digit) in whole.chars().enumerate() {
        if index > 0 && (whole.len() - index) % 3 == 0 {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    match rest {
        Some(rest) => format!("{sign}{grouped}.{rest}"),
        None => format!("{sign}{grouped}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_setup_has_a_file_of_its_own() {
        let section = || Section::new("moves", "");
        assert_eq!(section().file(), "moves.json");
        let shared = section().on(Setup::shared(1));
        assert_eq!(shared.file(), "moves-postgresql-one-node.json");
    }

    #[test]
    fn what_was_not_measured_meets_no_target() {
        let mut section = Section::new("peers", "");
        section.left_out("Colyseus", "there is no Node");
        let met: Vec<_> = section.rows.iter().filter_map(Row::is_met).collect();
        assert_eq!(met, [false]);
        assert_eq!(section.notes, ["Colyseus was left out: there is no Node"]);
    }

    #[test]
    fn figures_have_as_many_digits_as_mean_something() {
        assert_eq!(figure(500_000.0), "500,000");
        assert_eq!(figure(1234.56), "1,235");
        assert_eq!(figure(12.34), "12.3");
        assert_eq!(figure(1.3), "1.30");
        assert_eq!(figure(0.0), "0");
        assert_eq!(figure(-1234.0), "-1,234");
    }
}
