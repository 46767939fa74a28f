//! Tables as the store sees them: a history, and what lists ask for.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use chess::clock::Speed;
use chess::table::{MoveRow, Outage, PlayerId, State, Summary};
use chess::{Color, Millis, Timestamp};

use crate::{Begins, Error, EventKinds, NodeId, Rates, TableId};

/// Called once, when the outcome is known; on a thread of the store, so it
/// must be quick and must not wait.
pub type Done<T> = Box<dyn FnOnce(Result<T, Error>) + Send>;

/// One accepted change of one table, and what is written with it: all of it in
/// one transaction, or nothing.
#[derive(Clone)]
pub struct Change {
    /// Which table.
    pub table: TableId,
    /// The version it was decided on; 0 if there is no such table yet. The store
    /// refuses it with [`Error::Conflict`] if the table has another.
    pub expected: u32,
    /// The version it makes.
    pub version: u32,
    /// When it happened, by the table's own time.
    pub at: Timestamp,
    /// When it was handed over. The table's time is later only if the machine's
    /// clock was ahead once.
    pub asked: Timestamp,
    /// Who makes it.
    pub node: NodeId,
    /// The change itself, as packed by the rules.
    pub payload: Vec<u8>,
    /// Whether it changes more than moves do, so that lists must show it at once: the
    /// state, or who may see it. Else their rows may be behind.
    pub is_listed: bool,
    /// What it means for ratings, if anything: they change in the same transaction.
    /// Such a change is listed.
    pub rates: Option<Box<Rates>>,
    /// The table after it.
    pub after: Arc<dyn Snapshot>,
    /// An answer to remember under the submitter's idempotency key. If the key
    /// was taken meanwhile, the whole change is refused with [`Error::Conflict`].
    pub remember: Option<Remembered>,
    /// Two sit down to play with it.
    pub begins: Option<Box<Begins>>,
    /// What others may want to be told of it: written to the outbox in the same
    /// transaction. That ratings changed follows from `rates`.
    pub tells: EventKinds,
}

impl fmt::Debug for Change {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Change {
            table,
            expected,
            version,
            ..
        } = self;
        write!(f, "table {table} from version {expected} to {version}")
    }
}

/// A table at one version: shared with the store, which makes a row of it when it
/// wants one. Most changes never need theirs.
pub trait Snapshot: Send + Sync {
    /// The row.
    fn row(&self) -> Row;
    /// What changes in it with every move, besides the history.
    fn head(&self) -> Head {
        let Row {
            deadline, summary, ..
        } = self.row();
        Head { deadline, summary }
    }
    /// When the table must be looked at even if nobody speaks.
    fn deadline(&self) -> Option<Timestamp> {
        self.head().deadline
    }
}

impl Snapshot for Row {
    fn row(&self) -> Row {
        self.clone()
    }
}

/// A row without its history.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Head {
    /// When the table must be looked at even if nobody speaks.
    pub deadline: Option<Timestamp>,
    /// What lists and reports ask for.
    pub summary: Summary,
}

/// Makes a row of what is stored of a table, or says why it cannot be one: only
/// the rules know what lists ask for.
pub type ToRow = Arc<dyn Fn(TableId, Stored) -> Result<Row, String> + Send + Sync>;

/// How a store sees to itself.
#[derive(Clone)]
pub struct Upkeep {
    /// How often rows that are behind are brought up to date.
    pub fold_every: Duration,
    /// Changes of one table after which its row is written at once.
    pub fold_after: u32,
    /// For rows that were behind when the last run ended. Without it they stay so:
    /// for tools.
    pub to_row: Option<ToRow>,
    /// Whoever tells many what became of a transaction says when that begins and ends: the
    /// embedded store, whose one thread does so.
    pub telling: Option<Telling>,
}

/// Called on the thread that calls back, around many calls in a row: what these bring about
/// may wait for the last of them.
#[derive(Clone, Copy, Debug)]
pub struct Telling {
    /// Before the first.
    pub begins: fn(),
    /// After the last. It is called whatever happens in between.
    pub ends: fn(),
}

