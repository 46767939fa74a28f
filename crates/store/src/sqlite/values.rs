//! Our types as columns. SQLite's integers are signed: what does not fit is
//! kept as the largest that does (a time in 292 million years).

use chess::Timestamp;
use chess::table::PlayerId;
use rusqlite::types::{FromSql, FromSqlError, FromSqlResult, ToSql, ToSqlOutput, ValueRef};

use crate::TableId;

/// A number as SQLite keeps it.
pub(super) fn int(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

/// A number that was stored with [`int`].
pub(super) struct Number(pub(super) u64);

/// A point in time as a column.
pub(super) struct At(pub(super) Timestamp);

/// A player as a column.
pub(super) struct Who(pub(super) PlayerId);

impl FromSql for Number {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<Number> {
        let number = value.as_i64()?;
        u64::try_from(number)
            .map(Number)
            .map_err(|_| FromSqlError::OutOfRange(number))
    }
}

impl FromSql for At {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<At> {
        Number::column_result(value).map(|Number(ms)| At(Timestamp(ms)))
    }
}

impl ToSql for At {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(int(self.0.0).into())
    }
}

impl FromSql for Who {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<Who> {
        let number = value.as_i64()?;
        u32::try_from(number)
            .ok()
            .and_then(PlayerId::new)
            .map(Who)
            .ok_or(FromSqlError::OutOfRange(number))
    }
}

impl ToSql for Who {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(self.0.number().into())
    }
}

impl FromSql for TableId {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<TableId> {
        let number = value.as_i64()?;
        u64::try_from(number)
            .ok()
            .and_then(TableId::from_number)
            .ok_or(FromSqlError::OutOfRange(number))
    }
}

impl ToSql for TableId {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(int(self.number()).into())
    }
}
