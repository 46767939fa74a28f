//! What was acknowledged of one game, and whether the server still knows it.

use std::collections::BTreeMap;

use serde_json::Value;

/// What the server records by itself.
const CREDITED: &str = "TIME_CREDITED";

/// What a client knows of one game.
pub(crate) struct Record {
    pub(crate) id: String,
    /// The newest version that was told.
    pub(crate) version: u32,
    /// Every acknowledged change, by its version.
    told: BTreeMap<u32, Told>,
    /// A change that was asked for and never answered: what it may have become.
    doubt: Option<Kinds>,
    /// The log as it was last read.
    log: Vec<Value>,
    /// The versions of the moves on the board.
    pub(crate) line: Vec<u32>,
    /// What each move adds, in milliseconds.
    increment: u64,
    /// Whether anything happened since the log was last read.
    pub(crate) is_touched: bool,
}

/// The types one command may have in the log.
pub(crate) type Kinds = &'static [&'static str];

/// An acknowledged change.
struct Told {
    kinds: Kinds,
    /// What the log must say of it.
    fields: Value,
    /// How it was asked for, and the whole answer, if it was a move.
    asked: Option<Move>,
}

/// A move that was acknowledged.
#[derive(Clone)]
pub(crate) struct Move {
    /// 0 or 1: who of the two.
    pub(crate) by: usize,
    pub(crate) body: Value,
    pub(crate) answer: String,
}

impl Record {
    pub(crate) fn new(game: &Value) -> Record {
        let control = &game["time_control"];
        // In correspondence every move has all of its days.
        let days = control["days_per_move"].as_u64().unwrap_or(0) * 86_400;
        let increment = control["increment_seconds"].as_u64().unwrap_or(days);
        Record {
            id: game["id"].as_str().expect("an id").to_owned(),
            version: 0,
            told: BTreeMap::new(),
            doubt: None,
            log: Vec::new(),
            line: Vec::new(),
            increment: increment * 1000,
            is_touched: true,
        }
    }

    /// The game was read: what it shows by now is nothing new.
    pub(crate) fn see(&mut self, version: u32) {
        self.version = self.version.max(version);
    }

    /// Something is asked for; until it is answered nobody knows.
    pub(crate) fn ask(&mut self, kinds: Kinds) {
        self.doubt = Some(kinds);
        self.is_touched = true;
    }

    /// It was answered: refused, or already in effect.
    pub(crate) fn unchanged(&mut self) {
        self.doubt = None;
    }

    /// It was acknowledged; `false` if that version was known before.
    pub(crate) fn tell(
        &mut self,
        kinds: Kinds,
        version: u32,
        fields: Value,
        asked: Option<Move>,
    ) -> bool {
        self.doubt = None;
        if version <= self.version {
            return false;
        }
        self.version = version;
        let told = Told {
            kinds,
            fields,
            asked,
        };
        self.told.insert(version, told);
        true
    }

    /// An acknowledged move.
    pub(crate) fn asked(&self, version: u32) -> Option<&Move> {
        self.told.get(&version).and_then(|told| told.asked.as_ref())
    }

    /// Compares with the log a server shows; `true` if what was in doubt is there.
    pub(crate) fn check(&mut self, log: &[Value], credits_max: usize) -> Result<bool, String> {
        for (version, entry) in (1..).zip(log) {
            if entry["version"] != version {
                return Err(self.wrong("a gap or repeat", entry));
            }
        }
        if log.len() < self.newest_told() {
            return Err(self.wrong("what was acknowledged is lost", &Value::from(log.len())));
        }
        if log[..self.log.len()] != self.log[..] {
            return Err(self.wrong("not what it was before", &Value::from(log.to_vec())));
        }
        self.place(log);
        let mut doubt = self.doubt.take();
        let was_in_doubt = doubt.is_some();
        for (version, entry) in (1..).zip(log).skip(self.log.len()) {
            match self.told.get(&version) {
                Some(told) if !told.is_in(entry) => {
                    return Err(self.wrong(&format!("not what was told, {}", told.fields), entry));
                }
                Some(_) => {}
                None if is_servers_own(entry) => {}
                None => match doubt.take() {
                    Some(kinds) if kinds.iter().any(|kind| entry["type"] == *kind) => {}
                    _ => return Err(self.wrong("nobody asked for it, or only once", entry)),
                },
            }
        }
        self.check_clocks(log)?;
        let credits = log.iter().filter(|e| e["type"] == CREDITED).count();
        if credits > credits_max {
            return Err(self.wrong("credited more often than the server was down", &Value::Null));
        }
        self.line = line(log);
        self.log = log.to_vec();
        self.version = u32::try_from(log.len()).expect("a version");
        self.is_touched = false;
        Ok(was_in_doubt && doubt.is_none())
    }

