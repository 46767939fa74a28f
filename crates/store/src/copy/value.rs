//! A column's value, whichever database it stands in.

use std::error::Error as StdError;
use std::fmt;

use rusqlite::types::{ToSqlOutput, ValueRef};
use tokio_postgres::types::private::BytesMut;
use tokio_postgres::types::{IsNull, ToSql, Type as SqlType, to_sql_checked};

use super::kinds::Type;

/// What stands in a column of a row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Value {
    Null,
    Int(i64),
    Bool(bool),
    Text(String),
    Bytes(Vec<u8>),
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Null => f.write_str("nothing"),
            Value::Int(number) => number.fmt(f),
            Value::Bool(is_so) => is_so.fmt(f),
            Value::Text(text) => write!(f, "{text:?}"),
            Value::Bytes(bytes) => write!(f, "{} bytes", bytes.len()),
        }
    }
}

impl Value {
    /// What SQLite has, in a column of that type; `None` if it is of another.
    pub(super) fn of_sqlite(found: ValueRef<'_>, wanted: Type) -> Option<Value> {
        Some(match (found, wanted) {
            (ValueRef::Null, _) => Value::Null,
            (ValueRef::Integer(number), Type::Int) => Value::Int(number),
            (ValueRef::Integer(number), Type::Bool) => Value::Bool(number != 0),
            (ValueRef::Text(text), Type::Text) => {
                Value::Text(String::from_utf8(text.to_vec()).ok()?)
            }
            (ValueRef::Blob(bytes), Type::Bytes) => Value::Bytes(bytes.to_vec()),
            _ => return None,
        })
    }

    /// The same without what PostgreSQL's texts cannot have.
    pub(super) fn without_nul(self) -> Value {
        match self {
            Value::Text(text) if text.contains('\0') => {
                Value::Text(text.replace('\0', &char::REPLACEMENT_CHARACTER.to_string()))
            }
            other => other,
        }
    }
}

impl rusqlite::ToSql for Value {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(ToSqlOutput::Borrowed(match self {
            Value::Null => ValueRef::Null,
            Value::Int(number) => ValueRef::Integer(*number),
            Value::Bool(is_so) => ValueRef::Integer((*is_so).into()),
            Value::Text(text) => ValueRef::Text(text.as_bytes()),
            Value::Bytes(bytes) => ValueRef::Blob(bytes),
        }))
    }
}

/// As whatever integer the column is.
impl ToSql for Value {
    fn to_sql(
        &self,
        ty: &SqlType,
        out: &mut BytesMut,
    ) -> Result<IsNull, Box<dyn StdError + Sync + Send>> {
        match self {
            Value::Null => Ok(IsNull::Yes),
            Value::Int(number) if *ty == SqlType::INT2 => i16::try_from(*number)?.to_sql(ty, out),
            Value::Int(number) if *ty == SqlType::INT4 => i32::try_from(*number)?.to_sql(ty, out),
            Value::Int(number) => number.to_sql(ty, out),
            Value::Bool(is_so) => is_so.to_sql(ty, out),
            Value::Text(text) => text.to_sql(ty, out),
            Value::Bytes(bytes) => bytes.to_sql(ty, out),
        }
    }

    fn accepts(_: &SqlType) -> bool {
        true
    }

    to_sql_checked!();
}
