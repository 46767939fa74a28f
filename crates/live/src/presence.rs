//! Who is at a table, and who was: what decides claims and how long a table waits.
//!
//! A node knows it of those who asked it for something or listen there. That somebody
//! is gone only all nodes together know.

use chess::Timestamp;
use chess::table::{PlayerId, Table};
use store::TableId;

use crate::live::{Live, lock};
use crate::mutant::Mutant;
use crate::request::Request;

/// What is known of a player's presence at a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Seen {
    /// Whether a stream of theirs is open.
    pub is_streaming: bool,
    /// When they last made a request.
    pub request: Timestamp,
    /// When they were last there in any way; now, if they are.
    pub last: Timestamp,
}

/// When the players of a table were last there: kept while the table is read again,
/// since the store does not know it.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Presence {
    pub(crate) players: [Option<PlayerId>; 2],
    /// When each last made a request.
    pub(crate) seen: [Timestamp; 2],
    /// When each closed their last stream.
    pub(crate) left: [Timestamp; 2],
}

impl Presence {
    /// When the player last made a request, and when they closed their last stream.
    pub(crate) fn of(&self, player: PlayerId) -> Option<(Timestamp, Timestamp)> {
        let mut players = self.players.into_iter();
        let index = players.position(|p| p == Some(player))?;
        Some((self.seen[index], self.left[index]))
    }

    /// What is known of the same players besides.
    pub(crate) fn recall(&mut self, earlier: &Presence) {
        for (index, player) in self.players.into_iter().enumerate() {
            if let Some((seen, left)) = player.and_then(|player| earlier.of(player)) {
                self.seen[index] = seen.max(self.seen[index]);
                self.left[index] = left.max(self.left[index]);
            }
        }
    }
}

/// When a player last did something that still waits for the table.
pub(crate) fn seen_waiting<'a, T: Table>(
    waiting: impl Iterator<Item = &'a Request<T>>,
    player: PlayerId,
) -> Option<Timestamp> {
    let theirs = waiting.filter(|request| request.player() == Some(player));
    theirs.map(Request::came).max()
}

impl<T: Table> Live<T> {
    /// When a player of a table was last seen here; `None` if that is not known. That
    /// they listen is known whether or not the table is in memory.
    pub fn seen(&self, id: TableId, player: PlayerId) -> Option<Seen> {
        // First: who goes in between has left by the time their times are read.
        let is_streaming = self.inner.handles.around.is_here(id, player);
        let noted = lock(self.shard(id)).seen(id, player);
        let (request, left) = match (noted, is_streaming) {
            (None, false) => return None,
            (noted, _) => noted.unwrap_or_default(),
        };
        let last = if is_streaming {
            self.now()
        } else {
            request.max(left)
        };
        Some(Seen {
            is_streaming,
            request,
            last,
        })
    }

    /// A player's last stream of a table was closed just now.
    pub fn left(&self, id: TableId, player: PlayerId) {
        let at = self.now();
        self.request(id, Request::Left { player, at });
    }

    /// When a player of a table that is in memory was last there, as all nodes together
    /// know; `None` if not all of them could say. Those who were at a node that is gone
    /// may be on their way to another, so they were there until it went.
    pub fn seen_by_all(
        &self,
        id: TableId,
        player: PlayerId,
        tell: impl FnOnce(Option<Timestamp>) + Send + 'static,
    ) {
        let live = self.clone();
        let answer = move |elsewhere: Option<Timestamp>| {
            // After the others: who came from there meanwhile is seen here.
            let here = live.seen(id, player).map(|seen| seen.last);
            let seen = here.zip(elsewhere);
            tell(seen.map(|(here, elsewhere)| here.max(elsewhere).max(live.node_lost_at())));
        };
        if Mutant::ClaimOnAHint.is_chosen() {
            return answer(Some(Timestamp::default()));
        }
        self.inner
            .handles
            .around
            .ask_around(id, player, Box::new(answer));
    }

    /// Asks all nodes whether the one who waits for an opponent is there.
    pub(crate) fn ask_around(&self, id: TableId, host: PlayerId) {
        let live = self.clone();
        let answer = Box::new(move |seen: Option<Timestamp>| {
            let now = live.now();
            let seen = seen.map(|seen| seen.max(live.node_lost_at()));
            let tick = Request::Tick {
                now,
                host: Some(seen),
            };
            live.request(id, tick);
        });
        self.inner.handles.around.ask_around(id, host, answer);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_known_of_a_player_is_known_though_they_sit_elsewhere_now() {
        let [ann, ben] = [1, 2].map(|number| PlayerId::new(number).unwrap());
        let at = Timestamp;
        let earlier = Presence {
            players: [Some(ann), None],
            seen: [at(50), at(7)],
            left: [at(60), at(9)],
        };
        let mut now = Presence {
            players: [Some(ben), Some(ann)],
            seen: [at(20), at(70)],
            left: [at(0), at(0)],
        };
        now.recall(&earlier);
        assert_eq!(now.of(ann), Some((at(70), at(60))));
        assert_eq!(now.of(ben), Some((at(20), at(0))));
        assert_eq!(earlier.of(ben), None);
    }
}
