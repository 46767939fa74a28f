//! All rooms: who is in which, and which of them lost something.

use std::hash::Hash;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};

use chess::table::PlayerId;
use store::{IdMap, TableId, shard_of};
use tokio::sync::broadcast::Sender;

use super::members::Members;
use super::order::outside;
use super::room::{Furnished, Room};
use crate::live::lock;
use crate::mutant::Mutant;

const SHARDS: usize = 64;

/// Rooms that nobody is in, kept because somebody spoke there; each can be read
/// again from the store.
const EMPTY_MAX: usize = 10_000;

/// All rooms.
pub struct Rooms<K: Furnished> {
    rooms: Shards<TableId, Entry<K>>,
    /// Messages a lane holds.
    lane: usize,
    crowd: Box<dyn Fn(TableId) -> K::Crowd + Send + Sync>,
    marked: Mutex<Vec<TableId>>,
    streams: AtomicUsize,
}

pub(super) type Shards<K, V> = Box<[Mutex<IdMap<K, V>>]>;

struct Entry<K: Furnished> {
    members: Members,
    room: Arc<Room<K>>,
}

impl<K: Furnished> Entry<K> {
    /// Whether nobody is here, nobody holds it, and nothing has to be
    /// remembered. Two rooms of one table would number lines alike. In this order:
    /// whoever has the chat's lock holds the room, so nobody waits for it here.
    fn is_idle(&self) -> bool {
        let is_held = Arc::strong_count(&self.room) > 1;
        self.members.is_empty() && !is_held && self.room.chat(|_| ()).is_none()
    }
}

/// How something was lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Loss {
    /// There was no room for it.
    Full,
    /// Whoever told it failed.
    Failed,
}

impl<K: Furnished> Rooms<K> {
    /// Nobody is here yet; a subscriber may be `lane` messages behind.
    pub fn new(
        lane: usize,
        crowd: impl Fn(TableId) -> K::Crowd + Send + Sync + 'static,
    ) -> Rooms<K> {
        Rooms {
            rooms: shards(),
            lane,
            crowd: Box::new(crowd),
            marked: Mutex::default(),
            streams: AtomicUsize::new(0),
        }
    }

    /// Somebody comes to a table: as one of its players, or to watch.
    pub fn join(&self, id: TableId, player: Option<PlayerId>) -> Arc<Room<K>> {
        self.streams.fetch_add(1, Ordering::Relaxed);
        let mut rooms = shard(&self.rooms, &id);
        let entry = self.entry(&mut rooms, id);
        entry.members.join(player);
        Arc::clone(&entry.room)
    }

    /// Somebody goes, as whom they came. `true` if that was a player's last stream.
    pub fn leave(&self, id: TableId, player: Option<PlayerId>) -> bool {
        self.streams.fetch_sub(1, Ordering::Relaxed);
        let mut rooms = shard(&self.rooms, &id);
        let Some(entry) = rooms.get_mut(&id) else {
            return false;
        };
        let is_gone = entry.members.leave(player);
        if entry.members.is_empty() {
            entry.room.close();
        }
        if entry.is_idle() {
            rooms.remove(&id);
        }
        is_gone
    }

    /// The room, whether or not anybody is there. Whoever holds it keeps it, so
    /// that a line on its way to the store is not forgotten.
    pub fn hold(&self, id: TableId) -> Arc<Room<K>> {
        let mut rooms = shard(&self.rooms, &id);
        if rooms.len() >= EMPTY_MAX / SHARDS {
            rooms
                .retain(|_, entry| !entry.members.is_empty() || Arc::strong_count(&entry.room) > 1);
        }
        Arc::clone(&self.entry(&mut rooms, id).room)
    }

    /// The room, whether or not anybody is there, if it is known.
    pub fn peek(&self, id: TableId) -> Option<Arc<Room<K>>> {
        let rooms = shard(&self.rooms, &id);
        rooms.get(&id).map(|entry| Arc::clone(&entry.room))
    }

