//! What came of an attack, for others and for the attacker.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::people::Seen;
use crate::report::figure;

/// Others may wait so many times as long as before ...
const TIMES_MAX: f64 = 3.0;
/// ... or so many milliseconds, whichever is larger.
const MS_MAX: f64 = 50.0;

/// What became of the attacker's requests and connections.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Toll {
    /// Done as asked.
    pub answered: u64,
    /// Refused, with whatever reason.
    pub refused: u64,
    /// Closed without an answer.
    pub closed: u64,
    /// Answered with an error of the server's own.
    pub failed: u64,
    /// Times that somebody else was harmed in another way than by waiting.
    pub harm: u64,
    /// What a reader has to know.
    pub notes: Vec<String>,
}

impl Toll {
    pub(super) fn count(&mut self, status: u16) {
        *match status {
            0..400 => &mut self.answered,
            400..500 | 503 => &mut self.refused,
            _ => &mut self.failed,
        } += 1;
    }

    pub(super) fn note(&mut self, note: impl Into<String>) {
        self.notes.push(note.into());
    }

    /// Both together.
    pub(super) fn and(mut self, mut other: Toll) -> Toll {
        self.answered += other.answered;
        self.refused += other.refused;
        self.closed += other.closed;
        self.failed += other.failed;
        self.harm += other.harm;
        self.notes.append(&mut other.notes);
        self
    }
}

/// How long others waited for something: the 99th percentile, in milliseconds.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Measure {
    /// For what.
    pub what: String,
    /// Before the attack, if that was measured.
    pub before: Option<f64>,
    /// While it went on.
    pub during: f64,
    /// How often.
    pub samples: usize,
}

impl Measure {
    /// How long they may wait.
    pub fn bound(&self) -> f64 {
        (self.before.unwrap_or_default() * TIMES_MAX).max(MS_MAX)
    }

    /// Whether they did not wait longer.
    pub fn is_within(&self) -> bool {
        self.during <= self.bound()
    }
}

/// What came of an attack.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Outcome {
    /// The attack's name.
    pub attack: String,
    /// How long others waited.
    pub measures: Vec<Measure>,
    /// What others were not answered, or otherwise than they must be.
    pub errors: u64,
    /// The first of these.
    pub wrong: Option<String>,
    /// The attacker's part.
    pub toll: Toll,
    /// The server's memory before and after it and at its most, in MB.
    pub memory: [f64; 3],
    /// Processors kept busy by the server and by all its clients.
    pub processors: [f64; 2],
}

impl Outcome {
    pub(super) fn new(attack: &str, before: Option<Seen>, during: Seen, toll: Toll) -> Outcome {
        let mut before = before;
        let was = before.as_mut().map(Seen::p99s);
        let mut during = during;
        let samples = during.samples();
        let is = during.p99s().into_iter().zip(samples).enumerate();
        let measures = is.map(|(index, ((what, during), samples))| Measure {
            what: what.to_owned(),
            before: was.as_ref().map(|was| was[index].1),
            during,
            samples,
        });
        let measures = measures.collect();
        let earlier = before.map_or((0, None), |seen| (seen.errors, seen.wrong));
        Outcome {
            attack: attack.to_owned(),
            measures,
            errors: earlier.0 + during.errors,
            wrong: earlier.1.or(during.wrong),
            toll,
            memory: [0.0; 3],
            processors: [0.0; 2],
        }
    }

    pub(super) fn with_memory(mut self, bytes: [u64; 3]) -> Outcome {
        self.memory = bytes.map(|bytes| bytes as f64 / 1e6);
        self
    }

    pub(super) fn with_processors(mut self, processors: [f64; 2]) -> Outcome {
        self.processors = processors;
        self
    }

    /// What is wrong, if anything is.
    pub fn faults(&self) -> Vec<String> {
        let mut faults = Vec::new();
        for measure in self.measures.iter().filter(|m| !m.is_within()) {
            let (what, during) = (&measure.what, figure(measure.during));
            let bound = figure(measure.bound());
            faults.push(format!("{what}: p99 {during} ms, at most {bound}"));
        }
        if self.errors > 0 {
            let first = self.wrong.as_deref().unwrap_or_default();
            faults.push(format!("{} errors of others: {first}", self.errors));
        }
        if self.toll.harm > 0 {
            faults.push(format!("others were harmed {} times", self.toll.harm));
        }
        if self.toll.failed > 0 {
            let failed = self.toll.failed;
            faults.push(format!("{failed} answers were errors of the server"));
        }
        faults
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Toll {
            answered,
            refused,
            closed,
            ..
        } = &self.toll;
        write!(f, "{:<10}", self.attack)?;
        for measure in &self.measures {
            write!(f, " {} {}", measure.what, shown(measure))?;
        }
        let [before, after, _] = self.memory.map(figure);
        write!(
            f,
            "; answered {answered}, refused {refused}, closed {closed}"
        )?;
        write!(f, "; {before} to {after} MB")?;
        for fault in self.faults() {
            write!(f, "\n  FAULT: {fault}")?;
        }
        for note in &self.toll.notes {
            write!(f, "\n  note: {note}")?;
        }
        Ok(())
    }
}

/// Before and during, for a person.
pub(super) fn shown(measure: &Measure) -> String {
    let during = figure(measure.during);
    match measure.before {
        Some(before) => format!("{} → {during}", figure(before)),
        None => during,
    }
}
