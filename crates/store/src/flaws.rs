//! What is wrong with stored data, for a person to read.

use crate::{JournalRecord, StoredRow, TableId};

/// Something that is not as it should be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Flaw {
    /// A table's id, `account 7`, `journal record 12`, `file`, ...
    pub about: String,
    /// What is wrong with it.
    pub what: String,
}

impl Flaw {
    pub(crate) fn new(about: impl Into<String>, what: impl Into<String>) -> Flaw {
        Flaw {
            about: about.into(),
            what: what.into(),
        }
    }
}

/// What the database engine says of its own file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FileReport {
    /// What is wrong.
    pub flaws: Vec<Flaw>,
    /// Whether the pages of the file are damaged, not only what is written on
    /// them: then nothing more should be written to it.
    pub is_damaged: bool,
}

/// Some of the tables' rows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RowPage {
    /// How many rows were looked at, readable or not.
    pub looked_at: u64,
    /// Those that can be read, in the order of their ids.
    pub rows: Vec<StoredRow>,
    /// What could not be read, row by row where that is known.
    pub flaws: Vec<Flaw>,
    /// Where to go on; `None`: that was all.
    pub next: Option<TableId>,
}

/// What a look at some of the references between rows found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FlawPage {
    /// What is wrong.
    pub flaws: Vec<Flaw>,
    /// Where to go on; `None`: that was all.
    pub next: Option<String>,
}

/// The journal, as far as it can be read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct JournalRecords {
    /// The records that can be read, in the order they were accepted.
    pub records: Vec<JournalRecord>,
    /// What is wrong with them and with the others.
    pub flaws: Vec<Flaw>,
}
