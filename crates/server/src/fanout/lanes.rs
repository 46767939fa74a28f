//! The ways by which those at a game are told.

use std::sync::Arc;

use live::room::hub::{self, tell};
use store::TableId;
use tokio::sync::broadcast::Receiver;
use tokio::sync::broadcast::error::RecvError;

use super::Rooms;
use super::crowd::{Heard, Seat};
use super::told::News;

/// Where to tell those at a game.
pub struct Lanes<'a> {
    pub(super) rooms: &'a Rooms,
    pub(super) id: TableId,
    pub(super) shared: hub::Lanes<News>,
}

impl Lanes<'_> {
    /// Tells the players.
    pub fn tell_players(&self, news: News) {
        tell(&self.shared.players, news);
    }

    /// Tells everybody else.
    pub fn tell_watchers(&self, news: News) {
        tell(&self.shared.watchers, Arc::clone(&news));
        self.rooms.crowd().tell(self.id, news);
    }

    /// Tells everyone, the players first.
    pub fn tell(&self, news: News) {
        self.tell_players(Arc::clone(&news));
        self.tell_watchers(news);
    }
}

/// What one subscriber listens to.
pub enum Lane {
    /// A ring shared with others.
    Shared(Receiver<News>),
    /// A seat in the crowd, some of whose news never come by here.
    Seat(Arc<Seat>),
}

impl Lane {
    /// The next news for whoever has been told up to that version. May be
    /// interrupted at any time.
    pub(crate) async fn recv(&mut self, version: u32) -> Result<Heard, RecvError> {
        match self {
            Lane::Shared(lane) => lane.recv().await.map(Heard::News),
            Lane::Seat(seat) => seat.recv(version).await,
        }
    }

    /// Up to where its subscriber has been told meanwhile, if past it.
    pub(crate) fn version(&self) -> Option<u32> {
        match self {
            Lane::Shared(_) => None,
            Lane::Seat(seat) => Some(seat.version()),
        }
    }
}
