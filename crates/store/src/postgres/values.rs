//! Our types as columns. PostgreSQL's integers are signed: what does not fit is
//! kept as the largest that does (a time in 292 million years).

use chess::Timestamp;
use chess::table::PlayerId;
use tokio_postgres::Row as SqlRow;
use tokio_postgres::types::FromSql;

use super::fault::{Fault, with_causes};
use crate::{Error, TableId};

/// A number as PostgreSQL keeps it.
pub(super) fn int(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

/// A smaller one, such as a version.
pub(super) fn small(number: u32) -> i32 {
    i32::try_from(number).unwrap_or(i32::MAX)
}

/// A point in time as a column.
pub(super) fn at(at: Timestamp) -> i64 {
    int(at.0)
}

/// A player as a column.
pub(super) fn who(player: PlayerId) -> i64 {
    player.number().into()
}

/// A table as a column.
pub(super) fn table(id: TableId) -> i64 {
    int(id.number())
}

/// Whether it can stand in a column: PostgreSQL's texts have no NUL, so what has one
/// is known to nobody.
pub(super) fn can_be_stored(text: &str) -> bool {
    !text.contains('\0')
}

/// Reads columns, and says which one cannot be understood.
pub(super) trait Columns {
    /// A column as it is.
    fn col<'a, T: FromSql<'a>>(&'a self, index: usize) -> Result<T, Fault>;

    /// A number that was stored with [`int`].
    fn number(&self, index: usize) -> Result<u64, Fault> {
        let number: i64 = self.col(index)?;
        u64::try_from(number).map_err(|_| corrupt(index, &number))
    }

    /// A number that was stored with [`small`], or counted.
    fn small(&self, index: usize) -> Result<u32, Fault> {
        let number: i32 = self.col(index)?;
        u32::try_from(number).map_err(|_| corrupt(index, &number))
    }

    /// The same, if there is one.
    fn small_or(&self, index: usize) -> Result<Option<u32>, Fault> {
        let number: Option<i32> = self.col(index)?;
        number.map_or(Ok(None), |_| self.small(index).map(Some))
    }

    /// A span, if there is one.
    fn ms_or(&self, index: usize) -> Result<Option<u32>, Fault> {
        let ms: Option<i64> = self.col(index)?;
        let read = |ms: i64| u32::try_from(ms).map_err(|_| corrupt(index, &ms));
        ms.map(read).transpose()
    }

    /// A point in time.
    fn at(&self, index: usize) -> Result<Timestamp, Fault> {
        self.number(index).map(Timestamp)
    }

    /// The same, if there is one.
    fn at_or(&self, index: usize) -> Result<Option<Timestamp>, Fault> {
        let number: Option<i64> = self.col(index)?;
        number.map_or(Ok(None), |_| self.at(index).map(Some))
    }

    /// A player.
    fn who(&self, index: usize) -> Result<PlayerId, Fault> {
        let number: i64 = self.col(index)?;
        let player = u32::try_from(number).ok().and_then(PlayerId::new);
        player.ok_or_else(|| corrupt(index, &number))
    }

    /// The same, if there is one.
    fn who_or(&self, index: usize) -> Result<Option<PlayerId>, Fault> {
        let number: Option<i64> = self.col(index)?;
        number.map_or(Ok(None), |_| self.who(index).map(Some))
    }

    /// A table.
    fn table(&self, index: usize) -> Result<TableId, Fault> {
        let number: i64 = self.col(index)?;
        let table = u64::try_from(number).ok().and_then(TableId::from_number);
        table.ok_or_else(|| corrupt(index, &number))
    }

    /// So many bytes.
    fn bytes<const N: usize>(&self, index: usize) -> Result<[u8; N], Fault> {
        let bytes: Vec<u8> = self.col(index)?;
        let length = bytes.len();
        bytes
            .try_into()
            .map_err(|_| corrupt(index, &format_args!("{length} bytes")))
    }

    /// Something that has a name.
    fn named<T>(&self, index: usize, named: impl Fn(&str) -> Option<T>) -> Result<T, Fault> {
        let name: &str = self.col(index)?;
        named(name).ok_or_else(|| corrupt(index, &name))
    }

    /// One character.
    fn one_char(&self, index: usize) -> Result<char, Fault> {
        let text: String = self.col(index)?;
        let mut chars = text.chars();
        match (chars.next(), chars.next()) {
            (Some(c), None) => Ok(c),
            _ => Err(corrupt(index, &text)),
        }
    }
}

impl Columns for SqlRow {
    fn col<'a, T: FromSql<'a>>(&'a self, index: usize) -> Result<T, Fault> {
        self.try_get(index)
            .map_err(|error| Fault::Refused(Error::Corrupt(with_causes(&error))))
    }
}

fn corrupt(index: usize, found: &dyn std::fmt::Display) -> Fault {
    Fault::Refused(Error::Corrupt(format!("column {index} is {found}")))
}
