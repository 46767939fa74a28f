//! The games of a match in a file: a line about the match, and a line for each game.
//!
//! Each line is written when its game ends. What is left of a line that was cut off is
//! cut off too, and that game is played again.

use std::fs::OpenOptions;
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use bots::matches::{Record, record};
use serde_json::Value;

/// Where finished games go, if anywhere.
pub(super) struct File(Option<(std::fs::File, PathBuf)>);

impl File {
    /// Opens the file, or makes it, and reads the games that are there.
    ///
    /// # Errors
    /// It cannot be read or written, or has another match.
    pub(super) fn open(path: Option<&Path>, about: &Value) -> Result<(File, Vec<Record>), String> {
        let Some(path) = path else {
            return Ok((File(None), Vec::new()));
        };
        let wrong = |why: &dyn std::fmt::Display| format!("{}: {why}", path.display());
        let mut options = OpenOptions::new();
        let options = options.read(true).write(true).create(true).truncate(false);
        let mut file = options.open(path).map_err(|error| wrong(&error))?;
        // Two runs would play the same games.
        file.try_lock()
            .map_err(|_| wrong(&"another match is being written there"))?;
        let mut text = String::new();
        file.read_to_string(&mut text)
            .map_err(|error| wrong(&error))?;
        let whole = text.rfind('\n').map_or(0, |end| end + 1);
        text.truncate(whole);
        let (head, games) = text.split_once('\n').unwrap_or_default();
        let (mut done, broken) = record::read(games);
        if whole > 0 && serde_json::from_str::<Value>(head).ok().as_ref() != Some(about) {
            return Err(wrong(&"another match is there, or something else"));
        }
        if broken > 0 {
            return Err(wrong(&format_args!("{broken} lines are no games")));
        }
        done.sort_by_key(|record| record.game);
        done.dedup_by_key(|record| record.game);
        let cut = file
            .set_len(whole as u64)
            .and_then(|()| file.seek(SeekFrom::End(0)));
        cut.map_err(|error| wrong(&error))?;
        let mut file = File(Some((file, path.to_owned())));
        if whole == 0 {
            file.line(&about.to_string())?;
        }
        Ok((file, done))
    }

    /// Whether games are written down.
    pub(super) fn is_kept(&self) -> bool {
        self.0.is_some()
    }

    /// Writes a game.
    ///
    /// # Errors
    /// It could not be written.
    pub(super) fn add(&mut self, record: &Record) -> Result<(), String> {
        self.line(&record.to_line())
    }

    fn line(&mut self, line: &str) -> Result<(), String> {
        let Some((file, path)) = &mut self.0 else {
            return Ok(());
        };
        let written = file.write_all(format!("{line}\n").as_bytes());
        written.map_err(|error| format!("{}: {error}", path.display()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn record(game: u64) -> Record {
        Record {
            game,
            seed: 1,
            white: "a".into(),
            black: "b".into(),
            first_is_white: true,
            variant: "standard".into(),
            start: String::new(),
            moves: Vec::new(),
            opening: 0,
            result: "1-0".into(),
            reason: "checkmate".into(),
        }
    }

    #[test]
    fn half_a_line_is_cut_off_and_another_match_is_left_alone() {
        let dir = tempfile::tempdir().expect("a directory");
        let path = dir.path().join("games.jsonl");
        let about = json!({ "match": { "seed": 1 } });
        let (mut file, done) = File::open(Some(&path), &about).expect("a new file");
        assert!(done.is_empty());
        file.add(&record(4)).expect("room");
        file.add(&record(2)).expect("room");
        assert!(File::open(Some(&path), &about).is_err(), "it is in use");
        drop(file);
        let whole = std::fs::read_to_string(&path).expect("the file");
        std::fs::write(&path, format!("{whole}{{\"game\":5,\"se")).expect("half a line");
        let (mut file, done) = File::open(Some(&path), &about).expect("the file again");
        let games: Vec<u64> = done.iter().map(|record| record.game).collect();
        assert_eq!(games, [2, 4]);
        file.add(&record(5)).expect("room");
        drop(file);
        let text = std::fs::read_to_string(&path).expect("the file");
        assert_eq!(text, format!("{whole}{}\n", record(5).to_line()));
        let other = json!({ "match": { "seed": 2 } });
        assert!(File::open(Some(&path), &other).is_err());
        assert_eq!(std::fs::read_to_string(&path).expect("the file"), text);
        std::fs::write(&path, "1. e4 e5 *\n").expect("something else");
        assert!(File::open(Some(&path), &about).is_err());
    }
}
