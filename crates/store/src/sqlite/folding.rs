//! Moving the journal's tail into rows, in steps that keep nobody waiting.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};

use rusqlite::Connection;

use super::fault::Fault;
use super::queue::Fold;
use super::tails::Tails;
use super::values::{At, Number, int};
use super::versions::Versions;
use super::{meta, rows};
use crate::behind::Stranded;
use crate::{Error, Row, TableId};

/// Rows made and written in one transaction: by the thread that writes, so not many.
const ROWS: usize = 128;
/// Records of the journal deleted in one transaction.
const RECORDS: u64 = 1000;

/// How far a step came.
pub(super) enum Step {
    /// There is more to do.
    More,
    /// That was all.
    Done,
}

/// The next step: some rows in the order of their ids, and once all of them
/// are durable, some of the journal. A row that is older than what is there
/// is passed over, so folding twice does no harm.
pub(super) fn step(
    db: &Connection,
    tails: &Tails,
    fold: &mut Fold,
) -> Result<Step, rusqlite::Error> {
    if !fold.tables.is_empty() {
        write_rows(db, tails, fold)?;
        return Ok(match (fold.tables.is_empty(), fold.trim) {
            (true, None) => Step::Done,
            _ => Step::More,
        });
    }
    match fold.trim {
        None => Ok(Step::Done),
        Some(upto) => trim(db, fold, upto),
    }
}

fn write_rows(db: &Connection, tails: &Tails, fold: &mut Fold) -> Result<(), rusqlite::Error> {
    let left = fold.tables.len().saturating_sub(ROWS);
    let mut written = Vec::with_capacity(ROWS);
    db.execute_batch("BEGIN IMMEDIATE")?;
    for table in fold.tables.split_off(left).into_iter().rev() {
        let result = match made(tails, table) {
            Ok(None) => continue,
            Ok(Some(row)) => match rows::write_by_itself(db, &row) {
                Ok(_) => Ok(row.version),
                Err(fault) => Err(Fault::judge(fault)?.to_string()),
            },
            Err(why) => Err(why),
        };
        match result {
            Ok(version) => written.push((table, version)),
            // The others are written; this table's records stay in the journal,
            // which alone has its last changes.
            Err(why) => {
                tracing::error!(%table, why, "a row could not be brought up to date");
                fold.refused = Some(Error::Corrupt(format!("table {table}: {why}")));
            }
        }
    }
    db.execute_batch("COMMIT")?;
    for (table, version) in written {
        tails.of(table).folded(table, version);
    }
    Ok(())
}

/// The row of a table that is behind. The rules of one table must not end the
/// writing of all others.
fn made(tails: &Tails, table: TableId) -> Result<Option<Row>, String> {
    let after = tails.of(table).to_fold(table);
    let Some(after) = after else {
        return Ok(None);
    };
    let row = catch_unwind(AssertUnwindSafe(|| after.row()));
    row.map(Some)
        .map_err(|_| "making its row panicked".to_owned())
}

/// Deletes the oldest records, a piece at a time: those whose row, read here
/// from the database and from nowhere else, has their version or a later one.
/// What the rows do not have stays, and is told.
fn trim(db: &Connection, fold: &mut Fold, upto: u64) -> Result<Step, rusqlite::Error> {
    let first = db
        .prepare_cached("SELECT min(seq) FROM journal WHERE seq > ?1")?
        .query_row((int(fold.trimmed),), |r| r.get::<_, Option<Number>>(0))?
        .map(|Number(seq)| seq)
        .filter(|seq| *seq <= upto);
    let Some(first) = first else {
        return Ok(Step::Done);
    };
    let bound = upto.min(first.saturating_add(RECORDS - 1));
    let piece = (int(fold.trimmed), int(bound));
    db.execute_batch("BEGIN IMMEDIATE")?;
    // The journal also tells when the server was last up.
    let last = db
        .prepare_cached("SELECT max(at) FROM journal WHERE seq > ?1 AND seq <= ?2")?
        .query_row(piece, |r| r.get::<_, Option<At>>(0))?;
    if let Some(At(last)) = last {
        meta::raise(db, meta::ALIVE_AT, last.0)?;
    }
    db.prepare_cached(
        "DELETE FROM journal WHERE seq > ?1 AND seq <= ?2
            AND version <= (SELECT t.version FROM tables t WHERE t.id = journal.table_id)",
    )?
    .execute(piece)?;
    let stranded = stranded(db, piece)?;
    meta::raise(db, meta::SEQ, bound)?;
    db.execute_batch("COMMIT")?;
    fold.stranded.extend(stranded);
    fold.trimmed = bound;
    Ok(if bound == upto {
        Step::Done
    } else {
        Step::More
    })
}

/// What is still stranded of what was, with the version of its row: commits came
/// between the pieces, and may have written the rows.
pub(super) fn still_stranded(
    db: &Connection,
    stranded: Vec<(TableId, u32)>,
) -> Result<Vec<Stranded>, rusqlite::Error> {
    let mut newest: BTreeMap<TableId, u32> = BTreeMap::new();
    for (table, version) in stranded {
        let known = newest.entry(table).or_default();
        *known = version.max(*known);
    }
    let mut still = Vec::new();
    for (table, version) in newest {
        let row = rows::version(db, table)?.unwrap_or(0);
        if row < version {
            still.push(Stranded {
                table,
                version,
                row,
            });
        }
    }
    Ok(still)
}

/// What a piece of the journal still has.
fn stranded(db: &Connection, piece: (i64, i64)) -> Result<Vec<(TableId, u32)>, rusqlite::Error> {
    db.prepare_cached(
        "SELECT table_id, max(version) FROM journal WHERE seq > ?1 AND seq <= ?2 GROUP BY table_id",
    )?
    .query_map(piece, |r| Ok((r.get(0)?, r.get(1)?)))?
    .collect()
}

/// What a start finds in the journal: the tables in it with their versions, those
/// whose rows are behind, and its last number.
pub(super) fn read_versions(db: &Connection) -> Result<(Versions, Tails, u64), rusqlite::Error> {
    let mut newest = BTreeMap::new();
    let mut last = 0;
    let mut select = db.prepare("SELECT seq, table_id, version FROM journal ORDER BY seq")?;
    let mut records = select.query(())?;
    while let Some(record) = records.next()? {
        Number(last) = record.get(0)?;
        newest.insert(
            record.get::<_, TableId>(1)?,
            (record.get::<_, u32>(2)?, last),
        );
    }
    let mut versions = Versions::default();
    let tails = Tails::default();
    // A row may be newer than what the journal still has of its table.
    for (table, (version, seq)) in newest {
        let row = rows::version(db, table)?.unwrap_or(0);
        versions.record(table, version.max(row), seq);
        tails.of(table).found(table, version, row);
    }
    versions.settle();
    Ok((versions, tails, last))
}
