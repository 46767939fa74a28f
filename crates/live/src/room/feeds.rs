//! Those who want to know what concerns their account, at whichever table.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use chess::table::PlayerId;
use store::IdMap;
use tokio::sync::broadcast::{Receiver, Sender};

use super::rooms::{Shards, shard, shards, tell};
use crate::live::lock;

/// The accounts that are followed. `N` is what they are told.
pub struct Feeds<N> {
    people: Shards<PlayerId, Feed<N>>,
    /// Messages a feed holds.
    lane: usize,
    streams: AtomicUsize,
}

struct Feed<N> {
    lane: Sender<N>,
    streams: usize,
}

impl<N: Clone> Feeds<N> {
    /// Nobody follows; a subscriber may be that many messages behind.
    pub fn new(lane: usize) -> Feeds<N> {
        Feeds {
            people: shards(),
            lane,
            streams: AtomicUsize::new(0),
        }
    }

    /// Somebody wants to know what concerns their account.
    pub fn follow(&self, player: PlayerId) -> Receiver<N> {
        self.streams.fetch_add(1, Ordering::Relaxed);
        let mut people = shard(&self.people, &player);
        let feed = people.entry(player).or_insert_with(|| Feed {
            lane: Sender::new(self.lane),
            streams: 0,
        });
        feed.streams += 1;
        feed.lane.subscribe()
    }

    /// And no longer.
    pub fn unfollow(&self, player: PlayerId) {
        self.streams.fetch_sub(1, Ordering::Relaxed);
        let mut people = shard(&self.people, &player);
        if let Some(feed) = people.get_mut(&player) {
            feed.streams -= 1;
            if feed.streams == 0 {
                people.remove(&player);
            }
        }
    }

    /// Whether somebody follows that account.
    pub fn is_followed(&self, player: PlayerId) -> bool {
        shard(&self.people, &player).contains_key(&player)
    }

    /// Tells whoever follows that account.
    pub fn tell(&self, player: PlayerId, news: N) {
        if let Some(feed) = shard(&self.people, &player).get(&player) {
            tell(&feed.lane, news);
        }
    }

    /// How many streams are open.
    pub fn streams(&self) -> usize {
        self.streams.load(Ordering::Relaxed)
    }

    /// Tells everyone who follows an account.
    pub fn tell_all(&self, news: &N) {
        for people in &self.people {
            let people: &Mutex<IdMap<PlayerId, Feed<N>>> = people;
            for feed in lock(people).values() {
                tell(&feed.lane, news.clone());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_account_is_followed_until_its_last_stream_is_closed() {
        let feeds: Feeds<u32> = Feeds::new(4);
        let ann = PlayerId::new(1).unwrap();
        let mut streams = [(); 2].map(|()| feeds.follow(ann));
        feeds.unfollow(ann);
        feeds.tell(ann, 7);
        assert_eq!(streams[1].try_recv(), Ok(7));
        feeds.unfollow(ann);
        assert!(!feeds.is_followed(ann));
    }
}
