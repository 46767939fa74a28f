//! The games that wait for whoever comes, newest first, as far as a node knows.
//!
//! Pure: what is heard comes in any order and more than once, and what has gone
//! stays gone, so that late news do not bring it back.

use std::collections::{BTreeMap, HashMap, HashSet, VecDeque};
use std::sync::Arc;

use chess::Timestamp;
use chess::game::{AbortReason, Ending, Game};
use store::TableId;

use crate::rooms::News;

/// Games that are kept: those made last. Older ones are left to lists.
pub const KEPT_MAX: usize = 2_000;
/// Games of which it is remembered that they have gone, and why.
const GONE_MAX: usize = 20_000;

/// Where a game stands: by when it was made, as in lists.
pub(super) type Place = (Timestamp, TableId);

/// A game that waits for whoever comes.
#[derive(Debug)]
pub struct Open {
    /// Which.
    pub id: TableId,
    /// The game.
    pub game: Arc<Game>,
    /// The same as news, to be put into words once for everybody.
    pub news: News,
}

impl Open {
    fn place(&self) -> Place {
        (self.game.created_at(), self.id)
    }
}

/// Why a game waits no longer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Why {
    /// Somebody joined it.
    Joined,
    /// Its creator withdrew it.
    Cancelled,
    /// Its creator went away, or it has waited too long.
    Expired,
    /// Something else, such as an operator.
    Aborted,
}

impl Why {
    const ALL: [Why; 4] = [Why::Joined, Why::Cancelled, Why::Expired, Why::Aborted];

    /// Of a game that waits no longer.
    pub fn of(game: &Game) -> Why {
        match game.ending() {
            None => Why::Joined,
            Some(Ending::Aborted { by }) if game.started_at().is_none() => match by {
                AbortReason::Cancelled => Why::Cancelled,
                AbortReason::Expired => Why::Expired,
                _ => Why::Aborted,
            },
            // It was joined, and is over by now.
            Some(_) => Why::Joined,
        }
    }

    /// The name on the wire.
    pub fn name(self) -> &'static str {
        match self {
            Why::Joined => "joined",
            Why::Cancelled => "cancelled",
            Why::Expired => "expired",
            Why::Aborted => "aborted",
        }
    }

    /// Its place among all of them, for other nodes.
    pub(in crate::rooms) fn code(self) -> u8 {
        self as u8
    }

    pub(in crate::rooms) fn from_code(code: u8) -> Option<Why> {
        Why::ALL.get(usize::from(code)).copied()
    }
}

/// What there is.
#[derive(Default)]
pub(super) struct Board {
    open: BTreeMap<Place, Arc<Open>>,
    places: HashMap<TableId, Place>,
    gone: HashMap<TableId, Why>,
    /// In which order they went.
    went: VecDeque<TableId>,
    /// What the store lists and cannot be shown.
    passed_over: HashSet<TableId>,
    /// Whether older games were left out.
    is_cut: bool,
}

impl Board {
    /// A game waits, or has changed and still does. Whether that is news.
    pub(super) fn put(&mut self, open: Arc<Open>) -> bool {
        let is_known = self.version(open.id) >= Some(open.game.version());
        if is_known || self.gone.contains_key(&open.id) {
            return false;
        }
        let place = open.place();
        self.places.insert(open.id, place);
        self.open.insert(place, open);
        if self.open.len() > KEPT_MAX {
            self.is_cut = true;
            if let Some((_, oldest)) = self.open.pop_first() {
                self.places.remove(&oldest.id);
            }
        }
        true
    }

    /// A game waits no longer. Whether that is news.
    pub(super) fn take_off(&mut self, id: TableId, why: Why) -> bool {
        if self.gone.insert(id, why).is_none() {
            self.went.push_back(id);
        }
        if self.went.len() > GONE_MAX
            && let Some(first) = self.went.pop_front()
        {
            self.gone.remove(&first);
        }
        let place = self.places.remove(&id);
        place.and_then(|place| self.open.remove(&place)).is_some()
    }

    /// What the store lists takes the place of what was known.
    pub(super) fn replace(&mut self, page: Page) {
        self.open.clear();
        self.places.clear();
        self.passed_over = page.passed_over;
        self.is_cut = page.is_cut;
        for open in page.open {
            self.put(open);
        }
    }

    /// All of them, newest first.
    pub(super) fn newest_first(&self) -> Arc<[Arc<Open>]> {
        self.open.values().rev().cloned().collect()
    }

    /// Whether there may be older ones.
    pub(super) fn is_cut(&self) -> bool {
        self.is_cut
    }

    /// Whether so many have gone that the store should be asked for older ones.
    pub(super) fn is_thin(&self) -> bool {
        self.is_cut && self.open.len() < KEPT_MAX / 2
    }

    /// Why a game waits no longer, if that is remembered.
    pub(super) fn why(&self, id: TableId) -> Option<Why> {
        self.gone.get(&id).copied()
    }

    /// Which games are there, and in which version.
    pub(super) fn versions(&self) -> HashMap<TableId, u32> {
        let open = self.open.values();
        open.map(|open| (open.id, open.game.version())).collect()
    }

    /// Whether the store says something else of a game than is known here: that it
    /// waits, and in which version if that was asked.
    pub(super) fn is_astray(&self, id: TableId, version: Option<u32>) -> bool {
        match self.version(id) {
            Some(known) => version.is_some_and(|version| version != known),
            None => !self.gone.contains_key(&id) && !self.passed_over.contains(&id),
        }
    }

    fn version(&self, id: TableId) -> Option<u32> {
        let place = self.places.get(&id)?;
        self.open.get(place).map(|open| open.game.version())
    }
}

/// What the store lists.
#[derive(Default)]
pub struct Page {
    /// The games.
    pub open: Vec<Arc<Open>>,
    /// What is listed and cannot be shown: it waits no longer, or is damaged.
    pub passed_over: HashSet<TableId>,
    /// Whether there may be more.
    pub is_cut: bool,
}

#[cfg(test)]
mod tests;
