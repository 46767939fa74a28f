//! The match as lists and databases want it.

use super::Match;
use super::record::Made;
use crate::Timestamp;
use crate::clock::TimeControl;
use crate::table::{MoveRow, Summary};

impl Match {
    /// What lists and reports ask for.
    pub fn summary(&self) -> Summary {
        let seats = self.seats();
        Summary {
            state: self.phase().state(),
            creator: self.creation().host,
            opponent: None,
            white: seats.white,
            black: seats.black,
            private: false,
            delay_ms: 0,
            invited: Vec::new(),
            variant: "skill",
            rated: false,
            speed: TimeControl::Unlimited.speed().name(),
            initial_ms: None,
            increment_ms: None,
            white_clock_ms: None,
            black_clock_ms: None,
            side_to_move: self.board().turn().char(),
            ply: self.ply(),
            fen: self.board().fen(self.ply()),
            result: self.ending().map(|ending| ending.result()),
            reason: self.ending().map(|ending| ending.kind()),
            created_at: self.created_at(),
            started_at: self.started_at(),
            updated_at: self.last_at(),
            ended_at: self.finished_at(),
        }
    }

    /// The moves one by one, in long algebraic notation; a star marks a skill.
    pub fn score_sheet(&self) -> Vec<MoveRow> {
        let mut previous = self.started_at().unwrap_or(self.created_at());
        (1..)
            .zip(self.made())
            .map(|(ply, made)| made.row(ply, std::mem::replace(&mut previous, made.at)))
            .collect()
    }
}

impl Made {
    fn row(&self, ply: u32, previous: Timestamp) -> MoveRow {
        let Made { before, m, .. } = self;
        let mut after = *before;
        after.play(m);
        let becomes = m.promotion.map(|becomes| becomes.letter());
        let mut uci = format!("{}{}", m.from, m.to);
        uci.extend(becomes.map(|letter| letter.to_ascii_lowercase()));
        MoveRow {
            ply,
            move_number: ply.div_ceil(2),
            color: before.turn().char(),
            uci,
            san: self.notation(),
            fen_after: after.fen(ply),
            played_at: self.at,
            elapsed_ms: self.at.since(previous).0,
            white_clock_ms: None,
            black_clock_ms: None,
        }
    }

    fn notation(&self) -> String {
        let Made { before, m, .. } = self;
        let mut text = match m.escort {
            Some((partner, _)) if partner < m.from => "O-O-O".to_owned(),
            Some(_) => "O-O".to_owned(),
            None => {
                let initial = self.piece().and_then(|piece| piece.behaviour.initial());
                let initial = initial.map_or_else(String::new, String::from);
                let joint = if m.captured.is_some() { "x" } else { "-" };
                format!("{initial}{}{joint}{}", m.from, m.to)
            }
        };
        let promotion = m.promotion.iter();
        text.extend(promotion.flat_map(|becomes| ['=', becomes.letter()]));
        text.extend(m.skill.map(|_| '*'));
        let mut after = *before;
        after.play(m);
        if after.is_check(after.turn()) {
            text.push(if after.has_legal_move() { '+' } else { '#' });
        }
        text
    }
}
