//! Streams of which there is one at a time, wherever in the server it is: an account's
//! own by a token, and a player's of a game by a client.
//!
//! Whoever opens another ends the older one. The clients that need this take the end of a
//! game's stream for the end of the game, and only an own stream that is opened anew tells
//! them of it again. So a game's stream that is lost, with its node or without, and is
//! not there again soon, ends the account's own streams at every node.

use std::collections::HashMap;
use std::sync::Mutex;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use chess::table::PlayerId;
use serde::{Deserialize, Serialize};
use store::{NodeId, TableId};
use tokio::sync::oneshot;

use super::Rooms;
use crate::lock::lock;

/// How long a stream of a game may be missing in mid-game.
pub(crate) const REOPENED_WITHIN: Duration = Duration::from_secs(2);

/// Which stream it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Solo {
    /// An account's own, by what its client is known by.
    Own(PlayerId, u64),
    /// A player's of a game, by the client.
    Game(PlayerId, TableId, u64),
}

/// The streams that are open here, and what is known of other nodes'.
#[derive(Default)]
pub(super) struct Solos(Mutex<Open>);

#[derive(Default)]
struct Open {
    next: u64,
    own: HashMap<PlayerId, HashMap<u64, Entry>>,
    games: HashMap<(PlayerId, TableId), HashMap<u64, Entry>>,
    /// Games' streams at other nodes, of those who have their own stream here.
    elsewhere: HashMap<(PlayerId, TableId), NodeId>,
}

/// When a stream was opened, in microseconds, and at which node: of two that were opened at
/// two nodes every node takes the same one for the newer, in whichever order it hears of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(super) struct Opened(pub(super) u64, pub(super) u32);

impl Opened {
    fn now(node: u32) -> Opened {
        let since = SystemTime::now().duration_since(UNIX_EPOCH);
        let micros = since.unwrap_or_default().as_micros();
        Opened(u64::try_from(micros).unwrap_or(u64::MAX), node)
    }
}

/// One that is open; dropping it ends it.
struct Entry {
    serial: u64,
    opened: Opened,
    _end: oneshot::Sender<()>,
}

/// The right to be the one stream of its kind; given back when dropped.
pub(crate) struct Hold {
    rooms: Rooms,
    solo: Solo,
    serial: u64,
    ended: oneshot::Receiver<()>,
    is_done: bool,
}

impl Hold {
    /// What it was open for is over: nobody will miss it.
    pub(crate) fn done(&mut self) {
        self.is_done = true;
    }

    /// Waits until another takes its place, or it must end. May be interrupted.
    pub(crate) async fn over(&mut self) {
        // The sender is never used, only dropped.
        (&mut self.ended).await.unwrap_or_default();
    }
}

impl Drop for Hold {
    fn drop(&mut self) {
        self.rooms.0.solos.leave(self.solo, self.serial);
        if let Solo::Game(player, table, _) = self.solo
            && self.is_done
        {
            self.rooms.tell_others_of_closed(player, table);
        }
    }
}

impl Solos {
    fn enter(&self, solo: Solo, opened: Opened) -> (u64, oneshot::Receiver<()>) {
        let (end, ended) = oneshot::channel();
        let mut open = lock(&self.0);
        open.next += 1;
        let serial = open.next;
        let entry = Entry {
            serial,
            opened,
            _end: end,
        };
        match solo {
            Solo::Own(player, client) => {
                open.own.entry(player).or_default().insert(client, entry);
            }
            Solo::Game(player, table, client) => {
                open.elsewhere.remove(&(player, table));
                let streams = open.games.entry((player, table)).or_default();
                streams.insert(client, entry);
            }
        }
        (serial, ended)
    }

    fn leave(&self, solo: Solo, serial: u64) {
        let mut open = lock(&self.0);
        let open = &mut *open;
        match solo {
            Solo::Own(player, client) => {
                remove(&mut open.own, player, client, |entry| {
                    entry.serial == serial
                });
                if !open.own.contains_key(&player) {
                    open.elsewhere.retain(|(whose, _), _| *whose != player);
                }
            }
            Solo::Game(player, table, client) => {
                let is_it = |entry: &Entry| entry.serial == serial;
                remove(&mut open.games, (player, table), client, is_it);
            }
        }
    }

