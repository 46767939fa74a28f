//! Those who follow their account here: news of their games come from every node.

use std::collections::HashMap;

use chess::table::{PlayerId, State, Table};
use chess::tables::AnyTable;
use live::bus::{Message, Subscription};
use store::{Standing, Store, TableId};

use super::Rooms;
use crate::lock::lock;
use crate::rooms::{News, What};

/// As many games of one account are looked after though nothing is heard of them.
const GAMES_MAX: usize = 200;

/// What a node listens to for an account, and what it has told there.
pub(super) struct Feed {
    streams: usize,
    /// Its games as the first player, and as the second.
    _ears: [Subscription; 2],
    /// Up to which version of each game that runs.
    told: HashMap<TableId, u32>,
}

impl Feed {
    /// Notes that a version is told. Whether it was not before.
    fn note(&mut self, id: TableId, version: u32) -> bool {
        if self.told.len() >= GAMES_MAX && !self.told.contains_key(&id) {
            return true;
        }
        let told = self.told.entry(id).or_default();
        let is_new = *told < version;
        *told = version.max(*told);
        is_new
    }
}

impl Rooms {
    /// Follows an account: news of its games, wherever they are made.
    pub fn follow(&self, player: PlayerId) -> tokio::sync::broadcast::Receiver<News> {
        if let Some(others) = self.others() {
            let mut feeds = lock(&others.feeds);
            let feed = feeds.entry(player).or_insert_with(|| {
                let listen = |pattern: String| {
                    let rooms = self.clone();
                    let heard = move |message: Message| rooms.hear(&message, Some(player));
                    others.bus.subscribe(&pattern, heard)
                };
                let number = player.number();
                let first = listen(format!("t.*.{number}.*"));
                let second = listen(format!("t.*.*.{number}"));
                Feed {
                    streams: 0,
                    _ears: [first, second],
                    told: HashMap::new(),
                }
            });
            feed.streams += 1;
        }
        self.0.feeds.follow(player)
    }

    /// And no longer.
    pub fn unfollow(&self, player: PlayerId) {
        self.0.feeds.unfollow(player);
        if let Some(others) = self.others() {
            let mut feeds = lock(&others.feeds);
            if let Some(feed) = feeds.get_mut(&player) {
                feed.streams -= 1;
                if feed.streams == 0 {
                    feeds.remove(&player);
                }
            }
        }
    }

    /// A follower was told how a game stands, so that what comes after it is missed
    /// if it does not come.
    pub fn told_of(&self, player: PlayerId, id: TableId, version: u32) {
        if let Some(others) = self.others()
            && let Some(feed) = lock(&others.feeds).get_mut(&player)
        {
            feed.note(id, version);
        }
    }

    /// A change is about to be told to those of its players who are followed.
    pub(in crate::rooms) fn tells_feeds(&self, id: TableId, after: &AnyTable) {
        let Some(others) = self.others() else {
            return;
        };
        for player in after.players().into_iter().flatten() {
            if self.0.feeds.is_followed(player)
                && let Some(feed) = lock(&others.feeds).get_mut(&player)
            {
                feed.note(id, after.version());
                if after.state() == State::Completed {
                    feed.told.remove(&id);
                }
            }
        }
    }

    /// Another node said that a game of somebody who is followed here has come so
    /// far: if they are not told of it as it happens, they look for themselves.
    pub(super) fn look_unless_told(&self, player: PlayerId, id: TableId, version: u32) {
        let is_new = self.others().is_some_and(|others| {
            let mut feeds = lock(&others.feeds);
            let feed = feeds.get_mut(&player);
            feed.is_some_and(|feed| feed.note(id, version))
        });
        if is_new {
            self.0.feeds.tell(player, News::of(What::Look(id)));
        }
    }

    /// Looks for games of followers that nobody here has heard of.
    pub(super) async fn find_games_of_followers(&self, store: &Store) {
        let Some(others) = self.others() else {
            return;
        };
        let players: Vec<PlayerId> = lock(&others.feeds).keys().copied().collect();
        if players.is_empty() {
            return;
        }
        // If the store cannot say, it is asked again in a second.
        for (player, id, version) in store.unfinished_of(players).await.unwrap_or_default() {
            self.look_unless_told(player, id, version);
        }
    }

    /// The games that followers were told of.
    pub(super) fn followed_games(&self) -> Vec<(PlayerId, TableId)> {
        let Some(others) = self.others() else {
            return Vec::new();
        };
        let feeds = lock(&others.feeds);
        let games = feeds.iter().flat_map(|(player, feed)| {
            let games = feed.told.keys();
            games.map(|id| (*player, *id)).collect::<Vec<_>>()
        });
        games.collect()
    }

    /// How far games have come that followers were told of: what was lost on the
    /// way, they look for.
    pub(super) fn compare_feeds(&self, followed: &[(PlayerId, TableId)], found: &[Standing]) {
        let versions: HashMap<TableId, u32> = found
            .iter()
            .map(|standing| (standing.table, standing.version))
            .collect();
        for (player, id) in followed {
            if let Some(version) = versions.get(id) {
                self.look_unless_told(*player, *id, *version);
            }
        }
    }
}
