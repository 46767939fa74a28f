//! What is wrong with a game in a PGN file, and where.

use std::fmt;

use shakmaty::Color;

use super::{GAME_BYTES_MAX, PLIES_MAX, Score, TAG_BYTES_MAX, TAGS_MAX};
use crate::rules::BadFen;

/// A game that could not be read. The games after it are still read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ImportError {
    /// Which game of the file, from 1.
    pub game: u32,
    /// The line of the file.
    pub line: u32,
    /// Who has White, if that much could be read.
    pub white: Option<String>,
    /// Who has Black, if that much could be read.
    pub black: Option<String>,
    /// The move at which reading stopped; `None` if it was before the moves.
    pub at: Option<MoveNumber>,
    /// What is wrong.
    pub why: Why,
}

/// A place in a score sheet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MoveNumber {
    /// The number of the move.
    pub number: u32,
    /// Whose move.
    pub turn: Color,
}

/// What can be wrong with a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Why {
    /// The move is illegal or ambiguous; the sentence says which.
    IllegalMove(String),
    /// The word is no move and nothing else that belongs into a game.
    NotAMove(String),
    /// A pass is no move of a game.
    NullMove,
    /// A `{` without its `}`.
    UnclosedComment,
    /// A `(` without its `)`.
    UnclosedVariation,
    /// A `)` or `}` that closes nothing.
    ClosesNothing(char),
    /// Something follows the result.
    AfterResult(String),
    /// The `Result` tag and the end of the moves do not agree.
    TwoResults {
        /// What the tag says.
        tag: Score,
        /// What stands after the moves.
        moves: Score,
    },
    /// A tag that cannot be read.
    BadTag(String),
    /// The `FEN` tag is no position to start from.
    BadFen(BadFen),
    /// `SetUp` promises a `FEN` tag, but there is none.
    NoFen,
    /// Rules we do not play.
    UnknownVariant(String),
    /// More than [`TAGS_MAX`] tags.
    TooManyTags,
    /// A tag of more than [`TAG_BYTES_MAX`] bytes.
    TagTooLong,
    /// More than [`PLIES_MAX`] half-moves.
    TooManyMoves,
    /// More than [`GAME_BYTES_MAX`] bytes in all.
    GameTooLong,
    /// The file itself could not be read any further: this is the last item.
    Io(String),
}

impl fmt::Display for ImportError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "game {}", self.game)?;
        if self.white.is_some() || self.black.is_some() {
            let name = |name: &Option<String>| name.clone().unwrap_or_else(|| "?".into());
            write!(f, " ({} - {})", name(&self.white), name(&self.black))?;
        }
        write!(f, ", line {}", self.line)?;
        if let Some(at) = self.at {
            write!(f, ", move {at}")?;
        }
        write!(f, ": {}", self.why)
    }
}

impl std::error::Error for ImportError {}

impl fmt::Display for MoveNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.number, self.turn.fold_wb(".", "..."))
    }
}

impl fmt::Display for Why {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Why::IllegalMove(sentence) => f.write_str(sentence),
            Why::NotAMove(word) => write!(f, "{word:?} is not a move"),
            Why::NullMove => f.write_str("a null move cannot be part of a game"),
            Why::UnclosedComment => f.write_str("a comment is opened with { and never closed"),
            Why::UnclosedVariation => f.write_str("a variation is opened with ( and never closed"),
            Why::ClosesNothing(sign) => write!(f, "a {sign} closes nothing"),
            Why::AfterResult(word) => write!(f, "{word:?} comes after the result"),
            Why::TwoResults { tag, moves } => {
                write!(
                    f,
                    "the Result tag says {tag}, but the moves end with {moves}"
                )
            }
            Why::BadTag(text) => write!(f, "the tag {text:?} cannot be read"),
            Why::BadFen(why) => write!(f, "the FEN tag is no position to start from: {why}"),
            Why::NoFen => f.write_str("SetUp says that there is a FEN tag, but there is none"),
            Why::UnknownVariant(name) => write!(f, "the variant {name:?} is not played here"),
            Why::TooManyTags => write!(f, "there are more than {TAGS_MAX} tags"),
            Why::TagTooLong => write!(f, "a tag is longer than {TAG_BYTES_MAX} bytes"),
            Why::TooManyMoves => write!(f, "there are more than {PLIES_MAX} half-moves"),
            Why::GameTooLong => write!(f, "the game is longer than {GAME_BYTES_MAX} bytes"),
            Why::Io(error) => write!(f, "the file cannot be read any further: {error}"),
        }
    }
}
