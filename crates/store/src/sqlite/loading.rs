//! Reading tables: a row, and what the journal has beyond it.

use rusqlite::{Connection, OptionalExtension};

use super::fault::Fault;
use super::time;
use super::values::{At, Number};
use super::writer::tell;
use crate::{Done, Error, IdMap, JournalRecord, Recovery, Stored, TableId, Unfinished};
use chess::table::Outage;

/// Tables loaded in one pass through the journal.
pub(super) const TABLES_MAX: usize = 1 << 16;

/// A table somebody waits for.
pub(super) struct Wanted {
    pub(super) table: TableId,
    pub(super) done: Done<Option<Stored>>,
}

/// A table as its row has it.
pub(super) fn load(db: &Connection, table: TableId) -> Result<Option<Stored>, Fault> {
    let stored = db
        .prepare_cached("SELECT kind, version, history, join_code FROM tables WHERE id = ?1")?
        .query_row((table,), |r| {
            let version = r.get(1)?;
            Ok(Stored {
                kind: r.get(0)?,
                version,
                folded: version,
                history: r.get(2)?,
                join_code: r.get(3)?,
            })
        })
        .optional()?;
    Ok(stored)
}

/// Loads tables with their part of the journal, in one pass through it.
pub(super) fn load_unfolded(db: &Connection, wanted: Vec<Wanted>) {
    let ids = wanted.iter().map(|w| w.table);
    match read_unfolded(db, ids) {
        Ok(mut found) => {
            // Two may want the same table; the last one takes it.
            let mut left: IdMap<TableId, u32> = IdMap::default();
            for Wanted { table, .. } in &wanted {
                *left.entry(*table).or_default() += 1;
            }
            for Wanted { table, done } in wanted {
                let others = left.entry(table).or_default();
                *others = others.saturating_sub(1);
                let result = match *others {
                    0 => found.remove(&table),
                    _ => found.get(&table).cloned(),
                };
                tell(|| done(result.unwrap_or(Ok(None))));
            }
        }
        Err(fault) => {
            let error = fault.into_error();
            for Wanted { done, .. } in wanted {
                tell(|| done(Err(error.clone())));
            }
        }
    }
}

type Found = IdMap<TableId, Result<Option<Stored>, Error>>;

fn read_unfolded(db: &Connection, ids: impl Iterator<Item = TableId>) -> Result<Found, Fault> {
    // Rows and journal of the same moment: a fold moves changes between them.
    let moment = db.unchecked_transaction()?;
    let mut found = Found::default();
    for id in ids {
        // One damaged row is its own table's trouble.
        found.insert(id, its_own(load(&moment, id))?);
    }
    let mut select =
        moment.prepare_cached("SELECT table_id, version, payload FROM journal ORDER BY seq")?;
    let mut records = select.query(())?;
    while let Some(record) = records.next()? {
        // A record that does not say whose it is has nobody who waits for it.
        let Ok(table) = record.get::<_, TableId>(0) else {
            continue;
        };
        if let Some(entry) = found.get_mut(&table)
            && let Ok(Some(stored)) = entry
            && let Err(damaged) = its_own(append(stored, record))?
        {
            *entry = Err(damaged);
        }
    }
    Ok(found)
}

/// Adds a record of the journal to what is stored of its table.
fn append(stored: &mut Stored, record: &rusqlite::Row<'_>) -> Result<(), Fault> {
    let version: u32 = record.get(1)?;
    if version <= stored.version {
        return Ok(());
    }
    if version != stored.version + 1 {
        let before = stored.version;
        let why = format!("the journal goes from version {before} to {version}");
        return Err(Error::Corrupt(why).into());
    }
    let payload = record.get_ref(2)?.as_blob();
    stored
        .history
        .extend_from_slice(payload.map_err(rusqlite::Error::from)?);
    stored.version = version;
    Ok(())
}

/// Sorts out what is wrong with one table from what is wrong with reading.
fn its_own<T>(read: Result<T, Fault>) -> Result<Result<T, Error>, Fault> {
    match read.map_err(Fault::judge) {
        Ok(value) => Ok(Ok(value)),
        Err(Ok(damaged)) => Ok(Err(damaged)),
        Err(Err(error)) => Err(error.into()),
    }
}

/// The newest version of every table in the journal, and the last number. The
/// changes themselves are read table by table: all at once they take as much
/// memory as the games.
fn unfolded(db: &Connection) -> Result<(Vec<(TableId, u32)>, u64), Fault> {
    let mut newest: IdMap<TableId, u32> = IdMap::default();
    let mut seq = 0;
    let mut select = db.prepare("SELECT seq, table_id, version FROM journal ORDER BY seq")?;
    let mut records = select.query(())?;
    while let Some(record) = records.next()? {
        Number(seq) = record.get(0)?;
        let version = newest.entry(record.get(1)?).or_default();
        *version = record.get::<_, u32>(2)?.max(*version);
    }
    let mut unfolded: Vec<_> = newest.into_iter().collect();
    unfolded.sort_unstable();
    Ok((unfolded, seq))
}

/// The whole journal: for those who look for damage.
pub(super) fn journal(db: &Connection) -> Result<Vec<JournalRecord>, Fault> {
    let records = db
        .prepare("SELECT seq, table_id, version, at, payload FROM journal ORDER BY seq")?
        .query_map((), |r| {
            Ok(JournalRecord {
                seq: r.get::<_, Number>(0)?.0,
                table: r.get(1)?,
                version: r.get(2)?,
                at: r.get::<_, At>(3)?.0,
                payload: r.get(4)?,
            })
        })?
        .collect::<Result<_, _>>()?;
    Ok(records)
}

/// Everything a start must know.
pub(super) fn recover(db: &Connection) -> Result<Recovery, Fault> {
    let moment = db.unchecked_transaction()?;
    let (unfolded, seq) = unfolded(&moment)?;
    let mut unfinished: Vec<Unfinished> = moment
        .prepare("SELECT id, deadline FROM tables WHERE state IN ('WAITING', 'ACTIVE', 'PAUSED')")?
        .query_map((), |r| {
            Ok(Unfinished {
                table: r.get(0)?,
                deadline: r.get::<_, Option<At>>(1)?.map(|at| at.0),
            })
        })?
        .collect::<Result<_, _>>()?;
    unfinished.sort_unstable_by_key(|u| u.table);
    let outages = moment
        .prepare("SELECT down_since, up_at FROM outages ORDER BY down_since")?
        .query_map((), |r| {
            Ok(Outage {
                down_since: r.get::<_, At>(0)?.0,
                up_at: r.get::<_, At>(1)?.0,
            })
        })?
        .collect::<Result<_, _>>()?;
    Ok(Recovery {
        alive_at: time::alive_at(&moment)?,
        unfolded,
        seq,
        unfinished,
        outages,
    })
}
