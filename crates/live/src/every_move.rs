//! Whose moves are told one by one: each costs a row, so only those that somebody wants.

use std::sync::{PoisonError, RwLock};

use chess::table::PlayerId;
use store::MovesWanted;

/// Shared by all who change a table.
#[derive(Debug, Default)]
pub struct EveryMove(RwLock<MovesWanted>);

impl EveryMove {
    /// From now on it is these.
    pub fn set(&self, wanted: MovesWanted) {
        *self.0.write().unwrap_or_else(PoisonError::into_inner) = wanted;
    }

    /// From now on it is these too.
    pub fn add(&self, more: MovesWanted) {
        let mut wanted = self.0.write().unwrap_or_else(PoisonError::into_inner);
        wanted.of_all |= more.of_all;
        wanted.of.extend(more.of);
    }

    pub(crate) fn is_told_of(&self, players: [Option<PlayerId>; 2]) -> bool {
        let wanted = self.0.read().unwrap_or_else(PoisonError::into_inner);
        let is_wanted = |player| wanted.of.contains(&player);
        wanted.of_all || players.into_iter().flatten().any(is_wanted)
    }
}
