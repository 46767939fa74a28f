//! The journal: whether its records follow one another, table by table.

use chess::Timestamp;
use rusqlite::{Connection, Row as SqlRow};

use super::super::values::{At, Number};
use super::AHEAD_MAX;
use crate::{Flaw, IdMap, JournalRecord, JournalRecords, TableId};

/// Every record that can be read, and what is wrong. One moment: a fold moves
/// changes between journal and rows.
pub(crate) fn records(db: &Connection, now: Timestamp) -> JournalRecords {
    let mut found = JournalRecords::default();
    if let Err(error) = read(db, now, &mut found) {
        let from = found.records.last().map_or(String::new(), |record| {
            format!(" after record {}", record.seq)
        });
        let what = format!("cannot be read{from}: {error}");
        found.flaws.push(Flaw::new("journal", what));
    }
    found
}

fn read(
    db: &Connection,
    now: Timestamp,
    found: &mut JournalRecords,
) -> Result<(), rusqlite::Error> {
    let moment = db.unchecked_transaction()?;
    let mut select = moment.prepare_cached(
        "SELECT j.seq, j.table_id, j.version, j.at, j.payload, t.version
           FROM journal j LEFT JOIN tables t ON t.id = j.table_id ORDER BY j.seq",
    )?;
    let mut rows = select.query(())?;
    let mut chains: IdMap<TableId, u32> = IdMap::default();
    while let Some(r) = rows.next()? {
        let seq: i64 = r.get(0)?;
        let mut tell = |what: String| {
            found
                .flaws
                .push(Flaw::new(format!("journal record {seq}"), what))
        };
        let record = match record(r) {
            Ok(record) => record,
            Err(error) => {
                tell(format!("cannot be read: {error}"));
                continue;
            }
        };
        let table = record.table;
        if record.at > now + AHEAD_MAX {
            tell(format!("{table} changed at an impossible time"));
        }
        match r.get(5) {
            Ok(None) => tell(format!("{table} has no row")),
            Ok(Some(folded)) => {
                let before = chains.insert(table, record.version);
                if let Some(what) = out_of_turn(record.version, before, folded) {
                    tell(format!("{table} {what}"));
                }
            }
            // The row is told of where rows are looked at.
            Err(_) => {}
        }
        found.records.push(record);
    }
    Ok(())
}

fn record(r: &SqlRow<'_>) -> Result<JournalRecord, rusqlite::Error> {
    Ok(JournalRecord {
        seq: r.get::<_, Number>(0)?.0,
        table: r.get(1)?,
        version: r.get(2)?,
        at: r.get::<_, At>(3)?.0,
        payload: r.get(4)?,
    })
}

/// Whether a record may not stand where it stands. Records that a fold has
/// written to the row may still be there, with gaps where a change went
/// straight to the row; beyond the row there are none.
fn out_of_turn(version: u32, before: Option<u32>, folded: u32) -> Option<String> {
    match before {
        Some(before) if version <= before => {
            Some(format!("goes back from version {before} to {version}"))
        }
        _ if version <= folded => None,
        _ => {
            let last = before.map_or(folded, |before| before.max(folded));
            let is_next = last.checked_add(1) == Some(version);
            (!is_next).then(|| format!("goes from version {last} to {version}"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_follows_the_row_or_the_record_before() {
        for (version, before, folded) in [
            (3, None, 2),
            (4, Some(3), 2),
            (2, None, 5),
            (4, Some(2), 5),
            (6, Some(4), 5),
        ] {
            assert_eq!(
                out_of_turn(version, before, folded),
                None,
                "{version} {before:?} {folded}"
            );
        }
        for (version, before, folded) in [
            (4, None, 2),
            (5, Some(3), 2),
            (3, Some(3), 2),
            (2, Some(3), 5),
            (7, Some(4), 5),
        ] {
            assert!(
                out_of_turn(version, before, folded).is_some(),
                "{version} {before:?} {folded}"
            );
        }
    }
}
