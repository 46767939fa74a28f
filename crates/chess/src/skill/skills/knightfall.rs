//! Captures a knight's jump away.

use super::Skill;
use crate::skill::{Board, Square};

pub(super) struct Knightfall;

impl Skill for Knightfall {
    fn id(&self) -> &'static str {
        "knightfall"
    }

    fn reaches(&self, _board: &Board, from: Square, to: Square) -> bool {
        matches!(from.distance(to), (1, 2) | (2, 1))
    }
}
