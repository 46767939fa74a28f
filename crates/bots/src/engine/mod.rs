//! The built-in engine: a position and a budget in, a move out.
//!
//! It is pure: the answer follows from the question alone, on every machine, unless the budget says to stop at some
//! time. Iterative deepening with a principal variation search, quiescence and a transposition table (`root.rs`,
//! `search.rs`, `quiet.rs`), moves in a good order (`order.rs`), an evaluation that knows every variant (`eval/`).

mod eval;
mod node;
mod order;
mod quiet;
mod root;
mod search;
mod table;

use chess::rules::{Board, Move};

use crate::situation::Situation;
use node::Node;
use order::{Memory, PLY_MAX};
use search::Search;
use table::Table;

/// Being mated now.
const MATE: i32 = 30_000;
/// From here on a score says in how many moves a game ends.
const MATE_RANGE: i32 = MATE - PLY_MAX as i32 * 2;
/// No evaluation reaches the scores that mean mate.
const EVAL_MAX: i32 = 20_000;

/// How a position stands for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Score {
    /// In hundredths of a pawn.
    Centipawns(i32),
    /// The game is won in so many moves; negative: lost.
    Mate(i32),
}

impl Score {
    fn from_raw(raw: i32) -> Score {
        if raw >= MATE_RANGE {
            Score::Mate((MATE - raw + 1) / 2)
        } else if raw <= -MATE_RANGE {
            Score::Mate(-(MATE + raw) / 2)
        } else {
            Score::Centipawns(raw)
        }
    }

    /// The score that [`Score::value`] makes this number of.
    pub fn from_value(value: i32) -> Score {
        match value {
            v if v > EVAL_MAX => Score::Mate(MATE - v),
            v if v < -EVAL_MAX => Score::Mate(-(MATE + v)),
            v => Score::Centipawns(v),
        }
    }

    /// One number for comparing: a mate is worth more than anything else, an early one more than a late one.
    pub fn value(self) -> i32 {
        match self {
            Score::Centipawns(value) => value.clamp(-EVAL_MAX, EVAL_MAX),
            Score::Mate(moves) if moves > 0 => MATE - moves.min(1000),
            Score::Mate(moves) => -MATE - moves.max(-1000),
        }
    }
}

/// How long the engine may search. Whatever comes first ends it; the first depth is always finished.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Positions to look at.
    pub nodes: u64,
    /// Half-moves to look ahead.
    pub depth: i32,
}

impl Limits {
    /// As many positions, as deep as they reach.
    pub fn nodes(nodes: u64) -> Limits {
        Limits { nodes, depth: 64 }
    }

    /// As deep.
    pub fn depth(depth: i32) -> Limits {
        Limits {
            nodes: u64::MAX,
            depth,
        }
    }
}

/// What the engine found.
#[derive(Clone, Debug)]
pub struct Found {
    /// The best move.
    pub best: Move,
    /// How it stands after it.
    pub score: Score,
    /// What it expects, its own move first.
    pub line: Vec<Move>,
    /// How deep it looked.
    pub depth: i32,
    /// How many positions it looked at.
    pub nodes: u64,
}

/// A move with what it leads to.
#[derive(Clone, Copy, Debug)]
pub struct Ranked {
    /// The move.
    pub m: Move,
    /// The outcome of the search, in centipawns or mate, as one number ([`Score::value`]).
    pub score: i32,
    /// How the position right after it looks to somebody who does not think of an answer.
    pub naive: i32,
}

/// All moves of a position.
#[derive(Clone, Debug, Default)]
pub struct Ranking {
    /// The best first; none if the game is over.
    pub moves: Vec<Ranked>,
    /// How deep they were looked at.
    pub depth: i32,
    /// How many positions that took.
    pub nodes: u64,
}

/// The engine, with the memory it works in.
pub struct Engine {
    table: Table,
    memory: Memory,
}

impl Engine {
    /// An engine whose table takes at most that many bytes.
    pub fn new(bytes: usize) -> Engine {
        Engine {
            table: Table::new(bytes),
            memory: Memory::new(),
        }
    }

    /// The best move, or none if the game is over.
    pub fn search(&mut self, situation: &Situation, limits: Limits) -> Option<Found> {
        self.search_until(situation, limits, &mut || false)
    }

    /// The same, until `stop` says so; it is asked now and then.
    pub fn search_until(
        &mut self,
        situation: &Situation,
        limits: Limits,
        stop: &mut dyn FnMut() -> bool,
    ) -> Option<Found> {
        match situation.board() {
            Board::Standard(position) => self.begin(position, situation, limits, stop).best(),
            Board::Variant(position) => self.begin(&**position, situation, limits, stop).best(),
        }
    }

    /// All moves, best first. Those that are worse than the best by more than `margin` may be even worse than it says.
    pub fn rank(
        &mut self,
        situation: &Situation,
        limits: Limits,
        margin: i32,
        stop: &mut dyn FnMut() -> bool,
    ) -> Ranking {
        match situation.board() {
            Board::Standard(p) => self.begin(p, situation, limits, stop).rank(margin),
            Board::Variant(p) => self.begin(&**p, situation, limits, stop).rank(margin),
        }
    }

    fn begin<'a, P: Node>(
        &'a mut self,
        position: &'a P,
        situation: &Situation,
        limits: Limits,
        stop: &'a mut dyn FnMut() -> bool,
    ) -> Search<'a, P> {
        self.table.clear();
        self.memory.clear();
        Search::new(
            position,
            situation.past().to_vec(),
            limits,
            stop,
            &mut self.table,
            &mut self.memory,
        )
    }
}

/// How a position looks to the side to move without calculating, in centipawns.
pub fn glance(board: &Board) -> i32 {
    match board {
        Board::Standard(position) => eval::evaluate(position),
        Board::Variant(position) => eval::evaluate(&**position),
    }
}

#[cfg(test)]
mod tests;
