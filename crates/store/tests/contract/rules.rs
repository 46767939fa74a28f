//! For a store that finds the tables of these tests in its journal.

use std::sync::Arc;

use store::Upkeep;

use crate::support::{history, row};

/// A row is written after so many changes.
pub(crate) fn with_rules(fold_after: u32) -> Upkeep {
    Upkeep {
        fold_after,
        to_row: Some(Arc::new(|id, stored| {
            if stored.history == history(stored.version) {
                Ok(row(id.number(), stored.version))
            } else {
                Err("not what was written".to_owned())
            }
        })),
        ..Upkeep::default()
    }
}
