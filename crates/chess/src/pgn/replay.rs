//! Plays the moves that `pgn-reader` reads on a board.

use std::ops::ControlFlow;

use pgn_reader::{Outcome, RawComment, RawTag, SanPlus, Visitor};
use shakmaty::san::San;
use shakmaty::uci::UciMove;

use super::setup::{find, known, set_up};
use super::sieve::Fault;
use super::tag::unescape;
use super::times::read_clock;
use super::words::{Word, read_word};
use super::{ImportError, ImportedGame, MoveNumber, Score, Why};
use crate::rules::{PackedUciMove, Role, Spelled, Square};

/// Makes one game out of what it is shown.
#[derive(Debug)]
pub(super) struct Replay {
    /// Which game of the file.
    pub(super) number: u32,
    /// The line it begins on.
    pub(super) line: u32,
    /// The line of each half-move.
    pub(super) lines: Vec<u32>,
    /// What is wrong after the last thing that will be shown.
    pub(super) fault: Option<Fault>,
}

type Tags = Vec<(String, String)>;
type Imported = Result<ImportedGame, ImportError>;

impl Visitor for Replay {
    type Tags = Tags;
    type Movetext = ImportedGame;
    type Output = Imported;

    fn begin_tags(&mut self) -> ControlFlow<Imported, Tags> {
        ControlFlow::Continue(Vec::new())
    }

    fn tag(&mut self, tags: &mut Tags, name: &[u8], value: RawTag<'_>) -> ControlFlow<Imported> {
        tags.push((text(name), text(&unescape(value.as_bytes()))));
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, tags: Tags) -> ControlFlow<Imported, ImportedGame> {
        if let Some(fault) = self.fault.take_if(|fault| !fault.in_moves) {
            return ControlFlow::Break(Err(self.error(&tags, fault.line, None, fault.why)));
        }
        match set_up(&tags) {
            Err(why) => ControlFlow::Break(Err(self.error(&tags, self.line, None, why))),
            Ok((variant, start, board)) => ControlFlow::Continue(ImportedGame {
                number: self.number,
                line: self.line,
                tags,
                variant,
                start,
                moves: Vec::new(),
                clocks: Vec::new(),
                result: None,
                board,
            }),
        }
    }

    fn san(&mut self, game: &mut ImportedGame, san: SanPlus) -> ControlFlow<Imported> {
        match game.board.resolve(meant(san.san)) {
            Ok(m) => {
                game.moves
                    .push(PackedUciMove::pack(UciMove::from_chess960(m)));
                game.clocks.push(None);
                game.board.play(m);
                ControlFlow::Continue(())
            }
            Err(illegal) => {
                let line = self.lines.get(game.moves.len()).copied();
                let why = Why::IllegalMove(illegal.to_string());
                ControlFlow::Break(Err(self.error_in(game, line.unwrap_or(self.line), why)))
            }
        }
    }

    fn comment(
        &mut self,
        game: &mut ImportedGame,
        comment: RawComment<'_>,
    ) -> ControlFlow<Imported> {
        if let Some(clock @ None) = game.clocks.last_mut() {
            *clock = str::from_utf8(comment.as_bytes())
                .ok()
                .and_then(|text| text.strip_prefix("[%clk")?.strip_suffix(']'))
                .and_then(read_clock);
        }
        ControlFlow::Continue(())
    }

    fn outcome(&mut self, game: &mut ImportedGame, outcome: Outcome) -> ControlFlow<Imported> {
        game.result = outcome.known();
        ControlFlow::Continue(())
    }

    fn end_game(&mut self, mut game: ImportedGame) -> Imported {
        if let Some(fault) = self.fault.take() {
            return Err(self.error_in(&game, fault.line, fault.why));
        }
        debug_assert_eq!(game.moves.len(), self.lines.len(), "every move was shown");
        let in_tag = known(&game.tags, "Result").and_then(score);
        match (in_tag, game.result) {
            (Some(tag), Some(moves)) if tag != moves => {
                let line = self.lines.last().copied().unwrap_or(self.line);
                Err(self.error_in(&game, line, Why::TwoResults { tag, moves }))
            }
            (tag, moves) => {
                game.result = moves.or(tag);
                Ok(game)
            }
        }
    }
}

impl Replay {
    /// An error at the move that comes next in the game.
    fn error_in(&self, game: &ImportedGame, line: u32, why: Why) -> ImportError {
        let at = MoveNumber {
            number: game.board.move_number(),
            turn: game.board.turn(),
        };
        self.error(&game.tags, line, Some(at), why)
    }

    fn error(&self, tags: &Tags, line: u32, at: Option<MoveNumber>, why: Why) -> ImportError {
        ImportError {
            game: self.number,
            line,
            white: find(tags, "White").map(str::to_owned),
            black: find(tags, "Black").map(str::to_owned),
            at,
            why,
        }
    }
}

/// A move without a letter that names both squares is a pawn's in long
/// algebraic notation, but any piece's in the files of some programs.
fn meant(san: San) -> Spelled {
    match san {
        San::Normal {
            role: Role::Pawn,
            file: Some(file),
            rank: Some(rank),
            to,
            promotion,
            ..
        } => Spelled::Uci(UciMove::Normal {
            from: Square::from_coords(file, rank),
            to,
            promotion,
        }),
        _ => Spelled::San(san),
    }
}

/// What a `Result` tag says, as leniently as after the moves.
fn score(text: &str) -> Option<Score> {
    match read_word(text) {
        Ok(Word::Result(result)) => result.parse().ok(),
        _ => None,
    }
}

/// UTF-8 if it is, otherwise Latin-1, in which PGN was defined. Control
/// characters become spaces, as when we write.
fn text(bytes: &[u8]) -> String {
    let decoded = match str::from_utf8(bytes) {
        Ok(text) => text.to_owned(),
        Err(_) => bytes.iter().copied().map(char::from).collect(),
    };
    decoded.replace(char::is_control, " ")
}
