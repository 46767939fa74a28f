//! SQLite's errors, by what can be done about them.

use rusqlite::{ErrorCode, ffi};

use crate::Error;

/// Why one request of a transaction was not carried out.
#[derive(Debug)]
pub(crate) enum Fault {
    /// It is refused; nothing is wrong with the database.
    Refused(Error),
    /// SQLite says no.
    Sql(rusqlite::Error),
    /// SQLite says no when something of it was written: unless there is a savepoint to go
    /// back to, nobody in the transaction can go on.
    Midway(rusqlite::Error),
}

impl From<rusqlite::Error> for Fault {
    fn from(error: rusqlite::Error) -> Fault {
        Fault::Sql(error)
    }
}

impl From<Error> for Fault {
    fn from(error: Error) -> Fault {
        Fault::Refused(error)
    }
}

impl Fault {
    /// Sorts out who is hit: `Ok` with what to tell the one who asked, if the
    /// others in the transaction can go on; `Err` if nobody can.
    pub(crate) fn judge(self) -> Result<Error, rusqlite::Error> {
        match self {
            Fault::Refused(error) => Ok(error),
            Fault::Sql(error) => match told(&error) {
                Error::Unavailable(_) => Err(error),
                ours => Ok(ours),
            },
            Fault::Midway(error) => Err(match told(&error) {
                Error::Unavailable(_) => error,
                // Nothing is wrong with what the others asked for.
                _ => rusqlite::Error::SqliteFailure(
                    ffi::Error::new(ffi::SQLITE_INTERNAL),
                    Some(error.to_string()),
                ),
            }),
        }
    }

    /// It is taken back: whoever asked is hit, and nobody else.
    pub(super) fn taken_back(self) -> Fault {
        match self {
            Fault::Midway(error) => Fault::Sql(error),
            other => other,
        }
    }

    pub(crate) fn into_error(self) -> Error {
        match self {
            Fault::Refused(error) => error,
            Fault::Sql(error) | Fault::Midway(error) => told(&error),
        }
    }
}

/// What the caller is told.
pub(crate) fn told(error: &rusqlite::Error) -> Error {
    use rusqlite::Error as Sql;
    match error {
        Sql::SqliteFailure(failure, _) => match failure.code {
            ErrorCode::ConstraintViolation if is_clash(failure.extended_code) => Error::Conflict,
            ErrorCode::ConstraintViolation
            | ErrorCode::DatabaseCorrupt
            | ErrorCode::NotADatabase => Error::Corrupt(error.to_string()),
            _ => Error::Unavailable(error.to_string()),
        },
        Sql::FromSqlConversionFailure(..)
        | Sql::IntegralValueOutOfRange(..)
        | Sql::InvalidColumnType(..)
        | Sql::Utf8Error(..) => Error::Corrupt(error.to_string()),
        _ => Error::Unavailable(error.to_string()),
    }
}

/// Somebody else has what must be unique, or what is referred to is not there.
fn is_clash(extended_code: i32) -> bool {
    [
        ffi::SQLITE_CONSTRAINT_UNIQUE,
        ffi::SQLITE_CONSTRAINT_PRIMARYKEY,
        ffi::SQLITE_CONSTRAINT_ROWID,
        ffi::SQLITE_CONSTRAINT_FOREIGNKEY,
    ]
    .contains(&extended_code)
}

/// An error with its circumstances, for the log.
pub(crate) fn unavailable(what: &str, why: &dyn std::fmt::Display) -> Error {
    Error::Unavailable(format!("{what}: {why}"))
}
