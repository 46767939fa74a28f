//! Who listens to which table, and to which account.
//!
//! Every room has two lanes, one for its players and one for everybody else,
//! so that players are told first and a crowd never fills their queue. A lane
//! is a ring that all of its subscribers share: whoever falls behind by more
//! than it holds is told so, and nobody waits for them.

use std::collections::BTreeMap;
use std::hash::Hash;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard};

use chess::table::PlayerId;
use store::{IdMap, TableId, shard_of};
use tokio::sync::broadcast::{Receiver, Sender};

use crate::live::lock;

const SHARDS: usize = 64;

/// Everyone who listens. `M` is what they are told.
pub struct Hub<M> {
    rooms: Shards<TableId, Room<M>>,
    people: Shards<PlayerId, Follower<M>>,
    /// Messages a lane holds.
    lane: usize,
    subscribers: AtomicUsize,
}

type Shards<K, V> = Box<[Mutex<IdMap<K, V>>]>;

struct Room<M> {
    lanes: Lanes<M>,
    /// The players who are here, and how many streams each has open.
    players: Vec<(PlayerId, usize)>,
    watchers: usize,
    /// Those of them who agreed to be seen, and how many streams each has open.
    shown: BTreeMap<PlayerId, usize>,
}

struct Follower<M> {
    lane: Sender<M>,
    streams: usize,
}

/// Where a room's messages go in.
#[derive(Clone)]
pub struct Lanes<M> {
    /// To the players.
    pub players: Sender<M>,
    /// To everybody else.
    pub watchers: Sender<M>,
}

impl<M: Clone> Hub<M> {
    /// Nobody is here yet; a subscriber may be that many messages behind.
    pub fn new(lane: usize) -> Hub<M> {
        Hub {
            rooms: shards(),
            people: shards(),
            lane,
            subscribers: AtomicUsize::new(0),
        }
    }

    /// Somebody comes to a table: as one of its players, or to watch.
    pub fn join(&self, id: TableId, player: Option<PlayerId>) -> Receiver<M> {
        self.subscribers.fetch_add(1, Ordering::Relaxed);
        let mut rooms = shard(&self.rooms, &id);
        let room = rooms.entry(id).or_insert_with(|| Room {
            lanes: Lanes {
                players: Sender::new(self.lane),
                watchers: Sender::new(self.lane),
            },
            players: Vec::new(),
            watchers: 0,
            shown: BTreeMap::new(),
        });
        let Some(player) = player else {
            room.watchers += 1;
            return room.lanes.watchers.subscribe();
        };
        match room.players.iter_mut().find(|(p, _)| *p == player) {
            Some((_, streams)) => *streams += 1,
            None => room.players.push((player, 1)),
        }
        room.lanes.players.subscribe()
    }

    /// Somebody goes, as whom they came. `true` if that was a player's last stream.
    pub fn leave(&self, id: TableId, player: Option<PlayerId>) -> bool {
        self.subscribers.fetch_sub(1, Ordering::Relaxed);
        let mut rooms = shard(&self.rooms, &id);
        let Some(room) = rooms.get_mut(&id) else {
            return false;
        };
        let mut is_gone = false;
        match player {
            None => room.watchers -= 1,
            Some(player) => room.players.retain_mut(|(p, streams)| {
                if *p == player {
                    *streams -= 1;
                    is_gone = *streams == 0;
                }
                *streams > 0
            }),
        }
        if room.players.is_empty() && room.watchers == 0 {
            rooms.remove(&id);
        }
        is_gone
    }

    /// One of those who watch agrees to be seen.
    pub fn show(&self, id: TableId, who: PlayerId) {
        if let Some(room) = shard(&self.rooms, &id).get_mut(&id) {
            *room.shown.entry(who).or_default() += 1;
        }
    }

    /// One who agreed to be seen goes: to be said before they leave.
    pub fn hide(&self, id: TableId, who: PlayerId) {
        if let Some(room) = shard(&self.rooms, &id).get_mut(&id)
            && let Some(streams) = room.shown.get_mut(&who)
        {
            *streams -= 1;
            if *streams == 0 {
                room.shown.remove(&who);
            }
        }
    }

    /// Those who watch and agreed to be seen: so many at most, the oldest
    /// accounts first.
    pub fn shown(&self, id: TableId, max: usize) -> Vec<PlayerId> {
        let rooms = shard(&self.rooms, &id);
        let room = rooms.get(&id);
        room.map_or_else(Vec::new, |room| {
            room.shown.keys().take(max).copied().collect()
        })
    }

    /// Where to tell those at a table, if anybody is there.
    pub fn lanes(&self, id: TableId) -> Option<Lanes<M>> {
        shard(&self.rooms, &id).get(&id).map(|r| r.lanes.clone())
    }

    /// Whether anybody is at the table.
    pub fn is_open(&self, id: TableId) -> bool {
        shard(&self.rooms, &id).contains_key(&id)
    }

    /// Whether that player is.
    pub fn is_here(&self, id: TableId, player: PlayerId) -> bool {
        let rooms = shard(&self.rooms, &id);
        rooms
            .get(&id)
            .is_some_and(|room| room.players.iter().any(|(p, _)| *p == player))
    }

    /// How many watch the table.
    pub fn watchers(&self, id: TableId) -> usize {
        shard(&self.rooms, &id)
            .get(&id)
            .map_or(0, |room| room.watchers)
    }

