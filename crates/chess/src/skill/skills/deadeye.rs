//! Captures along a clear row, column or diagonal.

use super::Skill;
use crate::skill::{Board, Square};

pub(super) struct Deadeye;

impl Skill for Deadeye {
    fn id(&self) -> &'static str {
        "deadeye"
    }

    fn reaches(&self, board: &Board, from: Square, to: Square) -> bool {
        from.between(to)
            .is_some_and(|between| between.iter().all(|square| board.at(square).is_none()))
    }
}
