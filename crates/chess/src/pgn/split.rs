//! Cuts a PGN stream into the texts of single games, holding one at a time.
//!
//! A game ends where the next one begins: at a tag line after moves, or at
//! anything that follows a result and an empty line. So an empty line inside
//! the moves, common in the wild, does not cut a game in two, and what is
//! broken in one game stays in that game.

use std::io::{self, BufRead, BufReader, Read};

use super::tag::read_tag;

/// The longest game that is read: more than the longest possible one needs,
/// clocks and all.
pub const GAME_BYTES_MAX: usize = 1 << 20;

/// Longer lines are taken in pieces of this size.
const PIECE_BYTES_MAX: u64 = 1 << 16;

/// The text of one game, as it stands in the file.
#[derive(Debug)]
pub(super) struct RawGame {
    /// Which game of the file, from 1.
    pub(super) number: u32,
    /// The line it begins on, from 1.
    pub(super) line: u32,
    /// No more than [`GAME_BYTES_MAX`].
    pub(super) text: Vec<u8>,
    /// Whether there was more.
    pub(super) too_long: bool,
}

/// The games of a stream, one after the other.
#[derive(Debug)]
pub(super) struct Split<R> {
    reader: BufReader<R>,
    /// The line (or the first piece of it) that was read but belongs to no
    /// game yet; empty: none.
    piece: Vec<u8>,
    /// Whether `piece` goes on where the one before it stopped.
    mid_line: bool,
    line: u32,
    games: u32,
}

impl<R: Read> Split<R> {
    pub(super) fn new(reader: R) -> Split<R> {
        Split {
            reader: BufReader::new(reader),
            piece: Vec::new(),
            mid_line: false,
            line: 1,
            games: 0,
        }
    }

    /// Where in the file reading stands: the line, and the game of which it
    /// would be.
    pub(super) fn place(&self) -> (u32, u32) {
        (self.line, self.games + 1)
    }

    /// The next game; `None` at the end of the file.
    pub(super) fn next_game(&mut self) -> io::Result<Option<RawGame>> {
        let mut outline = Outline::default();
        let mut game: Option<RawGame> = None;
        while self.fill()? {
            if game.is_some() && !self.mid_line && outline.ends_before(&self.piece) {
                break;
            }
            if game.is_none() && is_blank(&self.piece) {
                self.advance();
                continue;
            }
            let line = self.line;
            let game = game.get_or_insert_with(|| RawGame {
                number: self.games + 1,
                line,
                text: Vec::new(),
                too_long: false,
            });
            outline.follow(&self.piece, !self.mid_line);
            let room = GAME_BYTES_MAX - game.text.len();
            game.too_long |= self.piece.len() > room;
            let kept = self.piece.len().min(room);
            game.text.extend_from_slice(&self.piece[..kept]);
            self.advance();
        }
        let game = game.filter(|_| outline.is_game());
        self.games += u32::from(game.is_some());
        Ok(game)
    }

    /// Makes sure there is a piece; false at the end of the file.
    fn fill(&mut self) -> io::Result<bool> {
        if !self.piece.is_empty() {
            return Ok(true);
        }
        let mut limited = (&mut self.reader).take(PIECE_BYTES_MAX);
        limited.read_until(b'\n', &mut self.piece)?;
        // Byte order marks also stand inside files that were joined.
        if !self.mid_line && self.piece.starts_with("\u{feff}".as_bytes()) {
            self.piece.drain(..3);
            return self.fill();
        }
        Ok(!self.piece.is_empty())
    }

    fn advance(&mut self) {
        self.mid_line = !self.piece.ends_with(b"\n");
        self.line += u32::from(!self.mid_line);
        self.piece.clear();
    }
}

/// As much of a game's shape as it takes to see where it ends.
#[derive(Debug, Default)]
struct Outline {
    in_comment: bool,
    /// The rest of the line is a remark, or a tag that cannot be read.
    skips_line: bool,
    has_tags: bool,
    has_moves: bool,
    after_blank: bool,
    /// The start of the last word of the moves, and whether it may go on.
    word: Vec<u8>,
    in_word: bool,
}

impl Outline {
    /// Whether the line that begins with `piece` belongs to the next game.
    fn ends_before(&self, piece: &[u8]) -> bool {
        let text = piece.trim_ascii_start();
        let opens_game = tag_name(text) == Some(b"Event");
        if self.in_comment {
            // Somebody forgot the closing brace: better to lose one game
            // than all the rest of the file.
            return opens_game || self.after_blank && tag_name(text).is_some();
        }
        if opens_tag(text) {
            return self.has_moves || self.has_tags && self.after_blank && opens_game;
        }
        !text.is_empty() && self.after_blank && is_result(&self.word)
    }

    fn follow(&mut self, piece: &[u8], begins_line: bool) {
        let mut text = piece;
        if begins_line {
            self.after_blank = is_blank(piece);
            self.skips_line = !self.in_comment && piece.starts_with(b"%");
            while !self.in_comment && opens_tag(text.trim_ascii_start()) {
                self.has_tags = true;
                text = text.trim_ascii_start();
                let Some(tag) = read_tag(text) else {
                    self.skips_line = true;
                    break;
                };
                text = &text[tag.bytes..];
            }
        }
        for &byte in text {
            self.follow_byte(byte);
        }
    }

    /// Whether there is more than remarks between the games of a file.
    fn is_game(&self) -> bool {
        self.has_tags || self.has_moves || self.in_comment
    }

    fn follow_byte(&mut self, byte: u8) {
        if self.in_comment {
            self.in_comment = byte != b'}';
            return;
        }
        if self.skips_line {
            return;
        }
        match byte {
            b'{' => self.in_comment = true,
            b';' => self.skips_line = true,
            _ if byte.is_ascii_whitespace() => self.in_word = false,
            _ => {
                self.has_moves = true;
                if !std::mem::replace(&mut self.in_word, true) {
                    self.word.clear();
                }
                if self.word.len() < 16 {
                    self.word.push(byte);
                }
            }
        }
    }
}

fn is_blank(piece: &[u8]) -> bool {
    piece.trim_ascii().is_empty()
}

/// A bracket before a letter: `[%clk` is no tag, even where it should not be.
fn opens_tag(text: &[u8]) -> bool {
    let name = text.strip_prefix(b"[").map(<[u8]>::trim_ascii_start);
    name.is_some_and(|name| name.first().is_some_and(u8::is_ascii_alphabetic))
}

/// The name of a tag that is written as it should be.
fn tag_name(text: &[u8]) -> Option<&[u8]> {
    let quote = text.iter().position(|b| *b == b'"')?;
    let name = text[..quote].strip_prefix(b"[")?.trim_ascii();
    let is_name = |b: &u8| b.is_ascii_alphanumeric() || *b == b'_';
    (opens_tag(text) && name.iter().all(is_name)).then_some(name)
}

fn is_result(word: &[u8]) -> bool {
    matches!(word, b"1-0" | b"0-1" | b"1/2-1/2" | b"1/2") || word.ends_with(b"*")
}
