//! Moving the journal's tail into rows, in steps that keep nobody waiting.

use std::collections::BTreeMap;

use rusqlite::Connection;

use super::fault::Fault;
use super::queue::Fold;
use super::values::{At, Number, int};
use super::versions::Versions;
use super::{meta, rows};
use crate::{Error, TableId};

/// Rows written in one transaction.
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
pub(super) fn step(db: &Connection, fold: &mut Fold) -> Result<Step, rusqlite::Error> {
    if !fold.rows.is_empty() {
        write_rows(db, fold)?;
        return Ok(match (fold.rows.is_empty(), fold.trim) {
            (true, None) => Step::Done,
            _ => Step::More,
        });
    }
    match fold.trim {
        None => Ok(Step::Done),
        Some(upto) => trim(db, fold, upto),
    }
}

fn write_rows(db: &Connection, fold: &mut Fold) -> Result<(), rusqlite::Error> {
    db.execute_batch("BEGIN IMMEDIATE")?;
    let chunk = fold.rows.len().min(ROWS);
    for row in fold.rows.drain(..chunk) {
        if let Err(fault) = rows::write(db, &row) {
            // The schema refuses this row. The others are written; this table's
            // records stay in the journal, which alone has its last changes.
            let error = Fault::judge(fault)?;
            fold.refused = Some(Error::Corrupt(format!("table {}: {error}", row.table)));
        }
    }
    db.execute_batch("COMMIT")
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
    fold.folded.stranded.extend(stranded);
    fold.trimmed = bound;
    Ok(if bound == upto {
        Step::Done
    } else {
        Step::More
    })
}

/// What is still stranded of what was: commits came between the pieces, and
/// may have written the rows.
pub(super) fn still_stranded(
    db: &Connection,
    stranded: Vec<(TableId, u32)>,
) -> Result<Vec<(TableId, u32)>, rusqlite::Error> {
    let mut newest: BTreeMap<TableId, u32> = BTreeMap::new();
    for (table, version) in stranded {
        let known = newest.entry(table).or_default();
        *known = version.max(*known);
    }
    let mut still = Vec::new();
    for (table, version) in newest {
        if rows::version(db, table)?.is_none_or(|row| row < version) {
            still.push((table, version));
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

/// What a start finds in the journal: the tables in it with their versions,
/// and its last number.
pub(super) fn read_versions(db: &Connection) -> Result<(Versions, u64), rusqlite::Error> {
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
    // A row may be newer than what the journal still has of its table.
    for (table, (version, seq)) in newest {
        let folded = rows::version(db, table)?.unwrap_or(0);
        versions.record(table, version.max(folded), seq);
    }
    versions.settle();
    Ok((versions, last))
}
