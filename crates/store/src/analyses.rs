//! Games that are gone through after their end, one after the other.

use chess::Timestamp;
use chess::table::PlayerId;

use crate::TableId;

/// After so many attempts that did not come to an end an analysis is given up, and forgotten.
pub const ANALYSIS_ATTEMPTS_MAX: u32 = 10;

/// Somebody wants a game analysed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NewAnalysis {
    /// Which game.
    pub table: TableId,
    /// Who wants it: remembered until it is done.
    pub by: PlayerId,
    /// When.
    pub at: Timestamp,
    /// How many half-moves there are to look at.
    pub total: u32,
    /// So many of theirs may be open, and of everybody's.
    pub own_max: u32,
    /// See `own_max`.
    pub all_max: u32,
}

/// What became of wanting it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AnalysisAsked {
    /// It waits for its turn.
    Queued(Analysis),
    /// Somebody wanted it before.
    There(Analysis),
    /// Too many of the same account's are open.
    TooManyOwn,
    /// Too many are open.
    Full,
}

/// An analysis, wherever it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Analysis {
    /// Of which game.
    pub table: TableId,
    /// When it was asked for.
    pub asked_at: Timestamp,
    /// Until when somebody is at it, unless they say more.
    pub leased_until: Option<Timestamp>,
    /// How often somebody began: whoever began last may go on.
    pub attempt: u32,
    /// How many half-moves were looked at.
    pub done: u32,
    /// Of how many.
    pub total: u32,
    /// What came of it, once it is done: text of whoever made it.
    pub result: Option<String>,
}
