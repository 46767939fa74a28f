//! Lets through what makes up a game and stops at the first thing that is no PGN:
//! to skip what cannot be read would turn a damaged game into another, shorter
//! one. What comes out are tags, the moves of the main line, whether legal or
//! not, the clocks among their comments and one result.

use shakmaty::san::San;

use super::tag::read_tag;
use super::times::read_clock;
use super::words::{Word, read_word, shown};
use super::{Score, Why};
use crate::Millis;

/// The most tags a game may have.
pub const TAGS_MAX: usize = 128;
/// The longest tag, name and value.
pub const TAG_BYTES_MAX: usize = 4096;
/// The most half-moves, as many as the record of a game may hold.
pub const PLIES_MAX: usize = 20_000;
/// The longest clock that is looked for in a comment.
const CLOCK_BYTES_MAX: usize = 64;

/// What came through.
#[derive(Debug, Default)]
pub(super) struct Sifted {
    /// The tags that can be read.
    pub(super) tags: Vec<(String, String)>,
    /// The moves, up to the fault if there is one.
    pub(super) moves: Vec<Noted>,
    /// The result after them.
    pub(super) result: Option<Score>,
    /// Why it stopped.
    pub(super) fault: Option<Fault>,
}

/// A half-move, as it is noted.
#[derive(Debug)]
pub(super) struct Noted {
    pub(super) san: San,
    /// The line of the file it stands on.
    pub(super) line: u32,
    /// The mover's clock after it.
    pub(super) clock: Option<Millis>,
}

/// The first thing that is wrong.
#[derive(Debug)]
pub(super) struct Fault {
    pub(super) line: u32,
    /// Whether it is among the moves; if not, it is among the tags.
    pub(super) in_moves: bool,
    pub(super) why: Why,
}

/// Sifts the text of one game, which begins on that line of the file.
/// `too_long`: it was cut off, so only its tags are of interest.
pub(super) fn sift(text: &[u8], line: u32, too_long: bool) -> Sifted {
    let mut sieve = Sieve {
        rest: text,
        line,
        at_line_start: true,
        ended: false,
        out: Sifted::default(),
    };
    let mut fault = sieve.tags();
    if too_long {
        fault = Some(sieve.fault(false, Why::GameTooLong));
    }
    sieve.out.fault = fault.or_else(|| sieve.moves().err());
    sieve.out
}

struct Sieve<'a> {
    rest: &'a [u8],
    line: u32,
    at_line_start: bool,
    /// Whether the result has been seen.
    ended: bool,
    out: Sifted,
}