    /// An answer shows how far a game has come. What had to be asked for again was done
    /// before, and time may have been credited since: then it stands before these credits.
    fn place(&mut self, log: &[Value]) {
        let is_credit = |version: u32| log[version as usize - 1]["type"] == CREDITED;
        let told = self.told.iter();
        let late = told.filter(|(version, told)| told.asked.is_none() && is_credit(**version));
        let late: Vec<u32> = late.map(|(version, _)| *version).collect();
        for version in late {
            let before = (1..version).rev().find(|before| !is_credit(*before));
            if let Some(before) = before
                && !self.told.contains_key(&before)
                && let Some(told) = self.told.remove(&version)
            {
                self.told.insert(before, told);
            }
        }
    }

    fn newest_told(&self) -> usize {
        let told = self
            .told
            .last_key_value()
            .map_or(0, |(version, _)| *version as usize);
        told.max(self.log.len())
    }

    /// A clock rises by a gift, an increment or a takeback, and by nothing else:
    /// a credit gives back at most what had run off since the last change.
    fn check_clocks(&self, log: &[Value]) -> Result<(), String> {
        for color in ["white", "black"] {
            let (mut before, mut most) = (None::<u64>, 0);
            for entry in log {
                let Some(now) = entry["clock_ms"][color].as_u64() else {
                    continue;
                };
                let added = match entry["type"].as_str() {
                    Some("MOVE") if entry["to_move"] != color => self.increment,
                    Some("TIME_ADDED") if entry["color"] == color => {
                        entry["ms"].as_u64().unwrap_or(0)
                    }
                    Some("TAKEBACK") => most,
                    _ => 0,
                };
                if before.is_some_and(|before| now > before + added) {
                    return Err(self.wrong(&format!("{color} gained time, from {before:?}"), entry));
                }
                before = Some(now);
                most = most.max(now);
            }
        }
        Ok(())
    }

    fn wrong(&self, why: &str, entry: &Value) -> String {
        format!("game {}: {why}: {entry}", self.id)
    }

    /// The moves on the board, as the log has them.
    pub(crate) fn moves(&self) -> Vec<&Value> {
        self.line
            .iter()
            .map(|version| &self.log[*version as usize - 1]["move"])
            .collect()
    }
}

impl Told {
    fn is_in(&self, entry: &Value) -> bool {
        let Value::Object(fields) = &self.fields else {
            return false;
        };
        self.kinds.iter().any(|kind| entry["type"] == *kind)
            && fields.iter().all(|(name, value)| entry[name] == *value)
    }
}

fn is_servers_own(entry: &Value) -> bool {
    let is_over = entry["type"] == "GAME_OVER" && entry["by"].is_null();
    entry["type"] == CREDITED
        || is_over && (entry["reason"] == "aborted" || entry["reason"] == "timeout")
}

fn line(log: &[Value]) -> Vec<u32> {
    let mut line = Vec::new();
    for (version, entry) in (1..).zip(log) {
        match entry["type"].as_str() {
            Some("MOVE") => line.push(version),
            Some("TAKEBACK") => line.truncate(entry["ply"].as_u64().unwrap_or(0) as usize),
            _ => {}
        }
    }
    line
}
