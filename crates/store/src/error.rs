//! What can go wrong here, by what the caller can do about it.

use std::fmt;

/// A failure of the store.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Error {
    /// Somebody else changed the table first: reload and decide again.
    Conflict,
    /// Not now: the disk is full, the connection gone, the store is closing.
    /// Whether a write took place is unknown. For the log, not for clients.
    Unavailable(String),
    /// What is stored cannot be understood. For the log, not for clients.
    Corrupt(String),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Conflict => f.write_str("changed by somebody else"),
            Error::Unavailable(why) => write!(f, "the store is unavailable: {why}"),
            Error::Corrupt(why) => write!(f, "stored data is corrupt: {why}"),
        }
    }
}

impl std::error::Error for Error {}
