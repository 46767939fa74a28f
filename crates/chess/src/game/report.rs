//! The answer to a move: a pure function of the history up to it.

use shakmaty::packed::PackedUciMove;
use shakmaty::{ByColor, Color};

use super::{Ending, Game, Phase};
use crate::Millis;
use crate::rules::{Board, Move};
use crate::table::State;

/// What the one who moved is told, the first time and every time again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MoveReport {
    /// The half-move.
    pub ply: u32,
    /// In UCI.
    pub uci: String,
    /// In standard algebraic notation.
    pub san: String,
    /// The position after it.
    pub fen: String,
    /// Whose move it is now.
    pub to_move: Color,
    /// Both clocks, as of the move's receipt; `None` without a clock.
    pub clocks: Option<ByColor<Millis>>,
    /// The version the move made.
    pub version: u32,
    /// `ACTIVE` or `COMPLETED`.
    pub state: State,
    /// Whether the side to move is in check.
    pub check: bool,
    /// The end, if this move was the last.
    pub ending: Option<Ending>,
}

impl MoveReport {
    /// Reports the move that is recorded as `uci` and led from `before` to `after`.
    pub fn of(before: &Board, uci: PackedUciMove, after: &Game) -> MoveReport {
        MoveReport::new(before, before.recorded(uci), after)
    }

    /// Reports the move `m` that led from `before` to `after`.
    pub fn new(before: &Board, m: Move, after: &Game) -> MoveReport {
        let ending = after.ending();
        let check = after.board().is_check();
        let won = ending.is_some_and(|e| e.winner().is_some());
        MoveReport {
            ply: after.ply(),
            uci: before.uci_text(m),
            san: before.san_with(m, won, check),
            fen: after.board().fen(),
            to_move: after.turn(),
            clocks: after.clocks(after.last_at()),
            version: after.version(),
            state: match after.phase() {
                Phase::Over(_) => State::Completed,
                _ => State::Active,
            },
            check,
            ending,
        }
    }
}

impl Game {
    /// The report of the move that made `version`, byte for byte as it was;
    /// `None` if that version was no move.
    pub fn report(&self, version: u32) -> Option<MoveReport> {
        let entry = self.entries().nth(version.checked_sub(1)? as usize)?;
        let super::Event::Moved { uci, .. } = &entry.event else {
            return None;
        };
        let mut game = self.as_of(version - 1)?;
        let before = game.board().clone();
        let m = before.recorded(*uci);
        game.evolve(entry.at, &entry.event);
        Some(MoveReport::new(&before, m, &game))
    }
}
