//! Captures on an adjacent square, in any of the eight directions.

use super::Skill;
use crate::skill::{Board, Square};

pub(super) struct Shadowstep;

impl Skill for Shadowstep {
    fn id(&self) -> &'static str {
        "shadowstep"
    }

    fn reaches(&self, _board: &Board, from: Square, to: Square) -> bool {
        matches!(from.distance(to), (0, 1) | (1, 0) | (1, 1))
    }
}
