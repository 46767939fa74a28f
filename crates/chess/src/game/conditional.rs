//! Conditional moves: what a player answers if the opponent plays this or that.
//!
//! Lines of moves from one position of the game on, in turn the opponent's and the owner's.
//! Everything follows from the lines and the game's own record: whether the game still is
//! in them, what is left of them, what is to be played now. So nothing has to be noted
//! while they are walked, and whoever looks later, after a crash too, finds the same.

use std::fmt;

use shakmaty::Color;

use super::{Game, Offer, Phase};
use crate::rules::{Board, Spelled};

/// Half-moves that all lines together may have.
pub const HALF_MOVES_MAX: usize = 1_000;

/// A player's conditional moves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConditionalMoves {
    /// The half-moves played in the position they begin with.
    pub ply: u32,
    /// The version of the game they were made for.
    pub version: u32,
    /// Moves as UCI: theirs, the answer, and so on. None is the beginning of another.
    lines: Vec<Vec<String>>,
}

/// What a player's conditional moves come to in the game as it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Conditional {
    /// The opponent is to move, and this is what is left.
    Waits(ConditionalMoves),
    /// The owner is to move, and something keeps the answer back: a pause, or a takeback
    /// that the opponent asks for. A draw offer does not: else whoever offers one could
    /// wait for the flag of an owner who is away.
    Held,
    /// This is to be played now.
    Answers(String),
    /// The game is over, or has left the lines.
    Gone,
}

/// What is wrong with conditional moves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadLine {
    /// Which line, from 1.
    pub line: usize,
    /// Which half-move of it, from 1.
    pub half_move: usize,
    /// A sentence that says why.
    pub why: String,
}

impl fmt::Display for BadLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let BadLine {
            line,
            half_move,
            why,
        } = self;
        write!(f, "line {line}, half-move {half_move}: {why}")
    }
}

impl std::error::Error for BadLine {}

impl ConditionalMoves {
    /// Reads lines for the position that is on the board, in which the opponent is to
    /// move. What is said twice is kept once.
    ///
    /// # Errors
    /// [`BadLine`]: the first half-move that cannot be played, has no answer, or has two.
    pub fn read(game: &Game, lines: &[Vec<String>]) -> Result<ConditionalMoves, BadLine> {
        let mut count = 0;
        let mut read: Vec<Vec<String>> = Vec::new();
        for (line, moves) in (1..).zip(lines) {
            count += moves.len();
            let bad = |half_move, why: String| BadLine {
                line,
                half_move,
                why,
            };
            if count > HALF_MOVES_MAX {
                let why = format!("all lines together have at most {HALF_MOVES_MAX} half-moves");
                return Err(bad(moves.len() - (count - HALF_MOVES_MAX - 1), why));
            }
            let moves = play(game.board(), moves).map_err(|(at, why)| bad(at, why))?;
            for earlier in &read {
                let same = common(earlier, &moves);
                if same % 2 == 1 && same < earlier.len().min(moves.len()) {
                    let other = &earlier[same];
                    let why = format!("another line answers the same with {other}");
                    return Err(bad(same + 1, why));
                }
            }
            read.retain(|earlier| common(earlier, &moves) < earlier.len());
            if !read.iter().any(|earlier| earlier.starts_with(&moves)) {
                read.push(moves);
            }
        }
        Ok(ConditionalMoves {
            ply: game.ply(),
            version: game.version(),
            lines: read,
        })
    }

    /// What [`ConditionalMoves::text`] was made from.
    pub fn from_text(ply: u32, version: u32, text: &str) -> ConditionalMoves {
        let moves = |line: &str| line.split_whitespace().map(str::to_owned).collect();
        ConditionalMoves {
            ply,
            version,
            lines: text.lines().map(moves).collect(),
        }
    }

    /// The lines as they are stored.
    pub fn text(&self) -> String {
        let lines: Vec<String> = self.lines.iter().map(|line| line.join(" ")).collect();
        lines.join("\n")
    }

    /// The lines.
    pub fn lines(&self) -> &[Vec<String>] {
        &self.lines
    }

    /// What they come to in the game as it is, for the player of that side.
    pub fn stand(&self, game: &Game, owner: Color) -> Conditional {
        let is_played = matches!(game.phase(), Phase::Active | Phase::Paused { .. });
        // What was taken back may have been another line to the same half-move.
        if !is_played || game.ledger.takeback_version > self.version {
            return Conditional::Gone;
        }
        let Some(lines) = self.walk(game, owner) else {
            return Conditional::Gone;
        };
        let Some(first) = lines.first().and_then(|line| line.first()) else {
            return Conditional::Gone;
        };
        if game.turn() != owner {
            return Conditional::Waits(ConditionalMoves {
                ply: game.ply(),
                version: game.version(),
                lines,
            });
        }
        let takes_back = game.offer(Offer::Takeback) == Some(!owner);
        match game.phase() != Phase::Active || takes_back {
            true => Conditional::Held,
            false => Conditional::Answers(first.clone()),
        }
    }

    /// What is left of the lines after the moves that were played since; `None` if they
    /// do not belong to this game.
    fn walk(&self, game: &Game, owner: Color) -> Option<Vec<Vec<String>>> {
        let played = game.line();
        let from = usize::try_from(self.ply).ok()?;
        let since = played.get(from..)?;
        let mut board = game.start_board();
        for before in &played[..from] {
            board.play(before.in_position(&board));
        }
        if board.turn() == owner {
            return None;
        }
        let mut lines: Vec<&[String]> = self.lines.iter().map(Vec::as_slice).collect();
        for played in since {
            let m = played.in_position(&board);
            let text = board.uci_text(m);
            board.play(m);
            lines = lines
                .into_iter()
                .filter_map(|line| after(line, &text))
                .collect();
        }
        Some(lines.into_iter().map(<[String]>::to_vec).collect())
    }
}

/// What is left of a line after a move, if it goes on.
fn after<'a>(line: &'a [String], played: &str) -> Option<&'a [String]> {
    let (first, rest) = line.split_first()?;
    (first == played && !rest.is_empty()).then_some(rest)
}

/// How many moves two lines have in common from the beginning.
fn common(one: &[String], other: &[String]) -> usize {
    one.iter().zip(other).take_while(|(a, b)| a == b).count()
}

/// A line in its one spelling, or which half-move cannot be played, and why.
fn play(board: &Board, moves: &[String]) -> Result<Vec<String>, (usize, String)> {
    if moves.is_empty() {
        return Err((
            1,
            "a line has at least their move and your answer".to_owned(),
        ));
    }
    let mut board = board.clone();
    let mut played = Vec::new();
    for (half_move, text) in (1..).zip(moves) {
        let spelled = Spelled::read(text).map_err(|why| (half_move, why.to_string()))?;
        if board.end().is_some() {
            return Err((half_move, "the game is over before this".to_owned()));
        }
        let m = board
            .resolve(spelled)
            .map_err(|why| (half_move, why.to_string()))?;
        played.push(board.uci_text(m));
        board.play(m);
    }
    if moves.len() % 2 == 1 {
        let why = "a line ends with your answer, not with their move".to_owned();
        return Err((moves.len(), why));
    }
    Ok(played)
}
