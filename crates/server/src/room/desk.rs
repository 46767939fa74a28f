//! What the server keeps in memory of rooms that are spoken in.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard};

use chess::table::PlayerId;
use live::room::{ChatId, Lanes};
use store::{Ban, BanKind, ChatFilter, Store, TableId};

use crate::lock::lock;

/// Lines that a reader is shown, and a room is taken up from, at most.
pub(super) const LINES_MAX: u32 = 500;

/// Rooms kept in memory; each can be read again from the store.
const ROOMS_MAX: usize = 10_000;

/// The rooms that are spoken in.
#[derive(Default)]
pub struct Desk {
    rooms: Mutex<HashMap<TableId, Arc<Room>>>,
}

/// One room: where its ids are, and who may not speak.
pub(super) struct Room {
    lanes: Mutex<Lanes>,
    bans: Mutex<Vec<Ban>>,
}

impl Desk {
    /// A room, read from the store if need be. Whoever holds it keeps it here,
    /// so that a line on its way to the store is not forgotten.
    pub(super) async fn room(&self, store: &Store, id: TableId) -> Result<Arc<Room>, store::Error> {
        let known = lock(&self.rooms).get(&id).cloned();
        if let Some(room) = known {
            return Ok(room);
        }
        let lines = store
            .chat_of(id, ChatFilter::default(), None, LINES_MAX)
            .await?;
        let bans = store.bans_of(id).await?;
        let ids = lines.iter().filter_map(|line| ChatId::from_number(line.id));
        let read = Arc::new(Room {
            lanes: Mutex::new(Lanes::resume(ids)),
            bans: Mutex::new(bans),
        });
        let mut rooms = lock(&self.rooms);
        if rooms.len() >= ROOMS_MAX {
            rooms.retain(|_, room| Arc::strong_count(room) > 1);
        }
        // Somebody else may have been quicker; then theirs has seen more.
        Ok(Arc::clone(rooms.entry(id).or_insert(read)))
    }
}

impl Room {
    pub(super) fn lanes(&self) -> MutexGuard<'_, Lanes> {
        lock(&self.lanes)
    }

    pub(super) fn ban_of(&self, who: PlayerId) -> Option<Ban> {
        lock(&self.bans)
            .iter()
            .find(|ban| ban.account == who)
            .copied()
    }

    pub(super) fn is_removed(&self, who: PlayerId) -> bool {
        self.ban_of(who)
            .is_some_and(|ban| ban.kind == BanKind::Removed)
    }

    /// Takes note of what the store has.
    pub(super) fn set_ban(&self, who: PlayerId, ban: Option<Ban>) {
        let mut bans = lock(&self.bans);
        bans.retain(|ban| ban.account != who);
        bans.extend(ban);
    }
}
