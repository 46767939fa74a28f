//! Those who want to know what concerns their account, at whichever table.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use chess::table::PlayerId;
use store::IdMap;

use super::inbox::{Inbox, Slot, inbox};
use super::rooms::{Shards, shard, shards};
use crate::live::lock;

/// The accounts that are followed. `N` is what they are told.
pub struct Feeds<N> {
    people: Shards<PlayerId, Feed<N>>,
    /// Messages that may wait for a stream.
    lane: usize,
    streams: AtomicUsize,
}

struct Feed<N> {
    slots: Vec<Slot<N>>,
    streams: usize,
}

impl<N: Clone> Feed<N> {
    fn tell(&self, news: &N) {
        self.slots.iter().for_each(|slot| slot.put(news.clone()));
    }
}

impl<N> Drop for Feed<N> {
    fn drop(&mut self) {
        self.slots.iter().for_each(Slot::close);
    }
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
    pub fn follow(&self, player: PlayerId) -> Inbox<N> {
        self.streams.fetch_add(1, Ordering::Relaxed);
        let mut people = shard(&self.people, &player);
        let feed = people.entry(player).or_insert_with(|| Feed {
            slots: Vec::new(),
            streams: 0,
        });
        let (inbox, slot) = inbox(self.lane);
        feed.slots.retain(Slot::is_open);
        feed.slots.push(slot);
        feed.streams += 1;
        inbox
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
            feed.tell(&news);
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
                feed.tell(news);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt;

    use super::*;
    use crate::room::Unheard;

    #[test]
    fn an_account_is_followed_until_its_last_stream_is_closed() {
        let feeds: Feeds<u32> = Feeds::new(4);
        let ann = PlayerId::new(1).unwrap();
        let [first, mut second] = [(); 2].map(|()| feeds.follow(ann));
        drop(first);
        feeds.unfollow(ann);
        feeds.tell(ann, 7);
        let mut next = || second.recv().now_or_never();
        assert_eq!(next(), Some(Ok(7)));
        feeds.unfollow(ann);
        assert!(!feeds.is_followed(ann));
        assert_eq!(next(), Some(Err(Unheard::Closed)));
    }
}
