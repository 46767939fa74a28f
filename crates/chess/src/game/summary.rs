//! The game as lists and databases want it.

use super::{Event, Game, Phase};
use crate::clock::TimeControl;
use crate::rating::Shown;
use crate::rules::Board;
use crate::table::{MoveRow, Summary};
use crate::{ByColor, Timestamp};

impl Game {
    /// When the opponent joined.
    pub fn started_at(&self) -> Option<Timestamp> {
        self.entries()
            .find(|entry| matches!(entry.event, Event::Joined { .. }))
            .map(|entry| entry.at)
    }

    /// How strong the two were when the game began, as everybody saw it; `None` for
    /// who had no rating.
    pub fn start_ratings(&self) -> ByColor<Option<Shown>> {
        let joined = self.entries().find_map(|entry| match entry.event {
            Event::Joined { ratings, .. } => Some(ratings),
            _ => None,
        });
        joined.unwrap_or_default()
    }

    /// Whether it waits for whoever comes, and everybody may know of it.
    pub fn is_open(&self) -> bool {
        self.phase() == Phase::Waiting && self.opponent().is_none() && self.terms().is_public()
    }

    /// When the last move that stands was received.
    pub fn last_move_at(&self) -> Option<Timestamp> {
        self.line().last().map(|played| played.at)
    }

    /// When the game ended, whatever was made of its result later.
    pub fn ended_at(&self) -> Option<Timestamp> {
        self.ending()?;
        let is_later =
            |event: &Event| matches!(event, Event::ResultChanged { .. } | Event::Reseated { .. });
        if !self.last_event().is_some_and(|last| is_later(&last)) {
            return Some(self.last_at());
        }
        let played = self.entries().filter(|entry| !is_later(&entry.event));
        played.last().map(|entry| entry.at)
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

    /// All the memory this game takes, in bytes.
    pub fn footprint(&self) -> usize {
        let boxed_board = match self.board() {
            Board::Standard(_) => 0,
            Board::Variant(position) => size_of_val(&**position),
        };
        size_of::<Game>() + boxed_board + self.ledger.heap_bytes() + self.log.history().heap_bytes()
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
