//! Tables as the store sees them: a history, and what lists ask for.

use chess::table::{MoveRow, Outage, PlayerId, Summary};
use chess::{Millis, Timestamp};

use crate::{Error, TableId};

/// Called once, when the outcome is known; on a thread of the store, so it
/// must be quick and must not wait.
pub type Done<T> = Box<dyn FnOnce(Result<T, Error>) + Send>;

/// One accepted change of one table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// Which table.
    pub table: TableId,
    /// The version this change makes. The store refuses it with
    /// [`Error::Conflict`] if the table has that version already, or lacks the one before.
    pub version: u32,
    /// When it was accepted.
    pub at: Timestamp,
    /// The change itself, as packed by the rules.
    pub payload: Vec<u8>,
    /// What to write.
    pub written: Written,
    /// An answer to remember under the submitter's idempotency key. If the key
    /// was taken meanwhile, the whole change is refused with [`Error::Conflict`].
    pub remember: Option<Remembered>,
}

/// How a change reaches the disk.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Written {
    /// As one record of the journal, to be folded into the row later.
    Journal,
    /// As the table's whole row, because lists must show it at once.
    Row(Box<Row>),
}

/// The receipt for a change: its place in the journal's order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Committed {
    /// Rises with every change, whichever way it was written.
    pub seq: u64,
}

/// What a fold came to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Folded {
    /// The tables whose records stay in the journal although they were to be
    /// forgotten, with the newest version among them: their rows, read back,
    /// do not have it.
    pub stranded: Vec<(TableId, u32)>,
}

/// Everything stored about a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// Which table.
    pub table: TableId,
    /// Which rules: [`chess::table::Table::kind`].
    pub kind: u8,
    /// The version this row holds.
    pub version: u32,
    /// The whole packed history up to that version.
    pub history: Vec<u8>,
    /// When the table must be looked at even if nobody speaks.
    pub deadline: Option<Timestamp>,
    /// The code by which a friend joins, as long as it leads here. If another
    /// table has it, the change is refused with [`Error::Conflict`].
    pub join_code: Option<String>,
    /// What lists and reports ask for.
    pub summary: Summary,
    /// The moves one by one, once the game is over.
    pub moves: Vec<MoveRow>,
}

/// A table as it is loaded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stored {
    /// Which rules.
    pub kind: u8,
    /// The version of `history`.
    pub version: u32,
    /// The version of the row: what is beyond it is still in the journal.
    pub folded: u32,
    /// The packed history: the row's, and what the journal has beyond it.
    pub history: Vec<u8>,
    /// The code by which a friend joins, as long as it leads here.
    pub join_code: Option<String>,
}

/// A change that is not folded yet, as found at start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JournalRecord {
    /// Its place in the journal.
    pub seq: u64,
    /// Which table.
    pub table: TableId,
    /// The version it made.
    pub version: u32,
    /// When it was accepted.
    pub at: Timestamp,
    /// The packed change.
    pub payload: Vec<u8>,
}

/// A table that is not over, as found at start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unfinished {
    /// Which table.
    pub table: TableId,
    /// Its deadline as of its row.
    pub deadline: Option<Timestamp>,
}

/// An answer that a repeated request must get again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Remembered {
    /// Whose request it was.
    pub account: PlayerId,
    /// The key the client chose.
    pub key: String,
    /// A hash of method, path and body: another request with the same key is a mistake.
    pub request: [u8; 32],
    /// The table it was about.
    pub table: TableId,
    /// The version that answered it.
    pub version: u32,
    /// When: keys are kept for a day.
    pub at: Timestamp,
}

/// How long an answer is remembered.
pub(crate) const KEY_LIFETIME: Millis = Millis::from_days(1);

impl Remembered {
    /// Whether it still counts.
    pub(crate) fn is_alive(&self, now: Timestamp) -> bool {
        now.since(self.at) < KEY_LIFETIME
    }
}

/// Everything a start must know.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Recovery {
    /// The tables with changes in the journal, each with its newest version
    /// there, in the order of their ids. Its row may have it already: a fold
    /// writes rows before it trims.
    pub unfolded: Vec<(TableId, u32)>,
    /// The number of the journal's last change.
    pub seq: u64,
    /// Every table that is not over, in the order of their ids.
    pub unfinished: Vec<Unfinished>,
    /// The last moment the server is known to have been up: the last
    /// heartbeat or change. `None` in a new store.
    pub alive_at: Option<Timestamp>,
    /// When it was down before, oldest first.
    pub outages: Vec<Outage>,
}

/// What setting the store's time back came to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TimeReset {
    /// What it was, if it was ahead.
    pub before: Option<Timestamp>,
    /// Accounts that were made later.
    pub accounts: usize,
    /// Tokens that were made later.
    pub tokens: usize,
    /// Tables that are not over and whose last event comes later; it stays so.
    pub tables: Vec<TableId>,
}

/// How long an outage is kept, in milliseconds: four hundred days, longer than any
/// clock runs without being looked at.
pub(crate) const OUTAGE_LIFETIME_MS: u64 = 400 * 86_400_000;

/// Which tables to list, newest first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ListQuery {
    /// Only tables of these rules.
    pub kind: Option<u8>,
    /// Only in this state: `WAITING`, `ACTIVE`, `PAUSED`, `COMPLETED`.
    pub state: Option<String>,
    /// Only with this player (seated, creating, or invited to play).
    pub player: Option<PlayerId>,
    /// Only of this variant.
    pub variant: Option<String>,
    /// Private tables only if this player may see them; `None`: public ones only.
    pub viewer: Option<PlayerId>,
    /// Every table, also private ones: for operators.
    pub everything: bool,
    /// Tables with a spectator delay are in a state, for those who do not play
    /// there, as far as spectators know at this time; which of them run, lists
    /// never tell. `None`: they are listed as they are.
    pub known_at: Option<Timestamp>,
    /// Begin after this place.
    pub after: Option<Cursor>,
    /// At most so many.
    pub limit: u32,
}

/// A place in a list: by creation, newest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cursor {
    /// When the last table shown was created.
    pub created_at: Timestamp,
    /// Which it was.
    pub table: TableId,
}
