//! A piece is someone: it keeps its id through moves and promotion.

use shakmaty::Color;

use super::{Behaviour, Skill, Uuid};

/// A piece on the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Piece {
    /// Its own, for the whole match.
    pub id: Uuid,
    /// Whose it is.
    pub color: Color,
    /// How it moves. Its name and `behaviourID` are there.
    pub behaviour: &'static dyn Behaviour,
    /// The moves it has made.
    pub move_count: u16,
}

/// A skill that a piece was given before the first move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Equipped {
    /// Of this very skill on this very piece: what a move names to use it.
    pub id: Uuid,
    /// The piece that has it.
    pub bearer: Uuid,
    /// What it does.
    pub skill: &'static dyn Skill,
    /// A skill works once.
    pub used: bool,
}