    fn entry<'a>(&self, rooms: &'a mut IdMap<TableId, Entry<K>>, id: TableId) -> &'a mut Entry<K> {
        rooms.entry(id).or_insert_with(|| Entry {
            members: Members::default(),
            room: Arc::new(Room::new(id, self.lane, (self.crowd)(id))),
        })
    }

    /// The room, if anybody is there.
    pub fn get(&self, id: TableId) -> Option<Arc<Room<K>>> {
        self.look(id, |entry| Arc::clone(&entry.room))
    }

    /// Whether anybody is at the table.
    pub fn is_open(&self, id: TableId) -> bool {
        self.look(id, |_| ()).is_some()
    }

    /// Whether that player is.
    pub fn is_here(&self, id: TableId, player: PlayerId) -> bool {
        self.look(id, |entry| entry.members.is_here(player)) == Some(true)
    }

    /// How many watch the table.
    pub fn watchers(&self, id: TableId) -> usize {
        self.look(id, |entry| entry.members.watchers())
            .unwrap_or_default()
    }

    /// Those who watch and agreed to be seen: so many at most, the oldest
    /// accounts first.
    pub fn shown(&self, id: TableId, max: usize) -> Vec<PlayerId> {
        self.look(id, |entry| entry.members.shown(max))
            .unwrap_or_default()
    }

    /// One of those who watch agrees to be seen.
    pub fn show(&self, id: TableId, who: PlayerId) {
        self.look(id, |entry| entry.members.show(who));
    }

    /// One who agreed to be seen goes: to be said before they leave.
    pub fn hide(&self, id: TableId, who: PlayerId) {
        self.look(id, |entry| entry.members.hide(who));
    }

    fn look<R>(&self, id: TableId, with: impl FnOnce(&mut Entry<K>) -> R) -> Option<R> {
        let mut rooms = shard(&self.rooms, &id);
        let entry = rooms.get_mut(&id)?;
        (!entry.members.is_empty()).then(|| with(entry))
    }

    /// The rooms that anybody is in.
    pub fn open(&self) -> Vec<Arc<Room<K>>> {
        self.part(0, 1)
    }

    /// One of so many parts of them.
    pub fn part(&self, part: usize, of: usize) -> Vec<Arc<Room<K>>> {
        let mut open = Vec::new();
        for rooms in self.rooms.iter().skip(part).step_by(of) {
            let mut rooms = outside(rooms);
            // Who held one that everybody had left is done with it.
            rooms.retain(|_, entry| !entry.is_idle());
            let entries = rooms.values().filter(|entry| !entry.members.is_empty());
            open.extend(entries.map(|entry| Arc::clone(&entry.room)));
        }
        open
    }

    /// How many streams are open.
    pub fn streams(&self) -> usize {
        self.streams.load(Ordering::Relaxed)
    }

    /// Something that those in a room should have been told is lost. It leaves
    /// a mark, so that the room is repaired though nothing else happens there.
    pub fn lost(&self, id: TableId, how: Loss) {
        let is_overlooked = match how {
            Loss::Full => Mutant::QuietLoss.is_chosen(),
            Loss::Failed => Mutant::QuietFailure.is_chosen(),
        };
        if let Some(room) = self.get(id).filter(|_| !is_overlooked)
            && room.mark()
        {
            lock(&self.marked).push(id);
        }
    }

    /// A table was found to be of that version: somebody else may have changed
    /// it, who could not tell those here.
    pub fn found(&self, id: TableId, version: u32) {
        if self.get(id).is_some_and(|room| room.is_behind(version)) {
            self.lost(id, Loss::Failed);
        }
    }

    /// Some of the rooms that lost something, the first to have done so. Their
    /// marks are gone: whatever is lost from now on leaves another.
    pub fn take_marked(&self, max: usize) -> Vec<Arc<Room<K>>> {
        let marked: Vec<_> = {
            let mut marked = lock(&self.marked);
            let some = marked.len().min(max);
            marked.drain(..some).collect()
        };
        let rooms = marked.into_iter().filter_map(|id| self.get(id));
        rooms.inspect(|room| room.unmark()).collect()
    }
}

/// Puts a message into a lane; nobody may be listening, which is fine.
pub(super) fn tell<M>(lane: &Sender<M>, message: M) {
    drop(lane.send(message));
}

pub(super) fn shards<K, V>() -> Shards<K, V> {
    (0..SHARDS).map(|_| Mutex::default()).collect()
}

pub(super) fn shard<'a, K: Hash, V>(
    shards: &'a Shards<K, V>,
    key: &K,
) -> MutexGuard<'a, IdMap<K, V>> {
    outside(&shards[shard_of(key, SHARDS)])
}

#[cfg(test)]
mod tests;
