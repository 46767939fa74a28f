//! Rows of any kind in SQLite.

use rusqlite::{Connection, OptionalExtension, Row as SqlRow, params_from_iter};

use super::Record;
use super::kinds::{Kind, Type};
use super::value::Value;
use crate::sqlite::fault::Fault;

/// Rows in the order of their keys, after that one.
pub(super) fn read(
    db: &Connection,
    kind: &Kind,
    after: Option<Record>,
) -> Result<Vec<Record>, Fault> {
    let columns: Vec<&str> = kind
        .columns
        .iter()
        .map(|(name, _)| expression(name))
        .collect();
    let (columns, table, key) = (columns.join(", "), kind.sqlite_table(), key(kind));
    let beyond = match &after {
        None => String::new(),
        Some(_) => format!("WHERE ({key}) > ({})", places(kind.key)),
    };
    let (sql, after) = (
        format!(
            "SELECT {columns} FROM {table} {beyond} ORDER BY {key} LIMIT {}",
            kind.page
        ),
        after.unwrap_or_default(),
    );
    let rows = db
        .prepare_cached(&sql)?
        .query_map(params_from_iter(after), |row| record(row, kind))?
        .collect::<Result<_, _>>()?;
    Ok(rows)
}

/// Writes rows that are not there.
pub(super) fn write(db: &Connection, kind: &Kind, rows: &[Record]) -> Result<(), Fault> {
    if kind.sqlite_view.is_some() {
        return Ok(());
    }
    let columns: Vec<&str> = kind.columns.iter().map(|(name, _)| *name).collect();
    // When a table is looked at only this database has, and it is no later than its deadline.
    let deadline = columns.iter().position(|name| *name == "deadline");
    let (look_at, at) = match deadline {
        Some(index) => (", look_at", format!(", ?{}", index + 1)),
        None => ("", String::new()),
    };
    let mut insert = db.prepare_cached(&format!(
        "INSERT INTO {} ({}{look_at}) VALUES ({}{at})",
        kind.table,
        columns.join(", "),
        places(columns.len())
    ))?;
    for row in rows {
        insert.execute(params_from_iter(row))?;
    }
    Ok(())
}

/// The key of the last row.
pub(super) fn last(db: &Connection, kind: &Kind) -> Result<Option<Record>, Fault> {
    let key: Vec<String> = kind
        .key_columns()
        .iter()
        .map(|(name, _)| format!("{name} DESC"))
        .collect();
    let columns: Vec<&str> = kind
        .columns
        .iter()
        .map(|(name, _)| expression(name))
        .collect();
    let sql = format!(
        "SELECT {} FROM {} ORDER BY {} LIMIT 1",
        columns.join(", "),
        kind.sqlite_table(),
        key.join(", ")
    );
    let found = db
        .prepare(&sql)?
        .query_row((), |row| record(row, kind))
        .optional()?;
    Ok(found.map(|mut row| {
        row.truncate(kind.key);
        row
    }))
}

pub(super) fn count(db: &Connection, kind: &Kind) -> Result<u64, Fault> {
    let sql = format!("SELECT count(*) FROM {}", kind.sqlite_table());
    Ok(db.query_row(&sql, (), |row| row.get::<_, u32>(0))?.into())
}

/// The highest number that was given out; tokens that are gone count too.
pub(super) fn highest(db: &Connection, kind: &Kind) -> Result<i64, Fault> {
    let (table, column) = (kind.table, kind.columns[0].0);
    let last: Option<i64> =
        db.query_row(&format!("SELECT max({column}) FROM {table}"), (), |row| {
            row.get(0)
        })?;
    let given: Option<i64> = db
        .query_row(
            "SELECT seq FROM sqlite_sequence WHERE name = ?1",
            (table,),
            |row| row.get(0),
        )
        .optional()?;
    Ok(last.max(given).unwrap_or(0))
}

/// Lets numbers go on after the highest. SQLite itself does, but for tokens, whose
/// last may be gone.
pub(super) fn go_on_after(db: &Connection, kind: &Kind, highest: i64) -> Result<(), Fault> {
    if kind.table != "tokens" || highest == 0 {
        return Ok(());
    }
    let raised = db.execute(
        "UPDATE sqlite_sequence SET seq = max(seq, ?2) WHERE name = ?1",
        (kind.table, highest),
    )?;
    if raised == 0 {
        db.execute(
            "INSERT INTO sqlite_sequence (name, seq) VALUES (?1, ?2)",
            (kind.table, highest),
        )?;
    }
    Ok(())
}

fn record(row: &SqlRow<'_>, kind: &Kind) -> Result<Record, rusqlite::Error> {
    let value = |(index, (name, wanted)): (usize, &(&str, Type))| {
        let found = row.get_ref(index)?;
        let wrong = found.data_type();
        let value = Value::of_sqlite(found, *wanted).ok_or_else(|| {
            rusqlite::Error::InvalidColumnType(index, format!("{}.{name}", kind.table), wrong)
        })?;
        // A key stays what it is found by.
        Ok(match index < kind.key {
            true => value,
            false => value.without_nul(),
        })
    };
    kind.columns.iter().enumerate().map(value).collect()
}

/// A row that is older than the column is shown by lists as if this were zero.
fn expression(column: &'static str) -> &'static str {
    match column {
        "delay_ms" => "coalesce(delay_ms, 0)",
        other => other,
    }
}

fn key(kind: &Kind) -> String {
    let names: Vec<&str> = kind.key_columns().iter().map(|(name, _)| *name).collect();
    names.join(", ")
}

fn places(count: usize) -> String {
    vec!["?"; count].join(", ")
}
