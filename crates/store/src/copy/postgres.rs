//! Rows of any kind in PostgreSQL.

use std::pin::pin;

use tokio_postgres::binary_copy::BinaryCopyInWriter;
use tokio_postgres::types::{ToSql, Type as SqlType};
use tokio_postgres::{Row as SqlRow, Statement};

use super::Record;
use super::kinds::{Kind, Type};
use super::value::Value;
use crate::Error;
use crate::postgres::Db;
use crate::postgres::fault::{Fault, with_causes};

/// Rows in the order of their keys, after that one.
pub(super) async fn read(
    db: &Db,
    kind: &Kind,
    after: Option<Record>,
) -> Result<Vec<Record>, Fault> {
    let (columns, table, key) = (columns(kind), kind.table, key(kind, ""));
    let beyond = match &after {
        None => String::new(),
        Some(_) => {
            let places: Vec<String> = (1..=kind.key).map(|place| format!("${place}")).collect();
            format!("WHERE ({key}) > ({})", places.join(", "))
        }
    };
    let page = kind.page;
    let select = db
        .prepare_cached(&format!(
            "SELECT {columns} FROM {table} {beyond} ORDER BY {key} LIMIT {page}"
        ))
        .await?;
    let after = after.unwrap_or_default();
    let parameters: Vec<&(dyn ToSql + Sync)> = after.iter().map(|v| v as _).collect();
    let found = db.query(&select, &parameters).await?;
    found.iter().map(|row| record(row, kind)).collect()
}

/// Writes rows that are not there: one statement, so all or none.
pub(super) async fn write(db: &Db, kind: &Kind, rows: &[Record]) -> Result<(), Fault> {
    let (columns, table) = (columns(kind), kind.table);
    let types = types(
        &db.prepare_cached(&format!("SELECT {columns} FROM {table}"))
            .await?,
    );
    let sink = db
        .copy_in(&format!("COPY {table} ({columns}) FROM STDIN BINARY"))
        .await?;
    let mut writer = pin!(BinaryCopyInWriter::new(sink, &types));
    for row in rows {
        let values: Vec<&(dyn ToSql + Sync)> = row.iter().map(|v| v as _).collect();
        writer.as_mut().write(&values).await?;
    }
    writer.finish().await?;
    Ok(())
}

/// The key of the last row.
pub(super) async fn last(db: &Db, kind: &Kind) -> Result<Option<Record>, Fault> {
    let (columns, table, key) = (columns(kind), kind.table, key(kind, " DESC"));
    let sql = format!("SELECT {columns} FROM {table} ORDER BY {key} LIMIT 1");
    let found = db.query_opt(&sql, &[]).await?;
    let found = found.map(|row| record(&row, kind)).transpose()?;
    Ok(found.map(|mut row| {
        row.truncate(kind.key);
        row
    }))
}

pub(super) async fn count(db: &mut Db, kind: &Kind) -> Result<u64, Fault> {
    let moment = db.transaction().await?;
    moment
        .batch_execute("SET LOCAL statement_timeout = 0")
        .await?;
    let sql = format!("SELECT count(*) FROM {}", kind.table);
    let count: i64 = moment.query_one(&sql, &[]).await?.get(0);
    Ok(u64::try_from(count).unwrap_or(0))
}

/// The highest number that was given out, whether or not it is still there.
pub(super) async fn highest(db: &Db, kind: &Kind) -> Result<i64, Fault> {
    let (table, column) = (kind.table, kind.columns[0].0);
    let sql = format!(
        "SELECT greatest((SELECT max({column}) FROM {table}),
                         (SELECT last_value FROM pg_sequences
                           WHERE format('%I.%I', schemaname, sequencename)
                               = pg_get_serial_sequence('{table}', '{column}')), 0)"
    );
    Ok(db.query_one(&sql, &[]).await?.get(0))
}

/// Lets numbers go on after the highest.
pub(super) async fn go_on_after(db: &Db, kind: &Kind, highest: i64) -> Result<(), Fault> {
    let (table, column) = (kind.table, kind.columns[0].0);
    let sql = format!(
        "SELECT setval(pg_get_serial_sequence('{table}', '{column}'), greatest($1::bigint, 1), $1::bigint > 0)"
    );
    db.query_one(&sql, &[&highest]).await?;
    Ok(())
}

fn columns(kind: &Kind) -> String {
    let names: Vec<&str> = kind.columns.iter().map(|(name, _)| *name).collect();
    names.join(", ")
}

/// Texts are ordered byte by byte, as SQLite does, whatever the database was made for.
fn key(kind: &Kind, order: &str) -> String {
    let column = |(name, wanted): &(&str, Type)| match wanted {
        Type::Text => format!("{name} COLLATE \"C\"{order}"),
        _ => format!("{name}{order}"),
    };
    let names: Vec<String> = kind.key_columns().iter().map(column).collect();
    names.join(", ")
}

fn types(select: &Statement) -> Vec<SqlType> {
    let of = |column: &tokio_postgres::Column| column.type_().clone();
    select.columns().iter().map(of).collect()
}

fn record(row: &SqlRow, kind: &Kind) -> Result<Record, Fault> {
    let value = |(index, (name, wanted))| {
        value(row, index, wanted).map_err(|error| {
            let what = format!("{}.{name}: {}", kind.table, with_causes(&error));
            Fault::Refused(Error::Corrupt(what))
        })
    };
    let columns = kind.columns.iter().map(|(name, wanted)| (*name, *wanted));
    columns.enumerate().map(value).collect()
}

fn value(row: &SqlRow, index: usize, wanted: Type) -> Result<Value, tokio_postgres::Error> {
    let found = match wanted {
        Type::Bool => row.try_get::<_, Option<bool>>(index)?.map(Value::Bool),
        Type::Text => row.try_get::<_, Option<String>>(index)?.map(Value::Text),
        Type::Bytes => row.try_get::<_, Option<Vec<u8>>>(index)?.map(Value::Bytes),
        Type::Int => int(row, index)?.map(Value::Int),
    };
    Ok(found.unwrap_or(Value::Null))
}

/// Whatever integer the column is.
fn int(row: &SqlRow, index: usize) -> Result<Option<i64>, tokio_postgres::Error> {
    let wanted = row.columns()[index].type_();
    if *wanted == SqlType::INT2 {
        return Ok(row.try_get::<_, Option<i16>>(index)?.map(i64::from));
    }
    if *wanted == SqlType::INT4 {
        return Ok(row.try_get::<_, Option<i32>>(index)?.map(i64::from));
    }
    row.try_get(index)
}