    /// Somebody wants to know what concerns their account.
    pub fn follow(&self, player: PlayerId) -> Receiver<M> {
        self.subscribers.fetch_add(1, Ordering::Relaxed);
        let mut people = shard(&self.people, &player);
        let follower = people.entry(player).or_insert_with(|| Follower {
            lane: Sender::new(self.lane),
            streams: 0,
        });
        follower.streams += 1;
        follower.lane.subscribe()
    }

    /// And no longer.
    pub fn unfollow(&self, player: PlayerId) {
        self.subscribers.fetch_sub(1, Ordering::Relaxed);
        let mut people = shard(&self.people, &player);
        if let Some(follower) = people.get_mut(&player) {
            follower.streams -= 1;
            if follower.streams == 0 {
                people.remove(&player);
            }
        }
    }

    /// Where to tell somebody, if they follow their account.
    pub fn feed(&self, player: PlayerId) -> Option<Sender<M>> {
        shard(&self.people, &player)
            .get(&player)
            .map(|follower| follower.lane.clone())
    }

    /// Whether somebody follows that account.
    pub fn is_followed(&self, player: PlayerId) -> bool {
        shard(&self.people, &player).contains_key(&player)
    }

    /// The tables that anybody is at.
    pub fn rooms(&self) -> Vec<TableId> {
        let ids = |rooms: &Mutex<IdMap<TableId, _>>| -> Vec<TableId> {
            lock(rooms).keys().copied().collect()
        };
        self.rooms.iter().flat_map(ids).collect()
    }

    /// Tells everybody.
    pub fn tell_all(&self, message: &M) {
        let mut lanes = Vec::new();
        for rooms in &self.rooms {
            let rooms = lock(rooms);
            lanes.extend(rooms.values().map(|r| r.lanes.players.clone()));
            lanes.extend(rooms.values().map(|r| r.lanes.watchers.clone()));
        }
        for lane in lanes {
            tell(&lane, message.clone());
        }
        self.tell_followers(message);
    }

    /// Tells everyone who follows their account.
    fn tell_followers(&self, message: &M) {
        for people in &self.people {
            let lanes: Vec<_> = lock(people).values().map(|f| f.lane.clone()).collect();
            for lane in lanes {
                tell(&lane, message.clone());
            }
        }
    }

    /// How many streams are open.
    pub fn subscribers(&self) -> usize {
        self.subscribers.load(Ordering::Relaxed)
    }
}

impl<M> Lanes<M> {
    /// Tells everyone in the room, the players first.
    pub fn tell(&self, message: M)
    where
        M: Clone,
    {
        tell(&self.players, message.clone());
        tell(&self.watchers, message);
    }
}

/// Puts a message into a lane; nobody may be listening, which is fine.
pub fn tell<M>(lane: &Sender<M>, message: M) {
    drop(lane.send(message));
}

fn shards<K, V>() -> Shards<K, V> {
    (0..SHARDS).map(|_| Mutex::default()).collect()
}

fn shard<'a, K: Hash, V>(shards: &'a Shards<K, V>, key: &K) -> MutexGuard<'a, IdMap<K, V>> {
    lock(&shards[shard_of(key, SHARDS)])
}

#[cfg(test)]
mod tests {
    use tokio::sync::broadcast::error::TryRecvError;

    use super::*;

    fn table() -> TableId {
        TableId::from_random(7)
    }

    fn ann() -> PlayerId {
        PlayerId::new(1).unwrap()
    }

    #[test]
    fn a_room_is_there_as_long_as_somebody_is() {
        let hub: Hub<u32> = Hub::new(4);
        let player = hub.join(table(), Some(ann()));
        let watcher = hub.join(table(), None);
        assert!(hub.is_here(table(), ann()));
        assert_eq!((hub.watchers(table()), hub.subscribers()), (1, 2));
        drop((player, watcher));
        assert!(!hub.leave(table(), None));
        assert!(hub.is_open(table()));
        assert!(hub.leave(table(), Some(ann())));
        assert!(!hub.is_open(table()));
        assert_eq!(hub.subscribers(), 0);
    }

    #[test]
    fn a_player_with_two_streams_is_there_until_both_are_closed() {
        let hub: Hub<u32> = Hub::new(4);
        let streams = [(); 2].map(|()| hub.join(table(), Some(ann())));
        assert!(!hub.leave(table(), Some(ann())));
        assert!(hub.is_here(table(), ann()));
        assert!(hub.leave(table(), Some(ann())));
        assert!(!hub.is_here(table(), ann()));
        drop(streams);
    }

    #[test]
    fn who_falls_behind_is_told_so_and_delays_nobody() {
        let hub: Hub<u32> = Hub::new(4);
        let (mut slow, mut quick) = (hub.join(table(), None), hub.join(table(), None));
        let lanes = hub.lanes(table()).unwrap();
        for message in 0..10 {
            lanes.tell(message);
            assert_eq!(quick.try_recv(), Ok(message));
        }
        assert_eq!(slow.try_recv(), Err(TryRecvError::Lagged(6)));
        assert_eq!(slow.try_recv(), Ok(6));
    }

    #[test]
    fn the_players_lane_carries_only_what_is_for_them() {
        let hub: Hub<u32> = Hub::new(4);
        let (mut player, mut watcher) = (hub.join(table(), Some(ann())), hub.join(table(), None));
        tell(&hub.lanes(table()).unwrap().watchers, 1);
        assert_eq!(watcher.try_recv(), Ok(1));
        assert_eq!(player.try_recv(), Err(TryRecvError::Empty));
    }
}
