//! Those who follow their account here: news of their games come from every node.

use std::collections::{HashMap, HashSet};

use chess::table::{PlayerId, Table};
use chess::tables::AnyTable;
use chess::{Millis, Timestamp};
use live::bus::{Message, Subscription};
use live::room::Inbox;
use store::{Standing, Store, TableId};

use super::quiet::TABLES_MAX;
use super::{Others, Rooms};
use crate::lock::lock;
use crate::rooms::{News, What};

/// As many games of one account are looked after though nothing is heard of them.
const GAMES_MAX: usize = 200;
/// Games that are over are looked for if they were made since then: one may begin and
/// end before anybody has asked the store.
const MADE_WITHIN: Millis = Millis::from_secs(60);

/// What a node listens to for an account, and what its streams were told of.
pub(super) struct Feed {
    streams: usize,
    /// Its games as the first player, and as the second.
    _ears: [Subscription; 2],
    /// Up to which version of each game, by what all of them hear. What one of them
    /// found by itself is not known here: another may not have.
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
    pub fn follow(&self, player: PlayerId) -> Inbox<News> {
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
            self.0
                .feeds
                .tell(player, News::of(What::Look(id, Some(version))));
        }
    }

    /// Looks in the store for what those who follow an account here were not told of.
    pub(super) async fn look_after_feeds(&self, others: &Others, store: &Store) {
        let players: Vec<PlayerId> = lock(&others.feeds).keys().copied().collect();
        if players.is_empty() {
            return;
        }
        let since = Timestamp(others.live.now().0.saturating_sub(MADE_WITHIN.0.into()));
        // If the store cannot say, it is asked again in a second.
        let Ok(current) = store.current_of(players, since).await else {
            return;
        };
        // What was current when it was told and is no longer: how it ended.
        let known: HashSet<(PlayerId, TableId)> = current
            .iter()
            .map(|(player, id, _)| (*player, *id))
            .collect();
        let past = others.games_told_of(|game| !known.contains(game));
        for (player, id, version) in current {
            self.look_unless_told(player, id, version);
        }
        for some in past.chunks(TABLES_MAX) {
            let ids = some.iter().map(|(_, id)| *id).collect();
            if let Ok(found) = store.standings(ids).await {
                self.part_with(others, some, &found);
            }
        }
    }

    /// These games are looked after no longer, once everybody is told how they ended.
    fn part_with(&self, others: &Others, past: &[(PlayerId, TableId)], found: &[Standing]) {
        let versions: HashMap<TableId, u32> = found
            .iter()
            .map(|standing| (standing.table, standing.version))
            .collect();
        for (player, id) in past {
            if let Some(version) = versions.get(id) {
                self.look_unless_told(*player, *id, *version);
            }
            if let Some(feed) = lock(&others.feeds).get_mut(player) {
                feed.told.remove(id);
            }
        }
    }
}

impl Others {
    /// The games that followers were told of.
    fn games_told_of(
        &self,
        is_wanted: impl Fn(&(PlayerId, TableId)) -> bool,
    ) -> Vec<(PlayerId, TableId)> {
        let feeds = lock(&self.feeds);
        let games = feeds.iter().flat_map(|(player, feed)| {
            let games = feed.told.keys();
            games.map(|id| (*player, *id))
        });
        games.filter(is_wanted).collect()
    }
}
