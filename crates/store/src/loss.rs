//! What can become of the files while they are in use.

use std::fmt;

/// What became of the files while they were in use. Nothing is read or written
/// meanwhile: what a deleted file says is gone with the process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Loss {
    /// The database file is not where it was, or another file is there.
    DatabaseGone,
    /// A file of the log (`-wal`, `-shm`) is not where it was, or another is there.
    LogGone,
    /// The database file was cut short or written over.
    DatabaseDamaged,
    /// The log was cut short.
    LogDamaged,
}

impl Loss {
    /// Whether everything is well again once the same files are back.
    pub(crate) fn can_heal(self) -> bool {
        matches!(self, Loss::DatabaseGone | Loss::LogGone)
    }

    /// What an operator can do.
    pub(crate) fn advice(self) -> &'static str {
        match self {
            Loss::DatabaseGone => {
                "move the very same file back, and the server goes on; a copy will not do. \
                 If it was deleted, copy it and its -wal from /proc/PID/fd before you stop \
                 the server, or restore a backup"
            }
            Loss::LogGone => {
                "move the very same file back, and the server goes on; or stop the server, \
                 remove any other -wal and -shm beside the database, and start it again"
            }
            Loss::DatabaseDamaged | Loss::LogDamaged => {
                "stop the server, keep a copy of the files, and restore a backup"
            }
        }
    }
}

impl fmt::Display for Loss {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Loss::DatabaseGone => "the database file was deleted, moved or replaced while in use",
            Loss::LogGone => "the log of the database was deleted, moved or replaced while in use",
            Loss::DatabaseDamaged => "the database file was overwritten or cut short while in use",
            Loss::LogDamaged => "the log of the database was cut short while in use",
        })
    }
}