    /// Another node has one: ours ends if it is older.
    pub(super) fn opened_elsewhere(&self, solo: Solo, opened: Opened) {
        let mut open = lock(&self.0);
        let open = &mut *open;
        let is_older = |entry: &Entry| entry.opened < opened;
        match solo {
            Solo::Own(player, client) => remove(&mut open.own, player, client, is_older),
            Solo::Game(player, table, client) => {
                let game = (player, table);
                remove(&mut open.games, game, client, is_older);
                if open.own.contains_key(&player) && !open.games.contains_key(&game) {
                    open.elsewhere.insert(game, NodeId(opened.1));
                }
            }
        }
    }

    /// Somebody's streams of games that are open here, and since when: for the node where
    /// they have just opened their own, which paid no heed to these before.
    pub(super) fn games_of(&self, player: PlayerId) -> Vec<(Solo, Opened)> {
        let open = lock(&self.0);
        let theirs = open.games.iter().filter(|((whose, _), _)| *whose == player);
        let streams = theirs.flat_map(|((_, table), clients)| {
            let one = |(client, entry): (&u64, &Entry)| {
                (Solo::Game(player, *table, *client), entry.opened)
            };
            clients.iter().map(one)
        });
        streams.collect()
    }

    /// Another node's is closed, whoever looks after that.
    pub(super) fn closed_elsewhere(&self, player: PlayerId, table: TableId, node: NodeId) {
        let mut open = lock(&self.0);
        if open.elsewhere.get(&(player, table)) == Some(&node) {
            open.elsewhere.remove(&(player, table));
        }
    }

    /// Whether a stream of that game is open here.
    pub(super) fn has_game(&self, player: PlayerId, table: TableId) -> bool {
        lock(&self.0).games.contains_key(&(player, table))
    }

    /// Ends all own streams of an account.
    pub(super) fn end_own(&self, player: PlayerId) {
        drop(lock(&self.0).own.remove(&player));
    }

    /// The games whose stream was at a node that is gone.
    pub(super) fn gone(&self, is_live: impl Fn(NodeId) -> bool) -> Vec<(PlayerId, TableId)> {
        let mut open = lock(&self.0);
        if open.elsewhere.is_empty() {
            return Vec::new();
        }
        let mut gone = Vec::new();
        open.elsewhere.retain(|game, node| {
            let is_here = is_live(*node);
            if !is_here {
                gone.push(*game);
            }
            is_here
        });
        gone
    }
}

fn remove<K: std::hash::Hash + Eq + Copy>(
    streams: &mut HashMap<K, HashMap<u64, Entry>>,
    key: K,
    client: u64,
    is_it: impl Fn(&Entry) -> bool,
) {
    let Some(clients) = streams.get_mut(&key) else {
        return;
    };
    if clients.get(&client).is_some_and(is_it) {
        clients.remove(&client);
    }
    if clients.is_empty() {
        streams.remove(&key);
    }
}

impl Rooms {
    /// Opens a stream of which there is one: the older one ends, at whichever node.
    pub(crate) fn hold(&self, solo: Solo) -> Hold {
        let opened = Opened::now(self.node());
        let (serial, ended) = self.0.solos.enter(solo, opened);
        self.tell_others_of_opened(solo, opened);
        Hold {
            rooms: self.clone(),
            solo,
            serial,
            ended,
            is_done: false,
        }
    }

