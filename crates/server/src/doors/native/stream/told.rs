//! How far an account was told of its games.

use store::{IdMap, TableId};

/// Games of which it is known at the least what was told: beyond all, some may be told
/// twice.
const GAMES: usize = 1_000;

/// How far an account was told of each of its games: news may come after a look at what
/// is newer, or not at all.
#[derive(Clone)]
pub(super) struct Told {
    games: IdMap<TableId, UpTo>,
    max: usize,
}

#[derive(Clone, Copy)]
struct UpTo {
    version: u32,
    /// Of that version, too, all there is to say; not only how it stands.
    is_whole: bool,
    is_over: bool,
}

impl Told {
    /// Nothing was told yet to somebody who may have so many games that are not over.
    pub(super) fn nothing(unfinished_max: u32) -> Told {
        // As many again that are: what is over is forgotten first.
        let max = 2 * usize::try_from(unfinished_max).unwrap_or(GAMES);
        Told {
            games: IdMap::default(),
            max: max.max(GAMES),
        }
    }

    /// The account knows how a game stands that is not over.
    pub(super) fn stands(&mut self, id: TableId, version: u32) {
        self.insert(id, version, false, false);
    }

    /// The account knows all there is to say of a game up to there, and whether it is over.
    pub(super) fn note(&mut self, id: TableId, version: u32, is_over: bool) {
        self.insert(id, version, true, is_over);
    }

    fn insert(&mut self, id: TableId, version: u32, is_whole: bool, is_over: bool) {
        if self.games.len() >= self.max && !self.games.contains_key(&id) {
            self.games.retain(|_, told| !told.is_over);
            // Or this would be done for every move.
            if self.games.len() > self.max / 2 {
                self.games.clear();
            }
        }
        let told = UpTo {
            version,
            is_whole,
            is_over,
        };
        self.games.insert(id, told);
    }

    /// The last version of a game that was told, if any was.
    pub(super) fn version(&self, id: TableId) -> Option<u32> {
        self.games.get(&id).map(|told| told.version)
    }

    /// Those that were not over when they were told of.
    pub(super) fn unfinished(&self) -> impl Iterator<Item = TableId> {
        let unfinished = self.games.iter().filter(|(_, told)| !told.is_over);
        unfinished.map(|(id, _)| *id)
    }

    /// Whether there is something to say of that version of a game.
    pub(super) fn is_new(&self, id: TableId, version: u32) -> bool {
        let is_new = |told: &UpTo| match told.is_whole {
            true => told.version < version,
            false => told.version <= version,
        };
        self.games.get(&id).is_none_or(is_new)
    }

    /// Whether everything before it was told.
    pub(super) fn is_next(&self, id: TableId, version: u32) -> bool {
        version <= self.version(id).unwrap_or(1) + 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_over_is_forgotten_before_what_is_not() {
        let mut told = Told::nothing(600);
        let table = TableId::from_random;
        for number in 0..600 {
            told.note(table(number), 3, false);
        }
        for number in 600..5_000 {
            told.note(table(number), 9, true);
        }
        assert_eq!(told.unfinished().count(), 600);
        assert!(told.games.len() <= 1_200, "{}", told.games.len());
        assert!(!told.is_new(table(0), 3) && told.is_next(table(0), 4));
    }
}
