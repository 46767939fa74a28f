//! The changes that are in no row yet: whether row and journal together are a game.

use std::collections::BTreeMap;

use chess::Timestamp;
use chess::table::Table;
use store::{Inspector, JournalRecord, StoredRow, TableId};

use super::{Difference, Findings, replayed};

/// Replays every game with records in the journal. For a store that no server
/// uses: it takes as long as there are such games. Whether records are missing
/// is looked at with the references.
///
/// # Errors
/// Why the store cannot say.
pub async fn journal(inspector: &Inspector, now: Timestamp) -> Result<Findings, store::Error> {
    let mut tables: BTreeMap<TableId, Vec<JournalRecord>> = BTreeMap::new();
    for record in inspector.journal(now).await?.records {
        tables.entry(record.table).or_default().push(record);
    }
    let mut found = Findings::default();
    for (table, records) in tables {
        // A row that is not there, or cannot be read, is told of elsewhere.
        let Ok(Some(row)) = inspector.row(table).await else {
            continue;
        };
        if let Some(what) = wrong(row, &records) {
            found.differences.push(Difference {
                about: table.to_string(),
                what: format!("journal: {what}"),
                repaired: false,
            });
        }
    }
    Ok(found)
}

fn wrong(row: StoredRow, records: &[JournalRecord]) -> Option<String> {
    let mut history = row.history;
    let mut version = row.version;
    for record in records {
        if record.version <= row.version {
            if !has(row.kind, &history, record) {
                return Some(format!("version {} is not as in the row", record.version));
            }
        } else if Some(record.version) == version.checked_add(1) {
            version = record.version;
            history.extend_from_slice(&record.payload);
            match replayed(row.kind, &history) {
                Ok(game) if game.version() != version => {
                    return Some(format!("version {version} is not one change"));
                }
                Ok(game) if game.last_at() != record.at => {
                    return Some(format!("version {version} was made at another time"));
                }
                Ok(_) => {}
                Err(why) => return Some(why),
            }
        }
    }
    None
}

/// Whether a history says of a version what its record says. Where a version
/// ends in it only replaying tells, so each place that looks right is tried.
fn has(kind: u8, history: &[u8], record: &JournalRecord) -> bool {
    let long = record.payload.len().max(1);
    history.windows(long).enumerate().any(|(start, bytes)| {
        bytes == record.payload
            && replayed(kind, &history[..start + long])
                .is_ok_and(|game| game.version() == record.version)
    })
}
