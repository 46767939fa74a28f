//! What the players of slow games decide for days ahead.

use chess::Timestamp;
use chess::table::PlayerId;

use crate::TableId;

/// A player's conditional moves in a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    /// Which game.
    pub table: TableId,
    /// Whose, as the game knows them.
    pub account: PlayerId,
    /// The version of the game they were made for.
    pub version: u32,
    /// The half-moves played in the position they begin with.
    pub ply: u32,
    /// The lines: only the rules can read them.
    pub lines: String,
}

/// A time in which somebody is away.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Vacation {
    /// Who.
    pub account: PlayerId,
    /// Since when.
    pub began_at: Timestamp,
    /// Until when.
    pub ends_at: Timestamp,
    /// Whether all their games say so.
    pub is_recorded: bool,
}
