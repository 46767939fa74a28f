//! Tables that are over, oldest first: for whoever takes all of them with them.
//!
//! A table's place is when everybody may know that it is over, which is its end and the
//! delay of its spectators. What ends later comes later, so whoever goes on from a place
//! misses nothing, if they stay far enough behind the present: what ends now may be
//! written in a moment.

use chess::Timestamp;
use chess::table::PlayerId;

use crate::list_sql::Dialect;
use crate::{Error, Stored, TableId};

/// Which finished tables are wanted: those that anybody may see and that were played,
/// and not called off.
#[derive(Clone, Debug)]
pub struct FinishedQuery {
    /// Of these rules.
    pub kind: u8,
    /// Only with this player.
    pub player: Option<PlayerId>,
    /// Known to be over at this moment or later.
    pub since: Timestamp,
    /// And at this moment at the latest.
    pub until: Timestamp,
    /// After this place.
    pub after: Option<FinishedPlace>,
    /// At most so many.
    pub limit: u32,
}

/// A place among finished tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct FinishedPlace {
    /// When everybody may know that it is over.
    pub known_at: Timestamp,
    /// Which it is.
    pub table: TableId,
}

/// A finished table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finished {
    /// Where.
    pub place: FinishedPlace,
    /// The table; [`Error::Corrupt`] if its row is damaged, which keeps no other
    /// from being found.
    pub stored: Result<Stored, Error>,
}

impl FinishedQuery {
    /// The place to begin after: the time, and a number that may be above all tables'.
    pub(crate) fn begins_after(&self) -> (u64, u64) {
        let begin = (self.since.0.saturating_sub(1), i64::MAX as u64);
        // A table of the first millisecond there is has nothing before it.
        let begin = if self.since.0 == 0 { (0, 0) } else { begin };
        let after = self
            .after
            .map(|place| (place.known_at.0, place.table.number()));
        after.map_or(begin, |after| after.max(begin))
    }
}

/// When everybody may know of the end, as the index has it.
const KNOWN: &str = "t.ended_at + coalesce(t.delay_ms, 0)";

/// The text of the question. Its parameters: 1 the kind, 2 and 3 the place to begin
/// after, 4 the last moment, 5 the player, 6 the limit.
pub(crate) fn sql(query: &FinishedQuery, dialect: Dialect) -> String {
    let from = match (query.player, dialect) {
        (Some(_), _) => "seats s CROSS JOIN tables t ON t.id = s.table_id",
        // Left to itself it takes the index of lists, and sorts all that is over.
        (None, Dialect::Sqlite) => "tables t INDEXED BY tables_finished",
        (None, Dialect::Postgres) => "tables t",
    };
    let whose = match query.player {
        Some(_) => "s.player = ?5 AND s.over = TRUE AND s.sight IN (0, 1)",
        None => "TRUE",
    };
    dialect.say(&format!(
        "SELECT {KNOWN}, t.id, t.kind, t.version, t.history, t.join_code FROM {from}
          WHERE {whose} AND t.kind = ?1
            AND t.state = 'COMPLETED' AND t.sight < 2 AND t.result <> 'aborted'
            AND {KNOWN} >= ?2 AND ({KNOWN} > ?2 OR t.id > ?3) AND {KNOWN} <= ?4
          ORDER BY {KNOWN}, t.id LIMIT ?6"
    ))
}
