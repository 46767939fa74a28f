//! Those who follow players and have their own stream open here: they are told when one
//! of these begins to play.
//!
//! Whom an account follows is read when its stream opens, and again whenever the account
//! changes. So a game that begins costs a look into memory, and no question to the store.

use std::collections::{HashMap, HashSet};
use std::sync::Mutex;

use chess::game::{Game, Phase};
use chess::table::{PlayerId, Table};
use store::TableId;

use super::{News, Rooms, Thread, What};
use crate::lock::lock;

/// Who follows whom, of those who are here.
#[derive(Default)]
pub(super) struct Followers(Mutex<Known>);

#[derive(Default)]
struct Known {
    /// By the follower: the streams they have open, and whom they follow.
    follows: HashMap<PlayerId, (usize, HashSet<PlayerId>)>,
    /// By the followed.
    followers: HashMap<PlayerId, HashSet<PlayerId>>,
}

impl Known {
    fn set(&mut self, follower: PlayerId, now: HashSet<PlayerId>) {
        let Some((_, follows)) = self.follows.get_mut(&follower) else {
            return;
        };
        let before = std::mem::replace(follows, now.clone());
        for followed in before.difference(&now) {
            if let Some(followers) = self.followers.get_mut(followed) {
                followers.remove(&follower);
                if followers.is_empty() {
                    self.followers.remove(followed);
                }
            }
        }
        for followed in now {
            self.followers.entry(followed).or_default().insert(follower);
        }
    }
}

impl Followers {
    /// One more stream of that account is open.
    fn join(&self, follower: PlayerId) {
        lock(&self.0).follows.entry(follower).or_default().0 += 1;
    }

    /// And one fewer.
    fn leave(&self, follower: PlayerId) {
        let mut known = lock(&self.0);
        let Some((streams, _)) = known.follows.get_mut(&follower) else {
            return;
        };
        *streams -= 1;
        if *streams == 0 {
            known.set(follower, HashSet::new());
            known.follows.remove(&follower);
        }
    }

    fn set(&self, follower: PlayerId, follows: impl IntoIterator<Item = PlayerId>) {
        lock(&self.0).set(follower, follows.into_iter().collect());
    }

    /// Whether anybody here follows one of these.
    fn has_some(&self, players: [PlayerId; 2]) -> bool {
        let known = lock(&self.0);
        let mut players = players.iter();
        players.any(|player| known.followers.contains_key(player))
    }

    /// Who follows one of these: each once, with the first whom they follow.
    fn of(&self, players: [PlayerId; 2]) -> Vec<(PlayerId, PlayerId)> {
        let known = lock(&self.0);
        let mut told = HashSet::from(players);
        let mut found = Vec::new();
        for player in players {
            let followers = known.followers.get(&player).into_iter().flatten();
            let new = followers.filter(|follower| told.insert(**follower));
            found.extend(new.map(|follower| (*follower, player)));
        }
        found
    }
}

impl Rooms {
    /// A stream of an account was opened, which hears of those whom it follows.
    pub(crate) fn hears_of_follows(&self, account: PlayerId) {
        self.0.followers.join(account);
    }

    /// And was closed.
    pub(crate) fn hears_no_more(&self, account: PlayerId) {
        self.0.followers.leave(account);
    }

    /// Whom that account follows, as the store has it now.
    pub(crate) fn follows(&self, account: PlayerId, follows: impl IntoIterator<Item = PlayerId>) {
        self.0.followers.set(account, follows);
    }

    /// A game has begun, here or at another node: tells those here who follow a player.
    pub(super) fn tell_followers(&self, id: TableId, players: [PlayerId; 2]) {
        self.0.beginnings.tell(id, players);
        for (follower, player) in self.0.followers.of(players) {
            let news = News::of(What::FollowedStarted(id, player));
            self.0.feeds.tell(follower, news);
        }
    }

    /// A game has changed here: if it has begun and anybody may see it as it is, its
    /// players' followers are told, at every node.
    pub(super) fn tell_if_begun(&self, id: TableId, before: Option<&Game>, after: &Game) {
        // Looking for when it began means going through what happened: only where it may have.
        let waited = before.is_none_or(|before| before.phase() == Phase::Waiting);
        let is_open = after.terms().is_public() && after.terms().spectator_delay == 0;
        if !waited || !is_open || after.started_at().is_none() {
            return;
        }
        if let [Some(white), Some(black)] = after.players() {
            let players = [white, black];
            self.tell_others_of_start(id, players);
            // Under the table's lock is no time to tell thousands.
            if self.0.followers.has_some(players) || self.0.beginnings.are_heard() {
                let rooms = self.clone();
                self.spawn(
                    Thread::Telling,
                    async move { rooms.tell_followers(id, players) },
                );
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn who(number: u32) -> PlayerId {
        PlayerId::new(number).unwrap()
    }

    #[test]
    fn a_follower_is_told_once_as_long_as_a_stream_is_open() {
        let followers = Followers::default();
        let [ann, bob, cleo, dan] = [1, 2, 3, 4].map(who);
        // Without a stream there is nobody to tell.
        followers.set(cleo, [ann]);
        assert_eq!(followers.of([ann, bob]), []);
        for _ in 0..2 {
            followers.join(cleo);
        }
        followers.set(cleo, [ann, bob]);
        assert_eq!(followers.of([bob, ann]), [(cleo, bob)]);
        followers.leave(cleo);
        followers.set(cleo, [ann]);
        assert_eq!(followers.of([bob, dan]), []);
        assert_eq!(followers.of([dan, ann]), [(cleo, ann)]);
        followers.leave(cleo);
        assert_eq!(followers.of([dan, ann]), []);
        assert!(lock(&followers.0).followers.is_empty());
    }

    #[test]
    fn who_plays_is_not_told_that_they_do() {
        let followers = Followers::default();
        let [ann, bob] = [1, 2].map(who);
        followers.join(ann);
        followers.set(ann, [bob]);
        assert_eq!(followers.of([ann, bob]), []);
    }
}
