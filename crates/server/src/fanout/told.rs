//! What subscribers are told. Encoded once, shared by all of them.

use std::sync::{Arc, OnceLock};

use axum::extract::ws::Utf8Bytes;
use chess::ByColor;
use chess::game::Game;
use chess::skill::Match;
use chess::table::PlayerId;

use crate::doors::collector::event::{OnlineMatchEvent, What};
use crate::doors::collector::guest::{Guests, Seated};
use crate::room::Line;

/// One piece of news on its way to everyone who listens.
pub type News = Arc<Told>;

/// News of a match. A guest's own id is part of what they are told and known
/// to their streams alone: the first of them makes the message for all.
#[derive(Debug)]
pub struct MatchNews {
    pub(crate) what: What,
    pub(crate) played: Arc<Match>,
    pub(crate) guests: Arc<Guests>,
    pub(crate) here: ByColor<bool>,
    texts: ByColor<OnceLock<Utf8Bytes>>,
}

impl MatchNews {
    pub(crate) fn new(
        what: What,
        played: Arc<Match>,
        guests: Arc<Guests>,
        here: ByColor<bool>,
    ) -> MatchNews {
        MatchNews {
            what,
            played,
            guests,
            here,
            texts: ByColor::default(),
        }
    }

    /// The message for whoever sits there.
    pub(crate) fn text(&self, viewer: &Seated) -> Utf8Bytes {
        let text = self.texts.get(viewer.color).get_or_init(|| {
            OnlineMatchEvent::of(self.what, &self.played, &self.guests, self.here, viewer).text()
        });
        text.clone()
    }
}

/// What happened.
#[derive(Debug)]
pub enum Told {
    /// The game changed: the messages that say so.
    Change {
        /// The game after it.
        game: Arc<Game>,
        /// A move and the end it brought about are two.
        texts: Vec<Utf8Bytes>,
    },
    /// Something about a match of skill chess.
    Match(MatchNews),
    /// Somebody spoke.
    Chat {
        /// What was said, and by whom.
        line: Line,
        /// The message.
        text: Utf8Bytes,
    },
    /// Anything that everyone in the lane may read: clocks, presence, a rematch.
    Notice(Utf8Bytes),
    /// Somebody must leave.
    Removed(PlayerId),
    /// News were lost: look at the game itself.
    Lost,
    /// Time to measure the round trip to a player.
    Ping,
    /// The server is stopping.
    Farewell,
}
