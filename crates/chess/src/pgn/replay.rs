//! Plays the moves of a file on a board.

use shakmaty::san::San;
use shakmaty::uci::UciMove;

use super::setup::{find, known, set_up};
use super::sieve::{Noted, Sifted};
use super::split::RawGame;
use super::words::{Word, read_word};
use super::{ImportError, ImportedGame, MoveNumber, Score, Why};
use crate::rules::{PackedUciMove, Role, Spelled, Square};

/// Makes one game out of what came through the sieve.
pub(super) fn replay(raw: &RawGame, sifted: Sifted) -> Result<ImportedGame, ImportError> {
    let (mut fault, tags) = (sifted.fault, sifted.tags);
    if let Some(fault) = fault.take_if(|fault| !fault.in_moves) {
        return Err(error(raw, &tags, fault.line, None, fault.why));
    }
    let (variant, start, board) = match set_up(&tags) {
        Ok(set_up) => set_up,
        Err(why) => return Err(error(raw, &tags, raw.line, None, why)),
    };
    let mut game = ImportedGame {
        number: raw.number,
        line: raw.line,
        tags,
        variant,
        start,
        moves: Vec::with_capacity(sifted.moves.len()),
        clocks: Vec::with_capacity(sifted.moves.len()),
        result: sifted.result,
        board,
    };
    for noted in &sifted.moves {
        play(&mut game, noted).map_err(|why| error_in(raw, &game, noted.line, why))?;
    }
    if let Some(fault) = fault {
        return Err(error_in(raw, &game, fault.line, fault.why));
    }
    let in_tag = known(&game.tags, "Result").and_then(score);
    match (in_tag, game.result) {
        (Some(tag), Some(moves)) if tag != moves => {
            let line = sifted.moves.last().map_or(raw.line, |noted| noted.line);
            Err(error_in(raw, &game, line, Why::TwoResults { tag, moves }))
        }
        (tag, moves) => {
            game.result = moves.or(tag);
            Ok(game)
        }
    }
}

fn play(game: &mut ImportedGame, noted: &Noted) -> Result<(), Why> {
    let resolved = game.board.resolve(meant(noted.san));
    let m = resolved.map_err(|illegal| Why::IllegalMove(illegal.to_string()))?;
    game.moves
        .push(PackedUciMove::pack(UciMove::from_chess960(m)));
    game.clocks.push(noted.clock);
    game.board.play(m);
    Ok(())
}

/// An error at the move that comes next in the game.
fn error_in(raw: &RawGame, game: &ImportedGame, line: u32, why: Why) -> ImportError {
    let at = MoveNumber {
        number: game.board.move_number(),
        turn: game.board.turn(),
    };
    error(raw, &game.tags, line, Some(at), why)
}

fn error(
    raw: &RawGame,
    tags: &[(String, String)],
    line: u32,
    at: Option<MoveNumber>,
    why: Why,
) -> ImportError {
    ImportError {
        game: raw.number,
        line,
        white: find(tags, "White").map(str::to_owned),
        black: find(tags, "Black").map(str::to_owned),
        at,
        why,
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
