//! Rows as they are stored, to be compared with what they should be.

use chess::Timestamp;
use chess::table::{PlayerId, Summary};

use crate::TableId;

/// A table's row, column by column. Unlike [`crate::Row`] it can hold what no
/// rules would write: it is for finding out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredRow {
    /// Which table.
    pub table: TableId,
    /// Which rules.
    pub kind: u8,
    /// The version this row holds.
    pub version: u32,
    /// The packed history up to that version.
    pub history: Vec<u8>,
    /// When the table must be looked at even if nobody speaks.
    pub deadline: Option<Timestamp>,
    /// The code by which a friend joins.
    pub join_code: Option<String>,
    /// What lists and reports ask for.
    pub summary: StoredSummary,
}

/// A [`Summary`] as it is stored; the fields mean the same.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "each is documented in `Summary`")]
pub struct StoredSummary {
    pub state: String,
    pub creator: PlayerId,
    pub opponent: Option<PlayerId>,
    pub white: Option<PlayerId>,
    pub black: Option<PlayerId>,
    pub private: bool,
    /// `None`: the row is older than the column.
    pub delay_ms: Option<u32>,
    /// In the order of their numbers.
    pub invited: Vec<PlayerId>,
    pub variant: String,
    pub rated: bool,
    pub speed: String,
    pub initial_ms: Option<u32>,
    pub increment_ms: Option<u32>,
    pub white_clock_ms: Option<u32>,
    pub black_clock_ms: Option<u32>,
    pub side_to_move: char,
    pub ply: u32,
    pub fen: String,
    pub result: Option<String>,
    pub reason: Option<String>,
    pub created_at: Timestamp,
    pub started_at: Option<Timestamp>,
    pub updated_at: Timestamp,
    pub ended_at: Option<Timestamp>,
}

impl StoredSummary {
    /// The columns that are not as they should be.
    pub fn differences(&self, right: &Summary) -> Vec<&'static str> {
        let right = StoredSummary::from(right);
        let columns = [
            ("state", self.state == right.state),
            ("creator", self.creator == right.creator),
            ("opponent", self.opponent == right.opponent),
            ("white", self.white == right.white),
            ("black", self.black == right.black),
            ("private", self.private == right.private),
            (
                "delay_ms",
                self.delay_ms.is_none() || self.delay_ms == right.delay_ms,
            ),
            ("invited", self.invited == right.invited),
            ("variant", self.variant == right.variant),
            ("rated", self.rated == right.rated),
            ("speed", self.speed == right.speed),
            ("initial_ms", self.initial_ms == right.initial_ms),
            ("increment_ms", self.increment_ms == right.increment_ms),
            (
                "white_clock_ms",
                self.white_clock_ms == right.white_clock_ms,
            ),
            (
                "black_clock_ms",
                self.black_clock_ms == right.black_clock_ms,
            ),
            ("side_to_move", self.side_to_move == right.side_to_move),
            ("ply", self.ply == right.ply),
            ("fen", self.fen == right.fen),
            ("result", self.result == right.result),
            ("reason", self.reason == right.reason),
            ("created_at", self.created_at == right.created_at),
            ("started_at", self.started_at == right.started_at),
            ("updated_at", self.updated_at == right.updated_at),
            ("ended_at", self.ended_at == right.ended_at),
        ];
        columns
            .into_iter()
            .filter_map(|(name, is_right)| (!is_right).then_some(name))
            .collect()
    }
}

impl From<&Summary> for StoredSummary {
    fn from(s: &Summary) -> StoredSummary {
        let mut invited = s.invited.clone();
        invited.sort_unstable();
        invited.dedup();
        StoredSummary {
            state: s.state.name().to_owned(),
            creator: s.creator,
            opponent: s.opponent,
            white: s.white,
            black: s.black,
            private: s.private,
            delay_ms: Some(s.delay_ms),
            invited,
            variant: s.variant.to_owned(),
            rated: s.rated,
            speed: s.speed.to_owned(),
            initial_ms: s.initial_ms,
            increment_ms: s.increment_ms,
            white_clock_ms: s.white_clock_ms,
            black_clock_ms: s.black_clock_ms,
            side_to_move: s.side_to_move,
            ply: s.ply,
            fen: s.fen.clone(),
            result: s.result.map(str::to_owned),
            reason: s.reason.map(str::to_owned),
            created_at: s.created_at,
            started_at: s.started_at,
            updated_at: s.updated_at,
            ended_at: s.ended_at,
        }
    }
}
