//! Many changes in one statement: each on the condition that its table has the
//! version it was decided on.

use std::collections::HashSet;

use tokio_postgres::types::ToSql;

use super::Db;
use super::fault::Fault;
use super::values::{at, int, small, table};
use crate::{Change, Error, EventKind};

/// The condition and the change, up to what comes back.
macro_rules! update {
    ($beginning:literal, $end:literal) => {
        concat!(
            "
WITH given AS (
  SELECT * FROM unnest($1::bigint[], $2::integer[], $3::integer[], $4::bytea[], $5::bigint[],
                       $6::bigint[], $7::bigint[], $8::bigint[], $9::text[], $10::integer[], $11::text[])
    AS g (id, expected, version, payload, updated_at, deadline, white_clock_ms, black_clock_ms,
          side_to_move, ply, fen)
), locked AS (
  SELECT g.* FROM tables t JOIN given g ON t.id = g.id AND t.archive = 0 AND t.version = g.expected
   ORDER BY t.id FOR NO KEY UPDATE OF t
), alive AS (
  UPDATE signs_of_life SET at = greatest(at, $12) WHERE writer = $13 AND node = $14
)",
            $beginning,
            "
UPDATE tables t
   SET version = l.version, history = t.history || l.payload, updated_at = l.updated_at,
       deadline = l.deadline, white_clock_ms = l.white_clock_ms, black_clock_ms = l.black_clock_ms,
       side_to_move = l.side_to_move, ply = l.ply, fen = l.fen, node = $14
  FROM locked l
 WHERE t.id = l.id AND t.archive = 0 AND t.version = l.expected
RETURNING t.id",
            $end
        )
    };
}

/// Rows are locked in the order of their ids, so that two nodes' batches wait
/// for each other in one direction only. What comes back was made. What was given
/// goes along with the rows that are locked: to look it up once more for each row
/// would take as many steps as the batch is long.
pub(super) const UPDATE: &str = update!("", "");

/// The same, if some of them are moves that are told: of those that were made.
pub(super) const UPDATE_AND_TELL: &str = update!(
    ", made AS (",
    "), told AS (
  INSERT INTO outbox (at, type, table_id, version)
  SELECT w.at, 'MovePlayed', w.id, w.version
    FROM unnest($15::bigint[], $16::bigint[], $17::integer[]) AS w (id, at, version)
    JOIN made ON made.id = w.id
   ORDER BY w.id
)
SELECT id FROM made"
);

/// Writes changes of as many tables, of which lists need not show anything but
/// the position. What became of each.
pub(super) async fn write(
    db: &Db,
    writer: usize,
    changes: &[Change],
) -> Result<Vec<Result<(), Error>>, Fault> {
    let mut columns = Columns::default();
    for change in changes {
        columns.push(change);
    }
    let writer = small(u32::try_from(writer).unwrap_or(0));
    let mut parameters: Vec<&(dyn ToSql + Sync)> = vec![
        &columns.id,
        &columns.expected,
        &columns.version,
        &columns.payload,
        &columns.updated_at,
        &columns.deadline,
        &columns.white_clock_ms,
        &columns.black_clock_ms,
        &columns.side_to_move,
        &columns.ply,
        &columns.fen,
        &columns.alive_at,
        &writer,
        &columns.node,
    ];
    let told = &columns.told;
    let sql = match told.id.is_empty() {
        true => UPDATE,
        false => {
            parameters.extend([&told.id as &(dyn ToSql + Sync), &told.at, &told.version]);
            UPDATE_AND_TELL
        }
    };
    let statement = db.prepare_cached(sql).await?;
    let made = db.query(&statement, &parameters).await?;
    let made: HashSet<i64> = made.iter().map(|row| row.get(0)).collect();
    let result = |id: &i64| match made.contains(id) {
        true => Ok(()),
        false => Err(Error::Conflict),
    };
    Ok(columns.id.iter().map(result).collect())
}

/// The changes, column by column.
#[derive(Default)]
struct Columns<'a> {
    id: Vec<i64>,
    expected: Vec<i32>,
    version: Vec<i32>,
    payload: Vec<&'a [u8]>,
    updated_at: Vec<i64>,
    deadline: Vec<Option<i64>>,
    white_clock_ms: Vec<Option<i64>>,
    black_clock_ms: Vec<Option<i64>>,
    side_to_move: Vec<String>,
    ply: Vec<i32>,
    fen: Vec<String>,
    /// The latest of their times.
    alive_at: i64,
    /// Whose they are: a batch is one node's.
    node: i32,
    told: Told,
}

/// Those of them that are told.
#[derive(Default)]
struct Told {
    id: Vec<i64>,
    at: Vec<i64>,
    version: Vec<i32>,
}

impl<'a> Columns<'a> {
    fn push(&mut self, change: &'a Change) {
        let head = change.after.head();
        let summary = head.summary;
        let ms = |clock: Option<u32>| clock.map(i64::from);
        self.node = small(change.node.0);
        self.id.push(table(change.table));
        self.expected.push(small(change.expected));
        self.version.push(small(change.version));
        self.payload.push(&change.payload);
        self.updated_at.push(at(summary.updated_at));
        self.deadline.push(head.deadline.map(at));
        self.white_clock_ms.push(ms(summary.white_clock_ms));
        self.black_clock_ms.push(ms(summary.black_clock_ms));
        self.side_to_move.push(summary.side_to_move.to_string());
        self.ply.push(small(summary.ply));
        self.fen.push(summary.fen);
        self.alive_at = self.alive_at.max(int(change.at.min(change.asked).0));
        if change.tells.has(EventKind::MovePlayed) {
            self.told.id.push(table(change.table));
            self.told.at.push(at(change.at));
            self.told.version.push(small(change.version));
        }
    }
}
