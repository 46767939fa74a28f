//! The moves that stand: the history without what was taken back.

use shakmaty::ByColor;
use shakmaty::packed::PackedUciMove;

use super::ledger::Ledger;
use super::log::Log;
use super::{Entry, Event};
use crate::clock::Clock;
use crate::rules::{Board, Move};
use crate::{Millis, Timestamp};

/// One half-move of the line that stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Played {
    /// The move, castling as king takes rook.
    pub uci: PackedUciMove,
    /// The version it made.
    pub version: u32,
    /// When it was received.
    pub at: Timestamp,
    /// How long the mover took.
    pub spent: Millis,
    /// Both clocks right after it.
    pub clocks: ByColor<Millis>,
    /// Both clocks when the turn began: where a takeback returns to.
    pub(super) before: Clock,
}

impl Played {
    /// The move in the position in which it was played.
    pub fn in_position(&self, board: &Board) -> Move {
        board.recorded(self.uci)
    }
}

/// Goes through a history, showing each entry with the ledger after it, and
/// returns the moves that stand at its end.
pub(super) fn walk(log: &Log, mut see: impl FnMut(&Entry, &Ledger)) -> Vec<Played> {
    let mut entries = log.entries();
    let Some(Entry {
        at,
        event: Event::Created(creation),
    }) = entries.next()
    else {
        return Vec::new();
    };
    let start = Board::start(creation.terms.variant, &creation.start)
        .expect("a recorded start could be set up when the game was made");
    let mut ledger = Ledger::new(at, &creation, start.turn());
    let mut line: Vec<Played> = Vec::new();
    for entry in entries {
        match entry.event {
            Event::Moved { uci, lag, .. } => {
                let turn = Turn::of(&ledger, entry.at, lag);
                ledger.apply(entry.at, &entry.event, None);
                line.push(turn.played(uci, &ledger));
            }
            Event::TakenBack { plies, .. } => {
                let kept = line.len() - usize::from(plies);
                let rewound = line[kept].before;
                line.truncate(kept);
                ledger.apply(entry.at, &entry.event, Some(rewound));
            }
            _ => ledger.apply(entry.at, &entry.event, None),
        }
        see(&entry, &ledger);
    }
    line
}

/// A turn that a move is about to end.
pub(super) struct Turn {
    before: Clock,
    spent: Millis,
}

impl Turn {
    /// The turn that a move at `at` ends.
    pub(super) fn of(ledger: &Ledger, at: Timestamp, lag: Millis) -> Turn {
        Turn {
            before: ledger.clock.at_start_of_turn(),
            spent: spent_by(ledger, at) - lag,
        }
    }

    /// The move that ended it, and what the ledger says after it.
    pub(super) fn played(self, uci: PackedUciMove, after: &Ledger) -> Played {
        Played {
            uci,
            version: after.version,
            at: after.last_at,
            spent: self.spent,
            clocks: after.clocks(after.last_at),
            before: self.before,
        }
    }
}

/// What the side to move has spent on its turn by `at`.
fn spent_by(ledger: &Ledger, at: Timestamp) -> Millis {
    let mut clock = ledger.clock;
    clock.pass(at.since(ledger.runs_from()));
    clock.spent()
}
