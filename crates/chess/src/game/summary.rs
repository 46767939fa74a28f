//! The game as lists and databases want it.

use super::{Event, Game};
use crate::Timestamp;
use crate::clock::TimeControl;
use crate::table::{MoveRow, Summary};

impl Game {
    /// When the opponent joined.
    pub fn started_at(&self) -> Option<Timestamp> {
        self.entries()
            .find(|entry| matches!(entry.event, Event::Joined { .. }))
            .map(|entry| entry.at)
    }

    /// When the last move that stands was received.
    pub fn last_move_at(&self) -> Option<Timestamp> {
        self.line().last().map(|played| played.at)
    }

    /// When the game ended.
    pub fn ended_at(&self) -> Option<Timestamp> {
        self.ending().map(|_| self.last_at())
    }

    /// What lists and reports ask for.
    pub fn summary(&self) -> Summary {
        let terms = self.terms();
        let clocks = self.clocks(self.last_at());
        let seats = self.seats();
        Summary {
            state: self.phase().state(),
            creator: self.creator(),
            opponent: self.opponent(),
            white: seats.white,
            black: seats.black,
            // Lists know those who may see a game by name alone.
            private: !terms.is_public(),
            delay_ms: u32::from(terms.spectator_delay) * 1_000,
            invited: self.invited().to_vec(),
            variant: terms.variant.name(),
            rated: terms.rated,
            speed: terms.control.speed().name(),
            initial_ms: terms.control.initial().map(|ms| ms.0),
            increment_ms: increment(&terms.control),
            white_clock_ms: clocks.map(|c| c.white.0),
            black_clock_ms: clocks.map(|c| c.black.0),
            side_to_move: self.turn().char(),
            ply: self.ply(),
            fen: self.board().fen(),
            result: self.ending().map(|e| e.result()),
            reason: self.ending().map(|e| e.reason()),
            created_at: self.created_at(),
            started_at: self.started_at(),
            updated_at: self.last_at(),
            ended_at: self.ended_at(),
        }
    }

    /// The moves that stand, one by one.
    pub fn score_sheet(&self) -> Vec<MoveRow> {
        let has_clock = self.terms().control != TimeControl::Unlimited;
        let mut board = self.start_board();
        (1..)
            .zip(self.line())
            .map(|(ply, played)| {
                let m = played.in_position(&board);
                let before = board.clone();
                board.play(m);
                MoveRow {
                    ply,
                    move_number: before.move_number(),
                    color: before.turn().char(),
                    uci: before.uci(m).to_string(),
                    san: before.san(m, &board),
                    fen_after: board.fen(),
                    played_at: played.at,
                    elapsed_ms: played.spent.0,
                    white_clock_ms: has_clock.then_some(played.clocks.white.0),
                    black_clock_ms: has_clock.then_some(played.clocks.black.0),
                }
            })
            .collect()
    }
}

fn increment(control: &TimeControl) -> Option<u32> {
    match control {
        TimeControl::Fischer { increment, .. } => Some(increment.0),
        TimeControl::Delay { .. } => Some(0),
        TimeControl::Stages(stages) => stages.first().map(|s| s.increment.0),
        TimeControl::Correspondence { .. } | TimeControl::Unlimited => None,
    }
}
