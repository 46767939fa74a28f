//! PostgreSQL's errors, by what can be done about them.

use deadpool_postgres::PoolError;
use tokio_postgres::error::SqlState;

use crate::Error;

/// Why a request was not carried out.
#[derive(Debug)]
pub(crate) enum Fault {
    /// It is refused; nothing is wrong with the database.
    Refused(Error),
    /// PostgreSQL says no, or nothing.
    Sql(tokio_postgres::Error),
    /// There is no connection.
    Pool(PoolError),
    /// No answer came in time.
    Slow,
}

impl From<tokio_postgres::Error> for Fault {
    fn from(error: tokio_postgres::Error) -> Fault {
        Fault::Sql(error)
    }
}

impl From<PoolError> for Fault {
    fn from(error: PoolError) -> Fault {
        Fault::Pool(error)
    }
}

impl From<Error> for Fault {
    fn from(error: Error) -> Fault {
        Fault::Refused(error)
    }
}

impl Fault {
    /// Two transactions were in each other's way: nothing took place, and the
    /// same again may succeed.
    pub(super) fn is_passing(&self) -> bool {
        let Fault::Sql(error) = self else {
            return false;
        };
        let code = error.code();
        code == Some(&SqlState::T_R_DEADLOCK_DETECTED)
            || code == Some(&SqlState::T_R_SERIALIZATION_FAILURE)
    }

    /// What the caller is told.
    pub(crate) fn into_error(self) -> Error {
        match self {
            Fault::Refused(error) => error,
            Fault::Sql(error) => told(&error),
            Fault::Pool(PoolError::Backend(error)) => told(&error),
            Fault::Pool(error) => Error::Unavailable(error.to_string()),
            Fault::Slow => Error::Unavailable("the database does not answer".into()),
        }
    }
}

fn told(error: &tokio_postgres::Error) -> Error {
    let what = with_causes(error);
    match error.code() {
        Some(code) if is_clash(code) => Error::Conflict,
        Some(code) if *code == SqlState::DATA_CORRUPTED || *code == SqlState::INDEX_CORRUPTED => {
            Error::Corrupt(what)
        }
        Some(code) if code.code().starts_with("23") => Error::Corrupt(what),
        _ => Error::Unavailable(what),
    }
}

/// Somebody else has what must be unique, or what is referred to is not there.
fn is_clash(code: &SqlState) -> bool {
    *code == SqlState::UNIQUE_VIOLATION || *code == SqlState::FOREIGN_KEY_VIOLATION
}

/// The error and why it came about: by itself it says "db error".
pub(crate) fn with_causes(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        text = format!("{text}: {error}");
        cause = error.source();
    }
    text
}
