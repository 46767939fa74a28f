//! A finished game of a match, as a line of JSON.

use chess::Color;
use serde::{Deserialize, Serialize};

/// A finished game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Record {
    /// Which game of the match, from 0.
    pub game: u64,
    /// The seed of the match.
    pub seed: u64,
    /// Who had White.
    pub white: String,
    /// Who had Black.
    pub black: String,
    /// Whether the first player of the match had White.
    pub first_is_white: bool,
    /// The variant, by its name on the wire.
    pub variant: String,
    /// Where it began.
    pub start: String,
    /// The moves in UCI, those of the opening first.
    pub moves: Vec<String>,
    /// How many of them are the opening.
    pub opening: usize,
    /// `1-0`, `0-1` or `1/2-1/2`.
    pub result: String,
    /// Why.
    pub reason: String,
}

impl Record {
    /// Who won.
    pub fn winner(&self) -> Option<Color> {
        match self.result.as_str() {
            "1-0" => Some(Color::White),
            "0-1" => Some(Color::Black),
            _ => None,
        }
    }

    /// The points of the first player.
    pub fn points(&self) -> f64 {
        match self.winner() {
            None => 0.5,
            Some(color) if (color == Color::White) == self.first_is_white => 1.0,
            Some(_) => 0.0,
        }
    }

    /// The line, without its end.
    pub fn to_line(&self) -> String {
        serde_json::to_string(self).expect("a record is plain text and numbers")
    }
}

/// The records of a file, and how many lines are none: a run that was interrupted may leave half a line.
pub fn read(text: &str) -> (Vec<Record>, usize) {
    let (mut records, mut broken) = (Vec::new(), 0);
    for line in text.lines().filter(|line| !line.trim().is_empty()) {
        match serde_json::from_str(line) {
            Ok(record) => records.push(record),
            Err(_) => broken += 1,
        }
    }
    (records, broken)
}