    /// A game's stream was lost in mid-game, for long enough: unless it is there again, at
    /// whichever node, the account's own streams end.
    pub(crate) async fn end_unless_reopened(&self, player: PlayerId, table: TableId) {
        if self.is_closing() || self.0.solos.has_game(player, table) {
            return;
        }
        if !self.others_have_game(player, table).await {
            self.0.solos.end_own(player);
            self.tell_others_to_end(player);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Ours, and one that was opened later at another node.
    const HERE: Opened = Opened(5, 1);
    const THERE: Opened = Opened(6, 2);

    fn who(number: u32) -> PlayerId {
        PlayerId::new(number).unwrap()
    }

    fn has_ended(ended: &mut oneshot::Receiver<()>) -> bool {
        ended.try_recv() == Err(oneshot::error::TryRecvError::Closed)
    }

    #[test]
    fn s5_a_new_stream_ends_the_older_one_of_the_same_client() {
        let solos = Solos::default();
        let (ann, bob) = (who(1), who(2));
        let (first, mut first_ended) = solos.enter(Solo::Own(ann, 7), HERE);
        let (_, mut other_ended) = solos.enter(Solo::Own(ann, 8), HERE);
        let (_, mut bobs_ended) = solos.enter(Solo::Own(bob, 7), HERE);
        let (_, mut second_ended) = solos.enter(Solo::Own(ann, 7), HERE);
        assert!(has_ended(&mut first_ended));
        // The older one leaves late, and takes nothing with it.
        solos.leave(Solo::Own(ann, 7), first);
        for ended in [&mut second_ended, &mut other_ended, &mut bobs_ended] {
            assert!(!has_ended(ended));
        }
        solos.end_own(ann);
        assert!(has_ended(&mut second_ended) && has_ended(&mut other_ended));
        assert!(!has_ended(&mut bobs_ended));
    }

    #[test]
    fn s7_a_game_is_missed_only_with_its_node() {
        let solos = Solos::default();
        let (ann, table) = (who(1), TableId::from_random(7));
        let node = |number| NodeId(number);
        let game = Solo::Game(ann, table, 1);
        // Whoever has no own stream here is somebody else's business.
        solos.opened_elsewhere(game, THERE);
        assert_eq!(solos.gone(|_| false), []);
        let (serial, _ended) = solos.enter(Solo::Own(ann, 7), HERE);
        solos.opened_elsewhere(game, THERE);
        assert_eq!(solos.gone(|node| node == NodeId(2)), []);
        solos.closed_elsewhere(ann, table, node(3));
        assert_eq!(solos.gone(|_| false), [(ann, table)]);
        assert_eq!(solos.gone(|_| false), []);
        solos.opened_elsewhere(game, THERE);
        solos.closed_elsewhere(ann, table, node(2));
        assert_eq!(solos.gone(|_| false), []);
        solos.opened_elsewhere(game, THERE);
        solos.leave(Solo::Own(ann, 7), serial);
        assert_eq!(solos.gone(|_| false), []);
    }

    #[test]
    fn s7_a_game_that_was_open_before_the_own_stream_is_missed_too() {
        let (here, there) = (Solos::default(), Solos::default());
        let (ann, bob, table) = (who(1), who(2), TableId::from_random(7));
        let (_, _anns) = there.enter(Solo::Game(ann, table, 1), Opened(3, 2));
        let (_, _bobs) = there.enter(Solo::Game(bob, table, 1), Opened(3, 2));
        here.opened_elsewhere(Solo::Game(ann, table, 1), Opened(3, 2));
        let (_, _own) = here.enter(Solo::Own(ann, 7), HERE);
        // What was said before nobody here remembers: the other node says it again.
        let games = there.games_of(ann);
        assert_eq!(games, [(Solo::Game(ann, table, 1), Opened(3, 2))]);
        for (solo, opened) in games {
            here.opened_elsewhere(solo, opened);
        }
        assert_eq!(here.gone(|node| node == NodeId(2)), []);
        assert_eq!(here.gone(|_| false), [(ann, table)]);
    }

    #[test]
    fn s7_a_stream_of_a_game_at_another_node_ends_ours() {
        let solos = Solos::default();
        let (ann, table) = (who(1), TableId::from_random(7));
        let (_, mut ended) = solos.enter(Solo::Game(ann, table, 1), HERE);
        assert!(solos.has_game(ann, table));
        solos.opened_elsewhere(Solo::Game(ann, table, 2), THERE);
        assert!(!has_ended(&mut ended));
        // What is heard late of one that was opened before ours is nothing to it.
        for earlier in [Opened(4, 2), Opened(5, 0)] {
            solos.opened_elsewhere(Solo::Game(ann, table, 1), earlier);
            assert!(!has_ended(&mut ended));
        }
        solos.opened_elsewhere(Solo::Game(ann, table, 1), THERE);
        assert!(has_ended(&mut ended) && !solos.has_game(ann, table));
    }
}
