//! Somebody's stay in a room.

use std::sync::Arc;

use chess::table::PlayerId;
use store::TableId;
use tokio::sync::broadcast::error::RecvError;

use super::bus::Happened;
use super::crowd::{Got, Language};
use super::lane::Lane;
use super::wire::Wire;
use super::{Furniture, Rooms, What};
use crate::games::Games;

/// Somebody is in a room, until this is dropped.
pub struct Visit {
    lane: Lane,
    /// As whom they came, if as a player.
    pub player: Option<PlayerId>,
    /// Who they are, if that is known.
    who: Option<PlayerId>,
    /// As whom they are seen watching.
    shown: Option<PlayerId>,
    rooms: Rooms,
    games: Games,
    id: TableId,
}

impl Rooms {
    /// Comes to a game, as one of its players or to watch, as whoever it is.
    pub fn enter(
        &self,
        games: &Games,
        id: TableId,
        player: Option<PlayerId>,
        who: Option<PlayerId>,
    ) -> Visit {
        let room = self.all().join(id, player);
        self.listen(id);
        self.visit(games, &room, player, who, |room| {
            Lane::Shared(room.subscribe(player.is_some()))
        })
    }

    /// Comes to watch a game, as whoever it is, by a wire that can be written to.
    pub(crate) fn enter_crowd(
        &self,
        games: &Games,
        id: TableId,
        who: Option<PlayerId>,
        wire: Arc<Wire>,
        language: Language,
    ) -> Visit {
        let room = self.all().join(id, None);
        self.listen(id);
        self.visit(games, &room, None, who, |room| {
            Lane::Crowd(room.crowd().join(who, wire, language))
        })
    }

    fn visit(
        &self,
        games: &Games,
        room: &live::room::Room<Furniture>,
        player: Option<PlayerId>,
        who: Option<PlayerId>,
        lane: impl FnOnce(&live::room::Room<Furniture>) -> Lane,
    ) -> Visit {
        Visit {
            lane: lane(room),
            player,
            who,
            shown: None,
            rooms: self.clone(),
            games: games.clone(),
            id: room.id(),
        }
    }
}

impl Visit {
    /// Where they are.
    pub(crate) fn table(&self) -> TableId {
        self.id
    }

    /// The next thing for whoever has been told up to that version. May be
    /// interrupted at any time.
    pub(crate) async fn recv(&mut self, version: u32) -> Result<Got, RecvError> {
        let got = self.lane.recv(version).await?;
        let is_sent_away = match &got {
            Got::News(news) => match news.what() {
                What::Removed(who) => self.who == Some(*who),
                _ => false,
            },
            Got::Begun | Got::Removed => false,
        };
        Ok(if is_sent_away { Got::Removed } else { got })
    }

    /// Up to where its subscriber has been told meanwhile, if past it.
    pub(crate) fn version(&self) -> Option<u32> {
        self.lane.version()
    }

    /// Waits until something is told, whatever it is: for those who look for
    /// themselves. `false`: it is over. May be interrupted at any time.
    pub(crate) async fn is_stirred(&mut self) -> bool {
        match self.recv(0).await {
            Ok(Got::News(news)) => !matches!(news.what(), What::Farewell),
            Ok(Got::Begun) | Err(RecvError::Lagged(_)) => true,
            Ok(Got::Removed) | Err(RecvError::Closed) => false,
        }
    }

    /// Whoever watches agrees to be seen.
    pub(crate) fn show(&mut self, who: PlayerId) {
        if self.shown.replace(who).is_none() {
            self.rooms.all().show(self.id, who);
        }
    }
}

impl Drop for Visit {
    fn drop(&mut self) {
        if let Some(who) = self.shown {
            self.rooms.all().hide(self.id, who);
        }
        // Noted before: whoever looks in between must not find somebody gone who
        // was last seen when they last asked for something.
        if let Some(player) = self.player {
            self.games.left(self.id, player);
        }
        let was_last = self.rooms.all().leave(self.id, self.player);
        let gone = self.player.filter(|_| was_last);
        if let Some(player) = gone {
            self.rooms.lags().forget(self.id, player);
        }
        self.rooms.publish(self.id, Happened::Went(gone));
    }
}