impl Default for Upkeep {
    fn default() -> Upkeep {
        Upkeep {
            fold_every: Duration::from_secs(30),
            fold_after: 64,
            to_row: None,
            telling: None,
        }
    }
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
    /// The packed history.
    pub history: Vec<u8>,
    /// The code by which a friend joins, as long as it leads here.
    pub join_code: Option<String>,
}

/// A change that is in no row yet, as those who look for damage find it.
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

impl From<Row> for Stored {
    fn from(row: Row) -> Stored {
        Stored {
            kind: row.kind,
            version: row.version,
            history: row.history,
            join_code: row.join_code,
        }
    }
}

/// A table that is not over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Due {
    /// Which table.
    pub table: TableId,
    /// When it must be looked at: at its deadline, or at zero if that is not known.
    pub at: Option<Timestamp>,
}

/// Tables whose deadlines come up, and where to go on.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Upcoming {
    /// The tables; one may be there twice, and may be due later than it says.
    pub due: Vec<Due>,
    /// The last row that was looked at, if there are more after it.
    pub next: Option<(Timestamp, TableId)>,
}

impl Upcoming {
    /// Rows that are sorted by their deadlines, for a page.
    pub(crate) fn by_deadline(rows: Vec<(Timestamp, TableId)>) -> Vec<(Timestamp, Due)> {
        let due = |(at, table)| {
            let due = Due {
                table,
                at: Some(at),
            };
            (at, due)
        };
        rows.into_iter().map(due).collect()
    }

    /// A page of rows with deadlines, of at most `limit` and each with what it is sorted by,
    /// but those that are behind, and what is known besides.
    pub(crate) fn page(
        rows: Vec<(Timestamp, Due)>,
        besides: Vec<Due>,
        limit: u32,
        is_behind: impl Fn(TableId) -> bool,
    ) -> Upcoming {
        let is_full = rows.len() >= limit as usize;
        let last = rows.last().filter(|_| is_full);
        let next = last.map(|(place, due)| (*place, due.table));
        let mut due = besides;
        let rows = rows.into_iter().map(|(_, due)| due);
        due.extend(rows.filter(|due| !is_behind(due.table)));
        Upcoming { due, next }
    }
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

/// What happened before this start.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Past {
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
    /// Only in this state.
    pub state: Option<State>,
    /// Only with this player (seated, creating, or invited to play).
    pub player: Option<PlayerId>,
    /// Only of this variant.
    pub variant: Option<String>,
    /// Only of this speed.
    pub speed: Option<Speed>,
    /// Only rated ones, or only those that are not.
    pub rated: Option<bool>,
    /// Only those that came out like that for `player`, who must be given.
    pub outcome: Option<PlayerOutcome>,
    /// Only those in which `player`, who must be given, has this side.
    pub color: Option<Color>,
    /// Only those in which this one has a side, too.
    pub other: Option<PlayerId>,
    /// Only those made at or after this moment.
    pub since: Option<Timestamp>,
    /// Only those made before this moment.
    pub until: Option<Timestamp>,
    /// Only those made for somebody in particular to join, or only those for
    /// whoever comes.
    pub is_addressed: Option<bool>,
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
    /// Whether the oldest come first, and not the newest.
    pub oldest_first: bool,
    /// At most so many.
    pub limit: u32,
}

/// How a table came out for one of its players.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlayerOutcome {
    /// They won.
    Won,
    /// Nobody won.
    Drawn,
    /// The other one won.
    Lost,
}

/// A table in a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listed {
    /// Where.
    pub place: Cursor,
    /// The table; [`Error::Corrupt`] if its row is damaged, which keeps no other
    /// from being listed.
    pub stored: Result<Stored, Error>,
}

/// A place in a list: by creation, newest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cursor {
    /// When the last table shown was created.
    pub created_at: Timestamp,
    /// Which it was.
    pub table: TableId,
}
