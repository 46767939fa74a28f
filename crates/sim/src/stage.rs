//! The rooms of a node: what a server puts around the live core, without sockets.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use chess::game::Game;
use chess::table::{PlayerId, Table};
use chess::tables::AnyTable;
use live::room::{Furnished, Loss, News, Room, Rooms};
use live::{Changed, Surroundings};
use store::TableId;

/// What those in a room are told.
#[derive(Clone, Debug)]
pub(crate) enum Told {
    /// The game after a change; whether it can be put into words.
    Changed(Arc<Game>, bool),
    /// Look for yourself.
    Lost,
}

impl News for Told {
    fn lost() -> Told {
        Told::Lost
    }

    fn is_lost(&self) -> bool {
        matches!(self, Told::Lost)
    }
}

/// A room needs nothing else here.
pub(crate) struct Bare;

impl Furnished for Bare {
    type News = Told;
    type Crowd = ();
    type Notes = ();
}

/// Something that is to be told.
#[derive(Debug)]
pub(crate) enum Happened {
    Changed(Arc<Game>, Arc<Game>),
    Came(Arc<Game>),
}

/// The rooms, and the bus to whoever tells.
pub(crate) struct Stage {
    pub(crate) rooms: Rooms<Bare>,
    bus: Mutex<VecDeque<(TableId, Happened)>>,
    /// What the bus holds.
    capacity: usize,
}

impl Stage {
    pub(crate) fn new(lane: usize, capacity: usize) -> Stage {
        Stage {
            rooms: Rooms::new(lane, |_| ()),
            bus: Mutex::default(),
            capacity,
        }
    }

    pub(crate) fn room(&self, id: TableId) -> Option<Arc<Room<Bare>>> {
        self.rooms.get(id)
    }

    /// Hands something to whoever tells; what finds no place leaves its mark.
    pub(crate) fn publish(&self, id: TableId, what: Happened) {
        let mut bus = self.bus();
        if bus.len() < self.capacity {
            return bus.push_back((id, what));
        }
        drop(bus);
        // That somebody has come is news only to a room nobody was in: whoever
        // looks because something was lost must not lose something by it.
        let is_nothing = matches!(what, Happened::Came(_))
            && self.room(id).is_some_and(|room| room.is_taken_up());
        if !is_nothing {
            self.rooms.lost(id, Loss::Full);
        }
    }

    pub(crate) fn bus(&self) -> MutexGuard<'_, VecDeque<(TableId, Happened)>> {
        self.bus.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Surroundings<AnyTable> for Stage {
    fn changed(&self, id: TableId, change: &Changed<AnyTable>) {
        let before = change.before.as_ref().and_then(|before| before.chess());
        if let (Some(before), Some(after)) = (before, change.after.chess())
            && self.rooms.is_open(id)
        {
            let what = Happened::Changed(Arc::clone(before), Arc::clone(after));
            self.publish(id, what);
        }
    }

    fn came_in(&self, id: TableId, table: &AnyTable) {
        self.rooms.found(id, table.version());
    }

    fn is_here(&self, id: TableId, player: PlayerId) -> bool {
        self.rooms.is_here(id, player)
    }
}
