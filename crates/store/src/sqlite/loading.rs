//! Reading tables: a row, and what the journal has beyond it.

use rusqlite::{Connection, OptionalExtension};

use super::fault::Fault;
use super::time;
use super::values::At;
use crate::callback::tell;
use crate::{Done, Due, Error, IdMap, Past, Stored, TableId};
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
    let found = db
        .prepare_cached("SELECT kind, version, history, join_code FROM tables WHERE id = ?1")?
        .query_row((table,), |r| stored(r, 0))
        .optional()?;
    Ok(found)
}

/// A table, from that column on.
pub(super) fn stored(r: &rusqlite::Row<'_>, from: usize) -> Result<Stored, rusqlite::Error> {
    Ok(Stored {
        kind: r.get(from)?,
        version: r.get(from + 1)?,
        history: r.get(from + 2)?,
        join_code: r.get(from + 3)?,
    })
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

pub(super) type Found = IdMap<TableId, Result<Option<Stored>, Error>>;

pub(super) fn read_unfolded(
    db: &Connection,
    ids: impl Iterator<Item = TableId>,
) -> Result<Found, Fault> {
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

/// Every table that is not over, in the order of their ids.
pub(super) fn due(db: &Connection) -> Result<Vec<Due>, Fault> {
    let mut due: Vec<Due> = db
        .prepare("SELECT id, deadline FROM tables WHERE state IN ('WAITING', 'ACTIVE', 'PAUSED')")?
        .query_map((), |r| {
            Ok(Due {
                table: r.get(0)?,
                at: r.get::<_, Option<At>>(1)?.map(|at| at.0),
            })
        })?
        .collect::<Result<_, _>>()?;
    due.sort_unstable_by_key(|due| due.table);
    Ok(due)
}

/// What happened before this start.
pub(crate) fn past(db: &Connection) -> Result<Past, Fault> {
    let moment = db.unchecked_transaction()?;
    let outages = moment
        .prepare("SELECT down_since, up_at FROM outages ORDER BY down_since")?
        .query_map((), |r| {
            Ok(Outage {
                down_since: r.get::<_, At>(0)?.0,
                up_at: r.get::<_, At>(1)?.0,
            })
        })?
        .collect::<Result<_, _>>()?;
    Ok(Past {
        alive_at: time::alive_at(&moment)?,
        outages,
    })
}
