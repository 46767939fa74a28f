//! A table as the store wants it.

use std::sync::Arc;

use chess::Timestamp;
use chess::table::{State, Table};
use chess::telling::Kinds;
use store::{Change, Head, NodeId, Remembered, Row, Snapshot, Stored, TableId, ToRow};

/// The code by which a friend joins. Few tables have one, and of all others half a million
/// may be in memory, so that it is boxed: a pointer must do.
#[derive(Clone)]
pub(crate) struct Code(Box<str>);

impl Code {
    pub(crate) fn new(code: &str) -> Box<Code> {
        Box::new(Code(code.into()))
    }

    pub(crate) fn text(&self) -> String {
        self.0.to_string()
    }
}

/// A table at one version, of which the store makes a row when it wants one.
pub(crate) struct TableSnapshot<T> {
    pub(crate) id: TableId,
    pub(crate) table: Arc<T>,
    /// When the one who waits for an opponent was last seen.
    pub(crate) host_seen: Timestamp,
    pub(crate) join_code: Option<Box<Code>>,
}

impl<T: Table> Snapshot for TableSnapshot<T> {
    fn row(&self) -> Row {
        let table = &*self.table;
        let is_over = table.state() == State::Completed;
        let Head { deadline, summary } = self.head();
        Row {
            table: self.id,
            kind: table.kind(),
            version: table.version(),
            history: table.encode(),
            deadline,
            join_code: self.join_code.as_deref().map(Code::text),
            summary,
            moves: if is_over {
                table.score_sheet()
            } else {
                Vec::new()
            },
        }
    }

    fn head(&self) -> Head {
        Head {
            deadline: self.table.next_deadline(self.host_seen),
            summary: self.table.summary(),
        }
    }

    fn deadline(&self) -> Option<Timestamp> {
        self.table.next_deadline(self.host_seen)
    }
}

impl<T: Table> TableSnapshot<T> {
    /// The change that makes a new table of this; what it consists of is missing.
    pub(crate) fn change(self, asked: Timestamp, remember: Option<Remembered>) -> Change {
        let (table, version) = (self.id, self.table.version());
        Change {
            table,
            expected: 0,
            version,
            at: self.table.last_at(),
            asked,
            node: NodeId::ALONE,
            payload: Vec::new(),
            is_listed: true,
            rates: None,
            remember: remember.map(|remember| Remembered {
                table,
                version,
                ..remember
            }),
            begins: None,
            tells: Kinds::NONE,
            after: Arc::new(self),
        }
    }
}

/// How the store makes rows of what it finds of tables of these rules.
pub fn to_row<T: Table>() -> ToRow {
    Arc::new(|id, stored| {
        let join_code = stored.join_code.as_deref().map(Code::new);
        let table = restore::<T>(&stored)
            .ok_or("of unknown rules")?
            .map(Arc::new)?;
        let snapshot = TableSnapshot {
            id,
            host_seen: table.last_at(),
            join_code: join_code.filter(|_| table.keeps_code()),
            table,
        };
        Ok(snapshot.row())
    })
}

/// The table that is stored; `None` if it is of other rules.
pub(crate) fn restore<T: Table>(stored: &Stored) -> Option<Result<T, String>> {
    let restored = T::restore(stored.kind, &stored.history)?;
    Some(match restored {
        Ok(table) if table.version() == stored.version => Ok(table),
        Ok(_) => Err("row and history disagree".to_owned()),
        Err(corrupt) => Err(corrupt.to_string()),
    })
}
