//! Who is in a room.

use std::collections::BTreeMap;

use chess::table::PlayerId;

/// Those who have a stream of the table open.
#[derive(Default)]
pub(super) struct Members {
    /// The players who are here, and how many streams each has open.
    players: Vec<(PlayerId, usize)>,
    watchers: usize,
    /// Those of them who agreed to be seen, and how many streams each has open.
    shown: BTreeMap<PlayerId, usize>,
}

impl Members {
    pub(super) fn join(&mut self, player: Option<PlayerId>) {
        let Some(player) = player else {
            self.watchers += 1;
            return;
        };
        match self.players.iter_mut().find(|(p, _)| *p == player) {
            Some((_, streams)) => *streams += 1,
            None => self.players.push((player, 1)),
        }
    }

    /// Somebody goes, as whom they came. `true` if that was a player's last stream.
    pub(super) fn leave(&mut self, player: Option<PlayerId>) -> bool {
        let Some(player) = player else {
            self.watchers -= 1;
            return false;
        };
        let mut is_gone = false;
        self.players.retain_mut(|(p, streams)| {
            if *p == player {
                *streams -= 1;
                is_gone = *streams == 0;
            }
            *streams > 0
        });
        is_gone
    }

    pub(super) fn show(&mut self, who: PlayerId) {
        *self.shown.entry(who).or_default() += 1;
    }

    pub(super) fn hide(&mut self, who: PlayerId) {
        if let Some(streams) = self.shown.get_mut(&who) {
            *streams -= 1;
            if *streams == 0 {
                self.shown.remove(&who);
            }
        }
    }

    /// So many of those who agreed to be seen, the oldest accounts first.
    pub(super) fn shown(&self, max: usize) -> Vec<PlayerId> {
        self.shown.keys().take(max).copied().collect()
    }

    pub(super) fn is_here(&self, player: PlayerId) -> bool {
        self.players.iter().any(|(p, _)| *p == player)
    }

    pub(super) fn watchers(&self) -> usize {
        self.watchers
    }

    pub(super) fn is_empty(&self) -> bool {
        self.players.is_empty() && self.watchers == 0
    }
}