impl<'a> Sieve<'a> {
    fn take(&mut self, count: usize) -> &'a [u8] {
        let (taken, rest) = self.rest.split_at(count);
        self.rest = rest;
        self.line += taken.iter().filter(|b| **b == b'\n').count() as u32;
        if let Some(last) = taken.last() {
            self.at_line_start = *last == b'\n';
        }
        taken
    }

    fn take_while(&mut self, wanted: impl Fn(u8) -> bool) -> &'a [u8] {
        let end = self.rest.iter().position(|b| !wanted(*b));
        self.take(end.unwrap_or(self.rest.len()))
    }

    fn fault(&self, in_moves: bool, why: Why) -> Fault {
        Fault {
            line: self.line,
            in_moves,
            why,
        }
    }

    /// Passes over spaces and the remarks that end with their line.
    fn skip_blank(&mut self) {
        while let Some(&byte) = self.rest.first() {
            match byte {
                b';' => self.take_while(|b| b != b'\n'),
                b'%' if self.at_line_start => self.take_while(|b| b != b'\n'),
                _ if byte.is_ascii_whitespace() => self.take(1),
                _ => return,
            };
        }
    }

    /// A whole `{ comment }`, without its braces.
    fn comment(&mut self) -> Result<&'a [u8], Fault> {
        match self.rest.iter().position(|b| *b == b'}') {
            Some(end) => Ok(&self.take(end + 1)[1..end]),
            None => Err(self.fault(true, Why::UnclosedComment)),
        }
    }

    /// All tags. A bad one is passed over, so that the names are still found.
    fn tags(&mut self) -> Option<Fault> {
        let mut fault = None;
        let mut count = 0;
        loop {
            self.skip_blank();
            match self.rest.first() {
                Some(b'[') => {
                    count += 1;
                    let found = self.tag(count).err();
                    fault = fault.or(found);
                }
                Some(b'{') if self.rest.contains(&b'}') => drop(self.comment()),
                _ => return fault,
            }
        }
    }

    fn tag(&mut self, count: usize) -> Result<(), Fault> {
        let why = match read_tag(self.rest) {
            None => Why::BadTag(shown(self.rest)),
            Some(tag) if tag.written() > TAG_BYTES_MAX => Why::TagTooLong,
            Some(_) if count > TAGS_MAX => Why::TooManyTags,
            Some(tag) => {
                self.take(tag.bytes);
                self.out.tags.push(tag.decoded());
                return Ok(());
            }
        };
        let fault = self.fault(false, why);
        self.take_while(|b| b != b'\n');
        Err(fault)
    }

    fn moves(&mut self) -> Result<(), Fault> {
        // The lines on which the variations that are open began.
        let mut open: Vec<u32> = Vec::new();
        loop {
            self.skip_blank();
            match self.rest.first() {
                None => break,
                Some(b'{') => {
                    let comment = self.comment()?;
                    if open.is_empty() {
                        self.keep_clock(comment);
                    }
                }
                Some(b'(') => {
                    open.push(self.line);
                    self.take(1);
                }
                Some(b')') if open.pop().is_some() => {
                    self.take(1);
                }
                Some(&sign @ (b')' | b'}')) => {
                    return Err(self.fault(true, Why::ClosesNothing(char::from(sign))));
                }
                Some(b'$') => {
                    self.take(1);
                    self.take_while(|b| b.is_ascii_digit());
                }
                Some(&first) => {
                    let word = match first {
                        b'*' => self.take(1),
                        _ => self.take_while(is_word),
                    };
                    if open.is_empty() {
                        self.word(word).map_err(|why| self.fault(true, why))?;
                    }
                }
            }
        }
        match open.first() {
            None => Ok(()),
            Some(&line) => Err(Fault {
                line,
                ..self.fault(true, Why::UnclosedVariation)
            }),
        }
    }

    /// Of a comment only the clock is kept, and the first if there are two.
    fn keep_clock(&mut self, comment: &[u8]) {
        if let Some(Noted { clock, .. }) = self.out.moves.last_mut() {
            *clock = clock.or_else(|| clock_in(comment));
        }
    }

    fn word(&mut self, word: &[u8]) -> Result<(), Why> {
        // There are spaces that are not ASCII.
        for word in String::from_utf8_lossy(word).split_whitespace() {
            match read_word(word)? {
                Word::Remark => {}
                _ if self.ended => return Err(Why::AfterResult(shown(word.as_bytes()))),
                Word::Result(result) => {
                    self.ended = true;
                    self.out.result = result.parse().ok();
                }
                Word::Move(_) if self.out.moves.len() == PLIES_MAX => {
                    return Err(Why::TooManyMoves);
                }
                Word::Move(san) => self.out.moves.push(Noted {
                    san,
                    line: self.line,
                    clock: None,
                }),
            }
        }
        Ok(())
    }
}

/// `[%clk 0:05:00]`, wherever it stands in the comment.
fn clock_in(comment: &[u8]) -> Option<Millis> {
    const SIGN: &[u8] = b"[%clk";
    let begin = comment.windows(SIGN.len()).position(|w| w == SIGN)?;
    let clock = &comment[begin..comment.len().min(begin + CLOCK_BYTES_MAX)];
    let end = clock.iter().position(|b| *b == b']')?;
    read_clock(str::from_utf8(&clock[SIGN.len()..end]).ok()?)
}

fn is_word(byte: u8) -> bool {
    !byte.is_ascii_whitespace() && !b"{}();$*".contains(&byte)
}
