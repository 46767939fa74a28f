//! What must always hold, by name, and how a breach is told.

use std::fmt;

use store::TableId;

/// An invariant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Rule {
    /// Replaying a history gives exactly the state that was shown.
    ReplayEqualsLive,
    /// What anyone was told is part of everything told later, crash or not.
    AcknowledgedIsNeverLost,
    /// Every change was asked for, or was due; it is there as a whole, and once.
    WholeOrNotAtAll,
    /// No two requests are told that they made the same version.
    EachVersionOnce,
    /// What a request is told is what the rules say to the state shown with it.
    DecidedOnTheTruth,
    /// The commands for one table are decided in the order they came.
    FirstComeFirstServed,
    /// Each clock shows what the time control and the events make of it.
    ClocksRiseOnlyByRule,
    /// Downtime is given back: all of it, and no more than was recorded.
    DowntimeIsCredited,
    /// Nothing follows an ending.
    NothingFollowsAnEnding,
    /// What is due happens neither early nor 100 ms late.
    DueInTime,
    /// Whatever will be due is in the timers, once nothing is under way.
    EveryDeadlineIsArmed,
    /// Changes are in the order of time, and none is from the future.
    TimeRunsForward,
    /// Every request is answered exactly once, unless the node died.
    OneReply,
    /// No more requests wait for a table than may.
    QueuesAreBounded,
    /// A request fails only if something was wrong.
    FailsForAReason,
    /// A repeated move is answered as the first time.
    SameAnswerAgain,
    /// An idempotency key is there if and only if its change is.
    KeysGoWithChanges,
    /// What fails is not tried again without a pause.
    NothingSpins,
    /// Rows, lists of moves and codes are what the history makes of them.
    RowsAreRight,
    /// A node that is stopping takes on no new work.
    StoppingRefusesWork,
    /// A clean stop leaves nothing in the journal.
    CleanStopFoldsAll,
    /// Whoever watches is told every change once, in order.
    ToldInOrder,
    /// Nobody who watches is told of a move before its delay is over.
    ToldInTime,
    /// Once nothing happens any more, whoever watches knows all they may.
    AllKnowAll,
    /// No node answers by what was so before it was asked.
    NobodyIsBehind,
    /// Those who watch are told within two seconds, at every node.
    ToldSoon,
    /// An outage is one if and only if no node could make a change.
    OutagesAreReal,
    /// Nobody loses a game for having left who was there, at whichever node.
    ReallyLeft,
    /// No more tables stay in memory than may, once everything is folded.
    MemoryIsBounded,
    /// Nobody is paired who plays in real time.
    OneGameAtATime,
    /// A ticket ends once and with its owner's game, and one that was paired has one.
    TicketsEndOnce,
    /// Nobody waits longer, or meets somebody further away, than the pool's policy says.
    PolicyHolds,
    /// A game that counts is rated once and with its end, by what its players had then.
    RatedOnce,
}

/// A broken invariant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    /// Which.
    pub rule: Rule,
    /// At which table, if at one.
    pub table: Option<TableId>,
    /// What was seen.
    pub what: String,
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} is broken", self.rule)?;
        if let Some(table) = self.table {
            write!(f, " at table {table}")?;
        }
        write!(f, ": {}", self.what)
    }
}

/// Whether everything still holds.
pub(crate) type Checked = Result<(), Violation>;

/// Breaks off with a [`Violation`] unless the condition holds.
macro_rules! ensure {
    ($holds:expr, $rule:ident, $table:expr, $($what:tt)+) => {
        if !$holds {
            return Err($crate::rules::Violation {
                rule: $crate::rules::Rule::$rule,
                table: $table.into(),
                what: format!($($what)+),
            });
        }
    };
}
pub(crate) use ensure;
