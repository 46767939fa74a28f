//! Games from a PGN file.

use std::io::Read;

use super::replay::replay;
use super::setup::{find, known};
use super::sieve::sift;
use super::split::Split;
use super::times::read_control;
use super::{Date, ImportError, Score, Why};
use crate::clock::TimeControl;
use crate::rules::{Board, PackedUciMove, Start, Variant};
use crate::{Millis, Timestamp};

/// Reads the games of a PGN file, one at a time: memory does not grow with
/// the file. A broken game is an error with its place; the rest is still read.
///
/// ```
/// use chess::pgn;
///
/// let file = "[White \"Foo\"]\n[Black \"Bar\"]\n\n1. e4 e5 2. Ke3 *\n\n1. d4 {Good.} d5 1-0\n";
/// let games: Vec<_> = pgn::read(file.as_bytes()).collect();
/// assert_eq!(
///     games[0].as_ref().unwrap_err().to_string(),
///     "game 1 (Foo - Bar), line 4, move 2.: Ke3 is not a legal move in this position"
/// );
/// assert_eq!(games[1].as_ref().unwrap().moves.len(), 2);
/// ```
pub fn read<R: Read>(reader: R) -> Import<R> {
    Import {
        split: Some(Split::new(reader)),
    }
}

/// The games of a file; made by [`read`].
#[derive(Debug)]
pub struct Import<R> {
    /// `None` once the file could not be read any further.
    split: Option<Split<R>>,
}

/// A game that somebody else recorded: everything that is needed to store it
/// as a finished game of ours.
#[derive(Clone, Debug)]
pub struct ImportedGame {
    /// Which game of the file, from 1.
    pub number: u32,
    /// The line of the file it begins on.
    pub line: u32,
    /// Every tag, in the order of the file.
    pub tags: Vec<(String, String)>,
    /// The rules.
    pub variant: Variant,
    /// Where it begins.
    pub start: Start,
    /// The main line, castling as king takes rook.
    pub moves: Vec<PackedUciMove>,
    /// The mover's clock after each of the moves, where it was noted.
    pub clocks: Vec<Option<Millis>>,
    /// The result, from the end of the moves or else from its tag; `None`:
    /// unfinished or unknown.
    pub result: Option<Score>,
    pub(super) board: Board,
}

impl ImportedGame {
    /// The value of a tag, whatever the case of its name.
    pub fn tag(&self, name: &str) -> Option<&str> {
        find(&self.tags, name)
    }

    /// The position after the last move.
    pub fn final_board(&self) -> &Board {
        &self.board
    }

    /// How the game ended, in the words of the file.
    pub fn termination(&self) -> Option<&str> {
        known(&self.tags, "Termination")
    }

    /// The day it was played, as far as it is known.
    pub fn date(&self) -> Option<Date> {
        ["UTCDate", "Date", "EventDate"]
            .into_iter()
            .find_map(|name| Date::read(known(&self.tags, name)?))
    }

    /// The moment it began, if the file says so precisely.
    pub fn started_at(&self) -> Option<Timestamp> {
        let date = Date::read(known(&self.tags, "UTCDate")?)?;
        date.at(known(&self.tags, "UTCTime")?)
    }

    /// The time control, if it is told and one that we know.
    pub fn control(&self) -> Option<TimeControl> {
        read_control(self.tag("TimeControl")?)
    }
}

impl<R: Read> Iterator for Import<R> {
    type Item = Result<ImportedGame, ImportError>;

    fn next(&mut self) -> Option<Self::Item> {
        let split = self.split.as_mut()?;
        match split.next_game() {
            Ok(raw) => raw.map(|raw| replay(&raw, sift(&raw.text, raw.line, raw.too_long))),
            Err(error) => {
                let (line, game) = split.place();
                self.split = None;
                Some(Err(ImportError {
                    game,
                    line,
                    white: None,
                    black: None,
                    at: None,
                    why: Why::Io(error.to_string()),
                }))
            }
        }
    }
}
