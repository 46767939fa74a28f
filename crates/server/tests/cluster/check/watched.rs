//! What somebody who watched was told of a game's changes.

use std::time::Instant;

use serde_json::Value;

use crate::socket::Heard;
use crate::watch::{Watched, is_change};
use crate::way::version;

/// Compares with the log: every change since the first state once and in order, as
/// the log has it, and the end. Gives back when each move was heard as it happened.
pub(crate) fn check(watched: &Watched, log: &[Value]) -> Result<Vec<(u32, Instant)>, String> {
    let mut reader = Reader {
        log,
        next: None,
        is_live: false,
        is_over: false,
        moves: Vec::new(),
    };
    for heard in &watched.heard {
        match heard {
            Heard::Opened { since, .. } => reader.open(*since)?,
            Heard::Closed { .. } => {}
            Heard::Said { at, message } => reader.hear(*at, message)?,
        }
    }
    if !reader.is_over {
        return Err("the end was never told".into());
    }
    Ok(reader.moves)
}

struct Reader<'a> {
    log: &'a [Value],
    /// The entry of the log that is to be told next; `None`: a state must come first.
    next: Option<usize>,
    /// Whether everything missed before this socket was opened is told.
    is_live: bool,
    is_over: bool,
    moves: Vec<(u32, Instant)>,
}

impl Reader<'_> {
    /// What comes after everything of a version.
    fn after(&self, known: u32) -> usize {
        self.log.partition_point(|entry| version(entry) <= known)
    }

    fn open(&mut self, since: Option<u32>) -> Result<(), String> {
        self.is_live = false;
        let asked = since.map(|since| self.after(since));
        // A change that was told in part is asked for again as a whole.
        match (self.next, asked) {
            (Some(next), Some(asked)) if asked > next || asked + 1 < next => {
                return Err(format!(
                    "opened at {asked} of the log, was told up to {next}"
                ));
            }
            _ => self.next = asked,
        }
        Ok(())
    }

    fn hear(&mut self, at: Instant, message: &Value) -> Result<(), String> {
        match message["type"].as_str().unwrap_or_default() {
            "STATE" => self.hear_state(message),
            "SYNC" => {
                let known = self
                    .next
                    .is_some_and(|next| next == self.after(version(message)));
                self.is_live = true;
                known
                    .then_some(())
                    .ok_or_else(|| format!("not everything before {message} was told"))
            }
            kind if is_change(kind) => self.hear_change(at, message),
            _ => Ok(()),
        }
    }

    fn hear_state(&mut self, state: &Value) -> Result<(), String> {
        if self.next.is_some() && state["resync"] != true {
            return Err(format!("a state that nobody asked for: {state}"));
        }
        let next = self.after(version(state));
        if self.next.is_some_and(|before| next < before) {
            return Err(format!("back to {state}"));
        }
        let moves = self.log[..next].iter().filter(|e| e["type"] == "MOVE");
        let moves: Vec<Value> = moves.map(|entry| entry["move"].clone()).collect();
        if state["moves"] != Value::from(moves) {
            return Err(format!("not what the log says: {state}"));
        }
        self.next = Some(next);
        self.is_live = true;
        self.is_over = state["state"] == "COMPLETED";
        Ok(())
    }

    fn hear_change(&mut self, at: Instant, message: &Value) -> Result<(), String> {
        let Some(next) = self.next else {
            return Err(format!("no state came before {message}"));
        };
        let Some(entry) = self.log.get(next) else {
            return Err(format!("after the end of the log: {message}"));
        };
        let fields = entry.as_object().into_iter().flatten();
        let differs: Vec<&String> = fields
            .filter(|(name, value)| message[name.as_str()] != **value)
            .map(|(name, _)| name)
            .collect();
        if !differs.is_empty() {
            return Err(format!("{entry} is next, but told was {message}"));
        }
        self.next = Some(next + 1);
        if message["type"] == "MOVE" && self.is_live {
            self.moves.push((version(message), at));
        }
        self.is_over |= message["type"] == "GAME_OVER";
        Ok(())
    }
}
